// Messages of pyrfly/view/codec.py, whose comment says how they are made.
const config = JSON.parse(document.getElementById("config").textContent);  // of pyrfly/view/html.py

const FORMAT = "pyrfly\0\x01";
const TYPES = {f8: Float64Array, f4: Float32Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array};

function unpack(buffer) {
  const text = new TextDecoder("utf-8", {fatal: true});
  if (text.decode(new Uint8Array(buffer, 0, 8)) !== FORMAT) throw new Error("another version of pyrfly wrote this");
  const length = new DataView(buffer).getUint32(8, true);
  const header = JSON.parse(text.decode(new Uint8Array(buffer, 16, length)));
  let at = 16 + length;
  header.arrays = header.arrays.map(([type, shape]) => {
    const array = new TYPES[type](buffer, at, shape.reduce((a, b) => a * b, 1));
    array.shape = shape;
    at += (array.byteLength + 7) & ~7;
    return array;
  });
  return header;
}

function readFrame(header) {
  const frame = {time: header.time};
  for (const name of config.frame_arrays) if (name in header) frame[name] = header.arrays[header[name]];
  frame.columns = Object.fromEntries(Object.entries(header.columns).map(([name, k]) => [name, header.arrays[k]]));
  return frame;
}

// Sums up the differences of an array, whose bytes lie in planes: column by column over time.
function readWhole(planes, size, count) {
  const columns = planes.length / size / count, length = planes.length / size;
  const whole = new (size === 4 ? Int32Array : size === 2 ? Int16Array : Uint8Array)(length);
  for (let column = 0; column < columns; column++) {
    let sum = 0;
    for (let time = 0; time < count; time++) {
      let value = 0;
      for (let k = 0; k < size; k++) value |= planes[k * length + column * count + time] << (8 * k);
      sum = (sum + value) | 0;
      whole[time * columns + column] = sum;
    }
  }
  return {whole, columns, missing: size === 1 ? -1 : -(2 ** (8 * size - 1))};
}

// Returns frames of a flight, each made when it is asked for: an hour of them has little room.
function readFlight(header) {
  const times = header.arrays[header.time];
  const read = ({array, scale, size}) => ({...readWhole(header.arrays[array], size, times.length), scale: header.arrays[scale]});
  const sampler = ({whole, columns, missing, scale}) => index => {
    const values = new Float64Array(columns), begin = index * columns;
    for (let k = 0; k < columns; k++) values[k] = whole[begin + k] === missing ? NaN : whole[begin + k] * scale[k];
    return values;
  };
  const arrays = config.frame_arrays.filter(name => name in header).map(name => [name, sampler(read(header[name]))]);
  const columns = Object.entries(header.columns).map(([name, written]) => [name, sampler(read(written))]);
  const sampled = (list, index) => Object.fromEntries(list.map(([name, sample]) => [name, sample(index)]));
  return {times, at: index => ({time: times[index], ...sampled(arrays, index), columns: sampled(columns, index)})};
}

// Bytes of an element of the page: gzip, in base64.
async function embedded(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return unpack(await new Response(stream).arrayBuffer());
}
