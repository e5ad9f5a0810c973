package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
)

// wideCRD has two versions, one of them deprecated, and the status is a subresource of the other.
const wideCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: wides.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Wide, plural: wides, singular: wide, listKind: WideList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-validations: [{rule: "!has(self.spec) || !has(self.spec.never)", message: never}, {rule: "!has(self.spec) || !has(self.spec.never)", message: never}]
        properties:
          spec:
            type: object
            properties:
              never: {type: boolean}
              text: {type: string, maxLength: 5}
              number: {type: integer}
              list: {type: array, items: {type: object, properties: {a: {type: string, default: x}, b: {type: integer}}}}
              lists: {type: array, default: [[1, a: 2], []], items: {type: array, items: {x-kubernetes-preserve-unknown-fields: true}}}
              map: {type: object, nullable: true, additionalProperties: {type: string, nullable: true, default: "on"}}
              strict: {type: object, additionalProperties: {type: string}}
              embedded: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              choice: {type: string, enum: [a, b]}
              "odd key": {type: object, default: {"<&>": "a: b"}, x-kubernetes-preserve-unknown-fields: true}
              ref: {type: object, properties: {kind: {type: string, default: x}}}
          top: {type: string, default: x}
          status: {type: object, properties: {ready: {type: boolean}}}
  - name: v2
    served: true
    storage: false
    deprecated: true
    schema: {openAPIV3Schema: {type: object, properties: {status: {type: object, properties: {ready: {type: boolean}}}}}}
