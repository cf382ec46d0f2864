"""Exceptions of waypost."""


class WaypostError(Exception):
    """Base class."""


class UrlError(WaypostError, ValueError):
    """A text is not a URL."""


class PatternError(WaypostError, ValueError):
    """The pattern of a route is malformed."""


class NotFound(WaypostError, LookupError):
    """No route matches a path."""

    def __init__(self, path):
        super().__init__(f"no route for {path!r}")
        self.path = path


class MethodNotAllowed(WaypostError):
    """A route matches, but not for this method. ``allowed`` is a sorted list."""

    def __init__(self, path, method, allowed):
        super().__init__(f"{method} is not allowed for {path!r}")
        self.path = path
        self.method = method
        self.allowed = sorted(allowed)


class RedirectRequired(WaypostError):
    """The path exists with a slash at its end, or without; ``location`` is the right one."""

    def __init__(self, location):
        super().__init__(f"redirect to {location!r}")
        self.location = location


class BuildError(WaypostError, LookupError):
    """A URL cannot be built: the name is unknown, or a parameter is missing or bad."""
