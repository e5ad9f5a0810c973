package input

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/prune-gen/prune-gen/internal/text/spelling"
)

// inModule returns the file or directory that an argument names by the path of a Go module: github.com/a/b/config/crd, of the version
// that the module here requires, or github.com/a/b@v1.2.3/config/crd. It is "" if the argument does not look like one. It is an
// error if the module is not on this machine: the go command never downloads anything here.
func inModule(arg string) (string, error) {
	if !isModulePath(arg) {
		return "", nil
	}
	if _, err := exec.LookPath("go"); err != nil {
		return "", fmt.Errorf("%w, and there is no go command on the PATH to look for a Go module", fs.ErrNotExist)
	}
	if module, rest, ok := strings.Cut(arg, "@"); ok {
		version, rest, _ := strings.Cut(rest, "/")
		if !isVersion.MatchString(version) {
			return "", fmt.Errorf("%w, and only a version names a module in the module cache: run go list -m %s@%s, and write what it prints for %[3]s", fs.ErrNotExist, module, version)
		}
		var m struct{ Dir string }
		if json.Unmarshal(goCommand("mod", "download", "-json", module+"@"+version), &m) != nil || m.Dir == "" {
			return "", fmt.Errorf("%w, and the module %s@%s is not in the module cache: run go mod download %[2]s@%[3]s", fs.ErrNotExist, module, version)
		}
		return below(m.Dir, rest)
	}
	for module, rest := arg, ""; strings.Contains(module, "/"); {
		if dir := strings.TrimSpace(string(goCommand("list", "-m", "-f", "{{.Dir}}", module))); dir != "" {
			return below(dir, rest)
		}
		i := strings.LastIndexByte(module, '/')
		rest = module[i+1:] + "/" + rest
		module = module[:i]
	}
	return "", fmt.Errorf("%w, and no module that go.mod requires has this path: write MODULE@VERSION/PATH or, in a module of your own, run go get first", fs.ErrNotExist)
}

// below returns a path below the directory of a module. It is an error if it does not exist.
func below(dir, rest string) (string, error) {
	path := filepath.Join(dir, filepath.FromSlash(rest))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	var names []string
	beside, _ := os.ReadDir(filepath.Dir(path))
	for _, entry := range beside {
		names = append(names, entry.Name())
	}
	if near := spelling.Nearest(filepath.Base(path), names); near != "" {
		return "", fmt.Errorf("%w in the module; did you mean %s?", fs.ErrNotExist, near)
	}
	return "", fmt.Errorf("%w in the module, which is in %s", fs.ErrNotExist, dir)
}

// isVersion matches versions of modules. Others are queries, such as latest, v1 and names of branches, which need the network.
var isVersion = regexp.MustCompile(`^v\d+\.\d+\.\d`)

// isModulePath reports whether an argument looks like the path of a Go module.
func isModulePath(arg string) bool {
	first, _, below := strings.Cut(arg, "/")
	return below && strings.Contains(first, ".") && strings.Trim(first, ".") != "" && !strings.ContainsAny(arg, `\*?[ `)
}

// goCommand returns what the go command prints, nothing if it fails.
func goCommand(args ...string) []byte {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly", "GOTOOLCHAIN=local")
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	return out
}
