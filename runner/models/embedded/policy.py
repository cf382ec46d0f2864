"""The order of work: search, read, reproduce, try edits, keep one, submit.

The policy is a generator: it yields one :class:`Turn` after another and finds what came of it in ``view``.
All code that it proposes to change is read from ``view``, that is, from messages it was just given. What it
remembers besides are its own decisions: names of places, which edits it has tried, and the edits that passed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from runner.models.embedded.editing import Change
from runner.models.embedded.examples import Step
from runner.models.embedded.hands import Hands, Turn
from runner.models.embedded.issue import Issue, read_issue
from runner.models.embedded.localise import (
    Place,
    Ran,
    executed,
    is_test,
    name_score,
    rank_files,
    rank_functions,
    text_score,
)
from runner.models.embedded.proposals import Proposal, proposals
from runner.models.embedded.reading import FileView, Hit, View, hits, in_sight, rejected
from runner.models.embedded.reproduction import script
from runner.models.embedded.source import Definition, apply

# Edits of one function that are tried before other functions are read, and when all were.
FEW, MANY = 60, 400
# A merit that only an edit has whose results are those that the issue speaks of.
SURE = 140.0
SCRIPT = "/tmp/repro_$$.py"
Play = Generator[Turn, None, None]
Scored = tuple[float, Proposal]


@dataclass(frozen=True, slots=True)
class Limits:
    """What the policy allows itself; see :class:`runner.models.embedded.model.Embedded`."""

    context_window: int
    max_steps: int
    max_candidates: int
    round_candidates: int
    max_reads: int


class Policy:
    """One episode's decisions."""

    def __init__(self, hands: Hands, limits: Limits) -> None:
        self.hands, self.limits = hands, limits
        self.view: View
        self.issue: Issue
        self.root = ""
        self.steps = 0
        self.can_run = True
        self.failing = 0
        self.tests_failing = 0
        self.ran: list[Ran] = []
        self.vague = False
        self.modules: list[str] = []
        self.made: dict[str, str] = {}
        self.tried: set[str] = set()
        self.looked: set[tuple[str, int]] = set()
        self.partial: Scored | None = None
        self.untested: list[Proposal] = []

    # -- the plan ------------------------------------------------------------------------------------

    def play(self) -> Play:
        """All turns of an episode."""
        self.issue = read_issue(self.view.issue)
        self.root = self.view.cwd
        place = yield from self._find_place()
        if place is not None:
            yield from self._read(place, self._why_read(place))
        yield from self._reproduce(place)
        yield from self._hunt(place)
        while True:
            yield self.hands.submit("I have done what I can, so I submit.")

    def _do(self, turn: Turn) -> Generator[Turn, None, str]:
        self.steps += 1
        yield turn
        return self.view.answer

    @property
    def _steps_left(self) -> int:
        return (self.view.steps_told or self.limits.max_steps) - self.steps

    # -- localising ----------------------------------------------------------------------------------

    def _find_place(self) -> Generator[Turn, None, Place | None]:
        """The first place worth reading."""
        for name in self.issue.names[:4]:
            place = yield from self._find(name)
            if place is not None:
                return place
        answer = yield from self._do(
            self.hands.list_files("The issue names nothing that I can look for, so I list the files.")
        )
        paths = [p.removeprefix("./") for p in re.findall(r"^\S+\.py$", answer, re.M)]
        found = [Hit(p.removeprefix(self.root.rstrip("/") + "/"), 0, "") for p in paths]
        ranked = [(path, score) for path, score in rank_files(found, self.issue) if not is_test(path)]
        if ranked and ranked[0][1] >= 1:
            return Place(ranked[0][0], 0, "", "its name is the closest to the issue")
        for word in self._rare_words()[:2]:
            place = yield from self._find(word, defined=False)
            if place is not None:
                return place
        return Place(ranked[0][0], 0, "", "I have to begin somewhere") if ranked else None

    def _rare_words(self) -> list[str]:
        text = self.issue.text
        words = re.findall(r"[a-z]{5,}", text.lower())
        wanted = [w for w in dict.fromkeys(words) if w[:4] in {s[:4] for s in self.issue.words}]
        return sorted(wanted, key=lambda w: (text.lower().count(w) > 3, -len(w), w))

    def _find(self, name: str, *, defined: bool = True) -> Generator[Turn, None, Place | None]:
        """Where ``name`` is defined, or at least used, outside tests."""
        kind = self.hands.search_kind
        if kind == "summarized":
            return (yield from self._find_summarized(name, defined))
        if kind == "iterative":
            return (yield from self._find_iterative(name))
        answer = yield from self._do(
            self.hands.search(f"The issue is about `{name}`; I look where it occurs.", name)
        )
        return self._best_hit(hits(answer, self.root, self.view.cwd), name)

    def _best_hit(self, found: Sequence[Hit], name: str) -> Place | None:
        ours = [h for h in found if not is_test(h.path)]
        defined = [h for h in ours if re.match(rf"\s*(async\s+)?(def|class)\s+{re.escape(name)}\b", h.text)]
        for chosen, why in ((defined, "it is defined there"), (ours, "it is used there")):
            ranked = rank_files(chosen, self.issue)
            if ranked:
                first = next(h for h in chosen if h.path == ranked[0][0])
                return Place(first.path, first.line, name if chosen is defined else "", why)
        return None

    def _find_summarized(self, name: str, defined: bool) -> Generator[Turn, None, Place | None]:
        word = "class" if name[:1].isupper() else "def"
        for term in (f"{word} {name}", name) if defined else (name,):
            if term != name:
                thought = f"The issue is about `{name}`; I look for its definition."
            elif defined:
                thought = f"`{name}` is not defined as I thought; I look where the name occurs."
            else:
                thought = f"The issue names no function; I look for its word `{name}`."
            answer = yield from self._do(self.hands.search(thought, term))
            ranked = [
                p for p, _ in rank_files(hits(answer, self.root, self.view.cwd), self.issue) if not is_test(p)
            ]
            if ranked and ranked[0].endswith(".py"):
                rows = yield from self._do(
                    self.hands.search_file(
                        f"{ranked[0]} is the likeliest file; I want the line.", term, ranked[0]
                    )
                )
                places = hits(rows, self.root, self.view.cwd, ranked[0])
                exact = [h for h in places if re.search(rf"\b{re.escape(name)}\b", h.text)] or places
                exact = [
                    h for h in exact if re.match(r"\s*(if|elif|return|while|for|self\.|def)\b", h.text)
                ] or exact
                line = exact[0].line if exact else 0
                return Place(ranked[0], line, name if term != name else "", "the search leads there")
        return None

    def _find_iterative(self, name: str) -> Generator[Turn, None, Place | None]:
        answer = yield from self._do(
            self.hands.search(f"The issue is about `{name}`; I look where it occurs.", name)
        )
        seen: list[Hit] = []
        for _ in range(8):
            now = hits(answer, self.root, self.view.cwd)
            if not now or (seen and now[0] in seen):
                break
            seen += now
            best = self._best_hit(seen, name)
            if (best is not None and best.name) or self._steps_left < 20:
                return best
            count = re.search(r"^\[Result (\d+)/(\d+)", answer, re.M)
            if count and count[1] == count[2]:
                break
            answer = yield from self._do(
                self.hands.next_result(
                    "This is not where it is defined; the search shows one result at a time, so I go on."
                )
            )
        return self._best_hit(seen, name)

    # -- reading -------------------------------------------------------------------------------------

    def _why_read(self, place: Place) -> str:
        what = f"`{place.name}` in {place.path}" if place.name else place.path
        return f"I read {what}: {place.why}."

    def _file(self, path: str) -> FileView:
        return self.view.files.get(path) or FileView(path)

    def _function(self, place: Place) -> Definition | None:
        """The function at ``place``, if its beginning can be seen."""
        around = [d for d, _ in self._file(place.path).functions() if d.line <= place.line <= d.end]
        return max(around, key=lambda d: d.line, default=None)

    def _read(self, place: Place, thought: str) -> Play:
        """Bring the function at ``place`` into view, all of it."""
        self.looked.add((place.path, place.line))
        visible = self._file(place.path).lines
        if place.line not in visible or not place.line:
            yield from self._do(self.hands.look(thought, place.path, place.line, self.view.open_file))
        for _ in range(6):
            found = self._function(place)
            view = self._file(place.path)
            last = max((n for n in view.lines), default=0)
            if (
                found is None
                or found.complete
                or not view.lines
                or last == view.total
                or self._steps_left < 8
            ):
                return
            name = f"`{found.name}` goes on below line {found.end}, beyond what is shown; I read on."
            before = len(view.lines)
            yield from self._do(self.hands.look_on(name, place.path, found.end + 1, self.view.open_file))
            if len(self._file(place.path).lines) <= before:
                return

    # -- reproducing ---------------------------------------------------------------------------------

    def _reproduce(self, place: Place | None) -> Play:
        """Write the script that checks the issue's examples, and run it with the visible tests."""
        if place is not None and place.path.endswith(".py"):
            self.modules.append(place.path)
        for attempt in range(3):
            made = [Step("do", f"{name} = {kind}()") for name, kind in self.made.items()]
            checks = [[*made, *block] for block in self.issue.examples]
            text = script(self.modules, checks, self.issue.text)
            count = sum(step.kind != "do" for block in checks for step in block)
            thought = (
                f"I write a script outside the repository that checks {count} result(s) from the issue, and run it "
                "together with the existing tests."
                if count
                else "The issue has no example that I can run. I run the existing tests to have something to hold on to."
            )
            if attempt:
                thought = "The script lacked a name; now I know where it is defined, so I write it again."
            command = f"cat > {SCRIPT} <<'END_OF_SCRIPT'\n{text}END_OF_SCRIPT\npython3 {SCRIPT} < /dev/null"
            answer = yield from self._do(self.hands.run(thought, command))
            self._read_outcome(answer)
            missing = re.search(r"raises NameError: name '(\w+)' is not defined", answer)
            if not missing or missing[1] not in self.issue.unbound or self._steps_left < 14:
                return
            name = missing[1]
            kind = "".join(part.capitalize() for part in name.split("_"))
            found = yield from self._find(kind if name.islower() else name)
            if found is not None and found.name == kind != name:
                self.made[name] = kind  # an example that speaks of "the router" means some Router
            elif found is None or found.path in self.modules:
                return
            if found.path not in self.modules:
                self.modules.append(found.path)

    def _read_outcome(self, answer: str) -> None:
        self.failing = len(re.findall(r"^\d+\. FAIL:", answer, re.M))
        tests = re.search(r"^tests: (\d+) run, (\d+) failed", answer, re.M)
        self.tests_failing = int(tests[2]) if tests else 0
        self.can_run = bool(re.search(r"^tests: ", answer, re.M))
        self.ran = executed(answer)
        self.vague = bool(self.failing) and answer.count("want another result") == self.failing

    @property
    def _reproduced(self) -> bool:
        return bool(self.failing or self.tests_failing)

    # -- trying --------------------------------------------------------------------------------------

    def _hunt(self, place: Place | None) -> Play:
        """Read one place after another and try edits there until one passes."""
        queue = self._places(place)
        reads = 0
        quota = FEW
        winners: list[Scored] = []
        while True:
            winners += yield from self._try_visible(quota)
            # Where the issue does not say what is right, more than one place is heard before one edit is chosen.
            waits = self.vague and reads < 4 and self._steps_left > 12 and self._more(queue) is not None
            if winners and (not waits or max(winners, key=lambda pair: pair[0])[0] > SURE):
                for _, winner in sorted(winners, key=lambda pair: -pair[0])[:3]:
                    kept = yield from self._repair(winner, verified=True)
                    if kept:
                        return
                winners = []
            if self._steps_left < 7 or len(self.tried) >= self.limits.max_candidates:
                break
            queue = [*self._constants(), *queue] if self._reproduced else queue
            following = self._more(queue)
            if following is not None and reads < self.limits.max_reads:
                reads += 1
                yield from self._read(following, self._why_read(following))
            elif quota == FEW and queue and self._reproduced:
                quota = MANY  # everything likely was tried: now the rest, where the first suspicion was
                self.looked = {(queue[0].path, queue[0].line)}
                reads = self.limits.max_reads - 3
                yield from self._read(
                    queue[0], f"No likely edit passes; I try the unlikely ones in `{queue[0].name}`."
                )
            else:
                break
        yield from self._last_resort()

    def _constants(self) -> list[Place]:
        """Beginnings of files whose visible suspects use constants that cannot be seen."""
        found: list[Place] = []
        for path in dict.fromkeys(r.path for r in self.ran[:8]):
            lines = self._file(path).lines
            ours = {n for r in self.ran if r.path == path for n in r.lines}
            used = re.findall(
                r"(?<![\w.'\"])([A-Z][A-Z0-9_]{2,})\b",
                "\n".join(lines[n] for n in sorted(lines) if n in ours),
            )
            text = "\n".join(lines.values())
            unseen = [name for name in dict.fromkeys(used) if not re.search(rf"^{name}\b", text, re.M)]
            if unseen and 1 not in lines:
                found.append(
                    Place(path, 1, unseen[0], "the suspects use it, and constants stand at the beginning")
                )
        return found[:1]

    def _more(self, queue: Sequence[Place]) -> Place | None:
        """The next place that was not read yet."""
        return next((p for p in queue if (p.path, p.line) not in self.looked), None)

    def _places(self, first: Place | None) -> list[Place]:
        if self._reproduced and self.ran:
            return rank_functions(self.ran, self.issue)
        if first is None:
            return []
        # Nothing that runs points anywhere: the rest of the file that the issue led to, window by window.
        view = self._file(first.path)
        last = max(view.lines, default=0)
        start = [Place(first.path, 1, "", "it is the beginning of the file that the issue leads to")]
        after = (
            [Place(first.path, last + 1, "", "the file goes on there")]
            if view.total and last < view.total
            else []
        )
        return start * (min(view.lines, default=1) > 1) + after

    def _try_visible(self, quota: int) -> Generator[Turn, None, list[Scored]]:
        """Try edits of the code that can be seen now; those that pass, the most plausible first."""
        made = proposals(self.view.files, self.issue, self.ran if self._reproduced else None)
        fresh = [p for p in made if p.key not in self.tried]
        if not self._reproduced:
            known = {p.key for p in self.untested}
            more = [*self.untested, *(p for p in fresh if p.key not in known)]
            self.untested = sorted(more, key=lambda p: -p.score)[: self.limits.round_candidates]
            return []
        for path, view in self.view.files.items():
            self.looked.update((path, d.line) for d, _ in view.functions() if d.complete)
        return (yield from self._try(_best_of_each(fresh, quota)))

    def _try(self, fresh: Sequence[Proposal]) -> Generator[Turn, None, list[Scored]]:
        room = (self.limits.context_window * 4 - self.view.chars) // 2
        chosen: list[Proposal] = []
        for proposal in fresh[: self.limits.round_candidates]:
            room -= len(proposal.short) + 16
            if room < 0 or len(self.tried) >= self.limits.max_candidates:
                break
            chosen.append(proposal)
            self.tried.add(proposal.key)
        if not chosen or not self.can_run:
            return []
        paths = list(dict.fromkeys(p.path for p in chosen))
        spans = list(dict.fromkeys((paths.index(p.path), *p.where) for p in chosen))
        edits = [[spans.index((paths.index(p.path), *p.where)), p.short] for p in chosen]
        data = json.dumps([paths, spans, edits], separators=(",", ":"), ensure_ascii=False)
        names = list(dict.fromkeys(p.function for p in chosen))
        best = chosen[0]
        thought = (
            f"I have {len(chosen)} ideas for edits of {', '.join(names[:4])}; the likeliest: line {best.where[0]}, "
            f"{best.why}. I let the script try each on a copy against the checks and the tests."
        )
        answer = yield from self._do(
            self.hands.run(thought, f"python3 {SCRIPT} <<'END_OF_EDITS'\n{data}\nEND_OF_EDITS")
        )
        passing = self._ranked(
            re.findall(r"^edit (\d+) passes (\d+) checks, tests failing: (\d+)(?: -> (.*))?", answer, re.M),
            chosen,
        )
        close = self._ranked(
            re.findall(r"^edit (\d+) passes (\d+) of \d+ checks()(?: -> (.*))?", answer, re.M), chosen
        )
        worth = [pair for pair in close if pair[0] - pair[1].score > 20]
        if worth and (self.partial is None or worth[0][0] > self.partial[0]):
            self.partial = worth[0]
        return passing

    def _ranked(self, found: Sequence[tuple[str, str, str, str]], chosen: Sequence[Proposal]) -> list[Scored]:
        """Edits that passed: (number, checks passed, tests failing, what comes out now) each; where the issue does not say what
        should come out, results that hold words of the issue come first."""

        def merit(item: tuple[str, str, str, str]) -> float:
            fresh = item[3].split()
            written = chosen[int(item[0])].new
            right = sum(word[0] == "*" and word[1:] not in written for word in fresh)
            points = 40.0 * int(item[1]) - 30.0 * int(item[2] or 0) - (0.0 if fresh else 8.0)
            return points + 25.0 * min(right, 3) - 3.0 * min(len(fresh) - right, 4)

        valid = [item for item in found if int(item[0]) < len(chosen)]
        scored = [(merit(item) + chosen[int(item[0])].score, chosen[int(item[0])]) for item in valid]
        return sorted(scored, key=lambda pair: -pair[0])

    def _last_resort(self) -> Play:
        """No edit passed every check: take what is most plausible, and say so."""
        if self.partial is not None and self._steps_left > 3:
            yield from self._repair(self.partial[1], verified=False)
            return
        if self._reproduced and self.can_run:
            return
        candidates = self.untested
        if candidates and self.can_run and self._steps_left > 5:
            passing = yield from self._try(candidates[:60])
            candidates = [proposal for _, proposal in passing]
        if candidates:
            yield from self._repair(candidates[0], verified=False)

    # -- changing ------------------------------------------------------------------------------------

    def _repair(self, proposal: Proposal, *, verified: bool) -> Generator[Turn, None, bool]:
        """Make the edit for good, look at it, run everything again; undo it when it does not hold."""
        first, last = proposal.where[0], proposal.where[2]
        needed = range(first, last + 1)
        view = self._file(proposal.path)
        if (
            not all(n in view.lines for n in needed)
            or (self.hands.edits_open_file and self.view.open_file != proposal.path)
            or self.hands.edits_window
            or self.hands.edits_whole_file
        ):
            place = Place(proposal.path, first, "", "")
            thought = f"I need to see line {first} of {proposal.path} again before I change it."
            yield from self._do(self.hands.look_for_edit(thought, place.path, first, self.view.open_file))
            view = self._file(proposal.path)
        if not all(n in view.lines for n in needed):
            return False
        lines = [view.lines[n] for n in needed]
        _, _, new = apply(lines, first, proposal.candidate)
        start, end, old = first, last, lines
        if proposal.where[3] == 0 and end > start and new and new[-1] == "":
            end, new, old = end - 1, new[:-1], lines[:-1]
        how = (
            "It passes the checks and breaks no test"
            if verified
            else "No edit is proven right; this is the most plausible one"
        )
        thought = f"{how}: in `{proposal.function}`, {proposal.why}. I make this edit."
        answer = yield from self._do(self.hands.change(thought, self._change(proposal, start, end, new)))
        if rejected(answer) or self.view.failed:
            return False
        yield from self._look_over(proposal, start)
        if not self.can_run:
            return True
        answer = yield from self._do(
            self.hands.run(
                "I run the checks and the tests once more, and remove the script when all is well.",
                f"python3 {SCRIPT} < /dev/null && rm -f {SCRIPT} {SCRIPT}.goal",
            )
        )
        if not verified or not re.search(r"^\d+\. FAIL:", answer, re.M):
            return True
        if self.hands.edits_window or self.hands.edits_whole_file:
            thought = "That does not hold in place; I look at it again."
            yield from self._do(self.hands.look_for_edit(thought, proposal.path, start, self.view.open_file))
        back = self._change(proposal, start, start + len(new) - 1, old)
        yield from self._do(self.hands.change("That does not hold in place; I take the edit back.", back))
        return False

    def _change(self, proposal: Proposal, first: int, last: int, new: Sequence[str]) -> Change:
        """What is to be changed, with what can be seen of the file."""
        view = self._file(proposal.path)
        window = in_sight(self.view.answer)
        return Change(proposal.path, first, last, new, view.lines, view.total, window)

    def _look_over(self, proposal: Proposal, line: int) -> Play:
        """What an editor with a linter would have told at once has to be found out here."""
        if not self.hands.has_editor:
            yield from self._do(
                self.hands.look(
                    "Nothing was shown, so I look at the result.", proposal.path, line, self.view.open_file
                )
            )
        elif not self.hands.checks_syntax:
            yield from self._do(
                self.hands.run(
                    "The editor does not check what I write, so I compile the file.",
                    f"python3 -m py_compile {proposal.path}",
                )
            )


def _best_of_each(ranked: Sequence[Proposal], quota: int) -> list[Proposal]:
    """The first ``quota`` of each function; the order is kept."""
    count: dict[tuple[str, str], int] = {}
    chosen: list[Proposal] = []
    for proposal in ranked:
        key = (proposal.path, proposal.function)
        count[key] = count.get(key, 0) + 1
        if count[key] <= quota:
            chosen.append(proposal)
    return chosen


__all__ = ["Limits", "Policy", "name_score", "text_score"]
