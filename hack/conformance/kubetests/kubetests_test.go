// Package kubetests runs Kubernetes' own tests of defaulting, nulls and metadata against our functions. The tests stay where
// the module cache has them: an overlay shows them to the Go command as files of the packages below, whose functions have
// the names of Kubernetes' and call ours.
package kubetests

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
)

// files are Kubernetes' test files, by package.
var files = map[string][]string{
	"defaulting": {"algorithm_test.go", "prunenulls_test.go"},
	"objectmeta": {"algorithm_test.go", "coerce_test.go", "jsonpath_test.go"},
}

// cases is how many cases the tests have at least: subtests, or one for a test without any.
var cases = map[string]int{
	"TestDefault": 13, "TestPruneNonNullableNullsWithoutDefaults": 4,
	"TestCoerce":              8,
	"TestRoundtripObjectMeta": 1, "TestMalformedObjectMetaFields": 1, "TestGetObjectMetaWithOptions": 1,
	"TestGetObjectMetaNils": 1, "TestGetObjectMeta": 1,
}

// calls is how often the tests of metadata read some at least: random metadata, and a table.
const calls, callsWithOptions = 10_000, 12

func TestKubernetesTestsPassWithOurFunctions(t *testing.T) {
	root, err := scratch.ModuleRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out, err := run(t, root)
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
	t.Logf("%d cases of %d tests passed; metadata was read %d times, and %d times with options",
		all, len(result.passed), result.calls, result.callsWithOptions)
}

// run runs the tests and returns what go test -json prints.
func run(t *testing.T, root string) ([]byte, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/apiextensions-apiserver")
	cmd.Dir = root
	dir, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(strings.TrimSpace(string(dir)), "pkg", "apiserver", "schema")
	overlay := scratch.Overlay{Replace: map[string]string{}}
	for pkg, names := range files {
		for _, name := range names {
			source := filepath.Join(theirs, pkg, name)
			if _, err := os.Stat(source); err != nil {
				t.Fatal(err)
			}
			overlay.Replace[filepath.Join(root, "kubetests", pkg, "kubernetes_"+name)] = source
		}
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	write := func(name string, data []byte) string {
		file := filepath.Join(temp, name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
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
	cmd = exec.CommandContext(t.Context(), "go", "test", "-json", "-vet=off", "-count=1",
		"-modfile", filepath.Join(temp, "go.mod"), "-mod=mod", "-overlay", overlayFile, "./kubetests/defaulting", "./kubetests/objectmeta")
	cmd.Dir = root
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	return out.Bytes(), err
}

// result is what came of the tests.
type result struct {
	passed                  map[string]int // cases, by test
	failed                  []string       // what tests that failed say
	calls, callsWithOptions int
}

func read(t *testing.T, out []byte) result {
	t.Helper()
	r := result{passed: map[string]int{}}
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
