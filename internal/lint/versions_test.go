package lint_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// versioned has schemas, the oldest version that takes each, and why. The path is below the schema of the version.
var versioned = []struct {
	schema  string
	version kubeversion.Version
	what    string
	path    string
}{
	{"type: object\nproperties: {a: {type: string}}", 25, "", ""},
	{rule("self.a.startsWith('b')"), 25, "", ""},
	{rule("quantity(self.a).isInteger()"), 29, "isInteger()", ".x-kubernetes-validations[0].rule"},
	{rule("self.?a.hasValue()"), 29, "hasValue()", ".x-kubernetes-validations[0].rule"},
	{rule("[?self.?a] == ['a']"), 29, "optional types: ?., optional.of", ".x-kubernetes-validations[0].rule"},
	{rule("{?'k': self.?a} == {'k': 'a'}"), 29, "optional types: ?., optional.of", ".x-kubernetes-validations[0].rule"},
	{rule("size(self.a) < 1.5"), 29, "comparisons of numbers of different types", ".x-kubernetes-validations[0].rule"},
	{rule("isIP(self.a)"), 31, "isIP()", ".x-kubernetes-validations[0].rule"},
	{rule("self.a == 'b' || isSemver(self.a) && isIP(self.a)"), 34, "isSemver()", ".x-kubernetes-validations[0].rule"},
	{rule("['b'].all(i, v, v == self.a)"), 33, "comprehensions with two variables", ".x-kubernetes-validations[0].rule"},
	{rule("['b'].sortBy(x, x) == [self.a]"), 35, "lists: slice, sort, flatten, distinct, reverse, lists.range", ".x-kubernetes-validations[0].rule"},
	{rule("['b'].first().hasValue()"), 33, "first()", ".x-kubernetes-validations[0].rule"},
	{rule("self.`a` == 'b'"), 37, "Invalid value", ".x-kubernetes-validations[0].rule"},
	{rule("true', messageExpression: 'isSemver(self.a) ? self.a : self.a"), 34, "isSemver()", ".x-kubernetes-validations[0].messageExpression"},
	{rule("true', messageExpression: 'self.a"), 27, "messageExpression", ".x-kubernetes-validations[0].messageExpression"},
	{rule("true', reason: 'FieldValueInvalid"), 28, "reason", ".x-kubernetes-validations[0].reason"},
	{rule("true', fieldPath: '.a"), 28, "fieldPath", ".x-kubernetes-validations[0].fieldPath"},
	{rule("oldSelf.hasValue()', optionalOldSelf: true, message: 'b"), 30, "optionalOldSelf", ".x-kubernetes-validations[0].optionalOldSelf"},
	{"type: object\nproperties: {a: {type: array, items: {type: string, format: k8s-short-name}}}", 35, "the format k8s-short-name", ".properties[a].items.format"},
	{"type: object\nproperties: {a: {type: array, maxItems: 100, items: {x-kubernetes-int-or-string: true, maxLength: 5, x-kubernetes-validations: [{rule: \"self == 'abc'\"}]}}}",
		25, "", ""},
	{"type: object\nproperties: {a: {type: array, maxItems: 100, items: {x-kubernetes-int-or-string: true, maxLength: 5, x-kubernetes-validations: [{rule: \"self == self\"}]}}}",
		34, "the estimated cost of CEL rules", ".properties[a].items.x-kubernetes-validations[0].rule"},
}

// rule returns a schema with a CEL rule between single quotes of YAML.
func rule(text string) string {
	parts := strings.Split(text, "', ")
	parts[0] = strings.ReplaceAll(parts[0], "'", "''")
	return "type: object\nproperties: {a: {type: string, maxLength: 50}}\nx-kubernetes-validations: [{rule: '" + strings.Join(parts, "', ") + "'}]"
}

const schemaPath = "spec.versions[0].schema.openAPIV3Schema"

