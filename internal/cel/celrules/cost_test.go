package celrules_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// TestCostsFollowTheLimitsOfTheSchema has numbers of the API server; the conformance suite compares many more.
func TestCostsFollowTheLimitsOfTheSchema(t *testing.T) {
	for _, test := range []struct {
		schema, rule string
		want         uint64
	}{
		{"{type: array, items: {type: number}}", "self.all(x, true)", 4718591},
		{"{type: array, items: {type: string}}", "self.all(x, true)", 3145727},
		{"{type: array, items: {type: boolean}}", "self.all(x, true)", 1887437},
		{"{type: array, maxItems: 10, items: {type: number}}", "self.all(x, true)", 32},
		{"{type: array, maxItems: -1, items: {type: number}}", "self.all(x, true)", 2},
		{"{type: object, additionalProperties: {type: number}}", "self.all(x, true)", 1348169},
		{"{type: object, maxProperties: 10, additionalProperties: {type: number}}", "self.all(x, true)", 32},
		{"{type: string}", "self.contains('test')", 314574},
		{"{type: string, maxLength: 10}", "self.contains('test')", 5},
		{"{type: string, enum: [abc, defghijklmno]}", "self.matches('a')", 3},
		{"{type: string, format: byte, maxLength: 100}", "self == b'a'", 2},
		{"{type: string, format: duration}", "self == duration('1s')", 3},
		{"{x-kubernetes-int-or-string: true, maxLength: 10}", "self.matches('a')", 6},
		{"{type: array, items: {type: object, required: [name], properties: {name: {type: string}}}}", "self.all(x, true)", 725936},
		{"{type: array, items: {type: object, required: [name], properties: {name: {type: string, default: a}}}}", "self.all(x, true)", 3145727},
		{"{type: array, maxItems: 10, items: {type: string, maxLength: 10}}", "self.isSorted()", 51},
		{"{type: array, maxItems: 10, items: {type: string, maxLength: 10}}", "self.join(',').matches('a')", 83},
		{"{type: string, maxLength: 10}", "self.replace('a', 'bbb').matches('a')", 22},
		{"{type: string, maxLength: 10}", "self.split(',', 3).all(x, x == 'a')", 25},
		{"{type: string, maxLength: 10}", "self.find('[0-9]+') == ''", 11},
		{"{type: string, maxLength: 10}", "cidr(self).containsIP(self) && cidr(self).containsCIDR(self)", 31},
		{"{type: string, maxLength: 10}", "ip(self) == ip(self) && quantity(self) == quantity(self)", 22},
		{"{type: string, maxLength: 10}", "url(self) == url(self) && format.uuid() == format.uri()", 23},
		{"{type: string, maxLength: 10}", "format.uuid().validate(self).hasValue()", 131},
		{"{type: string, maxLength: 10}", "dyn(self).path('a').check('b').allowed()", 350004},
		{"{type: string, maxLength: 10}", "dyn(self).serviceAccount('a', 'b').group('c').resource('d').subresource('e').namespace('f').name('g').check('h').errored()", 350009},
		{"{type: string, maxLength: 10}", "dyn(self).resource('a').fieldSelector(self).labelSelector(self).check('b').allowed()", 352034},
		{"{type: string, maxLength: 10}", "dyn(self).path('a').check('b').reason() == dyn(self).path('a').check('b').error()", 1844674407371655272},
	} {
		root := schema(t, "type: object\nproperties: {a: "+test.schema+"}")
		s := root.Properties["a"]
		s.XValidations = []structural.ValidationRule{{Rule: test.rule}}
		r := celrules.Check(root, celrules.Stored(0)).Properties["a"].Rules[0]
		if r.MaxCost != test.want || r.Err != "" {
			t.Errorf("%s of %s: got %d, want %d %s", test.rule, test.schema, r.MaxCost, test.want, r.Err)
		}
	}
}

func TestEscape(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "a_b": "a_b", "a__b": "a__underscores__b", "a___b": "a__underscores___b", "a.b": "a__dot__b", "a-b": "a__dash__b", "a/b": "a__slash__b",
		"namespace": "__namespace__", "self": "self", "": "", "1a": "", "0a": "", "9a": "", "a9": "a9", "Z_z": "Z_z", "a b": "", "a@": "", "a[": "", "a`": "", "a{": "", "a:": "", "a,": "", "_": "_", "__": "__underscores__", "true": "__true__", "while": "__while__", "as": "__as__", "has": "has", "True": "True", "é": "", "-": "__dash__", "a\xff": "",
	} {
		if got, ok := prunecel.Escape(name); got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v", name, got, ok)
		}
	}
}

func TestMetadataOfResourcesIsVisible(t *testing.T) {
	for text, want := range map[string]int64{
		"type: object": 253 * 4,
		"type: object\nproperties: {metadata: {type: object, properties: {name: {type: string, maxLength: 5}}}}":                                                                                   5 * 4,
		"type: object\nproperties: {metadata: {type: object, properties: {name: {type: string, maxLength: 500}}}}":                                                                                 253 * 4,
		"type: object\nproperties: {apiVersion: {type: string}, kind: {type: string}, metadata: {type: object, properties: {name: {type: string, maxLength: 500}, generateName: {type: string}}}}": 500 * 4,
	} {
		typ := celrules.NewType(schema(t, text), true)
		meta := typ.Field("metadata").Type
		if got := meta.Field("name").Type.MaxElements(celrules.Stored(0)); got != want || typ.Field("kind") == nil || meta.Field("labels") != nil {
			t.Errorf("%s: %d", text, got)
		}
	}
}
