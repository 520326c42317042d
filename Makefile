# Everything that is done with this repository. `make` alone lists it.
SHELL := /bin/bash
GO ?= go
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
DEADCODE := golang.org/x/tools/cmd/deadcode@v0.52.0
ADDR ?= 127.0.0.1:8080
DATA ?= ./folio-data
FUZZTIME ?= 20s
ROUNDS ?= 300
# In a linked worktree Go knows no version, and git does.
VERSION ?= $(shell test -d .git || git describe --tags --always --dirty 2>/dev/null)
# Without the symbols of debuggers, a quarter of the file: stack traces and profiles do not need them.
NAMED = -ldflags "-s -w -X folio/version.given=$(VERSION)"

.DEFAULT_GOAL := help
.PHONY: pictures projection help run test test-long soak hosts conformance race lint check bench golden fuzz build docker

help: ## list what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

run: ## run the service with a demo company of each country, sandbox authorities and accepted invoices
	@# Not by "go run", which ends with 1 after Ctrl-C whatever the program ends with. At a terminal the demo has it for
	@# itself: Ctrl-C is the demo's, and make says nothing of an interrupt.
	@$(GO) build $(NAMED) -o bin/folio ./cmd/folio
	@if [ -t 0 ]; then set -m; fi; bin/folio demo --addr $(ADDR) --data $(DATA); exit $$?

build: ## build bin/folio, a static binary
	CGO_ENABLED=0 $(GO) build -trimpath $(NAMED) -o bin/folio ./cmd/folio

test: ## every test that needs nothing but Go, under 10 minutes on 2 cores
	$(GO) test -timeout 10m ./...
	cd client && $(GO) test ./...

test-long: ## the rest: race detector, crash rounds, MongoDB protocol, other readers (installs what it needs)
	./.ci/test-long

soak: ## ROUNDS (300) rounds of kills, stops and outages over three countries; the output is kept in docs/soak.md
	FOLIO_SOAK_ROUNDS=$(ROUNDS) FOLIO_SOAK_REPORT=$(CURDIR)/docs/soak.md $(GO) test -tags long -count=1 -timeout 0 -v -run 'TestSoak$$' ./e2e

hosts: ## three hosts in network namespaces: links cut and late, clocks apart, kills and freezes (root, Linux, iproute2)
	$(GO) test -tags long,hosts -count=1 -timeout 30m -v -run 'TestThreeHosts$$' ./e2e

conformance: ## the released tests of EventStoreDB's own clients against the embedded node (needs npm; ports 2114, 2115)
	$(GO) run ./conformance/run

race: ## the tests of everything concurrent, under the race detector
	$(GO) test -race -timeout 20m ./access/... ./bus/... ./commands/... ./eventstore ./eventstore/storetest/... ./httpapi/... ./pdf/... ./processors/... ./projections/... ./tables/sqlite/... ./vault/sqlite/... ./waiting/...

lint: ## gofmt, vet, golangci-lint (.golangci.yml), deadcode, and the rules of the house (imports, purity, sizes)
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "gofmt these: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags long ./...
	$(GO) vet -tags long,hosts ./e2e
	$(GO) run $(GOLANGCI) run ./...
	cd client && $(GO) run $(GOLANGCI) run ./...
	./.ci/deadcode $(GO) run $(DEADCODE)
	$(GO) test ./arch

check: lint test ## lint and test, then see that nothing was generated anew
	@git diff --exit-code --stat

bench: ## measure, each figure beside its ceiling in the same run, and beside PostgreSQL; kept in docs/benchmarks.md
	$(GO) run ./bench --report docs/benchmarks.md

pictures: ## take the pictures of README.md from the demo anew (needs poppler-utils, npm and chromium; look at them)
	./.ci/pictures

golden: ## write the golden files of events, forms, requests and PDFs anew (look at the diff)
	$(GO) test ./events ./events/schema ./country/... ./authority/... ./pdf -update

fuzz: ## fuzz everything that parses foreign bytes, FUZZTIME (20s) each
	./.ci/fuzz $(FUZZTIME)

projection: ## write a projection with its test: NAME=sales_by_customer (docs/adding-a-projection.md)
	@./.ci/projection "$(NAME)"

docker: ## build the image of docker-compose.yml
	docker compose build
