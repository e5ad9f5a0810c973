package scratch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is the module that the generated packages pretend to be part of.
const module = "github.com/prune-gen/prune-gen/hack/conformance"

// folder is where in the module they pretend to be.
const folder = "generated"

// Overlay is what go build -overlay reads.
type Overlay struct {
	Replace map[string]string
}

// Build compiles a program that calls run.Main with the resources of all packages. dir is a temporary folder for the
// sources and the program, whose path is returned. Files that overlay replaces are replaced in this build, too.
func Build(ctx context.Context, dir string, packages []*Package, overlay Overlay) (string, error) {
	root, err := ModuleRoot(ctx)
	if err != nil {
		return "", err
	}
	overlay.Replace = maps.Clone(overlay.Replace)
	if overlay.Replace == nil {
		overlay.Replace = map[string]string{}
	}
	add := func(pkg, name string, content []byte) error {
		file := filepath.Join(dir, pkg+"_"+name)
		overlay.Replace[filepath.Join(root, folder, pkg, name)] = file
		return os.WriteFile(file, content, 0o600)
	}
	for _, p := range packages {
		for _, f := range p.Files {
			if err := add(p.Name, f.Name, f.Content); err != nil {
				return "", fmt.Errorf("write generated code: %w", err)
			}
		}
	}
	if err := add("program", "main.go", mainFile(packages)); err != nil {
		return "", fmt.Errorf("write generated code: %w", err)
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		return "", fmt.Errorf("write overlay: %w", err)
	}
	overlayFile := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlayFile, data, 0o600); err != nil {
		return "", fmt.Errorf("write overlay: %w", err)
	}
	program := filepath.Join(dir, "program")
	// Linking takes half as long without what a debugger needs.
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags=-w", "-overlay", overlayFile, "-o", program, "./"+folder+"/program")
	cmd.Dir = root
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		text := out.String()
		if len(text) > 4000 {
			text = text[:4000] + "..."
		}
		return "", fmt.Errorf("compile generated code: %w\n%s", err, text)
	}
	return program, nil
}

// mainFile is the program.
func mainFile(packages []*Package) []byte {
	var imports, entries strings.Builder
	for _, p := range packages {
		fmt.Fprintf(&imports, "\t%q\n", module+"/"+folder+"/"+p.Name)
		for _, id := range slices.Sorted(maps.Keys(p.Resources)) {
			fmt.Fprintf(&entries, "\t\t%q: {Resource: %s.%s", id, p.Name, p.Resources[id])
			if table := p.Rules[id]; table != "" {
				fmt.Fprintf(&entries, ", Rules: %s.%s", p.Name, table)
			}
			entries.WriteString("},\n")
		}
	}
	return fmt.Appendf(nil, `package main

import (
	"os"

%s	%q
)

func main() {
	os.Exit(run.Main(map[string]run.Generated{
%s	}, os.Args[1:], os.Stdout, os.Stderr))
}
`, imports.String(), module+"/run", entries.String())
}

// ModuleRoot returns the folder of this module's go.mod: the program is built from where its sources are.
func ModuleRoot(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("find the conformance module (run this in hack/conformance): %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
