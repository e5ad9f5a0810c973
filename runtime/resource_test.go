package prunert

import (
	"strings"
	"testing"
)

// withEmptyRegistry puts what is registered aside for the time of a test.
func withEmptyRegistry(t *testing.T) {
	saved := registry.resources
	registry.resources = nil
	t.Cleanup(func() { registry.resources = saved })
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
		if got, want := recover(), "prunert: example.com/v1 Foo is registered twice"; got != want {
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
