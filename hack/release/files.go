package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// root is the module of the program, from here.
const root = "../.."

// writeFiles writes a folder for each kind of file.
func writeFiles(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, name := range []string{"completions", "licenses", "man"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			return err
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		script, err := goCommand(runtime.GOOS, "run", "./cmd/prune-gen", "completion", shell)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "completions", "prune-gen."+shell), script.Bytes(), 0o666); err != nil {
			return err
		}
	}
	if _, err := goCommand(runtime.GOOS, "test", "./cmd/prune-gen", "-run", "^TestManPages$", "-man", filepath.Join(dir, "man")); err != nil {
		return err
	}
	return writeLicenses(filepath.Join(dir, "licenses"))
}

// A legal file is one that has to go with the program.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// writeLicenses writes the licences of Go and of all modules in the program, each to a folder with the name of the module.
func writeLicenses(dir string) error {
	// A program for Windows may need a module that others do not.
	modules := map[string]string{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		out, err := goCommand(system, "list", "-deps", "-json=Module", "-tags=embedengine", "./cmd/prune-gen")
		if err != nil {
			return err
		}
		for d := json.NewDecoder(out); ; {
			var p struct {
				Module *struct {
					Path, Dir string
					Main      bool
				}
			}
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
			if p.Module != nil && !p.Module.Main {
				modules[p.Module.Path] = p.Module.Dir
			}
		}
	}
	goroot, err := goCommand(runtime.GOOS, "env", "GOROOT")
	if err != nil {
		return err
	}
	modules["go"] = strings.TrimSpace(goroot.String())
	for path, from := range modules {
		if err := copyLegal(filepath.Join(dir, filepath.FromSlash(path)), from); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// copyLegal copies the legal files of a module. It fails if there are none.
func copyLegal(to, from string) error {
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	none := true
	for _, f := range files {
		if !f.Type().IsRegular() || !legal.MatchString(f.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(to, 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, f.Name()), text, 0o666); err != nil {
			return err
		}
		none = false
	}
	if none {
		return errors.New("no licence")
	}
	return nil
}

// goCommand returns what the go command prints, in the module of the program.
func goCommand(system string, args ...string) (*bytes.Buffer, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}
	return &out, nil
}
