"""Options from this project, from a user's folder and from an installed package compose alike."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.acilab import ROOT, acilab, environment

EXPERIMENTS = sorted(p.stem for p in (ROOT / "conf" / "experiment").glob("*.yaml"))


def test_user_folder_adds_an_option(tmp_path: Path) -> None:
    option = tmp_path / "mine" / "aci" / "viewer" / "window7.yaml"
    option.parent.mkdir(parents=True)
    option.write_text((ROOT / "conf/aci/viewer/window30.yaml").read_text().replace("30", "7"))
    done = acilab(
        "run", "--config-dir", tmp_path / "mine", "aci/viewer=window7", "--cfg", "job", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "window: 7" in done.stdout


def test_installed_package_adds_an_option_and_a_plugin(tmp_path: Path) -> None:
    package = tmp_path / "site" / "acilab_hello"
    (package / "conf" / "aci" / "history").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "history.py").write_text(
        "from aci_plugins.plugin import plugin\n\n\n@plugin\nclass Nothing:\n    '''Shows all.'''\n\n"
        "    def apply(self, messages):\n        return list(messages)\n"
    )
    (package / "conf" / "aci" / "history" / "hello.yaml").write_text(
        "_target_: acilab_hello.history.Nothing\n"
    )
    info = tmp_path / "site" / "acilab_hello-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acilab-hello\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[acilab.plugins]\nhello = acilab_hello\n")
    path = {"PYTHONPATH": f"{tmp_path / 'site'}:{ROOT}"}
    run = ["run", "model=noop", "aci/history=hello", "benchmark.slice=0:1", "tracking=none"]
    done = acilab(*run, f"paths.outputs={tmp_path / 'out'}", cwd=tmp_path, env=path)
    assert done.returncode == 0, done.stderr
    without = acilab(*run, f"paths.outputs={tmp_path / 'out'}", cwd=tmp_path)
    assert without.returncode == 2
    assert "hello" in without.stderr


def test_extras_are_a_list_of_further_tools(tmp_path: Path) -> None:
    extras = tmp_path / "mine" / "aci" / "extras"
    extras.mkdir(parents=True)
    for name in ("summarized", "again"):
        target = "aci_plugins.search.summarized.Summarized"
        (extras / f"{name}.yaml").write_text(f"# @package aci.extras.{name}\n_target_: {target}\n")
    run = ["run", "--config-dir", tmp_path / "mine", "model=noop", "benchmark.slice=0:1", "tracking=none"]
    run += ["prompt/demonstration=none", f"paths.outputs={tmp_path / 'out'}"]
    added = acilab(*run, "aci/search=none", "aci/extras=[summarized]", cwd=tmp_path)
    assert added.returncode == 0, added.stderr
    twice = acilab(*run, "aci/search=none", "aci/extras=[summarized,again]", cwd=tmp_path)
    assert twice.returncode == 2
    assert "2 tools are named 'search_dir'" in twice.stderr
    wrong = acilab(*run, "aci/extras=[summarised]", cwd=tmp_path)
    assert wrong.returncode == 2
    assert "did you mean 'summarized'" in wrong.stderr
    key = acilab(
        *run, "aci/search=none", "aci/extras=[summarized]", "+aci.extras.summarized.x=1", cwd=tmp_path
    )
    assert key.returncode == 2
    assert "unknown key 'x'" in key.stderr


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_experiment_composes(experiment: str, tmp_path: Path) -> None:
    done = acilab("run", f"experiment={experiment}", "--cfg", "job", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"experiment_name: {experiment}" in done.stdout


def test_config_command(tmp_path: Path) -> None:
    options = acilab("config", "options", "aci/editor", cwd=tmp_path)
    assert options.returncode == 0, options.stderr
    assert [line.split()[0] for line in options.stdout.splitlines()] == sorted(
        p.stem for p in (ROOT / "conf/aci/editor").glob("*.yaml")
    )
    explained = acilab("config", "explain", "aci/editor=lint", cwd=tmp_path)
    assert explained.returncode == 0, explained.stderr
    assert "_target_" in explained.stdout
    composed = acilab("config", "aci/editor=none", cwd=tmp_path)
    assert composed.returncode == 0, composed.stderr
    assert "experiment_name: default" in composed.stdout


def test_completion_offers_groups_and_options() -> None:
    groups = acilab("__complete", "acilab run aci/ed")
    assert groups.stdout.split() == ["aci/editor="]
    options = acilab("__complete", "acilab run aci/editor=no")
    assert options.stdout.split() == ["aci/editor=no_lint", "aci/editor=none"]


def test_wheel_brings_its_configs(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    assert not (tmp_path / "site" / "conf").exists()
    done = subprocess.run(
        [sys.executable, "-m", "runner", "run", "aci/editor=none", "--info", "searchpath"],
        cwd=tmp_path,
        env=environment({"PYTHONPATH": str(tmp_path / "site")}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert str(tmp_path / "site" / "runner" / "conf") in done.stdout
