package suite_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/prune-gen/prune-gen/internal/suite"
)

// widgets returns the CRD of testdata as a variant.
func widgets(t *testing.T) *suite.Variants {
	t.Helper()
	a, err := txtar.ParseFile("testdata/widgets.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", part(t, a, "crd.yaml").Data)}}
}

// orders calls f with every non-empty selection of names, in every order.
func orders(names, chosen []string, f func([]string)) {
	for i, name := range names {
		more := append(slices.Clone(chosen), name)
		f(more)
		orders(slices.Delete(slices.Clone(names), i, i+1), more, f)
	}
}

// A case passes after an update, whatever it expected, in any order and notation: it keeps the expectations that are right, loses those
// that contradict the outcome, and no line outside of it changes.
func TestUpdateOfEveryCombinationOfExpectations(t *testing.T) {
	const (
		head   = "crdName: widgets.example.com\ntests:\n  onUpdate:\n"
		object = "      apiVersion: example.com/v1\n      kind: Widget\n      "
		before = "  - name: before\n    initial: |\n" + object + "spec: {size: 1}\n    updated: |\n" + object + "spec: {size: 11}\n    expectedError: spec.size\n\n"
		after  = "\n  # A comment of the case below.\n  - name: after\n    initial: |\n" + object + "spec: {size: 1}\n    updated: |\n" + object +
			"spec: {size: 2}\n    expected: |\n" + object + "spec: {size: 2, replicas: 1}\n"
	)
	all := []string{"expected", "expectedError", "expectedStatusError", "expectedWarnings"}
	wrong := []map[string]string{{
		"expected": "|\n" + object + "spec: {size: 9}\n", "expectedError": "one thing\n", "expectedStatusError": "another\n", "expectedWarnings": "[a, b]\n",
	}, {
		"expected": "\n      apiVersion: example.com/v1\n      kind: Widget\n\n      spec:\n        size: 9\n", "expectedError": "|\n\n      one\n      thing\n",
		"expectedStatusError": "\"an\n      other\" # indeed\n", "expectedWarnings": "\n    - a\n\n    - |\n      b\n",
	}}
	vs := widgets(t)
	count := 0
	for _, outcome := range []struct {
		updated string
		right   map[string]string // expectations that are right as they are
		want    map[string]string // the expectations afterwards, of those that the case has or needs
	}{
		{"spec: {size: 2}", map[string]string{
			"expected": "|\n" + object + "spec: {size: 2, replicas: 1}\n", "expectedWarnings": "[]\n",
		}, map[string]string{"expected": "size: 2", "expectedWarnings": "[]"}},
		{"spec: {size: 2, smell: sweet}", map[string]string{
			"expected": "|\n" + object + "spec: {size: 2, replicas: 1}\n", "expectedWarnings": "['unknown field \"spec.smell\"']\n",
		}, map[string]string{"expected": "size: 2", "expectedWarnings": "spec.smell"}},
		{"spec: {size: 11}", map[string]string{"expectedError": "should be less than\n"}, map[string]string{"expectedError": "less than"}},
		{"spec: {size: 1}\n      status: {phase: Idle}", map[string]string{"expectedStatusError": "done is done\n"}, map[string]string{"expectedStatusError": "done is done"}},
	} {
		for rights := range 1 << len(outcome.right) {
			orders(all, nil, func(fields []string) {
				if rights > 0 && !slices.IsSorted(fields) {
					return
				}
				notation := wrong[count%len(wrong)]
				count++
				values := map[string]string{}
				for i, field := range all {
					values[field] = notation[field]
					if right, ok := outcome.right[field]; ok && rights>>(i%len(outcome.right))&1 == 1 {
						values[field] = right
					}
				}
				text := "  - name: updated\n    initial: |\n" + object + "spec: {size: 1}\n      status: {phase: Done}\n    updated: |\n" + object + outcome.updated + "\n"
				if !strings.Contains(outcome.updated, "status") {
					text = strings.Replace(text, "      status: {phase: Done}\n", "", 1)
				}
				unchanged := text
				for _, field := range fields {
					text += "    " + field + ": " + values[field]
				}
				s := read(t, "s.yaml", []byte(head+before+text+after))
				_, runs := results(vs, s)
				if runs[0].Failures != nil || runs[2].Failures != nil {
					t.Fatalf("%v %v", runs[0].Failures, runs[2].Failures)
				}
				updated, err := s.Update(runs)
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				got, ok := strings.CutPrefix(string(updated), head+before+unchanged)
				got, closed := strings.CutSuffix(got, after)
				if !ok || !closed {
					t.Fatalf("the update of\n%s\nchanges other lines:\n%s", text, updated)
				}
				if runs[1].Failures == nil && string(updated) != head+before+text+after {
					t.Fatalf("a case that passes is changed:\n%s\nto\n%s", text, updated)
				}
				_, again := results(vs, read(t, "s.yaml", updated))
				if again[1].Failures != nil {
					t.Fatalf("after the update of\n%s\nthe case fails:\n%s\n%v", text, got, again[1].Failures)
				}
				if runs[1].Failures == nil {
					return
				}
				for _, field := range all {
					entry := at(got, field)
					value, wanted := outcome.want[field]
					had := slices.Contains(fields, field)
					switch {
					case field == "expectedWarnings" && had && !wanted: // those of a refusal are not compared
						if entry != field+": "+values[field] {
							t.Errorf("%s becomes %q in\n%s", field, entry, got)
						}
					case field == "expectedWarnings" && !had, !wanted:
						if entry != "" {
							t.Errorf("%s is in\n%s\nafter the update of\n%s", field, got, text)
						}
					case had && values[field] == outcome.right[field]:
						if !strings.Contains(entry, value) {
							t.Errorf("%s is right and becomes %q in\n%s", field, entry, got)
						}
					case !strings.Contains(entry, value):
						t.Errorf("%s is %q in\n%s\nafter the update of\n%s", field, entry, got, text)
					}
				}
			})
		}
	}
	if count != 4*64+(3+3+1+1)*15 {
		t.Errorf("%d combinations", count)
	}
}

