"""Expressions: from text to a tree, and from a tree to a value.

The grammar, loosest first::

    conditional  := or ["if" or "else" conditional]
    or           := and ("or" and)*
    and          := not ("and" not)*
    not          := "not" not | comparison
    comparison   := join (("==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not" "in") join)*
    join         := sum ("~" sum)*
    sum          := product (("+" | "-") product)*
    product      := unary (("*" | "/" | "//" | "%") unary)*
    unary        := "-" unary | postfix
    postfix      := primary ("." name | "[" conditional "]" | "(" arguments ")" | "|" name ["(" arguments ")"])*
    primary      := number | string | name | "[" items "]" | "(" conditional ")"
"""

import operator
import re
from dataclasses import dataclass

from .context import Undefined
from .errors import RenderError, TemplateSyntaxError

TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<number>\d+(?:\.\d+)?)
  | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
  | (?P<name>[A-Za-z_]\w*)
  | (?P<symbol>==|!=|<=|>=|//|[-+*/%~<>.,:|()\[\]])
    """,
    re.VERBOSE,
)

KEYWORDS = {"and", "or", "not", "in", "if", "else"}
CONSTANTS = {"true": True, "false": False, "none": None, "True": True, "False": False, "None": None}
ESCAPES = {"n": "\n", "t": "\t"}

COMPARISONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda item, container: item in container,
    "not in": lambda item, container: item not in container,
}

ARITHMETIC = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str


def tokenize(source, line=1):
    """All tokens of an expression, without blanks."""
    tokens = []
    position = 0
    while position < len(source):
        match = TOKEN.match(source, position)
        if match is None:
            raise TemplateSyntaxError(f"unexpected {source[position]!r} in expression", line)
        kind = match.lastgroup
        text = match.group()
        if kind == "name" and text in KEYWORDS:
            kind = "keyword"
        if kind != "space":
            tokens.append(Token(kind, text))
        position = match.end()
    return tokens


def unquote(text):
    """The content of a string literal."""
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match.group(1), match.group(1)), text[1:-1], flags=re.DOTALL)


# -- tree -----------------------------------------------------------------------


@dataclass(frozen=True)
class Literal:
    value: object

    def evaluate(self, context, env):
        return self.value


@dataclass(frozen=True)
class Name:
    name: str

    def evaluate(self, context, env):
        return context.get(self.name)


@dataclass(frozen=True)
class ListOf:
    items: tuple

    def evaluate(self, context, env):
        return [item.evaluate(context, env) for item in self.items]


@dataclass(frozen=True)
class Attribute:
    target: object
    name: str

    def evaluate(self, context, env):
        return context.attribute(self.target.evaluate(context, env), self.name)


@dataclass(frozen=True)
class Item:
    target: object
    key: object

    def evaluate(self, context, env):
        return context.item(self.target.evaluate(context, env), self.key.evaluate(context, env))


@dataclass(frozen=True)
class Call:
    target: object
    arguments: tuple

    def evaluate(self, context, env):
        function = self.target.evaluate(context, env)
        if not callable(function):
            raise RenderError(f"{function!r} is not a function")
        return function(*(argument.evaluate(context, env) for argument in self.arguments))


@dataclass(frozen=True)
class Filter:
    target: object
    name: str
    arguments: tuple

    def evaluate(self, context, env):
        function = env.filters[self.name]
        if self.name == "default" and context.strict:
            context.strict = False
            try:
                value = self.target.evaluate(context, env)
            finally:
                context.strict = True
        else:
            value = self.target.evaluate(context, env)
        return function(value, *(argument.evaluate(context, env) for argument in self.arguments))


@dataclass(frozen=True)
class Unary:
    operator: str
    operand: object

    def evaluate(self, context, env):
        value = self.operand.evaluate(context, env)
        return not value if self.operator == "not" else -value


@dataclass(frozen=True)
class Binary:
    operator: str
    left: object
    right: object

    def evaluate(self, context, env):
        left = self.left.evaluate(context, env)
        if self.operator == "and":
            return self.right.evaluate(context, env) if left else left
        if self.operator == "or":
            return left if left else self.right.evaluate(context, env)
        right = self.right.evaluate(context, env)
        if self.operator == "~":
            return f"{left}{right}"
        try:
            return ARITHMETIC[self.operator](left, right)
        except (TypeError, ZeroDivisionError) as error:
            raise RenderError(f"cannot compute {left!r} {self.operator} {right!r}: {error}") from error


@dataclass(frozen=True)
class Comparison:
    """A chain as in Python: ``1 < x <= 5`` is true if both parts are."""

    first: object
    rest: tuple

    def evaluate(self, context, env):
        left = self.first.evaluate(context, env)
        for name, operand in self.rest:
            right = operand.evaluate(context, env)
            try:
                if not COMPARISONS[name](left, right):
                    return False
            except TypeError as error:
                if isinstance(left, Undefined) or isinstance(right, Undefined):
                    return False
                raise RenderError(f"cannot compare {left!r} {name} {right!r}") from error
            left = right
        return True


@dataclass(frozen=True)
class Conditional:
    test: object
    positive: object
    negative: object

    def evaluate(self, context, env):
        chosen = self.positive if self.test.evaluate(context, env) else self.negative
        return chosen.evaluate(context, env)


# -- parser ---------------------------------------------------------------------


class ExpressionParser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, source, env, line=1):
        self.tokens = tokenize(source, line)
        self.env = env
        self.line = line
        self.position = 0

    def fail(self, message):
        raise TemplateSyntaxError(message, self.line)

    def peek(self, *texts):
        """True if the next token is one of ``texts`` and not a string."""
        if self.position >= len(self.tokens):
            return False
        token = self.tokens[self.position]
        return token.kind != "string" and token.text in texts

    def accept(self, *texts):
        """Take the next token if it is one of ``texts``; returns its text or None."""
        if self.peek(*texts):
            self.position += 1
            return self.tokens[self.position - 1].text
        return None

    def expect(self, text):
        if not self.accept(text):
            found = self.tokens[self.position].text if self.position < len(self.tokens) else "the end"
            self.fail(f"expected {text!r}, found {found!r}")

    def name(self):
        if self.position < len(self.tokens) and self.tokens[self.position].kind == "name":
            self.position += 1
            return self.tokens[self.position - 1].text
        return self.fail("expected a name")

    def parse(self):
        """The whole expression."""
        tree = self.conditional()
        if self.position < len(self.tokens):
            self.fail(f"unexpected {self.tokens[self.position].text!r}")
        return tree

    def conditional(self):
        positive = self.or_()
        if not self.accept("if"):
            return positive
        test = self.or_()
        negative = self.conditional() if self.accept("else") else Literal("")
        return Conditional(test, positive, negative)

    def _left(self, operand, *operators):
        """A chain of operators of the same rank, from the left."""
        tree = operand()
        while True:
            found = self.accept(*operators)
            if found is None:
                return tree
            tree = Binary(found, tree, operand())

    def or_(self):
        return self._left(self.and_, "or")

    def and_(self):
        return self._left(self.not_, "and")

    def not_(self):
        if self.accept("not"):
            return Unary("not", self.not_())
        return self.comparison()

    def comparison(self):
        first = self.join()
        rest = []
        while True:
            found = self.accept("==", "!=", "<", "<=", ">", ">=", "in")
            if found is None and self.accept("not"):
                self.expect("in")
                found = "not in"
            if found is None:
                break
            rest.append((found, self.join()))
        return Comparison(first, tuple(rest)) if rest else first

    def join(self):
        return self._left(self.sum, "~")

    def sum(self):
        return self._left(self.product, "+", "-")

    def product(self):
        return self._left(self.unary, "*", "/", "//", "%")

    def unary(self):
        if self.accept("-"):
            return Unary("-", self.unary())
        return self.postfix()

    def arguments(self):
        """Up to and including the closing parenthesis."""
        found = []
        while not self.accept(")"):
            if found:
                self.expect(",")
            found.append(self.conditional())
        return tuple(found)

    def postfix(self):
        tree = self.primary()
        while True:
            if self.accept("."):
                tree = Attribute(tree, self.name())
            elif self.accept("["):
                key = self.conditional()
                self.expect("]")
                tree = Item(tree, key)
            elif self.accept("("):
                tree = Call(tree, self.arguments())
            elif self.accept("|"):
                name = self.name()
                if name not in self.env.filters:
                    self.fail(f"unknown filter {name!r}")
                tree = Filter(tree, name, self.arguments() if self.accept("(") else ())
            else:
                return tree

    def primary(self):
        if self.position >= len(self.tokens):
            self.fail("unexpected end of expression")
        token = self.tokens[self.position]
        self.position += 1
        if token.kind == "number":
            return Literal(float(token.text) if "." in token.text else int(token.text))
        if token.kind == "string":
            return Literal(unquote(token.text))
        if token.kind == "name":
            return Literal(CONSTANTS[token.text]) if token.text in CONSTANTS else Name(token.text)
        if token.text == "(":
            tree = self.conditional()
            self.expect(")")
            return tree
        if token.text == "[":
            items = []
            while not self.accept("]"):
                if items:
                    self.expect(",")
                items.append(self.conditional())
            return ListOf(tuple(items))
        return self.fail(f"unexpected {token.text!r}")


def parse_expression(source, env, line=1):
    """The tree of an expression. Raises TemplateSyntaxError."""
    return ExpressionParser(source, env, line).parse()
