package rules

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
)

// kubernetesTests are the tests of Kubernetes whose tables have schemas with rules, objects, and what becomes of them: texts and costs.
const kubernetesTests = "^(TestValidationExpressions|TestValidationExpressionsAtSchemaLevels|TestCELValidationLimit|TestCELMaxRecursionDepth|TestMessageExpression|" +
	"TestReasonAndFldPath|TestRatcheting|TestOptionalOldSelf|TestOptionalOldSelfCheckForNull|TestOptionalOldSelfIsOptionalType|TestCelCostStability)$"

// The tests of Kubernetes stay in the module cache. An overlay shows their package as one of this module, in which the validator
// asks our rules, too.
func TestKubernetesTestsGetTheSameFromOurRules(t *testing.T) {
	root, err := scratch.ModuleRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.Dir}}{{range .GoFiles}} {{.}}{{end}}`, "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel")
	list.Dir = root
	found, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(found))
	temp := t.TempDir()
	overlay := scratch.Overlay{Replace: map[string]string{}}
	write := func(name string, data []byte) string {
		file := filepath.Join(temp, name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const folder = "generated/celtests"
	for _, name := range append(words[1:], "validation_test.go", "celcoststability_test.go", "values_test.go", "compilation_test.go") {
		source, err := os.ReadFile(filepath.Join(words[0], name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "validation.go" {
			source = withComparison(t, source)
		}
		overlay.Replace[filepath.Join(root, folder, name)] = write(name, source)
	}
	overlay.Replace[filepath.Join(root, folder, "zz_compare.go")] = write("zz_compare.go", []byte(comparison))
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	overlayFile := write("overlay.json", data)
	// The tests import what nothing else in this module does: a copy of go.mod may learn of that.
	for _, name := range []string{"go.sum", "go.mod"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		write(name, data)
	}
	program := filepath.Join(temp, "program")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-ldflags=-w", "-modfile", filepath.Join(temp, "go.mod"), "-mod=mod", "-overlay", overlayFile,
		"-o", program, "./"+folder)
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.4000s", err, text)
	}
	run := exec.CommandContext(t.Context(), program, "-test.run", kubernetesTests, "-test.parallel=1")
	run.Dir = temp
	answers := filepath.Join(temp, "answers")
	run.Env = append(run.Environ(), "CONFORMANCE_ANSWERS="+answers)
	if text, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%.4000s", err, text)
	}
	data, err = os.ReadFile(answers)
	if err != nil {
		t.Fatal(err)
	}
	asked, differ := 0, 0
	for line := range bytes.Lines(data) {
		asked++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if differ++; differ <= 20 {
				t.Errorf("%s", line)
			}
		}
	}
	t.Logf("asked %d times, %d differences", asked, differ)
	if asked < 1150 {
		t.Errorf("asked %d times only", asked)
	}
}

// withComparison adds the comparison to validation.go.
func withComparison(t *testing.T, source []byte) []byte {
	t.Helper()
	for _, r := range [][2]string{
		{"	opt := options{}\n", "	opt := options{}\n	defer func() { compare(s, fldPath, obj, oldObj, costBudget, &opt, errs, remainingBudget) }()\n"},
		{"	compilationSchema := *nodeSchema\n", "	compilationSchema := *nodeSchema\n	lastLimit = perCallLimit\n"},
	} {
		if !bytes.Contains(source, []byte(r[0])) {
			t.Fatalf("validation.go has no line %q", r[0])
		}
		source = bytes.Replace(source, []byte(r[0]), []byte(r[1]), 1)
	}
	return source
}

const comparison = `package cel

import (
	"context"
	"os"
	"strings"

	"github.com/prune-gen/prune-gen/hack/conformance/rules"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var lastLimit uint64

func compare(s *Validator, at *field.Path, obj, old any, budget int64, opt *options, errs field.ErrorList, remaining int64) {
	if s == nil || !hasXValidations(s.Schema) { // NewValidator does not return such ones
		return
	}
	v := rules.Value{
		Schema: s.Schema, IsResource: s.isResourceRoot, Value: obj, Old: old, Ratchets: opt.currentCorrelation != nil,
		Costs: prunecel.Costs{Call: int64(lastLimit), All: budget},
	}
	text := v.Compare(at, errs, remaining)
	for again := 0; text != "" && again < 100; again++ { // maps are read in any order
		errs, remaining = s.validate(context.Background(), at, obj, old, opt.ratchetingOptions, budget)
		text = v.Compare(at, errs, remaining)
	}
	f, err := os.OpenFile(os.Getenv("CONFORMANCE_ANSWERS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.WriteString(strings.ReplaceAll(text, "\n", " ") + "\n"); err != nil {
		panic(err)
	}
}
`
