"""What a command wrote, kept in bounded memory."""

from __future__ import annotations

from collections.abc import Callable


class HeadTail:
    """The first ``head`` and the last ``tail`` bytes of a stream; what lies between is counted and dropped."""

    __slots__ = ("_head", "_head_size", "_tail", "_tail_size", "total")

    def __init__(self, head: int, tail: int) -> None:
        self._head_size = head
        self._tail_size = tail
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def add(self, data: bytes) -> None:
        """Append ``data`` to the stream."""
        self.total += len(data)
        room = self._head_size - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if not data:
            return
        if len(data) >= self._tail_size:
            self._tail = bytearray(data[len(data) - self._tail_size :])
            return
        self._tail += data
        # Cutting only now and then keeps the cost per byte constant.
        if len(self._tail) > 4 * self._tail_size:
            del self._tail[: len(self._tail) - self._tail_size]

    def text(self, clean: Callable[[bytes], bytes] = bytes) -> tuple[str, int]:
        """The text (undecodable bytes as ``\\xNN``) and the number of bytes that it leaves out; ``clean`` is
        applied to what is kept."""
        head, tail = bytes(self._head), bytes(self._tail[-self._tail_size :] if self._tail_size else b"")
        if len(head) + len(tail) == self.total:
            return decode(clean(head + tail)), 0
        head = head[: len(head) - _cut_at_end(head)]
        tail = tail[_cut_at_start(tail) :]
        lost = self.total - len(head) - len(tail)
        return (
            f"{decode(clean(head))}\n[... {lost} bytes of output left out ...]\n{decode(clean(tail))}",
            lost,
        )


def decode(data: bytes) -> str:
    """UTF-8; bytes that are not become ``\\xNN``, so that nothing is lost and nothing fails."""
    return data.decode("utf-8", "backslashreplace")


def _cut_at_end(data: bytes) -> int:
    """How many bytes at the end begin a character that the cut tore apart."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte & 0xC0 != 0x80:
            length = (
                2 if byte >> 5 == 0b110 else 3 if byte >> 4 == 0b1110 else 4 if byte >> 3 == 0b11110 else 1
            )
            return back if length > back else 0
    return 0


def _cut_at_start(data: bytes) -> int:
    """How many bytes at the start end a character that the cut tore apart."""
    count = 0
    while count < min(3, len(data)) and data[count] & 0xC0 == 0x80:
        count += 1
    return count
