"""The router: from paths to names, and back."""

from dataclasses import dataclass, field

from .errors import BuildError, MethodNotAllowed, NotFound, RedirectRequired
from .pattern import Pattern, decode_path
from .query import Query

ANY = frozenset()

#: Asking for the head only is allowed wherever getting is.
IMPLIED = {"GET": "HEAD"}


def normalize_methods(methods):
    """Upper-case methods with those that are implied; empty for any method."""
    found = {method.strip().upper() for method in methods or ()}
    for method, implied in IMPLIED.items():
        if method in found:
            found.add(implied)
    return frozenset(found)


@dataclass(frozen=True)
class Route:
    """A pattern with a name. ``methods`` is empty when any method will do; ``defaults`` are added to the parameters."""

    pattern: Pattern
    name: str
    methods: frozenset = ANY
    defaults: dict = field(default_factory=dict)
    target: object = None

    def allows(self, method):
        return not self.methods or method.upper() in self.methods

    def __hash__(self):
        return hash((self.pattern.text, self.name))


@dataclass(frozen=True)
class Match:
    """The result of routing."""

    route: Route
    params: dict

    @property
    def name(self):
        return self.route.name

    @property
    def target(self):
        return self.route.target


class Router:
    """Routes by name.

    ``slashes`` says what happens when only a slash at the end is wrong: ``"redirect"``, ``"ignore"`` it, or be
    ``"strict"``. ``prefix`` is put before all paths.
    """

    def __init__(self, routes=None, slashes="redirect", prefix=""):
        if slashes not in ("redirect", "ignore", "strict"):
            raise ValueError(f"slashes must be redirect, ignore or strict, not {slashes!r}")
        self.routes = [] if routes is None else list(routes)
        self.slashes = slashes
        self.prefix = prefix.rstrip("/")
        self._sorted = None

    # -- adding -----------------------------------------------------------------

    def add(self, pattern, name, methods=None, defaults=None, target=None):
        """Add a route. Several routes may have the same name, for building the first that fits is taken."""
        route = Route(Pattern(self.prefix + pattern), name, normalize_methods(methods), dict(defaults or {}), target)
        self.routes.append(route)
        self._sorted = None
        return route

    def route(self, pattern, name=None, methods=None, **defaults):
        """Decorator form of ``add``; the name of the function is the default name."""

        def decorate(function):
            self.add(pattern, name or function.__name__, methods, defaults, function)
            return function

        return decorate

    def mount(self, prefix, other, namespace=""):
        """Add all routes of another router below ``prefix``, with names like ``namespace.name``."""
        prefix = prefix.rstrip("/")
        for route in other.routes:
            name = f"{namespace}.{route.name}" if namespace else route.name
            pattern = prefix + route.pattern.text
            self.add(pattern, name, route.methods, route.defaults, route.target)

    # -- matching ---------------------------------------------------------------

    def _ordered(self):
        """Routes with the most specific pattern first; among equals, in the order in which they were added."""
        if self._sorted is None:
            self._sorted = sorted(self.routes, key=lambda route: route.pattern.rank)
        return self._sorted

    def _candidates(self, path):
        for route in self._ordered():
            params = route.pattern.match(path)
            if params is not None:
                yield route, {**route.defaults, **params}

    def _find(self, path, method, allowed):
        for route, params in self._candidates(path):
            if route.allows(method):
                return Match(route, params)
            allowed.update(route.methods)
        return None

    def match(self, path, method="GET"):
        """The route of an encoded path, which may have a query string (that is ignored here).

        Raises NotFound, MethodNotAllowed or RedirectRequired.
        """
        bare, mark, query = path.partition("?")
        decoded = decode_path(bare)
        allowed = set()
        found = self._find(decoded, method, allowed)
        if found is not None:
            return found
        if not allowed and self.slashes != "strict" and decoded != "/":
            other = decoded[:-1] if decoded.endswith("/") else decoded + "/"
            found = self._find(other, method, allowed)
            if found is not None:
                if self.slashes == "ignore":
                    return found
                location = bare[:-1] if bare.endswith("/") else bare + "/"
                raise RedirectRequired(location + mark + query)
        if allowed:
            raise MethodNotAllowed(bare, method.upper(), allowed)
        raise NotFound(bare)

    def allowed_methods(self, path):
        """All methods for which there is a route, sorted; ``["*"]`` when one of them takes any."""
        methods = set()
        for route, _ in self._candidates(decode_path(path)):
            if not route.methods:
                return ["*"]
            methods |= route.methods
        return sorted(methods)

    # -- building ---------------------------------------------------------------

    def build(self, name, query=None, **params):
        """The path of a route. Parameters that are not in its pattern go to the query string.

        Raises BuildError.
        """
        candidates = [route for route in self.routes if route.name == name]
        if not candidates:
            raise BuildError(f"no route is called {name!r}")
        problem = None
        for route in candidates:
            given = {**route.defaults, **params}
            try:
                path = route.pattern.build(given)
            except BuildError as error:
                problem = problem or error
                continue
            names = route.pattern.names
            extra = {key: value for key, value in params.items() if key not in names and key not in route.defaults}
            full = Query([*Query(query or ()).pairs, *Query(extra).pairs])
            return f"{path}?{full}" if full else path
        raise problem
