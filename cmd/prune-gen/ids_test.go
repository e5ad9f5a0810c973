package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// isOurs reports whether an id is one of this command and not of package structural.
func isOurs(id structural.ID) bool {
	family, _, _ := strings.Cut(string(id), "/")
	return slices.Contains([]string{"files", "package", "module"}, family)
}

// Every id of this command is found by some call.
func TestEveryIDIsFound(t *testing.T) {
	testsize.NotShort(t)
	const (
		thing = "zz_generated.prune.thing.go"
		ours  = generator.GeneratedBy + "\n\npackage v1\n"
	)
	tests := []struct {
		id    structural.ID
		files map[string]string
		args  string
	}{
		{structural.IDUnreadable, nil, "generate gone.yaml"},
		{findings.IDStale, nil, "verify crd.yaml"},
		{findings.IDForeign, map[string]string{thing: "package v1\n"}, "generate crd.yaml"},
		{findings.IDLink, nil, "generate --output-dir linked crd.yaml"},
		{findings.IDIrregular, map[string]string{thing + "/x": ""}, "generate crd.yaml"},
		{findings.IDLeftover, map[string]string{"v1/" + thing: ours}, "generate crd.yaml"},
		{target.IDClash, map[string]string{"a.go": "package v1\n\nfunc PruneThing() {}\n"}, "generate crd.yaml"},
		{target.IDBroken, map[string]string{"a.go": "package v1\n\nfunc f() { undefined() }\n"}, "generate crd.yaml"},
		{target.IDRuntime, outdatedRuntime(), "generate crd.yaml"},
		{findings.IDDirective, map[string]string{"a.go": "package v1\n\n//go:generate prune-gen generate --group other crd.yaml\n"}, "verify ./..."},
		{findings.IDModule, map[string]string{"go.mod": "bogus\n"}, "generate crd.yaml"},
		{findings.IDRequire, map[string]string{"go.mod": bareModule}, "generate crd.yaml"},
		{findings.IDNoGo, nil, "generate crd.yaml"},
		{findings.IDNoModule, nil, "generate --output-dir " + t.TempDir() + " crd.yaml"},
	}
	found := map[structural.ID]bool{}
	for _, test := range tests {
		t.Run(string(test.id), func(t *testing.T) {
			files := map[string]string{"crd.yaml": kindCRD("Thing", "v1"), "linked/keep": "", "elsewhere/ours.go": ours}
			maps.Copy(files, test.files)
			inModule(t, files)
			if err := os.Symlink("../elsewhere/ours.go", "linked/"+thing); err != nil {
				t.Fatal(err)
			}
			if test.id == findings.IDNoGo {
				t.Setenv("PATH", "")
			}
			args := strings.Fields(test.args)
			if args[0] == "generate" {
				args = append(args, "--dry-run")
			}
			r := runWith("", append(args, "--output", "json")...)
			all := readFindings(t, r.stdout)
			if len(all) == 0 || slices.ContainsFunc(all, func(f structural.Finding) bool { return f.ID != test.id }) {
				t.Errorf("have %+v, want %s\n%s", all, test.id, r.stdout)
			}
			found[test.id] = true
		})
	}
	for _, of := range findings.IDs() {
		if isOurs(of.ID) && !found[of.ID] {
			t.Errorf("nothing finds %s", of.ID)
		}
	}
}
