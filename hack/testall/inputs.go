package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"runtime"
	"slices"
	"strings"
)

// tree has the files of the repository, with the hashes of what they have at one moment.
type tree map[string][32]byte

func readTree() (tree, error) {
	out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	all := tree{}
	for _, name := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // it is deleted, or a link to a folder
		}
		all[name] = sha256.Sum256(data)
	}
	return all, nil
}

// isPage reports whether a file is text for people, or a picture in it.
func isPage(name string) bool {
	return strings.HasSuffix(name, ".md") && !strings.Contains(name, "testdata/") || strings.HasPrefix(name, "docs/pictures/")
}

// readsAll are packages whose tests read files of all modules, and pages and tests, too.
var readsAll = []string{"docs", "hack/modules", "hack/testall", "internal"}

// alsoReads has the modules that tests of a package build programs of.
var alsoReads = map[string][]string{
	"internal/conformance": {"hack/apiserver/server"},
}

// inputs returns a hash of the files that a row of a module depends on: all files of the module and, since the other modules use the root module as it is
// here, all of those. Tests of another module or package do not count, nor do the tools in hack for packages elsewhere. pkg is the folder of the package,
// from the root; empty for other checks.
func (t tree) inputs(module, pkg string) string {
	in := append([]string{module, "."}, alsoReads[pkg]...)
	for _, dir := range modules {
		if strings.HasPrefix(module, dir+"/") || module == "hack/bench" && dir == "hack/conformance" || strings.HasPrefix(dir, "kube") && module != "." {
			in = append(in, dir)
		}
	}
	counts := func(name string) bool {
		of := moduleOf(name)
		switch {
		case slices.Contains(readsAll, pkg):
			return true
		case !slices.Contains(in, of) || isPage(name):
			return false
		case strings.HasSuffix(name, "_test.go"):
			return of == module && (pkg == "" || path.Dir(name) == pkg)
		}
		return of != "." || pkg == "" || !strings.HasPrefix(name, "hack/") || strings.HasPrefix(pkg, "hack/")
	}
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), pkg)
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if counts(name) {
			sum := t[name]
			fmt.Fprintln(h, name, hex.EncodeToString(sum[:]))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// moduleOf returns the module of a file.
func moduleOf(name string) string {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if slices.Contains(modules, dir) {
			return dir
		}
	}
	return "."
}

// commit returns the abbreviated commit, with a plus if files have changed since.
func commit() string {
	head, _ := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	status, _ := exec.Command("git", "status", "--porcelain").Output()
	text := string(bytes.TrimSpace(head))
	if len(status) > 0 {
		text += "+"
	}
	return text
}
