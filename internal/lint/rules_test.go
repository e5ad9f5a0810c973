package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/allocated"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// messages returns the messages of findings of one severity.
func messages(all []structural.Finding, severity structural.Severity) []string {
	var out []string
	for _, f := range all {
		if f.Severity == severity {
			out = append(out, f.Message)
		}
	}
	return out
}

// TestLintRefusesDefinitionsInTheWordsOfTheServer says one more thing about a CRD at a time. The conformance suite asks the
// server about many more.
func TestLintRefusesDefinitionsInTheWordsOfTheServer(t *testing.T) {
	good := structuraltest.CRDWith("type: object\nproperties: {a: {type: string}}")
	in := func(old, add string) string { return strings.Replace(good, old, old+add, 1) }
	version := func(add string) string { return in("served: true", "\n    "+add) }
	spec := func(add string) string { return in("spec:", "\n  "+add) }
	const v0 = "spec.versions[0]."
	for _, c := range []struct {
		text string
		want []string
	}{
		{version("deprecationWarning: old"), []string{v0 + `deprecationWarning: Invalid value: "old": can only be set for deprecated versions`}},
		{version("additionalPrinterColumns: [{name: a, type: file, jsonPath: a}]"), []string{
			v0 + `additionalPrinterColumns[0].jsonPath: Invalid value: "a": must be a simple json path starting with .`,
			v0 + `additionalPrinterColumns[0].type: Invalid value: "file": must be one of boolean,date,integer,number,string`,
		}},
		{version("subresources: {scale: {specReplicasPath: .status.a}}"), []string{
			v0 + `subresources.scale.specReplicasPath: Invalid value: ".status.a": should be a json path under .spec`,
			v0 + `subresources.scale.statusReplicasPath: Required value`,
		}},
		{version("selectableFields: [{jsonPath: .b}, {jsonPath: .a}, {jsonPath: .a}]"), []string{
			v0 + `selectableFields[0].jsonPath: Invalid value: ".b": is an invalid path: does not refer to a valid field`,
			v0 + `selectableFields[2].jsonPath: Duplicate value: ".a"`,
		}},
		{spec("conversion: {strategy: Webhook, webhook: {clientConfig: {service: {name: a}}, conversionReviewVersions: [v2]}}"), []string{
			`spec.conversion.webhook.clientConfig.service.name: Required value`,
			`spec.conversion.webhook.conversionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1`,
		}},
		{in("metadata:", "\n  labels: {a: b c}\n"), []string{
			`metadata.labels: Invalid value: "b c": ` + pruneimpl.LabelValueWords,
		}},
		{strings.ReplaceAll(good, "example.com", "example.k8s.io"), []string{
			`metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation ` +
				`"api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111`,
		}},
	} {
		got := messages(structuraltest.FindAll(c.text), structural.SeverityError)
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func TestLintRefusesSchemasInTheWordsOfTheServer(t *testing.T) {
	const root = "spec.versions[0].schema.openAPIV3Schema"
	for schema, want := range map[string][]string{
		"type: object\nnullable: true\nproperties: {a: {type: string}}": {".nullable: Forbidden: nullable cannot be true at the root"},
		"type: object\nproperties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b, c], items: {type: object, properties: {b: {type: string}}}}}": {
			".properties[a].items.properties[b].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
			`.properties[a].x-kubernetes-list-map-keys: Invalid value: ["b","c"]: entries must all be names of item properties`,
		},
		"type: object\nproperties: {a: {type: object, properties: {b: {type: string}}, additionalProperties: {type: string}}}": {
			".properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
		},
		"type: object\nx-kubernetes-validations: [{rule: a, reason: Because, fieldPath: .b}]\nproperties: {a: {type: string}}": {
			".x-kubernetes-validations[0].fieldPath: Invalid value: \".b\": must be a valid path",
			`.x-kubernetes-validations[0].reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
		},
		"type: object\nproperties: {a: {type: object, default: {b: 1, c: x}, properties: {b: {type: string}}}}": {
			`.properties[a].default.b: Invalid value: "integer": b in body must be of type string: "integer"`,
			`.properties[a].default: Invalid value: {"b":1,"c":"x"}: must not have unknown fields`,
		},
		"type: object\nproperties: {a: {type: integer, minimum: 3, default: 2}}": {
			`.properties[a].default: Invalid value: 2:  in body should be greater than or equal to 3`,
		},
		"type: object\nproperties: {metadata: {type: object, properties: {name: {type: string, default: a}}}}": {
			".properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata",
		},
	} {
		got := messages(structuraltest.FindAll(structuraltest.CRDWith(schema)), structural.SeverityError)
		slices.Sort(got)
		for i := range want {
			want[i] = root + want[i]
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", schema, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestLintWarnsOfLostData(t *testing.T) {
	const root = "spec.versions[0].schema.openAPIV3Schema"
	for schema, want := range map[string][]string{
		"type: object\nproperties: {metadata: {type: object}, spec: {type: object, properties: {template: {type: object, properties: {metadata: {type: object}}}}}}": {
			root + ".properties[spec].properties[template].properties[metadata]: everything in this object is dropped: " +
				"it has no properties, no additionalProperties and no x-kubernetes-preserve-unknown-fields",
		},
		"type: object\nproperties: {a: {type: array, items: {type: object}}, b: {type: object, additionalProperties: true}}": {
			root + ".properties[a].items: everything in the elements of this list that are objects is dropped",
			root + ".properties[b].additionalProperties: everything in the values of this map that are objects is dropped",
		},
		"type: object\nproperties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true}, b: {type: object, additionalProperties: {type: string}}}":                 nil,
		"type: object\nproperties: {a: {type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object}}}, b: {x-kubernetes-int-or-string: true}}": nil,
	} {
		if got := messages(structuraltest.FindAll(structuraltest.CRDWith(schema)), structural.SeverityWarning); !slices.Equal(got, want) {
			t.Errorf("%s: got %q", schema, got)
		}
	}
	found := structuraltest.FindAll(structuraltest.CRDWith("type: object\nproperties: {t: {type: object, properties: {metadata: {type: object}}}}"))
	if len(found) != 1 || !strings.Contains(found[0].Hint, "crd:generateEmbeddedObjectMeta=true") {
		t.Errorf("%+v", found)
	}
}

func TestLintWarnsOfVersionsThatKeepLess(t *testing.T) {
	text := func(spec, other string) string {
		return strings.Replace(structuraltest.CRDWith("type: object\nproperties: {a: {type: string}, l: {type: array, items: {type: object, properties: {b: {type: string}, c: {type: string}}}}}"),
			"  versions:\n", spec+"  versions:\n  - {name: v0, served: true, storage: false, schema: {openAPIV3Schema: "+other+"}}\n", 1)
	}
	const less = "{type: object, properties: {l: {type: array, items: {type: object, properties: {b: {type: string}}}}}}"
	const want = "spec.versions[0]: objects that are written as v0 lose fields of the stored version v1: a, l[].c"
	if got := messages(structuraltest.FindAll(text("", less)), structural.SeverityWarning); !slices.Equal(got, []string{want}) {
		t.Errorf("got %q", got)
	}
	// A webhook can keep them, and what preserves unknown fields does.
	const webhook = "  conversion: {strategy: Webhook, webhook: {clientConfig: {url: 'https://a'}, conversionReviewVersions: [v1]}}\n"
	for _, text := range []string{text(webhook, less), text("", "{type: object, x-kubernetes-preserve-unknown-fields: true}")} {
		if got := structuraltest.FindAll(text); len(got) > 0 {
			t.Errorf("got %v", got)
		}
	}
}

// TestUnionsFollowKEP2335 is about rules of a document that Kubernetes does not follow: they are warnings.
func TestUnionsFollowKEP2335(t *testing.T) {
	const at = "spec.validation.openAPIV3Schema.x-kubernetes-unions"
	const idle = at + ": Kubernetes has no such keyword: it does not check that only one of the fields is set"
	const fields = at + "[0].fields: Forbidden: must be undefined if discriminator is empty"
	const structure = at + ": Forbidden: must only be used in a structural schema"
	for union, want := range map[string][]string{
		"{type: object, properties: {a: {type: string}}, x-kubernetes-unions: [{discriminator: t, fields: {a: A, b: B}}]}": {idle},
		"{type: object, properties: {a: {type: string}}, x-kubernetes-unions: [{fields: {a: A}}]}":                         {idle, fields},
		"{type: object, properties: {a: {}}, x-kubernetes-unions: [{discriminator: t, fields: {a: A}}]}":                   {structure, idle},
	} {
		var got []string
		for _, f := range structuraltest.FindAll(structuraltest.V1beta1With("validation: {openAPIV3Schema: " + union + "}")) {
			if f.Severity != structural.SeverityWarning {
				t.Errorf("%+v", f)
			}
			if strings.Contains(f.Message, "union") {
				got = append(got, f.Message)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q", union, got)
		}
	}
	found := structuraltest.FindAll(structuraltest.CRDWith("{type: object, properties: {a: {type: string}}, x-kubernetes-unions: [{discriminator: t, fields: {a: A, b: B}}]}"))
	if len(found) != 1 || found[0].Hint != "write oneOf: [{required: [a]}, {required: [b]}]" {
		t.Errorf("%+v", found)
	}
}

// TestConversionWebhooksRequireStructuralSchemas is a rule of KEP-2335 that Kubernetes has in two steps: a webhook requires
// pruning, and pruning requires structural schemas.
func TestConversionWebhooksRequireStructuralSchemas(t *testing.T) {
	const webhook = "conversion: {strategy: Webhook, webhookClientConfig: {url: 'https://a'}}\nvalidation: {openAPIV3Schema: {properties: {a: {}}}}\n"
	const strategy = `spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true`
	if got := messages(structuraltest.FindAll(structuraltest.V1beta1With(webhook)), structural.SeverityError); !slices.Equal(got, []string{strategy}) {
		t.Errorf("got %q", got)
	}
	got := messages(structuraltest.FindAll(structuraltest.V1beta1With(webhook+"preserveUnknownFields: false")), structural.SeverityError)
	if len(got) != 2 || !strings.Contains(got[0], "type: Required value") {
		t.Errorf("got %q", got)
	}
}

// TestSchemasHaveOnlyOneOfTheThree is what the article of 2019 says of properties, additionalProperties and items.
func TestSchemasHaveOnlyOneOfTheThree(t *testing.T) {
	for schema, want := range map[string]structural.Severity{
		"{type: object, properties: {b: {type: string}}, additionalProperties: {type: string}}":                structural.SeverityError,
		"{type: array, items: {type: string}, properties: {b: {type: string}}}":                                structural.SeverityWarning,
		"{type: array, items: {type: string}, additionalProperties: {type: string}}":                           structural.SeverityWarning,
		"{type: array, items: {type: string}}":                                                                 "",
		"{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: string}}, not: {}}": "",
	} {
		found := structuraltest.FindAll(structuraltest.CRDWith("type: object\nproperties:\n  a: " + schema))
		if want == "" && len(found) > 0 || want != "" && (len(found) != 1 || found[0].Severity != want) {
			t.Errorf("%s: %+v", schema, found)
		}
	}
}

// TestLintIsBounded has CRDs that are made to be slow, or to be said much about.
func TestLintIsBounded(t *testing.T) {
	testsize.NotShort(t)
	key := strings.Repeat("k", 10_000)
	for name, text := range map[string]string{
		"elements times alternatives": structuraltest.CRDWith("{type: object, properties: {a: {type: array, items: {type: string, anyOf: [" + strings.Repeat("{maxLength: 0},", 20_000) +
			"]}, default: [" + strings.Repeat("xx,", 20_000) + "]}}}"),
		"elements times enum": structuraltest.CRDWith("{type: object, properties: {a: {type: array, items: {type: string, enum: [" + strings.Repeat("a,", 50_000) +
			"]}, default: [" + strings.Repeat("xx,", 50_000) + "]}}}"),
		"unique elements": structuraltest.CRDWith("{type: object, properties: {a: {type: array, uniqueItems: true, items: {type: integer}, default: [" + numbers(100_000) + "]}}}"),
		"long keys":       structuraltest.CRDWith("{type: object, properties: {a: {type: object, default: {? " + key + " : {" + repeatField("1", 20_000) + "}}, additionalProperties: {type: object, additionalProperties: {type: string}}}}}"),
		"nested anyOf":    structuraltest.CRDWith("{type: object, properties: {a: {type: string, default: x, " + strings.Repeat("anyOf: [{maxLength: 0}, {", 100) + "maxLength: 0" + strings.Repeat("}]", 100) + "}}}"),
		"map keys": structuraltest.CRDWith("{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [" + strings.Repeat("a,", 100_000) +
			"], items: {type: object, properties: {b: {type: string}}}}}}"),
		"paths":    strings.Replace(structuraltest.CRDWith("type: object"), "served: true", "served: true\n    selectableFields: [{jsonPath: "+strings.Repeat(".a", 200_000)+"}]", 1),
		"webhooks": strings.Replace(structuraltest.CRDWith("type: object"), "spec:", "spec:\n  conversion: {strategy: Webhook, webhook: {clientConfig: {service: {path: /"+strings.Repeat("//", 50_000)+"}}, conversionReviewVersions: [v1]}}", 1),
		"versions": strings.Replace(structuraltest.CRDWith("{type: object, properties: {a: {type: string}}}"), "  versions:\n", "  versions:\n"+manyVersions(3000), 1),
	} {
		var found []structural.Finding
		bytes := allocated.By(func() { found = structuraltest.FindAll(text) })
		if bytes > 1200<<20 {
			t.Errorf("%s: allocates %d bytes", name, bytes)
		}
		size := 0
		for _, f := range found {
			size += len(f.Message) + len(f.Hint)
		}
		if len(found) == 0 || size > 4*listed.Findings<<13 {
			t.Errorf("%s: %d findings with %d bytes", name, len(found), size)
		}
	}
}

// Versions are compared with the stored one until the meter is spent. That is an error.
func TestVersionsAreComparedWithinTheLimitsOfARun(t *testing.T) {
	stored := "{type: object, properties: {" + repeatField("{type: string}", 2000) + "}}"
	text := strings.Replace(structuraltest.CRDWith(stored), "  versions:\n", "  versions:\n"+manyVersions(20), 1)
	for left, want := range map[int]string{meter.Work: "", 100_000: "too large: the run exceeds the limit of 20000000 units of work"} {
		c := structuraltest.LoadCRD(t, text)
		origin.SetMeter(c, meter.New(1))
		origin.Meter(c).Spend(meter.Work - left)
		loss, said := 0, ""
		for _, f := range lint.CRD(c) {
			switch f.ID {
			case "loss/version":
				loss++
			case "text/too-large":
				said += f.Message
				if f.Severity != structural.SeverityError || f.CRD != c.Name || f.Line != 1 {
					t.Errorf("%+v", f)
				}
			}
		}
		if said != want || (loss == 20) != (want == "") {
			t.Errorf("%d units: %d versions lose fields, %q", left, loss, said)
		}
	}
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d,", i)
	}
	return b.String()
}

func manyVersions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "  - {name: w%d, served: true, storage: false, selectableFields: [{jsonPath: .b}], schema: {openAPIV3Schema: {type: object, properties: {b: {type: string}}}}}\n", i)
	}
	return b.String()
}
