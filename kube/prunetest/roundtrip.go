package prunetest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/specimen"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// RoundTripOptions says what [RoundTrip] converts and what it does not report.
type RoundTripOptions struct {
	// Objects is how many objects of each version are made, 100 if it is 0. Seed chooses them, 1 if it is 0: the same seed gives the same objects.
	Objects int
	Seed    uint64
	// Types has the Go types that the converter decodes objects into, nil if it decodes none. What these types do to every object, as a field with
	// omitempty that drops an empty list, is not reported.
	Types *runtime.Scheme
	// Wanted names findings that are intended, as they are reported: "CronTab v1 to v1beta1: spec.timeZone" for that field and all below it. One that
	// does not occur is an error.
	Wanted []string
}

// RoundTrip tests a converter. Valid objects of each served version of a kind are converted to each other version and back, and treated on the way as
// the API server treats them: it prunes, fills in defaults, and restores metadata except labels and annotations. RoundTrip reports
//
//   - fields that are lost, changed or added on the way there and back,
//   - fields that the converter sets and that the schema does not have, so that they are pruned,
//   - values that the schema of the other version does not allow, so that a client that writes the object is refused,
//   - errors and panics of the converter, and answers that the API server refuses: another name, namespace, uid or kind, invalid labels or annotations.
//
// Each is reported once for a path and a pair of versions, with the smallest object that was found. In paths, [] stands for the elements of a list and [*]
// for the values of a map. A nil converter changes apiVersion only, as the conversion strategy None does. The CRDs must be read from files.
func RoundTrip(t testing.TB, crds *CRDs, convert kube.Converter, opts RoundTripOptions) {
	t.Helper()
	opts.Objects, opts.Seed = cmp.Or(opts.Objects, 100), cmp.Or(opts.Seed, 1)
	if convert == nil {
		convert = func(obj map[string]any, apiVersion string) (map[string]any, error) {
			obj["apiVersion"] = apiVersion
			return obj, nil
		}
	}
	pairs, seen := 0, make([]bool, len(opts.Wanted))
	for _, v := range crds.variants.All {
		versions, err := versionsOf(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range versions {
			if !from.served || len(versions) < 2 {
				continue
			}
			objects, err := from.objects(opts)
			if err != nil {
				t.Fatal(err)
			}
			for _, to := range versions {
				if to == from {
					continue
				}
				p := newPair(from, to, convert, opts.Types)
				pairs++
				for _, f := range p.run(objects) {
					if i := slices.IndexFunc(opts.Wanted, p.names(f)); i >= 0 {
						seen[i] = true
						continue
					}
					t.Error(p.report(f))
				}
			}
		}
	}
	if pairs == 0 {
		t.Error("no kind has two versions")
	}
	for i, wanted := range opts.Wanted {
		if !seen[i] {
			t.Errorf("%s: is wanted, and does not occur", wanted)
		}
	}
	t.Logf("%d objects of each version, seed %d", opts.Objects, opts.Seed)
}

// kindVersion is a version of a kind that objects are converted from or to.
type kindVersion struct {
	specimens
	served, stored bool
}

// versionsOf returns the versions of a CRD that are served or stored.
func versionsOf(v *suite.Variant) ([]*kindVersion, error) {
	if v.CRD == nil {
		return nil, fmt.Errorf("RoundTrip needs the CRD %s from a file: see FromFiles", v.Name)
	}
	resources, err := v.Resources()
	if err != nil {
		return nil, err
	}
	var all []*kindVersion
	for i, of := range v.CRD.Versions {
		if of.Served || of.Storage {
			r := resources[i]
			r.Status = false // the status is validated like the rest, whoever writes it
			all = append(all, &kindVersion{specimens{r, v.CRD.Structural(of)}, of.Served, of.Storage})
		}
	}
	return all, nil
}

// objects makes valid objects. In some, all numbers are 0, or all texts empty, as far as that is valid: converters lose these easily.
func (v *kindVersion) objects(opts RoundTripOptions) ([]map[string]any, error) {
	var all []map[string]any
	for n := range uint64(opts.Objects) {
		obj := v.valid(opts.Seed<<32+n, func(obj map[string]any) {
			for k, field := range obj {
				if n%2 == 1 && k != "apiVersion" && k != "kind" && k != "metadata" {
					obj[k] = jsonvalue.Map(field, func(scalar any) any { return zero(scalar, n%4 == 1) })
				}
			}
		})
		if obj == nil {
			return nil, fmt.Errorf("%s %s: found no valid object", v.resource.APIVersion(), v.resource.Kind)
		}
		all = append(all, obj)
	}
	return all, nil
}

// zero returns the zero value of a number, or else of a text.
func zero(scalar any, numbers bool) any {
	switch scalar.(type) {
	case int64, float64:
		if numbers {
			return int64(0)
		}
	case string:
		if !numbers {
			return ""
		}
	}
	return scalar
}

// accepted returns an object as it is created, nil if it is refused.
func (v *kindVersion) accepted(obj map[string]any) map[string]any {
	return v.resource.Create(jsonvalue.Copy(obj), prunert.Request{
		FieldValidation: prunert.FieldValidationStrict, Now: func() int64 { return 1 << 30 }, NewUID: func() string { return "00000000-0000-4000-8000-000000000000" },
	}).Object
}

// run converts objects, and returns what it finds in the smallest object in which it is found, sorted.
func (p *pair) run(objects []map[string]any) []*finding {
	smallest := map[findingKey]*finding{}
	for i, obj := range objects {
		for key := range p.try(obj) {
			// An empty value that is lost says less than another.
			if old := smallest[key]; old == nil || cmp.Or(cmp.Compare(i%2, old.number%2), cmp.Compare(jsonvalue.Size(obj), jsonvalue.Size(old.object))) < 0 {
				smallest[key] = &finding{key, i, obj}
			}
		}
	}
	return slices.SortedFunc(maps.Values(smallest), func(a, b *finding) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.kind, b.kind))
	})
}

// names returns a function that reports whether a name is that of a finding, or of a field that it is in.
func (p *pair) names(f *finding) func(wanted string) bool {
	name := p.String() + ": " + f.path
	return func(wanted string) bool {
		below, ok := strings.CutPrefix(name, wanted)
		return ok && (below == "" || below[0] == '.' || below[0] == '[')
	}
}

// report returns the text about a finding, with an object that is as small as possible.
func (p *pair) report(f *finding) string {
	const tries = 300
	small := specimen.Shrink(f.object, tries, func(obj map[string]any) bool {
		_, ok := p.try(obj)[f.findingKey]
		return ok
	})
	what := p.try(small)[f.findingKey]
	if f.path != "" {
		what = f.path + ": " + what
	}
	text, err := yaml.Marshal(small)
	if err != nil {
		text = []byte(err.Error())
	}
	return p.String() + ": " + what + "\n    " + strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", "\n    ")
}
