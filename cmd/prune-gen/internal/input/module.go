package input

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
		version, below, _ := strings.Cut(rest, "/")
		var m struct{ Dir string }
		if json.Unmarshal(goCommand("mod", "download", "-json", module+"@"+version), &m) != nil || m.Dir == "" {
			return "", fmt.Errorf("%w, and the module %s@%s is not in the module cache: run go mod download %[2]s@%[3]s", fs.ErrNotExist, module, version)
		}
		return filepath.Join(m.Dir, filepath.FromSlash(below)), nil
	}
	for module, below := arg, ""; strings.Contains(module, "/"); {
		if dir := strings.TrimSpace(string(goCommand("list", "-m", "-f", "{{.Dir}}", module))); dir != "" {
			return filepath.Join(dir, filepath.FromSlash(below)), nil
		}
		i := strings.LastIndexByte(module, '/')
		below = module[i+1:] + "/" + below
		module = module[:i]
	}
	return "", fmt.Errorf("%w, and no module that go.mod requires has this path: run go get first, or write MODULE@VERSION/PATH", fs.ErrNotExist)
}

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
