"""Events: what controllers, scheduler and kubelets told, each with times of its own fashion."""

from datetime import datetime

from providers.workload.objects.meta import Item, Part, moment


class ObjectReference(Part, kw_only=True, frozen=True):
    kind: str | None = None
    namespace: str | None = None
    name: str | None = None
    uid: str | None = None
    field_path: str | None = None


class EventSeries(Part, kw_only=True, frozen=True):
    count: int | None = None
    last_observed_time: str | None = None


class Event(Item, kw_only=True, frozen=True):
    """A core/v1 event; the scheduler's carry only `event_time`, a controller's count and times."""

    type: str | None = None
    reason: str | None = None
    message: str | None = None
    count: int | None = None
    involved_object: ObjectReference | None = None
    event_time: str | None = None
    first_timestamp: str | None = None
    last_timestamp: str | None = None
    series: EventSeries | None = None

    @property
    def at(self) -> datetime | None:
        """Return when it was last seen, by the first of its times that can be read."""
        series = self.series.last_observed_time if self.series else None
        times = (series, self.last_timestamp, self.event_time, self.first_timestamp)
        for text in (*times, self.meta.creation_timestamp):
            at = moment(text)
            if at is not None:
                return at
        return None

    @property
    def times(self) -> int:
        """Return how often it was seen, at least once."""
        series = self.series.count if self.series else None
        return max(series or self.count or 1, 1)

    @property
    def about(self) -> ObjectReference:
        return self.involved_object or _NO_REFERENCE


_NO_REFERENCE = ObjectReference()
