package celrules_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// recordedSchema has values of all types with bounds of all kinds.
const recordedSchema = `{type: object, required: [r, any, half, inner, far, near, n1, n2, t1, f1, num, s, odd, one, mode, durations, notDurations, lasts, long, digits, many, "yes", b, c1, c2, c3, c4, c5, ios, l, u, neg, e, t, ll, zi, z, zll, iol, m, mn, mo, o, preserved, emb], properties: {
  opt: {type: integer}, opts: {type: string, maxLength: 5}, optl: {type: array, maxItems: 3, items: {type: integer, minimum: -3, maximum: 3}}, oo: {type: object, properties: {q: {type: string, maxLength: 5}}},
  r: {type: integer, minimum: 1, maximum: 10}, any: {type: integer}, half: {type: integer, format: int32},
  inner: {type: integer, minimum: 0, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true}, far: {type: integer, minimum: -4611686018427387904, maximum: 4611686018427387904},
  near: {type: integer, minimum: -4611686018427387392, maximum: 4611686018427387392}, n1: {type: integer, enum: [4]}, n2: {type: integer, enum: [4, 5]}, t1: {type: boolean, enum: [true]}, f1: {type: boolean, enum: [false]}, num: {type: number},
  s: {type: string, minLength: 2, maxLength: 20}, odd: {type: string, minLength: -1, maxLength: 3}, one: {type: string, enum: [é]}, mode: {type: string, enum: [x, z]}, nul: {type: string, nullable: true, enum: [a, null, c]},
  durations: {type: string, enum: [1s, 2m]}, notDurations: {type: string, enum: [1s, x]}, lasts: {type: string, pattern: '^[0-9]{1,3}(s|m)$'}, long: {type: string, pattern: '^[0-9]+s$'},
  digits: {type: string, pattern: '^[0-9]{1,4}$'}, many: {type: string, pattern: '^[0-9]{1,40}$'}, "yes": {type: string, pattern: '^true$'},
  b: {type: boolean}, c1: {type: boolean}, c2: {type: boolean}, c3: {type: boolean}, c4: {type: boolean}, c5: {type: boolean}, ios: {x-kubernetes-int-or-string: true},
  l: {type: array, maxItems: 3, items: {type: object, required: [k], properties: {k: {type: string, maxLength: 20}, v: {type: integer}}}}, u: {type: array, maxItems: 5, minItems: 1, items: {type: integer, minimum: 0, maximum: 8}},
  neg: {type: array, maxItems: 3, items: {type: integer, minimum: -2, maximum: -1}}, e: {type: array, maxItems: 0, items: {type: string, maxLength: 5}}, t: {type: array, maxItems: 3, items: {type: string, maxLength: 20}},
  ll: {type: array, maxItems: 3, items: {type: array, maxItems: 3, items: {type: integer, maximum: 3}}}, zi: {type: array, maxItems: 3, items: {type: integer, nullable: true}}, z: {type: array, maxItems: 3, items: {type: object, nullable: true, properties: {k: {type: boolean}}}},
  zll: {type: array, maxItems: 3, items: {type: array, nullable: true, maxItems: 3, items: {type: integer}}}, iol: {type: array, maxItems: 3, items: {x-kubernetes-int-or-string: true}},
  m: {type: object, minProperties: 1, maxProperties: 5, additionalProperties: {type: integer}}, mn: {type: object, maxProperties: 5, additionalProperties: {type: integer, nullable: true}}, mo: {type: object, maxProperties: 5, additionalProperties: {type: object, properties: {p: {type: integer}}}},
  o: {type: object, required: [p], properties: {p: {type: integer}, q: {type: string, maxLength: 5}}}, preserved: {type: object, x-kubernetes-preserve-unknown-fields: true}, emb: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}}}`

