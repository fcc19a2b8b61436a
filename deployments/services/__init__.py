"""The verbs of this room, one module per noun; shells (API, pages, commands) call them, no others.

    orders      read_order(document) -> LaunchOrder
    launching   preview_launch(order, *, user) -> Preview
                create_deployment(order, *, user, origin, deployment_id) -> Deployment
    change_orders  read_change(document, *, expected), read_rollback(document, *, expected)
    changing    preview_change(order, *, deployment, user) -> ChangePreview
                change_deployment(order, *, deployment, user, origin, operation_id) -> Changed
    reading     read_deployment(deployment) -> Reading
    looking     look_at_resources(deployment) -> Resources, look_at_events(deployment) -> Events
    deleting    delete_deployment(deployment, *, user, reason, origin) -> Deployment
    refreshing  refresh_cluster(cluster) -> RefreshReport
    clusters    synchronise_default_cluster(), target_of(cluster) -> ClusterTarget
    capacity    capacity_of(cluster, *, deadline, max_age_seconds) -> Capacity | None
    idempotency begin_request(user, *, key, body), finish_request(...), free_request(...)
    auditing    record_audit(...)

All raise the errors of `deployments.exceptions` and nothing of a provider's. No transaction is
ever held over a call to a cluster.
"""
