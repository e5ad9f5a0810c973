package crddiff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/testing/crdjudge"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
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
	tries := testsize.Pick(500, 5000)
	for range tries {
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
	if said < tries/25 {
		t.Errorf("%d rules are said to hold", said)
	}
}

// Rules about fields and texts that are new hold for what was accepted, if evaluating them does not fail.
func TestRulesAboutWhatIsNew(t *testing.T) {
	const schema = `{type: object, required: [kind], RULE properties: {NEWFIELD kind: {type: string, enum: [a, bNEWTEXT]}, mode: {type: string, enum: [fastNEWTEXT]}, size: {type: integer},
		deep: {type: object, properties: {NEWFIELD a: {type: object, properties: {NEWFIELD b: {type: string}}}}},
		ports: {type: array, maxItems: 9, items: {type: object, required: [port], properties: {NEWFIELD port: {type: integer}, name: {type: string}}}}}}`
	for _, tt := range []struct {
		rule string
		want crddiff.Level
	}{
		{"!has(self.new) || self.new", crddiff.None},
		{"!(has(self.new) && has(self.size))", crddiff.None},
		{"has(self.new) ? self.new : true", crddiff.None},
		{"has(self.new) == has(oldSelf.new)", crddiff.None},
		{"has(self.new) == has(self.size)", crddiff.Requests},
		{"has(self.new)", crddiff.Requests},
		{"self.new", crddiff.Stored},
		{"has(self.new) || self.size > 1", crddiff.Stored},
		{"!(!has(self.new) && self.kind == 'new')", crddiff.None},
		{"!(!has(self.new) && 'new' == self.kind)", crddiff.None},
		{"!(!has(self.new) && self.kind == 'a')", crddiff.Requests},
		{"!(!has(self.new) && self.mode == 'new')", crddiff.Stored}, // mode may be missing
		{"!has(self.deep.new) || self.deep.new", crddiff.Stored},    // to ask for a field is an error where the one above it is missing
		{"!has(self.deep) || !has(self.deep.a) || !has(self.deep.a.new) || self.deep.a.new", crddiff.None},
		{"has(self.deep) && has(self.deep.new) ? self.deep.new : true", crddiff.None},
		{"!has(self.ports) || self.ports.all(x, !has(x.new) || x.new)", crddiff.None},
		{"!has(self.ports) || self.ports.all(x, self.ports.all(y, !has(y.new)))", crddiff.None},
		{"!has(self.ports) || self.ports.all(x, !has(x.new) || self.ports.exists(y, has(y.new) && x.new == y.new))", crddiff.None},
		{"!has(self.ports) || self.ports.exists(x, !has(x.new))", crddiff.Requests}, // there may be none
		{"!has(self.ports) || self.ports.all(x, !has(x.name) || x.name != 'new')", crddiff.Requests},
		{"self.ports.all(x, !has(x.new))", crddiff.Stored},
		{"!has(self.ports) || self.ports.all(self, has(self.name) || !has(self.new))", crddiff.None},
	} {
		version := func(rule string, replace ...string) *crdjudge.Side {
			if rule != "" {
				rule = fmt.Sprintf("x-kubernetes-validations: [{rule: %q}],", rule)
			}
			text := strings.NewReplacer(append(replace, "RULE", rule)...).Replace(schema)
			return caseSide(t, structuraltest.ParseObject(t, text))
		}
		old, new := version("", "NEWFIELD ", "", "NEWTEXT", ""), version(tt.rule, "NEWFIELD", "new: {type: boolean},", "NEWTEXT", ", new")
		if level, changes := crdjudge.Said(t, old, new); level != tt.want {
			t.Errorf("%s is said to break %s, want %s: %v", tt.rule, level, tt.want, changes)
		}
	}
}

func TestRulesThatReplaceOthers(t *testing.T) {
	const image = "rule: self.image == 'x'"
	for _, tt := range []struct{ old, new, want string }{
		// An object that does not satisfy the old rule is tolerated as it is, unless the new rule is an error.
		{image, image + " || self.mode == 'x'", "  it holds for all values for which the old rules hold"},
		// A field of an optional value that is missing is no error.
		{"optionalOldSelf: true, rule: oldSelf.mode == oldSelf.image", "optionalOldSelf: true, rule: has(oldSelf.mode) && oldSelf.mode == oldSelf.image", "# it is evaluated in every update, and may not hold for values that stay as they are"},
		// A rule that can be too expensive to evaluate does not hold.
		{image, "rule: \"has(self.tags) && self.tags.all(x, self.tags.all(y, x != y || true)) || self.image == 'x'\"", "# in every update, its evaluation can fail: it may cost more than the API server allows for a call"},
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

// Rules that are cheap enough each can cost more together than the API server spends on an object.
func TestCostsOfRulesAddUp(t *testing.T) {
	const size = 900
	side := func(rules int) *crdjudge.Side {
		var all []any
		for i := range rules {
			all = append(all, object{"rule": fmt.Sprintf("self.all(x, !(-%d in self))", i+1)})
		}
		return caseSide(t, object{"type": "object", "properties": object{"l": object{"type": "array", "maxItems": int64(size), "x-kubernetes-validations": all,
			"items": object{"type": "integer", "minimum": int64(0)}}}})
	}
	few, more, most := side(10), side(14), side(15)
	obj := crdjudge.Named(object{"spec": object{"l": slices.Repeat([]any{int64(1)}, size)}})
	if is := crdjudge.Judge(few, more, obj); is.Level != crddiff.Stored || !strings.Contains(is.How, "cost budget") {
		t.Errorf("the object shows %s: %.200s", is.Level, is.How)
	}
	for _, tt := range []struct {
		old, new *crdjudge.Side
		want     crddiff.Level
	}{{few, more, crddiff.Stored}, {more, few, crddiff.None}, {more, most, crddiff.Requests}} {
		if level, changes := crdjudge.Said(t, tt.old, tt.new); level != tt.want {
			t.Errorf("is said to break %s, want %s: %v", level, tt.want, changes)
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
