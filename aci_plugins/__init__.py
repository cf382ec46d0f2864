"""What a model can do and see: tools, formats, feedback, guardrails and history policies of an ACI.

Nothing here knows of Hydra, MLflow, LiteLLM or the runner.
"""
