package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

const modulePath = "github.com/prune-gen/prune-gen"

// rows returns the rows of a check, with the hashes of their inputs: one, or one for each package with tests.
func (c check) rows(t tree) ([]result, error) {
	if c.command != "" {
		return []result{{Module: c.module, Row: c.name, Soak: c.soak, Inputs: t.inputs(c.module, "")}}, nil
	}
	cmd := exec.Command("go", "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", "./...")
	cmd.Dir, cmd.Stderr = c.module, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages of %s: %w", c.module, err)
	}
	var rows []result
	for _, pkg := range strings.Fields(string(out)) {
		folder := "." + strings.TrimPrefix(pkg, path.Join(modulePath, c.module))
		if c.soak && len(soaking(filepath.Join(c.module, folder))) == 0 && c.module != "hack/release" {
			continue
		}
		rows = append(rows, result{Module: c.module, Row: folder, Soak: c.soak, Inputs: t.inputs(c.module, path.Join(c.module, folder))})
	}
	return rows, nil
}

// soaking returns the names of a package's tests that only make soak includes.
func soaking(dir string) []string {
	names, err := testsCalling(dir, path.Join(modulePath, "internal/testing/testsize"), "Soak", "Soaking")
	if err != nil {
		panic(err) // the package compiles
	}
	return names
}

// run runs the rows of a check that have not passed.
func (c check) run(ctx context.Context, b *board, again bool) error {
	t, err := readTree()
	if err != nil {
		return err
	}
	rows, err := c.rows(t)
	if err != nil {
		return err
	}
	if !again {
		rows = slices.DeleteFunc(rows, func(r result) bool { return b.passed(r.key(), r.Inputs) })
	}
	switch {
	case len(rows) == 0:
		return nil
	case c.command != "":
		return c.runCommand(ctx, b, rows[0])
	case !c.soak:
		return c.runTests(ctx, b, rows, ".")
	}
	for _, row := range rows { // each with the names of its own
		names := soaking(filepath.Join(c.module, row.Row))
		if c.module == "hack/release" {
			names = []string{".*"}
		}
		if err := c.runTests(ctx, b, []result{row}, "^("+strings.Join(names, "|")+")$"); err != nil {
			return err
		}
	}
	return nil
}

// start starts a command of a check, and returns its output and how to wait for it.
func (c check) start(ctx context.Context, extra []string, args ...string) (output io.Reader, wait func() (state *os.ProcessState, err error)) {
	fmt.Printf("%s: %s\n", c.module, strings.Join(args, " "))
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Stderr, cmd.Env = c.module, os.Stderr, append(c.environment(), extra...)
	out, in := io.Pipe()
	cmd.Stdout = in
	failed := make(chan error, 1)
	go func() {
		err := cmd.Run()
		in.Close()
		failed <- err
	}()
	return out, func() (*os.ProcessState, error) { err := <-failed; return cmd.ProcessState, err }
}

// cpu returns the time of processors of a process and of those that it waited for.
func cpu(state *os.ProcessState) float64 {
	if state == nil { // it was not started
		return 0
	}
	return (state.UserTime() + state.SystemTime()).Seconds()
}

func (c check) runCommand(ctx context.Context, b *board, row result) error {
	began := time.Now()
	out, wait := c.start(ctx, nil, "sh", "-c", c.command)
	row.Skipped = copyOutput(out)
	state, err := wait()
	if ctx.Err() != nil {
		return nil // what was interrupted failed for that
	}
	row.Passed, row.Commit, row.Wall, row.CPU = err == nil, commit(), time.Since(began).Seconds(), cpu(state)
	return b.record(row)
}

// copyOutput prints the lines of a script, and returns those that say that a part is skipped.
func copyOutput(r io.Reader) (skipped []string) {
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadString('\n')
		os.Stdout.WriteString(line)
		if strings.Contains(line, " skipped: ") {
			skipped = append(skipped, strings.TrimSpace(line))
		}
		if err != nil {
			return skipped
		}
	}
}

// runTests runs the tests of packages, and records each when it ends.
func (c check) runTests(ctx context.Context, b *board, rows []result, run string) error {
	wrapper, err := wrapGo()
	if err != nil {
		return err
	}
	args := []string{"go", "test", "-json", "-vet=off", "-timeout=" + timeout, "-run=" + run, "-exec=" + wrapper}
	if c.module != "." { // files of the root module are not among those that a cached result depends on
		args = append(args, "-count=1")
	}
	byPackage := map[string]result{}
	for _, row := range rows {
		args = append(args, row.Row)
		byPackage[path.Join(modulePath, c.module, row.Row)] = row
	}
	out, wait := c.start(ctx, nil, args...)
	for pkg := range readEvents(out) {
		row, wanted := byPackage[pkg.name]
		if !wanted || ctx.Err() != nil {
			continue
		}
		delete(byPackage, pkg.name)
		row.Passed, row.Skipped, row.Commit, row.Wall, row.CPU = pkg.passed, pkg.skipped, commit(), pkg.seconds, usage(pkg.name)
		if former := b.results[row.key()]; pkg.cached && former.Passed {
			row.Wall, row.CPU = former.Wall, former.CPU
		}
		if err := b.record(row); err != nil {
			return err
		}
	}
	if _, failed := wait(); ctx.Err() == nil {
		for _, row := range byPackage { // which did not compile
			row.Commit = commit()
			if err := b.record(row); err != nil {
				return err
			}
		}
		if failed == nil && len(byPackage) > 0 {
			return fmt.Errorf("go test in %s says nothing of %d packages", c.module, len(byPackage))
		}
	}
	return nil
}

