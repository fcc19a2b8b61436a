"""What the file is called that the objects of a revision are downloaded as."""

from deployments.models import Deployment, Revision


def file_name(deployment: Deployment, revision: Revision) -> str:
    """Return the name of the objects, with the number of a revision that is not wanted any more."""
    is_wanted = revision.number == deployment.revision
    return f"{deployment.runtime_name}{'' if is_wanted else f'-r{revision.number}'}.yaml"
