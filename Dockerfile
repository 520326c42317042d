# syntax=docker/dockerfile:1
# A static binary on an empty base, run by nobody in particular. For linux/amd64 and linux/arm64, without emulation:
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg VERSION=$(git describe --tags --always --dirty) .
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETOS TARGETARCH
# The repository is not copied, so that the version has to be given.
ARG VERSION=
WORKDIR /src
COPY go.mod go.sum ./
COPY client/go.mod client/
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -ldflags "-s -w -X folio/version.given=$VERSION" -o /folio ./cmd/folio && mkdir -p /data

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /folio /folio
COPY --from=build --chown=nonroot:nonroot /data /data
USER nonroot
VOLUME /data
EXPOSE 8080
ENV FOLIO_ADDR=0.0.0.0:8080 FOLIO_DATA=/data
# It reads the same environment as the service. An orchestrator asks in its own way.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["/folio", "health"]
# SIGTERM drains for 5 s, then requests have 10 s: give a stop 30 s (docker stop -t 30).
STOPSIGNAL SIGTERM
ENTRYPOINT ["/folio"]
CMD ["serve"]