// ended is what go test -json says of a package.
type ended struct {
	name           string
	passed, cached bool
	skipped        []string
	seconds        float64
}

// readEvents reads the output of go test -json. It prints what tests that fail print, and returns the packages as they end.
func readEvents(r io.Reader) iter.Seq[ended] {
	return func(yield func(ended) bool) {
		output, skipped, cached := map[string]string{}, map[string][]string{}, map[string]bool{} // by package and test, and by package
		for lines, yielding := bufio.NewReader(r), true; ; {
			line, err := lines.ReadBytes('\n')
			var event struct {
				Action, Package, Test, Output string
				Elapsed                       float64
			}
			switch {
			case len(line) == 0:
			case line[0] != '{' || json.Unmarshal(line, &event) != nil:
				os.Stdout.Write(line)
			case event.Action == "build-output":
				fmt.Print(event.Output)
			case event.Action == "output":
				output[event.Package+" "+event.Test] += event.Output
				cached[event.Package] = cached[event.Package] || event.Test == "" && strings.HasSuffix(event.Output, "\t(cached)\n")
			case event.Action == "pass" || event.Action == "fail" || event.Action == "skip":
				text := output[event.Package+" "+event.Test]
				delete(output, event.Package+" "+event.Test)
				if event.Action == "fail" {
					fmt.Print(text)
				}
				switch {
				case event.Test == "" && event.Action != "skip": // which is a package without tests
					yielding = yielding && yield(ended{event.Package, event.Action == "pass", cached[event.Package], skipped[event.Package], event.Elapsed})
				case event.Action == "skip" && event.Test != "" && !strings.Contains(text, testsize.Left):
					skipped[event.Package] = append(skipped[event.Package], event.Test+": "+reason(text))
				}
			}
			if err != nil {
				return
			}
		}
	}
}

// reason returns the line with which a test was skipped, without its place.
func reason(output string) string {
	for line := range strings.Lines(output) {
		if at, text, found := strings.Cut(strings.TrimSpace(line), ": "); found && strings.Contains(at, ".go:") {
			return text
		}
	}
	return "no reason"
}

// execute is the argument with which this program is what go test -exec starts, with a test after it.
const execute = "execute-test"

// toolFolder has what tests are run with. Its path is always the same, since it is part of what a cached result depends on.
const toolFolder = "build/testall"

// self is the environment variable with the path of this program, and tools that of toolFolder.
const self, folder = "PRUNE_GEN_TESTALL", "PRUNE_GEN_TESTALL_FOLDER"

// wrapGo writes a program that runs tests with a go command that builds nothing unless internal/testing/gocmd has started it. go test puts
// the go command first in PATH: only what it executes can put another one before it.
func wrapGo() (wrapper string, err error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	real, err := exec.LookPath("go")
	if err != nil {
		return "", err
	}
	dir, err := filepath.Abs(toolFolder)
	if err != nil {
		return "", err
	}
	refuse := `#!/bin/sh
case "$1 $2" in
"tool nm") ;;
build* | generate* | install* | run* | test* | tool*)
	if [ -z "$` + gocmd.Variable + `" ]; then
		echo "go $1: a test builds with internal/testing/gocmd, so that its cached result depends on the sources" >&2
		exit 2
	fi ;;
esac
exec ` + strconv.Quote(real) + ` "$@"
`
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o777); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "bin", "go"), []byte(refuse), 0o777); err != nil {
		return "", err
	}
	wrapper = filepath.Join(dir, "run")
	os.Setenv(self, program)
	os.Setenv(folder, dir)
	return wrapper, os.WriteFile(wrapper, []byte("#!/bin/sh\nexec \"$"+self+"\" "+execute+" \"$@\"\n"), 0o777)
}

// runTest runs the program of a test, with the go command that refuses first in PATH, and writes how much time of processors it took.
func runTest(args []string) int {
	dir := os.Getenv(folder)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "testall:", err)
		return 2
	}
	// go test runs a test in the folder of its package.
	if here, err := os.Getwd(); err == nil {
		_ = os.WriteFile(usageFile(dir, here), fmt.Append(nil, cpu(cmd.ProcessState)), 0o666)
	}
	if code := cmd.ProcessState.ExitCode(); code >= 0 {
		return code
	}
	fmt.Fprintln(os.Stderr, "testall:", cmd.ProcessState) // a signal ended it
	return 2
}

func usageFile(dir, pkg string) string {
	return filepath.Join(dir, strings.NewReplacer("/", "_", `\`, "_", ":", "_").Replace(pkg)+".cpu")
}

// usage returns the time of processors that the tests of a package have taken, without their compilation.
func usage(pkg string) float64 {
	here, err := os.Getwd()
	if err != nil {
		return 0
	}
	data, _ := os.ReadFile(usageFile(toolFolder, filepath.Join(here, strings.TrimPrefix(pkg, modulePath))))
	seconds, _ := strconv.ParseFloat(string(data), 64)
	return seconds
}
