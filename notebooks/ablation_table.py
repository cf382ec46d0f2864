# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # An ablation table, twice
#
# Once from the records (the truth), once with pandas from MLflow (a copy of them). Both must say the same.
#
# The environment variables `OUTPUTS`, `EXPERIMENT` and `TRACKING_URI` choose what is shown; the defaults show what
# `make demo` leaves behind.

# %%
import os
from pathlib import Path

OUTPUTS = Path(os.environ.get("OUTPUTS", "outputs"))
if not OUTPUTS.is_absolute() and not OUTPUTS.exists() and (Path("..") / OUTPUTS).exists():
    OUTPUTS = Path("..") / OUTPUTS  # started in notebooks/ instead of above it
EXPERIMENT = os.environ.get("EXPERIMENT", "demo")
TRACKING_URI = os.environ.get("TRACKING_URI") or None  # None: the local store in OUTPUTS

# %% [markdown]
# ## From the records
#
# Each row is a cell, compared with its baseline on the instances that both have a result for. `rate` and `delta` are
# fractions; the interval of a rate is Wilson's, that of a difference is paired, `p_holm` is corrected for the number of
# rows.

# %%
import pandas as pd

from analysis.table import ablation_table, render

rows = ablation_table(OUTPUTS, EXPERIMENT)
columns = [
    "group",
    "label",
    "n",
    "resolved",
    "errors",
    "rate",
    "ci_low",
    "ci_high",
    "delta",
    "delta_low",
    "delta_high",
]
columns += ["p_value", "p_holm", "cost", "steps", "confounded", "dropped", "baseline"]
records = pd.DataFrame(rows).set_index("fingerprint")[columns]
records["paper_rate"] = [row["reference"]["rate"] if row["reference"] else None for row in rows]
records["paper_delta"] = [row["reference"]["delta"] if row["reference"] else None for row in rows]
records.drop(columns="baseline")

# %%
print(render(rows))

# %% [markdown]
# ## From MLflow
#
# One run per cell. A cell that several sweeps have in common has a run in each; they are equal, and the newest one is
# taken.

# %%
from runner.tracking.store import mlflow_client, resolve_uri

uri = resolve_uri(OUTPUTS, TRACKING_URI)
mlflow_client(uri)  # imports MLflow with its telemetry off
import mlflow

mlflow.set_tracking_uri(uri)
runs = mlflow.search_runs(
    experiment_names=[EXPERIMENT], filter_string="tags.`acilab.kind` = 'cell'", order_by=["start_time ASC"]
)
if runs.empty:
    raise SystemExit(f"no runs of {EXPERIMENT} in {uri}: `acilab sync {EXPERIMENT}` writes them")
runs = runs.drop_duplicates("tags.acilab.fingerprint", keep="last").set_index("tags.acilab.fingerprint")
tracked = runs.reindex(records.index)[
    [f"metrics.{name}" for name in ("n", "resolved", "errors", "resolved_rate", "ci_low", "ci_high", "steps")]
]
tracked.columns = tracked.columns.str.removeprefix("metrics.")
tracked.insert(0, "label", runs["tags.acilab.label"])
tracked["delta"] = tracked["resolved_rate"] - tracked["resolved_rate"].reindex(records["baseline"]).to_numpy()
tracked.round(3)

# %% [markdown]
# ## They agree
#
# A difference of rates equals the paired difference only where no instance was dropped from the pairs.

# %%
for ours, theirs in (
    *((name, name) for name in ("n", "resolved", "errors", "ci_low", "ci_high", "steps")),
    ("rate", "resolved_rate"),
):
    pd.testing.assert_series_equal(
        records[ours].astype(float), tracked[theirs].astype(float), check_names=False, rtol=1e-12
    )
paired = (records["dropped"].fillna(0) == 0) & records["delta"].notna()
pd.testing.assert_series_equal(
    records.loc[paired, "delta"].astype(float),
    tracked.loc[paired, "delta"],
    check_names=False,
    rtol=1e-9,
    atol=1e-12,
)
print(f"{len(records)} cells: records and MLflow agree")

# %% [markdown]
# ## Drawn
#
# Differences to the baseline with their 95 % intervals. Open diamonds are the paper's own differences, measured with
# another model on another benchmark (see the notes under the table). Grey rows are confounded: more than one thing
# differs.

# %%
import matplotlib.pyplot as plt

variants = records[records["delta_low"].notna()].iloc[::-1]
figure, axes = plt.subplots(figsize=(8, 1.2 + 0.4 * max(len(variants), 1)))
for height, (_, row) in enumerate(variants.iterrows()):
    color = "0.6" if row["confounded"] else "C0"
    axes.plot([100 * row["delta_low"], 100 * row["delta_high"]], [height, height], color=color, linewidth=2)
    axes.plot(100 * row["delta"], height, "o", color=color)
    if pd.notna(row["paper_delta"]):
        axes.plot(100 * row["paper_delta"], height, "D", color="C1", fillstyle="none")
axes.axvline(0, color="0.3", linewidth=0.8)
axes.set_yticks(range(len(variants)), [f"{row['label']}  (n={row['n']})" for _, row in variants.iterrows()])
axes.set_xlabel("difference in resolved rate, points")
axes.set_title(f"{EXPERIMENT}: one change at a time")
axes.spines[["top", "right"]].set_visible(False)
axes.plot([], [], "o-", color="C0", label="measured, 95 % interval")
axes.plot([], [], "D", color="C1", fillstyle="none", linestyle="none", label="paper")
axes.legend(frameon=False, loc="best")
figure.tight_layout()
plt.show()

# %% [markdown]
# ## For a paper

# %%
print(render(rows, "latex"))
