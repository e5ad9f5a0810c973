package pruneimpl

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Errors have the texts of the API server, singular and plural.
func TestFaultsHaveTheirWords(t *testing.T) {
	list := func(n int) []any { return make([]any, n) }
	object := map[string]any{"a": nil, "b": nil}
	for _, c := range []struct {
		check func(r *Recorder) int
		typ   prunert.ErrorType
		want  string
	}{
		{func(r *Recorder) int { return MaxItems(list(3), r, 2) }, prunert.ErrorTypeTooMany, `f: Too many: 3: must have at most 2 items`},
		{func(r *Recorder) int { return MaxItems(list(3), r, 1) }, prunert.ErrorTypeTooMany, `f: Too many: 3: must have at most 1 item`},
		{func(r *Recorder) int { return MaxItems(list(3), r, 0) }, prunert.ErrorTypeTooMany, `f: Too many: 3: must have at most 0 items`},
		{func(r *Recorder) int { return MaxItems(list(3), r, -1) }, prunert.ErrorTypeTooMany, `f: Too many: 3: has too many items`},
		{func(r *Recorder) int { return MinItems(list(1), r, 2) }, prunert.ErrorTypeInvalid, `f: Invalid value: 1: f in body should have at least 2 items`},
		{func(r *Recorder) int { return MaxProperties(object, r, 1) }, prunert.ErrorTypeTooMany, `f: Too many: 2: must have at most 1 item`},
		{func(r *Recorder) int { return MaxProperties(object, r, -5) }, prunert.ErrorTypeTooMany, `f: Too many: 2: has too many items`},
		{func(r *Recorder) int { return MinProperties(object, r, 3) }, prunert.ErrorTypeInvalid, `f: Invalid value: 2: f in body should have at least 3 properties`},
		{func(r *Recorder) int { return r.TooLong(0) }, prunert.ErrorTypeTooLong, `f: Too long: may not be more than 0 bytes`},
		{func(r *Recorder) int { return r.TooLong(1) }, prunert.ErrorTypeTooLong, `f: Too long: may not be more than 1 byte`},
		{func(r *Recorder) int { return r.TooLong(-1) }, prunert.ErrorTypeTooLong, `f: Too long: value is too long`},
		{func(r *Recorder) int { return r.TooShort("x", 2) }, prunert.ErrorTypeInvalid, `f: Invalid value: "x": f in body should be at least 2 chars long`},
		{func(r *Recorder) int { return r.Mismatch("x", "^y$") }, prunert.ErrorTypeInvalid, `f: Invalid value: "x": f in body should match '^y$'`},
		{
			func(r *Recorder) int { return r.BadPattern("x", "(", "missing )") }, prunert.ErrorTypeInvalid,
			`f: Invalid value: "x": f in body should match '(, but pattern is invalid: missing )'`,
		},
		{func(r *Recorder) int { return r.Malformed("x", "date") }, prunert.ErrorTypeTypeInvalid, `f: Invalid value: "x": f in body must be of type date: "x"`},
		{func(r *Recorder) int { return r.Missing("g") }, prunert.ErrorTypeRequired, `f.g: Required value`},
		{func(r *Recorder) int { return r.Forbidden("g") }, prunert.ErrorTypeInvalid, `f: Invalid value: "g": f.g in body is a forbidden property`},
		{func(r *Recorder) int { return Minimum(int64(1), r, 2.5) }, prunert.ErrorTypeInvalid, `f: Invalid value: 1: f in body should be greater than or equal to 2`},
		{func(r *Recorder) int { return Minimum(1.5, r, 2.5) }, prunert.ErrorTypeInvalid, `f: Invalid value: 1.5: f in body should be greater than or equal to 2.5`},
		{func(r *Recorder) int { return OverMinimum(int64(2), r, 2.5) }, prunert.ErrorTypeInvalid, `f: Invalid value: 2: f in body should be greater than 2`},
		{func(r *Recorder) int { return Maximum(3.0, r, 2) }, prunert.ErrorTypeInvalid, `f: Invalid value: 3: f in body should be less than or equal to 2`},
		{func(r *Recorder) int { return UnderMaximum(int64(3), r, 3) }, prunert.ErrorTypeInvalid, `f: Invalid value: 3: f in body should be less than 3`},
		{func(r *Recorder) int { return MultipleOf(int64(3), r, 2.5) }, prunert.ErrorTypeInvalid, `f: Invalid value: 3: f in body should be a multiple of 2`},
		{func(r *Recorder) int { return MultipleOf(1.3, r, 0.5) }, prunert.ErrorTypeInvalid, `f: Invalid value: 1.3: f in body should be a multiple of 0.5`},
		{func(r *Recorder) int { return MultipleOf(int64(3), r, 0.5) }, prunert.ErrorTypeInvalid, `f: Invalid value: 0: factor MultipleOf declared for f must be positive: 0`},
		{func(r *Recorder) int { return MultipleOf(1.0, r, -0.5) }, prunert.ErrorTypeInvalid, `f: Invalid value: -0.5: factor MultipleOf declared for f must be positive: -0.5`},
		{
			func(r *Recorder) int { return Misfit(int64(1), r, "Minimum boundary", "integer", "int32") }, prunert.ErrorTypeInvalid,
			`<nil>: Invalid value: "": Minimum boundary value must be of type integer with format int32 in f`,
		},
		{
			func(r *Recorder) int { return Misfit(1.5, r, "MultipleOf", "number", "") }, prunert.ErrorTypeInvalid,
			`<nil>: Invalid value: "": MultipleOf value must be of type number (default format) in f`,
		},
		{func(r *Recorder) int { return EnumStrings("x", r, "a", "b c") }, prunert.ErrorTypeNotSupported, `f: Unsupported value: "x": supported values: "a", "b c"`},
		{
			func(r *Recorder) int { return Enum(int64(9), r, "a", int64(1), 1.5, nil, []any{"x"}) }, prunert.ErrorTypeNotSupported,
			`f: Unsupported value: 9: supported values: "a", "1", "1.5", "null", "[\"x\"]"`,
		},
		{func(r *Recorder) int { return ListSet([]any{"x", "y", "x", "x"}, r) }, prunert.ErrorTypeDuplicate, `f[2]: Duplicate value: "x"`},
		{func(r *Recorder) int {
			return ListMap([]any{map[string]any{"k": "x"}, map[string]any{"k": "x"}}, r, "k")
		}, prunert.ErrorTypeDuplicate, `f[1]: Duplicate value: {"k":"x"}`},
		{func(r *Recorder) int { return ListMap([]any{nil, map[string]any{"v": "x"}}, r, "k") }, prunert.ErrorTypeDuplicate, `f[1]: Duplicate value: {}`},
		{
			func(r *Recorder) int {
				return ListMap([]any{map[string]any{"k": "x", "l": nil}, map[string]any{"k": "x", "l": nil, "v": 1}}, r, "k", "l")
			}, prunert.ErrorTypeDuplicate, `f[1]: Duplicate value: {"k":"x","l":null}`,
		},
		{func(r *Recorder) int { return ListMap([]any{nil, "x", "y"}, r, "k") }, prunert.ErrorTypeInvalid, `f[1]: Invalid value: "x": must be an object for an array of list-type map`},
		{func(r *Recorder) int { return r.Not() }, prunert.ErrorTypeInvalid, `<nil>: Invalid value: "": "f" must not validate the schema (not)`},
		{func(r *Recorder) int { return CheckFormat("x", r, TypeInteger, "int32") }, prunert.ErrorTypeTypeInvalid, `f: Invalid value: "string": f in body must be of type integer: "string"`},
		{func(r *Recorder) int { return CheckFormat(true, r, TypeString, "date") }, prunert.ErrorTypeTypeInvalid, `f: Invalid value: "": f in body must be of type date: ""`},
		{
			func(r *Recorder) int { return CheckFormat(int64(1), r, TypeString, "date") }, prunert.ErrorTypeTypeInvalid,
			`f: Invalid value: "int64": f in body must be of type date: "int64"`,
		},
		{
			func(r *Recorder) int { return CheckFormat(1.5, r, TypeString, "date") }, prunert.ErrorTypeTypeInvalid,
			`f: Invalid value: "float64": f in body must be of type date: "float64"`,
		},
		{
			func(r *Recorder) int { return CheckFormat(int64(1<<31), r, TypeInteger, "int32") }, prunert.ErrorTypeInvalid,
			`<nil>: Invalid value: "": Checked value must be of type integer with format int32 in f`,
		},
		{
			func(r *Recorder) int { return CheckFormat(1e39, r, TypeNumber, "float") }, prunert.ErrorTypeInvalid,
			`<nil>: Invalid value: "": Checked value must be of type number with format float in f`,
		},
		{func(r *Recorder) int {
			return RequireFormatFields(map[string]any{}, r, new(int), TypeInteger, "int32", "g")
		}, prunert.ErrorTypeRequired, `f.g: Required value`},
		{
			func(r *Recorder) int {
				return RequireFormatFields(map[string]any{"g": int64(-1 << 33)}, r, new(int), TypeInteger, "int32", "g")
			}, prunert.ErrorTypeInvalid,
			`<nil>: Invalid value: "": Checked value must be of type integer with format int32 in f.g`,
		},
	} {
		var r Recorder
		n := r.Field("f", c.check(&r))
		errs := r.Errors()
		if len(errs) != 1 || n == 0 || errs[0].Error() != c.want || errs[0].Type != c.typ {
			t.Errorf("have %d, %v\nwant %s", n, errs, c.want)
		}
		if c.check(nil) == 0 {
			t.Errorf("nothing is wrong without a recorder: %s", c.want)
		}
	}
	for _, v := range []any{"x", nil, true} {
		if n := Misfit(v, new(Recorder), "x", "y", "z"); n != 0 || Float(v) != v {
			t.Errorf("%v is a number", v)
		}
	}
	if Float(int64(2)) != 2.0 || Float(2.5) != 2.5 {
		t.Error("numbers do not become floats")
	}
}

