classdef pyrfly_udp < handle
%PYRFLY_UDP Datagrams in MATLAB and in GNU Octave.
%   U = PYRFLY_UDP(PORT) receives on a UDP port; without PORT it sends only.
%
%   It uses what there is: the package sockets in Octave (pkg install sockets, or octave-sockets of
%   Debian and Ubuntu), udpport in MATLAB since R2020b, udp of the Instrument Control Toolbox in
%   older ones.
%
%   send(U, BYTES, IP, PORT)   sends a row of uint8
%   PACKETS = receive(U)       cell array of what has arrived since, rows of uint8; does not wait
%   close(U)                   frees the port

    properties (Constant, Access = private)
        LONGEST = 1500  % bytes of a datagram; the longest of RflySim's ports of a vehicle has 528
        MOST = 1000     % datagrams of one call of receive
    end

    properties (Access = private)
        way = 'closed'  % or 'sockets', 'udpport', 'udp'
        receiver        % [] where nothing is received
        sender          % the same object as receiver but in Octave
    end

    methods
        function obj = pyrfly_udp(port)
            if nargin < 1
                port = [];
            end
            if exist('OCTAVE_VERSION', 'builtin')
                obj.open_sockets(port);
            elseif exist('udpport', 'file')
                obj.open_udpport(port);
            else
                obj.open_udp(port);
            end
        end

        function send(obj, bytes, ip, port)
            bytes = uint8(bytes);
            switch obj.way
                case 'sockets'
                    connect(obj.sender, struct('addr', ip, 'port', port));
                    try
                        send(obj.sender, bytes);
                    catch
                        % nobody receives yet, or not any more: what follows is sent anyway
                    end
                case 'udpport'
                    write(obj.sender, bytes, 'uint8', ip, port);
                case 'udp'
                    obj.sender.RemoteHost = ip;
                    obj.sender.RemotePort = port;
                    fwrite(obj.sender, bytes, 'uint8');
            end
        end

        function packets = receive(obj)
            packets = {};
            if isempty(obj.receiver)
                return
            end
            for i = 1:obj.MOST
                bytes = obj.next();
                if isempty(bytes)
                    return
                end
                packets{end + 1} = reshape(bytes, 1, []); %#ok<AGROW>
            end
        end

        function close(obj)
            switch obj.way
                case 'sockets'
                    each = [obj.sender, obj.receiver];
                    for i = 1:numel(each)
                        disconnect(each(i));
                    end
                case {'udpport', 'udp'}
                    delete(obj.sender);
            end
            obj.way = 'closed';
            obj.receiver = [];
        end

        function delete(obj)
            obj.close();
        end
    end

    methods (Access = private)
        function open_sockets(obj, port)
            pkg('load', 'sockets');
            obj.way = 'sockets';
            obj.sender = socket(AF_INET, SOCK_DGRAM, 0);
            if ~isempty(port)
                obj.receiver = socket(AF_INET, SOCK_DGRAM, 0);
                try
                    bind(obj.receiver, port);
                catch reason
                    obj.close();
                    error('pyrfly:port', 'port %d: %s', port, reason.message);
                end
            end
        end

        function open_udpport(obj, port)
            obj.way = 'udpport';
            if isempty(port)
                obj.sender = udpport('datagram', 'IPV4');
            else
                obj.sender = udpport('datagram', 'IPV4', 'LocalPort', port);
                obj.receiver = obj.sender;
            end
            obj.sender.OutputDatagramSize = obj.LONGEST;  % else longer ones are split at 512
        end

        function open_udp(obj, port)
            obj.way = 'udp';
            options = {'DatagramTerminateMode', 'on', 'InputBufferSize', 1000 * obj.LONGEST, ...
                'OutputBufferSize', obj.LONGEST, 'OutputDatagramPacketSize', obj.LONGEST};
            if isempty(port)
                obj.sender = udp('127.0.0.1', options{:});
            else
                obj.sender = udp('127.0.0.1', 'LocalPort', port, options{:});
                obj.receiver = obj.sender;
            end
            fopen(obj.sender);
        end

        function bytes = next(obj)
            % Return the next datagram that has arrived; [] where there is none.
            bytes = uint8([]);
            switch obj.way
                case 'sockets'
                    [data, count] = recv(obj.receiver, obj.LONGEST, MSG_DONTWAIT);
                    if count > 0
                        bytes = data(1:count);
                    end
                case 'udpport'
                    if obj.receiver.NumDatagramsAvailable > 0
                        datagram = read(obj.receiver, 1, 'uint8');
                        bytes = uint8(datagram.Data);
                    end
                case 'udp'
                    if obj.receiver.BytesAvailable > 0
                        bytes = uint8(fread(obj.receiver, obj.LONGEST, 'uint8'));
                    end
            end
        end
    end
end
