"""Exceptions of inikit."""


class ConfigError(Exception):
    """Base class of all errors raised here."""


class ParseError(ConfigError):
    """The text of a file is malformed. ``line`` counts from 1."""

    def __init__(self, message, line):
        super().__init__(f"line {line}: {message}")
        self.message = message
        self.line = line


class MissingSection(ConfigError, KeyError):
    """A name walks into a section that does not exist."""

    def __init__(self, name):
        super().__init__(name)
        self.name = name

    def __str__(self):
        return f"no section [{self.name}]"


class MissingOption(ConfigError, KeyError):
    """The section exists but has no such key."""

    def __init__(self, name):
        super().__init__(name)
        self.name = name

    def __str__(self):
        return f"no option {self.name!r}"


class ValueTypeError(ConfigError, TypeError):
    """A value has another type than the caller asked for."""

    def __init__(self, name, expected, value):
        super().__init__(f"option {name!r} should be {expected}, found {type(value).__name__} {value!r}")
        self.name = name
        self.expected = expected
        self.value = value


class ReferenceLoop(ConfigError):
    """References that lead back to themselves. ``chain`` holds the names in order."""

    def __init__(self, chain):
        super().__init__("reference loop: " + " -> ".join(chain))
        self.chain = list(chain)


class SchemaError(ConfigError):
    """A config breaks its schema. ``problems`` lists all findings as text."""

    def __init__(self, problems):
        super().__init__("; ".join(problems))
        self.problems = list(problems)
