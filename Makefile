# prune-gen: see README.md. Everything runs with nothing but Go, git, make and a C compiler.

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
MODULES     := . kube kube/prunetest hack/conformance hack/apiserver hack/bench hack/page examples/apiserver
FUZZTIME    ?= 30s
export GOFLAGS ?= -mod=readonly

.PHONY: all
all: generate test

.PHONY: help
help: ## Show what there is to make.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: generate
generate: ## Run the main job on what ships with the repository: the examples and the runtime's own functions.
	go generate ./examples/... ./runtime/...

.PHONY: verify
verify: ## Check that all generated code is current.
	go test -run 'Current' ./cmd/prune-gen ./generator/... ./golden ./runtime/...

.PHONY: test
test: lint ## Pass the tests: the root module, the modules for programs, and a pass of the conformance suite against Kubernetes' own code.
	$(MAKE) -j2 test-root test-kube test-conformance

# The tests make much garbage in short lives, and a third of their time went into collecting it. Memory is cheaper here: the
# largest take about 1 GB.
test test-root test-kube test-conformance: export GOGC ?= 400

.PHONY: test-root
test-root:
	go test ./...
	hack/builds.sh

# It runs beside test-root, which leaves a core idle whenever a test waits for a program that it has started.
.PHONY: test-conformance
test-conformance:
	cd hack/conformance && go test ./...

.PHONY: test-kube
test-kube:
	cd kube && go test ./...
	cd kube/prunetest && go test ./...

.PHONY: walkthrough
walkthrough: ## Follow the README in an empty repository with two groups and two versions. Part of make test.
	go test -count=1 ./examples/walkthrough

.PHONY: machines
machines: ## Test what depends on the processor on arm64, s390x and 386, with qemu-user.
	hack/machines.sh arm64 s390x 386

.PHONY: conformance
conformance: ## Compare everything with Kubernetes: the whole corpus, and a real API server. Ends with a scoreboard.
	cd hack/apiserver && go test ./...
	cd examples/apiserver && go test -timeout 30m ./...
	cd hack/conformance && go run ./cmd/scoreboard --json ../../scoreboard.json

.PHONY: page
page: ## Test the page that explain writes, in Chromium.
	cd hack/page && go test -count=1 ./...

.PHONY: breaks
breaks: ## Break the code on purpose, one line at a time: the tests have to notice. Takes long.
	go run ./hack/breaks

.PHONY: bench
bench: ## Print the speed and the cost of generated code beside those of Kubernetes and others.
	cd hack/bench && go run .

.PHONY: bench-report
bench-report: ## Write docs/benchmarks.md and its plots.
	cd hack/bench && go run . -report ../../docs

.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME.
	hack/fuzz.sh $(FUZZTIME)

.PHONY: lint
lint: ## gofmt and go vet in all modules, staticcheck in the root module.
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$unformatted" || { echo "not gofmt-ed:" $$unformatted; exit 1; }
	@for dir in $(MODULES); do echo "go vet $$dir"; (cd $$dir && go vet ./...) || exit 1; done
	GOARCH=arm64 go vet ./runtime/prunejson
	go vet -tags purego ./runtime/prunejson
	GOOS=js GOARCH=wasm go vet ./cmd/prune-gen/internal/explaincmd/engine
	GOFLAGS= go run $(STATICCHECK) ./...

.PHONY: install
install: ## Install prune-gen.
	go install ./cmd/prune-gen
