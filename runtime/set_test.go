package prunert

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// marking returns a resource whose functions leave their mark.
func marking(group, version, kind string) Resource {
	mark := func(obj map[string]any) { obj["by"] = version + " " + kind }
	return Resource{
		Group: group, Version: version, Kind: kind,
		Prune:       mark,
		PruneReport: func(obj map[string]any) []string { mark(obj); return []string{"spec.x"} },
		Default:     mark,
		Normalize: func(obj map[string]any, opts NormalizeOptions) ([]string, error) {
			mark(obj)
			if obj["bad"] == true {
				return nil, errors.New("metadata is bad")
			}
			return []string{"spec.y"}, nil
		},
		Check: func(obj map[string]any) ErrorList {
			return ErrorList{{Type: ErrorTypeInvalid, Field: "spec.z", Path: FieldPath("spec", "z"), BadValue: "x"}}
		},
		Validate: func(obj map[string]any) ErrorList {
			return ErrorList{{Type: ErrorTypeInvalid, Field: "spec.v", Path: FieldPath("spec", "v"), BadValue: "x"}}
		},
		ValidateUpdate: func(obj, old map[string]any) ErrorList {
			return ErrorList{{Type: ErrorTypeInvalid, Field: "spec.u", BadValue: old["old"]}}
		},
		ValidateMetadata: func(obj, old map[string]any) ErrorList {
			return ErrorList{{Type: ErrorTypeInvalid, Field: "metadata.name", BadValue: old["old"]}}
		},
		Fields: func(visit func(string)) { visit(".spec." + version) },
	}
}

func object(apiVersion, kind string) map[string]any {
	return map[string]any{"apiVersion": apiVersion, "kind": kind}
}

func testSet(t *testing.T) *Set {
	t.Helper()
	var s Set
	things := marking("example.com", "v1", "Thing")
	things.ListKind = "Things"
	bare := Resource{Group: "example.com", Version: "v1", Kind: "Bare"}
	if err := s.AddPartial(marking("example.com", "v1", "App"), marking("example.com", "v2", "App"), marking("", "v1", "Core"), things, bare,
		marking("example.com", "v1", "BareList")); err != nil {
		t.Fatal(err)
	}
	return &s
}

