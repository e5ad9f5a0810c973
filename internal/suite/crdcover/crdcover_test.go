package crdcover

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// kindOf returns a Kind for a CRD with one version, and the resource it is of.
func kindOf(t testing.TB, crd string) (*Kind, prunert.Resource) {
	t.Helper()
	loaded := structuraltest.LoadCRD(t, crd)
	all, err := dynamic.Compile(loaded)
	if err != nil {
		t.Fatal(err)
	}
	k, err := New(loaded, all[0])
	if err != nil {
		t.Fatal(err)
	}
	return k, all[0]
}

// object returns an object with some fields.
func object(t testing.TB, fields string) map[string]any {
	t.Helper()
	obj := structuraltest.ParseObject(t, fields)
	obj["apiVersion"], obj["kind"] = "example.com/v1", "Job"
	if obj["metadata"] == nil {
		obj["metadata"] = map[string]any{"name": "a"}
	}
	return obj
}

// send sends a case and records it. It is {fields} for a new object and {fields} -> {fields} for an update; the old object is not
// validated.
func send(t testing.TB, k *Kind, r prunert.Resource, name, request string) {
	t.Helper()
	was, is, isUpdate := strings.Cut(request, " -> ")
	var req prunert.Request
	if strings.HasPrefix(name, "status") {
		req.Subresource = "status"
	}
	var old map[string]any
	if isUpdate {
		old = object(t, was)
		old["metadata"] = map[string]any{"name": "a", "namespace": "default", "uid": "u", "creationTimestamp": "2024-01-01T00:00:00Z", "generation": int64(1)}
	} else {
		is = was
	}
	sent := object(t, is)
	obj := jsonvalue.Copy(sent)
	var answer prunert.Answer
	if isUpdate {
		answer = r.Update(obj, old, req)
	} else {
		answer = r.Create(obj, req)
	}
	if refused := answer.Refusal != nil; refused != strings.Contains(name, "bad") {
		t.Errorf("%s %s: refused is %t: %v", name, request, refused, answer.Err())
	}
	k.Record(name, sent, old, req, answer)
	if want := object(t, is); structuraltest.ToJSON(t, sent) != structuraltest.ToJSON(t, want) {
		t.Errorf("%s: Record has changed the object", name)
	}
}

// lines returns the constraints with the cases that satisfy them and those that violate them.
func lines(k *Kind) []string {
	var all []string
	for _, c := range k.Constraints() {
		words := strings.Join(strings.Fields(c.Kind+" "+c.Path+" "+c.Text), " ")
		all = append(all, words+": "+strings.Join(c.SatisfiedBy, " ")+" / "+strings.Join(c.ViolatedBy, " "))
	}
	return all
}

