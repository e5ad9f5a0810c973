package prunert

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// setMethods are the methods that call a function of a resource for an object, by the name of the function.
var setMethods = map[string]func(s *Set, obj map[string]any) (said []string, err error){
	"Prune":       func(s *Set, obj map[string]any) ([]string, error) { return nil, s.Prune(obj) },
	"PruneReport": func(s *Set, obj map[string]any) ([]string, error) { return s.PruneReport(obj) },
	"Normalize":   func(s *Set, obj map[string]any) ([]string, error) { return s.Normalize(obj, NormalizeOptions{}) },
	"Default":     func(s *Set, obj map[string]any) ([]string, error) { return nil, s.Default(obj) },
	"Check":       func(s *Set, obj map[string]any) ([]string, error) { return fieldsOf(s.Check(obj)) },
	"Validate":    func(s *Set, obj map[string]any) ([]string, error) { return fieldsOf(s.Validate(obj)) },
}

// mustAdd adds a resource, complete or not.
func (s *Set) mustAdd(t *testing.T, r Resource) {
	t.Helper()
	if err := s.AddPartial(r); err != nil {
		t.Fatal(err)
	}
}

func fieldsOf(errs ErrorList, err error) (fields []string, _ error) {
	for _, e := range errs {
		fields = append(fields, e.Field)
	}
	return fields, err
}

// Each method calls the function of its name, and misses no other.
func TestMethodsOfSetsCallTheFunctionOfTheirName(t *testing.T) {
	said := map[string][]string{"PruneReport": {"spec.x"}, "Normalize": {"spec.y"}, "Check": {"spec.z"}, "Validate": {"spec.v"}}
	for name, method := range setMethods {
		var all, without, alone Set
		all.mustAdd(t, marking("example.com", "v1", "App"))
		r := marking("example.com", "v1", "App")
		reflect.ValueOf(&r).Elem().FieldByName(name).SetZero()
		without.mustAdd(t, r)
		r = Resource{Group: "example.com", Version: "v1", Kind: "App", HasRules: true}
		reflect.ValueOf(&r).Elem().FieldByName(name).Set(reflect.ValueOf(marking("example.com", "v1", "App")).FieldByName(name))
		alone.mustAdd(t, r)
		for what, s := range map[string]*Set{"all": &all, "alone": &alone} {
			obj := object("example.com/v1", "App")
			if have, err := method(s, obj); err != nil || !slices.Equal(have, said[name]) {
				t.Errorf("%s, %s: %q, %v, want %q", name, what, have, err, said[name])
			}
			if changes := slices.Contains([]string{"Prune", "PruneReport", "Normalize", "Default"}, name); changes != (obj["by"] == "v1 App") {
				t.Errorf("%s, %s: the object is %v", name, what, obj)
			}
		}
		have, err := method(&without, object("example.com/v1", "App"))
		if want := "no function " + name + " was generated for example.com/v1 App"; have != nil || text(err) != want {
			t.Errorf("%s: have %q, %v, want %s", name, have, err, want)
		}
		for _, head := range []map[string]any{object("example.com/v1", "Other"), object("example.com/v2", "App"), object("v1", "App"), {}} {
			var unknown *UnknownKindError
			if have, err := method(&all, head); have != nil || !errors.As(err, &unknown) {
				t.Errorf("%s of %v: %q, %v", name, head, have, err)
			}
		}
	}
}

func TestUnknownKindsAreNamed(t *testing.T) {
	for want, e := range map[string]UnknownKindError{
		"apiVersion and kind must be non-empty strings":      {APIVersion: "v1"},
		"no code for v1 App":                                 {APIVersion: "v1", Kind: "App"},
		"no code for v1 App, only for the versions v2":       {APIVersion: "v1", Kind: "App", Versions: []string{"v2"}},
		"no code for a/v1 App, only for the versions v2, v3": {APIVersion: "a/v1", Kind: "App", Versions: []string{"v2", "v3"}},
	} {
		if have := e.Error(); have != want {
			t.Errorf("have %s, want %s", have, want)
		}
	}
	if have := (&UnknownKindError{Kind: "App", Versions: []string{"v1"}}).Error(); have != "apiVersion and kind must be non-empty strings" {
		t.Error(have)
	}
}

// The functions for documents are called once for each kind, however many items there are of it.
func TestItemsOfOneKindArePrunedTogether(t *testing.T) {
	var s Set
	calls := map[string]int{}
	for _, version := range []string{"v1", "v2"} {
		r := withoutX(version)
		prune, report, decode := r.PruneJSON, r.PruneJSONReport, r.DecodeJSON
		r.PruneJSON = func(dst, src []byte) ([]byte, error) { calls["prune"]++; return prune(dst, src) }
		r.PruneJSONReport = func(dst, src []byte) ([]byte, JSONReport, error) { calls["report"]++; return report(dst, src) }
		r.DecodeJSON = func(src []byte) (map[string]any, error) { calls["decode"]++; return decode(src) }
		s.mustAdd(t, r)
	}
	for items, want := range map[string]int{app1: 1, app1 + "," + app1: 1, app1 + "," + app2: 2, app1 + "," + app2 + "," + app1: 2} {
		clear(calls)
		src := []byte(list("[" + items + "]"))
		_, err := s.PruneJSON(nil, src)
		_, _, reportErr := s.PruneJSONReport(nil, src)
		_, decodeErr := s.DecodeJSON(src)
		decoded := 1 // the list as a whole
		if want > 1 {
			decoded += strings.Count(items, "kind")
		}
		if err := errors.Join(err, reportErr, decodeErr); err != nil || calls["prune"] != want || calls["report"] != want || calls["decode"] != decoded {
			t.Errorf("%s: %v, %v, want %d and %d", items, calls, err, want, decoded)
		}
	}
}

