// Package tables runs lint on the CRDs of Kubernetes' own tests: those that must be refused when they are created, and those that
// must be taken.
package tables

import (
	"encoding/json"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/hack/conformance/verdicts"
)

// What Kubernetes' own tests create is taken and refused as there, for the same reasons. The tests are run with a validation that
// writes what it is given.
func TestLintSaysWhatTheServerSaysOfItsOwnTables(t *testing.T) {
	const (
		create = "func ValidateCustomResourceDefinition(ctx context.Context, obj *apiextensions.CustomResourceDefinition) field.ErrorList {"
		update = "func validateCustomResourceDefinitionUpdate(ctx context.Context, obj, oldObj *apiextensions.CustomResourceDefinition, opts validationOptions) field.ErrorList {"
		schema = "func validateCustomResourceDefinitionValidation(ctx context.Context, customResourceValidation *apiextensions.CustomResourceValidation, " +
			"statusSubresourceEnabled bool, opts validationOptions, fldPath *field.Path) field.ErrorList {"
	)
	lines := scratch.Foreign{
		Package: "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation",
		Files:   []string{"validation_test.go"},
		Edits: map[string][][2]string{"validation.go": {
			{create, create + "\nwriteCRD(`create`, obj)\n"},
			{update, update + "\nwriteCRD(`update`, obj)\nwriteCRD(`updated`, oldObj)\n"},
			{schema, schema + "\nwriteSchema(customResourceValidation, statusSubresourceEnabled)\n"},
		}},
		Added: map[string]string{"zz_tables.go": writer},
		Run: "^(TestValidateCustomResourceDefinition|TestSelectableFields|TestValidateCustomResourceDefinitionUpdate|" +
			"TestValidateCustomResourceDefinitionValidation|TestValidateCustomResourceDefinitionValidationRuleCompatibility)$",
	}.Answers(t)
	taken, refused, known := 0, 0, 0
	seen := map[string]bool{}
	for _, line := range lines {
		var c struct {
			Name string
			CRD  json.RawMessage
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		if seen[string(c.CRD)] {
			continue
		}
		seen[string(c.CRD)] = true
		accepted, diffs := verdicts.Verdict(c.CRD)
		if accepted {
			taken++
		} else {
			refused++
		}
		for _, d := range diffs {
			if d.Known != "" {
				known++
				continue
			}
			t.Errorf("%s: %s\n%.1500s", c.Name, d, c.CRD)
		}
	}
	t.Logf("%d CRDs: %d taken, %d refused, %d known differences", len(seen), taken, refused, known)
	if taken < 140 || refused < 400 { // many of the tables are about rules that are refused
		t.Errorf("only %d CRDs are taken and %d refused", taken, refused)
	}
}

// writer is the file that writes CRDs: as v1 and as v1beta1, because a CRD can be right in one and wrong in the other. A schema gets a
// CRD around it.
const writer = `package validation

import (
	"encoding/json"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	v1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func writeCRD(name string, in *apiextensions.CustomResourceDefinition) {
	if in == nil {
		return
	}
	out := &v1.CustomResourceDefinition{}
	if err := v1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(in, out, nil); err == nil {
		out.APIVersion, out.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
		answer(map[string]any{"name": name + "/v1", "crd": out})
	}
	beta := &v1beta1.CustomResourceDefinition{}
	if err := v1beta1.Convert_apiextensions_CustomResourceDefinition_To_v1beta1_CustomResourceDefinition(in, beta, nil); err == nil {
		beta.APIVersion, beta.Kind = "apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"
		answer(map[string]any{"name": name + "/v1beta1", "crd": beta})
	}
}

func writeSchema(in *apiextensions.CustomResourceValidation, status bool) {
	if in == nil {
		return
	}
	prune := false
	crd := &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com"},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: "example.com", Scope: "Namespaced", PreserveUnknownFields: &prune,
			Names:      apiextensions.CustomResourceDefinitionNames{Kind: "Widget", ListKind: "WidgetList", Plural: "widgets", Singular: "widget"},
			Version:    "v1",
			Versions:   []apiextensions.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true}},
			Validation: in,
		},
	}
	if status {
		crd.Spec.Subresources = &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}}
	}
	writeCRD("schema", crd)
}
` + scratch.Answer
