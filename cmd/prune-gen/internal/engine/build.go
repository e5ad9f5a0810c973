package engine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/interrupt"
)

// wasmPackage is the program in a page.
const wasmPackage = "github.com/prune-gen/prune-gen/cmd/prune-gen/internal/engine/wasm"

// build builds the engine with the go command.
//
// Only releases embed the engine: it would have to be committed, 2 MB with every change to the packages in it, to be part of what go
// install builds. Whoever runs go install has Go, and the sources of this program: in a checkout, or in the module cache. The go command
// keeps what it has compiled, so that only the first page takes long. It downloads nothing.
func build() (*Engine, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, errors.New("this build needs the go command to make a page; use a release, or --tree-only for a page without the editor")
	}
	dir, err := makeTemporary()
	if err != nil {
		return nil, err
	}
	defer interrupt.Hold(func() {
		dir.Remove()
		interrupt.Forget(dir)
	})
	out := filepath.Join(string(dir), "engine.wasm")
	var why []error
	for _, from := range sources() {
		env := append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly", "GOWORK=off")
		// Code without inlining compresses better, by an eighth.
		if _, err := goCommand(from, append(env, "GOOS=js", "GOARCH=wasm"), "build", "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-ldflags=-s -w", "-o", out, wasmPackage); err != nil {
			why = append(why, fmt.Errorf("build the engine in %s: %w", from, err))
			continue
		}
		root, err := goCommand(from, env, "env", "GOROOT")
		if err != nil {
			return nil, fmt.Errorf("find the loader of the engine: %w", err)
		}
		code, err := os.ReadFile(out)
		if err != nil {
			return nil, err
		}
		loader, err := os.ReadFile(filepath.Join(root, "lib", "wasm", loaderFile))
		if err != nil {
			return nil, fmt.Errorf("read the loader that belongs to Go: %w", err)
		}
		return newEngine(code, loader)
	}
	return nil, fmt.Errorf("%w; --tree-only writes a page without the editor", errors.Join(why...))
}

// temporary is a directory that goes away when the engine is built, or with an interrupt.
type temporary string

func makeTemporary() (t temporary, err error) {
	interrupt.Hold(func() {
		var dir string
		if dir, err = os.MkdirTemp("", "prune-gen-engine-"); err == nil {
			t = temporary(dir)
			interrupt.Add(t)
		}
	})
	return t, err
}

// Remove implements interrupt.Unfinished.
func (t temporary) Remove() { os.RemoveAll(string(t)) }

// Write builds the engine and writes its files to a folder.
func Write(dir string) error {
	e, err := build()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, wasmFile), e.WASM, 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, loaderFile), []byte(e.Loader), 0o666)
}

// sources returns the directories in which the go command may know the package of the engine: first that of the sources that
// this program was built from, then the working directory, whose module may require this one with other versions of what both need.
func sources() []string {
	const levels = 4 // from the package of this file to the root of the module
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Dir(filepath.FromSlash(file))
	for range levels {
		dir = filepath.Dir(dir)
	}
	if !filepath.IsAbs(dir) { // built with -trimpath: module@version
		cache, err := goCommand(".", os.Environ(), "env", "GOMODCACHE")
		if err != nil {
			return []string{"."}
		}
		dir = filepath.Join(cache, dir)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		return []string{"."}
	}
	return []string{dir, "."}
}

// goCommand runs the go command in a directory and returns what it prints. The error includes its messages.
func goCommand(dir string, env []string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(out)), nil
}