// Alternatives in an alternative count as the first of them that is valid, or that matches most. The conformance suite asks Kubernetes.
func TestAlternativesInAlternativesCountOnce(t *testing.T) {
	const nested, other = "nested", "other"
	for _, c := range []struct {
		inner []int // the matches of each valid alternative
		other int   // the matches of the alternative beside them
		want  string
	}{
		{[]int{1, 3}, 2, other}, {[]int{3, 1}, 2, nested}, {[]int{2, 1, 3}, 2, nested}, {[]int{2, 3}, 3, other}, {[]int{2}, 2, nested},
	} {
		var r Recorder
		match := func(n int) {
			for range n {
				r.Count(int64(1), 0, "")
			}
		}
		outer := r.Choose()
		inner := r.Choose()
		for _, n := range c.inner {
			match(n)
			inner.Try(0)
		}
		outer.Try(inner.AnyOf() + r.Missing(nested))
		match(c.other)
		outer.Try(r.Missing(other))
		outer.AnyOf()
		if errs := fmt.Sprint(r.Errors()); !strings.Contains(errs, c.want) || strings.Contains(errs, nested) && strings.Contains(errs, other) {
			t.Errorf("%v and %d: %s, want %s", c.inner, c.other, errs, c.want)
		}
	}
}

// Of alternatives there is none, one or more that is valid, or all of them are to be.
func TestAlternativesHaveTheirWords(t *testing.T) {
	for results, want := range map[string][3]string{ // anyOf, oneOf, allOf
		"": {"at least one schema (anyOf)", "one and only one schema (oneOf). Found none valid", ""}, "0": {"", "", ""}, "00": {"", "one and only one schema (oneOf). Found 2 valid alternatives", ""},
		"1":  {"at least one schema (anyOf)", "one and only one schema (oneOf). Found none valid", "all the schemas (allOf). None validated"},
		"10": {"", "", "all the schemas (allOf)"}, "011": {"", "", "all the schemas (allOf)"}, "000": {"", "one and only one schema (oneOf). Found 3 valid alternatives", ""},
		"11": {"at least one schema (anyOf)", "one and only one schema (oneOf). Found none valid", "all the schemas (allOf). None validated"},
	} {
		for i, end := range []func(r *Recorder, c *Choice) int{
			func(_ *Recorder, c *Choice) int { return c.AnyOf() }, func(_ *Recorder, c *Choice) int { return c.OneOf() },
			func(r *Recorder, _ *Choice) int {
				var events []int
				for _, bad := range results {
					events = append(events, 0)
					if bad == '1' {
						events[len(events)-1] = r.Missing("g")
					}
				}
				return AllOf(r, events...)
			},
		} {
			var r Recorder
			var c Choice
			if i < 2 {
				c = r.Choose()
				for _, bad := range results {
					n := 0
					if bad == '1' {
						n = r.Missing("g")
					}
					c.Try(n)
				}
			}
			n := r.Field("f", end(&r, &c))
			var have []string
			for _, e := range r.Errors() {
				if text, ok := strings.CutPrefix(e.Detail, `"f" must validate `); ok {
					have = append(have, text)
				}
			}
			if strings.Join(have, "; ") != want[i] || (n == 0) != (want[i] == "") || r.Choosing() {
				t.Errorf("%s, %d: have %d, %q, want %q", results, i, n, have, want[i])
			}
		}
		faults := make([]int, len(results))
		for i := range results {
			faults[i] = int(results[i]-'0') * 3
		}
		if have := One(faults...); have != (want[1] == "") {
			t.Errorf("%s: one is valid: %t", results, have)
		}
	}
}

