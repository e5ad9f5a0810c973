// Package tables has the CRDs of Kubernetes' own tests: those that must be refused when they are created, and those that must
// be taken. They are read from the tests in the module cache, by running these with a validation that writes down what it is
// given; nothing of them is kept.
package tables

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
)

// Case is a CRD.
type Case struct {
	// Name says which function was given it, and as which one.
	Name string
	Raw  json.RawMessage
}

// pkg is the package whose tests are run.
const pkg = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"

// tests are the tests with tables of CRDs and of schemas.
var tests = []string{
	"TestValidateCustomResourceDefinition", "TestSelectableFields", "TestValidateCustomResourceDefinitionUpdate",
	"TestValidateCustomResourceDefinitionValidation", "TestValidateCustomResourceDefinitionValidationRuleCompatibility",
}

// calls are what is written down where: at the beginning of a function of validation.go.
var calls = map[string]string{
	"ValidateCustomResourceDefinition":           `writeCRD("create", obj)`,
	"validateCustomResourceDefinitionUpdate":     `writeCRD("update", obj); writeCRD("updated", oldObj)`,
	"validateCustomResourceDefinitionValidation": `writeSchema(customResourceValidation, statusSubresourceEnabled)`,
}

// variable names the file that is written to.
const variable = "CONFORMANCE_TABLES"

// Load runs the tests and returns the CRDs in them, each once.
func Load(ctx context.Context) ([]Case, error) {
	root, err := scratch.ModuleRoot(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "tables")
	if err != nil {
		return nil, fmt.Errorf("read the tables: %w", err)
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "cases")
	overlay, err := writeOverlay(ctx, root, dir)
	if err != nil {
		return nil, fmt.Errorf("read the tables: %w", err)
	}
	// Built and run apart: there is no such folder to run the tests in.
	program := filepath.Join(dir, "program")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-w", "-overlay", overlay, "-o", program, "./"+folder)
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compile the tests of %s: %w\n%.4000s", pkg, err, text)
	}
	cmd := exec.CommandContext(ctx, program, "-test.run", "^("+strings.Join(tests, "|")+")$")
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), variable+"="+out)
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("run the tests of %s: %w\n%.4000s", pkg, err, text)
	}
	file, err := os.Open(out)
	if err != nil {
		return nil, fmt.Errorf("read the tables: %w", err)
	}
	defer file.Close()
	return read(file)
}

// read reads lines with a name and a CRD each.
func read(r io.Reader) ([]Case, error) {
	var all []Case
	seen := map[string]bool{}
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the tables: %w", err)
		}
		name, raw, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
		if !seen[string(raw)] {
			seen[string(raw)] = true
			all = append(all, Case{Name: string(name), Raw: slices.Clone(raw)})
		}
	}
	return all, nil
}

// folder is where in this module the package pretends to be: files in the module cache cannot be replaced.
const folder = "generated/tables"

// writeOverlay shows the package, tests and all, as one of this module, with a validation.go that writes down what it is given
// and a file with how that is done.
func writeOverlay(ctx context.Context, root, dir string) (string, error) {
	list := exec.CommandContext(ctx, "go", "list", "-f", `{{.Dir}}{{range .GoFiles}} {{.}}{{end}}{{range .TestGoFiles}} {{.}}{{end}}`, pkg)
	list.Dir = root
	found, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("find %s: %w", pkg, err)
	}
	replace := map[string]string{}
	add := func(name string, content []byte) error {
		file := filepath.Join(dir, name)
		replace[filepath.Join(root, folder, name)] = file
		return os.WriteFile(file, content, 0o600)
	}
	words := strings.Fields(string(found))
	for _, name := range words[1:] {
		source, err := os.ReadFile(filepath.Join(words[0], name))
		if err == nil && name == "validation.go" {
			source, err = withCalls(source)
		}
		if err == nil {
			err = add(name, source)
		}
		if err != nil {
			return "", err
		}
	}
	if err := add("zz_tables.go", []byte(writer)); err != nil {
		return "", err
	}
	data, err := json.Marshal(scratch.Overlay{Replace: replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o600)
}

// withCalls adds the calls to the functions.
func withCalls(source []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "validation.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	added := 0
	out := source
	// From the end, so that the offsets before stay right.
	for _, d := range slices.Backward(file.Decls) {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || calls[fn.Name.Name] == "" {
			continue
		}
		after := fset.Position(fn.Body.Lbrace).Offset + 1
		out = slices.Concat(out[:after], []byte("\n"+calls[fn.Name.Name]+"\n"), out[after:])
		added++
	}
	if added != len(calls) {
		return nil, fmt.Errorf("validation.go has %d of %d functions", added, len(calls))
	}
	return out, nil
}

// writer is the file that writes CRDs down: as v1 and as v1beta1, because a CRD can be right in one and wrong in the other. A
// schema gets a CRD around it.
const writer = `package validation

import (
	"encoding/json"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	v1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func writeCRD(name string, in *apiextensions.CustomResourceDefinition) {
	if in == nil {
		return
	}
	out := &v1.CustomResourceDefinition{}
	if err := v1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(in, out, nil); err == nil {
		out.APIVersion, out.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
		writeLine(name+"/v1", out)
	}
	beta := &v1beta1.CustomResourceDefinition{}
	if err := v1beta1.Convert_apiextensions_CustomResourceDefinition_To_v1beta1_CustomResourceDefinition(in, beta, nil); err == nil {
		beta.APIVersion, beta.Kind = "apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"
		writeLine(name+"/v1beta1", beta)
	}
}

func writeSchema(in *apiextensions.CustomResourceValidation, status bool) {
	if in == nil {
		return
	}
	prune := false
	crd := &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com"},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: "example.com", Scope: "Namespaced", PreserveUnknownFields: &prune,
			Names:      apiextensions.CustomResourceDefinitionNames{Kind: "Widget", ListKind: "WidgetList", Plural: "widgets", Singular: "widget"},
			Version:    "v1",
			Versions:   []apiextensions.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true}},
			Validation: in,
		},
	}
	if status {
		crd.Spec.Subresources = &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}}
	}
	writeCRD("schema", crd)
}

func writeLine(name string, crd any) {
	data, err := json.Marshal(crd)
	if err != nil {
		return
	}
	f, err := os.OpenFile(os.Getenv("` + variable + `"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.WriteString(name + " " + string(data) + "\n"); err != nil {
		panic(err)
	}
}
`
