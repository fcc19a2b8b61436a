# One image for every process of Slipway; docker/slipway tells them apart by their first argument.
# By full name, so that every builder asks the same registry. Pin it by digest where you build for real:
#   docker build --build-arg PYTHON_IMAGE=docker.io/library/python:3.11-slim-bookworm@sha256:... .
ARG PYTHON_IMAGE=docker.io/library/python:3.11-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
WORKDIR /opt/slipway
# The locked packages come first: they change seldom, and stay as a layer. Wheels only: nobody's
# build script runs here.
COPY requirements/base.txt /tmp/base.txt
RUN python -m venv /opt/venv \
 && /opt/venv/bin/python -m pip install --no-cache-dir --disable-pip-version-check \
      --only-binary :all: --require-hashes -r /tmp/base.txt \
 && /opt/venv/bin/python -m pip uninstall --yes --quiet setuptools pip
COPY . .
# Compiled here, since nothing is written later; by content, so that no clock matters.
RUN /opt/venv/bin/python -m compileall -q --invalidation-mode unchecked-hash . \
 && SLIPWAY_VAR=/tmp/var SLIPWAY_STATIC=/opt/static \
      /opt/venv/bin/python manage.py collectstatic --skip-checks --no-input --verbosity 0

FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="Slipway" \
      org.opencontainers.image.description="A web console that launches models onto Kubernetes" \
      org.opencontainers.image.licenses="Apache-2.0"
# The only folder that is written to, besides /tmp: a volume with SQLite, else memory will do.
RUN install -d -o 10001 -g 10001 -m 0700 /var/lib/slipway
COPY --from=build /opt /opt
COPY docker/slipway /usr/local/bin/slipway
ENV PATH=/opt/venv/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    SLIPWAY_STATIC=/opt/static \
    SLIPWAY_VAR=/var/lib/slipway
WORKDIR /opt/slipway
# A number, so that a cluster can tell that it is not root.
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 CMD ["slipway", "alive"]
ENTRYPOINT ["slipway"]
CMD ["web"]
