package interpret_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// wantValid compares the errors of an object, and of one that takes the place of old unless that is empty, with texts.
func wantValid(t *testing.T, s *structural.JSONSchema, object, old string, want ...string) {
	t.Helper()
	obj := structuraltest.ParseObject(t, object)
	whole := jsonvalue.Copy(obj)
	var errs prunert.ErrorList
	if old == "" {
		errs = new(interpret.Work).Validate(obj, s)
	} else {
		errs = new(interpret.Work).ValidateUpdate(obj, structuraltest.ParseObject(t, old), s)
	}
	var got []string
	for _, e := range errs {
		got = append(got, e.Error())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s:\ngot\n\t%s\nwant\n\t%s", object, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	if !reflect.DeepEqual(whole, any(obj)) {
		t.Errorf("%s was changed", object)
	}
}

// The messages that the proposal of validation for custom resources has as examples. The API server words some of them in
// its own way since then.
func TestMessagesAreThoseOfTheProposal(t *testing.T) {
	for schema, want := range map[string]string{
		`{type: string, minLength: 4}`:               `data.foo: Invalid value: "a b": data.foo in body should be at least 4 chars long`,
		`{type: string, pattern: '^[a-zA-Z0-9_]*$'}`: `data.foo: Invalid value: "a b": data.foo in body should match '^[a-zA-Z0-9_]*$'`,
		`{type: integer}`:                            `data.foo: Invalid value: "string": data.foo in body must be of type integer: "string"`,
		`{type: string, enum: [bar, baz]}`:           `data.foo: Unsupported value: "a b": supported values: "bar", "baz"`,
	} {
		s := structuraltest.ParseSchema(t, `{type: object, properties: {data: {type: object, properties: {foo: `+schema+`}}}}`)
		wantValid(t, s, `{data: {foo: a b}}`, "", want)
	}
	s := structuraltest.ParseSchema(t, `{type: object, properties: {data: {type: object, required: [foo], properties: {foo: {type: integer, minimum: 10, allOf: [
		{multipleOf: 3}, {multipleOf: 5}]}}}}}`)
	wantValid(t, s, `{data: {foo: 15}}`, "")
	wantValid(t, s, `{data: {}}`, "", `data.foo: Required value`)
	wantValid(t, s, `{data: {foo: 8}}`, "",
		`<nil>: Invalid value: "": "data.foo" must validate all the schemas (allOf). None validated`,
		`data.foo: Invalid value: 8: data.foo in body should be a multiple of 3`,
		`data.foo: Invalid value: 8: data.foo in body should be a multiple of 5`,
		`data.foo: Invalid value: 8: data.foo in body should be greater than or equal to 10`)
}

func TestListTypesAreValidated(t *testing.T) {
	s := structuraltest.ParseSchema(t, `
type: object
properties:
  set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
  deep: {type: array, x-kubernetes-list-type: set, items: {type: array, items: {type: integer}}}
  one: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, properties: {k: {type: string}, v: {type: string}}}}
  two: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b], items: {type: object, properties: {a: {type: string}, b: {type: integer}}}}
  in: {type: object, additionalProperties: {type: array, x-kubernetes-list-type: set, items: {type: string}}}
`)
	wantValid(t, s, `{set: [a, b], deep: [[1], [2]], one: [{k: a}, {k: b}], two: [{a: a, b: 1}, {a: a, b: 2}, {a: a}], in: {x: [a, b]}}`, "")
	wantValid(t, s, `{set: [a, b, a, a], deep: [[1], [2], [1]], one: [{k: a, v: x}, {v: x}, {k: a}, {}], two: [{a: a, b: 1}, {b: 1, a: a}], in: {a.b: [x, x]}}`, "",
		`deep[2]: Duplicate value: [1]`,
		`in[a.b][1]: Duplicate value: "x"`,
		`one[2]: Duplicate value: {"k":"a"}`,
		`one[3]: Duplicate value: {}`,
		`set[2]: Duplicate value: "a"`,
		`two[1]: Duplicate value: {"a":"a","b":1}`)
	wantValid(t, s, `{one: [{k: a}, x, z, {k: a}]}`, "",
		`one[1]: Invalid value: "string": one[1] in body must be of type object: "string"`,
		`one[1]: Invalid value: "x": must be an object for an array of list-type map`,
		`one[2]: Invalid value: "string": one[2] in body must be of type object: "string"`)
	// What was wrong before hides everything of its kind.
	wantValid(t, s, `{set: [a, a]}`, `{set: [a]}`, `set[1]: Duplicate value: "a"`)
	wantValid(t, s, `{set: [a, a]}`, `{in: {x: [b, b]}}`)
}

