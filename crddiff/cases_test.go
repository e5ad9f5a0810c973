package crddiff_test

import (
	"os"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/testing/crdjudge"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

// testdata/levels.txt has changes with an object each that shows whom they break, or that breaks nobody.
//
//	# a name
//	old: a version of a CRD: its schema and subresources, or only the schema of spec
//	new: the same after the change
//	object: its fields, or only those of spec
//	update: what it is updated to, if that shows it
//	level: whom that breaks
func TestLevelsOfCases(t *testing.T) {
	data, err := os.ReadFile("testdata/levels.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.Split("\n"+string(data), "\n# ")[1:] {
		name, fields, _ := strings.Cut(text, "\n")
		t.Run(name, func(t *testing.T) {
			c := structuraltest.ParseObject(t, fields)
			old, new := caseSide(t, c["old"]), caseSide(t, c["new"])
			obj := caseObject(c["object"])
			var want crddiff.Level
			if err := want.UnmarshalText([]byte(c["level"].(string))); err != nil {
				t.Fatal(err)
			}
			is := crdjudge.Judge(old, new, obj)
			if to := c["update"]; to != nil {
				is = crdjudge.JudgeUpdate(old, new, obj, caseObject(to))
			}
			if is.Level != want {
				t.Errorf("the object shows %s and not %s: %s", is.Level, want, is.How)
			}
			if level, changes := crdjudge.Said(t, old, new); level != want {
				t.Errorf("is said to break %s, and breaks %s: %v\n%s", level, want, changes, is.How)
			}
		})
	}
}

// caseObject returns an object of a case.
func caseObject(fields any) object {
	obj, _ := fields.(object)
	isWhole := func(name string) bool { _, ok := obj[name]; return ok }
	if !isWhole("spec") && !isWhole("status") && !isWhole("metadata") || isWhole("apiVersion") {
		obj = object{"spec": obj}
	}
	return crdjudge.Named(obj)
}

// caseSide returns the CRD of a case.
func caseSide(t *testing.T, version any) *crdjudge.Side {
	t.Helper()
	v := version.(object)
	if v["schema"] == nil {
		v = object{"schema": object{"type": "object", "properties": object{"spec": v}}}
	}
	s, err := crdjudge.New(v)
	if err != nil {
		t.Fatalf("%v: %v", version, err)
	}
	return s
}
