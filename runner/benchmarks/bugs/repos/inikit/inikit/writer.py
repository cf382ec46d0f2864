"""Config to text."""

from .values import format_value

MAX_WIDTH = 80


def format_pair(key, value, width=MAX_WIDTH):
    """``key = value``; a list that would be too wide goes one item a line."""
    line = f"{key} = {format_value(value)}"
    if len(line) <= width or not isinstance(value, list) or not value:
        return line
    items = "".join(f"    {format_value(item)},\n" for item in value)
    return f"{key} = [\n{items}]"


def dumps(config, sort=False, width=MAX_WIDTH):
    """Text that ``loads`` reads back as an equal config (comments are not kept).

    Plain options of a section come before its subsections, as the format needs it.
    """
    blocks = []

    def block(node, path):
        names = sorted(node) if sort else list(node)
        pairs = [format_pair(key, node[key], width) for key in names if not isinstance(node[key], dict)]
        children = [key for key in names if isinstance(node[key], dict)]
        if path and (pairs or not children):
            blocks.append("\n".join([f"[{'.'.join(path)}]", *pairs]))
        elif pairs:
            blocks.append("\n".join(pairs))
        for key in children:
            block(node[key], [*path, key])

    block(config.to_dict(), [])
    return "\n\n".join(blocks) + "\n" if blocks else ""
