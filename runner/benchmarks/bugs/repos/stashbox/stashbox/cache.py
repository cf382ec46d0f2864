"""The cache: a mapping that forgets."""

from dataclasses import dataclass

from .clock import SystemClock
from .policy import make_policy

_MISSING = object()


@dataclass
class Entry:
    """A value, when it was set, when it expires (None for never), and its tags."""

    value: object
    created: float
    expires: float | None
    tags: frozenset = frozenset()

    def is_expired(self, now):
        """True from the moment of expiry on."""
        return self.expires is not None and now >= self.expires

    def remaining(self, now):
        """Seconds until it expires; None for never, 0 when it has expired."""
        if self.expires is None:
            return None
        return max(0.0, self.expires - now)


@dataclass
class Stats:
    """What happened so far."""

    hits: int = 0
    misses: int = 0
    evictions: int = 0
    expirations: int = 0

    @property
    def requests(self):
        return self.hits + self.misses

    @property
    def hit_rate(self):
        """Share of requests that were hits, between 0 and 1; 0 without requests."""
        if not self.requests:
            return 0.0
        return self.hits / self.requests

    def reset(self):
        self.hits = self.misses = self.evictions = self.expirations = 0


class Cache:
    """A cache with at most ``max_size`` entries that live for ``ttl`` seconds.

    Both may be None, which means without limit. ``policy`` says which entry goes when the cache is full; entries that
    have expired go first. ``on_evict(key, value)`` is called for entries that had to make room, not for those that were
    deleted or have expired.
    """

    def __init__(self, max_size=None, ttl=None, policy="lru", clock=None, on_evict=None):
        if max_size is not None and max_size < 1:
            raise ValueError("max_size must be at least 1")
        if ttl is not None and ttl <= 0:
            raise ValueError("ttl must be positive")
        self.max_size = max_size
        self.ttl = ttl
        self.clock = clock or SystemClock()
        self.on_evict = on_evict
        self.stats = Stats()
        self._policy = make_policy(policy)
        self._entries = {}
        self._tags = {}

    # -- inside -----------------------------------------------------------------

    def _remove(self, key):
        entry = self._entries.pop(key)
        self._policy.removed(key)
        for tag in entry.tags:
            keys = self._tags[tag]
            keys.discard(key)
            if not keys:
                del self._tags[tag]
        return entry

    def _live(self, key):
        """The entry of a key if it is there and has not expired, else None."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry.is_expired(self.clock.now()):
            self._remove(key)
            self.stats.expirations += 1
            return None
        return entry

    def _make_room(self, key):
        """Throw out entries until ``key`` can be added."""
        if self.max_size is None or key in self._entries:
            return
        if len(self._entries) >= self.max_size:
            self.purge()
        while len(self._entries) >= self.max_size:
            victim = self._policy.victim()
            entry = self._remove(victim)
            self.stats.evictions += 1
            if self.on_evict is not None:
                self.on_evict(victim, entry.value)

    # -- reading ----------------------------------------------------------------

    def get(self, key, default=None):
        """The value of a key, or ``default``. Counts as a hit or a miss, and as a use."""
        entry = self._live(key)
        if entry is None:
            self.stats.misses += 1
            return default
        self.stats.hits += 1
        self._policy.used(key)
        return entry.value

    def peek(self, key, default=None):
        """Like ``get``, but neither counts nor is a use."""
        entry = self._entries.get(key)
        if entry is None or entry.is_expired(self.clock.now()):
            return default
        return entry.value

    def get_many(self, keys):
        """A dict of those keys that are there."""
        found = {}
        for key in keys:
            value = self.get(key, _MISSING)
            if value is not _MISSING:
                found[key] = value
        return found

    def get_or_set(self, key, make, ttl=_MISSING):
        """The value of a key; if there is none, ``make()`` is called and its result kept, also if it is None."""
        value = self.get(key, _MISSING)
        if value is _MISSING:
            value = make()
            self.set(key, value, ttl=ttl)
        return value

    def ttl_of(self, key):
        """Seconds that a key has left; None if it never expires. Raises KeyError."""
        entry = self._live(key)
        if entry is None:
            raise KeyError(key)
        return entry.remaining(self.clock.now())

    def __contains__(self, key):
        return self._live(key) is not None

    def __len__(self):
        """Number of entries that have not expired."""
        now = self.clock.now()
        return sum(not entry.is_expired(now) for entry in self._entries.values())

    def keys(self):
        """Keys that have not expired, the oldest first."""
        now = self.clock.now()
        return [key for key, entry in self._entries.items() if not entry.is_expired(now)]

    def items(self):
        """``(key, value, seconds left)`` of all that has not expired."""
        now = self.clock.now()
        return [(k, e.value, e.remaining(now)) for k, e in self._entries.items() if not e.is_expired(now)]

    # -- writing ----------------------------------------------------------------

    def set(self, key, value, ttl=_MISSING, tags=()):
        """Set a key. ``ttl`` overrides the one of the cache; None means that the entry never expires."""
        if ttl is _MISSING:
            ttl = self.ttl
        now = self.clock.now()
        self._make_room(key)
        if key in self._entries:
            self._forget_tags(key)
        expires = None if ttl is None else now + ttl
        self._entries[key] = Entry(value, now, expires, frozenset(tags))
        self._policy.added(key)
        for tag in tags:
            self._tags.setdefault(tag, set()).add(key)

    def _forget_tags(self, key):
        for tag in self._entries[key].tags:
            self._tags[tag].discard(key)
            if not self._tags[tag]:
                del self._tags[tag]

    def set_many(self, values, ttl=_MISSING):
        for key, value in values.items():
            self.set(key, value, ttl=ttl)

    def touch(self, key, ttl=_MISSING):
        """Give a key a new time to live from now on. False if it is not there."""
        entry = self._live(key)
        if entry is None:
            return False
        if ttl is _MISSING:
            ttl = self.ttl
        entry.expires = None if ttl is None else self.clock.now() + ttl
        return True

    def delete(self, key):
        """Remove a key. False if it was not there or had expired."""
        if self._live(key) is None:
            return False
        self._remove(key)
        return True

    def pop(self, key, default=None):
        """Remove a key and return its value."""
        entry = self._live(key)
        if entry is None:
            return default
        self._remove(key)
        return entry.value

    def invalidate_tag(self, tag):
        """Remove all entries with a tag; returns how many."""
        keys = list(self._tags.get(tag, ()))
        for key in keys:
            self._remove(key)
        return len(keys)

    def purge(self):
        """Remove what has expired; returns how many entries that were."""
        now = self.clock.now()
        expired = [key for key, entry in self._entries.items() if entry.is_expired(now)]
        for key in expired:
            self._remove(key)
        self.stats.expirations += len(expired)
        return len(expired)

    def clear(self):
        """Remove everything. The statistics stay."""
        self._entries.clear()
        self._tags.clear()
        self._policy.clear()
