package crddiff_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

const before = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: App, plural: apps, singular: app, listKind: AppList, shortNames: [ap]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [image]
            x-kubernetes-validations: [{rule: self.size > 1, message: too few}, {rule: "true"}]
            properties:
              image: {type: string, pattern: ^a, maxLength: 10, minLength: 2}
              size: {type: integer, minimum: 1, maximum: 9, default: 3}
              none: {type: integer, nullable: true}
              mode: {type: string, enum: [fast, slow]}
              kind: {type: string, enum: [a, b], default: a}
              env: {type: object, additionalProperties: {type: string}}
              ports: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [port], items: {type: object, required: [port], properties: {port: {type: integer}, name: {type: string}}}}
              tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              both: {x-kubernetes-int-or-string: true}
              deep: {type: object, x-kubernetes-map-type: atomic, properties: {a: {type: object, properties: {b: {type: string}}}}}
              any: {type: string, allOf: [{minLength: 1}, {minLength: 2}], anyOf: [{minLength: 3}, {minLength: 4}], oneOf: [{minLength: 5}, {minLength: 6}]}
          more:
            type: object
            properties:
              free: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {known: {type: string, default: x}}}
              child: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
`

// parse reads one CRD.
func parse(t *testing.T, text string) *structural.CRD {
	t.Helper()
	f := crdread.Load("crd.yaml", strings.NewReader(text))
	for _, finding := range f.Findings {
		if finding.Severity == structural.SeverityError {
			t.Fatalf("%s\n%s", finding.Message, text)
		}
	}
	if len(f.CRDs) != 1 {
		t.Fatalf("%d CRDs in\n%s", len(f.CRDs), text)
	}
	return f.CRDs[0]
}

// summary returns a change in one line, with a mark for its level.
func summary(c crddiff.Change) string {
	return []string{crddiff.None: "  ", crddiff.Readers: "r ", crddiff.Requests: "! ", crddiff.Stored: "# "}[c.Level] + strings.TrimPrefix(string(c.ID), "diff/") + " " + c.Field()
}

func TestCRDsNamesEveryChange(t *testing.T) {
	for _, tt := range []struct {
		old, new string
		want     []string // from the old CRD to the new one
		back     []string // and the other way around
	}{
		{old: "pattern: ^a", new: "description: x, pattern: ^a"},
		{"scope: Namespaced", "scope: Cluster", []string{"# scope "}, []string{"# scope "}},
		{"kind: App,", "kind: Other,", []string{"# names "}, []string{"# names "}},
		{"shortNames: [ap]", "shortNames: [ap, x]", []string{"  names "}, []string{"  names "}},
		{"status: {}, ", "", []string{"! subresource "}, []string{"! subresource "}},
		{", scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n}", "", []string{"! subresource "}, []string{"  subresource "}},
		{"specReplicasPath: .spec.n,", "specReplicasPath: .spec.m,", []string{"! subresource "}, []string{"! subresource "}},
		{"served: true", "served: true\n    deprecated: true", []string{"  deprecation "}, []string{"  deprecation "}},
		{"served: true", "served: false", []string{"! version "}, []string{"  version "}},
		{"storage: true", "storage: false", nil, nil},
		{"storage: true", "storage: true\n    selectableFields: [{jsonPath: .spec.mode}, {jsonPath: .spec.kind}]", []string{"  selectable-field ", "  selectable-field "}, []string{"! selectable-field ", "! selectable-field "}},

		{"required: [image]", "required: []", []string{"  required spec.image"}, []string{"! required spec.image"}},
		{"required: [image]", "required: [image, size]", []string{"  required spec.size"}, []string{"  required spec.size"}},
		{"pattern: ^a", "pattern: ^b", []string{"! pattern spec.image"}, []string{"! pattern spec.image"}},
		{"pattern: ^a, ", "", []string{"  pattern spec.image"}, []string{"! pattern spec.image"}},
		{"pattern: ^a,", "pattern: ^a, format: uuid,", []string{"! format spec.image"}, []string{"r format spec.image"}},
		{"pattern: ^a,", "pattern: ^a, format: nonsense,", nil, nil},
		{"maxLength: 10", "maxLength: 9", []string{"! bound spec.image"}, []string{"  bound spec.image"}},
		{"minLength: 2", "minLength: 3", []string{"! bound spec.image"}, []string{"  bound spec.image"}},
		{"mode: {type: string,", "mode: {type: string, minLength: 0,", []string{"  bound spec.mode"}, []string{"  bound spec.mode"}},
		{", minLength: 2", "", []string{"  bound spec.image"}, []string{"! bound spec.image"}},
		{"maximum: 9", "maximum: 9, exclusiveMaximum: true", []string{"! bound spec.size"}, []string{"  bound spec.size"}},
		{"minimum: 1", "minimum: 1, exclusiveMinimum: true", []string{"! bound spec.size"}, []string{"  bound spec.size"}},
		{"minimum: 1", "minimum: 0", []string{"  bound spec.size"}, []string{"! bound spec.size"}},
		{"maximum: 9", "maximum: 9, multipleOf: 2", []string{"! bound spec.size"}, []string{"  bound spec.size"}},
		{"default: 3", "default: 4", []string{"! default spec.size"}, []string{"! default spec.size"}},
		{", default: 3", "", []string{"! default spec.size", "# validation-rule spec"}, []string{"  default spec.size"}}, // a rule reads it
		{", default: 3", ", default: 1", []string{"! default spec.size", "! validation-rule spec"}, []string{"! default spec.size"}},
		{", nullable: true", "", []string{"# nullable spec.none"}, []string{"r nullable spec.none"}},
		{"enum: [a, b], default: a}", "enum: [a, b], x-kubernetes-validations: [{rule: self > ''}]}", []string{"! default spec.kind", "! validation-rule spec.kind"}, []string{"  default spec.kind", "  validation-rule spec.kind"}},
		{"[fast, slow]", "[fast]", []string{"! enum spec.mode"}, []string{"  enum spec.mode"}},
		{"[fast, slow]", "[fast, other]", []string{"! enum spec.mode", "  enum spec.mode"}, []string{"! enum spec.mode", "  enum spec.mode"}},
		{", enum: [fast, slow]", "", []string{"  enum spec.mode"}, []string{"! enum spec.mode"}},

		{"size: {type: integer, m", "size: {type: number, m", []string{"r type spec.size", "! validation-rule spec"}, []string{"! type spec.size", "# validation-rule spec"}},
		{"mode: {type: string, enum: [fast, slow]}", "mode: {type: integer, enum: [1]}", []string{"! type spec.mode", "! enum spec.mode", "  enum spec.mode"}, []string{"! type spec.mode", "! enum spec.mode", "  enum spec.mode"}},
		{"both: {x-kubernetes-int-or-string: true}", "both: {type: integer}", []string{"! type spec.both"}, []string{"r type spec.both"}},
		{"both: {x-kubernetes-int-or-string: true}", "both: {x-kubernetes-preserve-unknown-fields: true}", []string{"r type spec.both"}, []string{"# type spec.both"}},
		// The types of an integer or string say the same where they are written once more.
		{old: "both: {x-kubernetes-int-or-string: true}", new: "both: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}"},
		{old: "both: {x-kubernetes-int-or-string: true}", new: "both: {x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer}, {type: string}]}]}"},
		{"both: {x-kubernetes-int-or-string: true}", "both: {x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer}, {type: string}]}, {pattern: a}]}", []string{"! alternatives spec.both"}, []string{"  alternatives spec.both"}},
		// Values of another type are refused: nothing below them is lost.
		{"deep: {type: object, x-kubernetes-map-type: atomic, properties: {a: {type: object, properties: {b: {type: string}}}}}", "deep: {type: string}", []string{"# type spec.deep", "  map-type spec.deep"}, []string{"! type spec.deep", "! map-type spec.deep"}},

		{"              image: {type: string, pattern: ^a, maxLength: 10, minLength: 2}\n", "", []string{"# field-removed spec.image"}, []string{"  field-added spec.image"}},
		// Only the topmost path of a subtree is named.
		{"a: {type: object, properties: {b: {type: string}}}", "other: {type: string}", []string{"# field-removed spec.deep.a", "  field-added spec.deep.other"}, []string{"  field-added spec.deep.a", "# field-removed spec.deep.other"}},
		{", name: {type: string}", "", []string{"# field-removed spec.ports[].name"}, []string{"  field-added spec.ports[].name"}},
		{"additionalProperties: {type: string}", "properties: {a: {type: string, maxLength: 3}}", []string{"# field-removed spec.env[*]", "! bound spec.env.a"}, []string{"  field-added spec.env[*]", "  bound spec.env.a"}},
		{"additionalProperties: {type: string}", "additionalProperties: {type: string, maxLength: 1}", []string{"! bound spec.env[*]"}, []string{"  bound spec.env[*]"}},
		{"free: {type: object, x-kubernetes-preserve-unknown-fields: true,", "free: {type: object,", []string{"# preserve more.free..."}, []string{"  preserve more.free..."}},
		{", properties: {known: {type: string, default: x}}", "", []string{"! default more.free.known", "r specified more.free.known"}, []string{"# specified more.free.known"}},
		// Pruning starts again in a field that is specified.
		{"known: {type: string, default: x}", "known: {type: string, default: x}, o: {type: object}", []string{"# specified more.free.o", "# preserve more.free.o..."}, []string{"r specified more.free.o", "  preserve more.free.o..."}},
		{"child: {type: object, x-kubernetes-embedded-resource: true,", "child: {type: object,", []string{"! embedded-resource more.child", "  preserve more.child.metadata..."}, []string{"# embedded-resource more.child", "# preserve more.child.metadata..."}},

		{"x-kubernetes-list-type: set, ", "", []string{"! list-type spec.tags"}, []string{"! list-type spec.tags"}},
		{"x-kubernetes-list-map-keys: [port], items: {type: object, required: [port],", "x-kubernetes-list-map-keys: [port, name], items: {type: object, required: [port, name],", []string{"! list-type spec.ports", "# required spec.ports[].name"}, []string{"! list-type spec.ports", "  required spec.ports[].name"}},
		{"x-kubernetes-map-type: atomic", "x-kubernetes-map-type: granular", []string{"  map-type spec.deep"}, []string{"! map-type spec.deep"}},

		{`, {rule: "true"}`, "", []string{"  validation-rule spec"}, []string{"  validation-rule spec"}},
		{"rule: self.size > 1", "rule: self.size > 2", []string{"! validation-rule spec"}, []string{"  validation-rule spec"}},
		{"rule: self.size > 1", "rule: self.size > 1 || self.image == 'a'", []string{"  validation-rule spec"}, []string{"! validation-rule spec"}},
		{"rule: self.size > 1", "rule: self.size > 1 || oldSelf.size > 1", []string{"  validation-rule spec"}, []string{"! validation-rule spec"}},
		{"message: too few", "message: not enough", []string{"  validation-rule spec"}, []string{"  validation-rule spec"}},
		{"mode: {type: string,", "mode: {type: string, anyOf: [{minLength: 1}],", []string{"! alternatives spec.mode"}, []string{"  alternatives spec.mode"}},
		{"mode: {type: string,", "mode: {type: string, not: {minLength: 1},", []string{"! alternatives spec.mode"}, []string{"  alternatives spec.mode"}},
		// allOf, anyOf and oneOf are sets: the order says nothing, fewer of allOf and more of anyOf refuse nobody.
		{old: "allOf: [{minLength: 1}, {minLength: 2}], anyOf: [{minLength: 3}, {minLength: 4}], oneOf: [{minLength: 5}, {minLength: 6}]", new: "allOf: [{minLength: 2}, {minLength: 1}], anyOf: [{minLength: 4}, {minLength: 3}], oneOf: [{minLength: 6}, {minLength: 5}]"},
		{"allOf: [{minLength: 1}, {minLength: 2}]", "allOf: [{minLength: 2}]", []string{"  alternatives spec.any"}, []string{"! alternatives spec.any"}},
		{"anyOf: [{minLength: 3}, {minLength: 4}]", "anyOf: [{minLength: 5}, {minLength: 4}, {minLength: 3}]", []string{"  alternatives spec.any"}, []string{"! alternatives spec.any"}},
		{"anyOf: [{minLength: 3}, {minLength: 4}]", "anyOf: [{minLength: 5}, {minLength: 4}]", []string{"! alternatives spec.any"}, []string{"! alternatives spec.any"}},
		{"oneOf: [{minLength: 5}, {minLength: 6}]", "oneOf: [{minLength: 6}]", []string{"! alternatives spec.any"}, []string{"! alternatives spec.any"}},
		{"oneOf: [{minLength: 5}, {minLength: 6}]", "oneOf: [{minLength: 6}, {minLength: 5}, {minLength: 5}]", []string{"! alternatives spec.any"}, []string{"! alternatives spec.any"}},
	} {
		t.Run(tt.old+" to "+tt.new, func(t *testing.T) {
			text := strings.Replace(before, tt.old, tt.new, 1)
			if text == before {
				t.Fatal("nothing changed")
			}
			for _, way := range []struct {
				old, new string
				want     []string
			}{{before, text, tt.want}, {text, before, tt.back}, {text, text, nil}} {
				var got []string
				for _, c := range changesOf(t, parse(t, way.old), parse(t, way.new)) {
					got = append(got, summary(c))
					if c.What == "" || c.Why == "" || c.At == nil {
						t.Errorf("%+v", c)
					}
				}
				slices.Sort(got)
				slices.Sort(way.want)
				if !slices.Equal(got, way.want) {
					t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(way.want, "\n"))
				}
			}
		})
	}
}

func TestCRDsSaysWhatAndWhy(t *testing.T) {
	text := strings.NewReplacer("maximum: 9", "maximum: 5", "[fast, slow]", "[fast]", ", name: {type: string}", "").Replace(before)
	var got []string
	crd := parse(t, text)
	for _, c := range changesOf(t, parse(t, before), crd) {
		at := crd.Locate(c.At.Steps())
		got = append(got, fmt.Sprintf("%d:%d %s", at.Line, at.Column, c))
	}
	want := []string{
		`26:36 spec.mode: the enum has lost "slow"; objects that have it are refused (requests)`,
		"29:141 spec.ports[].name: the field is gone; objects that have it lose it (stored)",
		"24:49 spec.size: maximum was 9 and is 5; values that were accepted can be refused (requests)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A format is new if the API server checks it.
func TestFormatsCountByVersion(t *testing.T) {
	text := strings.NewReplacer("size: {type: integer,", "size: {type: integer, format: int32,", "env: {type: object, additionalProperties: {type: string}}",
		"env: {type: object, additionalProperties: {type: string, format: k8s-short-name}}").Replace(before)
	for _, v := range kubeversion.Known() {
		want := 0
		for _, change := range []kubeversion.Change{kubeversion.NumericFormats, kubeversion.KubernetesNames} {
			if v.Takes(change) {
				want++
			}
		}
		old, crd := parse(t, before), parse(t, text)
		old.Kubernetes, crd.Kubernetes = v, v
		if got := changesOf(t, old, crd); len(got) != want {
			t.Errorf("%s: %v, want %d changes", v, got, want)
		}
	}
}

const otherVersion = `
  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {image: {type: string}}}}}}
