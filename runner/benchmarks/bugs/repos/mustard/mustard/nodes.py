"""The tree of a template. Every node adds its text to a list."""

from dataclasses import dataclass, field

from .context import Undefined
from .errors import RenderError
from .filters import Markup, escape


@dataclass
class Text:
    text: str

    def render(self, context, env, out):
        out.append(self.text)


@dataclass
class Output:
    expression: object

    def render(self, context, env, out):
        value = self.expression.evaluate(context, env)
        if value is None:
            return
        out.append(escape(value) if env.autoescape else str(value))


@dataclass
class Sequence:
    """Nodes one after the other."""

    nodes: list = field(default_factory=list)

    def render(self, context, env, out):
        for node in self.nodes:
            node.render(context, env, out)


@dataclass
class If:
    """``branches`` are pairs of a test and a body; ``otherwise`` may be None."""

    branches: list
    otherwise: Sequence | None = None

    def render(self, context, env, out):
        for test, body in self.branches:
            if test.evaluate(context, env):
                body.render(context, env, out)
                return
        if self.otherwise is not None:
            self.otherwise.render(context, env, out)


class LoopInfo:
    """What templates see as ``loop``."""

    def __init__(self, length):
        self.length = length
        self.index0 = 0

    @property
    def index(self):
        return self.index0 + 1

    @property
    def revindex(self):
        """Number of iterations that are left, this one included."""
        return self.length - self.index0

    @property
    def first(self):
        return self.index0 == 0

    @property
    def last(self):
        return self.index == self.length


@dataclass
class For:
    """A loop. Several ``targets`` unpack the items. ``otherwise`` is rendered when there are no items."""

    targets: list
    iterable: object
    body: Sequence
    otherwise: Sequence | None = None

    def _bind(self, item):
        if len(self.targets) == 1:
            return {self.targets[0]: item}
        values = list(item)
        if len(values) != len(self.targets):
            raise RenderError(f"cannot unpack {len(values)} values into {len(self.targets)} names")
        return dict(zip(self.targets, values))

    def render(self, context, env, out):
        value = self.iterable.evaluate(context, env)
        if value is None:
            value = Undefined("none")
        try:
            items = list(value)
        except TypeError:
            raise RenderError(f"cannot loop over {value!r}") from None
        if not items:
            if self.otherwise is not None:
                self.otherwise.render(context, env, out)
            return
        loop = LoopInfo(len(items))
        for index, item in enumerate(items):
            loop.index0 = index
            context.push({**self._bind(item), "loop": loop})
            try:
                self.body.render(context, env, out)
            finally:
                context.pop()


@dataclass
class Set:
    name: str
    expression: object

    def render(self, context, env, out):
        context.set(self.name, self.expression.evaluate(context, env))


@dataclass
class Include:
    """Another template in this place, with the variables of this place. What it sets stays inside."""

    expression: object
    ignore_missing: bool = False

    def render(self, context, env, out):
        name = self.expression.evaluate(context, env)
        if self.ignore_missing and not env.has(name):
            return
        template = env.get(name)
        context.push()
        try:
            template.body.render(context, env, out)
        finally:
            context.pop()


@dataclass
class Block:
    """A part that templates further down may replace.

    The chain of bodies is found in the context under the name of the block, the most derived one first.
    """

    name: str
    body: Sequence

    def render(self, context, env, out):
        chain = context.get("__blocks__").get(self.name, [self.body])
        out.append(self._render_level(chain, 0, context, env))

    def _render_level(self, chain, level, context, env):
        if level >= len(chain):
            return Markup("")
        inner = []
        context.push({"super": lambda: self._render_level(chain, level + 1, context, env)})
        try:
            chain[level].render(context, env, inner)
        finally:
            context.pop()
        return Markup("".join(inner))
