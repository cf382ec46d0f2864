"""Changing files by a unified diff, as in Aider's edit format "udiff"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aci_plugins.editor.change import REVIEW, around, broken, problem, refused
from aci_plugins.editor.checking import Codes, promise
from aci_plugins.editor.creating import make_folder
from aci_plugins.editor.diff_placing import patched
from aci_plugins.editor.diff_reading import DiffError, FileDiff, read_diff
from aci_plugins.editor.undo import remember
from aci_plugins.editor.undo_edit import undo_tools
from aci_plugins.files import TextFile
from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, ToolResult, tool

END = "end_of_diff"


@dataclass(frozen=True, slots=True)
class _Write:
    """What becomes of one file: ``before`` is None for a new one, ``after`` for one to be deleted."""

    path: str
    before: bytes | None
    after: bytes | None


@plugin
class UnifiedDiff:
    """``apply_diff``: all of a diff is applied, or nothing.

    Attributes:
        lint: codes of errors that an edit must not bring in, see :data:`aci_plugins.editor.checking.Codes`.
        undo: whether edits can be taken back (``undo_edit``), file by file.
    """

    lint: Codes = ()
    undo: bool = True

    def tools(self, viewer: bool) -> tuple[Tool, ...]:
        """The same with and without a viewer."""
        apply = tool(
            self.apply_diff,
            signature=f"apply_diff\n<diff>\n{END}",
            end_name=END,
            edits=True,
            fill={"check": promise(self.lint)},
        )
        return apply, *undo_tools(self.undo)

    def apply_diff(self, context: Context, diff: str) -> ToolResult:
        """Applies a unified diff to one or several files, all of it or nothing, and shows the changed lines. Each file
        begins with a line --- a/path and a line +++ b/path (/dev/null for a file that is created or deleted), each hunk
        with a line @@. The lines of context and the removed lines must be in the file exactly as the diff has them;
        where they are in it several times, the line number in the hunk's header decides.{check}

        Args:
            diff: the diff
        """
        try:
            writes = [self._planned(context, file) for file in read_diff(diff)]
        except DiffError as error:
            return refused(f"{error} Nothing was changed.")
        except UnicodeEncodeError as error:
            bad = error.object[error.start : error.end]
            return refused(
                f"{bad!r} cannot be written in a file whose encoding is {error.encoding}. Nothing was changed."
            )
        if len({write.path for write in writes}) < len(writes):
            return refused("The diff names the same file twice. Nothing was changed. Put its hunks together.")
        for write in writes:
            if write.after is not None and (
                why := broken(write.path, write.before or b"", write.after, self.lint)
            ):
                return refused(why)
        if all(write.before == write.after for write in writes):
            return refused("The diff changes nothing.")
        if why := _write_all(context, writes):
            return refused(f"{why} Nothing was changed.")
        if self.undo:
            for write in writes:
                remember(context.session, write.path, write.before, write.after)
        return ToolResult("".join(_said(write) for write in writes) + REVIEW)

    def _planned(self, context: Context, file: FileDiff) -> _Write:
        """Raises :class:`DiffError`."""
        if file.old is None:
            path = file.new or ""
            if (kind := context.env.exists(path) if path else "directory") is not None:
                raise DiffError(f"{path or '/dev/null'} exists already ({kind}), but the diff creates it.")
            rows = [row for hunk in file.hunks for row in hunk.new]
            end = "" if not rows or file.hunks[-1].open_end else "\n"
            return _Write(context.env.resolve(path), None, ("\n".join(rows) + end).encode())
        path = _found(context, file.old)
        before = context.env.read(path)
        text = TextFile.of(before)
        after = patched(text, file.hunks, file.old)
        if file.new is None:
            if after:
                raise DiffError(f"The diff deletes {file.old}, but not all of its lines.")
            return _Write(path, before, None)
        if file.new != file.old:
            raise DiffError(f"The diff renames {file.old}; use the shell for that (mv).")
        return _Write(path, before, after)


def _found(context: Context, name: str) -> str:
    """The file that a diff means: from the working directory, else from the repository's root."""
    for path in (name, str(context.env.root / name)):
        if context.env.exists(path) == "file":
            return context.env.resolve(path)
    raise DiffError(problem(context, name))


def _write_all(context: Context, writes: Sequence[_Write]) -> str:
    """Write everything; if one cannot be written, put back the others and say why."""
    done: list[_Write] = []
    try:
        for write in writes:
            if write.before is None and (why := make_folder(context, write.path.rpartition("/")[0])):
                raise OSError(why)
            done.append(write)
            _set(context, write.path, write.after)
    except OSError as error:
        for write in reversed(done[:-1]):
            _set(context, write.path, write.before)
        return f"{error.strerror or error}: {error.filename}." if error.filename else f"{error}"
    return ""


def _set(context: Context, path: str, data: bytes | None) -> None:
    if data is None:
        context.env.remove(path)
    else:
        context.env.write(path, data)


def _said(write: _Write) -> str:
    if write.after is None:
        return f"{write.path} was deleted.\n"
    if write.before is None:
        return f"{write.path} was created.\n"
    return f"{write.path} was changed.\n{around(write.path, write.before, write.after)}"
