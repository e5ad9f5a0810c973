package target

import (
	"context"
	"errors"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/prune-gen/prune-gen/internal/base/gosource"
	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
)

// Module holds the packages that a Go module provides, as far as LoadModule was asked for them.
type Module struct {
	// Root is the directory of go.mod, "" for none.
	Root string
	// Err is why nothing could be loaded: there is no go command, for example, or go.mod is broken.
	Err error
	// RuntimeErr is why the runtime could not be loaded, in the words of the go command.
	RuntimeErr error
	// RuntimeVersion is the version of the runtime that the module requires, "" if it is replaced or unknown.
	RuntimeVersion string

	fset     *token.FileSet // the places of what the packages declare
	packages map[string]*types.Package
	errors   map[string]error
	builtin  map[string]*types.Package // the runtime that is built into this program, for modules that do not have it
}

// ErrNoGo is the Err of a module that there is no go command for.
var ErrNoGo = errors.New("there is no go command")

// FindRoot returns the nearest directory at or above dir that has a go.mod, "" for none.
func FindRoot(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	return nearest(dir, func(dir string) bool { return isFile(filepath.Join(dir, "go.mod")) })
}

// nearest returns the nearest directory at or above dir that satisfies want, "" for none.
func nearest(dir string, want func(dir string) bool) string {
	for !want(dir) {
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
	return dir
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// LoadModule loads the types of the runtime and of the packages with the given paths, as a package in dir imports them
// with the tags set. It never downloads anything and never changes go.mod.
func LoadModule(ctx context.Context, dir string, tags, paths []string) *Module {
	m := &Module{Root: FindRoot(dir), fset: token.NewFileSet(), packages: map[string]*types.Package{}, errors: map[string]error{}}
	if m.Root == "" {
		return m
	}
	config := &packages.Config{
		Context: ctx,
		Mode:    packages.NeedName | packages.NeedImports | packages.NeedTypes | packages.NeedModule,
		Dir:     nearest(dir, isDir), // in the same module
		Fset:    m.fset,
		Env:     offline(os.Environ()),
	}
	if len(tags) > 0 {
		config.BuildFlags = []string{"-tags=" + strings.Join(tags, ",")}
	}
	wanted := slices.Concat(typecheck.ImportPaths(), paths)
	slices.Sort(wanted)
	// The types come from export data: only the package itself is read as source.
	loaded, err := packages.Load(config, slices.Compact(wanted)...)
	if err != nil {
		m.Err = firstLine(err.Error())
		if _, err := exec.LookPath("go"); err != nil {
			m.Err = ErrNoGo
		}
		return m
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			m.errors[p.PkgPath] = firstLine(p.Errors[0].Msg)
			continue
		}
		m.packages[p.PkgPath] = p.Types
		if p.PkgPath == gosource.RuntimePath && p.Module != nil && p.Module.Replace == nil {
			m.RuntimeVersion = p.Module.Version
		}
	}
	for _, path := range typecheck.RuntimePaths()[:2] { // the others need not be vendored
		if m.RuntimeErr == nil {
			m.RuntimeErr = m.errors[path]
		}
	}
	if io, ok := m.packages["io"]; ok && m.RuntimeErr != nil {
		if m.builtin, err = typecheck.BuiltinRuntime(io); err != nil {
			m.Err = err
		}
	}
	return m
}

// Vendored reports whether the module has a vendor directory. The runtime has to be in it, too.
func (m *Module) Vendored() bool {
	return isFile(filepath.Join(m.Root, "vendor", "modules.txt"))
}

// Import implements types.Importer. It returns the runtime built into this program if the module does not have it.
func (m *Module) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p, ok := m.packages[path]; ok {
		return p, nil
	}
	if p, ok := m.builtin[path]; ok {
		return p, nil
	}
	if slices.Contains(typecheck.ImportPaths(), path) {
		return typecheck.Builtin(path)
	}
	if err, ok := m.errors[path]; ok {
		return nil, err
	}
	return nil, errors.New("it was not loaded")
}

// known reports whether imports could be looked up.
func (m *Module) known() bool { return m.Root != "" && m.Err == nil }

// offline returns env with settings that keep the go command from using the network and from editing go.mod.
func offline(env []string) []string {
	flags := slices.DeleteFunc(goFlags(), func(flag string) bool { return flag == "-mod=mod" })
	return append(slices.Clone(env),
		"GOPROXY=off",
		"GONOPROXY=none", // private modules would be fetched past the proxy
		"GOVCS=*:off",
		"GOFLAGS="+strings.Join(flags, " "),
	)
}

// ErrNotDownloaded is an error of the go command because the module cache lacks a module.
var ErrNotDownloaded = errors.New("not downloaded")

// goError is an error of the go command, whose errors are texts.
type goError struct {
	text string
	is   error // ErrNotDownloaded or nil
}

func (e *goError) Error() string { return e.text }
func (e *goError) Unwrap() error { return e.is }

// firstLine returns the first line of the go command's message, without its exit status and its advice.
func firstLine(text string) error {
	if _, stderr, ok := strings.Cut(text, ": stderr: "); ok && strings.TrimSpace(stderr) != "" {
		text = stderr
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	line := strings.TrimPrefix(lines[0], "go: ")
	// "errors parsing go.mod:" is not worth much without the error.
	if strings.HasSuffix(line, ":") && len(lines) > 1 && !strings.Contains(line, "; to add") {
		line += " " + strings.TrimSpace(lines[1])
	}
	line, _, _ = strings.Cut(line, "; to add")
	// With -mod=readonly in GOFLAGS, the default anyway, the go command names the flag instead of the cause.
	if path, ok := strings.CutPrefix(line, "cannot find module providing package "); ok {
		if path, ok := strings.CutSuffix(path, ": import lookup disabled by -mod=readonly"); ok {
			line = "no required module provides package " + path
		}
	}
	e := &goError{text: strings.TrimSpace(line)}
	if strings.Contains(line, "missing go.sum entry") || strings.Contains(line, "GOPROXY=off") {
		e.is = ErrNotDownloaded
	}
	return e
}

// NotDownloaded reports whether the module requires the runtime, but the module cache does not have it.
func (m *Module) NotDownloaded() bool { return errors.Is(m.RuntimeErr, ErrNotDownloaded) }
