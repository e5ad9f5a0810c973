package verdicts

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/internal/answer/formats"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

func TestValuesAreValidatedAlike(t *testing.T) {
	scratch.Newest(t, "package compare asks older ones about objects")
	t.Parallel()
	wrong := 0
	for seed := range testsize.Pick[uint64](1000, 10_000) {
		s := specimentest.Schema(seed, specimentest.SchemaOptions{Depth: 2, Values: true, Any: true, Loose: seed%2 == 0})
		if seed%6 == 0 { // no CRD has it
			s["uniqueItems"] = true
		}
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		v := valueFor(t, s, seed)
		diffs := Values(raw, v)
		for tries := 0; len(diffs) > 0 && tries < 50; tries++ { // Kubernetes reads maps in any order, and says one thing about a path
			diffs = Values(raw, v)
		}
		for _, d := range diffs {
			value, _ := json.Marshal(v)
			t.Errorf("seed %d: %s\nschema %s\nvalue %s", seed, d, raw, value)
			wrong++
		}
		if wrong > 20 {
			t.Fatal("and so on")
		}
	}
}

// Of several valid alternatives the first one counts for the choice among those around them.
func TestNestedAlternativesAreChosenAlike(t *testing.T) {
	const few, many = `{}`, `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}}}`
	for _, junctor := range []string{"anyOf", "oneOf"} {
		for _, inner := range []string{few, many, few + "," + many, many + "," + few, many + "," + few + "," + many} {
			for _, other := range []string{few, `{"type":"object","properties":{"a":{"type":"integer"}}}`, many} {
				schema := fmt.Sprintf(`{"anyOf":[{"%s":[%s],"required":["c"]},{"allOf":[%s],"required":["d"]}]}`, junctor, inner, other)
				for _, d := range Values([]byte(schema), map[string]any{"a": int64(1), "b": "x"}) {
					t.Errorf("%s: %s", schema, d)
				}
			}
		}
	}
}

// valueFor returns a value that may be one for a schema.
func valueFor(t *testing.T, s Object, seed uint64) any {
	t.Helper()
	raw, err := json.Marshal(Object{"type": "object", "required": []any{"f"}, "properties": Object{"f": s}})
	if err != nil {
		t.Fatal(err)
	}
	written, _ := crdread.ParseSchema("schema", raw)
	schema, _ := structural.NewSchema(written, nil)
	opts := specimentest.Mixed(seed)
	opts.Size = 300
	return specimentest.Make(schema, seed, opts)["f"]
}

// Defaults are values, too, but Kubernetes reads their schemas in another way.
func TestDefaultsAreValidatedAlike(t *testing.T) {
	t.Parallel()
	taken, refused := 0, 0
	seeds := testsize.Pick[uint64](700, 10_000)
	for seed := range seeds {
		s := specimentest.Schema(seed, specimentest.SchemaOptions{Depth: 3, Values: true, Any: true})
		if s["default"] = valueFor(t, s, seed); s["default"] == nil || hasResources(s) {
			continue
		}
		if compareVerdict(t, fmt.Sprint("seed ", seed), crdOf(t, "v1", Object{"type": "object", "properties": Object{"f": s}}, nil)) {
			taken++
		} else {
			refused++
		}
	}
	t.Logf("%d taken, %d refused", taken, refused)
	if least := int(seeds / 25); taken < least || refused < least {
		t.Errorf("only %d CRDs are taken and %d refused", taken, refused)
	}
}

// hasResources reports whether there are resources in what a schema describes. Of the faults of one in a default, Kubernetes names any.
func hasResources(s Object) bool {
	raw, err := json.Marshal(s)
	return err != nil || strings.Contains(string(raw), "x-kubernetes-embedded-resource")
}

