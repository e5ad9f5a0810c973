package aimed

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/numbers"
	"sigs.k8s.io/yaml"
)

func parse(t *testing.T, schema string) map[string]any {
	t.Helper()
	text, err := yaml.YAMLToJSON([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	s, err := numbers.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEachKeywordIsMetAtItsBoundAndBeyond(t *testing.T) {
	for schema, want := range map[string][]string{
		`{minimum: 3}`:                       {"3", "2", "3.0", "2.9999999999999996"},
		`{maximum: 2.5}`:                     {"2.5", "2.5000000000000004", "3"},
		`{multipleOf: 2}`:                    {"4", "3", "2.25"},
		`{minLength: 2}`:                     {`"b"`, `"bb"`, `"é"`},
		`{maxLength: 2}`:                     {`"bb"`, `"bbb"`, `"ééé"`},
		`{pattern: '^a+$'}`:                  {`"a"`, `"aa"`, `"a!"`, `"A"`},
		`{enum: [a, 1]}`:                     {`"a"`, `"A"`, "1", "1.5"},
		`{format: cidr}`:                     {`"10.0.0.0/32"`, `"10.0.0.0/33"`, `"::/128"`, `"::/129"`},
		`{format: float}`:                    {"3.4028234663852886e+38", "3.5e+38"},
		`{minItems: 1}`:                      {"[]", "[0]"},
		`{maxItems: 1}`:                      {"[0]", "[0,1]"},
		`{x-kubernetes-list-type: set}`:      {`["a","b","a"]`, "[1,1.0]"},
		`{minProperties: 1}`:                 {"{}", `{"f0":"a"}`},
		`{maxProperties: 1}`:                 {`{"f0":"a"}`, `{"f0":"a","f1":"a"}`},
		`{required: [a, b]}`:                 {`{"a":"a","b":"a"}`, `{"a":"a"}`, `{"b":"a"}`, `{"a":null,"b":null}`},
		`{nullable: true}`:                   {"null"},
		`{x-kubernetes-int-or-string: true}`: {"5", `"5"`, "5.5"},
		`{type: array, items: {type: integer, minimum: 3}}`:    {"[3]", `[2,"text"]`, "[null]"},
		`{anyOf: [{oneOf: [{minimum: 3}]}], not: {enum: [x]}}`: {"3", "2", `"x"`, `"X"`},
	} {
		s := parse(t, schema)
		var have []string
		for _, v := range Values(s) {
			have = append(have, encode(v))
		}
		for _, w := range want {
			if !slices.Contains(have, w) {
				t.Errorf("%s: no %s in %s", schema, w, have)
			}
		}
	}
}

// Each field has each of its values in some object, and is absent in another.
func TestEveryValueOfEveryFieldIsInAnObject(t *testing.T) {
	s := parse(t, `
type: object
properties:
  a: {type: integer, minimum: 3}
  b: {type: string, maxLength: 2}
  c: {type: object, properties: {d: {type: integer}}, anyOf: [{properties: {d: {maximum: 4}}}]}
`)
	seen := map[string]bool{}
	for _, obj := range Objects(s) {
		for _, name := range []string{"a", "b", "c"} {
			if v, ok := obj[name]; ok {
				seen[name+encode(v)] = true
			} else {
				seen[name] = true
			}
			if c, ok := obj["c"].(map[string]any); ok {
				seen["d"+encode(c["d"])] = true
			}
		}
	}
	for _, want := range []string{"a", "b", "c", "a3", "a2", "anull", `b"bbb"`, `b"bb"`, "d4", "d5", "dtrue"} {
		if !seen[want] {
			t.Errorf("no object has %s", want)
		}
	}
}

func TestTextsMatchPatterns(t *testing.T) {
	for _, pattern := range []string{`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`, `^v[0-9]+(\.[0-9]+)*$`, `^(\+|-)?[0-9]{2,3}(Ki|Mi)?$`, `a|b|`, `^.{2}$`} {
		re := regexp.MustCompile(pattern)
		matches, others := 0, 0
		for _, v := range matching(pattern) {
			if re.MatchString(v.(string)) {
				matches++
			} else {
				others++
			}
		}
		if matches < 4 || others < 3 && pattern != `a|b|` {
			t.Errorf("%s: %d of the texts match, and %d do not", pattern, matches, others)
		}
	}
}

func TestAnswersSayWhoSaysWhat(t *testing.T) {
	obj := map[string]any{"a": 1.0, "b": nil, "spec": map[string]any{"x": "new", "y": "new"}}
	before := map[string]any{"spec": map[string]any{"x": "old", "y": "old"}}
	have := Answer(obj, before, Functions{
		Prune:     func(map[string]any) []string { return []string{"c"} },
		Normalize: func(obj map[string]any) error { delete(obj, "b"); obj["d"] = []any{"e"}; return nil },
		Check:     func(map[string]any) []string { return []string{"one", "two"} },
		Validate:  func(map[string]any) []string { return []string{"two", "a\nb"} },
		Update:    func(obj, old map[string]any) []string { return []string{"two", fmt.Sprint(old["spec"])} },
	})
	want := `object {"a":1.0,"b":null,"spec":{"x":"new","y":"new"}}
drop c
normal +d[0] "e"
normal -b null
validate a\nb
update map[x:new y:old]
check one
check,validate,update two

`
	if have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}