// An embedded resource must have an apiVersion and a kind; those of the object itself must be strings.
func TestResourcesSayWhatTheyAre(t *testing.T) {
	const label = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an " +
		"alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
	const mixed = "may have mixed case, but should otherwise match: "
	long := strings.Repeat("K", 63)
	for _, c := range []struct {
		name  string
		value any
		want  string
	}{
		{"apiVersion", "v1", ""}, {"apiVersion", "a/v1", ""}, {"apiVersion", "/", ""}, {"apiVersion", "a b", ""},
		{"apiVersion", "a/b/c", `Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`},
		{"apiVersion", "", `Invalid value: "": must not be empty`}, {"apiVersion", nil, `Invalid value: null: must be a string`},
		{"apiVersion", int64(1), `Invalid value: 1: must be a string`}, {"apiVersion", "missing", `Required value`},
		{"kind", "Foo-Bar9", ""}, {"kind", long, ""}, {"kind", "k", ""}, {"kind", "", `Invalid value: "": must not be empty`}, {"kind", "missing", `Required value`},
		{"kind", long + "K", `Invalid value: "` + long + `K": ` + mixed + `must be no more than 63 characters`},
		{"kind", long + "_", `Invalid value: "` + long + `_": ` + mixed + `must be no more than 63 characters,` + label},
		{"kind", "9a", `Invalid value: "9a": ` + mixed + label}, {"kind", "a-", `Invalid value: "a-": ` + mixed + label}, {"kind", "-a", `Invalid value: "-a": ` + mixed + label},
		{"kind", "a_b", `Invalid value: "a_b": ` + mixed + label}, {"kind", "\u212a", ""}, // the Kelvin sign, a k in lower case
	} {
		obj := map[string]any{"apiVersion": "v1", "kind": "K", c.name: c.value}
		if c.value == "missing" {
			delete(obj, c.name)
		}
		for what, check := range map[string]func(map[string]any, *Recorder) int{"CheckTypeMeta": CheckTypeMeta, "CheckEmbedded": CheckEmbedded} {
			var r Recorder
			n := r.Field("f", r.Key("k", check(obj, &r)))
			want := c.want
			if want != "" {
				want = "f[k]." + c.name + ": " + want
			}
			have := ""
			for _, e := range r.Errors() {
				have += e.Error()
			}
			if have != want || (n == 0) != (want == "") {
				t.Errorf("%s: %d\nhave %s\nwant %s", what, n, have, want)
			}
		}
		var r Recorder
		CheckRoot(obj, &r)
		have := ""
		for _, e := range r.Errors() {
			have += e.Error()
		}
		want := map[any]string{
			nil:      c.name + `: Invalid value: "null": ` + c.name + ` in body must be of type string: "null"`,
			int64(1): c.name + `: Invalid value: "integer": ` + c.name + ` in body must be of type string: "integer"`,
		}[c.value]
		if have != want {
			t.Errorf("CheckRoot: have %s, want %s", have, want)
		}
	}
	var r Recorder
	if n := CheckRoot(map[string]any{"metadata": "x"}, &r) + CheckEmbedded(map[string]any{"apiVersion": "v1", "kind": "K", "metadata": int64(1)}, &r); n == 0 || len(r.Errors()) != 2 {
		t.Errorf("%d, %v", n, r.Errors())
	}
}

