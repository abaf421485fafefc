"""The newest message between two processes: complete, or none."""

import threading

from pyrfly.view.mailbox import Mailbox


def test_reader_gets_the_newest_message():
    box = Mailbox(64)
    reader = Mailbox(64, box.path)
    assert reader.number == 0
    assert reader.newest() is None
    for number, message in enumerate([b"one", b"", b"three" * 10], 1):
        assert box.put(message)
        assert reader.newest() == (number, message)
    assert not box.put(b"x" * 65)
    assert reader.newest() == (3, b"three" * 10)
    reader.close()
    assert box.path.exists()
    box.close()
    assert not box.path.exists()


def test_message_that_is_being_written_is_not_read():
    box = Mailbox(8)
    box.put(b"whole")
    box.put(b"torn")
    with box.path.open("r+b") as file:  # what a writer in the midst of the second one leaves
        file.seek(24)
        file.write(b"TO")
    assert box.newest() == (1, b"whole")
    box.close()


def test_no_message_is_torn_while_others_are_written():
    box = Mailbox(4000)
    reader, ended = Mailbox(4000, box.path), threading.Event()

    def write() -> None:
        for k in range(3000):
            box.put(bytes([k % 251]) * (1000 + k))
        ended.set()

    writer = threading.Thread(target=write)
    writer.start()
    numbers = []
    while not ended.is_set():
        if (found := reader.newest()) is not None:
            number, message = found
            assert message == bytes([(number - 1) % 251]) * (999 + number)
            numbers.append(number)
    writer.join()
    assert numbers == sorted(numbers)
    assert reader.newest()[0] == 3000
    reader.close()
    box.close()
