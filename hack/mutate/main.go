// Mutate changes prune-gen at random places, one at a time, and reports which changes no test catches.
//
//	go run ./hack/mutate                 200 mutations, five in each room at least, with all tests that reach them and that make test runs in the root module and kube
//	go run ./hack/mutate -own -n 40      with the tests of the mutated package alone, as a first look
//	go run ./hack/mutate -run REGEXP     in files whose names match
//	go run ./hack/mutate -seed 2         other places
//
// It works in a clone of the last commit. All mutations are compiled at once, and the environment chooses one of them: a mutation costs a run
// of tests, not a build. Those that cannot be chosen in this way, as in constants, do not count, nor do tests that fail with no mutation chosen,
// such as those of what a package imports. Code is not generated again: the generator's tests compare it. It ends with a table of rooms: folders of internal, of cmd,
// and those at the top.
//
// Of the tools that exist, gremlins copies and tests one module, without those beside it, and mutates all of it; none takes a sample.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/build"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/internal/base/workers"
	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
)

func main() {
	n := flag.Int("n", 200, "how many mutations count")
	seed := flag.Uint64("seed", 1, "where mutations are")
	run := flag.String("run", "", "mutate only files that match this regular expression")
	own := flag.Bool("own", false, "run only the tests of the mutated package")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := mutate(ctx, os.Stdout, ".", *n, *seed, *run, *own); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func mutate(ctx context.Context, out io.Writer, repository string, n int, seed uint64, pattern string, own bool) error {
	only, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "prune-gen-mutate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w := &workplace{dir: filepath.Join(dir, "clone"), out: out}
	if out, err := exec.CommandContext(ctx, "git", "clone", "--quiet", "--shared", repository, w.dir).CombinedOutput(); err != nil {
		return fmt.Errorf("clone: %w\n%s", err, out)
	}
	files, err := w.command(ctx, ".", "git", "ls-files", "*.go", ":!*testdata*", ":!hack", ":!builtin", ":!examples", ":!internal/testing").Output()
	if err != nil {
		return fmt.Errorf("list files: %w", err)
	}
	var all []*mutation
	for _, file := range strings.Fields(string(files)) {
		if strings.HasSuffix(file, "_test.go") {
			w.tested = append(w.tested, filepath.Dir(file))
		} else if only.MatchString(file) && !strings.HasPrefix(file, "golden/") {
			dir, name := filepath.Split(filepath.Join(w.dir, file))
			if here, err := build.Default.MatchFile(dir, name); err != nil {
				return err
			} else if !here {
				continue // for another system
			}
			src, err := os.ReadFile(filepath.Join(w.dir, file))
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
	w.tested = slices.Compact(w.tested)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if err := w.choose(ctx, all, n); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d of %d possible mutations, seed %d\n", len(w.chosen), len(all), seed)
	for _, others := range []bool{false, true} {
		if others && own {
			break
		}
		for _, size := range []string{"-test.short", "-test.short=false"} {
			for _, pkg := range w.tested {
				if err := w.test(ctx, pkg, size, others); err != nil {
					return err
				}
			}
		}
	}
	survived := 0
	chosen, caught := map[string]int{}, map[string]int{} // by room
	for _, m := range w.chosen {
		chosen[m.room()]++
		if m.caught {
			caught[m.room()]++
		} else {
			survived++
			fmt.Fprintln(out, "SURVIVED:", m)
		}
	}
	for _, room := range slices.Sorted(maps.Keys(chosen)) {
		fmt.Fprintf(out, "%s: %d of %d\n", room, caught[room], chosen[room])
	}
	fmt.Fprintf(out, "%d of %d mutations were caught, %d survived\n", len(w.chosen)-survived, len(w.chosen), survived)
	return nil
}

// least is how many mutations there are of each room, if it has so many.
const least = 5

// workplace is a clone with the chosen mutations.
type workplace struct {
	dir    string
	out    io.Writer
	tested []string // folders with tests
	chosen []*mutation
}

var (
	packageName  = regexp.MustCompile(`(?m)^package (\w+)`)
	compileError = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: `)
	failedTest   = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)
)

// chooseFirst returns the first n mutations that compile and do not overlap: at first the least that each room has, then others.
func chooseFirst(all []*mutation, n int) (chosen []*mutation) {
	inFile, inRoom := map[string][]*mutation{}, map[string]int{}
	for _, most := range []int{least, n} {
		for _, m := range all {
			if len(chosen) < n && inRoom[m.room()] < most && !m.broken && !slices.ContainsFunc(inFile[m.file], m.overlaps) {
				chosen, inFile[m.file] = append(chosen, m), append(inFile[m.file], m)
				inRoom[m.room()]++
			}
		}
	}
	return chosen
}

// choose writes mutations that compile.
func (w *workplace) choose(ctx context.Context, all []*mutation, n int) error {
	in, sources := map[string][]*mutation{}, map[string][]byte{}
	for _, m := range all {
		sources[m.file] = m.src
	}
	w.chosen = chooseFirst(all, n)
	for i, m := range w.chosen {
		in[m.file] = append(in[m.file], m)
		m.number = strconv.Itoa(i + 1)
	}
	modules := map[string]bool{}
	for file, src := range sources {
		slices.SortFunc(in[file], func(a, b *mutation) int { return b.start - a.start })
		for _, m := range in[file] {
			src = replace(src, m, strings.ReplaceAll(m.switched, "#", m.number))
		}
		modules[w.module(file)] = true
		sources[file] = src
		sources[filepath.Join(filepath.Dir(file), "zz_mutations.go")] = fmt.Appendf(nil, helper, packageName.FindSubmatch(src)[1])
	}
	for file, src := range sources {
		if err := os.WriteFile(filepath.Join(w.dir, file), src, 0o666); err != nil {
			return err
		}
	}
	// Those above first: their packages are imported.
	for _, module := range slices.Sorted(maps.Keys(modules)) {
		out, err := w.command(ctx, module, "go", "build", "-gcflags=-e", "./...").CombinedOutput()
		if err == nil {
			continue
		}
		again := false
		for _, e := range compileError.FindAllSubmatch(out, -1) {
			line, _ := strconv.Atoi(string(e[2]))
			here := in[filepath.Join(module, string(e[1]))]
			// The nearest one above: a missing return is reported at the end of its function.
			if i := slices.IndexFunc(here, func(m *mutation) bool { return m.line <= line }); i >= 0 {
				here[i].broken, again = true, true
			}
		}
		if !again {
			return fmt.Errorf("build %s: %w\n%s", module, err, out)
		}
		return w.choose(ctx, all, n)
	}
	return nil
}

// module returns the folder of the module that a file belongs to.
func (w *workplace) module(file string) string {
	dir := filepath.Dir(file)
	for ; dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(w.dir, dir, "go.mod")); err == nil {
			break
		}
	}
	return dir
}

// test runs the tests of a package for each mutation of it, or of others, that they reach and that is not yet caught.
func (w *workplace) test(ctx context.Context, pkg, size string, others bool) error {
	var left []*mutation
	for _, m := range w.chosen {
		if !m.caught && (filepath.Dir(m.file) != pkg) == others {
			left = append(left, m)
		}
	}
	if len(left) == 0 {
		return nil
	}
	program, reached := filepath.Join(w.dir, "../test"), filepath.Join(w.dir, "../reached")
	if out, err := w.command(ctx, pkg, "go", "test", "-c", "-vet=off", "-o", program, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("build the tests of %s: %w\n%s", pkg, err, out)
	}
	if err := os.WriteFile(reached, nil, 0o666); err != nil {
		return err
	}
	run := func(env string, flags ...string) ([]byte, error) {
		cmd := w.command(ctx, pkg, append([]string{program, size}, flags...)...)
		cmd.Env = append(cmd.Env, env)
		return cmd.CombinedOutput()
	}
	start := time.Now()
	out, err := run("MUTATIONS_REACHED=" + reached)
	limit := 20*time.Second + 10*time.Since(start) // a mutation may loop forever
	var skipped []string
	for _, failed := range failedTest.FindAllSubmatch(out, -1) {
		skipped = append(skipped, string(failed[1]))
	}
	if err != nil && skipped == nil {
		fmt.Fprintf(w.out, "not asked: the tests of %s end without a mutation, too: %v\n", pkg, err)
		return ctx.Err()
	}
	numbers, err := os.ReadFile(reached)
	if err != nil {
		return err
	}
	left = slices.DeleteFunc(left, func(m *mutation) bool { return !slices.Contains(strings.Fields(string(numbers)), m.number) })
	by := make([]string, len(left))
	for i := range workers.InOrder(len(left), runtime.NumCPU(), func(i int) {
		m := left[i]
		out, err := run("MUTATION="+m.number, "-test.failfast", "-test.timeout="+limit.String(), "-test.skip=^("+strings.Join(skipped, "|")+")$")
		if m.caught = err != nil && ctx.Err() == nil; m.caught { // what was interrupted failed for that
			by[i] = fmt.Sprintf("%s %s", pkg, bytes.TrimPrefix(failedTest.Find(out), []byte("--- FAIL: ")))
		}
	}) {
		if m := left[i]; m.caught {
			fmt.Fprintf(w.out, "caught by %s: %s\n", by[i], m)
		}
	}
	return ctx.Err()
}

// command returns a command with a limit of two hours and of memory, which mutated code may exceed: etcd maps 10 GB.
func (w *workplace) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 16000000; exec timeout 2h "$@"`, "sh"}, args...)...)
	cmd.Dir, cmd.Env = filepath.Join(w.dir, dir), append(os.Environ(), gocmd.Variable+"=1")
	return cmd
}
