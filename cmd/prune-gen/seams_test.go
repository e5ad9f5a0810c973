package main

import (
	"fmt"
	"strings"
	"testing"
)

// allowListCRD defines a kind that ends in List and has items.
const allowListCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: allowlists.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: AllowList, plural: allowlists, singular: allowlist, listKind: AllowListList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          items: {type: array, items: {type: object, properties: {cidr: {type: string}, note: {type: string}}}}
          match:
            type: object
            oneOf: [{required: [exact]}, {required: [prefix]}]
            properties: {exact: {type: string}, prefix: {type: string}}
          port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
          weight: {type: integer, format: int32}
`

// CRDs are read on demand, for the first object of their kind. Only then is something wrong with a CRD an error.
func TestCRDsAreReadWhenTheyAreNeeded(t *testing.T) {
	const object = "apiVersion: example.com/v1\nkind: %s\nmetadata: {name: a, namespace: b}\n"
	allow := strings.Replace(allowListCRD, "names: {kind: AllowList, plural: allowlists, singular: allowlist, listKind: AllowListList}", "names:\n    kind: AllowList\n    plural: allowlists", 1)
	t.Chdir(write(t, map[string]string{
		"crds/good.yaml": allow, "crds/bad.yaml": strings.NewReplacer("AllowList", "Other", "allowlists", "others", "type: object", "type: objct").Replace(allow),
		"good.yaml": fmt.Sprintf(object, "AllowList"), "bad.yaml": fmt.Sprintf(object, "Other"),
	}))
	wantRun(t, exitOK, "read 1 object in 1 file: no errors", "-", "validate", "--crd", "crds", "good.yaml")
	wantRun(t, exitInput, "crds/bad.yaml:", "-", "validate", "--crd", "crds", "bad.yaml")
	wantRun(t, exitInput, "", "crds/bad.yaml:", "prune", "--crd", "crds", "-w", "bad.yaml")
}

// All commands read a manifest alike: what is a list, and which of equal keys counts.
func TestCommandsReadManifestsAlike(t *testing.T) {
	const head = "apiVersion: example.com/v1\nkind: AllowList\nmetadata: {name: a, namespace: b}\n"
	t.Chdir(write(t, map[string]string{
		"crd.yaml": allowListCRD, "less.yaml": strings.Replace(allowListCRD, ", note: {type: string}", "", 1),
		"list.yaml":           head + "items:\n- {cidr: 10.0.0.0/8, note: x}\n",
		"twice.yaml":          head + "weight: x\nweight: 1\n",
		"dir/helm.yaml":       "{{- if .Values.a }}\na: {{ .b }}\n{{- end }}\n",
		"dir/list.yaml":       head + "items: []\n",
		"alternatives.yaml":   head + "match: {exact: a, prefix: b}\n",
		"either.yaml":         head + "port: [1]\n",
		"format.yaml":         head + "weight: 3000000000\n",
		"metadata.yaml":       "apiVersion: example.com/v1\nkind: AllowList\nmetadata:\n  name: a\n  labels:\n    a: 1\n    b: yes\n",
		"brackets.yaml":       head + "items:\n- cidr: a\n  \"a[0]\": 1\n",
		"old/refused.yaml":    head + "weight: x\n",
		"old/other-kind.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n",
	}))
	for _, test := range []struct {
		args   string
		code   int
		stdout string
	}{
		{"validate --crd crd.yaml list.yaml", exitOK, "read 1 object in 1 file: no errors, no warnings"},
		{"diff crd.yaml less.yaml list.yaml", exitInput, `list.yaml:5:22: error: items[0].note: dropped: unknown field "items[0].note" [diff/manifest-loses]`},
		{"diff crd.yaml less.yaml list.yaml", exitInput, "your object is affected"},
		{"diff --output json crd.yaml less.yaml list.yaml", exitInput, `"object": "AllowList b/a"`},
		{"prune --crd less.yaml list.yaml", exitOK, "- {cidr: 10.0.0.0/8}\n"},

		{"validate --crd crd.yaml twice.yaml", exitInput, `twice.yaml:5:1: error: duplicate field "weight" [object/duplicate-field]`},
		{"diff crd.yaml crd.yaml twice.yaml", exitOK, "your object does not break"},
		{"prune --crd crd.yaml twice.yaml", exitOK, head + "weight: 1\n"},

		{"diff crd.yaml crd.yaml dir", exitOK, "your object does not break"},
		{"diff crd.yaml less.yaml old", exitInput, "your object does not break; it would already be rejected on create by the old CRDs; skipped 1 object of kinds or versions that the old CRDs do not serve"},

		{"validate --crd crd.yaml format.yaml", exitInput, "format.yaml:4:1: error: <nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in weight"},
		{"validate --crd crd.yaml alternatives.yaml", exitInput, "= hint: set exactly one of exact, prefix\n"},
		{"validate --crd crd.yaml either.yaml", exitInput, `also: Invalid value: "": "port" must validate at least one schema (anyOf)`},
		{"validate --crd crd.yaml either.yaml", exitInput, "1 error, no warnings"},
		{"validate --crd crd.yaml metadata.yaml", exitInput, `metadata.yaml:6:5: error: metadata.labels.a: Invalid value: "integer": metadata.labels.a in body must be of type string: "integer" [object/type]`},
		{"validate --crd crd.yaml metadata.yaml", exitInput, `= hint: put it in quotes: "1"`},
		{"validate --crd crd.yaml metadata.yaml", exitInput, "metadata.yaml:7:5: error: metadata.labels.b: "},
		{"validate --crd crd.yaml brackets.yaml", exitInput, `brackets.yaml:6:3: error: unknown field "items[0].a[0]" [object/unknown-field]`},
	} {
		t.Run(test.args, func(t *testing.T) {
			if r := runWith("", strings.Fields(test.args)...); r.code != test.code || !strings.Contains(r.stdout, test.stdout) {
				t.Errorf("exit %d\n%s%s\nwant %d, %s", r.code, r.stdout, r.stderr, test.code, test.stdout)
			}
		})
	}
}
