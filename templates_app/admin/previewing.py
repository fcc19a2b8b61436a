"""The preview on a template's admin page: manifests as text, faults by path."""

from collections.abc import Iterator
from dataclasses import dataclass

from providers.contract.checks import Result
from providers.contract.errors import InvalidRequest
from providers.contract.manifest import Manifest
from providers.contract.yaml_text import to_yaml
from templates_app.models import ModelDeploymentTemplate
from templates_app.preview import Faults, Preview, preview_template


@dataclass(frozen=True, kw_only=True, slots=True)
class ManifestShown:
    """One object: what it is, and its YAML."""

    title: str
    yaml: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PreviewShown:
    """What one implementation makes of a template; lines begin with the path they are about."""

    title: str
    manifests: tuple[ManifestShown, ...] = ()
    warnings: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def show_previews(template: ModelDeploymentTemplate) -> tuple[PreviewShown, ...]:
    """Return the preview by every compatible implementation, or why there is none."""
    try:
        previews = preview_template(template)
    except InvalidRequest as refusal:
        faults = tuple(_lines(refusal.fields))
        return (PreviewShown(title="This spec cannot be read", faults=faults),)
    return tuple(_shown(preview) for preview in previews)


def _shown(preview: Preview) -> PreviewShown:
    return PreviewShown(
        title=f"{preview.title} ({preview.kind})",
        manifests=tuple(_manifest(manifest) for manifest in preview.manifests),
        warnings=tuple(
            f"{check.field}: {check.message}" if check.field else check.message
            for check in preview.checks
            if check.result is not Result.PASS
        ),
        faults=tuple(_lines(preview.faults)),
    )


def _manifest(manifest: Manifest) -> ManifestShown:
    metadata = manifest.get("metadata") or {}
    title = f"{manifest.get('kind', '')} {metadata.get('name', '')}".strip()
    return ManifestShown(title=title, yaml=to_yaml([manifest]))


def _lines(faults: Faults) -> Iterator[str]:
    for path, texts in faults.items():
        for text in texts:
            yield f"{path}: {text}"