func TestASetFindsTheFunctionsByWhatAnObjectSaysOfItself(t *testing.T) {
	s := testSet(t)
	for _, tt := range []struct {
		obj  map[string]any
		by   string
		fail string
	}{
		{object("example.com/v1", "App"), "v1 App", ""},
		{object("example.com/v2", "App"), "v2 App", ""},
		{object("v1", "Core"), "v1 Core", ""},
		{object("example.com/v1", "BareList"), "v1 BareList", ""}, // a kind, although Bare is one, too
		{object("example.com/v3", "App"), "", "no code for example.com/v3 App, only for the versions v1, v2"},
		{object("example.org/v1", "App"), "", "no code for example.org/v1 App"},
		{object("", "App"), "", "apiVersion and kind must be non-empty strings"},
		{map[string]any{"apiVersion": 1, "kind": "App"}, "", "apiVersion and kind must be non-empty strings"},
		{object("example.com/v1", "Bare"), "", "no function Prune was generated for example.com/v1 Bare"},
	} {
		err := s.Prune(tt.obj)
		if by, _ := tt.obj["by"].(string); by != tt.by || text(err) != tt.fail {
			t.Errorf("%v: by %q, error %v", tt.obj, by, err)
		}
		var unknown *UnknownKindError
		if strings.HasPrefix(tt.fail, "no code") && !errors.As(err, &unknown) {
			t.Errorf("%v: the error is a %T", tt.obj, err)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A resource that is replaced takes its list kind with it.
func TestPutForgetsTheOldListKind(t *testing.T) {
	var s Set
	s.put(Resource{Group: "example.com", Version: "v1", Kind: "Thing", ListKind: "Things", Prune: func(obj map[string]any) {}})
	s.put(Resource{Group: "example.com", Version: "v1", Kind: "Thing", ListKind: "ThingList", Prune: func(obj map[string]any) {}})
	for kind, want := range map[string]string{"ThingList": "", "Things": "no code for example.com/v1 Things"} {
		if err := s.Prune(object("example.com/v1", kind)); text(err) != want {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestASetGoesThroughLists(t *testing.T) {
	s := testSet(t)
	for _, kind := range []struct{ apiVersion, kind string }{{"v1", "List"}, {"example.com/v1", "AppList"}} {
		list := object(kind.apiVersion, kind.kind)
		first, second := object("example.com/v1", "App"), object("example.com/v2", "App")
		list["items"] = []any{first, second}
		unknown, err := s.Normalize(list, NormalizeOptions{})
		if err != nil || !slices.Equal(unknown, []string{"items[0].spec.y", "items[1].spec.y"}) || first["by"] != "v1 App" || second["by"] != "v2 App" {
			t.Errorf("%s: %q, %v, %v", kind.kind, unknown, err, list)
		}
		dropped, err := s.PruneReport(list)
		if err != nil || !slices.Equal(dropped, []string{"items[0].spec.x", "items[1].spec.x"}) {
			t.Errorf("%s: %q, %v", kind.kind, dropped, err)
		}
		wrong, err := s.Check(list)
		if err != nil || len(wrong) != 2 || wrong[1].Field != "items[1].spec.z" || wrong[1].Path.String() != wrong[1].Field {
			t.Errorf("%s: %v at %v, %v", kind.kind, wrong, wrong[1].Path, err)
		}
		wrong, err = s.Validate(list)
		if err != nil || len(wrong) != 2 || wrong[1].Field != "items[1].spec.v" || wrong[1].Path.String() != wrong[1].Field {
			t.Errorf("%s: %v at %v, %v", kind.kind, wrong, wrong[1].Path, err)
		}
		if err := s.Default(list); err != nil {
			t.Error(err)
		}
	}
	// In a list of its own kind, an item need not say what it is.
	things := object("example.com/v1", "Things")
	item := map[string]any{}
	things["items"] = []any{item}
	if err := s.Prune(things); err != nil || item["by"] != "v1 Thing" {
		t.Errorf("%v, %v", things, err)
	}
	if err := s.Prune(object("v1", "List")); err != nil {
		t.Errorf("a list without items: %v", err)
	}
}

func TestASetSaysWhichItemsAreAtFaultAndGoesOn(t *testing.T) {
	s := testSet(t)
	bad, good := object("example.com/v1", "App"), object("example.com/v1", "App")
	bad["bad"] = true
	list := object("v1", "List")
	list["items"] = []any{bad, "no object", object("example.org/v1", "Else"), map[string]any{}, good}
	unknown, err := s.Normalize(list, NormalizeOptions{})
	want := "items[0]: metadata is bad\nitems[1]: got string, want an object\n" +
		"items[2]: no code for example.org/v1 Else\n" +
		"items[3]: apiVersion and kind must be non-empty strings"
	if text(err) != want || good["by"] != "v1 App" || !slices.Equal(unknown, []string{"items[4].spec.y"}) {
		t.Errorf("%v\n%q", err, unknown)
	}
	list["items"] = "none"
	if err := s.Prune(list); text(err) != "items: got string, want a list" {
		t.Error(err)
	}
}

func TestASetHasEachKindOnce(t *testing.T) {
	s := testSet(t)
	before := len(s.Resources())
	if err := s.Add(marking("example.com", "v9", "New"), marking("example.com", "v1", "App")); text(err) != "example.com/v1 App is already registered" {
		t.Error(err)
	}
	if len(s.Resources()) != before {
		t.Error("some were added all the same")
	}
	changed := marking("example.com", "v1", "App")
	changed.SchemaHash = "new"
	if err := s.Put(changed); err != nil {
		t.Error(err)
	}
	if r, _ := s.Lookup("example.com", "v1", "App"); r.SchemaHash != "new" || len(s.Resources()) != before {
		t.Errorf("%+v", r)
	}
	var empty Set
	if err := empty.Put(marking("", "v1", "A")); err != nil {
		t.Error(err)
	}
	if !reflect.DeepEqual(empty.Resources()[0].Kind, "A") {
		t.Error("an empty set takes nothing")
	}
}

func TestASetTakesAllResourcesOfACallOrNone(t *testing.T) {
	var s Set
	one, other := marking("example.com", "v1", "One"), marking("example.com", "v1", "Other")
	if err := s.Add(one, other, one); err == nil || !strings.Contains(err.Error(), "example.com/v1 One is already registered") {
		t.Errorf("got %v", err)
	}
	if got := s.Resources(); len(got) > 0 {
		t.Errorf("%d resources are there all the same", len(got))
	}
}

func TestResourcesAreSortedByVersionBeforeKind(t *testing.T) {
	var s Set
	if err := s.Add(marking("b.com", "v1", "A"), marking("a.com", "v2", "A"), marking("a.com", "v1", "B"), marking("a.com", "v1", "A")); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range s.Resources() {
		got = append(got, r.APIVersion()+" "+r.Kind)
	}
	if want := []string{"a.com/v1 A", "a.com/v1 B", "a.com/v2 A", "b.com/v1 A"}; !slices.Equal(got, want) {
		t.Errorf("have %q, want %q", got, want)
	}
}

// An item that says nothing is of the kind of the list. One that says half of what it is might be of another.
func TestItemsThatSayHalfOfWhatTheyAreAreErrors(t *testing.T) {
	var s Set
	if err := s.Add(marking("example.com", "v1", "App")); err != nil {
		t.Fatal(err)
	}
	for _, item := range []map[string]any{{"kind": "App"}, {"apiVersion": "example.com/v1"}} {
		list := object("example.com/v1", "AppList")
		list["items"] = []any{item}
		if err := s.Prune(list); err == nil {
			t.Errorf("%v is pruned", item)
		}
	}
}
