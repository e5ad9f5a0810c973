package dynamic_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

const versionsSchema = `
type: object
properties:
  whole: {type: integer, format: int32}
  time: {type: integer, format: date-time}
  short: {type: string, maxLength: 1}
  few: {type: array, maxItems: 1, items: {type: string}}
  set: {type: array, x-kubernetes-list-type: set, items: {type: array, x-kubernetes-list-type: atomic, items: {type: string}}}
  enum: {type: string, nullable: true, enum: ["a"]}
  name: {type: string, format: k8s-short-name}
  resource: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
  ruled: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: "self != 'bad'"}]}
  object: {type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: "has(self.a)"}]}
`

// Each row is an error of an object, with the version since which it is so; an empty text is no error.
func TestErrorsByVersion(t *testing.T) {
	type object = map[string]any
	for _, c := range []struct {
		name string
		obj  object
		want map[kubeversion.Version]string
	}{
		{"a number that is not in its format", object{"whole": int64(3e9)}, map[kubeversion.Version]string{
			33: "", 36: `<nil>: Invalid value: "": Checked value must be of type integer with format int32 in whole`,
		}},
		{"a bound of one character", object{"short": "xx"}, map[kubeversion.Version]string{
			33: `short: Too long: may not be more than 1 bytes`, 34: `short: Too long: may not be more than 1 byte`,
		}},
		{"a bound of one item", object{"few": []any{"a", "b"}}, map[kubeversion.Version]string{
			33: `few: Too many: 2: must have at most 1 items`, 34: `few: Too many: 2: must have at most 1 item`,
		}},
		{"an element of a set", object{"set": []any{[]any{"a"}, []any{"a"}}}, map[kubeversion.Version]string{
			33: `set[1]: Duplicate value: []interface {}{"a"}`, 34: `set[1]: Duplicate value: ["a"]`,
		}},
		{"null", object{"enum": nil}, map[kubeversion.Version]string{
			33: `enum: Unsupported value: "null": supported values: "a"`, 34: `enum: Unsupported value: null: supported values: "a"`,
		}},
		{"a name", object{"name": "Upper"}, map[kubeversion.Version]string{
			33: "", 35: `name: Invalid value: "Upper": name in body must be of type k8s-short-name: "Upper"`,
		}},
		{"a resource without a kind", object{"resource": object{"apiVersion": "v1"}}, map[kubeversion.Version]string{
			33: `resource.kind: Required value: must not be empty`, 34: `resource.kind: Required value`,
		}},
		{"a scalar with a rule", object{"ruled": "bad"}, map[kubeversion.Version]string{
			33: `ruled: Invalid value: "string": failed rule: self != 'bad'`, 35: `ruled: Invalid value: "bad": failed rule: self != 'bad'`,
		}},
		{"an object with a rule", object{"object": object{}}, map[kubeversion.Version]string{
			33: `object: Invalid value: "object": failed rule: has(self.a)`, 35: `object: Invalid value: failed rule: has(self.a)`,
		}},
		{"an owner without a name", object{"metadata": object{"name": "a", "namespace": "b", "ownerReferences": []any{
			object{"apiVersion": "v1", "kind": "Pod", "name": "", "uid": "u"},
		}}}, map[kubeversion.Version]string{
			33: `metadata.ownerReferences.name: Invalid value: "": name must not be empty`,
			34: `metadata.ownerReferences.name: Invalid value: "": must not be empty`,
			37: `metadata.ownerReferences[0].name: Required value: must not be empty`,
		}},
		{"an operation", object{"metadata": object{"name": "a", "namespace": "b", "managedFields": []any{
			object{"operation": "Remove", "fieldsType": "FieldsV1", "manager": "m", "apiVersion": "v1"},
		}}}, map[kubeversion.Version]string{
			33: "metadata.managedFields[0].operation: Invalid value: \"Remove\": must be `Apply` or `Update`",
			37: `metadata.managedFields[0].operation: Unsupported value: "Remove": supported values: "Apply", "Update"`,
		}},
		{"a label", object{"metadata": object{"name": "a", "namespace": "b", "labels": object{"a": strings.Repeat("x", 64)}}}, map[kubeversion.Version]string{
			33: `metadata.labels: Invalid value: "` + strings.Repeat("x", 64) + `": must be no more than 63 characters`,
			35: `metadata.labels: Invalid value: "` + strings.Repeat("x", 64) + `": must be no more than 63 bytes`,
		}},
	} {
		want := ""
		for _, v := range kubeversion.Known() {
			if changed, ok := c.want[v]; ok {
				want = changed
			}
			crd := structuraltest.LoadCRD(t, structuraltest.CRDWith(versionsSchema))
			crd.Kubernetes = v
			resources, err := dynamic.Compile(crd)
			if err != nil {
				t.Fatal(err)
			}
			if resources[0].Kubernetes != v {
				t.Errorf("the resource mirrors %s, want %s", resources[0].Kubernetes, v)
			}
			obj := object{"apiVersion": "example.com/v1", "kind": resources[0].Kind, "metadata": object{"name": "a", "namespace": "b"}}
			for k, v := range c.obj {
				obj[k] = v
			}
			errs, _ := resources[0].ValidateAll(obj, nil)
			var texts []string
			for _, e := range errs {
				texts = append(texts, e.Error())
			}
			texts = slices.DeleteFunc(texts, func(text string) bool { return strings.Contains(text, "some validation rules were not checked") })
			if have := strings.Join(texts, "\n"); have != want {
				t.Errorf("%s, %s:\n%s\nwant\n%s", c.name, v, have, want)
			}
		}
	}
}

// Updates of a negative generation are refused since it is validated by declaration. Creating such an object is refused by all.
func TestGenerationByVersion(t *testing.T) {
	for _, v := range kubeversion.Known() {
		crd := structuraltest.LoadCRD(t, structuraltest.CRDWith(versionsSchema))
		crd.Kubernetes = v
		resources, err := dynamic.Compile(crd)
		if err != nil {
			t.Fatal(err)
		}
		object := func() map[string]any {
			return map[string]any{"metadata": map[string]any{"name": "a", "namespace": "b", "resourceVersion": "1", "generation": int64(-1)}}
		}
		if errs := resources[0].ValidateMetadata(object(), nil); len(errs) != 1 {
			t.Errorf("%s: a new object: %v", v, errs)
		}
		want := 0
		if v.Has(kubeversion.DeclaredMetadata) {
			want = 1
		}
		if errs := resources[0].ValidateMetadata(object(), object()); len(errs) != want {
			t.Errorf("%s: an update: %v, want %d", v, errs, want)
		}
	}
}
