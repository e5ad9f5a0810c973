package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// A result of a test is stale if the go command prints it again after a program that the test runs has changed. checkFresh changes a constant in
// each package of the root module, one after the other, in a clone, and runs the tests that build something, as far as they note
// what they build. Each result that the package belongs to must be gone, and that of no other one: a check that runs everything again would see nothing.
func checkFresh(ctx context.Context) (ok bool, err error) {
	dir, err := os.MkdirTemp("", "prune-gen-fresh-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	f := &fresh{ctx: ctx, dir: filepath.Join(dir, "clone")}
	if out, err := exec.CommandContext(ctx, "git", "clone", "--quiet", "--shared", ".", f.dir).CombinedOutput(); err != nil {
		return false, fmt.Errorf("clone: %w\n%s", err, out)
	}
	if err := f.find(); err != nil {
		return false, err
	}
	rooms, err := f.rooms()
	if err != nil {
		return false, err
	}
	if _, err := f.cached(); err != nil { // which fills the cache
		return false, err
	}
	before, err := f.cached()
	if err != nil {
		return false, err
	}
	wrong, seen := 0, map[string]int{}
	for pkg := range f.tests {
		if !before[pkg] {
			wrong++
			fmt.Printf("%s: nothing has changed, and its result is not cached\n", pkg)
		}
	}
	for _, room := range rooms {
		undo, err := changeConstant(filepath.Join(f.dir, room))
		if err != nil {
			return false, fmt.Errorf("%s: %w", room, err)
		}
		if undo == nil {
			continue // there is no constant
		}
		after, err := f.cached()
		if err != nil {
			return false, err
		}
		for pkg := range f.tests {
			if after[pkg] && f.compiles[pkg][modulePath+"/"+room] {
				wrong++
				fmt.Printf("%s: %s has changed, and the result of its tests is an old one\n", pkg, room)
			}
			if !after[pkg] {
				seen[pkg]++
			}
		}
		if err := undo(); err != nil {
			return false, err
		}
		if _, err := f.cached(); err != nil { // the file has another time now
			return false, err
		}
	}
	for pkg, n := range seen {
		fmt.Printf("%s: its result was forgotten for %d of %d packages\n", pkg, n, len(rooms))
	}
	fmt.Printf("%d packages whose tests build programs, %d packages changed, %d wrong\n", len(f.tests), len(rooms), wrong)
	return wrong == 0 && len(f.tests) > 5 && len(rooms) > 20, ctx.Err()
}

type fresh struct {
	ctx      context.Context
	dir      string
	tests    map[string][]string        // the names of the tests that build something, by their folders
	compiles map[string]map[string]bool // what they build, by their folders
}

// find finds the tests of the root module that build something, and which packages.
func (f *fresh) find() error {
	f.tests, f.compiles = map[string][]string{}, map[string]map[string]bool{}
	out, err := f.goCommand("list", "-f", `{{$dir := .Dir}}{{range .TestImports}}{{if eq . "`+gocmdPath+`"}}{{$dir}}{{"\n"}}{{end}}{{end}}{{range .XTestImports}}{{if eq . "`+gocmdPath+`"}}{{$dir}}{{"\n"}}{{end}}{{end}}`, "./...")
	if err != nil {
		return err
	}
	for _, dir := range slices.Compact(strings.Fields(string(out))) {
		pkg, err := filepath.Rel(f.dir, dir)
		if err != nil {
			return err
		}
		names, err := testsCalling(dir, gocmdPath, "Build", "Command", "Sources")
		if err != nil {
			return err
		}
		if len(names) == 0 {
			continue // it says what else may build; the walkthroughs open all files themselves
		}
		f.tests[pkg] = names
		// What the calls name is what the test says that it compiles: an engine that a program links and no call names is the mistake looked for.
		f.compiles[pkg] = map[string]bool{}
		for _, main := range programs(dir) {
			deps, err := f.goCommand("list", "-deps", main)
			if err != nil {
				return err
			}
			for _, dep := range strings.Fields(string(deps)) {
				f.compiles[pkg][dep] = true
			}
		}
	}
	return nil
}

const gocmdPath = modulePath + "/internal/testing/gocmd"

// programs returns the packages main of the root module that the tests in a folder name.
func programs(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	var all []string
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for _, m := range regexp.MustCompile(`"(\./(?:cmd/prune-gen|conformance/executors/\w[-\w]*|runtime/\.\.\.))"`).FindAllSubmatch(text, -1) {
			all = append(all, string(m[1]))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// rooms returns the folders of packages that programs consist of.
func (f *fresh) rooms() ([]string, error) {
	out, err := f.goCommand("list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./cmd/prune-gen", "./conformance/executors/...")
	if err != nil {
		return nil, err
	}
	var rooms []string
	for _, pkg := range strings.Fields(string(out)) {
		if room, ok := strings.CutPrefix(pkg, modulePath+"/"); ok {
			rooms = append(rooms, room)
		}
	}
	return rooms, nil
}

// cached runs the tests and returns the folders of those whose results the go command had.
func (f *fresh) cached() (map[string]bool, error) {
	cached := map[string]bool{}
	for pkg, names := range f.tests {
		out, err := f.goCommand("test", "-vet=off", "-run=^("+strings.Join(names, "|")+")$", "./"+pkg)
		if err != nil {
			return nil, err
		}
		cached[pkg] = strings.Contains(string(out), "(cached)")
	}
	return cached, nil
}

// goCommand runs the go command in the clone. Without paths in what is compiled, the clone shares what other clones have compiled.
func (f *fresh) goCommand(args ...string) ([]byte, error) {
	cmd := exec.CommandContext(f.ctx, "go", args...)
	cmd.Dir = f.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath -buildvcs=false -ldflags=-w", gocmd.OnlySources+"=1", testsize.Variable+"=soak")
	out, err := cmd.Output()
	if err != nil {
		var stderr []byte
		if exit, ok := err.(*exec.ExitError); ok {
			stderr = exit.Stderr
		}
		return nil, fmt.Errorf("go %s: %w\n%s%s", strings.Join(args, " "), err, out, stderr)
	}
	return out, nil
}

var constant = regexp.MustCompile(`(?m)^(?:const |\t)\w+ += (\d+)$`)

// changeConstant adds a digit to a constant of a package, and returns how to undo that; nil if it has no constant.
func changeConstant(dir string) (undo func() error, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		at := constant.FindSubmatchIndex(text)
		if at == nil || strings.HasSuffix(file, "_test.go") {
			continue
		}
		changed := slices.Concat(text[:at[3]], []byte("1"), text[at[3]:])
		return func() error { return os.WriteFile(file, text, 0o666) }, os.WriteFile(file, changed, 0o666)
	}
	return nil, nil
}
