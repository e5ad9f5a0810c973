# prune-gen: see README.md. Everything runs with nothing but Go, git, make and a C compiler.

FUZZTIME ?= 30s
export GOFLAGS ?= -mod=readonly
# No package takes more than a minute on two idle cores. A slow machine with other work may take sixty times as long.
GOTEST := go test -timeout 60m

# The versions of Kubernetes beside the newest, which go.mod has. The first run compiles all of each.
OLDER := $(sort $(patsubst hack/conformance/kubernetes/%.mod,%,$(wildcard hack/conformance/kubernetes/*.mod)))

.PHONY: all
all: generate test

.PHONY: help
help: ## Show what there is to make.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: generate
generate: ## Generate the code of the examples and of the runtime.
	go generate ./examples/... ./runtime/...

.PHONY: verify
verify: ## Check that all generated code is current.
	$(GOTEST) -run 'Current' ./cmd/prune-gen ./generator/... ./golden ./runtime/...

# The tests make much garbage in short lives, and a third of their time went into collecting it. Memory is cheaper here: the
# largest take about 1 GB.
check test test-all conformance conformance-newest $(OLDER:%=conformance-%): export GOGC ?= 400
# Nobody debugs them, and linking takes half as long without the tables for that.
check test test-all conformance conformance-newest $(OLDER:%=conformance-%): export GOFLAGS := $(GOFLAGS) -ldflags=-w

.PHONY: check
check: gofmt ## A minute: gofmt, vet and the short tests of the root module and kube.
	go vet ./... && $(GOTEST) -vet=off -short ./...
	cd kube && go vet ./... && $(GOTEST) -vet=off -short ./...

.PHONY: test
test: gofmt ## Minutes: compare all functions with Kubernetes' own code on a sample; golden files, commands, rules, requests.
	$(MAKE) -j2 test-root test-conformance test-server

# What tests tools and whole repositories of users is part of test-all.
.PHONY: test-root
test-root:
	$(GOTEST) -vet=off $$(go list ./... | grep -v -e /prune-gen/hack/ -e /examples/walkthrough$$)
	cd kube && $(GOTEST) -vet=off ./...

# The packages that compare. The others test how that is done, and are part of test-all.
CONFORMANCE := ./compare ./rules ./scoreboard ./tests ./verdicts

# It runs beside test-root, which leaves a core idle whenever a test waits for a program that it has started.
.PHONY: test-conformance
test-conformance:
	cd hack/conformance && $(GOTEST) -vet=off $(CONFORMANCE)

.PHONY: conformance
conformance: $(OLDER:%=conformance-%) conformance-newest ## Compare with each version of Kubernetes on a sample, with a row for each; make -k goes on after a failure.

# The board of a version ends with its row.
.PHONY: conformance-newest $(OLDER:%=conformance-%)
conformance-newest $(OLDER:%=conformance-%): conformance-%:
	cd hack/conformance && $(GOTEST) -vet=off $(LINKED) $(filter-out ./scoreboard,$(CONFORMANCE))
	cd hack/conformance && $(GOTEST) -vet=off $(LINKED) -v ./scoreboard
$(OLDER:%=conformance-%): LINKED = -modfile=kubernetes/$*.mod -tags=$*

# The program for built-in kinds, beside an API server of its version of Kubernetes. The first run compiles all of it.
BUILT := $(sort $(patsubst builtin/kubernetes/%.mod,%,$(wildcard builtin/kubernetes/*.mod)))
.PHONY: builtin builtin-newest $(BUILT:%=builtin-%)
builtin: $(BUILT:%=builtin-%) builtin-newest ## Compare the program for built-in kinds with an API server of each version of Kubernetes.

builtin-newest $(BUILT:%=builtin-%): builtin-%:
	cd builtin && $(GOTEST) -vet=off $(LINKED) . $(ARGS)
$(BUILT:%=builtin-%): LINKED = -modfile=kubernetes/$*.mod -tags=$*

# The server itself: the other packages of its module are linked with Kubernetes once more each, and part of test-all.
.PHONY: test-server
test-server:
	cd kube/apiserver && $(GOTEST) -vet=off .

.PHONY: reach
reach: ## The tests of all modules that the changes since a commit can reach: make reach SINCE=main.
	go run ./hack/testall -since $(or $(SINCE),HEAD)

.PHONY: test-all
test-all: ## An hour: everything but what make soak has. Ends with a table, and goes on after a run that was stopped.
	go run ./hack/testall $(ARGS)

.PHONY: soak
soak: ## Hours: all versions of Kubernetes, other machines, hostile files, millions of random objects, what a release consists of.
	go run ./hack/testall -soak $(ARGS)

.PHONY: gofmt
gofmt:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$unformatted" || { echo "not gofmt-ed:" $$unformatted; exit 1; }

.PHONY: scoreboard
scoreboard: ## Compare everything with Kubernetes on the whole corpus, and print a table: hours. make soak does it in twelve parts.
	cd hack/conformance && go test ./scoreboard -v -timeout 0 -size whole

.PHONY: bench
bench: ## Print the speed and the cost of generated code beside those of Kubernetes and others.
	cd hack/bench && go run .

.PHONY: bench-report
bench-report: ## Write docs/benchmarks.md.
	cd hack/bench && go run . -report ../../docs

.PHONY: pictures
pictures: ## Make the pictures of README and docs again. Needs Chromium, Neovim and tmux.
	go test ./docs -run Recording -update
	cd hack/page && go test -run Pictures -pictures ../../docs/pictures .
	PRUNE_GEN_TEST=all go test ./hack/editors -run Pictures -count=1 -pictures ../../docs/pictures

.PHONY: mutate
mutate: ## Mutate the code at random places, and print what no test catches. Takes hours; make mutate ARGS="-own -n 40" is a first look.
	go run ./hack/mutate $(ARGS)

.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME.
	hack/fuzz.sh $(FUZZTIME)

# The newest GoReleaser whose modules can all be had.
GORELEASER := go run github.com/goreleaser/goreleaser/v2@v2.16.0
# The Go that releases are built with: the bytes of a release depend on it.
dist: export GOTOOLCHAIN := go1.26.8
dist: export GOFLAGS :=
dist: export GORELEASER_CURRENT_TAG := $(shell git tag --points-at HEAD 'v*')
# Which programs for built-in kinds are built: none, that of the newest Kubernetes for Linux on amd64 ("one"), or all. Each compiles Kubernetes.
dist: export BUILTIN ?= $(if $(GORELEASER_CURRENT_TAG),all)

.PHONY: dist
dist: ## Build what a release consists of into dist/: that of the tag v* of this commit, or a snapshot. The first run compiles GoReleaser.
	$(GORELEASER) release --clean $(if $(GORELEASER_CURRENT_TAG),--skip=publish,--snapshot)
	go -C hack/release run . vsix ../../dist

.PHONY: install
install: ## Install prune-gen.
	go install ./cmd/prune-gen

.PHONY: install-builtin
install-builtin: ## Install prune-gen-builtin, which answers for built-in kinds: minutes, the first time.
	cd builtin && go build -ldflags='-s -w' -o "$$(go env GOPATH)/bin/prune-gen-builtin" .

.PHONY: install-server
install-server: ## Install prune-gen-server, which runs commands with an API server: minutes, the first time.
	cd kube/servertest && go install -ldflags='-s -w' ./cmd/prune-gen-server