`

// wideManifests are named by what is special about them.
var wideManifests = [][2]string{
	{"as it is stored", "apiVersion: example.com/v1\nkind: Wide\nmetadata:\n  name: a\n  namespace: b\n  generation: 1\nspec:\n  lists: []\n  odd key: {}\n"},
	{"JSON", `{"apiVersion": "example.com/v1", "kind": "Wide", "metadata": {"name": "a", "namespace": "b", "other": 1}, "spec": {"text": "<a>", "list": [{"b": 1, "c": 2}, {"a": "y"}]}}`},
	{"lists", "apiVersion: example.com/v1\nkind: Wide\nmetadata: {name: a, namespace: b}\nspec:\n  odd key: {}\n  list:\n  - b: 1\n    c:\n      d: 1\n    # the end of c\n  - c: 1\n\n  -\n    a: y\n  lists:\n  - [1, {a: [b]}]\n  - - x\n    - y: z\n  - []\n"},
	{"nulls", "apiVersion: example.com/v1\nkind: Wide\nmetadata: {name: a, namespace: b}\nspec:\n  odd key: {}\n  lists: null\n  text: null\n  map: {a: null, b: ~, c: d}\n  strict:\n    a: null\n  number:\n"},
	{"a null map", "apiVersion: example.com/v1\nkind: Wide\nmetadata: {name: a, namespace: b}\nspec: {odd key: {}, lists: [], map: null}\n"},
	{"metadata", "apiVersion: example.com/v1\nkind: Wide\nmetadata:\n  name: a\n  namespace: b\n  uid: c\n  creationTimestamp: 2020-01-01T00:00:00Z\n  deletionTimestamp: 2020-01-01T00:00:00Z\n  deletionGracePeriodSeconds: 3\n  selfLink: x\n  labels: {a: b, c: null}\n  annotations: null\n  finalizers: []\n  ownerReferences: []\n  generateName: ''\nspec: {odd key: {}, lists: []}\n"},
	{"empty metadata", "apiVersion: example.com/v1\nkind: Wide\nmetadata:\n  name: a\n  namespace: b\n  labels: {}\n  annotations: {}\n  managedFields: [{manager: a}]\nspec: {odd key: {}, lists: []}\n"},
	{"metadata of the wrong type", "apiVersion: example.com/v1\nkind: Wide\nmetadata:\n  name: a\n  labels:\n    a: 1\nspec: {text: tooolong}\n"},
	{"the status of both versions", "apiVersion: example.com/v1\nkind: Wide\nmetadata: {name: a, namespace: b}\nspec: {odd key: {}, lists: []}\nstatus:\n  ready: true\n\n---\napiVersion: example.com/v2\nkind: Wide\nmetadata: {name: a, namespace: b}\nspec: {}\nstatus:\n  ready: true\n  other: 1\n...\n"},
	{"several refusals", "apiVersion: example.com/v1\nkind: Wide\nmetadata:\n  name: A_\n  namespace: b\nspec:\n  text: tooolong\n  number: x\n  list:\n  - b: y\n  - 1\n  other: 1\n  choice: c\n  embedded: {metadata: {name: B_}}\n"},
	{"a refusal by a rule", "apiVersion: example.com/v1\nkind: Wide\nmetadata: {name: a, namespace: b}\nspec: {odd key: {}, lists: [], never: true}\n"},
	{"the wrong shape", "apiVersion: example.com/v1\nkind: Wide\nmetadata: {name: a, namespace: b}\nspec: [1, 2]\n"},
	{"the wrong shape below", "apiVersion: example.com/v1\nkind: Wide\nmetadata: {name: a, namespace: b}\nspec: {list: {a: b}, map: [1], text: {a: b}, odd key: x, lists: y}\n"},
	{"lists of lists of objects", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: example.com/v1\n  kind: WideList\n  items:\n  - metadata: {name: a, namespace: b}\n    spec:\n      other:\n      - 1\n    # of the first\n  - metadata: {name: b, namespace: b}\n    kind: null\n    spec: {other: 1}\n- 1\n- apiVersion: example.com/v1\n  kind: WideList\n  items: null\n- apiVersion: example.com/v1\n  kind: WideList\n- kind: List\n  items: {}\n"},
	{"items that say half of it", "apiVersion: example.com/v1\nkind: WideList\nitems:\n- kind: Wide\n- apiVersion: example.com/v1\n- kind: Pod\n  apiVersion: v1\n- apiVersion: null\n"},
	{"items with defaults for a kind", "apiVersion: example.com/v1\nkind: WideList\nitems:\n- metadata: {name: a, namespace: b}\n  spec: {odd key: {}, lists: [], ref: {}}\n"},
	{"items that are not of a list", "apiVersion: example.com/v1\nkind: Wide\nmetadata: {name: a, namespace: b}\nitems: [{a: 1}]\nspec: {odd key: {}, lists: []}\n"},
	{"items of a List", "apiVersion: v1\nkind: List\nitems:\n- metadata: {name: a}\n- kind: Other\n- kind: Wide\n"},
	{"unknown kinds", "apiVersion: example.com/v3\nkind: Wide\n---\napiVersion: v1\nkind: " + strings.Repeat("P", 70) + "\n---\nkind: Wide\n---\napiVersion: example.com/v1\n---\nkind: 1\napiVersion: [2]\n"},
	{"documents without an object", "---\n---\n1\n---\n# only a comment\n---\n[]\n---\nx\n"},
	{"keys twice", "apiVersion: example.com/v1\nkind: Wide\nspec: {text: a, text: b, list: [{a: x, a: y}]}\n" + strings.Repeat("k", 70) + ": 1\n" + strings.Repeat("k", 70) + ": 2\nspec: 1\n"},
	{"a merge", "apiVersion: example.com/v1\nkind: Wide\nmetadata: &m {name: a, namespace: b}\nspec:\n  strict: &s\n    b: x\n  map:\n    <<: *s\n    b: y\n  odd key: &o {other: *s}\n  lists: []\n  other: *s\n  list: [*s]\n  text: z\n"},
	{"a merge after what is dropped", "apiVersion: example.com/v1\nkind: Wide\nmetadata: {name: a, namespace: b}\nspec:\n  odd key: &s\n    text: x\n  lists: []\n  other:\n    a: 1\n    b: 2\n  <<: *s\n  another:\n    a: 1\ntop: z\n"},
	{"an alias for all of a field", "apiVersion: example.com/v1\nkind: Wide\nmetadata: {name: a, namespace: b}\nspec: &s\n  odd key: {}\n  lists: []\n  a: 1\nstatus: *s\nother: *s\n"},
	{"Windows", "apiVersion: example.com/v1\r\nkind: Wide\r\nmetadata: {name: a, namespace: b}\r\nspec:\r\n  odd key: {}\r\n  lists: []\r\n  a:\r\n    b: 1\r\n\r\n"},
	{"UTF-16", "\xff\xfea\x00:\x00 \x001\x00"},
	{"an error after an object", "apiVersion: example.com/v1\nkind: Wide\nmetadata: {name: a, namespace: b}\nspec: {odd key: {}, lists: []}\n---\na: [1\n---\na: b: c\n"},
	{"a deep document", strings.Repeat("[", 20000)},
	{"nothing", "# nothing\n"},
	{"too many values", strings.Repeat("[", 1_500_000)},
}

// What is marked, and what is stored, is in testdata/pages.txt.
func TestPagesAreTheSameAsBefore(t *testing.T) {
	const file = "testdata/pages.txt"
	var have strings.Builder
	for _, m := range wideManifests {
		r := page(t, wideCRD, m[1])
		fmt.Fprintf(&have, "== %s\n", m[0])
		for i, line := range lines(r) {
			fmt.Fprintf(&have, "%s\n", line)
			if r.Marks[i].Text != "" {
				fmt.Fprintf(&have, "\t%s\n", r.Marks[i].Message)
			}
		}
		for _, o := range r.Objects {
			fmt.Fprintf(&have, "line %d, %q %q %q, known %t, accepted %t %q\n", o.Line, o.APIVersion, o.Kind, o.Name, o.Known, o.Accepted, o.Warnings)
			for _, l := range o.Stored {
				mark := map[manifest.ChangeKind]string{"": " ", manifest.Filled: "+", manifest.Changed: "~"}[l.Kind]
				fmt.Fprintf(&have, "  %s %s\n", mark, l.Text)
			}
		}
	}
	recorded.Compare(t, *update, file, have.String())
}