// recordedValues has values of each field, at bounds and elsewhere. A field that is not required is also left out.
const recordedValues = `{opt: [0, 1, 2, 3, -1], opts: [x, z], optl: [[], [0], [2], [2, 3], [-1, 2], [3, 3]], oo: [{}, {q: a}, {q: b}], r: [1, 2, 4, 5, 9, 10],
  any: [-9223372036854775808, -9223372036854775807, -1, 0, 1, 2, 3, 4, 5, 6, 10, 11, 9223372036854775806, 9223372036854775807], half: [-2147483648, -5, 0, 1, 2147483647],
  inner: [1, 2, 3, 4], far: [-4611686018427387904, 0, 4611686018427387904], near: [-4611686018427387392, 0, 4611686018427387392], n1: [4], n2: [4, 5], t1: [true], f1: [false], num: [-1.5, 0.0, 2.5],
  s: [ab, b/, a/b/c, 1s, 2s, '12', 10.0.0.1, 10.0.0.0/8, 1.2.3, 'http://a', abcdefghijklmnopqrst], odd: ['', a, abc], one: [é], mode: [x, z], nul: [a, c],
  durations: [1s, 2m], notDurations: [1s, x], lasts: [0s, 999m], long: [1s, 99999999999999999999s], digits: ['0', '9999'], many: ['1', '9999999999999999999999'], 'yes': ['true'],
  b: [true, false], c1: [true, false], c2: [true, false], c3: [true, false], c4: [true, false], c5: [true, false], ios: [0, 2, '', a, '50%'],
  l: [[], [{k: a}], [{k: a, v: 2}, {k: b, v: 1}], [{k: ''}, {k: a, v: 3}], [{k: c}]], u: [[0], [8], [0, 8, 1], [8, 8, 8, 8, 8]], neg: [[], [-1], [-2, -2, -2]], e: [[]], t: [[], [''], [a], [a, abcdefghijklmnopqrst], [a, b, a]],
  ll: [[], [[]], [[3]], [[1], [2, 3]]], zi: [[], [null], [1, null], [5]], z: [[], [null], [{}], [{k: true}], [{k: false}, null]], zll: [[], [null], [[1], null], [[2, 3]]], iol: [[], [1], [a], [2, b]],
  m: [{a: 1}, {b: 2}, {a: 5, ab: 2}], mn: [{}, {a: 1}, {a: 2, b: 3}], mo: [{}, {a: {}}, {a: {p: 2}}], o: [{p: 1}, {p: 2, q: a}], preserved: [{}, {a: 1}], emb: [{apiVersion: v1, kind: A, metadata: {name: x}}]}`

// What is told about rules is recorded. Values of the schema do not refute it: no rule fails that is said not to, and none is false that is said to hold.
func TestReasonsAreSameAsBefore(t *testing.T) {
	s := structuraltest.NewSchema(t, recordedSchema)
	reasoner := celrules.NewReasoner(celrules.NewMet(s, s, false), celrules.Stored(kubeversion.Newest), nil)
	defer reasoner.Release()
	told := map[string]string{}
	var lines []string
	recorded.Answers(t, *update, "testdata/reasons.txt", func(line string) string {
		before, rule, isGiven := strings.Cut(line, " ==> ")
		var given []structural.ValidationRule
		if !isGiven {
			rule = line
		} else {
			for _, g := range strings.Split(before, "; ") {
				given = append(given, structural.ValidationRule{Rule: g})
			}
		}
		outcome := "is ok"
		switch out := reasoner.Rule(structural.ValidationRule{Rule: rule}, given, false); {
		case out.Err != "":
			outcome, _, _ = strings.Cut(out.Err, "\n")
		case out.Failure != nil && out.Holds:
			outcome = fmt.Sprintf("holds or fails, %d: %s", out.Failure.Kind, out.Failure.Text)
		case out.Failure != nil:
			outcome = fmt.Sprintf("fails, %d: %s", out.Failure.Kind, out.Failure.Text)
		case out.Holds:
			outcome = "holds"
		}
		told[line] = outcome
		lines = append(lines, line)
		return outcome
	})
	t.Run("values", func(t *testing.T) {
		testsize.NotShort(t)
		refute(t, lines, told)
	})
}