// Every format takes the same strings: those of a list, and what is made of them.
func TestFormatsTakeTheSameStrings(t *testing.T) {
	scratch.Newest(t, "older ones have fewer formats")
	texts := []string{
		"", "a", "a.b", "1.2.3.4", "01.002.3.4", "1.2.3.4.5", "256.1.1.1", "::1", "::ffff:1.2.3.4", "00001::", "1::2::3", "fe80::1%eth0", "1.2.3.4/8",
		"1.2.3.4/33", "::/0", "::/129", "1.2.3.4/08", "::1.02.3.4/64", "2020-01-01", "2020-13-01", "2020-01-01T00:00:00Z", "2020-01-01t00:00:00z",
		"2020-01-01T24:00:00Z", "2020-01-01T23:59:60Z", "2020-01-01T00:00:00ZTgarbage", "2020-01-01T00:00:00+01:00", "2020-01-01T00:00:00,5Z",
		"1s", "1h30m", "junk 3 days junk", "3 weeks", "3 parsecs", "99999999999999999999 s", "5", "1.5h", "-1s", "YQ==", "YQ=", "YWI=", "YWJj", "Y W",
		"a@b.c", "A <a@b.c>", "@", "http://a", "/a", "a b", "http://a b", "x:y", "01:23:45:67:89:ab", "0123.4567.89ab", "01-23-45-67-89-ab",
		"123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-32d3-a456-426614174000", "123E4567e89b42d3a456426614174000",
		"123e4567-e89b-52d3-a456-426614174000", "123e4567-e89b-42d3-c456-426614174000", "0321751043", "978-0321751041", "0-306-40615-2",
		"097522980X", "4111111111111111", "4111-1111-1111-1112", "123-45-6789", "123456789", "#fff", "fff", "#ffff", "rgb(1,2,3)", "rgb(256,0,0)",
		"rgb( 1 , 2 , 3 )", "507f1f77bcf86cd799439011", "507f1f77bcf86cd79943901", "zzzf1f77bcf86cd799439011", "a-b", "-a", "a-", "A", "a_b",
		strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a.", 126) + "a", strings.Repeat("a.", 127) + "a", "é", "é.com", "a..b", "a.b.",
		"xn--a.com", "1.com", "com.1", "☃.net", "\xff", "a\nb",
	}
	names := []string{"date-time"}
	for _, f := range formats.All() {
		names, texts = append(names, f.Name), append(texts, f.Samples...)
	}
	for _, s := range texts {
		texts = append(texts, s+" ", " "+s, s+s, strings.ToUpper(s), strings.ReplaceAll(s, "-", ""))
	}
	for _, format := range names {
		schema, findings := crdread.ParseSchema("schema", fmt.Appendf(nil, "{type: string, format: %s}", format))
		if schema == nil {
			t.Fatal(findings)
		}
		good := 0
		for _, s := range texts {
			errs, _ := new(interpret.Work).ValidateValues(s, schema)
			if got, want := len(errs) == 0, strfmt.Default.Validates(format, s); got != want {
				t.Errorf("%s takes %q: %t, want %t", format, s, got, want)
			} else if got {
				good++
			}
		}
		if good == 0 || good == len(texts) && format != "password" {
			t.Errorf("%s takes %d strings of %d", format, good, len(texts))
		}
	}
}

// Values compares value validation of v by a bare schema.
func Values(raw []byte, v any) []Difference {
	ours, findings := crdread.ParseSchema("schema", raw)
	props, err := kube.DecodeSchema(raw)
	if err != nil || ours == nil {
		return []Difference{{About: "values", Text: fmt.Sprintf("not a schema: %v %v", err, findings)}}
	}
	validator, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return []Difference{{About: "values", Text: err.Error()}}
	}
	want := kube.ValueTexts(validation.ValidateCustomResource(nil, v, validator))
	slices.Sort(want) // their order is by chance
	errs, whole := new(interpret.Work).ValidateValues(v, ours)
	if !whole {
		return []Difference{{About: "values", Text: "too large"}}
	}
	var got []string
	for _, e := range errs {
		got = append(got, kube.OurText(e))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		return []Difference{{About: "values", Text: listDifference(got, want)}}
	}
	return nil
}
