package prunetest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// RoundTripOptions says what [RoundTrip] converts and what it does not report.
type RoundTripOptions struct {
	// Objects is how many objects of each version are made, 100 if it is 0. Seed chooses them, 1 if it is 0: the same seed gives the same objects.
	Objects int
	Seed    uint64
	// Types has the Go types that the converter decodes objects into, nil if it decodes none. What these types do to every object, as a field with
	// omitempty that drops an empty list, is not reported.
	Types *runtime.Scheme
	// Wanted names findings that are intended, as they are reported: "CronTab v1 to v1beta1: spec.timeZone" for that field and all below it, or only
	// "spec.timeZone" for all kinds and versions. One that does not occur is an error.
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
// for the values of a map. A nil converter changes apiVersion only, as the conversion strategy None does.
func RoundTrip(t testing.TB, crds *CRDs, convert kube.Converter, opts RoundTripOptions) {
	t.Helper()
	opts.Objects, opts.Seed = cmp.Or(opts.Objects, 100), cmp.Or(opts.Seed, 1)
	if convert == nil {
		convert = convertNone
	}
	var types *typeDecoder
	if opts.Types != nil {
		types = goTypes(opts.Types)
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
			objects, err := from.objects(opts, types)
			if err != nil {
				t.Fatal(err)
			}
			for _, to := range versions {
				if to == from {
					continue
				}
				p := &pair{from, to, convert, types}
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
func (v *kindVersion) objects(opts RoundTripOptions, types *typeDecoder) ([]map[string]any, error) {
	var all []map[string]any
	for n := range uint64(opts.Objects) {
		obj := v.valid(opts.Seed<<32+n, func(obj map[string]any) {
			if n%2 == 1 {
				eachScalar(obj, func(scalar any) any { return zero(scalar, n%4 == 1) })
			}
		})
		if obj == nil {
			return nil, fmt.Errorf("%s %s: found no valid object", v.resource.APIVersion(), v.resource.Kind)
		}
		if types != nil {
			obj = v.decodable(obj, types)
		}
		all = append(all, obj)
	}
	return all, nil
}

// decodable returns an object in which texts that are not durations and quantities are replaced, if the Go type says that they must be: few schemas say so.
func (v *kindVersion) decodable(obj map[string]any, types *typeDecoder) map[string]any {
	better := jsonvalue.Copy(obj)
	for range 20 {
		_, err := types.decode(better)
		if err == nil && v.refusal(better) == nil {
			return better
		} else if err == nil {
			break
		}
		eachScalar(better, func(scalar any) any {
			text, ok := scalar.(string)
			_, wrong := resource.ParseQuantity(text)
			isQuantity := ofQuantity(err) && wrong != nil && text != "" && strings.Trim(text, "+-.0123456789eEinumkKMGTP") == ""
			if ok && (isQuantity || strings.Contains(err.Error(), strconv.Quote(text))) {
				return "1m" // a duration, and a quantity
			}
			return scalar
		})
	}
	return obj
}

// ofQuantity reports whether an error is about a quantity. The pattern that Kubernetes' tools write into schemas allows texts that are none.
func ofQuantity(err error) bool {
	return slices.ContainsFunc([]error{resource.ErrFormatWrong, resource.ErrNumeric, resource.ErrSuffix}, func(e error) bool { return errors.Is(err, e) })
}

// eachScalar replaces all scalars of an object outside of its metadata.
func eachScalar(obj map[string]any, replace func(scalar any) any) {
	for k, field := range obj {
		if !structural.IsMetaField(k) {
			obj[k] = jsonvalue.Map(field, replace)
		}
	}
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
	return func(wanted string) bool {
		path := strings.TrimPrefix(wanted, p.String()+": ")
		below, ok := strings.CutPrefix(f.path, path)
		return ok && path != "" && (below == "" || below[0] == '.' || below[0] == '[')
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