// Lists of any length have the duplicates that comparing each pair finds.
func TestElementsThatStandInAListTwice(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	scalars := []any{nil, true, false, "", "1", "a", int64(0), int64(1), int64(-1), 0.0, minusZero(), 1.0, 1.5, []any{}, []any{int64(1)}, []any{1.0}, map[string]any{}, map[string]any{"a": nil}}
	asKey := func(v any) any { // objects and lists by their JSON, all others as they are
		if isCompound(v) {
			b, _ := json.Marshal(v)
			return compoundKey(b)
		}
		return v
	}
	const missing = "missing"
	for range 2000 {
		size := random.IntN(24)
		fresh := random.IntN(3) > 0 // most elements differ
		list, objects := make([]any, size), make([]any, size)
		for i := range list {
			list[i] = scalars[random.IntN(len(scalars))]
			if fresh && random.IntN(10) > 0 {
				list[i] = fmt.Sprint("element", i)
			}
			row := map[string]any{"v": i}
			if k := scalars[random.IntN(len(scalars))]; k != "a" {
				row["k"] = k
			}
			if fresh && random.IntN(10) > 0 {
				row["k"] = int64(i + 100)
			}
			if l := scalars[random.IntN(3)]; l != nil {
				row["l"] = l
			}
			objects[i] = row
		}
		keysOf := func(e any, keys []string) any {
			obj := e.(map[string]any)
			if len(keys) == 1 {
				if v, ok := obj[keys[0]]; ok {
					return v
				}
				return missing
			}
			key := map[string]any{}
			for _, k := range keys {
				if v, ok := obj[k]; ok {
					key[k] = v
				}
			}
			return key
		}
		second := func(list []any) (at []string) {
			keys := make([]any, len(list))
			for i, e := range list {
				keys[i] = asKey(e)
				before := 0
				for _, other := range keys[:i] {
					if other == keys[i] {
						before++
					}
				}
				if before == 1 {
					at = append(at, fmt.Sprintf("[%d]", i))
				}
			}
			slices.Sort(at)
			return at
		}
		for name, c := range map[string]struct {
			check func(r *Recorder) int
			keys  []string
		}{
			"set":      {func(r *Recorder) int { return ListSet(list, r) }, nil},
			"one key":  {func(r *Recorder) int { return ListMap(objects, r, "k") }, []string{"k"}},
			"two keys": {func(r *Recorder) int { return ListMap(objects, r, "k", "l") }, []string{"k", "l"}},
		} {
			compared := list
			if c.keys != nil {
				compared = make([]any, size)
				for i, e := range objects {
					compared[i] = keysOf(e, c.keys)
				}
			}
			var r Recorder
			c.check(&r)
			var have []string
			for _, e := range r.Errors() {
				have = append(have, e.Field)
			}
			slices.Sort(have)
			if want := second(compared); !slices.Equal(have, want) || r.listFaults != len(want) {
				t.Fatalf("%s of %v: have %q, want %q", name, compared, have, want)
			}
		}
	}
}

