package conformance

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

func accepted(obj map[string]any, warnings ...string) *Answer {
	return &Answer{Code: 201, Object: obj, Warnings: warnings}
}

func refused(message string, causes ...Cause) *Answer {
	return &Answer{Code: 422, Status: &Status{Reason: "Invalid", Message: message, Details: Details{Causes: causes}}}
}

// An answer fails at the levels at which it differs, and at no others.
func TestAnswersFailWhereTheyDiffer(t *testing.T) {
	a, b := Cause{"R", "is bad", "a"}, Cause{"R", "is bad", "b"}
	obj := func(v any) map[string]any {
		return map[string]any{"a": v, "metadata": map[string]any{"name": "x-12345", "generateName": "x-", "uid": "1"}}
	}
	for name, c := range map[string]struct {
		want, have *Answer
		failed     []Level
	}{
		"equal":                     {accepted(obj(1.0)), accepted(obj(json.Number("1e0"))), nil},
		"a made name":               {accepted(obj(1.0)), accepted(map[string]any{"a": 1.0, "metadata": map[string]any{"name": "x-abcde", "generateName": "x-"}}), nil},
		"another object":            {accepted(obj(1.0)), accepted(obj(2.0)), []Level{Object}},
		"a float":                   {accepted(obj(1.0)), accepted(obj(1.5)), []Level{Object}},
		"a missing object":          {accepted(obj(1.0)), accepted(nil), []Level{Object}},
		"another warning":           {accepted(nil, "w"), accepted(nil, "v"), []Level{Warnings}},
		"warnings in another order": {accepted(nil, "w", "v"), accepted(nil, "v", "w"), nil},
		"refused":                   {accepted(obj(1.0)), refused("no"), []Level{Verdict, Object}},
		"accepted":                  {refused("no", a), accepted(obj(1.0)), []Level{Verdict, Fields, Texts}},
		"a warning is missing":      {accepted(nil, "w"), accepted(nil), []Level{Warnings}},
		"a warning too many":        {accepted(nil), accepted(nil, "w"), []Level{Warnings}},
		"errors in another order":   {refused("no: [a: is bad, b: is bad]", a, b), refused("no: [b: is bad, a: is bad]", b, a), nil},
		"an error is missing":       {refused("no: [a: is bad, b: is bad]", a, b), refused("no: a: is bad", a), []Level{Fields, Texts}},
		"an error twice":            {refused("no: a: is bad", a), refused("no: a: is bad", a, a), []Level{Texts}},
		"another text":              {refused("no: a: is bad", a), refused("no: a: is odd", Cause{"R", "is odd", "a"}), []Level{Texts}},
		"another message":           {refused("no: a: is bad", a), refused("yes: a: is bad", a), []Level{Texts}},
		"another code":              {refused("no"), &Answer{Code: 400, Status: &Status{Reason: "Invalid", Message: "no"}}, []Level{Texts}},
		"another name":              {&Answer{Code: 404, Status: &Status{Details: Details{Name: "a", Kind: "k"}}}, &Answer{Code: 404, Status: &Status{Details: Details{Name: "b", Kind: "k"}}}, []Level{Texts}},
		"only a verdict":            {refused("no", a), &Answer{Code: 400}, []Level{Fields, Texts}},
		"an error instead":          {accepted(obj(1.0)), &Answer{Error: "help"}, []Level{Verdict, Object}},
		"an error for a refusal":    {refused("no"), &Answer{Error: "help"}, []Level{Verdict, Texts}},
		"an error, and a warning":   {accepted(nil, "w"), &Answer{Error: "help"}, []Level{Verdict, Warnings}},
		"another line of source":    {refused("in scheme.go:110"), refused("in scheme.go:111"), nil},
		"another place in memory":   {refused("no", Cause{Message: "(*bool)(0xc000123456)"}), refused("no", Cause{Message: "(*bool)(0x…)"}), nil},
		"skipped":                   {accepted(obj(1.0)), &Answer{Skipped: "I cannot"}, nil},
	} {
		f := &File{Name: "s/f", Subject: "s"}
		f.Cases = []*Case{{File: f, Name: name, answers: map[kubeversion.Version]*Answer{37: c.want}}}
		r := Judge([]*File{f}, 37, map[string]*Answer{"s/f: " + name: c.have}, Levels())[0]
		if !slices.Equal(r.Failed, c.failed) {
			t.Errorf("%s: failed at %v, want %v\n%s", name, r.Failed, c.failed, r.Difference())
		}
		if some := Judge([]*File{f}, 37, map[string]*Answer{"s/f: " + name: c.have}, []Level{Verdict})[0]; slices.Contains(some.Levels, Object) {
			t.Errorf("%s: levels %v", name, some.Levels)
		}
		if none := Judge([]*File{f}, 36, map[string]*Answer{"s/f: " + name: c.have}, Levels()); len(none) > 0 {
			t.Errorf("%s: a version without an answer is judged", name)
		}
	}
}

