"""URLs (RFC 3986)."""

import re
from dataclasses import dataclass, replace

from .errors import UrlError
from .percent import FRAGMENT_SAFE, PATH_SAFE, decode, encode, normalize_escapes
from .query import Query

#: The five parts of any URL, from the appendix B of RFC 3986.
PARTS = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")

DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}


def remove_dots(path):
    """Resolve ``.`` and ``..`` segments (RFC 3986, 5.2.4). ``..`` never climbs above the root."""
    output = []
    segments = path.split("/")
    for index, segment in enumerate(segments):
        final = index == len(segments) - 1
        if segment == ".":
            if final:
                output.append("")
        elif segment == "..":
            if len(output) > 1 or (output and output[0] != ""):
                output.pop()
            if final:
                output.append("")
        else:
            output.append(segment)
    if path.startswith("/") and (not output or output[0] != ""):
        output.insert(0, "")
    return "/".join(output)


def merge_paths(base, has_authority, reference):
    """Put a relative path in the place of the last segment of ``base`` (RFC 3986, 5.2.3)."""
    if has_authority and not base:
        return "/" + reference
    head, slash, _ = base.rpartition("/")
    return head + slash + reference


def split_authority(text):
    """``user:password@host:port`` into its parts; what is missing is None. Raises UrlError."""
    userinfo, at, hostport = text.rpartition("@")
    if hostport.startswith("["):
        host, bracket, rest = hostport.partition("]")
        if not bracket:
            raise UrlError(f"missing ] in {text!r}")
        host += "]"
        if rest and not rest.startswith(":"):
            raise UrlError(f"bad port in {text!r}")
        port_text = rest[1:]
    else:
        host, _, port_text = hostport.partition(":")
    port = None
    if port_text:
        if not port_text.isdigit() or int(port_text) > 65535:
            raise UrlError(f"bad port {port_text!r}")
        port = int(port_text)
    user = password = None
    if at:
        user, colon, password = userinfo.partition(":")
        user = decode(user)
        password = decode(password) if colon else None
    return user, password, host.lower(), port


@dataclass(frozen=True)
class Url:
    """A URL, absolute or relative.

    ``path`` and ``fragment`` are kept encoded, as they were written; ``host`` is lower case; ``port`` is None unless
    it was given.
    """

    scheme: str = ""
    host: str | None = None
    port: int | None = None
    path: str = ""
    query: Query = Query()
    fragment: str | None = None
    user: str | None = None
    password: str | None = None

    # -- making -----------------------------------------------------------------

    @classmethod
    def parse(cls, text):
        """Read a URL. Characters that must not stand in a path are encoded. Raises UrlError."""
        text = text.strip()
        scheme, authority, path, query, fragment = PARTS.fullmatch(text).groups()
        if scheme is not None and not SCHEME.fullmatch(scheme):
            raise UrlError(f"bad scheme {scheme!r}")
        user = password = host = port = None
        if authority is not None:
            user, password, host, port = split_authority(authority)
        return cls(
            scheme=(scheme or "").lower(),
            host=host,
            port=port,
            path=encode(path, PATH_SAFE + "%"),
            query=Query.parse(query or ""),
            fragment=None if fragment is None else encode(fragment, FRAGMENT_SAFE + "%"),
            user=user,
            password=password,
        )

    # -- asking -----------------------------------------------------------------

    @property
    def is_absolute(self):
        return bool(self.scheme)

    @property
    def effective_port(self):
        """The port that was given, or the usual one of the scheme; None if neither is known."""
        return self.port if self.port is not None else DEFAULT_PORTS.get(self.scheme)

    @property
    def authority(self):
        """``user:password@host:port`` as far as known; None for a URL without a host."""
        if self.host is None:
            return None
        text = self.host
        if self.port is not None:
            text += f":{self.port}"
        if self.user is not None:
            login = encode(self.user)
            if self.password is not None:
                login += ":" + encode(self.password)
            text = f"{login}@{text}"
        return text

    @property
    def origin(self):
        """``(scheme, host, port)`` with the usual port filled in; two URLs with equal origins trust each other."""
        return self.scheme, self.host, self.effective_port

    @property
    def segments(self):
        """Decoded segments of the path, without the empty one before its first slash."""
        path = self.path.removeprefix("/")
        return [decode(segment) for segment in path.split("/")] if path else []

    @property
    def name(self):
        """The last segment."""
        return self.segments[-1] if self.segments else ""

    @property
    def text(self):
        out = []
        if self.scheme:
            out.append(f"{self.scheme}:")
        if self.host is not None:
            out.append(f"//{self.authority}")
        out.append(self.path)
        if self.query:
            out.append(f"?{self.query}")
        if self.fragment is not None:
            out.append(f"#{self.fragment}")
        return "".join(out)

    def __str__(self):
        return self.text

    # -- changing ---------------------------------------------------------------

    def with_query(self, **values):
        """Set names in the query; None removes a name."""
        return replace(self, query=self.query.with_(**values))

    def with_path(self, path):
        """Another path, decoded; query and fragment stay."""
        return replace(self, path=encode(path, PATH_SAFE))

    def without_fragment(self):
        return replace(self, fragment=None)

    def child(self, *segments):
        """Append segments, which are encoded, slashes in them as well."""
        base = self.path.rstrip("/")
        return replace(self, path="/".join([base, *(encode(s, PATH_SAFE.replace("/", "")) for s in segments)]))

    def normalize(self):
        """An equivalent URL in a form that can be compared: no dots, no usual port, tidy escapes, a path if absolute."""
        path = remove_dots(normalize_escapes(self.path))
        if self.host is not None and not path:
            path = "/"
        port = None if self.port == DEFAULT_PORTS.get(self.scheme) else self.port
        return replace(self, path=path, port=port)

    def join(self, reference):
        """Resolve a reference found in this document (RFC 3986, 5.2.2)."""
        other = reference if isinstance(reference, Url) else Url.parse(reference)
        if other.scheme:
            return replace(other, path=remove_dots(other.path))
        if other.host is not None:
            return replace(other, scheme=self.scheme, path=remove_dots(other.path))
        if not other.path:
            query = other.query if other.query else self.query
            return replace(self, query=query, fragment=other.fragment)
        if other.path.startswith("/"):
            path = remove_dots(other.path)
        else:
            path = remove_dots(merge_paths(self.path, self.host is not None, other.path))
        return replace(self, path=path, query=other.query, fragment=other.fragment)

    def relative_to(self, base):
        """The shortest relative path from ``base`` to this URL; query and fragment are kept.

        Raises UrlError if the two have different origins.
        """
        if self.origin != base.origin:
            raise UrlError(f"{self} and {base} have different origins")
        target = self.path.split("/")
        source = base.path.split("/")[:-1]
        common = 0
        while common < len(source) and common < len(target) - 1 and source[common] == target[common]:
            common += 1
        ups = [".."] * (len(source) - common)
        path = "/".join(ups + target[common:])
        if path == "" or ":" in path.split("/")[0]:
            path = "./" + path
        return Url(path=path, query=self.query, fragment=self.fragment)