// refute evaluates the rules that are said to hold or not to fail.
func refute(t *testing.T, lines []string, told map[string]string) {
	lines = slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return told[line] != "is ok" && told[line] != "holds" })
	messages := map[string]string{} // of rules
	var rules strings.Builder
	for _, line := range lines {
		for rule := range strings.SplitSeq(strings.ReplaceAll(line, " ==> ", "; "), "; ") {
			if messages[rule] == "" {
				messages[rule] = fmt.Sprintf("rule %d is false", len(messages))
				fmt.Fprintf(&rules, "{rule: %q, message: %s}, ", rule, messages[rule])
			}
		}
	}
	resources, err := dynamic.Compile(structuraltest.LoadCRD(t, structuraltest.CRDWith("{type: object, properties: {spec: "+recordedSchema[:len(recordedSchema)-1]+", x-kubernetes-validations: ["+rules.String()+"]}}}")))
	if err != nil {
		t.Fatal(err)
	}
	message := regexp.MustCompile(`rule \d+ is false`)
	schema, values := structuraltest.ParseSchema(t, recordedSchema), structuraltest.ParseObject(t, recordedValues)
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		obj := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if of := values[name].([]any); slices.Contains(schema.Required, name) || r.IntN(2) == 0 {
				obj[name] = of[r.IntN(len(of))]
			}
		}
		if errs, _ := new(interpret.Work).ValidateValues(obj, schema); len(errs) > 0 {
			t.Fatalf("%v: %v", obj, errs)
		}
		wrong := map[string]string{}
		errs, _ := resources[0].ValidateRules(map[string]any{"spec": obj}, nil)
		for _, e := range errs {
			wrong[message.FindString(e.Detail)] = e.Detail
		}
		for _, line := range lines {
			given, rule, ok := strings.Cut(line, " ==> ")
			if !ok {
				given, rule = "", line
			}
			detail := wrong[messages[rule]]
			violated := func(rule string) bool { return wrong[messages[rule]] != "" }
			if detail != "" && (detail != messages[rule] || told[line] == "holds") && !slices.ContainsFunc(strings.Split(given, "; "), violated) {
				t.Errorf("%s: it %s, but for %v: %s", line, told[line], obj, detail)
			}
		}
	}
}

// What is told about values that another schema accepted is recorded. That it is true is judged where CRDs are compared.
func TestReasonsAboutChangesAreSameAsBefore(t *testing.T) {
	recorded.Answers(t, *update, "testdata/met.txt", func(line string) string {
		parts := strings.Split(line, " -> ")
		schema := func(i int) *structural.Schema {
			if !strings.HasPrefix(parts[i], "{") {
				parts[i] = "{type: object, properties: {" + parts[i] + "}}"
			}
			return structuraltest.NewSchema(t, parts[i])
		}
		r := celrules.NewReasoner(celrules.NewMet(schema(0), schema(1), false), celrules.Stored(kubeversion.Newest), nil)
		out := r.Rule(structural.ValidationRule{Rule: parts[2]}, nil, false)
		r.Release()
		said := []string{"is ok"}
		switch {
		case out.Err != "":
			t.Errorf("%s: %s", line, out.Err)
		case out.Failure != nil:
			said[0] = fmt.Sprintf("fails, %d: %s", out.Failure.Kind, out.Failure.Text)
		case out.Holds:
			said[0] = "holds"
		}
		for what, is := range map[string]bool{"differs": out.Differs, "refilled": out.Refilled, "uses oldSelf": out.UsesOldSelf} {
			if is {
				said = append(said, what)
			}
		}
		slices.Sort(said[1:])
		return strings.Join(said, "; ")
	})
}

// A rule that takes too many steps to analyse may do anything, and so may one that is too long. What is known of shorter ones stays.
func TestRulesThatAreTooLong(t *testing.T) {
	s := structuraltest.NewSchema(t, recordedSchema)
	r := celrules.NewReasoner(celrules.NewMet(s, s, false), celrules.Stored(kubeversion.Newest), nil)
	defer r.Release()
	for times, want := range map[int]celrules.Outcome{
		10:    {Holds: true},
		100:   {Holds: true},
		980:   {Failure: &celrules.Failure{Kind: celrules.FailsUnknown, Text: "it is too long to be analysed"}, Differs: true},
		1_000: {Failure: &celrules.Failure{Kind: celrules.FailsUnknown, Text: "it does not compile"}},
	} {
		if got := r.Rule(structural.ValidationRule{Rule: strings.Repeat("self.r>0&&", times) + "true"}, nil, false); !reflect.DeepEqual(got, want) {
			t.Errorf("%d: %+v %+v, want %+v", times, got, got.Failure, want)
		}
	}
	// Others that hold may be too much to know. What can be told without them still can.
	var given []structural.ValidationRule
	for i := range 20 {
		given = append(given, structural.ValidationRule{Rule: fmt.Sprintf("self.r > %d || self.r < -%d", i, i)})
	}
	if got := r.Rule(structural.ValidationRule{Rule: "self.r > 0 || self.r <= 0"}, given, false); got.Failure != nil {
		t.Errorf("with rules that hold: %+v %+v", got, got.Failure)
	}
}
