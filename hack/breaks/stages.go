package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
)

// stage is one command that can notice a break. Its failure is what notices.
type stage struct {
	name        string
	dir         string
	command     []string
	own         bool // it is about the package that is broken
	conformance bool
}

// stages returns what is run for a break, the cheapest first. Code is generated again before it is tested.
func stages(b Break) []stage {
	own, quick := test(b.pkg()), test(append([]string{"-short"}, tested...)...)
	own.own, own.dir = true, b.module()
	whole := []stage{quick, {name: "generating examples", command: []string{"go", "generate", "./examples/..."}},
		test(append([]string{"./examples/..."}, tested...)...), conformance("./...")}
	switch {
	case strings.HasPrefix(b.File, "kube/"):
		all, prunetest := test("./..."), test("./...")
		all.dir, prunetest.dir = "kube", "kube/prunetest"
		return []stage{own, all, prunetest}
	case strings.HasPrefix(b.File, "cmd/"), strings.HasPrefix(b.File, "generator/target/"), strings.HasPrefix(b.File, "generator/gotypes/"):
		command := test("./cmd/...", "./generator/...", "./examples/...")
		if quick = test("-short", "./cmd/..."); b.pkg() == "./cmd/prune-gen" {
			return []stage{quick, own, command}
		}
		return []stage{own, quick, command}
	case strings.HasPrefix(b.File, "runtime/prunecel/"):
		return slices.Concat([]stage{own, test("./structural/rules"), conformance("./celfunctions", "./rules")}, whole)
	case strings.HasPrefix(b.File, "runtime/"):
		return slices.Concat([]stage{own}, whole)
	case strings.HasPrefix(b.File, "structural/text/"):
		own.command = append(own.command, "./structural")
	}
	text := "TestGolden(Code|Plans)"
	if strings.HasPrefix(b.File, "generator/internal/plan/describe") {
		text = "TestGoldenCode" // it is tested by what plans look like
	}
	generated := []stage{
		{name: "generating the runtime", command: []string{"go", "generate", "./runtime/..."}},
		{name: "generating golden code", command: []string{"go", "test", "-vet=off", "./golden", "-run", text, "-update"}},
	}
	if strings.HasPrefix(b.File, "generator/internal/emit/") { // which is tested by what it emits
		return slices.Concat(generated, whole)
	}
	return slices.Concat([]stage{own}, generated, whole)
}

// tested are the packages whose tests are run after those of the package that is broken.
var tested = []string{"./golden", "./golden/run", "./structural/...", "./runtime/...", "./internal/...", "./generator/...", "./cmd/..."}

// conformance returns a stage that compares with Kubernetes.
func conformance(packages ...string) stage {
	s := test(packages...)
	s.dir, s.conformance = "hack/conformance", true
	return s
}

// isTest reports whether the stage runs tests.
func (s stage) isTest() bool { return slices.Contains(s.command, "-failfast") }

// tests reports whether the stage runs the tests of a package, given by its path in the repository.
func (s stage) tests(pkg string) bool {
	return s.isTest() && slices.ContainsFunc(s.command, func(arg string) bool {
		if !strings.HasPrefix(arg, "./") {
			return false
		}
		arg = path.Join(s.dir, arg)
		folder, all := strings.CutSuffix(arg, "/...")
		return pkg == folder || all && strings.HasPrefix(pkg, folder+"/")
	})
}

func test(packages ...string) stage {
	return stage{name: "tests", command: append([]string{"go", "test", "-vet=off", "-failfast", "-timeout", "10m"}, packages...)}
}

// stage runs one command up to the first failure that it prints, and returns what failed; "" if nothing did.
func (w *workplace) stage(ctx context.Context, s stage) (string, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := w.command(ctx, s.dir, s.command[0], s.command[1:]...)
	r, pipe := io.Pipe()
	cmd.Stdout, cmd.Stderr = pipe, pipe
	if err := cmd.Start(); err != nil {
		return "", err
	}
	done := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		pipe.Close()
		done <- err
	}()
	failed, last, found := "", "", ""
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20) // tests may print a whole object in one line
	for lines.Scan() {
		line := lines.Text()
		if w.verbose {
			fmt.Println("        |", line)
		}
		trimmed := strings.TrimSpace(line)
		switch {
		case found != "":
		case strings.HasPrefix(trimmed, "--- FAIL: "):
			failed, _, _ = strings.Cut(strings.TrimPrefix(trimmed, "--- FAIL: "), " (") // a subtest comes after its test
		case strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "fatal error: "):
			failed = strings.TrimSpace(failed + " " + line)
		case strings.HasPrefix(line, "FAIL\t"):
			found = strings.TrimSpace(strings.Fields(line)[1] + " " + failed)
			if strings.Contains(line, "[build failed]") {
				found += " does not compile: " + last
			}
			stop()
		}
		if trimmed != "" && !strings.HasPrefix(line, "exit status") && trimmed != "FAIL" {
			last = trimmed
		}
	}
	r.Close() // lets the command end where a line was too long to read
	err := <-done
	var exit *exec.ExitError
	switch {
	case found != "" && failed == "" && !strings.Contains(found, "does not compile"):
		return "", fmt.Errorf("%s fails, and no test of it does: %s", found, last)
	case found != "":
		return strings.TrimPrefix(found, modulePath+"/"), nil
	case err == nil:
		return "", nil
	case context.Cause(ctx) != nil || !errors.As(err, &exit):
		return "", err
	}
	return s.name + ": " + last, nil
}