// Of a name that is made, only the five characters at its end may be others.
func TestMadeNamesHaveALength(t *testing.T) {
	named := func(base, name string) *Answer {
		return accepted(map[string]any{"metadata": map[string]any{"name": name, "generateName": base}})
	}
	for _, base := range []string{"", "x-", strings.Repeat("x", 58)} {
		for length := range 12 {
			for _, have := range []string{base + strings.Repeat("z", length), "y" + base + strings.Repeat("z", length), strings.Repeat("z", length)} {
				f := &File{Name: "s/f", Subject: "s"}
				want := base + "abcde"
				f.Cases = []*Case{{File: f, Name: "a", answers: map[kubeversion.Version]*Answer{37: named(base, want)}}}
				r := Judge([]*File{f}, 37, map[string]*Answer{"s/f: a": named(base, have)}, Levels())[0]
				isMade := base != "" && len(have) == len(want) && strings.HasPrefix(have, base)
				if failed := slices.Contains(r.Failed, Object); failed == isMade {
					t.Errorf("%q for %q: failed: %t", have, want, failed)
				}
			}
		}
	}
}

// Warnings count where somebody warns.
func TestSilenceIsNoSuccess(t *testing.T) {
	f := &File{Name: "s/f", Subject: "s"}
	f.Cases = []*Case{{File: f, Name: "a", answers: map[kubeversion.Version]*Answer{37: accepted(nil)}}}
	r := Judge([]*File{f}, 37, map[string]*Answer{"s/f: a": accepted(nil)}, Levels())[0]
	if slices.Contains(r.Levels, Warnings) {
		t.Error(r.Levels)
	}
}

// A failure has the question as it was asked, and no more of an answer than somebody reads.
func TestDifferenceHasTheQuestion(t *testing.T) {
	f := &File{Name: "s/f", Subject: "s"}
	c := &Case{File: f, Name: "a", answers: map[kubeversion.Version]*Answer{36: accepted(nil)}}
	c.question = Question{CRD: json.RawMessage(`{"spec":{}}`), Version: "v1", Body: "<nil>", FieldValidation: "Strict"}
	f.Cases = []*Case{c}
	r := Judge([]*File{f}, 36, map[string]*Answer{"s/f: a": refused(strings.Repeat("é", 1<<20))}, Levels())[0]
	have := r.Difference()
	const want = `{"id":"s/f: a","kubernetes":"1.36","crd":{"spec":{}},"version":"v1","body":"<nil>","fieldValidation":"Strict"}` + "\n"
	if !strings.Contains(have, want) || !strings.Contains(have, " bytes more)") || len(have) > 10000 || !utf8.ValidString(have) {
		t.Errorf("%d bytes: %.400s", len(have), have)
	}
	r = Judge([]*File{f}, 36, map[string]*Answer{"s/f: a": {Error: strings.Repeat("x", 1<<20)}}, Levels())[0]
	if have := r.Difference(); len(have) > 10000 {
		t.Errorf("%d bytes: %.400s", len(have), have)
	}
}

func TestTalliesCountEachSubjectAndAll(t *testing.T) {
	result := func(subject string, failed ...Level) *Result {
		return &Result{Case: &Case{File: &File{Subject: subject}}, Have: &Answer{}, Levels: []Level{Verdict, Object}, Failed: failed}
	}
	skipped := result("b")
	skipped.Have.Skipped, skipped.Levels = "no", nil
	all := Tallies([]*Result{result("b", Object), result("a"), skipped})
	want := []*Tally{
		{"a", 1, 0, map[Level]int{Verdict: 1, Object: 1}, map[Level]int{Verdict: 1, Object: 1}},
		{"b", 2, 1, map[Level]int{Verdict: 1}, map[Level]int{Verdict: 1, Object: 1}},
		{"total", 3, 1, map[Level]int{Verdict: 2, Object: 1}, map[Level]int{Verdict: 2, Object: 2}},
	}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("%+v", all)
	}
}
