"""What a configuration must look like."""

from dataclasses import dataclass

from .document import Config
from .errors import MissingOption, MissingSection, SchemaError
from .merge import merge

TYPES = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "list": (list,),
}

_NO_DEFAULT = object()


@dataclass(frozen=True)
class Field:
    """One option.

    ``minimum`` and ``maximum`` are inclusive and apply to numbers; for text and lists they limit the length.
    """

    type: str
    default: object = _NO_DEFAULT
    required: bool = False
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple = ()
    item_type: str | None = None
    nullable: bool = False

    def __post_init__(self):
        if self.type not in TYPES:
            raise ValueError(f"unknown type {self.type!r}, known: {', '.join(TYPES)}")
        if self.item_type is not None and self.item_type not in TYPES:
            raise ValueError(f"unknown item type {self.item_type!r}")

    @property
    def has_default(self):
        return self.default is not _NO_DEFAULT


def type_matches(value, name):
    """True if ``value`` is of the type called ``name``; booleans are not numbers."""
    if isinstance(value, bool) and name != "bool":
        return False
    return isinstance(value, TYPES[name])


def check_value(name, value, spec):
    """Findings about one value, as text."""
    if value is None:
        return [] if spec.nullable else [f"{name}: must not be null"]
    if not type_matches(value, spec.type):
        return [f"{name}: expected {spec.type}, found {type(value).__name__}"]
    problems = []
    measured = len(value) if spec.type in ("str", "list") else value
    what = "length" if spec.type in ("str", "list") else "value"
    if spec.minimum is not None and measured < spec.minimum:
        problems.append(f"{name}: {what} {measured} is below the minimum {spec.minimum}")
    if spec.maximum is not None and measured > spec.maximum:
        problems.append(f"{name}: {what} {measured} is above the maximum {spec.maximum}")
    if spec.choices and value not in spec.choices:
        allowed = ", ".join(repr(choice) for choice in spec.choices)
        problems.append(f"{name}: {value!r} is not one of {allowed}")
    if spec.type == "list" and spec.item_type is not None:
        for index, item in enumerate(value):
            if not type_matches(item, spec.item_type):
                problems.append(f"{name}[{index}]: expected {spec.item_type}, found {type(item).__name__}")
    return problems


class Schema:
    """Fields by dotted name. A name that ends in ``.*`` allows any option in that section."""

    def __init__(self, fields, strict=True):
        self.fields = dict(fields)
        self.strict = strict

    def _allows(self, name):
        if name in self.fields:
            return True
        section, dot, _ = name.rpartition(".")
        return bool(dot) and f"{section}.*" in self.fields

    def defaults(self):
        """A Config with all defaults."""
        config = Config()
        for name, spec in self.fields.items():
            if spec.has_default:
                value = spec.default
                config.set(name, list(value) if isinstance(value, (list, tuple)) else value)
        return config

    def problems(self, config):
        """All findings about ``config``, in the order of the fields, then unknown options."""
        found = []
        for name, spec in self.fields.items():
            if name.endswith(".*"):
                continue
            try:
                value = config.get(name)
            except (MissingOption, MissingSection):
                if spec.required:
                    found.append(f"{name}: is required")
                continue
            found += check_value(name, value, spec)
        for name in config.flatten():
            if name not in self.fields and self._allows(name):
                section = name.rpartition(".")[0]
                found += check_value(name, config.get(name), self.fields[f"{section}.*"])
            elif self.strict and not self._allows(name):
                found.append(f"{name}: unknown option")
        return found

    def apply(self, config):
        """``config`` on top of the defaults; raises SchemaError with every finding."""
        complete = merge(self.defaults(), config)
        problems = self.problems(complete)
        if problems:
            raise SchemaError(problems)
        return complete