// What a version refuses is a warning that names the first one that does not, if that is in the range.
func TestOlderVersionsAreWarnedOf(t *testing.T) {
	for _, test := range versioned {
		c := structuraltest.LoadCRD(t, structuraltest.CRDWith(test.schema))
		if found := lint.Older(c, test.version); len(found) > 0 {
			t.Errorf("%s: %+v", test.schema, found)
		}
		if test.what == "" {
			continue
		}
		found := lint.Older(c, test.version-1)
		if len(found) == 0 {
			t.Errorf("%s: nothing", test.schema)
			continue
		}
		f := found[0]
		verb := map[structural.ID]string{"kubernetes/refused": "refuses ", "kubernetes/ignored": "ignores "}[f.ID]
		if strings.HasPrefix(test.what, "Invalid") {
			verb += "this: "
		}
		want := schemaPath + test.path + ": Kubernetes " + (test.version - 1).String() + " " + verb + test.what
		if verb == "" || !strings.HasPrefix(f.Message, want) || f.Severity != structural.SeverityWarning || f.Line == 0 || f.Version != "v1" ||
			f.Hint != "Kubernetes "+test.version.String()+" takes it" {
			t.Errorf("%+v, want %s", f, want)
		}
		c.Kubernetes = test.version - 1
		if found := lint.Older(c, test.version-1); len(found) > 0 {
			t.Errorf("%s: %+v", test.schema, found)
		}
		ignored := slices.DeleteFunc(found, func(f structural.Finding) bool { return f.ID != "kubernetes/ignored" })
		said := slices.DeleteFunc(lint.CRD(c), func(f structural.Finding) bool { return f.ID != "kubernetes/ignored" })
		if !slices.EqualFunc(said, ignored, func(a, b structural.Finding) bool { return reflect.DeepEqual(a, b) }) {
			t.Errorf("%s: lint says %+v about the version itself, and %+v about it as an older one", test.schema, said, ignored)
		}
	}
}

func TestSelectableFieldsHaveAVersion(t *testing.T) {
	text := strings.Replace(structuraltest.CRDWith("type: object\nproperties: {a: {type: string}}"), "served: true", "served: true\n    selectableFields: [{jsonPath: .a}]", 1)
	found := lint.Older(structuraltest.LoadCRD(t, text), 30)
	if len(found) != 1 || found[0].Message != "spec.versions[0].selectableFields: Kubernetes 1.30 ignores selectableFields" || found[0].Hint != "Kubernetes 1.31 takes it" {
		t.Errorf("%+v", found)
	}
}

// The linter says what the server of the CRD's version says about a new CRD.
func TestLintIsForAVersion(t *testing.T) {
	c := structuraltest.LoadCRD(t, structuraltest.CRDWith(rule("isSemver(self.a)")))
	for v, want := range map[kubeversion.Version]int{0: 0, 34: 0, 33: 1} {
		c.Kubernetes = v
		errors := 0
		for _, f := range lint.CRD(c) {
			if f.Severity == structural.SeverityError {
				errors++
			}
		}
		if errors != want {
			t.Errorf("%s: %d errors", v, errors)
		}
	}
}

// A default that does not fit its format is refused by the versions that know the format.
func TestDefaultsByVersion(t *testing.T) {
	for property, since := range map[string]kubeversion.Change{
		"{type: integer, format: int32, default: 3000000000}": kubeversion.NumericFormats,
		"{type: string, format: k8s-short-name, default: -}":  kubeversion.KubernetesNames,
	} {
		for _, v := range kubeversion.Known() {
			c := structuraltest.LoadCRD(t, structuraltest.CRDWith("type: object\nproperties: {a: "+property+"}"))
			c.Kubernetes = v
			refused := false
			for _, f := range lint.CRD(c) {
				refused = refused || f.Severity == structural.SeverityError
			}
			if want := v.Has(since); refused != want {
				t.Errorf("%s refuses %s: %t, want %t", v, property, refused, want)
			}
		}
	}
}

// What lint says about metadata and about CEL rules that a default breaks is what the server of the version says.
func TestTextsByVersion(t *testing.T) {
	schema := "type: object\nproperties: {a: {type: string, maxLength: 5, default: b, x-kubernetes-validations: [{rule: self == 'a'}]}}"
	text := strings.Replace(structuraltest.CRDWith(schema), "metadata:", "metadata:\n  labels: {a/b/c: d}\n  ownerReferences: [{apiVersion: v1, name: a, uid: b}]", 1)
	for v, want := range map[kubeversion.Version][]string{
		34: {`default: Invalid value: "string": failed rule`, "a qualified name must consist of", `metadata.ownerReferences.kind: Invalid value: ""`},
		36: {`default: Invalid value: "b": failed rule`, "a valid label key must consist of", `metadata.ownerReferences.kind: Invalid value: ""`},
		37: {`default: Invalid value: "b": failed rule`, "a valid label key must consist of", "metadata.ownerReferences[0].kind: Required value"},
	} {
		c := structuraltest.LoadCRD(t, text)
		c.Kubernetes = v
		var said string
		for _, f := range lint.CRD(c) {
			said += f.Message + "\n"
		}
		for _, part := range want {
			if !strings.Contains(said, part) {
				t.Errorf("%s does not say %q:\n%s", v, part, said)
			}
		}
	}
}
