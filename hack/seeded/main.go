// Seeded writes fifty manifests with one fault each and counts which of them programs find.
//
//	go run ./hack/seeded -prune-gen PATH [-kubectl-validate PATH] [-kubeconform PATH]
//
// Each program runs once for each manifest, to see what it says, and five times on all of them together, for the time and the
// memory. A fault counts as found if the program fails, and as named if it also names the field. What it says about a manifest with
// nothing wrong counts as a false alarm. It prints a table in Markdown.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"sigs.k8s.io/yaml"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: go run ./hack/seeded -prune-gen PATH [flags]")
		flag.PrintDefaults()
	}
	pruneGen := flag.String("prune-gen", "", "the program prune-gen")
	kubectlValidate := flag.String("kubectl-validate", "", "the program kubectl-validate")
	kubeconform := flag.String("kubeconform", "", "the program kubeconform")
	verbose := flag.Bool("v", false, "print what was missed, and what was found without a name")
	flag.Parse()
	dir, err := os.MkdirTemp("", "seeded")
	if err == nil {
		defer os.RemoveAll(dir)
		err = write(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "seeded:", err)
		os.Exit(1)
	}
	crds, schemas, manifests := filepath.Join(dir, "crds"), filepath.Join(dir, "schemas"), filepath.Join(dir, "manifests")
	fmt.Println("| | found | missed | field not named | line named | false alarms | time | memory |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, t := range []tool{
		{"`prune-gen validate --strict`", *pruneGen, []string{"validate", "--strict", "--color=never", "--crd", crds}},
		{"`kubectl-validate`", *kubectlValidate, []string{"--local-crds", crds}},
		{"`kubeconform -strict`", *kubeconform, []string{"-strict", "-schema-location", schemas + "/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json"}},
	} {
		if t.path != "" {
			t.judge(manifests, *verbose)
		}
	}
}

// write writes the CRD, the schemas for kubeconform and the manifests.
func write(dir string) error {
	crd, err := os.ReadFile("hack/seeded/testdata/crd.yaml")
	if err != nil {
		return err
	}
	good, err := os.ReadFile("hack/seeded/testdata/good.yaml")
	if err != nil {
		return err
	}
	files := map[string]string{"crds/crd.yaml": string(crd), "manifests/good.yaml": string(good)}
	for _, f := range faults() {
		files["manifests/"+f.name+".yaml"] = f.text(string(good))
	}
	schema, err := convert(crd)
	if err != nil {
		return err
	}
	files["schemas/backup_v1.json"] = schema
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// convert makes a JSON schema of the version v1 of a CRD, as the script openapi2jsonschema.py of kubeconform does: objects with
// properties have no others, and int-or-string has two types.
func convert(crd []byte) (string, error) {
	var c struct {
		Spec struct {
			Versions []struct {
				Schema struct{ OpenAPIV3Schema map[string]any }
			}
		}
	}
	if err := yaml.Unmarshal(crd, &c); err != nil {
		return "", err
	}
	s := c.Spec.Versions[0].Schema.OpenAPIV3Schema
	properties := s["properties"].(map[string]any)
	for _, name := range []string{"apiVersion", "kind"} {
		properties[name] = map[string]any{"type": "string"}
	}
	properties["metadata"] = map[string]any{"type": "object"}
	closeObjects(s)
	data, err := json.MarshalIndent(s, "", "  ")
	return string(data), err
}

func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["properties"]; ok && v["additionalProperties"] == nil && v["x-kubernetes-preserve-unknown-fields"] == nil {
			v["additionalProperties"] = false
		}
		if v["x-kubernetes-int-or-string"] == true {
			v["oneOf"] = []any{map[string]any{"type": "string"}, map[string]any{"type": "integer"}}
		}
		for _, e := range v {
			closeObjects(e)
		}
	case []any:
		for _, e := range v {
			closeObjects(e)
		}
	}
}

// tool is a program that validates manifests.
type tool struct {
	name, path string
	args       []string
}

// run runs the program and returns what it prints, whether it fails, and what that takes.
func (t tool) run(names ...string) (output string, failed bool, took time.Duration, memory int64) {
	cmd := exec.Command(t.path, slices.Concat(t.args, names)...)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took = time.Since(start)
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		memory = usage.Maxrss << 10
	}
	return string(out), err != nil, took, memory
}

// judge prints a row of the table.
func (t tool) judge(dir string, verbose bool) {
	found, nameless, lines, alarms := 0, 0, 0, 0
	for _, f := range faults() {
		file := filepath.Join(dir, f.name+".yaml")
		output, failed, _, _ := t.run(file)
		switch {
		case !failed:
			if verbose {
				fmt.Fprintf(os.Stderr, "%s misses %s\n", t.name, f.name)
			}
			continue
		case !f.names(output):
			nameless++
			if verbose {
				fmt.Fprintf(os.Stderr, "%s does not name %s in %s:\n%s\n", t.name, f.path, f.name, output)
			}
		}
		found++
		if strings.Contains(output, fmt.Sprintf("%s:%d:", filepath.Base(file), f.line)) || strings.Contains(output, fmt.Sprintf("line %d:", f.line)) {
			lines++
		}
	}
	if output, failed, _, _ := t.run(filepath.Join(dir, "good.yaml")); failed {
		alarms++
		fmt.Fprintf(os.Stderr, "%s fails for a manifest with nothing wrong:\n%s\n", t.name, output)
	}
	var times []time.Duration
	most := int64(0)
	for range 5 {
		_, _, took, memory := t.run(dir)
		times, most = append(times, took), max(most, memory)
	}
	slices.SortFunc(times, cmp.Compare)
	fmt.Printf("| %s | %d | %d | %d | %d | %d | %d ms | %d MB |\n", t.name, found, len(faults())-found, nameless, lines, alarms, times[len(times)/2].Milliseconds(), most/1_000_000)
}
