"""Content negotiation: ``Accept`` headers (RFC 9110)."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MediaRange:
    """``type/subtype;parameters`` with a quality between 0 and 1."""

    type: str
    subtype: str
    params: tuple = ()
    quality: float = 1.0

    @property
    def specificity(self):
        """How much it says: ``*/*`` less than ``text/*`` less than ``text/html`` less than one with parameters."""
        if self.type == "*":
            return 0
        if self.subtype == "*":
            return 1
        return 2 + len(self.params)

    def covers(self, other):
        """True if the media type ``other`` is in this range."""
        if self.type not in ("*", other.type):
            return False
        if self.subtype not in ("*", other.subtype):
            return False
        return all(param in other.params for param in self.params)


def parse_media(text):
    """A MediaRange from ``text/html; level=1; q=0.5``; None if it is malformed."""
    head, *rest = [part.strip() for part in text.split(";")]
    kind, slash, subtype = head.lower().partition("/")
    if not slash or not kind or not subtype or (kind == "*" and subtype != "*"):
        return None
    params = []
    quality = 1.0
    for part in rest:
        name, equals, value = part.partition("=")
        name = name.strip().lower()
        value = value.strip().strip('"')
        if name == "q":
            try:
                quality = min(1.0, max(0.0, float(value)))
            except ValueError:
                return None
        elif equals:
            params.append((name, value))
    return MediaRange(kind, subtype, tuple(params), quality)


def parse_accept(header):
    """All ranges of a header, the preferred one first: by quality, then by specificity, then in order.

    Malformed ranges are skipped. No header at all means that anything will do.
    """
    if header is None or not header.strip():
        return [MediaRange("*", "*")]
    ranges = [parse_media(part) for part in header.split(",") if part.strip()]
    known = [item for item in ranges if item is not None]
    return sorted(known, key=lambda item: (-item.quality, -item.specificity))


def quality_of(offer, ranges):
    """Quality of a media type: that of the most specific range that covers it; 0 if none does."""
    media = parse_media(offer) if isinstance(offer, str) else offer
    best = None
    for item in ranges:
        if item.covers(media) and (best is None or item.specificity > best.specificity):
            best = item
    return best.quality if best is not None else 0.0


def best_match(offers, header, default=None):
    """The offered type that the client likes best; among equals the first offer. ``default`` if none is acceptable."""
    ranges = parse_accept(header)
    best, best_quality = default, 0.0
    for offer in offers:
        quality = quality_of(offer, ranges)
        if quality > best_quality:
            best, best_quality = offer, quality
    return best
