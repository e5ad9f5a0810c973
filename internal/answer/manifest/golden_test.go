package manifest_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/structural"
)

var update = flag.Bool("update", false, "write the files of testdata instead of comparing with them")

const clusterCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: wides.other.example.org}
spec:
  group: other.example.org
  scope: Cluster
  names: {kind: Wide, plural: wides, singular: wide, listKind: WideList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-validations: [{rule: "!has(self.spec) || !has(self.spec.never)", message: never}, {rule: "!has(self.spec) || !has(self.spec.never)", message: never}]
        properties:
          spec:
            type: object
            properties:
              never: {type: boolean}
              string: {type: string, minLength: 2, maxLength: 4, pattern: "^[a-z]*$"}
              integer: {type: integer, minimum: 1, maximum: 5}
              number: {type: number, multipleOf: 0.5}
              boolean: {type: boolean}
              list: {type: array, minItems: 1, maxItems: 2, items: {type: string}}
              set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              object: {type: object, minProperties: 1, maxProperties: 2, additionalProperties: {type: integer}}
              either: {x-kubernetes-int-or-string: true}
              choice: {type: string, enum: [Always, Never, OnFailure]}
              numbers: {type: integer, enum: [1, 2]}
              one: {type: object, oneOf: [{required: [a]}, {required: [b]}], properties: {a: {type: string}, b: {type: string}}}
              any: {type: object, anyOf: [{required: [a]}, {required: [b]}], properties: {a: {type: string}, b: {type: string}}}
              nothing: {type: object, not: {required: [a]}, properties: {a: {type: string}}}
              date: {type: string, format: date-time}
              fixed: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: fixed}]}
              default: {type: string, default: x}
