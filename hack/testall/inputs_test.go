package main

import "testing"

func TestInputsAreWhatARowDependsOn(t *testing.T) {
	const pkg = "internal/lint"
	files := []string{
		"go.mod", pkg + "/lint.go", pkg + "/lint_test.go", pkg + "/testdata/a.md", "docs/a.md", "runtime/set.go", "runtime/set_test.go", "hack/mutate/main.go",
		"kube/a.go", "kube/a_test.go", "hack/bench/a.go", "hack/conformance/a.go",
	}
	for _, row := range []struct{ module, pkg, want string }{
		{".", pkg, "go.mod internal/lint/lint.go internal/lint/lint_test.go internal/lint/testdata/a.md runtime/set.go "},
		{".", "hack/mutate", "go.mod internal/lint/lint.go internal/lint/testdata/a.md runtime/set.go hack/mutate/main.go "},
		{".", "", "go.mod internal/lint/lint.go internal/lint/lint_test.go internal/lint/testdata/a.md runtime/set.go runtime/set_test.go hack/mutate/main.go "},
		{"kube", "kube", "go.mod internal/lint/lint.go internal/lint/testdata/a.md runtime/set.go kube/a.go kube/a_test.go "},
		{"hack/bench", "hack/bench", "go.mod internal/lint/lint.go internal/lint/testdata/a.md runtime/set.go hack/mutate/main.go kube/a.go hack/bench/a.go hack/conformance/a.go "},
	} {
		all := tree{}
		for _, name := range files {
			all[name] = [32]byte{}
		}
		before, have := all.inputs(row.module, row.pkg), ""
		for _, name := range files {
			all[name] = [32]byte{1}
			if all.inputs(row.module, row.pkg) != before {
				have += name + " "
			}
			all[name] = [32]byte{}
		}
		if have != row.want {
			t.Errorf("%s %s depends on\n%s, want\n%s", row.module, row.pkg, have, row.want)
		}
	}
}
