package scratch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"text/template"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/bench/measure"
	"github.com/prune-gen/prune-gen/hack/bench/set"
)

var measureProgram = template.Must(template.New("").Parse(`package main

import (
	"github.com/prune-gen/prune-gen/hack/bench/measure"
	prunert "github.com/prune-gen/prune-gen/runtime"
{{range .}}
	"scratch/{{.}}"{{end}}
)

func main() {
	measure.Main(map[string]prunert.Resource{ {{range $kind, $pkg := .}}
		"{{$kind}}": {{$pkg}}.{{$kind}}Resource,{{end}}
	})
}
`))

// Package is the name of the package that holds the code of a kind.
func Package(kind string) string { return strings.ToLower(kind) }

// Measure compiles the generated code of the kinds, with build tags, together with a program that measures it, and runs that.
func Measure(ctx context.Context, kinds []*set.Kind, in measure.Input, tags string) (*measure.Output, error) {
	m, err := NewLikeBench(ctx)
	if err != nil {
		return nil, err
	}
	defer m.Remove()
	packages := map[string]string{}
	for _, k := range kinds {
		packages[k.Name()] = Package(k.Name())
		if err := m.Generate(Package(k.Name()), []generator.Input{k.Input}, generator.AllFeatures()); err != nil {
			return nil, err
		}
		in.Resources = append(in.Resources, measure.Resource{Kind: k.Name(), Version: k.Version.Name, CRD: k.Raw})
	}
	var program bytes.Buffer
	if err := measureProgram.Execute(&program, packages); err != nil {
		return nil, err
	}
	input, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{"main.go": program.Bytes(), "input.json": input} {
		if err := m.Write(name, content); err != nil {
			return nil, err
		}
	}
	if _, err := m.Go(ctx, "build", "-tags", tags, "-o", "measure.exe", "."); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, m.Path("measure.exe"), m.Path("input.json"), m.Path("output.json"))
	cmd.Stderr = os.Stderr // it shows how far it is
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("measure: %w", err)
	}
	output, err := os.ReadFile(m.Path("output.json"))
	if err != nil {
		return nil, err
	}
	var out measure.Output
	if err := json.Unmarshal(output, &out); err != nil {
		return nil, fmt.Errorf("read what was measured: %w", err)
	}
	return &out, nil
}
