"""How a deployment ends, in answers: what deleting takes along, why a record is closed."""

from rest_framework import serializers

from console.api.serializers.common import Answer
from console.api.serializers.orphans import ObjectAnswer


class GoingAnswer(ObjectAnswer):
    """An object that a deletion removes; `finalizers` says of each whose it is, or who put it."""

    finalizers = serializers.DictField(child=serializers.CharField())


class StayingAnswer(Answer):
    """An object that a deletion leaves, and why."""

    kind = serializers.CharField()
    name = serializers.CharField()
    why = serializers.CharField()


class DeletionAnswer(Answer):
    """What deleting would remove now, in its order, and what it leaves.

    Where the cluster does not answer `live` is false, `cause` says why, and this is what was
    applied last. `unreadable` maps a kind to why nobody can tell what of it would go.
    """

    going = GoingAnswer(many=True)
    staying = StayingAnswer(many=True)
    live = serializers.BooleanField()
    cause = serializers.CharField(allow_blank=True)
    unreadable = serializers.DictField(child=serializers.CharField())


class ForgettingBody(serializers.Serializer[object]):
    """Why a record is closed without its cluster."""

    reason = serializers.CharField()


class ReapplyingBody(serializers.Serializer[object]):
    """Why what was removed is made anew."""

    reason = serializers.CharField(required=False, allow_blank=True)
