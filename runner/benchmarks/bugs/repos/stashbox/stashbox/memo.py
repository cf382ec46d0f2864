"""Functions that remember their results."""

from functools import wraps

from .cache import Cache
from .keys import make_key

_MISSING = object()


class _Failure:
    """An exception that is kept in place of a result."""

    def __init__(self, error):
        self.error = error


def memoize(
    function=None, *, max_size=128, ttl=None, ignore=(), typed=False, cache=None, errors=(), error_ttl=None, when=None
):
    """Decorator: calls with the same arguments are answered from a cache.

    ``ignore`` names arguments that are not part of the key. Exceptions of the classes in ``errors`` are remembered as
    well, for ``error_ttl`` seconds, and raised again. ``when(result)`` says whether a result is worth keeping; by
    default all are, also None. A ``cache`` may be given, and shared by functions.

    The decorated function has ``cache``, ``key(*args, **kwargs)``, ``invalidate(*args, **kwargs)`` and ``uncached``.
    """

    def decorate(inner):
        store = cache if cache is not None else Cache(max_size=max_size, ttl=ttl)

        def key(*args, **kwargs):
            return make_key(inner, args, kwargs, ignore, typed)

        @wraps(inner)
        def wrapper(*args, **kwargs):
            call = key(*args, **kwargs)
            known = store.get(call, _MISSING)
            if isinstance(known, _Failure):
                raise known.error
            if known is not _MISSING:
                return known
            try:
                result = inner(*args, **kwargs)
            except errors as error:
                store.set(call, _Failure(error), ttl=error_ttl)
                raise
            if when is None or when(result):
                if ttl is None:
                    store.set(call, result)
                else:
                    store.set(call, result, ttl=ttl)
            return result

        wrapper.cache = store
        wrapper.key = key
        wrapper.uncached = inner
        wrapper.invalidate = lambda *args, **kwargs: store.delete(key(*args, **kwargs))
        return wrapper

    return decorate if function is None else decorate(function)
