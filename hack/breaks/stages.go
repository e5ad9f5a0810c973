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

	"github.com/prune-gen/prune-gen/internal/testsize"
)

// stage is one command that can notice a break. Its failure is what notices.
type stage struct {
	name        string
	dir         string
	command     []string
	own         bool // it is about the package that is broken
	conformance bool
	large       bool // it includes what only make test-all runs
}

// The stages that are not about one package. Code is generated again before it is tested.
var (
	generated = []stage{generating("the runtime", "./runtime/..."), golden("TestGolden(Code|Plans)")}
	quick     = test(append([]string{"-short", "-skip", "^TestExamplesAreCurrent$"}, tested...)...) // they are not generated yet
	slow      = test(append([]string{"./examples/...", "./docs/..."}, tested...)...)
	whole     = []stage{quick, generating("examples", "./examples/..."), slow, conformance(compared...), slow.withLarge(), conformance("./...").withLarge()}
	kube      = []stage{test("./...").in("kube"), test("./...").in("kube/prunetest")}
	// everything is run for several breaks at once.
	everything = slices.Concat(generated, whole, kube)
)

// stages returns what is run for a break, the cheapest first.
func stages(b Break) []stage {
	own := test(b.pkg()).in(b.module())
	own.own = true
	switch {
	case strings.HasPrefix(b.File, "kube/"):
		return slices.Concat([]stage{own}, kube)
	case strings.HasPrefix(b.File, "cmd/"), strings.HasPrefix(b.File, "generator/target/"), strings.HasPrefix(b.File, "generator/gotypes/"):
		command, all := test("-short", "./cmd/..."), test("./cmd/...", "./generator/...", "./examples/...", "./docs/...")
		if b.pkg() == "./cmd/prune-gen" {
			return []stage{command, own, all, all.withLarge()}
		}
		return []stage{own, command, all, all.withLarge()}
	case strings.HasPrefix(b.File, "runtime/prunecel/"):
		return slices.Concat([]stage{own, test("./structural/rules"), conformance("./celfunctions", "./rules")}, whole)
	case strings.HasPrefix(b.File, "runtime/"):
		return slices.Concat([]stage{own, test("./golden/run")}, whole)
	case strings.HasPrefix(b.File, "structural/text/"):
		own.command = append(own.command, "./structural")
	case strings.HasPrefix(b.File, "generator/internal/plan/describe"): // which is tested by what plans look like
		return slices.Concat([]stage{own, generated[0], golden("TestGoldenCode")}, whole)
	case strings.HasPrefix(b.File, "generator/internal/"):
		return slices.Concat([]stage{own}, generated, []stage{test("-short", "./golden/run")}, whole)
	}
	return slices.Concat([]stage{own}, generated, whole)
}

func generating(what, packages string) stage {
	return stage{name: "generating " + what, command: []string{"go", "generate", packages}}
}

// golden returns the stage that writes golden files again.
func golden(tests string) stage {
	return stage{name: "generating golden code", command: []string{"go", "test", "-vet=off", "./golden", "-run", tests, "-update"}}
}

// in returns the stage in a folder.
func (s stage) in(dir string) stage {
	s.dir = dir
	return s
}

// withLarge returns the stage with what only make test-all runs.
func (s stage) withLarge() stage {
	s.large = true
	s.command = slices.Clone(s.command)
	s.command[slices.Index(s.command, "-timeout")+1] = "60m"
	return s
}

// tested are the packages whose tests are run after those of the package that is broken.
var tested = []string{"./golden", "./golden/run", "./structural/...", "./runtime/...", "./internal/...", "./generator/...", "./cmd/..."}

// compared are the packages of the conformance module that make test runs.
var compared = []string{"./answers", "./celfunctions", "./cmd/scoreboard", "./compare", "./oddmeta", "./rules", "./samples", "./verdicts"}

// conformance returns a stage that compares with Kubernetes.
func conformance(packages ...string) stage {
	s := test(packages...).in("hack/conformance")
	s.conformance = true
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
	if s.large {
		cmd.Env = append(cmd.Env, testsize.Variable+"=all")
	}
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
		case strings.HasPrefix(failed, "panic: test timed out") && strings.HasPrefix(trimmed, "Test"): // the running tests come after the panic
			name, _, _ := strings.Cut(trimmed, " ")
			failed = name + " " + failed
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