// at returns the entry of a field in a case, "" for none.
func at(text, field string) string {
	_, value, found := strings.Cut("\n"+text, "\n    "+field+":")
	if !found {
		return ""
	}
	entry := field + ":"
	for i, line := range strings.SplitAfter(value, "\n") {
		if i > 0 && strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "     ") && !strings.HasPrefix(line, "    -") {
			break
		}
		entry += line
	}
	return entry
}

// An update that would move the object of a case, or remove the dash before it, is refused.
func TestUpdatesThatAreRefused(t *testing.T) {
	const object = "|\n      apiVersion: example.com/v1\n      kind: Widget\n      spec: {size: 1}\n"
	vs := widgets(t)
	for text, want := range map[string]string{
		"  - expectedError: x\n    initial: " + object:                                      "s.yaml:4: line 4: the field expectedError begins the case: put the name first",
		"  - name: a\n    expectedError: x\n    initial: " + object:                         "s.yaml:4: a: the field expectedError stands above initial: put it below",
		"  - name: a\n    expectedWarnings: [x]\n    initial: " + object:                    "s.yaml:4: a: the field expectedWarnings stands above initial: put it below",
		"  - {name: a, initial: 'apiVersion: example.com/v1\n\n      kind: Widget\n\n '}\n": "s.yaml: the file cannot be updated as it is written: ",
	} {
		s := read(t, "s.yaml", []byte("crdName: widgets.example.com\ntests:\n  onCreate:\n"+text))
		_, runs := results(vs, s)
		if updated, err := s.Update(runs); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\nis updated: %v\n%s\nwant %s", text, err, updated, want)
		}
	}
}
