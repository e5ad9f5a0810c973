package assist_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/editor/assist"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: App, plural: apps}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        description: An App.
        required: [spec]
        properties:
          spec:
            type: object
            required: [image, ports, mode]
            x-kubernetes-validations:
            - rule: self.replicas < 9
              message: not more than eight
            - rule: self.replicas > 0
            properties:
              image: {type: string, maxLength: 20, description: "The image, as ` + "`name:tag`" + `. <script> [x](command:y)"}
              mode: {type: string, enum: [Fast, Slow, "on"], default: Fast}
              paused: {type: boolean}
              replicas: {type: integer, minimum: 1, default: 1}
              "on": {type: string}
              port: {x-kubernetes-int-or-string: true}
              labels: {type: object, additionalProperties: {type: string}}
              names: {type: array, items: {type: string, enum: [a, b]}}
              ports:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties: {name: {type: string}, number: {type: integer}, protocol: {type: string, enum: [TCP, UDP]}}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              any: {type: object, x-kubernetes-preserve-unknown-fields: true}
          status: {type: object, properties: {ready: {type: boolean}}}
  - name: v1beta1
    served: true
    storage: false
    deprecated: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {old: {type: string}}}}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: others.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {kind: Other, plural: others}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}}
`

func catalog(t testing.TB, text string) *manifest.Server {
	t.Helper()
	return manifest.FromCRDs(nil, dynamic.Compile, crdread.Load("crd.yaml", strings.NewReader(text)).CRDs...)
}

const head = "apiVersion: example.com/v1\nkind: App\nmetadata:\n  name: x\n"

// Each text has a | where the cursor is.
func TestComplete(t *testing.T) {
	s := catalog(t, crd)
	for _, c := range []struct{ text, want string }{
		{"|", "apiVersion kind metadata App Other App"},
		{"api|", "apiVersion"},
		{"apiVersion: |", "example.com/v1 example.org/v1 example.com/v1beta1"},
		{"apiVersion: example.com/|\nkind: App", "example.com/v1 example.com/v1beta1"},
		{"apiVersion: example.org/v1\nkind: |", "Other"},
		{"kind: A|\n", "App"},
		{"apiVersion: example.com/v1\nkind: App\n|", "metadata spec status"},
		{"apiVersion: example.com/v1\nkind: App\nmetadata:\n  |", "name annotations labels namespace creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers generateName generation managedFields ownerReferences resourceVersion selfLink uid"},
		{head + "spec:\n  |", "image,_ports image ports any labels mode names on paused port replicas template"},
		{head + "spec:\n  |\n  image: x", "ports any labels mode names on paused port replicas template"},
		{head + "spec:\n  image: x\n  |", "ports any labels mode names on paused port replicas template"},
		{head + "spec:\n  image: x\n  po|", "ports port"},
		{head + "spec:\n  po|\n  image: x", "ports port"},
		{head + "spec:\n  image: x\n  po|:\n", "ports port"},
		{head + "spec:\n  mode|: x\n  image: y", "mode"},
		{head + "spec:\n  mode: |", "Fast Slow on"},
		{head + "spec:\n  mode: S|low", "Slow"},
		{head + "spec:\n  mode: \"S|\"", "Slow"},
		{head + "spec:\n  mode:|", "Fast Slow on"},
		{head + "spec:\n  mode:\n    |", "Fast Slow on"},
		{head + "spec:\n  paused: |", "false true"},
		{head + "spec:\n  replicas: |", "1"},
		{head + "spec:\n  ports:\n  |", "- image any labels mode names on paused port replicas template"},
		{head + "spec:\n  ports:\n    |", "-"},
		{head + "spec:\n  ports:\n  - |", "name number protocol"},
		{head + "spec:\n  ports:\n  - name: a\n    |", "number protocol"},
		{head + "spec:\n  ports:\n  - name: a\n    pro|", "protocol"},
		{head + "spec:\n  ports:\n  - name: a\n    protocol: |", "TCP UDP"},
		{head + "spec:\n  ports:\n    - name: a\n    |", "-"},
		{head + "spec:\n  ports:\n  - name: a\n  |", "- image any labels mode names on paused port replicas template"},
		{head + "spec:\n  names:\n  - |", "a b"},
		{head + "spec:\n  names: [a, |]", "a b"},
		{head + "spec: {|}", "image,_ports image ports any labels mode names on paused port replicas template"},
		{head + "spec: {image: x, m|", "mode"},
		{head + "spec: {ports: [{|}]}", "name number protocol"},
		{head + "spec: {ports: [{protocol: |}]}", "TCP UDP"},
		{`{"apiVersion": "example.com/v1", "kind": "App", "spec": {"image": "x", "m|"}}`, "mode"},
		{`{"apiVersion": "example.com/v1", "kind": "App", "spec": {"image": "x", "mode": |}}`, "Fast Slow on"},
		{"{\n  \"apiVersion\": \"example.com/v1\",\n  \"kind\": \"App\",\n  \"spec\": {\n    |\n    \"image\": \"x\"\n  }\n}", "ports any labels mode names on paused port replicas template"},
		{"a: 1\n---\n" + head + "spec:\n  mo|\n---\nb: 2", "mode"},
		{"apiVersion: v1\nkind: List\nitems:\n- apiVersion: example.com/v1\n  kind: App\n  spec:\n    mo|", "mode"},
		{"apiVersion: example.com/v1\nkind: AppList\nitems:\n- spec:\n    mo|", "mode"},
		{strings.ReplaceAll(head+"spec:\n  image: x\n  mo|\n  paused: true\n", "\n", "\r\n"), "mode"},
		{head + "spec:\n  template:\n    |", "apiVersion,_kind,_metadata apiVersion kind metadata"},
		{head + "spec:\n  template:\n    metadata:\n      na|", "name namespace"},
		{head + "spec:\n\timage: x\n\tmo|", "mode"},
		{head + "spec\n  mo|", "mode"},
		{head + "spec:\n  image: \"x\n  mo|\n  paused: true", "mode"},
		{head + "spec:\n  labels: {a: b\n  mo|: x", "mode"},
		{head + "spec:\n  nam|\n  - a\n  image: x", "names"},
		{head + "spec:\n  ima|ge: >\n    x", "image"},
		{head + "spec:\n  image: |\n    mo|", ""},
		{head + "spec:\n  image: |-\n    a\n  |\n    b", ""},
		{head + "spec: # mo|", ""},
		{head + "spec:\n  image: {{ .Values.mo| }}", ""},
		{head + "spec:\n  {{- if mo| }}\n  mode: x", ""},
		{head + "spec:\n  {{- if .x }}\n  mo|\n  {{- end }}\n", "mode"},
		{head + "spec:\n  any:\n    |", ""},
		{head + "spec:\n  image: a b| c", ""},
	} {
		at := strings.LastIndex(c.text, "|")
		if i := strings.Index(c.text, "|\n"); strings.Count(c.text, "|") == 1 && i >= 0 {
			at = i
		}
		var have []string
		all, _ := assist.Complete(s, []byte(c.text[:at]+c.text[at+1:]), at)
		for _, p := range all {
			have = append(have, strings.ReplaceAll(p.Label, " ", "_"))
		}
		if strings.Join(have, " ") != c.want {
			t.Errorf("%q:\n%s, want\n%s", c.text, strings.Join(have, " "), c.want)
		}
	}
}

// What is inserted is indented and quoted like the text around it.
func TestCompletionsFit(t *testing.T) {
	s := catalog(t, crd)
	for _, c := range []struct{ text, label, want string }{
		{"|", "App", "apiVersion: example.com/v1\nkind: App\nmetadata:\n  name: \"\"\nspec:\n  image: \"\"\n  ports:\n  - name: \"\""},
		{"apiVersion: example.com/v1\nkind: App\nsp|", "spec", "apiVersion: example.com/v1\nkind: App\nspec:\n  image: \"\"\n  ports:\n  - name: \"\""},
		{head + "spec:|", "{}", head + "spec:\n  image: \"\"\n  ports:\n  - name: \"\""},
		{head + "spec: |", "{}", head + "spec: \n  image: \"\"\n  ports:\n  - name: \"\""},
		{head + "spec:\n  po|", "ports", head + "spec:\n  ports:\n  - name: \"\""},
		{head + "spec:\n  names:\n    - a\n  po|", "ports", head + "spec:\n  names:\n    - a\n  ports:\n    - name: \"\""},
		{head + "spec:\n  ports:\n  - |", "name", head + "spec:\n  ports:\n  - name: "},
		{head + "spec:\n  mode:|", "Slow", head + "spec:\n  mode: Slow"},
		{head + "spec:\n  mode: |", "on", head + "spec:\n  mode: \"on\""},
		{head + "spec:\n  o|", "on", head + "spec:\n  \"on\": "},
		{head + "spec:\n  mo|: x", "mode", head + "spec:\n  mode: x"},
		{head + "spec: {|}", "ports", head + "spec: {ports: [{name: \"\"}]}"},
		{head + "spec: {|image: x}", "mode", head + "spec: {mode: x}"},
		{head + "spec: {\n  |\n  image: x}", "mode", head + "spec: {\n  mode: ,\n  image: x}"},
		{`{"apiVersion": "example.com/v1", "kind": "App", "spec": {"m|}}`, "mode", `{"apiVersion": "example.com/v1", "kind": "App", "spec": {"mode": }}`},
		{`{"apiVersion": "example.com/v1", "kind": "App", "spec": {"m|"}}`, "mode", `{"apiVersion": "example.com/v1", "kind": "App", "spec": {"mode": }}`},
		{"apiVersion: example.com/v1\r\nkind: App\r\nsp|", "spec", "apiVersion: example.com/v1\r\nkind: App\r\nspec:\r\n  image: \"\"\r\n  ports:\r\n  - name: \"\""},
	} {
		at := strings.Index(c.text, "|")
		text := c.text[:at] + c.text[at+1:]
		all, _ := assist.Complete(s, []byte(text), at)
		i := slices.IndexFunc(all, func(p assist.Proposal) bool { return p.Label == c.label })
		if i < 0 {
			t.Errorf("%q has no %s", c.text, c.label)
			continue
		}
		if have := text[:all[i].Start] + all[i].Text + text[all[i].End:]; have != c.want {
			t.Errorf("%q: %q\n%s", c.text, have, fmt.Sprintf("%q", c.want))
		}
	}
}
