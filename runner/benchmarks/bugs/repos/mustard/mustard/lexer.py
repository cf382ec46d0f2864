"""Template text to pieces: text, output and tags."""

import re
from dataclasses import dataclass

from .errors import TemplateSyntaxError

TEXT = "text"
OUTPUT = "output"
TAG = "tag"

OPENING = re.compile(r"\{\{-?|\{%-?|\{#-?")
CLOSING = {"{{": "}}", "{%": "%}", "{#": "#}"}
KINDS = {"{{": OUTPUT, "{%": TAG}


@dataclass(frozen=True)
class Piece:
    """A part of a template: its kind, what is inside, and the line on which it starts."""

    kind: str
    body: str
    line: int


def find_closing(source, start, closing):
    """Position of ``closing`` at or after ``start``, not counting those inside quotes; -1 if there is none."""
    quote = None
    index = start
    while index < len(source):
        char = source[index]
        if quote:
            if char == "\\":
                index += 1
            elif char == quote:
                quote = None
        elif char in "\"'":
            quote = char
        elif source.startswith(closing, index):
            return index
        index += 1
    return -1


def split(source, name="<template>"):
    """All pieces of a template in order; comments are dropped, white space control is applied."""
    pieces = []
    position = 0
    line = 1
    strip_next = False
    while True:
        match = OPENING.search(source, position)
        text = source[position : match.start()] if match else source[position:]
        newlines = text.count("\n")
        if strip_next:
            text = text.lstrip()
        if match and match.group().endswith("-"):
            text = text.rstrip()
        if text:
            pieces.append(Piece(TEXT, text, line))
        line += newlines
        if match is None:
            return pieces
        opening = match.group()[:2]
        closing = CLOSING[opening]
        if opening == "{#":
            end = source.find(closing, match.end())
        else:
            end = find_closing(source, match.end(), closing)
        if end < 0:
            raise TemplateSyntaxError(f"{opening} is never closed", line, name)
        body = source[match.end() : end]
        strip_next = body.endswith("-")
        if strip_next:
            body = body[:-1]
        if opening in KINDS:
            pieces.append(Piece(KINDS[opening], body.strip(), line))
        line += source.count("\n", match.start(), end)
        position = end + len(closing)