// Of a list map, the first element with the same keys is found, however long it is.
func TestElementsAreFoundByTheirKeys(t *testing.T) {
	values := []any{"a", "b", int64(1), 1.0, "1", true, false, nil, []any{}, 1.5, "missing"}
	row := func(i int, k, l any) any {
		obj := map[string]any{"i": i, "k": k, "l": l}
		for _, name := range []string{"k", "l"} {
			if obj[name] == "missing" {
				delete(obj, name)
			}
		}
		return obj
	}
	for _, size := range []int{0, 1, 2, short - 1, short, short + 1, 3 * short} {
		var list []any
		for i := range size {
			list = append(list, row(i, values[i%len(values)], values[i*3%len(values)]))
		}
		list = append(list, "text", nil)
		for _, keys := range [][]string{{}, {"k"}, {"k", "l"}, {"l", "k"}} {
			elements := NewElements(list, keys)
			for _, k := range values {
				for _, l := range values {
					wanted := row(-1, k, l).(map[string]any)
					var want any
					for _, e := range list {
						obj, ok := e.(map[string]any)
						found := ok && len(keys) > 0
						for _, name := range keys {
							v, isScalar := wanted[name], false
							switch v.(type) {
							case string, bool, int64, float64:
								isScalar = true
							}
							found = found && isScalar && obj[name] == v
						}
						if found {
							want = e
							break
						}
					}
					have, ok := elements.Like(wanted)
					if ok != (want != nil) || !reflect.DeepEqual(have, want) {
						t.Fatalf("%d elements by %q: like %v there is %v, want %v", size, keys, wanted, have, want)
					}
				}
			}
			if have, ok := elements.Like("text"); ok {
				t.Errorf("a text is like %v", have)
			}
		}
	}
}

