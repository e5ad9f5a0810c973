package main

import (
	"bytes"
	"cmp"
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

// older returns the versions of Kubernetes whose programs for built-in kinds have archives of their own.
func older() ([]string, error) {
	versions, err := filepath.Glob(root + "/builtin/kubernetes/*.mod")
	for i, file := range versions {
		versions[i] = strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "v"), ".mod")
	}
	return versions, err
}

// writeFiles writes a folder for each kind of file, and the licences. Builtin says which programs for built-in kinds there are: none if it
// is "", one for the newest Kubernetes, or all.
func writeFiles(dir, builtin string) error {
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
		script, err := goCommand(root, runtime.GOOS, "run", "./cmd/prune-gen", "completion", shell)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "completions", "prune-gen."+shell), script.Bytes(), 0o666); err != nil {
			return err
		}
	}
	if _, err := goCommand(root, runtime.GOOS, "test", "./cmd/prune-gen", "-run", "^TestManPages$", "-man", filepath.Join(dir, pages)); err != nil {
		return err
	}
	return writeLicenses(filepath.Join(dir, "THIRD_PARTY_LICENSES"), builtin)
}

// A legal file is one that has to go with the program.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// writeLicenses writes the licences of Go and of all modules in the programs to a file, each text once.
func writeLicenses(file, builtin string) error {
	modules, err := modules(builtin)
	if err != nil {
		return err
	}
	users := map[string][]string{} // of a text
	var texts []string
	byPath := func(a, b string) int { return cmp.Or(cmp.Compare(modules[a], modules[b]), cmp.Compare(a, b)) }
	for _, dir := range slices.SortedFunc(maps.Keys(modules), byPath) {
		path := modules[dir]
		found, err := legalTexts(dir)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, text := range found {
			if users[text] == nil {
				texts = append(texts, text)
			}
			if !slices.Contains(users[text], path) { // in another version
				users[text] = append(users[text], path)
			}
		}
	}
	var all strings.Builder
	for _, text := range texts {
		line := strings.Repeat("=", 80)
		fmt.Fprintf(&all, "%s\n%s\n%s\n\n%s\n\n", line, strings.Join(users[text], "\n"), line, strings.TrimSpace(text))
	}
	return os.WriteFile(file, []byte(all.String()), 0o666)
}

// modules returns the directories of Go and of the modules that the programs are built from on any system, with their paths.
func modules(builtin string) (map[string]string, error) {
	dirs := map[string]string{}
	add := func(dir string, args ...string) error {
		for _, system := range []string{"linux", "darwin", "windows"} {
			out, err := goCommand(dir, system, append([]string{"list", "-deps", "-json=Module"}, args...)...)
			if err != nil {
				return err
			}
			for d := json.NewDecoder(out); d.More(); {
				var p struct {
					Module *struct {
						Path, Dir string
						Main      bool
					}
				}
				if err := d.Decode(&p); err != nil {
					return err
				}
				if p.Module != nil && !p.Module.Main {
					dirs[p.Module.Dir] = p.Module.Path
				}
			}
		}
		return nil
	}
	err := add(root, "./cmd/prune-gen")
	if builtin != "" {
		err = errors.Join(err, add(root+"/builtin", "."))
	}
	if builtin == "all" {
		versions, globErr := older()
		err = errors.Join(err, globErr)
		for _, version := range versions {
			err = errors.Join(err, add(root+"/builtin", "-modfile=kubernetes/v"+version+".mod", "-tags=v"+version, "."))
		}
	}
	if err != nil {
		return nil, err
	}
	goroot, err := goCommand(root, runtime.GOOS, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	dirs[strings.TrimSpace(goroot.String())] = "the Go standard library"
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

// goCommand returns what the go command prints, in a module.
func goCommand(dir, system string, args ...string) (*bytes.Buffer, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}
	return &out, nil
}
