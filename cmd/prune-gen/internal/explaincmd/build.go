package explaincmd

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// engine is the part of this program that runs in a page.
type engine struct {
	wasm   string // compressed, as text
	loader string // the script that runs it, of the Go that built it
}

// enginePackage is the program in a page.
const enginePackage = "github.com/prune-gen/prune-gen/cmd/prune-gen/internal/explaincmd/engine"

// buildEngine builds the engine with the go command.
//
// The engine is not embedded in the program: it would have to be committed, 2 MB with every change to the packages in it, or be
// missing from what go install builds. Whoever runs a generator of Go code has Go, and the sources of this program, because it was
// built from them: in a checkout, or in the module cache. The go command keeps what it has compiled, so that only the first page
// takes long. It downloads nothing.
func buildEngine() (*engine, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, fmt.Errorf("a page contains this program as WebAssembly, which the go command builds: %w", err)
	}
	dir, err := os.MkdirTemp("", "prune-gen-engine-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "engine.wasm")
	var why []error
	for _, from := range engineSources() {
		env := append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly", "GOWORK=off")
		// Code without inlining compresses better, by an eighth.
		if _, err := goCommand(from, append(env, "GOOS=js", "GOARCH=wasm"), "build", "-trimpath", "-gcflags=all=-l", "-ldflags=-s -w", "-o", out, enginePackage); err != nil {
			why = append(why, fmt.Errorf("build the engine in %s: %w", from, err))
			continue
		}
		root, err := goCommand(from, env, "env", "GOROOT")
		if err != nil {
			return nil, fmt.Errorf("find the loader of the engine: %w", err)
		}
		return readEngine(out, filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	}
	return nil, errors.Join(why...)
}

// readEngine returns an engine that was built, with its loader.
func readEngine(wasm, loader string) (*engine, error) {
	code, err := os.ReadFile(wasm)
	if err != nil {
		return nil, err
	}
	script, err := os.ReadFile(loader)
	if err != nil {
		return nil, fmt.Errorf("read the loader that belongs to Go: %w", err)
	}
	if bytes.Contains(bytes.ToLower(script), []byte("</script")) {
		return nil, fmt.Errorf("%s cannot be part of a page", loader)
	}
	packed, err := pack(code)
	if err != nil {
		return nil, err
	}
	return &engine{packed, string(script)}, nil
}

// engineSources returns the directories in which the go command may know the package of the engine: first that of the sources that
// this program was built from, then the working directory, whose module may require this one with other versions of what both need.
func engineSources() []string {
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

// goCommand runs the go command in a directory and returns what it prints. The error has what it says is wrong.
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
