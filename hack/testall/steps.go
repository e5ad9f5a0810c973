package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// step is a command with the rows of the table that it fills: a check has one, the tests of a module have one for each package.
type step struct {
	module  string
	rows    []string
	command []string // for tests, the packages are appended
	tests   bool
}

// staticcheck is the version that checks the code.
const staticcheck = "honnef.co/go/tools/cmd/staticcheck@v0.8.2"

// A machine five times slower than two idle cores, with other work beside, keeps this limit.
const timeout = "5h"

// modules are those of this repository, by their directories.
var modules = []string{".", "kube", "kube/prunetest", "hack/conformance", "hack/apiserver", "hack/bench", "hack/page", "hack/release", "examples/apiserver"}

// steps returns everything, the cheap before the costly.
func steps(ctx context.Context) ([]*step, error) {
	check := func(module, name string, command ...string) *step {
		return &step{module: module, rows: []string{name}, command: command}
	}
	all := []*step{
		check(".", "gofmt", "sh", "-c", `unformatted=$(gofmt -l $(git ls-files '*.go')); echo "$unformatted"; test -z "$unformatted"`),
		check(".", "vet for arm64", "env", "GOARCH=arm64", "go", "vet", "./runtime/prunejson"),
		check(".", "vet of purego", "go", "vet", "-tags=purego", "./runtime/prunejson"),
		check(".", "dist", "make", "dist"), // hack/release tests it
		check(".", "vet for wasm", "env", "GOOS=js", "GOARCH=wasm", "go", "vet", "./cmd/prune-gen/internal/engine/wasm"),
	}
	for _, dir := range modules {
		all = append(all, check(dir, "vet", "go", "vet", "./..."),
			check(dir, "staticcheck", "env", "GOFLAGS=", "go", "run", staticcheck, "./..."))
	}
	for _, dir := range modules {
		packages, err := testedPackages(ctx, dir)
		if err != nil {
			return nil, err
		}
		all = append(all, &step{module: dir, rows: packages, tests: true,
			command: []string{"go", "test", "-json", "-vet=off", "-timeout=" + timeout}})
	}
	mods, err := filepath.Glob("hack/conformance/kubernetes/*.mod")
	if err != nil {
		return nil, err
	}
	for _, mod := range mods {
		version := strings.TrimSuffix(filepath.Base(mod), ".mod")
		all = append(all, check(".", "comparison with Kubernetes "+version, "make", "conformance-"+version, "GOTEST=go test -timeout="+timeout))
	}
	return append(all,
		check(".", "tests in other builds", "./hack/builds.sh"),
		check(".", "tests on other architectures", "./hack/machines.sh", "arm64", "s390x", "386"),
		check("hack/conformance", "whole scoreboard", "go", "test", "./scoreboard", "-v", "-timeout="+timeout, "-count=1", "-size=whole"),
		check(".", "all hostile files", "env", "PRUNE_GEN_HOSTILE=all", "go", "test", "-count=1", "-timeout="+timeout, "-run=^TestHostileFilesAreBounded$", "./cmd/prune-gen"),
	), nil
}

// testedPackages returns the import paths of the packages of a module that have tests.
func testedPackages(ctx context.Context, dir string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", "./...")
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages of %s: %w", dir, err)
	}
	return strings.Fields(string(out)), nil
}

// run runs the command for the rows, and records their results.
func (s *step) run(ctx context.Context, b *board) error {
	args := s.command
	if s.tests {
		args = slices.Concat(args, s.rows)
	}
	fmt.Printf("%s: %s\n", s.module, strings.Join(args, " "))
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = s.module
	cmd.Env = append(os.Environ(), testsize.Variable+"=all")
	cmd.Stderr = os.Stderr
	began := time.Now()
	if !s.tests {
		cmd.Stdout = os.Stdout
		err := cmd.Run()
		if err != nil {
			fmt.Println(err)
		}
		b.record(result{module: s.module, row: s.rows[0], passed: err == nil, seconds: time.Since(began).Seconds()})
		return ctx.Err()
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(pipe)
	lines.Buffer(nil, 64<<20)
	output, skipped := map[string]string{}, map[string]int{} // by package and test, and by package
	for lines.Scan() {
		s.read(lines.Bytes(), output, skipped, b)
	}
	err = cmd.Wait()
	if ctx.Err() != nil || lines.Err() != nil {
		return errors.Join(ctx.Err(), lines.Err())
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	for _, row := range s.rows {
		if !slices.ContainsFunc(*b, func(r result) bool { return r.module == s.module && r.row == row }) { // the go command refused to test it
			b.record(result{module: s.module, row: row})
		}
	}
	return nil
}

// read reads an event of go test -json. It prints what tests that fail print, and what their packages do.
func (s *step) read(line []byte, output map[string]string, skipped map[string]int, b *board) {
	var event struct {
		Action, Package, Test, Output string
		Elapsed                       float64
	}
	if json.Unmarshal(line, &event) != nil {
		fmt.Printf("%s\n", line)
		return
	}
	switch {
	case event.Action == "build-output":
		fmt.Print(event.Output)
	case event.Action == "output":
		output[event.Package+" "+event.Test] += event.Output
	case slices.Contains([]string{"pass", "fail", "skip"}, event.Action):
		if event.Action == "fail" {
			fmt.Print(output[event.Package+" "+event.Test])
		}
		delete(output, event.Package+" "+event.Test)
		if event.Test == "" {
			b.record(result{s.module, event.Package, event.Action != "fail", skipped[event.Package], event.Elapsed})
		} else if event.Action == "skip" {
			skipped[event.Package]++
		}
	}
}
