package seeded

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/explain/jsonschema"
	"github.com/prune-gen/prune-gen/structural/load"
)

var (
	pruneGen        = flag.String("prune-gen", "", "the program prune-gen")
	kubectlValidate = flag.String("kubectl-validate", "", "the program kubectl-validate")
	kubeconform     = flag.String("kubeconform", "", "the program kubeconform")
	fluxSchema      = flag.String("flux-schema", "", "the program flux-schema")
)

// TestPrograms counts which faults programs find, and prints a table in Markdown:
//
//	go test ./hack/seeded -v -run Programs -prune-gen PATH -kubectl-validate PATH -kubeconform PATH -flux-schema PATH
//
// Each program runs once for each manifest, to see what it says, and twenty times on all of them together. There the programs take
// turns, and the least time counts, by the clock and of the processors, so that other work on the machine disturbs all of them alike. A
// fault counts as found if the program fails, and as named if it also names the field. What it says about a manifest with nothing wrong
// counts as a false alarm. With the schemas of prune-gen, kubeconform must find all unknown fields.
func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	write(t, dir)
	crds, manifests := filepath.Join(dir, "crds"), filepath.Join(dir, "manifests")
	converted, made, extracted := filepath.Join(dir, "converted"), filepath.Join(dir, "made"), filepath.Join(dir, "extracted")
	if *fluxSchema != "" { // called as its documents say
		if out, err := exec.Command(*fluxSchema, "extract", "crd", filepath.Join(crds, "crd.yaml"), "--output-dir", extracted).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	const layout = "/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json"
	table := "| | found | missed | field not named | line named | false alarms | time | processor time | memory |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
	programs := []*program{
		{"`prune-gen validate`", *pruneGen, []string{"validate", "--color=never", "--crd", crds}, ""},
		{"`kubectl-validate`", *kubectlValidate, []string{"--local-crds", crds}, ""},
		{"`flux-schema validate`", *fluxSchema, []string{"validate", "--schema-location", extracted}, ""},
		{"`kubeconform -strict`", *kubeconform, []string{"-strict", "-schema-location", converted + layout}, ""},
		{"`kubeconform -strict` with `prune-gen schema`", *kubeconform, []string{"-strict", "-schema-location", made + layout}, "unknown-"},
	}
	programs = slices.DeleteFunc(programs, func(p *program) bool { return p.path == "" })
	costs := make([]cost, len(programs))
	for range 20 {
		for i, p := range programs {
			_, _, c := p.run(manifests)
			costs[i].add(c)
		}
	}
	for i, p := range programs {
		c := costs[i]
		table += fmt.Sprintf("| %s | %s | %d ms | %d ms | %d MB |\n", p.name, p.judge(t, manifests), c.took.Milliseconds(), c.busy.Milliseconds(), c.memory/1_000_000)
	}
	t.Logf("\n%s", table)
}

// write writes the CRD, the schemas for kubeconform, as its script converts them and as prune-gen does, and the manifests.
func write(t *testing.T, dir string) {
	c, err := load.CRD([]byte(CRD), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.Of(c, c.Versions[0])
	if err != nil {
		t.Fatal(err)
	}
	made, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"crds/crd.yaml": CRD, "manifests/good.yaml": Good,
		"converted/ops.example.com/backup_v1.json": convert(t, []byte(CRD)), "made/ops.example.com/backup_v1.json": string(made),
	}
	for _, f := range Faults() {
		files["manifests/"+f.Name+".yaml"] = f.Text()
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// convert makes a JSON schema of the version v1 of a CRD, as the script openapi2jsonschema.py of kubeconform does: objects with
// properties have no others, and int-or-string has two types.
func convert(t *testing.T, crd []byte) string {
	var c struct {
		Spec struct {
			Versions []struct {
				Schema struct{ OpenAPIV3Schema map[string]any }
			}
		}
	}
	if err := yaml.Unmarshal(crd, &c); err != nil {
		t.Fatal(err)
	}
	s := c.Spec.Versions[0].Schema.OpenAPIV3Schema
	properties := s["properties"].(map[string]any)
	for _, name := range []string{"apiVersion", "kind"} {
		properties[name] = map[string]any{"type": "string"}
	}
	properties["metadata"] = map[string]any{"type": "object"}
	closeObjects(s)
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
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

// program is one that validates manifests.
type program struct {
	name, path string
	args       []string
	mustFind   string // how the names of faults begin that it must find, "" for none
}

// cost is what a run takes.
type cost struct {
	took, busy time.Duration
	memory     int64
}

// add makes c what one of several runs takes that is disturbed least.
func (c *cost) add(o cost) {
	if c.took == 0 {
		*c = o
	}
	c.took, c.busy, c.memory = min(c.took, o.took), min(c.busy, o.busy), max(c.memory, o.memory)
}

// run runs the program and returns what it prints, whether it fails, and what that takes.
func (p *program) run(names ...string) (output string, failed bool, c cost) {
	cmd := exec.Command(p.path, slices.Concat(p.args, names)...)
	cmd.Env = append(os.Environ(), "GOGC=100") // as for users
	start := time.Now()
	out, err := cmd.CombinedOutput()
	c.took, c.busy = time.Since(start), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.memory = usage.Maxrss << 10
	}
	return string(out), err != nil, c
}

// judge returns the columns of the table that say what the program finds.
func (p *program) judge(t *testing.T, dir string) string {
	found, nameless, lines, alarms := 0, 0, 0, 0
	for _, f := range Faults() {
		file := filepath.Join(dir, f.Name+".yaml")
		output, failed, _ := p.run(file)
		switch {
		case !failed:
			if p.mustFind != "" && strings.HasPrefix(f.Name, p.mustFind) {
				t.Errorf("%s misses %s", p.name, f.Name)
			}
			t.Logf("%s misses %s", p.name, f.Name)
			continue
		case !f.Names(output):
			nameless++
			t.Logf("%s does not name %s in %s:\n%s", p.name, f.Path, f.Name, output)
		}
		found++
		if strings.Contains(output, fmt.Sprintf("%s:%d:", filepath.Base(file), f.Line)) || strings.Contains(output, fmt.Sprintf("line %d:", f.Line)) {
			lines++
		}
	}
	if output, failed, _ := p.run(filepath.Join(dir, "good.yaml")); failed {
		alarms++
		t.Logf("%s fails for a manifest with nothing wrong:\n%s", p.name, output)
	}
	return fmt.Sprintf("%d | %d | %d | %d | %d", found, len(Faults())-found, nameless, lines, alarms)
}
