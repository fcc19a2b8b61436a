"""Who sees what: everything with a role, nothing without; who changes what: their own, or all."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser, User

from deployments.access import (
    audit_for,
    can_change,
    clusters_for,
    deployments_for,
    get_visible_cluster,
    get_visible_or_404,
    revisions_for,
)
from deployments.exceptions import NotVisible
from deployments.models import Cluster, Deployment

Launch = Callable[..., Deployment]


def test_without_a_role_nothing_exists(launch: Launch, stranger: User) -> None:
    deployment = launch()

    for nobody in (stranger, AnonymousUser()):
        assert not deployments_for(nobody).exists()
        assert not clusters_for(nobody).exists()
        assert not revisions_for(nobody).exists()
        assert not audit_for(nobody).exists()
        with pytest.raises(NotVisible):
            get_visible_or_404(nobody, deployment.pk)


def test_a_viewer_sees_all_of_it_but_the_audit_trail(launch: Launch, viewer: User) -> None:
    deployment = launch()

    assert get_visible_or_404(viewer, str(deployment.pk)) == deployment
    assert clusters_for(viewer).exists()
    assert revisions_for(viewer).exists()
    assert not audit_for(viewer).exists()


def test_an_admin_sees_the_audit_trail(launch: Launch, admin: User) -> None:
    launch()

    assert audit_for(admin).exists()


@pytest.mark.parametrize(
    "wrong", ["nonsense", "0b7b7c3e-6f0f-4a8e-9d6c-3f6a1c2d4e5f", "", "../etc"]
)
def test_a_wrong_id_is_not_found(viewer: User, wrong: str) -> None:
    with pytest.raises(NotVisible):
        get_visible_or_404(viewer, wrong)


def test_a_cluster_is_found_by_number_or_name(cluster: Cluster, viewer: User) -> None:
    assert get_visible_cluster(viewer, cluster.pk) == cluster
    assert get_visible_cluster(viewer, "lab") == cluster
    for wrong in ("nowhere", "9" * 30, "-1"):
        with pytest.raises(NotVisible):
            get_visible_cluster(viewer, wrong)


def test_people_change_their_own_and_admins_everything(
    launch: Launch, owner: User, member: User, viewer: User, admin: User
) -> None:
    deployment = launch()

    assert can_change(owner, deployment)
    assert can_change(admin, deployment)
    assert not can_change(member, deployment)
    assert not can_change(viewer, deployment)


def test_who_lost_the_role_may_no_longer_change_their_own(launch: Launch, owner: User) -> None:
    deployment = launch()
    owner.groups.clear()

    assert not can_change(User.objects.get(pk=owner.pk), deployment)