func TestRequestsShowConstraints(t *testing.T) {
	const withStatus = "STATUS\n"
	for _, tt := range []struct {
		schema string
		// cases are names with requests. The name of a case that is refused contains bad.
		cases []string
		want  []string
	}{
		{"properties: {a: {type: string, enum: [x, q]}}",
			[]string{"none: {}", "ok: {a: x}", "bad: {a: z}", "badtype: {a: 1}"},
			[]string{`enum a "x", "q": ok / bad badtype`}},
		{"properties: {a: {type: string, minLength: 2, maxLength: 4, pattern: '^[a-c]*$'}}",
			[]string{"ok: {a: abc}", "badshort: {a: x}", "badlong: {a: xxxxx}", "badpattern: {a: xxx}"},
			[]string{"maxLength a 4: ok / badlong", "minLength a 2: ok / badshort", "pattern a ^[a-c]*$: ok / badpattern"}},
		{"properties: {a: {type: integer, minimum: 2, maximum: 10, multipleOf: 2}}",
			[]string{"ok: {a: 4}", "badlow: {a: 0}", "badhigh: {a: 12}", "badfactor: {a: 3}", "badboth: {a: 11}"},
			[]string{"maximum a 10: ok / badboth badhigh", "minimum a 2: ok / badlow", "multipleOf a 2: ok / badboth badfactor"}},
		{"properties: {a: {type: number, minimum: 2, exclusiveMinimum: true, maximum: 10}, b: {type: number, minimum: 2, maximum: 10, exclusiveMaximum: true}}",
			[]string{"ok: {a: 10, b: 2}", "badlow: {a: 2}", "badhigh: {b: 10}"},
			[]string{"maximum a 10: ok /", "minimum a 2 (exclusive): ok / badlow", "maximum b 10 (exclusive): ok / badhigh", "minimum b 2: ok /"}},
		{"properties: {a: {type: array, minItems: 1, maxItems: 2, items: {type: string, maxLength: 1}}}",
			[]string{"ok: {a: [x]}", "badfew: {a: []}", "badmany: {a: [x, q, z]}", "badlong: {a: [x, yy]}"},
			[]string{"maxItems a 2: ok / badmany", "minItems a 1: ok / badfew", "maxLength a[] 1: ok / badlong"}},
		{"properties: {a: {type: object, minProperties: 1, maxProperties: 2, additionalProperties: {type: string, maxLength: 1}}}",
			[]string{"ok: {a: {x: x}}", "badfew: {a: {}}", "badmany: {a: {x: x, q: q, z: z}}", "badlong: {a: {x: xx}}"},
			[]string{"maxProperties a 2: ok / badmany", "minProperties a 1: ok / badfew", "maxLength a[*] 1: ok / badlong"}},
		{"properties: {a: {type: string, format: date}, b: {type: string, format: unknown}, c: {type: integer, format: int32}}",
			[]string{"ok: {a: '2024-01-01', b: x, c: 1}", "baddate: {a: x}", "badint: {c: 3000000000}"},
			[]string{"format a date: ok / baddate", "format c int32: ok / badint"}},
		// What no value violates is not a constraint.
		{"properties: {a: {type: string, format: password, minLength: 0}, b: {type: integer, format: int64}, c: {type: number, format: double}, d: {type: number, format: float}, e: {type: array, minItems: 0, items: {type: string, format: pass-word}}, f: {type: object, minProperties: 0, x-kubernetes-preserve-unknown-fields: true}, g: {type: string, format: byte}}",
			[]string{"ok: {a: x, b: 1, c: 1.5, d: 1, g: eA==}", "badfloat: {d: 1.0e+300}", "badbyte: {g: '!'}", "badtypes: {a: 1, b: 1.5, c: x}"},
			[]string{"format d float: ok / badfloat", "format g byte: ok / badbyte"}},
		{"required: [a]\nproperties: {a: {type: object, required: [b, c], properties: {b: {type: string}}, x-kubernetes-preserve-unknown-fields: true}}",
			[]string{"ok: {a: {b: x, c: q}}", "bad: {}", "badb: {a: {c: q}}", "badboth: {a: {}}"},
			[]string{"required a: ok / bad", "required a.b: ok / badb badboth", "required a.c: ok / badboth"}},
		{"properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: string}}, b: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, l], items: {type: object, required: [k, l], properties: {k: {type: string}, l: {type: string}}}}, c: {type: array, x-kubernetes-list-type: atomic, items: {type: string}}}",
			[]string{"ok: {a: [x, q], c: [x, x]}", "badset: {a: [x, x]}", "okmap: {b: [{k: a, l: b}, {k: a, l: c}]}", "badmap: {b: [{k: a, l: b}, {k: a, l: b}]}", "badrequired: {b: [{k: x}]}"},
			[]string{"list type a set: ok / badset", "list type b map k, l: okmap / badmap", "required b[].k: okmap /", "required b[].l: okmap / badrequired"}},
		{"properties: {a: {type: object, default: {}, properties: {b: {type: integer, default: 3}}}, c: {type: string, nullable: true, default: x}, d: {type: array, items: {type: string, default: q}}, e: {type: array, default: [{}], items: {type: object, properties: {f: {type: integer, default: 1}}}}}",
			[]string{"all: {}", "same: {a: {b: 3}, c: x}", "other: {a: {b: 4}, c: q, d: [x]}", "nulls: {a: {b: null}, c: null, d: [null]}"},
			[]string{"default a {}: other / all", "default a.b 3: other / all nulls", `default c "x": nulls other / all`, `default d[] "q": other / nulls`, "default e [{}]: / all nulls other same", "default e[].f 1: / all nulls other same"}},
		{"properties: {a: {type: string, anyOf: [{maxLength: 1}, {minLength: 3}], oneOf: [{pattern: ^a}, {pattern: b$}], not: {enum: [axxx]}, allOf: [{maxLength: 5}, {pattern: '^[a-z]*$'}]}}",
			[]string{"ok: {a: axx}", "badany: {a: ax}", "badnone: {a: xxx}", "badtwo: {a: axb}", "badnot: {a: axxx}", "badall: {a: axxxxx}"},
			[]string{"allOf a 2 schemas: ok / badall", "oneOf a 2 schemas: ok / badnone badtwo", "anyOf a 2 schemas: ok / badany", "not a: ok / badnot"}},
		// What is wrong inside of a junctor counts for the junctor.
		{"properties: {a: {type: object, properties: {b: {type: string, maxLength: 5}}, anyOf: [{required: [b], properties: {b: {maxLength: 2}}}, {required: [c]}]}}",
			[]string{"ok: {a: {b: x}}", "badb: {a: {b: xxx}}", "badmissing: {a: {}}", "badboth: {a: {b: xxxxxx}}"},
			[]string{"anyOf a 2 schemas: ok / badb badboth badmissing", "maxLength a.b 5: ok / badboth"}},
		{"properties: {a: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], pattern: ^x, minimum: 3}, b: {x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer}, {type: string}]}, {maxLength: 1}]}, c: {x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer}, {type: string}]}]}}",
			[]string{"oktext: {a: x}", "oknumber: {a: 4, b: 1}", "badtext: {a: q}", "badnumber: {a: 1}", "badb: {b: xx}", "badtype: {a: true}"},
			[]string{"minimum a 3: oknumber / badnumber", "pattern a ^x: oktext / badtext", "allOf b 1 schemas: oknumber / badb"}},
		{"properties: {a: {type: string, nullable: true, maxLength: 1}, b: {type: object, nullable: true, required: [c]}}",
			[]string{"null: {a: null, b: null}", "bad: {b: {}}"},
			[]string{"maxLength a 1: /", "required b.c: / bad"}},
		{"properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: string, maxLength: 1}}}, e: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, required: [spec], properties: {kind: {type: string, maxLength: 3}, spec: {type: object}}}}",
			[]string{"ok: {a: {b: x, other: {b: xx}}, e: {apiVersion: v1, kind: Pod, spec: {}}}", "bad: {a: {b: xx}}", "badkind: {e: {apiVersion: v1, kind: Node, spec: {}}}", "badspec: {e: {apiVersion: v1, kind: Pod}}", "badnothing: {e: {spec: {}}}"},
			[]string{"maxLength a.b 1: ok / bad", "required e.spec: ok / badspec", "maxLength e.kind 3: ok / badkind"}},
		{"properties: {metadata: {type: object, properties: {name: {type: string, maxLength: 3}}}}",
			[]string{"ok: {}", "bad: {metadata: {name: abcd}}", "badname: {metadata: {name: A}}"},
			[]string{"maxLength metadata.name 3: ok / bad"}},
		// An object that cannot be decoded is not validated.
		{"properties: {metadata: {type: object, properties: {name: {type: string, enum: [b]}}}}",
			[]string{"badtype: {metadata: {name: 5}}", "bad: {}"},
			[]string{`enum metadata.name "b": / bad`}},
		// Without a subresource, the status is a field like others.
		{"properties: {status: {type: object, properties: {a: {type: integer, minimum: 1}}}}",
			[]string{"new: {status: {a: 1}}", "update: {} -> {status: {a: 1}}", "bad: {status: {a: 0}}"},
			[]string{"minimum status.a 1: new update / bad"}},
		// Rules.
		{"properties: {a: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self != 'x', message: same}, {rule: self != 'q', message: same}]}}",
			[]string{"ok: {a: a}", "badx: {a: x}", "bady: {a: q}", "badlong: {a: xxxxxxxxxx}"},
			[]string{"rule a self != 'x': ok / badx", "rule a self != 'q': ok / bady", "maxLength a 9: ok / badlong"}},
		{"x-kubernetes-validations: [{rule: '!has(self.a) || self.a.size() < 3', fieldPath: .a, reason: FieldValueDuplicate}, {rule: '!has(self.a) || self.a.size() != 1', fieldPath: .a, reason: FieldValueRequired, messageExpression: '\"is \" + self.a[0]'}]\nproperties: {a: {type: array, maxItems: 9, x-kubernetes-list-type: set, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self != 'x'}]}}}",
			[]string{"none: {}", "ok: {a: [q, z]}", "badmany: {a: [q, z, w]}", "badone: {a: [w]}", "badelement: {a: [x, q]}", "badset: {a: [q, q]}"},
			[]string{"rule !has(self.a) || self.a.size() < 3: none ok / badmany", "rule !has(self.a) || self.a.size() != 1: none ok / badone", "maxItems a 9: ok /", "list type a set: ok / badset", "rule a[] self != 'x': ok / badelement", "maxLength a[] 9: ok /"}},
		{"properties: {a: {type: integer, x-kubernetes-validations: [{rule: self >= oldSelf}, {rule: '!oldSelf.hasValue() || oldSelf.value() != self', optionalOldSelf: true}]}, l: {type: array, maxItems: 3, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string, maxLength: 5}, v: {type: integer, x-kubernetes-validations: [{rule: self == oldSelf}]}}}}}",
			[]string{"new: {a: 1, l: [{k: x, v: 1}]}", "grow: {a: 1} -> {a: 2}", "badshrink: {a: 2} -> {a: 1}", "badsame: {a: 1} -> {a: 1}", "appears: {} -> {a: 1}",
				"other: {l: [{k: x, v: 1}]} -> {l: [{k: q, v: 2}]}", "moved: {l: [{k: x, v: 1}, {k: q, v: 2}]} -> {l: [{k: q, v: 2}]}", "badv: {l: [{k: x, v: 1}, {k: q, v: 2}]} -> {l: [{k: q, v: 1}]}"},
			[]string{"rule a self >= oldSelf: grow / badshrink", "rule a !oldSelf.hasValue() || oldSelf.value() != self: appears grow new / badsame", "maxItems l 3: moved new other /", "list type l map k: moved new other /", "required l[].k: moved new other /", "maxLength l[].k 5: moved new other /", "rule l[].v self == oldSelf: moved / badv"}},
		// A rule that fails to evaluate is violated, too.
		{`properties: {a: {type: object, maxProperties: 5, additionalProperties: {type: integer}, x-kubernetes-validations: [{rule: "self['x'] > 0"}]}}`,
			[]string{"ok: {a: {x: 1}}", "bad: {a: {z: 1}}"},
			[]string{"rule a self['x'] > 0: ok / bad", "maxProperties a 5: ok /"}},
		// Values that have not changed are not refused. They do not satisfy what they violate.
		{"properties: {a: {type: string, maxLength: 1, minLength: 1, x-kubernetes-validations: [{rule: self != 'x'}, {rule: self != 'z'}]}, b: {type: string, maxLength: 1}}",
			[]string{"long: {a: xx} -> {a: xx, b: x}", "rule: {a: x} -> {a: x, b: x}", "bad: {a: xx} -> {a: xx, b: xx}"},
			[]string{"rule a self != 'x': long /", "rule a self != 'z': long rule /", "maxLength a 1: rule /", "minLength a 1: long rule /", "maxLength b 1: long rule / bad"}},
		{withStatus + "x-kubernetes-validations: [{rule: '!has(self.status) || self.status.a < 9'}]\nrequired: [spec]\nproperties: {spec: {type: object, properties: {a: {type: integer, minimum: 1, default: 5}}}, status: {type: object, required: [a], properties: {a: {type: integer, minimum: 1}, b: {type: integer, default: 2}}}}",
			[]string{"new: {spec: {}, status: {a: 0}}", "update: {spec: {a: 2}, status: {a: 2}} -> {spec: {a: 3}}", "statusok: {spec: {a: 1}} -> {spec: {a: 0}, status: {a: 2}}", "statusbad: {spec: {a: 0}} -> {status: {a: 0}}", "statusbadmissing: {spec: {a: 1}} -> {status: {}}", "statusbadrule: {spec: {a: 1}} -> {status: {a: 9}}", "bad: {spec: {a: 0}, status: {a: 0}} -> {spec: {a: -1}, status: {a: -1}}"},
			[]string{"rule !has(self.status) || self.status.a < 9: new statusok update / statusbadrule", "required spec: new update /", "default spec.a 5: update / new", "minimum spec.a 1: new update / bad", "required status.a: statusok / statusbadmissing", "minimum status.a 1: statusok / statusbad", "default status.b 2: / statusok"}},
		// A text of an object that looks like a tag is none.
		{"properties: {a: {type: string, format: date}, b: {type: string, maxLength: 1}}",
			[]string{"bad: {a: prune-gen constraint 1}"},
			[]string{"format a date: / bad", "maxLength b 1: /"}},
	} {
		schema, hasStatus := strings.CutPrefix(tt.schema, withStatus)
		crd := structuraltest.CRDWith("type: object\n" + schema)
		if hasStatus {
			crd = strings.Replace(crd, "storage: true", "storage: true\n    subresources: {status: {}}", 1)
		}
		k, r := kindOf(t, crd)
		for _, c := range slices.Concat(tt.cases, tt.cases) {
			name, request, _ := strings.Cut(c, ": ")
			send(t, k, r, name, request)
		}
		if got := lines(k); !slices.Equal(trimmed(got), tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.schema, strings.Join(trimmed(got), "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

func trimmed(lines []string) []string {
	for i, line := range lines {
		lines[i] = strings.TrimSpace(strings.Replace(line, ":  /", ": /", 1))
	}
	return lines
}

func TestConstraintsHaveTheirPlaces(t *testing.T) {
	k, _ := kindOf(t, structuraltest.CRDWith(`type: object
x-kubernetes-validations:
- rule: "true"
- rule: "1 == 1"
required:
- spec
properties:
  spec:
    type: array
    minItems: 1
    items:
      type: object
      properties:
        a.b:
          type: string
          default: x
`))
	var got []string
	for _, c := range k.Constraints() {
		got = append(got, fmt.Sprintf("%d %s %s", c.Line, c.Kind, c.Path))
	}
	want := []string{"18 rule ", "19 rule ", "21 required spec", "25 minItems spec", "31 default spec[].a.b"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Schemas that are not structural can have properties beside the values of a map.
func TestPropertiesAreNotValuesOfAMap(t *testing.T) {
	s := structuraltest.ParseSchema(t, "properties: {a: {type: string}}\nadditionalProperties: {type: string, maxLength: 1}")
	n := (&builder{crd: &structural.CRD{}, work: &interpret.Work{}}).node(s, nil, nil)
	if n.field("a") != nil || n.field("b") == nil {
		t.Errorf("%v, %v", n.field("a"), n.field("b"))
	}
}

// Formats count if the version of Kubernetes checks them.
func TestConstraintsAreThoseOfTheVersion(t *testing.T) {
	const schema = "type: object\nproperties: {a: {type: integer, format: int32, minimum: 1}}"
	for version, want := range map[kubeversion.Version]string{35: "minimum a 1: / bad", 36: "format a int32: /,minimum a 1: / bad"} {
		crd := structuraltest.LoadCRD(t, structuraltest.CRDWith(schema))
		crd.Kubernetes = version
		all, err := dynamic.Compile(crd)
		if err != nil {
			t.Fatal(err)
		}
		k, err := New(crd, all[0])
		if err != nil {
			t.Fatal(err)
		}
		send(t, k, all[0], "bad", "{a: 0}")
		if got := strings.Join(trimmed(lines(k)), ","); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

func TestNewNeedsTheVersion(t *testing.T) {
	crd := structuraltest.LoadCRD(t, structuraltest.CRDWith("type: object"))
	if _, err := New(crd, prunert.Resource{Version: "v2"}); err == nil || err.Error() != "jobs.example.com has no version v2" {
		t.Error(err)
	}
}

// A request for the scale has an object of another kind.
func TestScaleIsNotRecorded(t *testing.T) {
	k, _ := kindOf(t, structuraltest.CRDWith("type: object\nproperties: {spec: {type: object, minProperties: 1}}"))
	sent := object(t, "{spec: {replicas: 1}}")
	k.Record("scale", sent, sent, prunert.Request{Subresource: "scale"}, prunert.Answer{Object: sent})
	if got := trimmed(lines(k)); !slices.Equal(got, []string{"minProperties spec 1: /"}) {
		t.Errorf("%q", got)
	}
}

// Requests can be recorded at the same time, the first ones among them.
func TestRecordAtTheSameTime(t *testing.T) {
	k, r := kindOf(t, structuraltest.CRDWith("type: object\nproperties: {a: {type: integer, maximum: 9, x-kubernetes-validations: [{rule: self != 5}, {rule: self >= oldSelf}]}}"))
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			name, request := fmt.Sprintf("case%02d", i), fmt.Sprintf("{a: 1} -> {a: %d}", 1+i%5)
			if i%5 == 4 {
				name = "bad" + name
			}
			send(t, k, r, name, request)
			k.Constraints()
		})
	}
	wg.Wait()
	for i, want := range []int{32, 32, 32} {
		if c := k.Constraints()[i]; len(c.SatisfiedBy) != want || !slices.IsSorted(c.SatisfiedBy) {
			t.Errorf("%s %s: %q", c.Kind, c.Text, c.SatisfiedBy)
		}
	}
	if c := k.Constraints()[0]; len(c.ViolatedBy) != 8 {
		t.Errorf("%q", c.ViolatedBy)
	}
}

// Each version has one Kind, also if its first requests come at the same time. It takes long to make, so that they do.
func TestRecorderHasOneKindForEachVersion(t *testing.T) {
	var fields strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&fields, ", f%d: {type: string, maxLength: 9, pattern: a}", i)
	}
	schema := "{type: object, required: [a], properties: {a: {type: integer}" + fields.String() + "}}"
	crd := structuraltest.LoadCRD(t, structuraltest.CRDWith(schema)+"  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: "+schema+"}}\n")
	all, err := dynamic.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	var rec Recorder
	var ready, done sync.WaitGroup
	const requests = 8
	ready.Add(requests)
	for i := range requests {
		done.Go(func() {
			obj := map[string]any{"a": int64(1)}
			ready.Done()
			ready.Wait()
			rec.Record(crd, all[i%2], fmt.Sprint(i), obj, nil, prunert.Request{}, prunert.Answer{Object: obj})
		})
	}
	done.Wait()
	if len(rec.all) != 2 {
		t.Errorf("%d kinds, want 2", len(rec.all))
	}
	for _, c := range rec.Report().CRDs {
		if by := c.Constraints[0].SatisfiedBy; len(by) != requests/2 {
			t.Errorf("%s is satisfied by %q", c.Version, by)
		}
	}
}

// A rule about updates is not satisfied by an object that is created, wherever it is.
func TestRulesAboutUpdatesNeedOne(t *testing.T) {
	const rule = "x-kubernetes-validations: [{rule: self == oldSelf}]"
	for place, schema := range map[string]string{
		"the object": "{type: object, x-kubernetes-validations: [{rule: self.a >= oldSelf.a}], properties: {a: {type: integer}}}",
		"a field":    "{type: object, properties: {a: {type: integer, " + rule + "}}}",
		"below":      "{type: object, properties: {a: {type: integer}, o: {type: object, " + rule + ", properties: {b: {type: string, " + rule + "}}}}}",
	} {
		k, r := kindOf(t, structuraltest.CRDWith(schema))
		send(t, k, r, "create", "{a: 1, o: {b: x}}")
		for _, c := range k.Constraints() {
			if len(c.SatisfiedBy) > 0 {
				t.Errorf("%s: %s is satisfied by %q", place, c.Title(), c.SatisfiedBy)
			}
		}
		send(t, k, r, "update", "{a: 1, o: {b: x}} -> {a: 1, o: {b: x}}")
		for _, c := range k.Constraints() {
			if !slices.Equal(c.SatisfiedBy, []string{"update"}) {
				t.Errorf("%s: %s is satisfied by %q", place, c.Title(), c.SatisfiedBy)
			}
		}
	}
}
