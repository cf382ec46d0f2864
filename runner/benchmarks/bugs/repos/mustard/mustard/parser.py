"""Pieces to a tree of nodes."""

import re

from .errors import TemplateSyntaxError
from .expressions import parse_expression
from .lexer import OUTPUT, TAG, TEXT, split
from .nodes import Block, For, If, Include, Output, Sequence, Set, Text

TAG_NAME = re.compile(r"([a-z]+)\s*(.*)", re.DOTALL)
FOR = re.compile(r"([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s+in\s+(.*)", re.DOTALL)
SET = re.compile(r"([A-Za-z_]\w*)\s*=(?!=)\s*(.*)", re.DOTALL)
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")

RESERVED = {"loop", "super", "true", "false", "none"}


class Parser:
    """Parses one template.

    After ``parse``, ``parent`` is the expression of ``extends`` or None, and ``blocks`` holds all blocks by name.
    """

    def __init__(self, source, env, name="<template>"):
        self.env = env
        self.name = name
        self.pieces = split(source, name)
        self.position = 0
        self.parent = None
        self.blocks = {}

    def fail(self, message, line):
        raise TemplateSyntaxError(message, line, self.name)

    def expression(self, source, line):
        try:
            return parse_expression(source, self.env, line)
        except TemplateSyntaxError as error:
            raise TemplateSyntaxError(error.message, line, self.name) from None

    def parse(self):
        body, end, line = self.until()
        if end is not None:
            self.fail(f"unexpected {end}", line)
        return body

    def until(self, *ends):
        """Nodes up to a tag in ``ends`` or the end of the template.

        Returns the nodes, the tag that ended them (None at the end) and its line. The argument of the tag is kept in
        ``self.argument``.
        """
        nodes = []
        while self.position < len(self.pieces):
            piece = self.pieces[self.position]
            self.position += 1
            if piece.kind == TEXT:
                nodes.append(Text(piece.body))
            elif piece.kind == OUTPUT:
                nodes.append(Output(self.expression(piece.body, piece.line)))
            elif piece.kind == TAG:
                match = TAG_NAME.fullmatch(piece.body)
                if match is None:
                    self.fail(f"bad tag {piece.body!r}", piece.line)
                tag, argument = match.groups()
                if tag in ends:
                    self.argument = argument
                    return Sequence(nodes), tag, piece.line
                node = self.tag(tag, argument, piece.line)
                if node is not None:
                    nodes.append(node)
        return Sequence(nodes), None, self.pieces[-1].line if self.pieces else 1

    def body(self, opening, line, *ends):
        """Like ``until``, but the end must come."""
        nodes, end, end_line = self.until(*ends)
        if end is None:
            self.fail(f"{opening} is never ended", line)
        return nodes, end, end_line

    # -- tags -------------------------------------------------------------------

    def tag(self, tag, argument, line):
        method = getattr(self, f"tag_{tag}", None)
        if method is None:
            self.fail(f"unexpected {tag}" if tag.startswith(("end", "el")) else f"unknown tag {tag!r}", line)
        return method(argument, line)

    def tag_if(self, argument, line):
        branches = []
        test = self.expression(argument, line)
        while True:
            body, end, end_line = self.body("if", line, "elif", "else", "endif")
            branches.append((test, body))
            if end == "elif":
                test = self.expression(self.argument, end_line)
                continue
            otherwise = None
            if end == "else":
                otherwise, _, _ = self.body("else", end_line, "endif")
            return If(branches, otherwise)

    def tag_for(self, argument, line):
        match = FOR.fullmatch(argument)
        if match is None:
            self.fail("expected 'for name in expression'", line)
        targets = [target.strip() for target in match.group(1).split(",")]
        for target in targets:
            self.check_name(target, line)
        iterable = self.expression(match.group(2), line)
        body, end, end_line = self.body("for", line, "else", "endfor")
        otherwise = None
        if end == "else":
            otherwise, _, _ = self.body("else", end_line, "endfor")
        return For(targets, iterable, body, otherwise)

    def tag_set(self, argument, line):
        match = SET.fullmatch(argument)
        if match is None:
            self.fail("expected 'set name = expression'", line)
        self.check_name(match.group(1), line)
        return Set(match.group(1), self.expression(match.group(2), line))

    def tag_include(self, argument, line):
        source, found, _ = argument.partition(" ignore missing")
        return Include(self.expression(source, line), bool(found))

    def tag_extends(self, argument, line):
        if self.parent is not None:
            self.fail("a template can extend only one other", line)
        self.parent = self.expression(argument, line)

    def tag_block(self, argument, line):
        name = argument.strip()
        if not IDENTIFIER.fullmatch(name):
            self.fail(f"bad name of a block: {name!r}", line)
        if name in self.blocks:
            self.fail(f"block {name!r} is defined twice", line)
        self.blocks[name] = None
        body, _, end_line = self.body("block", line, "endblock")
        if self.argument.strip() not in ("", name):
            self.fail(f"expected 'endblock {name}'", end_line)
        block = Block(name, body)
        self.blocks[name] = block
        return block

    def check_name(self, name, line):
        if name in RESERVED:
            self.fail(f"{name!r} is reserved", line)
