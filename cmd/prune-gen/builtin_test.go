package main

import (
	"os"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/builtin"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// A program that cannot answer for built-in kinds is an error that says why and what to do. Custom resources are validated all the same.
func TestProgramsThatCannotAnswerForBuiltInKinds(t *testing.T) {
	const pods = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: q}\n---\n"
	begins := func(version string) string {
		return `read q; echo '{"id":1,"kubernetes":"v` + version + `.1","kinds":[{"apiVersion":"v1","kind":"Pod","namespaced":true}]}'` + "\n"
	}
	newest := begins(kubeversion.Newest.String()) + `read q; echo '{"id":2,"schema":{"type":"object","properties":{"metadata":{"type":"object"}}}}'` + "\n"
	inManifests(t, map[string]string{"dir/m.yaml": pods + thing("a", "abcdef"), "dir/n.yaml": pods})
	for name, script := range map[string]string{
		"ends": "exit 0", "fails": "echo no luck >&2; exit 3", "echoes": "exec cat", "older": begins("1.30") + "read q",
		"dies": newest + `read q; echo '{"id":3,"code":201,"object":{"kind":"Pod"}}'; read q; printf 'panic: oh\n\ngoroutine 1\n' >&2; exit 2`,
		"lies": newest + `read q; echo '{"id":3}'; read q; echo '{"id":4}'; read q; exit 0`,
	} {
		if err := os.WriteFile(name, []byte("#!/bin/sh\n"+script+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	const hint = "; --builtin names another program, or none to skip objects of built-in kinds\n"
	for _, test := range []struct{ program, want string }{
		{"./ends", "./ends has ended without an answer"},
		{"./fails", "./fails has ended: exit status 3: no luck"},
		{"./echoes", "./echoes does not answer as prune-gen-builtin does: json: cannot unmarshal bool into Go struct field reply.Kinds of type []builtin.Kind"},
		{"./older", "./older is of Kubernetes v1.30.1, want " + kubeversion.Newest.String() + ": get prune-gen-builtin"},
		{"./dies", "Pod q: ./dies has ended: exit status 2: panic: oh"},
	} {
		r := wantRun(t, exitInput, "m.yaml:13:1: error: field: Too long", "prune-gen validate: "+test.want+hint, "validate", "--builtin", test.program, "--strict-kinds", "--crd", "crd.yaml", "dir")
		if strings.Count(r.stderr, "\n") != 1 || strings.Contains(r.stdout, builtin.Name) {
			t.Errorf("%s: more is said: %s%s", test.program, r.stdout, r.stderr)
		}
	}
	wantRun(t, exitInput, "", "prune-gen validate: Pod p: the answer has neither an object nor a status\n", "validate", "--builtin", "./lies", "dir/n.yaml")
	wantRun(t, exitUsage, "-", "prune-gen validate: --builtin: exec: \"./missing\": stat ./missing: no such file or directory\nRun 'prune-gen validate --help'", "validate", "--builtin", "./missing", "dir")
	t.Setenv(builtin.Variable, "./missing")
	wantRun(t, exitUsage, "-", "prune-gen validate: PRUNE_GEN_BUILTIN: exec: \"./missing\": stat ./missing: no such file or directory\n", "validate", "dir")
	t.Setenv(builtin.Variable, "none")
	wantRun(t, exitInput, "= hint: see https://github.com/prune-gen/prune-gen/blob/main/docs/builtin.md to get it; --skip Pod skips the kind\n", "-", "validate", "--strict-kinds", "--crd", "crd.yaml", "dir")
	wantRun(t, exitInput, "skipped 4 objects of built-in kinds"+noBuiltIn, "-", "validate", "--crd", "crd.yaml", "dir")
	wantRun(t, exitInput, "", "or get prune-gen-builtin for built-in kinds", "validate", "dir/n.yaml")
}
