// Package kubetests runs Kubernetes' own tests of defaulting, nulls, metadata, validation and CEL rules against our functions. The tests stay where
// the module cache has them: an overlay shows them to the Go command as files of the packages below, whose functions have
// the names of Kubernetes' and call ours.
package kubetests

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// file is a test file of Kubernetes, and the package below that takes the place of the one that it tests.
type file struct {
	module, path, pkg string
}

const (
	apiextensions = "k8s.io/apiextensions-apiserver"
	apimachinery  = "k8s.io/apimachinery"
)

var files = []file{
	{apiextensions, "pkg/apiserver/schema/defaulting/algorithm_test.go", "defaulting"},
	{apiextensions, "pkg/apiserver/schema/defaulting/prunenulls_test.go", "defaulting"},
	{apiextensions, "pkg/apiserver/schema/objectmeta/algorithm_test.go", "objectmeta"},
	{apiextensions, "pkg/apiserver/schema/objectmeta/coerce_test.go", "objectmeta"},
	{apiextensions, "pkg/apiserver/schema/objectmeta/jsonpath_test.go", "objectmeta"},
	{apiextensions, "pkg/apiserver/schema/objectmeta/validation_test.go", "objectmeta"},
	{apiextensions, "pkg/apiserver/schema/listtype/validation_test.go", "listtype"},
	{apiextensions, "pkg/apiserver/validation/validation_test.go", "validation"},
	{apiextensions, "pkg/apiserver/validation/ratcheting_test.go", "validation"},
	{apiextensions, "pkg/apiserver/schema/cel/compilation_test.go", "cel"},
	{apimachinery, "pkg/api/validation/objectmeta_test.go", "apivalidation"},
}

// cases is how many cases the tests have at least: subtests, or one for a test without any.
var cases = map[string]int{
	"TestDefault": 13, "TestPruneNonNullableNullsWithoutDefaults": 4,
	"TestCoerce":              8,
	"TestRoundtripObjectMeta": 1, "TestMalformedObjectMetaFields": 1, "TestGetObjectMetaWithOptions": 1,
	"TestGetObjectMetaNils": 1, "TestGetObjectMeta": 1,
	"TestValidateEmbeddedResource": 6, "TestValidate": 2, "TestValidateListSetsAndMaps": 17,
	"TestValidateCustomResource": 20, "TestItemsProperty": 2, "TestScalarRatcheting": 1, "TestObjectScalarFieldsRatcheting": 1,
	"TestObjectObjectFieldsRatcheting": 1, "TestNumericFormatRatcheting": 1,
	"TestCelCompilation": 25, "TestCostEstimation": 100, "TestMetadataNameCostIsBounded": 2,
	"TestValidateObjectMetaCustomName": 5, "TestValidateObjectMetaNamespaces": 1, "TestValidateObjectMetaOwnerReferences": 1,
	"TestValidateFinalizersUpdate": 1, "TestValidateFinalizersPreventConflictingFinalizers": 1, "TestValidateAnnotations": 1,
	"TestValidateObjectMetaUpdatePreventsDeletionFieldMutation": 1, "TestObjectMetaGenerationUpdate": 1, "TestValidateObjectMetaDeclaratively": 40,
}

// calls is how often the tests of metadata read some at least: random metadata, and a table. asked is how often tests of
// validation ask us at least, by package.
const calls, callsWithOptions = 10_000, 12

var asked = map[string]int{"validation": 94, "listtype": 17, "apivalidation": 150, "embedded": 12, "cel": 150}

func TestKubernetesTestsPassWithOurFunctions(t *testing.T) {
	testsize.Large(t, "compiles tests of Kubernetes")
	out, err := run(t, scratch.ModuleRoot(t))
	result := read(t, out)
	for _, text := range result.failed {
		t.Error(text)
	}
	if err != nil && len(result.failed) == 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	all := 0
	for name, least := range cases {
		all += result.passed[name]
		if result.passed[name] < least {
			t.Errorf("%s: %d cases passed, want %d", name, result.passed[name], least)
		}
	}
	if result.calls < calls || result.callsWithOptions < callsWithOptions {
		t.Errorf("metadata was read %d times, and %d times with options; want %d and %d",
			result.calls, result.callsWithOptions, calls, callsWithOptions)
	}
	for pkg, least := range asked {
		if result.asked[pkg] < least {
			t.Errorf("%s: the tests asked us %d times, want %d", pkg, result.asked[pkg], least)
		}
	}
	t.Logf("%d cases of %d tests passed; metadata was read %d times, and %d times with options, and validated as often as %v",
		all, len(result.passed), result.calls, result.callsWithOptions, result.asked)
}

// run runs the tests and returns what go test -json prints.
func run(t *testing.T, root string) ([]byte, error) {
	t.Helper()
	shown := map[string][]byte{}
	for _, f := range files {
		dir := strings.TrimSpace(string(scratch.Go(t, root, "list", "-m", "-f", "{{.Dir}}", f.module)))
		source, err := os.ReadFile(filepath.Join(dir, f.path))
		if err != nil {
			t.Fatal(err)
		}
		// A test from outside of its package imports it: here, the one that takes its place.
		shown["kubetests/"+f.pkg+"/kubernetes_"+filepath.Base(f.path)] = bytes.ReplaceAll(source, []byte(`"`+apiextensions+`/pkg/apiserver/validation"`),
			[]byte(`"github.com/prune-gen/prune-gen/hack/conformance/kubetests/validation"`))
	}
	// Without the tag the packages below have no tests, and nothing is linked for them.
	args := append([]string{"test", "-json", "-count=1"}, scratch.Overlay(t, root, shown, "kubetests")...)
	for _, f := range files {
		if pkg := "./kubetests/" + f.pkg; !slices.Contains(args, pkg) {
			args = append(args, pkg)
		}
	}
	cmd := gocmd.Command(t, root, nil, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.Bytes(), err
}

// result is what came of the tests.
type result struct {
	passed                  map[string]int // cases, by test
	failed                  []string       // what tests that failed say
	calls, callsWithOptions int
	asked                   map[string]int // by package
}

func read(t *testing.T, out []byte) result {
	t.Helper()
	r := result{passed: map[string]int{}, asked: map[string]int{}}
	subtests := map[string]int{}
	output := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var event struct{ Action, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &event) != nil {
			continue // what the compiler says
		}
		fmt.Sscanf(event.Output, "calls %d %d", &r.calls, &r.callsWithOptions)
		var pkg string
		var times int
		if n, _ := fmt.Sscanf(event.Output, "%s asked %d times", &pkg, &times); n == 2 {
			r.asked[pkg] = times
		}
		if event.Test == "" {
			continue
		}
		test, _, sub := strings.Cut(event.Test, "/")
		switch event.Action {
		case "output":
			output[event.Test] += event.Output
		case "fail":
			r.failed = append(r.failed, event.Test+":\n"+output[event.Test])
		case "pass":
			if sub {
				subtests[test]++
			}
			r.passed[test] = max(subtests[test], 1)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return r
}
