package apiserver

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"k8s.io/apimachinery/pkg/runtime"
)

func TestServerPrunesChangedObjectsAsWeDo(t *testing.T) {
	s, resources := install(t, crdFiles(t)...)
	for _, c := range objectCases(t, accepted) {
		t.Run(c.name, func(t *testing.T) {
			obj := c.object()
			resourceOf(t, resources, obj).checkMutants(t, s, obj)
		})
	}
}

// checkMutants changes an object in one place at a time and compares what the server makes of each of them, sent and
// stored, with what our functions make of it. The object itself has to be accepted.
func (r *resource) checkMutants(t *testing.T, s *server.Server, obj map[string]any) {
	t.Helper()
	codes := map[int]int{}
	all := mutants(obj)
	for _, m := range all {
		path := r.collection() + "?dryRun=All"
		resp := do(t, s, http.MethodPost, path, server.JSON, m.obj)
		codes[resp.Code]++
		r.checkNormalizedRequest(t, m.name+": create", m.obj, resp)
		switch resp.Code {
		case http.StatusCreated:
			r.checkObject(t, m.name+": create", m.obj, object(t, resp, http.StatusCreated), fromRequest)
			r.checkWarnings(t, m.name+": create", m.obj, resp)
		case http.StatusUnprocessableEntity:
			r.checkWarnings(t, m.name+": create", m.obj, resp)
		case http.StatusBadRequest: // malformed metadata: there is no report
		default:
			t.Errorf("%s: the server answered %d: %s", m.name, resp.Code, resp.Body)
		}

		// In storage nothing is validated, so here every object is compared, however wrong its types are.
		store(t, s, r, "mutant", m.obj)
		resp = do(t, s, http.MethodGet, r.collection()+"/mutant", "", nil)
		r.checkNormalizedStorage(t, m.name+": get", m.obj, resp)
		if resp.Code == http.StatusInternalServerError && m.metadata {
			continue
		}
		r.checkObject(t, m.name+": get", m.obj, object(t, resp, http.StatusOK), fromStorage)
	}
	everywhere := all[0]
	r.checkStrict(t, s, everywhere.name+": strict create", everywhere.obj, http.StatusCreated)
	t.Logf("%d objects: %v", len(all), codes)
	if codes[http.StatusCreated]*10 < len(all) {
		t.Errorf("of %d objects the server accepts only %d: the comparison is hollow", len(all), codes[http.StatusCreated])
	}
}

// mutant is an object with a change.
type mutant struct {
	name string
	obj  map[string]any
	// metadata is set where something that is called metadata was replaced as a whole. Where it is that of a resource,
	// the server does not read the object from storage any more.
	metadata bool
}

// junk returns what is put into an object, by name.
func junk() map[string]any {
	return map[string]any{
		"map":    map[string]any{"u": map[string]any{"v": "w"}},
		"list":   []any{map[string]any{"u": "v"}, "w", []any{map[string]any{"u": nil}}},
		"scalar": "x",
		"null":   nil,
	}
}

// mutants returns copies of obj, in a fixed order: for every map in it and every kind of junk one with an unknown field
// there, for every value in it and every kind of junk one with that value replaced. The first has unknown fields in all
// maps.
func mutants(obj map[string]any) []mutant {
	var out []mutant
	kinds := slices.Sorted(maps.Keys(junk()))
	everywhere := runtime.DeepCopyJSON(obj)
	visit(everywhere, "", func(at string, v any) {
		if m, ok := v.(map[string]any); ok {
			m["unknownField"] = "x"
		}
	})
	out = append(out, mutant{name: "unknown fields everywhere", obj: everywhere})

	var places []string
	visit(obj, "", func(at string, _ any) { places = append(places, at) })
	for _, place := range places {
		for _, kind := range kinds {
			added := runtime.DeepCopyJSON(obj)
			isMap := false
			visit(added, "", func(at string, v any) {
				if m, ok := v.(map[string]any); ok && at == place {
					isMap = true
					m["unknownField"] = junk()[kind]
				}
			})
			if isMap {
				out = append(out, mutant{name: "unknown " + kind + " in " + place, obj: added})
			}
			if kind == "scalar" {
				continue // of the wrong type, but nothing to walk and nothing to drop
			}
			if name, replaced := replace(obj, place, junk()[kind]); replaced != nil {
				out = append(out, mutant{name: kind + " at " + place, obj: replaced, metadata: name == "metadata"})
			}
		}
	}
	return out
}

// replace returns a copy of obj with another value at one place, and the last key on the way there. What identifies the
// object, and its root, is not replaced: then the result is nil.
func replace(obj map[string]any, place string, v any) (string, map[string]any) {
	switch place {
	case "", ".apiVersion", ".kind", ".metadata", ".metadata.name", ".metadata.generateName":
		return "", nil
	}
	out := runtime.DeepCopyJSON(obj)
	var last string
	visit(out, "", func(at string, parent any) {
		switch parent := parent.(type) {
		case map[string]any:
			for k := range parent {
				if at+"."+k == place {
					parent[k], last = v, k
				}
			}
		case []any:
			for i := range parent {
				if fmt.Sprintf("%s[%d]", at, i) == place {
					parent[i] = v
				}
			}
		}
	})
	return last, out
}

// visit calls f for v and all values below it, each with its place, parents first, in a fixed order.
func visit(v any, at string, f func(at string, v any)) {
	f(at, v)
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			visit(v[k], at+"."+k, f)
		}
	case []any:
		for i, e := range v {
			visit(e, fmt.Sprintf("%s[%d]", at, i), f)
		}
	}
}
