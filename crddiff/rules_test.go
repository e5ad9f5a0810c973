package crddiff_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

const crdWithRule = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: App, plural: apps, singular: app, listKind: AppList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,ROOT properties: {spec: {type: object, required: [f], properties: {f: FIELD}}}}}}
`

// No object that was accepted is refused by a new rule that is said to hold for all of them. The rules are about fields that are new, may be
// missing or null, and enums that have got a text.
func TestNewRulesHoldAsIsSaid(t *testing.T) {
	const objects = "{type: object,RULE%s properties: {c: {type: string, enum: [aNEWTEXT]}, p: {type: object,%s properties: {c: {type: string, enum: [aNEWTEXT]}NEWFIELD}}, m: {type: object, additionalProperties: {type: object, properties: {c: {type: string}NEWFIELD}}}NEWFIELD}}"
	elements := []string{"{}", `{"c": "a"}`, `{"p": {}}`, `{"p": null}`, `{"p": {"c": "a"}}`, `{"c": "a", "p": null}`, `{"c": "a", "p": {}, "m": {}}`, `{"c": "a", "p": {"c": "a"}, "m": {"k": {}}}`, `{"c": "a", "p": {"c": "a"}, "m": {"k": {"c": "b"}}}`}
	lists := []string{"[]", "[null]"}
	for i, e := range elements {
		lists = append(lists, "["+e+", "+elements[(i+3)%len(elements)]+"]")
	}
	type place struct {
		field, of string // with of for the objects that a rule is about
		all       string // around a rule
		atoms     []string
		values    []string
	}
	fields := []string{"has(V.q)", "has(V.p)", "has(V.p.q)", "has(V.m)", "has(V.m.k)", "has(V.m.k.q)", "has(V.c)", "V.c == 'x'", "V.p.c == 'x'", "V.c == 'a'", "V.q == 'x'", "V.p.q == 'x'"}
	var places []place
	for _, required := range []string{"", " required: [p],", " required: [c, p, m],"} {
		for _, below := range []string{"", " required: [c],", " nullable: true,", " nullable: true, required: [c],"} {
			self := fmt.Sprintf(objects, required, below)
			rest := strings.ReplaceAll(self, "RULE", "")
			places = append(places,
				place{self, "self", "%s", fields, elements},
				place{"{type: array, maxItems: 3,RULE items: " + rest + "}", "x", "self.all(x, %s)", fields, lists},
				place{"{type: array, maxItems: 3,RULE items: {nullable: true, " + rest[1:] + "}", "x", "self.all(x, %s)", fields, lists},
				place{rest, "self.spec.f", "%s", append(fields, "has(self.metadata.name)", "self.metadata.name == 'x'", "has(self.kind)", "self.kind == 'x'"), elements})
		}
	}
	embedded := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n"}`
	places = append(places, place{"{type: object, x-kubernetes-embedded-resource: true,RULE properties: {c: {type: string}NEWFIELD}}", "self", "%s",
		[]string{"has(V.q)", "has(V.kind)", "V.kind == 'x'", "has(V.metadata.name)", "V.metadata.name == 'x'", "has(V.c)"}, []string{embedded + "}", embedded + `, "c": "a"}`}})

	r := rand.New(rand.NewPCG(1, 2))
	said := 0
	for range 1500 {
		p := places[r.IntN(len(places))]
		rule := fmt.Sprintf(p.all, strings.ReplaceAll(anyRule(r, 3, p.atoms), "V", p.of))
		crd := func(new ...string) string {
			text := strings.Replace(crdWithRule, "FIELD", p.field, 1)
			return strings.NewReplacer(append(new, "RULE", "", "ROOT", "", "NEWFIELD", "", "NEWTEXT", "")...).Replace(text)
		}
		where := "RULE"
		if !strings.Contains(p.field, where) {
			where = "ROOT"
		}
		old, new := parse(t, crd()), parse(t, crd(where, fmt.Sprintf(" x-kubernetes-validations: [{rule: %q}],", rule), "NEWFIELD", ", q: {type: string}", "NEWTEXT", ", x"))
		level := crddiff.None
		for _, c := range changesOf(t, old, new) {
			level = max(level, c.Level)
		}
		if level > crddiff.None {
			continue
		}
		said++
		before, after := compiled(t, old), compiled(t, new)
		for _, value := range p.values {
			obj := func() map[string]any { return app(structuraltest.ParseObject(t, `{"f": `+value+"}")) }
			if before.Create(obj(), prunert.Request{}).Refusal != nil {
				continue
			}
			if a := after.Create(obj(), prunert.Request{}); a.Refusal != nil {
				t.Errorf("%s is said to hold, and %s is refused: %v\n%s", rule, value, a.Refusal, p.field)
				break
			}
		}
	}
	if said < 60 {
		t.Errorf("%d rules are said to hold", said)
	}
}

func TestRulesThatReplaceOthers(t *testing.T) {
	const image = "rule: self.image == 'x'"
	for _, tt := range []struct{ old, new, want string }{
		// An object that does not satisfy the old rule is tolerated as it is, unless the new rule is an error.
		{image, image + " || self.mode == 'x'", "  it holds for all values for which the old rules hold"},
		{image, "rule: \"!has(self.new)\"", "  it holds for all values that could be accepted"},
		// A field of an optional value that is missing is no error.
		{"optionalOldSelf: true, rule: oldSelf.mode == oldSelf.image", "optionalOldSelf: true, rule: has(oldSelf.mode) && oldSelf.mode == oldSelf.image", "# it is evaluated in every update, and may not hold for values that stay as they are"},
		// A rule that can be too expensive to evaluate does not hold.
		{image, "rule: \"has(self.tags) && self.tags.all(x, self.tags.all(y, x != y || true)) || self.image == 'x'\"", "! new objects and changed values can be refused; values that stay as they are are tolerated"},
		{image, "rule: \"has(self.tags) && self.tags.all(x, x != 'a') || self.image == 'x'\"", "  it holds for all values for which the old rules hold"},
	} {
		text := func(rule string) *structural.CRD {
			bounded := strings.Replace(before, "list-type: set, items: {type: string}", "list-type: set, maxItems: 1000, items: {type: string, maxLength: 100}", 1)
			return parse(t, strings.Replace(bounded, "rule: self.size > 1", rule, 1))
		}
		changes := changesOf(t, text(tt.old), text(tt.new))
		if len(changes) != 1 || summary(changes[0])[:2]+changes[0].Why != tt.want {
			t.Errorf("%s to %s: %v, want %s", tt.old, tt.new, changes, tt.want)
		}
	}
}

func compiled(t *testing.T, c *structural.CRD) prunert.Resource {
	t.Helper()
	all, err := dynamic.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// anyRule returns a rule of some parts.
func anyRule(r *rand.Rand, depth int, atoms []string) string {
	part := func() string { return anyRule(r, depth-1, atoms) }
	if depth > 0 {
		switch r.IntN(7) {
		case 0:
			return "(" + part() + " && " + part() + ")"
		case 1:
			return "(" + part() + " || " + part() + ")"
		case 2:
			return "!" + part()
		case 3:
			return "(" + part() + " ? " + part() + " : " + part() + ")"
		case 4, 5: // as most rules begin
			return "(!" + anyRule(r, 0, atoms) + " || " + part() + ")"
		}
	}
	return "(" + atoms[r.IntN(len(atoms))] + ")"
}
