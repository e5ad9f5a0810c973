package crddiff_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/testing/crdjudge"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

// stuckBounds returns the fields of new bounds: those that an update of one of some objects is refused for although nothing there changes, and
// those for which changes are said to do so. Updates change some fields.
func stuckBounds(t *testing.T, old, new *crdjudge.Side, objects []object, changes object) (shown, said []string) {
	t.Helper()
	var stuck []string
	for _, obj := range objects {
		stuck = append(stuck, crdjudge.StuckAt(old, new, obj, changes)...)
	}
	_, all := crdjudge.Said(t, old, new)
	for _, c := range all {
		if c.ID != "diff/bound" {
			continue
		}
		if slices.Contains(stuck, c.Field()) {
			shown = append(shown, c.Field())
		}
		if c.Level == crddiff.Stored {
			said = append(said, c.Field())
		}
	}
	return shown, said
}

// Elements of list maps are matched by their keys: what the old and the new CRD say about a field that is or becomes one decides whether a bound
// on another field of the elements breaks stored objects.
func TestBoundsBesideKeysOfListMaps(t *testing.T) {
	var objects []object
	for _, list := range []string{"{id: a, v: ab}", "{id: a, b: null, v: ab}", "{id: a, b: x, v: a}, {id: a, b: y, v: ab}", "{id: a, b: x, v: a}, {id: b, b: x, v: ab}", "{id: a, v: a}, {id: b, v: ab}", "{id: a, b: d, v: a}, {id: b, v: ab}",
		"{id: a, v: a}, {id: a, b: d, v: ab}", "{id: a, b: null, v: a}, {id: b, b: null, v: ab}", "{id: a, b: null, v: a}, {id: a, b: x, v: ab}", "{id: a, b: 1, v: a}, {id: b, b: 1, v: ab}", "{id: a, b: 1, v: a}, {id: a, b: 2, v: ab}"} {
		objects = append(objects, crdjudge.Named(structuraltest.ParseObject(t, "{spec: {l: ["+list+"]}}")))
	}
	type side struct {
		schema string
		*crdjudge.Side
	}
	sides := func(value string) (all []side) {
		for _, keys := range []string{"[id]", "[id, b]", "[b]"} {
			for _, field := range []string{"{type: string}", "{type: string, nullable: true}", "{type: string, default: d}", "{type: string, nullable: true, default: d}", "{type: integer}"} {
				for _, required := range []string{"[id]", "[id, b]"} {
					schema := fmt.Sprintf("{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: %s, items: {type: object, required: %s, properties: {id: {type: string}, b: %s, v: %s}}}", keys, required, field, value)
					s, err := crdjudge.New(structuraltest.ParseObject(t, "{schema: {type: object, properties: {spec: {type: object, properties: {l: "+schema+"}}}}}"))
					if err == nil { // keys are required or have a default, and are not null
						all = append(all, side{schema, s})
					}
				}
			}
		}
		return all
	}
	n := 0
	news := sides("{type: string, maxLength: 1}")
	for _, old := range sides("{type: string}") {
		for _, new := range news {
			shown, said := stuckBounds(t, old.Side, new.Side, objects, nil)
			if n += len(shown); len(shown) > len(said) {
				t.Errorf("updates are refused for %q, which is said of %q: %s to %s", shown, said, old.schema, new.schema)
			}
		}
	}
	if n < 100 {
		t.Errorf("updates are refused for %d bounds", n)
	}
}

// Which parts of an object are compared with the old one depends on whether the status is a subresource.
func TestBoundsInTheStatus(t *testing.T) {
	fields := "apiVersion: {type: string%[1]s}, kind: {type: string%[1]s}, a: {type: string%[1]s}, p: {type: object, properties: {kind: {type: string%[1]s}}}, x: {type: integer}"
	fields = "{type: object, properties: {" + fields + "}}"
	side := func(bound, subresources string) *crdjudge.Side {
		of := fmt.Sprintf(fields, bound)
		s, err := crdjudge.New(structuraltest.ParseObject(t, "{schema: {type: object, properties: {spec: "+of+", status: "+of+"}}, subresources: {"+subresources+"}}"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	values := "{apiVersion: ab, kind: ab, a: ab, p: {kind: ab}, x: %d}"
	with := func(x int) object {
		return structuraltest.ParseObject(t, fmt.Sprintf("{spec: "+values+", status: "+values+"}", x, x))
	}
	for _, before := range []string{"", "status: {}"} {
		for _, after := range []string{"", "status: {}"} {
			shown, said := stuckBounds(t, side("", before), side(", maxLength: 1", after), []object{crdjudge.Named(with(1))}, with(2))
			if !slices.Equal(shown, said) {
				t.Errorf("%q to %q: updates are refused for %q, which is said of %q", before, after, shown, said)
			}
		}
	}
}