`

func TestCRDsComparesVersions(t *testing.T) {
	two := strings.TrimSuffix(before, "\n") + otherVersion
	stored := strings.NewReplacer("storage: true", "storage: false", "storage: false", "storage: true").Replace(two)
	for name, tt := range map[string]struct {
		old, new string
		want     []string
	}{
		"a new one":       {before, two, []string{"  version "}},
		"one less":        {two, before, []string{"! version "}},
		"one less unused": {strings.Replace(two, otherVersion, strings.Replace(otherVersion, "served: true", "served: false", 1), 1), before, []string{"  version "}},
		"another stored":  {two, stored, []string{"# storage "}},
		"stored by a webhook": {two, strings.Replace(stored, "  versions:", "  conversion: {strategy: Webhook, webhook: {clientConfig: {url: 'https://a'}, conversionReviewVersions: [v1]}}\n  versions:", 1),
			[]string{"  conversion ", "  storage "}},
		"stored with all fields": {stored, two, []string{"  storage "}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, c := range changesOf(t, parse(t, tt.old), parse(t, tt.new)) {
				got = append(got, summary(c))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Every rule of a change is listed.
func TestRulesAreListed(t *testing.T) {
	all := crddiff.IDs()
	if len(all) != 29 {
		t.Errorf("%d rules", len(all))
	}
	for _, r := range all {
		if !strings.HasPrefix(string(r.ID), "diff/") || r.Summary == "" {
			t.Errorf("%+v", r)
		}
	}
}

// An object that was stored before its field had the default has been read with it. Without it, the root of no update is the same as before.
func TestARequiredFieldWithoutItsDefaultIsRefused(t *testing.T) {
	old := strings.Replace(before, "        type: object\n        properties:\n          spec:\n            type: object\n",
		"        type: object\n        required: [spec]\n        properties:\n          spec:\n            type: object\n            default: {image: abc}\n", 1)
	new := strings.Replace(old, "            default: {image: abc}\n", "", 1)
	if old == new {
		t.Fatal("the CRD has no default")
	}
	changes, err := crddiff.Compare(parse(t, old), parse(t, new))
	if err != nil {
		t.Fatal(err)
	}
	found := slices.ContainsFunc(changes, func(c crddiff.Change) bool {
		return c.ID == "diff/required" && c.Level == crddiff.Stored && c.Field() == "spec"
	})
	if !found {
		t.Errorf("%v", changes)
	}
}

// The columns that kubectl get prints are compared by their names. Their descriptions are not printed.
func TestColumns(t *testing.T) {
	const old = "[{name: A, type: string, jsonPath: .a}, {name: B, type: string, jsonPath: .b}, {name: C, type: date, jsonPath: .c}]"
	const twice = "[{name: A, type: string, jsonPath: .a}, {name: A, type: string, jsonPath: .b}]"
	with := func(columns string) *structural.CRD {
		return structuraltest.LoadCRD(t, strings.Replace(structuraltest.CRDWith("type: object"), "served: true", "served: true\n    additionalPrinterColumns: "+columns, 1))
	}
	if changes, err := crddiff.Compare(with(twice), with(twice)); err != nil || len(changes) > 0 {
		t.Errorf("two columns of one name have changed: %v, %v", changes, err)
	}
	for new, want := range map[string]string{
		old: "",
		"[{name: A, type: string, jsonPath: .a, description: a, priority: 0}, {name: B, type: string, jsonPath: .b}, {name: C, type: date, jsonPath: .c}]":                         "",
		"[{name: A, type: string, jsonPath: .a}, {name: C, type: date, jsonPath: .c}]":                                                                                             "the column B is gone",
		"[{name: C, type: date, jsonPath: .c}, {name: A, type: string, jsonPath: .a}, {name: B, type: string, jsonPath: .b}]":                                                      "the column A has moved, the column B has moved",
		"[{name: A, type: integer, jsonPath: .a, priority: 1}, {name: B, type: string, jsonPath: .b.b}, {name: C, type: date, jsonPath: .c}, {name: D, type: date, jsonPath: .d}]": "the column A was .a string and is .a integer with priority 1, the column B was .b string and is .b.b string, the column D is new",
	} {
		changes, err := crddiff.Compare(with(old), with(new))
		var got []string
		for _, c := range changes {
			if got = append(got, c.What); c.Level != crddiff.None || c.Why != "only what kubectl get prints changes" {
				t.Errorf("%s: %s", new, c)
			}
		}
		if text := strings.Join(got, ", "); err != nil || text != want {
			t.Errorf("%s: %s, %v, want %s", new, text, err, want)
		}
	}
}

// What lists say for their elements is passed on once for each list.
func TestListsInLists(t *testing.T) {
	schema := func(innermost string) *structural.CRD {
		const levels = 100
		text := strings.Repeat("{type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: array, items: ", levels) + innermost + strings.Repeat("}}", levels)
		return structuraltest.LoadCRD(t, structuraltest.CRDWith("{type: object, properties: {l: "+text+"}}"))
	}
	changes, err := crddiff.Compare(schema("{type: string}"), schema("{type: integer}"))
	if err != nil || len(changes) != 1 {
		t.Errorf("%d changes, %v", len(changes), err)
	}
}

// A field that is gone may have a new name, and people who rename one expect that its values move.
func TestRenamedFields(t *testing.T) {
	for fields, want := range map[[2]string]string{
		{"replica", "replicas"}: "; if it is called replicas now, nothing moves the values",
		{"secret", "secretRef"}: "; if it is called secretRef now, nothing moves the values",
		{"imageName", "image"}:  "; if it is called image now, nothing moves the values",
		{"schedule", "timeout"}: "",
		{"a", "ab"}:             "; if it is called ab now, nothing moves the values",
	} {
		with := func(field string) *structural.CRD {
			return structuraltest.LoadCRD(t, structuraltest.CRDWith("{type: object, properties: {spec: {type: object, properties: {"+strconv.Quote(field)+": {type: string}}}}}"))
		}
		changes, err := crddiff.Compare(with(fields[0]), with(fields[1]))
		if err != nil || len(changes) != 2 {
			t.Fatalf("%v, %v", changes, err)
		}
		for _, c := range changes {
			if c.Level == crddiff.Stored && c.Why != "objects that have it lose it"+want {
				t.Errorf("%q: %s", fields, c)
			}
		}
	}
}