func TestEmbeddedResourcesAreValidated(t *testing.T) {
	s := structuraltest.ParseSchema(t, `
type: object
properties:
  r: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
  all: {type: object, additionalProperties: {type: array, items: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}
`)
	wantValid(t, s, `{r: {apiVersion: v1, kind: Pod, metadata: {name: -}}, all: {a: [{apiVersion: a/v1, kind: B}]}}`, "")
	wantValid(t, s, `{kind: 1, metadata: {labels: {a: 1}}, r: {}, all: {a: [{apiVersion: a/b/c, kind: "", metadata: {name: 1}}, {apiVersion: 1, kind: A B}]}}`, "",
		`all[a][0].apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`,
		`all[a][0].kind: Invalid value: "": must not be empty`,
		`all[a][0].metadata.name: Invalid value: "integer": all[a][0].metadata.name in body must be of type string: "integer"`,
		`all[a][1].apiVersion: Invalid value: 1: must be a string`,
		`all[a][1].kind: Invalid value: "A B": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case `+
			`alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', `+
			`regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
		`kind: Invalid value: "integer": kind in body must be of type string: "integer"`,
		`metadata.labels.a: Invalid value: "integer": metadata.labels.a in body must be of type string: "integer"`,
		`r.apiVersion: Required value`,
		`r.kind: Required value`)
}

func TestUpdatesTolerateWhatHasNotChanged(t *testing.T) {
	s := structuraltest.ParseSchema(t, `
type: object
minProperties: 9
properties:
  apiVersion: {type: string, maxLength: 1}
  a: {type: integer, minimum: 5}
  o: {type: object, minProperties: 3, properties: {a: {type: integer, minimum: 5}, b: {type: integer}}, anyOf: [{properties: {a: {minimum: 6}}}]}
  l: {type: array, maxItems: 1, items: {type: integer, minimum: 5}}
  m: {type: array, maxItems: 1, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, properties: {k: {type: string}, v: {type: integer, minimum: 5}}}}
  e: {type: object, additionalProperties: {type: integer, minimum: 5}}
`)
	const few = `<nil>: Invalid value: 1:  in body should have at least 9 properties`
	wantValid(t, s, `{a: 1}`, `{a: 2}`, few, `a: Invalid value: 1: a in body should be greater than or equal to 5`)
	wantValid(t, s, `{a: 1}`, `{a: 1, l: []}`, few)
	wantValid(t, s, `{a: 1}`, `{a: 1}`)
	if errs := new(interpret.Work).ValidateUpdate(map[string]any{"a": int64(4)}, map[string]any{"a": 4.0}, s); len(errs) != 2 {
		t.Errorf("4 is 4.0: %v", errs)
	}
	wantValid(t, s, `{apiVersion: v1}`, `{apiVersion: v1, a: 1}`, few, `apiVersion: Too long: may not be more than 1 byte`)
	// Inside of an object that has changed, a field is tolerated, but not below a junctor.
	wantValid(t, s, `{o: {a: 1, b: 2}}`, `{o: {a: 1, b: 3}}`, `<nil>: Invalid value: "": "o" must validate at least one schema (anyOf)`, few,
		`o.a: Invalid value: 1: o.a in body should be greater than or equal to 6`,
		`o: Invalid value: 2: o in body should have at least 3 properties`)
	wantValid(t, s, `{o: {a: 1, b: 2}, a: 7}`, `{o: {a: 1, b: 2}, a: 8}`, strings.Replace(few, "1", "2", 1))
	// An object with a field that the schema does not know is never the same.
	wantValid(t, s, `{o: {a: 7, x: 2}}`, `{o: {a: 7, x: 2}}`, few, `o: Invalid value: 2: o in body should have at least 3 properties`)
	// Lists are one whole, or have keys.
	wantValid(t, s, `{l: [1, 2], a: 7}`, `{l: [1, 2], a: 8}`, strings.Replace(few, "1", "2", 1))
	wantValid(t, s, `{l: [1]}`, `{l: [1, 2]}`, few, `l[0]: Invalid value: 1: l[0] in body should be greater than or equal to 5`)
	wantValid(t, s, `{m: [{k: a, v: 1}, {k: b, v: 2}], a: 7}`, `{m: [{k: b, v: 2}, {k: a, v: 1}]}`, strings.Replace(few, "1", "2", 1))
	wantValid(t, s, `{m: [{k: a, v: 1}, {k: b, v: 3}]}`, `{m: [{k: b, v: 2}, {k: a, v: 1}]}`, few,
		`m: Too many: 2: must have at most 1 item`,
		`m[1].v: Invalid value: 3: m[1].v in body should be greater than or equal to 5`)
	wantValid(t, s, `{e: {a: 1, b: 2}}`, `{e: {a: 1, b: 3}}`, few, `e.b: Invalid value: 2: e.b in body should be greater than or equal to 5`)
}

func TestUniqueItemsAreFoundInALongList(t *testing.T) {
	s := structuraltest.ParseSchema(t, `{type: object, properties: {l: {type: array, uniqueItems: true}}}`)
	wantValid(t, s, `{l: [1, 1.5, "1", null, {a: 1}, {a: 1.5}, [1], [[1]], true, "true"]}`, "")
	for _, twice := range []string{`[1, 1]`, `[{a: [1, {b: null}], c: 2}, 1, {c: 2, a: [1, {b: null}]}]`, `[null, null]`, `[true, true]`, `[1.5, 1.5]`, `["", ""]`} {
		wantValid(t, s, `{l: `+twice+`}`, "", `l: Invalid value: "": l in body shouldn't contain duplicates`)
	}
	// Two maps with many keys are hardly ever read in the same order.
	wide := func() any {
		m := map[string]any{}
		for i := range 30 {
			m[fmt.Sprint(i)] = int64(i)
		}
		return m
	}
	if errs := new(interpret.Work).Validate(map[string]any{"l": []any{wide(), wide()}}, s); len(errs) != 1 {
		t.Errorf("two equal maps: %v", errs)
	}
	// Comparing the elements with each other would not end before the tests have to.
	long := make([]any, 100_000)
	for i := range long {
		long[i] = map[string]any{"a": int64(i), "b": []any{"x"}}
	}
	if errs := new(interpret.Work).Validate(map[string]any{"l": long}, s); len(errs) != 0 {
		t.Error(errs)
	}
	long[0] = long[len(long)-1]
	if errs := new(interpret.Work).Validate(map[string]any{"l": long}, s); len(errs) != 1 {
		t.Error(errs)
	}
}

