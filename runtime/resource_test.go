package prunert

import (
	"strings"
	"testing"
)

// withEmptyRegistry puts what is registered aside for the time of a test.
func withEmptyRegistry(t *testing.T) {
	resources, lists := linked.resources, linked.lists
	linked.resources, linked.lists = nil, nil
	t.Cleanup(func() { linked.resources, linked.lists = resources, lists })
}

func TestWhatIsRegisteredIsFound(t *testing.T) {
	withEmptyRegistry(t)
	Register(
		Resource{Group: "b.example.com", Version: "v1", Kind: "Foo", SchemaHash: "1"},
		Resource{Group: "a.example.com", Version: "v1", Kind: "Foo", SchemaHash: "2"},
		Resource{Group: "a.example.com", Version: "v1", Kind: "Bar", SchemaHash: "3"},
	)
	Register(Resource{Group: "a.example.com", Version: "v1alpha1", Kind: "Foo", SchemaHash: "4"}, Resource{Version: "v1", Kind: "Foo", SchemaHash: "5"})
	for _, tt := range []struct{ group, version, kind, want string }{
		{"b.example.com", "v1", "Foo", "1"},
		{"a.example.com", "v1", "Foo", "2"},
		{"a.example.com", "v1alpha1", "Foo", "4"},
		{"", "v1", "Foo", "5"},
		{"a.example.com", "v1", "foo", ""},
		{"a.example.com", "v2", "Foo", ""},
		{"", "", "", ""},
	} {
		r, ok := Lookup(tt.group, tt.version, tt.kind)
		if r.SchemaHash != tt.want || ok != (tt.want != "") {
			t.Errorf("%s/%s %s: %+v, %t", tt.group, tt.version, tt.kind, r, ok)
		}
	}
	var all []string
	for _, r := range Registered() {
		all = append(all, r.SchemaHash)
	}
	if got := strings.Join(all, " "); got != "5 3 2 4 1" {
		t.Errorf("registered, by group, version and kind: %s", got)
	}
}

func TestRegisteringTwicePanics(t *testing.T) {
	withEmptyRegistry(t)
	r := Resource{Group: "example.com", Version: "v1", Kind: "Foo"}
	Register(r)
	defer func() {
		if got, want := recover(), "prunert: register: example.com/v1 Foo is already registered"; got != want {
			t.Errorf("panic %v, want %s", got, want)
		}
		if _, ok := Lookup("example.com", "v1", "Foo"); !ok {
			t.Error("the first one is gone, or the lock was not given back")
		}
	}()
	Register(r)
}

func TestAPIVersion(t *testing.T) {
	for want, r := range map[string]Resource{
		"example.com/v1": {Group: "example.com", Version: "v1"},
		"v1":             {Version: "v1"},
	} {
		if got := r.APIVersion(); got != want {
			t.Errorf("have %s, want %s", got, want)
		}
	}
}

func TestMatches(t *testing.T) {
	r := Resource{Group: "example.com", Version: "v1", Kind: "Foo"}
	for _, tt := range []struct {
		obj  map[string]any
		want bool
	}{
		{map[string]any{"apiVersion": "example.com/v1", "kind": "Foo"}, true},
		{map[string]any{"apiVersion": "example.com/v1", "kind": "Foo", "spec": map[string]any{}}, true},
		{map[string]any{"apiVersion": "example.com/v1", "kind": "Bar"}, false},
		{map[string]any{"apiVersion": "example.com/v1", "kind": "foo"}, false},
		{map[string]any{"apiVersion": "example.com/v1beta1", "kind": "Foo"}, false},
		{map[string]any{"apiVersion": "example.com/v", "kind": "Foo"}, false},
		{map[string]any{"apiVersion": "example.org/v1", "kind": "Foo"}, false},
		{map[string]any{"apiVersion": "example.com.v1", "kind": "Foo"}, false},
		{map[string]any{"apiVersion": "v1", "kind": "Foo"}, false},
		{map[string]any{"apiVersion": "/v1", "kind": "Foo"}, false},
		{map[string]any{"apiVersion": "example.comv1", "kind": "Foo"}, false},
		{map[string]any{"apiVersion": "example.com//v1", "kind": "Foo"}, false},
		{map[string]any{"apiVersion": "", "kind": "Foo"}, false},
		{map[string]any{"kind": "Foo"}, false},
		{map[string]any{"apiVersion": "example.com/v1"}, false},
		{map[string]any{"apiVersion": 1, "kind": "Foo"}, false},
		{map[string]any{"apiVersion": "example.com/v1", "kind": nil}, false},
		{map[string]any{}, false},
		{nil, false},
	} {
		if got := r.Matches(tt.obj); got != tt.want {
			t.Errorf("%v: %t", tt.obj, got)
		}
	}
	core := Resource{Version: "v1", Kind: "Pod"}
	if !core.Matches(map[string]any{"apiVersion": "v1", "kind": "Pod"}) || core.Matches(map[string]any{"apiVersion": "/v1", "kind": "Pod"}) {
		t.Error("a resource without a group has no slash in its apiVersion")
	}
	obj := map[string]any{"apiVersion": "example.com/v1", "kind": "Foo"}
	if n := testing.AllocsPerRun(100, func() { r.Matches(obj) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
