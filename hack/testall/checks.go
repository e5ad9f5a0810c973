package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// check is a row of the table: a command that a shell runs in the folder of a module; or the tests of a module, with a row for each package.
type check struct {
	module, name string
	command      string // empty for tests
	soak         bool
}

func (c check) id() string { return path.Join(c.module, c.name) }

// staticcheck is the version that checks the code.
const staticcheck = "honnef.co/go/tools/cmd/staticcheck@v0.8.2"

// A machine five times slower than two idle cores, with other work beside, keeps this limit.
const timeout = "5h"

// modules are those of this repository, by their directories.
var modules = []string{".", "kube", "kube/apiserver", "kube/servertest", "builtin", "hack/conformance", "hack/apiserver", "hack/apiserver/server", "hack/bench", "hack/page", "hack/release", "examples/apiserver"}

// shipped are the modules that people build: the others are for tests.
var shipped = []string{".", "kube", "kube/apiserver", "kube/servertest", "builtin"}

// parts is the number of rows of the scoreboard of the whole corpus.
const parts = 12

// tests is the name of the rows of a module's packages.
const tests = "tests"

// checks returns the rows, the cheap before the costly.
func checks(soak bool) []check {
	older := versions("hack/conformance")
	var all []check
	add := func(module, name, command string) {
		all = append(all, check{module, name, command, soak})
	}
	if !soak {
		add(".", "gofmt", "make gofmt")
		add(".", "vet for arm64", "GOARCH=arm64 go vet ./runtime/prunejson")
		add(".", "vet of purego", "go vet -tags=purego ./runtime/prunejson")
		add(".", "vet for wasm", "GOOS=js GOARCH=wasm go vet ./cmd/prune-gen/internal/engine/wasm")
		for _, dir := range modules {
			add(dir, "vet", "go vet ./...")
		}
		for _, dir := range shipped {
			add(dir, "staticcheck", "GOFLAGS= go run "+staticcheck+" ./...")
		}
		for _, dir := range modules {
			if dir != "hack/release" { // it tests what make dist has made
				add(dir, tests, "")
			}
		}
		add(".", "Kubernetes "+older[0], "make conformance-"+older[0]+" GOTEST='go test -timeout="+timeout+"'")
		add(".", "fresh", "go run ./hack/testall -fresh")
		return all
	}
	for _, dir := range modules {
		if !slices.Contains(shipped, dir) {
			add(dir, "staticcheck", "GOFLAGS= go run "+staticcheck+" ./...")
		}
	}
	add(".", "dist", "make dist")
	for _, dir := range modules {
		add(dir, tests, "")
	}
	for _, version := range older {
		if version != older[0] {
			add(".", "Kubernetes "+version, "make conformance-"+version+" GOTEST='go test -timeout="+timeout+"'")
		}
	}
	for _, version := range versions("builtin") {
		add(".", "built-in kinds of "+version, "make builtin-"+version+" GOTEST='go test -timeout="+timeout+"'")
	}
	add(".", "other builds", "./hack/builds.sh")
	add(".", "other architectures", "./hack/machines.sh arm64 s390x 386")
	for part := range parts {
		add("hack/conformance", fmt.Sprintf("scoreboard %d of %d", part+1, parts), fmt.Sprintf("go test ./scoreboard -v -timeout=%s -count=1 -size=whole -part=%d/%d", timeout, part, parts))
	}
	return all
}

// versions returns those of Kubernetes before the newest that a module has mod files for, the oldest first.
func versions(module string) []string {
	files, _ := filepath.Glob(filepath.Join(module, "kubernetes/*.mod"))
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), ".mod")
	}
	return files
}

// size returns the value of testsize.Variable for a check. What compares with an older version does so on a sample: the newest is compared in full
// size, and the differences of the others are few and named.
func (c check) size() string {
	switch {
	case c.command != "":
		return ""
	case c.soak:
		return "soak"
	}
	return "all"
}

// environment is that of a check's command.
func (c check) environment() []string {
	return append(os.Environ(), "GOGC=400", testsize.Variable+"="+c.size())
}

// tool is a program that some rows need.
type tool struct {
	names   []string // any of them
	install string
	rows    string
	args    []string // with them it succeeds if it has its packages
}

var tools = []tool{
	{[]string{"chromium", "chromium-browser", "google-chrome", "chrome"}, "apt-get install chromium", "hack/page", nil},
	{[]string{"nvim"}, "apt-get install neovim", "hack/editors", nil},
	{[]string{"emacs"}, "apt-get install emacs-nox elpa-eglot elpa-yaml-mode", "hack/editors",
		[]string{"--batch", "-f", "package-initialize", "--eval", "(progn (require 'eglot) (require 'yaml-mode))"}},
	{[]string{"npm"}, "apt-get install npm", "hack/editors, internal/conformance, hack/release", nil},
	{[]string{"lexgrog"}, "apt-get install man-db", "cmd/prune-gen, hack/release", nil},
	{[]string{"pre-commit"}, "apt-get install pre-commit", "hack/release", nil},
	{[]string{"qemu-aarch64", "qemu-aarch64-static"}, "apt-get install qemu-user", "other architectures", nil},
}

// printMissing prints the tools that this machine lacks.
func printMissing(w *os.File) {
	for _, tool := range tools {
		if !slices.ContainsFunc(tool.names, func(name string) bool {
			_, err := exec.LookPath(name)
			return err == nil && (tool.args == nil || exec.Command(name, tool.args...).Run() == nil)
		}) {
			fmt.Fprintf(w, "missing: %s, for %s: %s\n", tool.names[0], tool.rows, tool.install)
		}
	}
}