// An object with 20,000 wrong values below a key of 100 kB has errors of two gigabytes, and more below a junctor.
func TestValidationIsBounded(t *testing.T) {
	alternatives := strings.Repeat("{minimum: 5},", 50)
	s := structuraltest.ParseSchema(t, `{type: object, additionalProperties: {type: array, x-kubernetes-list-type: set, items: {type: integer, anyOf: [`+alternatives+`]}}}`)
	list := make([]any, 20_000)
	for i := range list {
		list[i] = int64(i % 5)
	}
	obj := map[string]any{strings.Repeat("k", 100_000): list}
	errs := new(interpret.Work).Validate(obj, s)
	size := 0
	for _, e := range errs {
		size += len(e.Error())
	}
	last := errs[len(errs)-1]
	if size > 4*prunelimits.Bytes || last.Type != prunert.ErrorTypeOmitted || last.Field != "<nil>" {
		t.Errorf("%d errors with %d bytes, the last is %s", len(errs), size, last.Detail)
	}

	defer prunelimits.Set(prunelimits.Set(prunelimits.Limits{Entries: 10}))
	short := map[string]any{"k": list[:20]}
	errs = new(interpret.Work).Validate(short, s)
	// Of each of 20 values: the junctor and its best alternative; and five elements stand twice.
	if len(errs) != 11 || errs[10].Detail != "35 more errors are not listed" {
		t.Errorf("%d errors, the last is %s", len(errs), errs[len(errs)-1])
	}
}

// Alternatives inside of alternatives are as many as anybody wants.
func TestAnObjectThatTakesTooLongIsNotValid(t *testing.T) {
	text := `{minimum: 5}`
	for range 12 {
		text = fmt.Sprintf("{anyOf: [%[1]s, %[1]s, %[1]s, %[1]s]}", text)
		if len(text) > 100_000 {
			break
		}
	}
	s := structuraltest.ParseSchema(t, `{type: object, properties: {l: {type: array, items: {type: integer, allOf: [`+text+`]}}}}`)
	list := make([]any, 10_000)
	for i := range list {
		list[i] = int64(1)
	}
	errs := interpret.ValidateWithin(100_000, map[string]any{"l": list}, s)
	if last := errs[len(errs)-1]; last.Type != prunert.ErrorTypeOmitted || !strings.Contains(last.Detail, "too large") {
		t.Errorf("the last error is %s", last)
	}
}

func TestCompiledResourcesValidate(t *testing.T) {
	c, err := load.CRD([]byte(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  names: {kind: App, plural: apps}
  scope: Cluster
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: integer, minimum: 5}}}}}
  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: "self > 5"}]}}}}
`), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := dynamic.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	obj := map[string]any{"a": int64(1), "metadata": map[string]any{"name": "x", "namespace": "y", "resourceVersion": "1"}}
	if errs := all[0].Validate(obj); len(errs) != 1 || all[0].HasRules {
		t.Errorf("%v, %t", errs, all[0].HasRules)
	}
	if errs := all[0].ValidateUpdate(obj, obj); len(errs) != 0 {
		t.Errorf("%v", errs)
	}
	if errs := all[0].ValidateUpdate(obj, map[string]any{"a": int64(2)}); len(errs) != 1 {
		t.Errorf("%v", errs)
	}
	if errs := all[1].Validate(obj); len(errs) != 0 || !all[1].HasRules {
		t.Errorf("%v, %t", errs, all[1].HasRules)
	}
	if errs := all[0].ValidateMetadata(obj, nil); len(errs) != 1 || errs[0].Error() != "metadata.namespace: Forbidden: not allowed on this type" {
		t.Errorf("%v", errs)
	}
	if errs := all[0].ValidateMetadata(obj, obj); len(errs) != 0 {
		t.Errorf("%v", errs)
	}
	if aspects, _, ok := structural.ParseHash(all[0].SchemaHash); !ok || aspects != structural.AllAspects {
		t.Errorf("the hash covers %s", aspects)
	}
}
