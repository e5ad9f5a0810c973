package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
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
	pages := filepath.Join("man", "man1")
	for _, name := range []string{"completions", pages} {
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
	if _, err := goCommand(runtime.GOOS, "test", "./cmd/prune-gen", "-run", "^TestManPages$", "-man", filepath.Join(dir, pages)); err != nil {
		return err
	}
	return writeLicenses(filepath.Join(dir, "THIRD_PARTY_LICENSES"))
}

// A legal file is one that has to go with the program.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// writeLicenses writes the licences of Go and of all modules in the program to a file, each text once.
func writeLicenses(file string) error {
	modules, err := modules()
	if err != nil {
		return err
	}
	users := map[string][]string{} // of a text
	var texts []string
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		found, err := legalTexts(modules[path])
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, text := range found {
			if users[text] == nil {
				texts = append(texts, text)
			}
			users[text] = append(users[text], path)
		}
	}
	var all strings.Builder
	for _, text := range texts {
		line := strings.Repeat("=", 80)
		fmt.Fprintf(&all, "%s\n%s\n%s\n\n%s\n\n", line, strings.Join(users[text], "\n"), line, strings.TrimSpace(text))
	}
	return os.WriteFile(file, []byte(all.String()), 0o666)
}

// modules returns the directories of Go and of the modules that the program is built from on any system.
func modules() (map[string]string, error) {
	dirs := map[string]string{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		out, err := goCommand(system, "list", "-deps", "-json=Module", "./cmd/prune-gen")
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(out); d.More(); {
			var p struct {
				Module *struct {
					Path, Dir string
					Main      bool
				}
			}
			if err := d.Decode(&p); err != nil {
				return nil, err
			}
			if p.Module != nil && !p.Module.Main {
				dirs[p.Module.Path] = p.Module.Dir
			}
		}
	}
	goroot, err := goCommand(runtime.GOOS, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	dirs["the Go standard library"] = strings.TrimSpace(goroot.String())
	return dirs, nil
}

// legalTexts returns the legal files of a module. It fails if there are none.
func legalTexts(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, f := range files {
		if !f.Type().IsRegular() || !legal.MatchString(f.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, string(text))
	}
	if texts == nil {
		return nil, errors.New("no licence")
	}
	return texts, nil
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
