# Trivium in one image: the service, its encoder, and the example domain. No torch at run time.
#
#   docker build -t trivium .
#
# The encoder is exported with torch, whose default wheel is a CUDA build of gigabytes. Pass an index
# of CPU wheels (PyTorch publishes one, see its install page) to spare that:
#
#   docker build -t trivium --build-arg TORCH_INDEX=<index url> .

FROM python:3.11-slim AS dependencies
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PATH=/venv/bin:$PATH
WORKDIR /src
COPY pyproject.toml .
# The lists alone, so that a change to the code does not install them again.
RUN python -c "import tomllib; p = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
        extras = p['optional-dependencies']; \
        open('serve.txt', 'w').write('\n'.join(p['dependencies'] + extras['otel'])); \
        open('export.txt', 'w').write('\n'.join(extras['export']))" \
    && python -m venv /venv \
    && pip install -r serve.txt

FROM dependencies AS encoder
ARG TORCH_INDEX=""
RUN pip install ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"} -r export.txt
COPY scripts/export_encoder.py scripts/
RUN HF_HUB_OFFLINE=1 python scripts/export_encoder.py --out models/encoder

FROM dependencies AS package
COPY . .
RUN pip install --no-deps .

FROM python:3.11-slim AS service
RUN useradd --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin trivium \
    && install -d -o trivium -g trivium /data
WORKDIR /app
COPY --from=package /venv /venv
COPY --from=package /src/examples examples
COPY --from=encoder /src/models models
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    TRIVIUM_HOST=0.0.0.0 \
    TRIVIUM_PORT=8080 \
    TRIVIUM_MODE=production \
    TRIVIUM_HOME=/data
VOLUME /data
EXPOSE 8080
USER 10001
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/livez', timeout=2)"]
ENTRYPOINT ["trivium"]
CMD ["serve"]
