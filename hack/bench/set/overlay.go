package set

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
)

// ImportPath is the import path of this module. The packages of an Overlay are below it.
const ImportPath = "github.com/prune-gen/prune-gen/hack/bench"

// Overlay is files that the go command sees in this module, and that are in a temporary folder: generated code is compiled
// together with Kubernetes' and never becomes part of the repository.
type Overlay struct {
	root, dir string
	replace   map[string]string
}

// NewOverlay returns an overlay without files. Remove removes it.
func NewOverlay() (*Overlay, error) {
	mod, err := output(exec.Command("go", "env", "GOMOD"))
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "prune-gen-bench-")
	return &Overlay{root: filepath.Dir(strings.TrimSpace(string(mod))), dir: dir, replace: map[string]string{}}, err
}

// Remove removes the files.
func (o *Overlay) Remove() { os.RemoveAll(o.dir) }

// Path returns where a file is that programs read or write, outside of the module.
func (o *Overlay) Path(name string) string { return filepath.Join(o.dir, name) }

// Write adds a file of the module.
func (o *Overlay) Write(name string, content []byte) error {
	at := o.Path(filepath.Join("files", name))
	o.replace[filepath.Join(o.root, name)] = at
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		return err
	}
	return os.WriteFile(at, content, 0o666)
}

// Generate adds a package of generated code. The name of its folder is the name of the package.
func (o *Overlay) Generate(dir string, inputs []generator.Input, features generator.Features) error {
	files, err := generator.Generate(inputs, generator.Options{Package: path.Base(dir), Features: features})
	if err != nil {
		return fmt.Errorf("generate %s: %w", dir, err)
	}
	for _, f := range files {
		if err := o.Write(path.Join(dir, f.Name), f.Content); err != nil {
			return err
		}
	}
	return nil
}

// Go runs a command of the go command that compiles packages of the module.
func (o *Overlay) Go(command string, args ...string) error {
	config, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.Path("overlay.json"), config, 0o666); err != nil {
		return err
	}
	cmd := exec.Command("go", append([]string{command, "-overlay=" + o.Path("overlay.json")}, args...)...)
	cmd.Dir, cmd.Env = o.root, append(os.Environ(), gocmd.Variable+"=1")
	_, err = output(cmd)
	return err
}

// output runs a command. Its error has what the command printed.
func output(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, err
}
