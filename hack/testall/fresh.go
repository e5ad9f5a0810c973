package main

import (
	"context"
	"fmt"
	"go/scanner"
	"go/token"
	"maps"
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
// each package that programs consist of, one after the other, in a clone, and runs the tests that build these programs, as far as they note what they
// build. Their results must be gone. Tests that the package itself is linked into are not asked: their binary changes. Without a change, each result must be
// there: a check that always ran everything again would see nothing.
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
	all := slices.Sorted(maps.Keys(f.tests))
	if _, err := f.cached(all); err != nil { // which fills the cache
		return false, err
	}
	before, err := f.cached(all)
	if err != nil {
		return false, err
	}
	wrong, asked, rooms := 0, 0, 0
	for _, pkg := range all {
		if !before[pkg] {
			wrong++
			fmt.Printf("%s: nothing has changed, and its result is gone\n", pkg)
		}
	}
	for _, room := range slices.Sorted(maps.Keys(f.rooms)) {
		var builders []string
		for _, pkg := range all {
			if f.builds[pkg][room] && !f.links[pkg][room] {
				builders = append(builders, pkg)
			}
		}
		if len(builders) == 0 {
			continue
		}
		undo, err := changeConstant(filepath.Join(f.dir, room))
		if err != nil {
			return false, fmt.Errorf("%s: %w", room, err)
		}
		if undo == nil {
			fmt.Printf("%s has no constant\n", room)
			continue
		}
		after, err := f.cached(builders)
		if err != nil {
			return false, err
		}
		rooms, asked = rooms+1, asked+len(builders)
		fmt.Printf("%s has changed: %s\n", room, strings.Join(builders, ", "))
		for _, pkg := range builders {
			if after[pkg] {
				wrong++
				fmt.Printf("%s: the result of its tests is an old one\n", pkg)
			}
		}
		if err := undo(); err != nil {
			return false, err
		}
	}
	fmt.Printf("%d packages whose tests build programs, %d packages changed, %d results, %d wrong\n", len(all), rooms, asked, wrong)
	return wrong == 0 && len(all) > 5 && rooms > 20, ctx.Err()
}

type fresh struct {
	ctx           context.Context
	dir           string
	tests         map[string][]string        // the names of the tests that build something, by their folders
	builds, links map[string]map[string]bool // the folders of packages that they build, and that they consist of
	rooms         map[string]bool            // what any of them builds
}

// find finds the tests of the root module that build something, and which packages.
func (f *fresh) find() error {
	f.tests, f.builds, f.links, f.rooms = map[string][]string{}, map[string]map[string]bool{}, map[string]map[string]bool{}, map[string]bool{}
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
		f.builds[pkg] = map[string]bool{}
		for _, program := range programs(dir) {
			if err := f.dependencies(f.builds[pkg], program); err != nil {
				return err
			}
		}
		maps.Copy(f.rooms, f.builds[pkg])
		f.links[pkg] = map[string]bool{}
		if err := f.dependencies(f.links[pkg], "-test", "./"+pkg); err != nil {
			return err
		}
	}
	return nil
}

// dependencies adds the folders of what packages consist of.
func (f *fresh) dependencies(folders map[string]bool, args ...string) error {
	deps, err := f.goCommand(append([]string{"list", "-deps"}, args...)...)
	if err != nil {
		return err
	}
	for dep := range strings.Lines(string(deps)) {
		dep, _, _ = strings.Cut(strings.TrimSpace(dep), " [")
		if folder, ok := strings.CutPrefix(dep, modulePath+"/"); ok && !strings.HasSuffix(folder, ".test") {
			folders[folder] = true
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

// cached runs the tests of packages, and returns the folders of those whose results the go command had.
func (f *fresh) cached(packages []string) (map[string]bool, error) {
	var names, paths []string
	for _, pkg := range packages {
		names, paths = append(names, f.tests[pkg]...), append(paths, "./"+pkg)
	}
	out, err := f.goCommand(append([]string{"test", "-vet=off", "-run=^(" + strings.Join(names, "|") + ")$"}, paths...)...)
	if err != nil {
		return nil, err
	}
	cached := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[0] == "ok" {
			cached[strings.TrimPrefix(fields[1], modulePath+"/")] = fields[2] == "(cached)"
		}
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

// changeConstant adds a digit to a constant of a package, and returns how to undo that, with the time of the file; nil if it has no constant.
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
		at := endOfInt(text)
		if at == 0 || strings.HasSuffix(file, "_test.go") {
			continue
		}
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		changed := slices.Concat(text[:at], []byte("1"), text[at:])
		undo = func() error {
			if err := os.WriteFile(file, text, 0o666); err != nil {
				return err
			}
			return os.Chtimes(file, info.ModTime(), info.ModTime()) // results depend on it
		}
		return undo, os.WriteFile(file, changed, 0o666)
	}
	return nil, nil
}

// endOfInt returns where the first integer of a Go file ends, 0 if it has none.
func endOfInt(text []byte) int {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, nil, 0)
	for {
		switch pos, tok, literal := s.Scan(); tok {
		case token.EOF:
			return 0
		case token.INT:
			return file.Offset(pos) + len(literal)
		}
	}
}
