package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// check is a command that a shell runs in the folder of a module.
type check struct{ module, name, command string }

// staticcheck is the version that checks the code.
const staticcheck = "honnef.co/go/tools/cmd/staticcheck@v0.8.2"

// A machine five times slower than two idle cores, with other work beside, keeps this limit.
const timeout = "5h"

// modules are those of this repository, by their directories.
var modules = []string{".", "kube", "kube/apiserver", "kube/servertest", "builtin", "conformance/executors/kubernetes", "hack/conformance", "hack/apiserver", "hack/apiserver/server", "hack/bench", "hack/page", "hack/release", "examples/apiserver"}

// parts is the number of days after which daily runs have compared the whole corpus. At once, it takes hours: make scoreboard.
const parts = 12

// hostile are the commands that are run with all hostile files, one each day. At once, they take hours: make hostile.
var hostile = []string{"diff", "explain", "generate", "lint", "prune", "schema", "skeleton", "validate", "verify"}

// checks returns everything, the cheap before the costly.
func checks(today time.Time) []check {
	all := []check{
		{".", "gofmt", "make gofmt"},
		{".", "vet for arm64", "GOARCH=arm64 go vet ./runtime/prunejson"},
		{".", "vet of purego", "go vet -tags=purego ./runtime/prunejson"},
		{".", "dist", "make dist"}, // hack/release tests it
		{".", "vet for wasm", "GOOS=js GOARCH=wasm go vet ./cmd/prune-gen/internal/engine/wasm"},
	}
	for _, dir := range modules {
		all = append(all, check{dir, "vet", "go vet ./..."}, check{dir, "staticcheck", "GOFLAGS= go run " + staticcheck + " ./..."})
	}
	for _, dir := range modules {
		all = append(all, check{dir, "tests", "go test -json -vet=off -timeout=" + timeout + " ./..."})
	}
	older, _ := filepath.Glob("hack/conformance/kubernetes/*.mod")
	for _, mod := range older {
		version := strings.TrimSuffix(filepath.Base(mod), ".mod")
		// The newest version is compared in full size above. What differs in older ones is few and named: a sample shows it.
		all = append(all, check{".", "comparison with Kubernetes " + version, testsize.Variable + "= make conformance-" + version + " GOTEST='go test -timeout=" + timeout + "'"})
	}
	return append(all,
		check{".", "tests in other builds", "./hack/builds.sh"},
		check{".", "tests on other architectures", "./hack/machines.sh arm64 s390x 386"},
		check{"hack/conformance", "a part of the whole scoreboard", fmt.Sprintf("go test ./scoreboard -v -timeout=%s -count=1 -size=whole -part=%d/%d", timeout, today.YearDay()%parts, parts)},
		check{".", "hostile files for a command", "PRUNE_GEN_HOSTILE=" + hostile[today.YearDay()%len(hostile)] + " go test -count=1 -timeout=" + timeout + " -run=^TestHostileFilesAreBounded$ ./cmd/prune-gen"},
	)
}