// A value replaces the one in the same place. What has no place, or replaces nothing, is left alone.
func TestValuesReplaceThoseInTheSamePlace(t *testing.T) {
	shape := &Shape{
		Names:  []string{"a", "z"},
		Fields: []ShapeField{{Name: "list", Shape: &Shape{}}, {Name: "map", Shape: &LeafMap}, {Name: "rows", Shape: &Shape{Items: &Shape{Names: []string{"k", "v"}}, Keys: []string{"k"}}}},
	}
	one, two := map[string]any{"k": "1", "v": int64(1)}, map[string]any{"k": "2", "v": int64(2)}
	obj := map[string]any{"a": "new", "u": "x", "list": []any{one}, "rows": []any{two, one, map[string]any{"k": "3"}, "x"}, "map": map[string]any{"m": "x"}}
	old := map[string]any{"a": "old", "u": "x", "list": []any{one}, "rows": []any{one, two}, "z": "x", "map": map[string]any{"m": "y", "n": "y"}}
	root := NewCorrelation(obj, old, shape)
	untouched := Correlation{is: "untouched"}
	for name, want := range map[string]bool{"a": true, "list": true, "rows": true, "map": true, "u": false, "z": false, "other": false} {
		field := untouched
		if got := root.Field(name, &field); got != want || want && (!reflect.DeepEqual(field.is, obj[name]) || !reflect.DeepEqual(field.was, old[name])) || !want && field.is != "untouched" {
			t.Errorf("%s: %t, %v", name, got, field)
		}
	}
	var rows, list, values, below Correlation
	if !root.Field("rows", &rows) || !root.Field("list", &list) || !root.Field("map", &values) {
		t.Fatal("a field replaces nothing")
	}
	for i, want := range []any{two, one, nil, nil} {
		element := untouched
		if got := rows.Element(i, &element); got != (want != nil) || got && (!reflect.DeepEqual(element.was, want) || !element.IsEqual()) || !got && element.is != "untouched" {
			t.Errorf("element %d: %t, %v", i, got, element)
		}
	}
	if list.Element(0, &below) || !list.IsEqual() || rows.IsEqual() {
		t.Error("the elements of a list without keys replace some")
	}
	if !values.Field("m", &below) || below.was != "y" || values.Field("n", &below) {
		t.Errorf("the keys of a map: %v", below)
	}
	wrong := NewCorrelation("x", []any{}, &Shape{Items: &Bare, Keys: []string{"k"}})
	if wrong.Field("a", &below) || wrong.Element(0, &below) {
		t.Error("a text has fields, or elements")
	}
	wrong = NewCorrelation([]any{one}, "x", &Shape{Items: &Bare, Keys: []string{"k"}})
	if wrong.Element(0, &below) {
		t.Error("an element replaces one of a text")
	}
}

func isCompound(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}
