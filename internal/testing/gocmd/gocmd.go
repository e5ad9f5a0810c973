// Package gocmd runs the go command for tests: it builds programs of this repository, and compiles what tests have generated.
//
// The go command keeps the result of a test until its binary changes, or a file that the test itself has opened or asked the
// system about; files that a child of the test opens do not count. So this package asks about every source file that it lets the go command compile, and about
// their directories, because a new file changes its directory. Files outside of the test's own module never count: the tests of
// the modules below the root that build something run with -count=1.
//
// No other test builds anything: in the runs before a release, the go command refuses to, unless Variable is set.
package gocmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Variable is set in the environment of go commands that this package starts.
const Variable = "PRUNE_GEN_GOCMD"

// OnlySources is an environment variable. If it is set, tests end where they would start a go command, after its sources are noted.
const OnlySources = "PRUNE_GEN_ONLY_SOURCES"

const module = "module github.com/prune-gen/prune-gen\n"

// root is that of the repository. It is found before a test changes the working directory, and empty if the program of a test is started elsewhere.
var root = func() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.HasPrefix(mod, []byte(module)) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}()

// Build builds a package main of the module in a directory, which is relative to the root, and returns the path of the program. All
// tests with the same arguments share it: it is built again only when something has changed.
func Build(t testing.TB, dir, pkg string, flags ...string) string {
	t.Helper()
	sources(t, dir, append(flags, pkg)...)
	program, err := built(fmt.Sprintf("%q", append([]string{dir, pkg}, flags...)), dir, pkg, flags)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// programs are those that this process has built.
var programs sync.Map

func built(key, dir, pkg string, flags []string) (string, error) {
	build, _ := programs.LoadOrStore(key, sync.OnceValues(func() (string, error) {
		name := path.Base(path.Join("/", dir, pkg))
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		h := fnv.New64a()
		h.Write([]byte(key))
		folder := filepath.Join(root, "build", "tests", fmt.Sprintf("%x", h.Sum64()))
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return "", err
		}
		unlock, err := lock(filepath.Join(folder, "lock"))
		if err != nil {
			return "", fmt.Errorf("lock the folder of %s: %w", name, err)
		}
		defer unlock()
		program := filepath.Join(folder, name)
		// Linking takes half as long without the tables for debuggers, and the revision would change the program with each commit.
		cmd := exec.Command("go", append(append([]string{"build", "-buildvcs=false", "-ldflags=-w", "-o", program}, flags...), pkg)...)
		cmd.Dir, cmd.Env = filepath.Join(root, dir), environment()
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go build %s in %s: %w\n%s", pkg, dir, err, out)
		}
		return program, nil
	}))
	return build.(func() (string, error))()
}

// Command returns a go command in a directory. packages are those of the root module that it compiles, with what they import; none if it
// compiles nothing of this repository.
func Command(t testing.TB, dir string, packages []string, args ...string) *exec.Cmd {
	t.Helper()
	if len(packages) > 0 {
		sources(t, ".", packages...)
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Env = dir, environment()
	return cmd
}

// Sources lets programs that the test starts run go commands. They compile packages of the root module, with what these import.
func Sources(t *testing.T, packages ...string) {
	t.Helper()
	sources(t, ".", packages...)
	t.Setenv(Variable, "1")
}

// environment returns that of a go command, which does not depend on the flags of the one that runs the tests.
func environment() []string {
	return append(os.Environ(), "GOFLAGS=", "GOWORK=off", Variable+"=1")
}

// noted has the sources of what was asked for in this process.
var noted sync.Map

// sources asks the system about all files of this repository that packages of a module are compiled from.
func sources(t testing.TB, dir string, args ...string) {
	t.Helper()
	note, _ := noted.LoadOrStore(fmt.Sprintf("%q", append([]string{dir}, args...)), sync.OnceValue(func() error { return statSources(dir, args) }))
	if err := note.(func() error)(); err != nil {
		t.Fatal(err)
	}
	if os.Getenv(OnlySources) != "" {
		t.Skipf("%s is set", OnlySources)
	}
}

func statSources(dir string, args []string) error {
	if root == "" {
		return errors.New("the test was not started in this repository")
	}
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=Standard,Dir,GoFiles,CgoFiles,IgnoredGoFiles,SFiles,HFiles,EmbedFiles,Module"}, args...)...)
	cmd.Dir, cmd.Env = filepath.Join(root, dir), environment()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("list what %q compile in %s: %w\n%s", args, dir, err, stderr.Bytes())
	}
	stat := func(elements ...string) {
		_, _ = os.Stat(filepath.Join(elements...)) // a file that is gone counts, too
	}
	inside := 0
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Standard                                                      bool
			Dir                                                           string
			GoFiles, CgoFiles, IgnoredGoFiles, SFiles, HFiles, EmbedFiles []string
			Module                                                        struct{ Dir string }
		}
		if err := d.Decode(&p); err != nil {
			break
		}
		if rel, err := filepath.Rel(root, p.Dir); p.Standard || err != nil || !filepath.IsLocal(rel) {
			continue
		}
		inside++
		stat(p.Dir)
		stat(p.Module.Dir, "go.mod")
		stat(p.Module.Dir, "go.sum")
		for _, files := range [][]string{p.GoFiles, p.CgoFiles, p.IgnoredGoFiles, p.SFiles, p.HFiles, p.EmbedFiles} {
			for _, file := range files {
				stat(p.Dir, file)
			}
		}
	}
	if inside == 0 {
		return fmt.Errorf("%q in %s compile nothing of this repository", args, dir)
	}
	return nil
}

// Tracked asks the system about the index of git, so that a test that lists tracked files runs again when they change.
func Tracked(t testing.TB) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(root, ".git", "index")); err != nil && !errors.Is(err, fs.ErrNotExist) && !strings.Contains(err.Error(), "not a directory") {
		t.Fatal(err)
	}
}
