"""Another number of a role's replicas is told from any other change, and is written in place."""

from copy import deepcopy

from providers.contract.manifest import Manifest
from providers.stormservice.provider import provider
from providers.stormservice.scaling_roles import in_place, is_numbers_alone, is_on_its_way
from tests.unit.stormservice.asking import TARGET, asked, roles


def rendered(decode: int = 1, replicas: int = 1, **more: object) -> Manifest:
    topology = roles({"name": "prefill"}, {"name": "decode", "replicas": decode, **more})
    request = asked({"min_replicas": replicas}, topology=topology)
    return provider.render(request, TARGET)[0]


def test_another_number_alone_is_told() -> None:
    assert is_numbers_alone(rendered(), rendered(decode=3))


def test_no_other_change_is_taken_for_one() -> None:
    other = rendered(decode=3, engine_args={"max_running_requests": "8"})
    assert not is_numbers_alone(rendered(), other)
    assert not is_numbers_alone(rendered(), rendered())
    assert not is_numbers_alone(rendered(), rendered(replicas=2))


def test_what_somebody_changed_of_a_pod_is_not_put_back_in_place_with_a_number() -> None:
    live = rendered()
    [engine] = live["spec"]["template"]["spec"]["roles"][0]["template"]["spec"]["containers"]
    engine["image"] = "docker.io/another:1"
    assert not is_numbers_alone(live, rendered(decode=3))


def test_what_somebody_added_to_a_role_is_not_taken_away_in_place_with_a_number() -> None:
    live = rendered()
    role = live["spec"]["template"]["spec"]["roles"][0]
    assert is_numbers_alone(live, rendered(decode=3))
    for place, name in ((role, "stateful"), (role["template"]["spec"], "hostIPC")):
        place[name] = True
        assert not is_numbers_alone(live, rendered(decode=3))
        del place[name]


def test_what_the_api_server_fills_in_is_no_other_change() -> None:
    live = rendered()
    role = live["spec"]["template"]["spec"]["roles"][0]
    role["updateStrategy"] = {"type": "Recreate"}
    for container in role["template"]["spec"]["containers"]:
        for port in container["ports"]:
            port["protocol"] = "TCP"
    assert is_numbers_alone(live, rendered(decode=3))


def test_a_role_more_or_less_is_not_written_in_place_since_its_pods_would_stay() -> None:
    fewer = deepcopy(rendered())
    fewer["spec"]["template"]["spec"]["roles"].pop()
    assert not is_numbers_alone(rendered(), fewer)


def test_roles_that_somebody_broke_are_another_change() -> None:
    broken = deepcopy(rendered())
    broken["spec"]["template"]["spec"]["roles"] = [{"replicas": 1}, None]
    assert not is_numbers_alone(broken, rendered())
    assert not is_on_its_way({"spec": {}}, rendered())


def test_the_first_step_keeps_the_number_of_the_whole_and_bears_no_digest() -> None:
    live, wanted = rendered(replicas=2), rendered(decode=3, replicas=5)
    step = in_place(live, wanted)
    assert step["spec"]["updateStrategy"] == {"type": "InPlaceUpdate"}
    assert step["spec"]["replicas"] == 2
    assert step["spec"]["template"] == wanted["spec"]["template"]
    assert "slipway.dev/digest" not in step["metadata"]["annotations"]
    assert wanted["spec"]["replicas"] == 5


def test_a_way_that_was_broken_off_is_known_again() -> None:
    wanted = rendered(decode=3)
    assert is_on_its_way(in_place(rendered(), wanted), wanted)
    assert not is_on_its_way(wanted, wanted)
