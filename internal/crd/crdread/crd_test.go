package crdread_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

func TestLoadReadsAllOfAV1CRD(t *testing.T) {
	c := structuraltest.LoadCRD(t, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crontabs.stable.example.com
  creationTimestamp: null
  labels: {a: b}
  annotations:
    x/y: "1"
spec:
  group: stable.example.com
  names:
    kind: CronTab
    listKind: CronTabs
    plural: crontabs
    singular: cron
    shortNames: [ct, ctb]
    categories: [all]
  scope: Namespaced
  preserveUnknownFields: false
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig:
        caBundle: eA==
        url: null
        service: {namespace: a, name: b, path: /c, port: 443}
  versions:
  - name: v1beta1
    served: false
    storage: false
    deprecated: true
    deprecationWarning: use v1
  - schema:
      openAPIV3Schema:
        type: object
    name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n, labelSelectorPath: .status.s}
    additionalPrinterColumns:
    - {name: A, type: string, format: date, description: x, priority: 1, jsonPath: .spec.a}
    selectableFields:
    - jsonPath: .spec.a
status:
  anything: [goes, here]
`)
	c.Source = nil
	version := func(i int) *structural.Path {
		return structural.NewPath("spec", "versions").Index(i).Child("schema", "openAPIV3Schema")
	}
	warning, port := "use v1", int64(443)
	want := &structural.CRD{
		APIVersion: "apiextensions.k8s.io/v1", Name: "crontabs.stable.example.com", Group: "stable.example.com",
		Names: structural.Names{
			Kind: "CronTab", ListKind: "CronTabs", Plural: "crontabs", Singular: "cron", ShortNames: []string{"ct", "ctb"},
			Categories: []string{"all"},
		},
		Scope: "Namespaced", File: "crd.yaml",
		Metadata: map[string]any{"creationTimestamp": nil, "labels": map[string]any{"a": "b"}, "annotations": map[string]any{"x/y": "1"}},
		Conversion: &structural.Conversion{
			Strategy: "Webhook", ReviewVersions: []string{"v1"},
			Webhook: &structural.Webhook{CABundle: "eA==", Service: &structural.WebhookService{Namespace: "a", Name: "b", Path: "/c", Port: &port}},
		},
		Versions: []*structural.Version{
			{Name: "v1beta1", Deprecated: true, DeprecationWarning: &warning, Pruned: true, SchemaPath: version(0)},
			{Name: "v1", Served: true, Storage: true, HasStatus: true, Pruned: true,
				Scale:  &structural.ScalePaths{SpecReplicas: ".spec.n", StatusReplicas: ".status.n", LabelSelector: ".status.s"},
				Schema: &structural.JSONSchema{Type: "object"}, SchemaPath: version(1),
				Columns:          []structural.Column{{Name: "A", Type: "string", Format: "date", Description: "x", JSONPath: ".spec.a", Priority: 1}},
				SelectableFields: []string{".spec.a"}},
		},
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
}

func TestLoadFillsInDefaults(t *testing.T) {
	c := structuraltest.LoadCRD(t, structuraltest.CRDWith("type: object"))
	if c.Names.Singular != "job" || c.Names.ListKind != "JobList" || c.PreserveUnknownFields || !c.Versions[0].Pruned {
		t.Errorf("v1: %+v, pruned %t", c, c.Versions[0].Pruned)
	}
	c = structuraltest.LoadCRD(t, strings.Replace(structuraltest.V1beta1With(""), "  scope: Namespaced\n", "", 1))
	if c.Names.Singular != "job" || c.Names.ListKind != "JobList" || c.Scope != "Namespaced" || !c.PreserveUnknownFields ||
		c.Versions[0].Pruned {
		t.Errorf("v1beta1: %+v, pruned %t", c, c.Versions[0].Pruned)
	}
}

// Fields that are set are not defaulted, in both versions of the API.
func TestLoadFillsInNothingThatIsThere(t *testing.T) {
	for name, text := range map[string]string{"v1": structuraltest.CRDWith("type: object"), "v1beta1": structuraltest.V1beta1With("")} {
		text = strings.Replace(text, "scope: Namespaced", "scope: Cluster", 1)
		text = strings.Replace(text, "kind: Job,", "kind: Job, singular: one, listKind: Jobs,", 1)
		c := structuraltest.LoadCRD(t, text)
		if c.Scope != "Cluster" || c.Names.Singular != "one" || c.Names.ListKind != "Jobs" {
			t.Errorf("%s: scope %s, names %+v\n%s", name, c.Scope, c.Names, text)
		}
	}
}

func TestPreserveUnknownFieldsDecidesWhatIsPruned(t *testing.T) {
	for _, test := range []struct {
		text     string
		preserve bool
	}{
		{structuraltest.CRDWith("type: object"), false},
		{strings.Replace(structuraltest.CRDWith("type: object"), "spec:\n", "spec:\n  preserveUnknownFields: true\n", 1), true},
		{strings.Replace(structuraltest.CRDWith("type: object"), "spec:\n", "spec:\n  preserveUnknownFields: null\n", 1), false},
		{structuraltest.V1beta1With(""), true},
		{structuraltest.V1beta1With("preserveUnknownFields: null"), true},
		{structuraltest.V1beta1With("preserveUnknownFields: true"), true},
		{structuraltest.V1beta1With("preserveUnknownFields: false"), false},
	} {
		c := structuraltest.LoadCRD(t, test.text)
		if c.PreserveUnknownFields != test.preserve || c.Versions[0].Pruned == test.preserve {
			t.Errorf("preserve %t, pruned %t, want preserve %t:\n%s", c.PreserveUnknownFields, c.Versions[0].Pruned, test.preserve, test.text)
		}
	}
}

func TestSchemasOfV1beta1(t *testing.T) {
	const oldVersion = "  versions:\n  - {name: v1, served: true, storage: true}\n  - {name: v2, served: false, storage: false}\n"
	for name, test := range map[string]struct {
		text  string
		types string // of the schema of each version
		paths string
	}{
		"one schema for all versions": {
			structuraltest.V1beta1With("validation: {openAPIV3Schema: {type: object}}"), "object object",
			"spec.validation.openAPIV3Schema spec.validation.openAPIV3Schema",
		},
		"a schema for each version": {
			strings.NewReplacer("storage: true}", "storage: true, schema: {openAPIV3Schema: {type: a}}}",
				"storage: false}", "storage: false, schema: {openAPIV3Schema: {type: b}}}").Replace(structuraltest.V1beta1With("")), "a b",
			"spec.versions[0].schema.openAPIV3Schema spec.versions[1].schema.openAPIV3Schema",
		},
		"no schema": {
			structuraltest.V1beta1With(""), "- -", "spec.versions[0].schema.openAPIV3Schema spec.versions[1].schema.openAPIV3Schema",
		},
		"an empty validation": {
			structuraltest.V1beta1With("validation: {}"), "- -", "spec.validation.openAPIV3Schema spec.validation.openAPIV3Schema",
		},
		"validation null": {
			structuraltest.V1beta1With("validation: null"), "- -",
			"spec.versions[0].schema.openAPIV3Schema spec.versions[1].schema.openAPIV3Schema",
		},
		"spec.version alone": {
			strings.Replace(structuraltest.V1beta1With("validation: {openAPIV3Schema: {type: object}}"), oldVersion, "  version: v7\n", 1),
			"object", "spec.validation.openAPIV3Schema",
		},
		"spec.version beside no versions": {
			strings.Replace(structuraltest.V1beta1With(""), oldVersion, "  version: v7\n  versions: []\n", 1),
			"-", "spec.versions[0].schema.openAPIV3Schema",
		},
		"spec.version beside versions": {
			structuraltest.V1beta1With("version: v1\nvalidation: {openAPIV3Schema: {type: object}}"), "object object",
			"spec.validation.openAPIV3Schema spec.validation.openAPIV3Schema",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := structuraltest.LoadCRD(t, test.text)
			var types, paths []string
			for _, v := range c.Versions {
				if v.Schema == nil {
					types = append(types, "-")
				} else {
					types = append(types, v.Schema.Type)
				}
				paths = append(paths, v.SchemaPath.String())
			}
			if got := strings.Join(types, " "); got != test.types {
				t.Errorf("schemas %s, want %s", got, test.types)
			}
			if got := strings.Join(paths, " "); got != test.paths {
				t.Errorf("paths %s, want %s", got, test.paths)
			}
		})
	}

	c := structuraltest.LoadCRD(t, strings.Replace(structuraltest.V1beta1With(""), oldVersion, "  version: v7\n", 1))
	if v := c.Versions[0]; v.Name != "v7" || !v.Served || !v.Storage {
		t.Errorf("spec.version alone gives %+v", v)
	}
}

func TestValidationOfV1beta1WinsOverTheVersions(t *testing.T) {
	f := crdread.Load("x", strings.NewReader(strings.Replace(
		structuraltest.V1beta1With("validation: {openAPIV3Schema: {type: a}}\nsubresources: {status: {}}"),
		"storage: true}", "storage: true, schema: {openAPIV3Schema: {type: b}}, subresources: {scale: {}}}", 1)))
	wantFindings(t, f.Findings)
	for _, v := range f.CRDs[0].Versions {
		if v.Schema.Type != "a" || !v.HasStatus || v.Scale != nil {
			t.Errorf("version %+v", v)
		}
	}
}

func TestSubresources(t *testing.T) {
	for text, want := range map[string][2]bool{
		"{}":                       {false, false},
		"null":                     {false, false},
		"{status: {}}":             {true, false},
		"{status: null}":           {false, false},
		"{scale: {}}":              {false, true},
		"{status: {}, scale: {}}":  {true, true},
		"{status: ~, scale: null}": {false, false},
	} {
		v := structuraltest.LoadCRD(t, strings.Replace(structuraltest.CRDWith("type: object"), "    schema:\n", "    subresources: "+text+"\n    schema:\n", 1)).Versions[0]
		if got := [2]bool{v.HasStatus, v.Scale != nil}; got != want {
			t.Errorf("%s: status and scale are %v, want %v", text, got, want)
		}
		for _, v := range structuraltest.LoadCRD(t, structuraltest.V1beta1With("subresources: "+text)).Versions {
			if got := [2]bool{v.HasStatus, v.Scale != nil}; got != want {
				t.Errorf("v1beta1, %s: status and scale are %v, want %v", text, got, want)
			}
		}
	}
}

func TestWrongTypesInACRDAreErrors(t *testing.T) {
	text := `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: jobs.example.com
  labels:
    version: 1.5
  annotations: [a]
  finalizers: x
  generation: "1"
  ownerReferences:
  - controller: "yes"
spec:
  group: [example.com]
  names:
    kind: Job
    plural: 5
    shortNames: j
    categories: [1, all]
  scope: true
  preserveUnknownFields: "false"
  conversion: None
  versions:
  - name: 1
    served: yeah
    storage: "true"
    deprecated: 1
    deprecationWarning: {}
    schema: object
    subresources: {status: true, scale: {specReplicasPath: 1}}
    additionalPrinterColumns: [{priority: high, jsonPath: 1}, x]
    selectableFields: {jsonPath: .a}
  - v2
`
	f := crdread.Load("x", strings.NewReader(text))
	wantFindings(t, f.Findings,
		"6:5 error: metadata.labels[version]: expected a string, found the number 1.5 (put it in quotes)",
		"7:3 error: metadata.annotations: expected an object, found a list",
		`8:3 error: metadata.finalizers: expected a list, found the string "x"`,
		`9:3 error: metadata.generation: expected an integer, found the string "1"`,
		`11:5 error: metadata.ownerReferences[0].controller: expected a boolean, found the string "yes"`,
		"13:3 error: spec.group: expected a string, found a list",
		"16:5 error: spec.names.plural: expected a string, found the integer 5 (put it in quotes)",
		`17:5 error: spec.names.shortNames: expected a list of strings, found the string "j"`,
		"18:18 error: spec.names.categories[0]: expected a string, found the integer 1 (put it in quotes)",
		"19:3 error: spec.scope: expected a string, found the boolean true (put it in quotes)",
		`20:3 error: spec.preserveUnknownFields: expected a boolean, found the string "false" (remove the quotes)`,
		`21:3 error: spec.conversion: expected an object, found the string "None"`,
		"23:5 error: spec.versions[0].name: expected a string, found the integer 1 (put it in quotes)",
		`24:5 error: spec.versions[0].served: expected a boolean, found the string "yeah"`,
		`25:5 error: spec.versions[0].storage: expected a boolean, found the string "true" (remove the quotes)`,
		"26:5 error: spec.versions[0].deprecated: expected a boolean, found the integer 1",
		"27:5 error: spec.versions[0].deprecationWarning: expected a string, found an object",
		`28:5 error: spec.versions[0].schema: expected an object, found the string "object"`,
		"29:20 error: spec.versions[0].subresources.status: expected an object, found the boolean true",
		"29:42 error: spec.versions[0].subresources.scale.specReplicasPath: expected a string, found the integer 1 (put it in quotes)",
		`30:33 error: spec.versions[0].additionalPrinterColumns[0].priority: expected an integer, found the string "high"`,
		"30:49 error: spec.versions[0].additionalPrinterColumns[0].jsonPath: expected a string, found the integer 1 (put it in quotes)",
		`30:63 error: spec.versions[0].additionalPrinterColumns[1]: expected an object, found the string "x"`,
		"31:5 error: spec.versions[0].selectableFields: expected a list, found an object",
		`32:5 error: spec.versions[1]: expected an object, found the string "v2"`,
	)
	if len(f.CRDs) != 0 {
		t.Error("a CRD with errors was used")
	}
	for _, finding := range f.Findings {
		if want := strings.SplitN(finding.Message, ": ", 2)[0]; finding.Path != want {
			t.Errorf("path %q, message %q", finding.Path, finding.Message)
		}
	}
}

func TestUnknownFieldsOfACRDAreWarnings(t *testing.T) {
	text := `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
meta: {}
metadata:
  name: jobs.example.com
  label: {}
  ownerReferences: [{apiversion: v1}]
spec:
  group: example.com
  names: {kind: Job, plural: jobs, shortName: [j]}
  scope: Namespaced
  version: v1
  validation: {}
  additionalPrinterColumns: []
  preserveUnknownField: false
  conversion: {strategy: None, webHook: {}}
  versions:
  - name: v1
    Served: true
    storage: true
    schema:
      openapiV3Schema: {}
      properties: {}
      foo: 1
    subresources: {scales: {}, status: {x: 1}}
    additionalPrinterColumns: [{JSONPath: .a}]
    selectableFields: [{path: .a}]
`
	f := crdread.Load("x", strings.NewReader(text))
	move := "in apiextensions.k8s.io/v1 each version has its own: move this to spec.versions[*].additionalPrinterColumns"
	wantFindings(t, f.Findings,
		`3:1 warning: unknown field "meta"`,
		`6:3 warning: unknown field "metadata.label" (did you mean labels?)`,
		`7:22 warning: unknown field "metadata.ownerReferences[0].apiversion" (did you mean apiVersion?)`,
		`10:36 warning: unknown field "spec.names.shortName" (did you mean shortNames?)`,
		`12:3 warning: unknown field "spec.version" (in apiextensions.k8s.io/v1 list the version in spec.versions)`,
		`13:3 warning: unknown field "spec.validation" (in apiextensions.k8s.io/v1 each version has its own schema: move this to `+
			`spec.versions[*].schema)`,
		`14:3 warning: unknown field "spec.additionalPrinterColumns" (`+move+`)`,
		`15:3 warning: unknown field "spec.preserveUnknownField" (did you mean preserveUnknownFields?)`,
		`16:32 warning: unknown field "spec.conversion.webHook" (did you mean webhook?)`,
		`19:5 warning: unknown field "spec.versions[0].Served" (did you mean served?)`,
		`22:7 warning: unknown field "spec.versions[0].schema.openapiV3Schema" (did you mean openAPIV3Schema?)`,
		`23:7 warning: unknown field "spec.versions[0].schema.properties" (the schema itself goes below openAPIV3Schema)`,
		`24:7 warning: unknown field "spec.versions[0].schema.foo"`,
		`25:20 warning: unknown field "spec.versions[0].subresources.scales" (did you mean scale?)`,
		`25:41 warning: unknown field "spec.versions[0].subresources.status.x"`,
		`26:33 warning: unknown field "spec.versions[0].additionalPrinterColumns[0].JSONPath" (did you mean jsonPath?)`,
		`27:25 warning: unknown field "spec.versions[0].selectableFields[0].path"`,
	)
	if len(f.CRDs) != 1 || f.CRDs[0].Versions[0].Served {
		t.Error("a CRD with warnings was not used as it is read")
	}

	f = crdread.Load("x", strings.NewReader(structuraltest.V1beta1With("additionalPrinterColumns: [{JSONPath: .a}]\nconversion: {webhook: {}}\nversionss: []")))
	wantFindings(t, f.Findings,
		`13:16 warning: unknown field "spec.conversion.webhook"`,
		`14:3 warning: unknown field "spec.versionss" (did you mean versions?)`,
	)
}

func TestLocateFindsTheNearestPlace(t *testing.T) {
	c := structuraltest.LoadCRD(t, structuraltest.CRDWith("type: object\nproperties:\n  a:\n    anyOf:\n    - type: string\n    -   type: integer"))
	schema := c.Versions[0].SchemaPath
	for _, test := range []struct {
		path         *structural.Path
		line, column int
	}{
		{nil, 1, 1},
		{structural.NewPath("spec"), 5, 1},
		{structural.NewPath("spec", "names", "plural"), 7, 22},
		{structural.NewPath("spec", "versions").Index(0), 10, 5},
		{structural.NewPath("spec", "versions").Index(1), 9, 3},
		{structural.NewPath("spec", "versions").Index(-1), 9, 3},
		{schema, 15, 7},
		{schema.Child("properties").Key("a"), 18, 11},
		{schema.Child("properties").Key("b"), 17, 9},
		{schema.Child("properties").Key("a").Child("type"), 18, 11},
		{schema.Child("properties").Key("a").Child("anyOf").Index(1), 21, 17},
		{schema.Child("properties").Key("a").Child("anyOf").Index(1).Child("type"), 21, 17},
		{schema.Child("properties").Index(0), 17, 9},
		{schema.Child("type").Child("x"), 16, 9},
	} {
		want := structural.Position{File: "crd.yaml", Line: test.line, Column: test.column}
		if got := c.Locate(test.path.Steps()); got != want {
			t.Errorf("%v is at %+v, want %+v", test.path, got, want)
		}
	}
	if c.File != "crd.yaml" {
		t.Errorf("the file is %q", c.File)
	}
	if got := new(structural.CRD).Locate(prunert.FieldPath("spec")); got != (structural.Position{}) {
		t.Errorf("a CRD that was not loaded is at %+v", got)
	}
}

func TestLocateKnowsItemsOfAList(t *testing.T) {
	f := crdread.Load("x", strings.NewReader("apiVersion: v1\nkind: List\nitems:\n- "+smallCRD("Apple")+"\n- "+smallCRD("Bean")))
	var lines []int
	for _, c := range f.CRDs {
		lines = append(lines, c.Locate(prunert.FieldPath("spec", "group")).Line)
	}
	if !slices.Equal(lines, []int{4, 5}) {
		t.Errorf("the groups are in lines %d", lines)
	}
}
