// Mutate changes prune-gen at random places, one at a time, and reports which changes no test catches.
//
//	go run ./hack/mutate                 a hundred mutations, with everything that make test runs
//	go run ./hack/mutate -own -n 40      with the tests of the mutated package alone, as a first look
//	go run ./hack/mutate -run REGEXP     in files whose names match
//	go run ./hack/mutate -seed 2         other places
//
// It works in a clone of the last commit, on the files that the command, the runtime and kube are built from. Code is generated again
// before it is tested, so that a mutation is caught for what the code does, not for what it looks like. A mutation does not count if it does
// not compile, or if it compiles to the same instructions.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 100, "how many mutations count")
	seed := flag.Uint64("seed", 1, "where mutations are")
	run := flag.String("run", "", "mutate only files that match this regular expression")
	own := flag.Bool("own", false, "run only the tests of the mutated package")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := mutate(ctx, *n, *seed, *run, *own); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func mutate(ctx context.Context, n int, seed uint64, pattern string, own bool) error {
	only, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "prune-gen-mutate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w := workplace(dir)
	if out, err := exec.CommandContext(ctx, "git", "clone", "--quiet", "--shared", ".", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("clone: %w\n%s", err, out)
	}
	files, err := w.files(ctx)
	if err != nil {
		return err
	}
	var all []mutation
	for _, file := range files {
		if only.MatchString(file) {
			src, err := os.ReadFile(filepath.Join(string(w), file))
			if err != nil {
				return err
			}
			found, err := mutations(file, src)
			if err != nil {
				return err
			}
			all = append(all, found...)
		}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	fmt.Printf("%d possible mutations in %d files, seed %d\n", len(all), len(files), seed)

	caught, survived := 0, 0
	for _, m := range all {
		if caught+survived == n {
			break
		}
		src, err := os.ReadFile(filepath.Join(string(w), m.file))
		if err != nil {
			return err
		}
		start := time.Now()
		how, err := w.try(ctx, m, src, own)
		if err != nil {
			return err
		}
		if ctx.Err() != nil { // what was interrupted failed for that
			break
		}
		switch how {
		case "":
			survived++
			how = "SURVIVED"
		case sameCode, notCompiled:
		default:
			caught++
		}
		fmt.Printf("%4.0fs %s: %s\n", time.Since(start).Seconds(), how, m.diff(src))
	}
	fmt.Printf("%d of %d mutations were caught, %d survived\n", caught, caught+survived, survived)
	return ctx.Err()
}

// workplace is a clone in which one mutation after the other is made.
type workplace string

// Why mutations do not count.
const (
	notCompiled = "does not compile"
	sameCode    = "compiles to the same instructions"
)

// modules are the modules with code that decides answers, and what is built from it.
var modules = []struct{ dir, packages string }{
	{".", "./cmd/prune-gen ./structural/... ./runtime/..."}, {"kube", "./..."}, {"kube/prunetest", "./..."},
}

// files returns the files of this repository that are built, sorted.
func (w workplace) files(ctx context.Context) ([]string, error) {
	all := map[string]bool{}
	for _, module := range modules {
		args := append([]string{"list", "-deps", "-f", `{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}`}, strings.Fields(module.packages)...)
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir, cmd.Stderr = filepath.Join(string(w), module.dir), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("list packages: %w", err)
		}
		for _, path := range strings.Fields(string(out)) {
			if file, ok := strings.CutPrefix(path, string(w)+"/"); ok {
				all[file] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all)), nil
}

// module returns the module of a file, and its package in it.
func module(file string) (dir, pkg string) {
	dir = "."
	for _, m := range modules {
		if strings.HasPrefix(file, m.dir+"/") {
			dir = m.dir
		}
	}
	pkg, _ = filepath.Rel(dir, filepath.Dir(file))
	return dir, "./" + pkg
}

// try makes a mutation, and returns what caught it or why it does not count; "" if it survived.
func (w workplace) try(ctx context.Context, m mutation, src []byte, own bool) (how string, err error) {
	path := filepath.Join(string(w), m.file)
	if err := os.WriteFile(path, m.apply(src), 0o666); err != nil {
		return "", err
	}
	defer w.command(context.WithoutCancel(ctx), ".", "sh", "-c", "git checkout --quiet --force . && git clean --quiet --force -d").Run()
	dir, pkg := module(m.file)
	if w.command(ctx, dir, "go", "build", pkg).Run() != nil {
		return notCompiled, nil
	}
	if out, err := w.command(ctx, dir, "go", "test", "-vet=off", "-failfast", w.tested(dir, pkg)).CombinedOutput(); err != nil {
		return failure(out), nil
	}
	same, err := w.isSame(ctx, m, src)
	switch {
	case err != nil:
		return "", err
	case same:
		return sameCode, nil
	case own:
		return "", nil
	}
	for _, stage := range [...]string{
		"go generate ./runtime/... && go test -vet=off ./golden -run 'TestGolden(Code|Plans)' -update && go generate ./examples/...",
		"go test -vet=off -failfast -short ./...",
		"make test-root",
		"make test-conformance",
	} {
		if out, err := w.command(ctx, ".", "sh", "-c", stage).CombinedOutput(); err != nil {
			return failure(out), nil
		}
	}
	return "", nil
}

// tested returns the package, or the nearest one above it that has tests: those of a command are in the package of the program.
func (w workplace) tested(dir, pkg string) string {
	for ; pkg != "."; pkg = filepath.Dir(pkg) {
		if tests, _ := filepath.Glob(filepath.Join(string(w), dir, pkg, "*_test.go")); len(tests) > 0 {
			break
		}
	}
	return "./" + filepath.Clean(pkg)
}

// isSame reports whether the mutated package compiles to the same instructions. Generic code is compiled where it is used.
func (w workplace) isSame(ctx context.Context, m mutation, src []byte) (bool, error) {
	if m.generic {
		return false, nil
	}
	dir, pkg := module(m.file)
	compile := func(source []byte) ([]byte, error) {
		if err := os.WriteFile(filepath.Join(string(w), m.file), source, 0o666); err != nil {
			return nil, err
		}
		return w.command(ctx, dir, "go", "build", "-gcflags=-S", pkg).CombinedOutput()
	}
	before, err := compile(src)
	if err != nil {
		return false, err
	}
	after, err := compile(m.apply(src))
	return bytes.Equal(before, after), err
}

// command returns a command that ends after two hours and does not take all memory, as mutated code may want to.
func (w workplace) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 8000000; exec timeout 2h "$@"`, "sh"}, args...)...)
	cmd.Dir = filepath.Join(string(w), dir)
	return cmd
}

// failure returns which test or package failed first.
func failure(out []byte) string {
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		for _, prefix := range [...]string{"--- FAIL: ", "panic: ", "fatal error: ", "FAIL\t"} {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				rest, _, _ = strings.Cut(rest, " (")
				return "caught by " + strings.TrimSpace(rest)
			}
		}
	}
	return "caught"
}
