// Mutate changes prune-gen at random places, one at a time, and reports which changes no test catches.
//
//	go run ./hack/mutate                 a hundred mutations, with everything that make test runs
//	go run ./hack/mutate -own -n 40      with the tests of the mutated package alone, as a first look
//	go run ./hack/mutate -run REGEXP     in files whose names match
//	go run ./hack/mutate -seed 2         other places
//
// It works in a clone of the last commit. Code is generated again before it is tested, so that a mutation is caught for what the code does,
// not for what it looks like. A mutation does not count if it does not compile, or if it compiles to the same instructions.
//
// Of the tools that exist, gremlins copies and tests one module, without those beside it, and mutates all of it; none takes a sample,
// generates code in between, or asks another module's tests.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
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
	files, err := w.command(ctx, ".", "git", "ls-files", "*.go", ":!*_test.go", ":!*testdata*", ":!golden", ":!hack", ":!examples", ":!internal/testing").Output()
	if err != nil {
		return fmt.Errorf("list files: %w", err)
	}
	var all []mutation
	for _, file := range strings.Fields(string(files)) {
		if !only.MatchString(file) {
			continue
		}
		src, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return err
		}
		found, err := mutations(file, src)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	fmt.Printf("%d possible mutations, seed %d\n", len(all), seed)

	caught, survived := 0, 0
	for _, m := range all {
		if caught+survived == n {
			break
		}
		start := time.Now()
		how, err := w.try(ctx, m, own)
		if ctx.Err() != nil { // what was interrupted failed for that
			break
		}
		if err != nil {
			return err
		}
		switch how {
		case "":
			survived++
			how = "SURVIVED"
		case sameCode, notCompiled:
		default:
			caught++
		}
		fmt.Printf("%4.0fs %s: %s\n", time.Since(start).Seconds(), how, m.diff())
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

// everything is what make test runs, the cheap before the costly.
const everything = `go generate ./runtime/... && go test -vet=off ./golden -run 'TestGolden(Code|Plans)' -update && go generate ./examples/... &&
go test -vet=off -failfast -short ./... && make test-root && make test-conformance`

// try makes a mutation, and returns what caught it or why it does not count; "" if it survived.
func (w workplace) try(ctx context.Context, m mutation, own bool) (how string, err error) {
	defer w.command(context.WithoutCancel(ctx), ".", "sh", "-c", "git checkout --quiet --force . && git clean --quiet --force -d").Run()
	pkg := filepath.Dir(m.file)
	compile := func() ([]byte, error) {
		return w.command(ctx, pkg, "go", "build", "-gcflags=-S", "-o", os.DevNull, ".").CombinedOutput()
	}
	before, err := compile()
	if err != nil { // it is for another platform
		return notCompiled, nil
	}
	if err := os.WriteFile(filepath.Join(string(w), m.file), m.apply(), 0o666); err != nil {
		return "", err
	}
	after, err := compile()
	switch {
	case err != nil:
		return notCompiled, nil
	case bytes.Equal(before, after) && !m.generic: // generic code is compiled where it is used
		return sameCode, nil
	}
	for _, size := range []string{"-short", "-short=false"} {
		// A mutation may loop forever; the slowest package takes less than a minute.
		out, err := w.command(ctx, w.tested(pkg), "go", "test", "-vet=off", "-failfast", "-timeout=5m", size, ".").CombinedOutput()
		if err != nil {
			return failure(out), nil
		}
	}
	if own {
		return "", nil
	}
	if out, err := w.command(ctx, ".", "sh", "-c", everything).CombinedOutput(); err != nil {
		return failure(out), nil
	}
	return "", nil
}

// tested returns the folder of a package, or the nearest one above it that has tests: those of a command are in the package of the program.
func (w workplace) tested(pkg string) string {
	for ; pkg != "."; pkg = filepath.Dir(pkg) {
		if tests, _ := filepath.Glob(filepath.Join(string(w), pkg, "*_test.go")); len(tests) > 0 {
			break
		}
	}
	return pkg
}

// command returns a command with a limit of two hours and of memory, which mutated code may exceed.
func (w workplace) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 8000000; exec timeout 2h "$@"`, "sh"}, args...)...)
	cmd.Dir = filepath.Join(string(w), dir)
	return cmd
}

var failures = regexp.MustCompile(`(?m)^\s*(?:--- FAIL: (\S+)|(?:panic|fatal error): (.*)|FAIL\t(.*))`)

// failure returns which test or package failed first.
func failure(out []byte) string {
	first := failures.FindSubmatch(out)
	if first == nil {
		return "caught"
	}
	return "caught by " + string(bytes.Join(first[1:], nil))
}
