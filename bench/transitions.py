"""Eight changes of what runs, over the API, and the replicas that they drop.

Every number of replicas that was ever stored is counted, and sampled besides; the table is printed.
"""

from collections.abc import Sequence

from bench.figures import Figure
from bench.people import make_template
from bench.stage import NAMESPACE, Stage
from providers.testing.samples import spec_with
from tests.cluster.driving import over_the_api
from tests.cluster.transitions import TRANSITIONS, Counted, Transition, count_transition, table_of

SPEC = spec_with(overridable={"engine_args.max_model_len": {"max": 8192}})


def figures(stage: Stage) -> Sequence[Figure]:
    """Return the most replicas that a change dropped."""
    template = make_template("changing", SPEC)
    counted = [_counted(stage, template["template_id"], one) for one in TRANSITIONS]
    print(*table_of(counted), sep="\n")
    slowest = min(found.census.samples_a_second for found in counted)
    return (
        Figure(
            name="replicas dropped by a change",
            value=max(found.dropped for found in counted),
            bound=0,
            unit="replicas",
            how=(
                f"most of {len(counted)} changes over PATCH and rollback, a stop left out: below "
                "both ends, wanted or ready, in any version that a watch tells; sampled besides, "
                f"at least {slowest:.0f} times a second"
            ),
        ),
    )


def _counted(stage: Stage, template_id: str, transition: Transition) -> Counted:
    order = {
        "name": f"changing {transition.name}",
        "template": {"model_id": "changing", "template_id": template_id},
        "target": {"namespace": NAMESPACE},
        "overrides": dict(transition.start),
    }
    driver = over_the_api(stage.call, stage.plane.api, order)
    found = count_transition(driver, transition)
    stage.call("DELETE", f"deployments/{driver.place.id}")
    return found
