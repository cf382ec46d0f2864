"""Which entry has to go when a cache is full.

A policy is told about every key that is added, used or removed, and names a victim. It holds keys only.
"""

from collections import OrderedDict


class Fifo:
    """The oldest entry goes, however often it was used. Setting a key again does not make it younger."""

    name = "fifo"

    def __init__(self):
        self._keys = OrderedDict()

    def added(self, key):
        """A key was set, for the first time or again."""
        self._keys.setdefault(key, None)

    def used(self, key):
        """A key was read."""

    def removed(self, key):
        """A key is gone for any reason."""
        self._keys.pop(key, None)

    def victim(self):
        """The key that should go next; None when there is none."""
        return next(iter(self._keys), None)

    def clear(self):
        self._keys.clear()

    def __len__(self):
        return len(self._keys)


class Lru(Fifo):
    """The entry that was not read or set for the longest time goes."""

    name = "lru"

    def added(self, key):
        self._keys[key] = None
        self._keys.move_to_end(key)

    def used(self, key):
        self._keys.move_to_end(key)


class Lfu:
    """The entry that was used least often goes; among equals, the one that was used the longest time ago.

    Adding counts as a use. A key that was removed starts anew.
    """

    name = "lfu"

    def __init__(self):
        self._uses = {}
        self._tick = 0

    def _touch(self, key):
        self._tick += 1
        count, _ = self._uses.get(key, (0, 0))
        self._uses[key] = (count + 1, self._tick)

    def added(self, key):
        self._touch(key)

    def used(self, key):
        self._touch(key)

    def removed(self, key):
        self._uses.pop(key, None)

    def victim(self):
        if not self._uses:
            return None
        return min(self._uses, key=self._uses.__getitem__)

    def clear(self):
        self._uses.clear()

    def __len__(self):
        return len(self._uses)

    def count(self, key):
        """How often a key was used."""
        return self._uses.get(key, (0, 0))[0]


POLICIES = {policy.name: policy for policy in (Fifo, Lru, Lfu)}


def make_policy(name):
    """A new policy by name. Raises ValueError."""
    try:
        return POLICIES[name]()
    except KeyError:
        raise ValueError(f"unknown policy {name!r}, known: {', '.join(sorted(POLICIES))}") from None