`

const wide = "apiVersion: other.example.org/v1\nkind: Wide\nmetadata: {name: a}\n"

// answerCases are manifests. What comes before a line of equals signs is stored, and updated by what comes after it.
var answerCases = []string{
	head + "spec: {image: x}\n",
	head + "spec: {image: x, replica: 1, replicas: 6}\nother: 1\n",
	head + "spec: {image: x, image: y, ports: [{number: 1, number: 2, nam: x}]}\n",
	"apiVersion: example.com/v1\nkind: App\nmetadata: {name: a, resourceVersion: '1'}\nspec: {image: x}\n---\napiVersion: example.com/v1\nkind: App\nmetadata: {name: b, resourceVersion: '2'}\nspec: {image: x}\n---\napiVersion: example.com/v1\nkind: App\nmetadata: {name: c, resourceVersion: '3'}\nspec: {image: x}\n",
	"apiVersion: example.com/v1beta1\nkind: App\nmetadata: {name: a}\nspec: {any: thing}\n",
	"apiVersion: example.com/v1alpha1\nkind: App\nmetadata: {name: a}\n---\napiVersion: example.com/v2\nkind: App\nmetadata: {name: a}\n---\napiVersion: example.com/v1\nkind: Ap\n---\napiVersion: example.org/v1\nkind: App\n",
	"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\na: 1\n---\nkind: App\n---\napiVersion: example.com/v1\n---\napiVersion: example.com/v1\nmetadata: {name: a}\n---\nkind: App\nmetadata: {name: a}\n---\n[1]\n---\ntext\n",
	"apiVersion: v1\nkind: List\nitems:\n- 1\n- apiVersion: example.com/v1\n  kind: App\n  metadata: {name: a}\n  spec: {image: x, y: 1}\n- apiVersion: v2\n  kind: Pod\n- {a: 1}\n",
	"apiVersion: example.com/v1\nkind: AppList\nitems:\n- metadata: {name: a}\n  spec: {image: x, z: 1}\n- kind: null\n  metadata: {name: a}\n  spec: {image: x}\n- 5\n",
	"apiVersion: example.com/v1\nkind: AppList\nitems: null\n",
	"apiVersion: example.com/v1\nkind: AllowList\nmetadata: {name: a}\nitems: [{a: x, b: 1}]\n",
	"a: [\n", "a: 1\nexample.com: [\n", "{{ if }}\n", "# nothing\n",
	"apiVersion: example.com/v1\nkind: App\nmetadata: {name: A, labels: {a: 1}}\nspec: {image: x}\n",
	"apiVersion: example.com/v1\nkind: App\nmetadata: {name: A, namespace: B, labels: {-a: x}, annotations: {b c: x}}\nspec: {image: x}\n",
	"apiVersion: example.com/v1\nkind: App\nmetadata: {generateName: a-}\nspec: {image: x}\n",
	"apiVersion: example.com/v1\nkind: App\nspec: {image: x}\n",
	"apiVersion: example.com/v1\nkind: App\nmetadata: 1\nspec: {image: x}\n",
	"apiVersion: other.example.org/v1\nkind: Wide\nmetadata: {name: a, namespace: b}\n",
	head + "spec: {image: 1, replicas: '1', paused: 'false', policy: always, labels: [a], ports: {number: 1}, template: {metadata: {name: a}}}\n",
	head + "spec: {image: yes, replicas: x, paused: 'true', policy: 1, labels: {a: null, b: 1.5}, ports: [{}, {number: 1.5}, x], template: {apiVersion: v1, kind: Pod, metadata: {x: 1, labels: 1}}}\n",
	head + "spec: {image: ~, replicas: 1.0, paused: no, policy: , ports: [null]}\nstatus: {ready: 'x', y: 1}\n",
	wide + "spec: {string: a, integer: 0, number: 0.3, list: [], set: [a, b, a, b], object: {}, choice: always, numbers: 3, one: {}, any: {}, nothing: {a: x}, date: x}\n",
	wide + "spec: {string: abcde, integer: 6, number: x, list: [a, b, c], set: [1, 1], object: {a: 1, b: 2, c: 3}, choice: Alway, numbers: '1', one: {a: x, b: y}, either: 1.5, date: 2020-01-01}\n",
	wide + "spec: {string: A1, integer: '5', boolean: 'false', list: a, object: {a: x}, choice: On_Failure, either: true, fixed: 1}\n",
	wide + "spec: {boolean: 'yes', list: {a: b}, object: [1], one: x, integer: 5a, string: [], number: '1', either: ~}\n",
	wide + "spec: {never: true, x: &x {a: 1}, w: *x}\n",
	wide + "spec: {fixed: a}\n=====\n" + wide + "spec: {fixed: b, default: z}\n",
	wide + "spec: {string: tooolong, list: [a, b, c]}\n=====\n" + wide + "spec: {string: tooolong, list: [a, b, c, d], integer: 9}\n",
	"apiVersion: other.example.org/v1\nkind: Wide\nmetadata: {name: a, uid: u, resourceVersion: '5', finalizers: [a/b]}\n=====\napiVersion: other.example.org/v1\nkind: Wide\nmetadata: {name: a, uid: v, resourceVersion: '6', finalizers: [c/d]}\n",
	"apiVersion: example.com/v1\nkind: App\nmetadata: {name: a, namespace: b}\nspec: {image: x}\nstatus: {ready: true}\n=====\napiVersion: example.com/v1\nkind: App\nmetadata: {name: a, namespace: b}\nspec: {image: z}\nstatus: {ready: false}\n---\n" + head + "spec: {image: z}\n",
	"apiVersion: example.com/v1beta1\nkind: App\nmetadata: {name: a}\nspec: {any: thing}\n=====\n" + head + "spec: {image: z}\n",
	head + "spec:\n  image: &i x # comment\n  # above\n  other: {a: 1}\n  labels: {a: *i}\n---\n" + wide + "x: 1\n",
	"{\"apiVersion\": \"example.com/v1\", \"kind\": \"App\", \"metadata\": {\"name\": \"a\"}, \"spec\": {\"image\": \"<x>\", \"x\": 1}}\n",
	"apiVersion: v1\nkind: List\nitems: [1, {apiVersion: example.com/v1, kind: App, x: 1}, x]\n---\n- 1\n---\n" + head + "x: 1\n",
}

// All messages about manifests are recorded in testdata/answers.txt, with the resulting objects.
func TestAnswersAreTheSameAsBefore(t *testing.T) {
	const file = "testdata/answers.txt"
	var have strings.Builder
	findings := func(title string, all []structural.Finding) {
		for _, f := range all {
			fmt.Fprintf(&have, "%s %d:%d %s %s [%s] [%s] [%s] %s\n", title, f.Line, f.Column, f.Severity, f.ID, strings.TrimSpace(f.CRD+" "+f.Version), f.Object, f.Path, f.Message)
			for _, cause := range f.Causes {
				fmt.Fprintf(&have, "\talso %s\n", cause)
			}
			if f.Hint != "" {
				fmt.Fprintf(&have, "\t%s\n", f.Hint)
			}
		}
	}
	for _, given := range answerCases {
		s := newServer(t, crd, listKindCRD, clusterCRD)
		fmt.Fprintf(&have, "== %s\n", strings.TrimSpace(given))
		stored, text, isUpdate := strings.Cut(given, "=====\n")
		if !isUpdate {
			text = given
		} else {
			store(s, stored)
		}
		f := manifest.Read(objects.NewText("f.yaml", []byte(text)), func(o manifest.Object) []structural.Finding {
			a := s.Answer(o, manifest.Warn)
			for _, f := range a.Findings {
				structuraltest.CheckSteps(t, f, o.Node)
			}
			if a.Resource == nil {
				fmt.Fprintf(&have, "unknown %s\n", o)
				return a.Findings
			}
			object, err := json.Marshal(a.Stored)
			fmt.Fprintf(&have, "object %s: refused %t: %s %v\n", o, a.Refused, object, err)
			return a.Findings
		}, s)
		findings("finding", f.Findings)
		fmt.Fprintf(&have, "passed %d, foreign %t\n", f.Passed, f.Foreign != report.NotForeign)
		strict := manifest.Read(textOf("f.yaml", text), func(o manifest.Object) (all []structural.Finding) {
			for _, f := range s.Answer(o, manifest.Strict).Findings {
				if f.ID == manifest.IDUnknownField || f.ID == manifest.IDDuplicateField {
					all = append(all, f)
				}
			}
			return all
		}, s)
		findings("strict, in a directory:", strict.Findings)
		fmt.Fprintf(&have, "in a directory: passed %d, foreign %t\n", strict.Passed, strict.Foreign != report.NotForeign)
		if isUpdate {
			continue
		}
		p := pruneText(s, "f.yaml", text)
		findings("pruning:", p.Findings)
		fmt.Fprintf(&have, "pruned: %d objects, %d unknown, foreign %t\n", p.Objects, p.Unknown, p.Foreign != report.NotForeign)
		if p.Data != nil && string(p.Data) != text {
			fmt.Fprintf(&have, "%s\n", p.Data)
		}
		n := s.Normalize(objects.NewText("f.yaml", []byte(text)))
		findings("normalizing:", n.Findings)
		documents, err := json.Marshal(n.Documents)
		fmt.Fprintf(&have, "normalized: %d objects, %d unknown, foreign %t, %v: %s\n", n.Objects, n.Unknown, n.Foreign != report.NotForeign, err, documents)
	}
	recorded.Compare(t, *update, file, have.String())
}
