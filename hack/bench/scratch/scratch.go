// Package scratch makes Go modules in temporary folders: generated code is compiled and run there and never becomes part
// of the repository.
package scratch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/generator"
)

const (
	rootPath  = "github.com/prune-gen/prune-gen"
	benchPath = rootPath + "/hack/bench"
)

// Module is a Go module called "scratch" in a folder of its own.
type Module struct {
	Dir string
}

// New makes a module that requires prune-gen and nothing else, as a user's does.
func New(ctx context.Context) (*Module, error) {
	root, err := moduleDir(ctx, rootPath)
	if err != nil {
		return nil, err
	}
	m, err := create(filepath.Join(root, "go.sum"), fmt.Sprintf("module scratch\n\ngo 1.26.0\n\nrequire %s v0.0.0\n", rootPath))
	if err != nil {
		return nil, err
	}
	return m, m.edit(ctx, "-replace="+rootPath+"="+root)
}

// NewLikeBench makes a module with all that this one requires, Kubernetes included, and this one as well. What is
// compiled in it needs no downloads.
func NewLikeBench(ctx context.Context) (*Module, error) {
	bench, err := moduleDir(ctx, benchPath)
	if err != nil {
		return nil, err
	}
	mod, err := os.ReadFile(filepath.Join(bench, "go.mod"))
	if err != nil {
		return nil, err
	}
	m, err := create(filepath.Join(bench, "go.sum"), string(mod))
	if err != nil {
		return nil, err
	}
	edits := []string{"-module=scratch", "-require=" + benchPath + "@v0.0.0", "-replace=" + benchPath + "=" + bench}
	replaced, err := m.replacements(ctx)
	if err != nil {
		m.Remove()
		return nil, err
	}
	for path, dir := range replaced {
		if strings.HasPrefix(dir, ".") {
			edits = append(edits, "-replace="+path+"="+filepath.Join(bench, dir))
		}
	}
	return m, m.edit(ctx, edits...)
}

func moduleDir(ctx context.Context, path string) (string, error) {
	out, err := run(exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", path))
	if err != nil {
		return "", fmt.Errorf("find module %s: %w", path, err)
	}
	return strings.TrimSpace(string(out)), nil
}

func create(sumFile, mod string) (*Module, error) {
	sum, err := os.ReadFile(sumFile)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "prune-gen-bench-")
	if err != nil {
		return nil, err
	}
	m := &Module{dir}
	for name, content := range map[string]string{"go.mod": mod, "go.sum": string(sum)} {
		if err := m.Write(name, []byte(content)); err != nil {
			m.Remove()
			return nil, err
		}
	}
	return m, nil
}

func (m *Module) edit(ctx context.Context, edits ...string) error {
	_, err := m.Go(ctx, append([]string{"mod", "edit"}, edits...)...)
	if err != nil {
		m.Remove()
	}
	return err
}

// replacements returns what go.mod replaces modules with.
func (m *Module) replacements(ctx context.Context) (map[string]string, error) {
	out, err := m.Go(ctx, "mod", "edit", "-json")
	if err != nil {
		return nil, err
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path string }
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return nil, fmt.Errorf("read go.mod: %w", err)
	}
	all := map[string]string{}
	for _, r := range mod.Replace {
		all[r.Old.Path] = r.New.Path
	}
	return all, nil
}

// Remove removes the module with all that is in it.
func (m *Module) Remove() { os.RemoveAll(m.Dir) }

// Path returns where a file of the module is.
func (m *Module) Path(name string) string { return filepath.Join(m.Dir, filepath.FromSlash(name)) }

// Write writes a file of the module, and the folder it is in.
func (m *Module) Write(name string, content []byte) error {
	file := m.Path(name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o666)
}

// Generate generates a package of the module, in the place of one that was generated before. The folder's name is the package's.
func (m *Module) Generate(pkg string, inputs []generator.Input, features generator.Features) error {
	files, err := generator.Generate(inputs, generator.Options{Package: filepath.Base(pkg), Features: features})
	if err != nil {
		return fmt.Errorf("generate %s: %w", pkg, err)
	}
	if err := os.RemoveAll(m.Path(pkg)); err != nil {
		return err
	}
	for _, f := range files {
		if err := m.Write(pkg+"/"+f.Name, f.Content); err != nil {
			return err
		}
	}
	return nil
}

// Go runs the go command in the module.
func (m *Module) Go(ctx context.Context, args ...string) ([]byte, error) {
	return m.GoEnv(ctx, nil, args...)
}

// GoEnv runs the go command in the module with additional environment variables.
func (m *Module) GoEnv(ctx context.Context, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = m.Dir
	// No go.work and no flags that are meant for the repository; go.sum may miss lines for what programs import.
	cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	cmd.Env = append(cmd.Env, env...)
	return run(cmd)
}

// run runs a command. The error holds what it printed.
func run(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return out, err
}