// A list of a kind is handled by the function of the kind, whatever kinds its items name.
func TestListsOfAKindAreNotLookedInto(t *testing.T) {
	s := jsonSet(t)
	for _, items := range []string{`[]`, `[{}]`, `[{"kind":"Other"}]`, `null`, `{}`} {
		src := `{"apiVersion":"example.com/v1","kind":"AppList","items":` + items + `}`
		have, err := s.PruneJSON(nil, []byte(src))
		if _, decodeErr := s.DecodeJSON([]byte(src)); err != nil || decodeErr != nil || string(have) != src {
			t.Errorf("%s: %s, %v, %v", src, have, err, decodeErr)
		}
	}
	if _, err := s.PruneJSON(nil, []byte(`{"apiVersion":"example.com/v1","kind":"BareList"}`)); text(err) != "no function PruneJSON was generated for example.com/v1 Bare" {
		t.Error(err)
	}
}

// The error of a function ends the work.
func TestErrorsOfFunctionsForDocumentsAreReturned(t *testing.T) {
	broken := errors.New("broken")
	failing := func(version string) Resource {
		r := withoutX(version)
		r.PruneJSON = func(dst, src []byte) ([]byte, error) { return nil, broken }
		r.PruneJSONReport = func(dst, src []byte) ([]byte, JSONReport, error) {
			return nil, JSONReport{Dropped: []string{"x"}}, broken
		}
		r.DecodeJSON = func(src []byte) (map[string]any, error) { return nil, broken }
		return r
	}
	both := list("[" + app1 + "," + app2 + "]")
	for _, version := range []string{"v1", "v2"} { // the first and the second of the two
		var s Set
		for _, r := range jsonSet(t).Resources() {
			if r.Kind == "App" && r.Version == version {
				r = failing(version)
			}
			s.mustAdd(t, r)
		}
		src := strings.Replace(app1, "v1", version, 1)
		for _, src := range []string{src, both} {
			if out, err := s.PruneJSON([]byte("x"), []byte(src)); out != nil || !errors.Is(err, broken) {
				t.Errorf("%s: %s, %v", src, out, err)
			}
			if out, report, err := s.PruneJSONReport([]byte("x"), []byte(src)); out != nil || report.Dropped != nil || report.Duplicate != nil || !errors.Is(err, broken) {
				t.Errorf("%s: %s, %v, %v", src, out, report, err)
			}
			if obj, err := s.DecodeJSON([]byte(src)); obj != nil || !errors.Is(err, broken) {
				t.Errorf("%s: %v, %v", src, obj, err)
			}
		}
		if _, err := s.DecodeJSON([]byte(both)); version == "v2" && text(err) != "items[1]: broken" {
			t.Errorf("it does not say which item: %v", err)
		}
	}
}

// An empty List is decoded by any kind that can, and by none if none can.
func TestEmptyListsAreDecodedByAnyKind(t *testing.T) {
	var bare Set
	bare.mustAdd(t, Resource{Group: "example.com", Version: "v1", Kind: "Bare"})
	if obj, err := bare.DecodeJSON([]byte(list("[]"))); obj != nil || text(err) != "no function DecodeJSON was generated for any kind of the set" {
		t.Errorf("%v, %v", obj, err)
	}
	bare.mustAdd(t, withoutX("v1"))
	for _, src := range []string{list("[]"), list("null"), `{"apiVersion":"v1","kind":"List"}`} {
		if obj, err := bare.DecodeJSON([]byte(src)); err != nil || obj["kind"] != "List" {
			t.Errorf("%s: %v, %v", src, obj, err)
		}
		if out, err := bare.PruneJSON(nil, []byte(src)); err != nil || string(out) != src {
			t.Errorf("%s: %s, %v", src, out, err)
		}
	}
}

// Errors of package json are those of this package, with the offset of the byte that is wrong.
func TestErrorsOfTheLibraryBecomeSyntaxErrors(t *testing.T) {
	for src, want := range map[string]string{
		``:            "unexpected end of JSON input at offset 0",
		`{`:           "unexpected end of JSON input at offset 1",
		`{"a":"`:      "unexpected end of JSON input at offset 6",
		`x`:           "invalid character 'x' looking for beginning of value at offset 0",
		`{"a":1,}`:    "invalid character '}' looking for beginning of object key string at offset 7",
		`{} x`:        "invalid character 'x' after top-level value at offset 3",
		`[1]`:         "got a JSON array, want an object at offset 0",
		`true`:        "got a JSON bool, want an object at offset 0",
		`{"a":tr`:     "unexpected end of JSON input at offset 7",
		`{"a":"\x"}`:  "invalid character 'x' in string escape code at offset 7",
		` {"a": 01} `: "invalid character '1' after object key:value pair at offset 8",
	} {
		_, err := jsonSet(t).PruneJSON(nil, []byte(src))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || text(err) != want {
			t.Errorf("%s: have %v, want %s", src, err, want)
		}
	}
}
