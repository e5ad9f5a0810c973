package target

import (
	"context"
	"errors"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/prune-gen/prune-gen/generator"
)

// Module is what a Go module provides to its packages, as far as it was asked for.
type Module struct {
	// Root is the directory of go.mod, empty where there is none.
	Root string
	// Err says why nothing could be loaded, for example because there is no go command or go.mod is broken.
	Err error
	// RuntimeErr says why the runtime could not be loaded, in the words of the go command.
	RuntimeErr error
	// RuntimeVersion is the version of the runtime that the module requires, empty where it is replaced or unknown.
	RuntimeVersion string

	packages map[string]*types.Package
	errors   map[string]error
}

// FindRoot returns the nearest directory at or above dir that has a go.mod, and nothing where there is none.
func FindRoot(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && !info.IsDir() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// LoadModule loads the types of the runtime and of the given packages, as the packages at or below dir would import
// them, with the tags set. It never downloads anything and never changes go.mod.
func LoadModule(ctx context.Context, dir string, tags, paths []string) *Module {
	m := &Module{Root: FindRoot(dir), packages: map[string]*types.Package{}, errors: map[string]error{}}
	if m.Root == "" {
		return m
	}
	config := &packages.Config{
		Context: ctx,
		Mode:    packages.NeedName | packages.NeedImports | packages.NeedTypes | packages.NeedModule,
		Dir:     existing(dir),
		Env:     offline(os.Environ()),
	}
	if len(tags) > 0 {
		config.BuildFlags = []string{"-tags=" + strings.Join(tags, ",")}
	}
	wanted := slices.Concat(generator.RuntimePaths(), paths)
	slices.Sort(wanted)
	// The types come from export data, so that nothing but what the package itself consists of is read as source.
	loaded, err := packages.Load(config, slices.Compact(wanted)...)
	if err != nil {
		m.Err = firstLine(err.Error())
		return m
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			m.errors[p.PkgPath] = firstLine(p.Errors[0].Msg)
			continue
		}
		m.packages[p.PkgPath] = p.Types
		if p.PkgPath == generator.RuntimePath && p.Module != nil && p.Module.Replace == nil {
			m.RuntimeVersion = p.Module.Version
		}
	}
	for _, path := range generator.RuntimePaths() {
		if m.RuntimeErr == nil {
			m.RuntimeErr = m.errors[path]
		}
	}
	return m
}

// Vendored tells whether the module has a folder vendor, in which the runtime then has to be, too.
func (m *Module) Vendored() bool {
	info, err := os.Stat(filepath.Join(m.Root, "vendor", "modules.txt"))
	return err == nil && !info.IsDir()
}

// Import implements types.Importer. Where the module does not have the runtime, or not yet, it is the one that is built
// into this program.
func (m *Module) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p, ok := m.packages[path]; ok {
		return p, nil
	}
	if slices.Contains(generator.RuntimePaths(), path) {
		return generator.BuiltinRuntime(path)
	}
	if err, ok := m.errors[path]; ok {
		return nil, err
	}
	return nil, errors.New("it was not loaded")
}

// known tells whether the imports of a package could be looked up at all.
func (m *Module) known() bool { return m.Root != "" && m.Err == nil }

// existing returns the nearest directory at or above dir that exists: a module is the same for both.
func existing(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return dir
		}
		dir = parent
	}
}

// offline returns env changed so that the go command neither asks the network for modules nor edits go.mod.
func offline(env []string) []string {
	flags := slices.DeleteFunc(goFlags(), func(flag string) bool { return flag == "-mod=mod" })
	return append(slices.Clone(env),
		"GOPROXY=off",
		"GONOPROXY=none", // private modules would be fetched past the proxy
		"GOVCS=*:off",
		"GOFLAGS="+strings.Join(flags, " "),
	)
}

// firstLine returns what the go command says, without its exit status and the advice in the lines below.
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
	// With -mod=readonly in GOFLAGS, which is the default anyway, the go command speaks of that instead of the cause.
	if path, ok := strings.CutPrefix(line, "cannot find module providing package "); ok {
		if path, ok := strings.CutSuffix(path, ": import lookup disabled by -mod=readonly"); ok {
			line = "no required module provides package " + path
		}
	}
	return errors.New(strings.TrimSpace(line))
}

// NotDownloaded tells whether the runtime is missing although the module requires it.
func (m *Module) NotDownloaded() bool {
	if m.RuntimeErr == nil {
		return false
	}
	text := m.RuntimeErr.Error()
	return strings.Contains(text, "missing go.sum entry") || strings.Contains(text, "GOPROXY=off")
}
