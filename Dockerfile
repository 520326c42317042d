# A static binary on an empty base, run by nobody in particular.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
COPY client/go.mod client/
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -o /folio ./cmd/folio && mkdir -p /data

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /folio /folio
COPY --from=build --chown=nonroot:nonroot /data /data
USER nonroot
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["/folio"]
CMD ["serve", "--addr", "0.0.0.0:8080", "--data", "/data"]
