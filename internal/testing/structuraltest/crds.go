package structuraltest

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/structural"
)

// LoadCRD reads one CRD that loads without errors.
func LoadCRD(t testing.TB, text string) *structural.CRD {
	t.Helper()
	f := crdread.Load("crd.yaml", strings.NewReader(text))
	for _, finding := range f.Findings {
		if finding.Severity == structural.SeverityError {
			t.Fatalf("%+v\n%s", finding, text)
		}
	}
	if len(f.CRDs) != 1 {
		t.Fatalf("%d CRDs in\n%s", len(f.CRDs), text)
	}
	return f.CRDs[0]
}

func indent(text, with string) string {
	return with + strings.ReplaceAll(strings.Trim(text, "\n"), "\n", "\n"+with)
}

// CRDWith is a v1 CRD with one version; its schema begins in line 16.
func CRDWith(schema string) string {
	return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: jobs.example.com
spec:
  group: example.com
  names: {kind: Job, plural: jobs}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    # The key below is where a missing type is reported.
    schema:
      openAPIV3Schema:
` + indent(schema, "        ") + "\n"
}

// WidgetsWith is a v1 CRD of widgets in a namespace; its versions begin in line 9.
func WidgetsWith(versions string) string {
	return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}
  versions:
` + versions
}

// V1beta1With is a v1beta1 CRD with two versions and whatever else is in spec; that begins in line 12.
func V1beta1With(spec string) string {
	return `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: jobs.example.com
spec:
  group: example.com
  names: {kind: Job, plural: jobs}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true}
  - {name: v2, served: false, storage: false}
` + indent(spec, "  ") + "\n"
}
