package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// readsFiles are the modules whose tests read files of the root module.
var readsFiles = []string{"hack/conformance", "hack/apiserver"}

// pkg is what go list says of a package, or of the variant of it that a test has.
type pkg struct {
	ImportPath, Dir, ForTest                             string
	Standard                                             bool
	Deps                                                 []string
	TestGoFiles, XTestGoFiles, TestImports, XTestImports []string
}

// reach runs the tests that the changes since a commit can reach, committed or not, in all modules. Code reaches the tests that import its package,
// directly or not, and those that build programs; what is below testdata, the package above it; and other files, such as CRDs and recorded answers,
// all tests of their module and, if that is the root module, of those that read its files.
func reach(ctx context.Context, since string) (ok bool, err error) {
	out, err := exec.CommandContext(ctx, "git", "diff", "--name-only", "-z", since).Output()
	if err != nil {
		return false, fmt.Errorf("git diff %s: %w", since, err)
	}
	untracked, err := exec.CommandContext(ctx, "git", "ls-files", "-z", "--others", "--exclude-standard").Output()
	if err != nil {
		return false, fmt.Errorf("git ls-files: %w", err)
	}
	changed := slices.DeleteFunc(strings.Split(string(out)+string(untracked), "\x00"), func(name string) bool { return name == "" })
	ok = true
	for _, module := range modules {
		reached, err := reachedIn(ctx, module, changed)
		if err != nil {
			return false, err
		}
		if len(reached) == 0 {
			continue
		}
		args := append([]string{"test", "-vet=off", "-timeout=" + timeout}, reached...)
		if module != "." {
			args = append(args, "-count=1")
		}
		fmt.Printf("%s: %d packages\n", module, len(reached))
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = module, os.Stdout, os.Stderr, append(os.Environ(), "GOGC=400")
		ok = cmd.Run() == nil && ok
	}
	return ok, ctx.Err()
}

// reachedIn returns the import paths of the packages of a module whose tests changed files can reach.
func reachedIn(ctx context.Context, module string, changed []string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-e", "-deps", "-test", "-json=ImportPath,Dir,ForTest,Standard,Deps,TestGoFiles,XTestGoFiles,TestImports,XTestImports", "./...")
	cmd.Dir, cmd.Stderr = module, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages of %s: %w", module, err)
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	packages, folders := map[string]pkg{}, map[string]string{} // by import path; import paths by folder, from the root
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("list the packages of %s: %w", module, err)
		}
		packages[p.ImportPath] = p
		if dir, err := filepath.Rel(root, p.Dir); err == nil && filepath.IsLocal(dir) && !strings.HasSuffix(p.ImportPath, ".test") && p.ForTest == "" {
			folders[filepath.ToSlash(dir)] = p.ImportPath
		}
	}
	tested, everything := map[string]bool{}, false
	sources := map[string]bool{} // the packages of which something has changed that is not a test
	for _, file := range changed {
		dir := path.Dir(file)
		for folders[dir] == "" && dir != "." {
			dir = path.Dir(dir)
		}
		switch own := moduleOf(file) == module; {
		case isPage(file):
			tested[folders["docs"]] = true
		case strings.HasSuffix(file, "_test.go") || strings.Contains(file, "testdata/"):
			tested[folders[dir]] = tested[folders[dir]] || own
		case strings.HasSuffix(file, ".go"):
			if changed := folders[path.Dir(file)]; changed != "" { // of another module otherwise
				sources[changed] = true
			}
		case own || moduleOf(file) == "." && slices.Contains(readsFiles, module):
			everything = true
		}
	}
	var reached []string
	for _, p := range packages {
		if p.ForTest != "" || len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 || !strings.HasPrefix(p.ImportPath, path.Join(modulePath, module)) {
			continue
		}
		builds := slices.Contains(p.TestImports, gocmdPath) || slices.Contains(p.XTestImports, gocmdPath)
		if everything || tested[p.ImportPath] || sources[p.ImportPath] || builds && len(sources) > 0 ||
			slices.ContainsFunc(packages[p.ImportPath+".test"].Deps, func(dep string) bool { dep, _, _ = strings.Cut(dep, " ["); return sources[dep] }) {
			reached = append(reached, p.ImportPath)
		}
	}
	slices.Sort(reached)
	return reached, nil
}
