package yamltext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	k8syaml "sigs.k8s.io/yaml"
)

// wholeSource is a file that is parsed in one part.
func wholeSource(text string) (*source, part) {
	data := bytes.TrimPrefix([]byte(text), []byte("\ufeff")) // as Decode does
	src := newSource(data, nil)
	return src, part{text: data, line: 1}
}

// readYAML returns the first YAML document in text as JSON values.
func readYAML(text string) (value any, flawed bool, p *Problem) {
	src, in := wholeSource(text)
	docs, p := src.parseYAML(in)
	if len(docs) > 0 {
		return docs[0].Root.Value(), len(docs[0].Flaws) > 0, nil
	}
	return nil, false, p
}

// readAsKubernetes returns the first document in text the way Kubernetes reads manifests: converted to JSON, and from there
// to values in which integers are int64.
func readAsKubernetes(text string) (any, error) {
	data, err := k8syaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, err
	}
	return decodeJSON(data)
}

func decodeJSON(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, err
	}
	return convertNumbers(v), nil
}

func convertNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = convertNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = convertNumbers(v[k])
		}
	}
	return v
}

// awkwardYAML are documents that YAML 1.1 and YAML 1.2, or careless readers of either, understand differently.
var awkwardYAML = []string{
	"", "# nothing", "null", "~", "a:", "a: ~\nb: Null\nc: NULL\nd: null\ne: nUll",
	"[y, Y, yes, Yes, YES, yEs, true, True, TRUE, on, On, ON]",
	"[n, N, no, No, NO, false, False, FALSE, off, Off, OFF, oFF]",
	"['yes', \"no\", !!str yes, !!bool yes, !!bool 'no', ! yes]",
	"yes: 1\nno: 2", "on: 1", "off: {y: 1}", "y: 1\nn: 2",
	"1: a\n2.5: b\n0x10: c\n0o17: d\n1e3: e\n1e6: f\n.5: g\n-0: h\n1.0: i",
	"1_000: a\n.inf: b\n-.inf: c\n.nan: d\n+.Inf: e", "123456789.123: a", "1e40: a", "16777217.0: a",
	"2001-01-01: a\n2001-12-14t21:59:43.10-05:00: b",
	"null: a", "~: a", ": a", "18446744073709551615: a", "[a]: b", "{a: b}: c", "? a\n: b", "? [a]\n: b",
	"[0, 00, 07, 08, 0755, 0o755, 0b101, -0b101, 0b-1, 0x1F, -0x1f, 0xg, 1_000, 1__0, _1, 0_7, +5, -5, +-5]",
	"[1.0, 1., .5, 1.5, 1e3, 1E3, 1e+3, 1e-3, -1.5, 1.5e300, 1e400, -1e400, 1e20, 1e21, 1e22, 0.1, 1e-7, -0.0, 0.0]",
	"[9223372036854775807, 9223372036854775808, 18446744073709551615, 18446744073709551616, -9223372036854775808,\n" +
		" -9223372036854775809, 9007199254740993, 9223372036854775807.0, 9223372036854774784.0, -9223372036854775808.0]",
	"[1:30, 190:20:30, 1.2.3, 1e, e1, 0x, 0b, 0b2, ., .., .e1, .1e, -., +, -]", "[.inf]", "[-.INF]", "[.NaN]", "[.Nan]",
	"[2001-01-01, 2001-1-1, 2001-12-14t21:59:43.10-05:00, 2001-12-14 21:59:43.10, 2001-13-01, 2001-01-01x]",
	"[!!int 5, !!int '5', !!int 0755, !!float 5, !!float '1e3', !!null '', !!str 5, !!str null, !!binary aGk=, !foo 5]",
	"!!int 5.5", "!!int x", "!!bool 1", "!!float x", "!!float 18446744073709551615", "!!null x", "!!null", "!!int",
	"!!timestamp 2001-01-01", "!!timestamp x", "!!timestamp '2001-01-01'", "!!int 2001-01-01", "!!binary '%'",
	"!!binary gIA=", "!!binary ''", "!!binary \"aG\\nk=\"", "!!map {a: 1}", "!!seq [1]", "!!set {a, b}", "!!omap [a: 1]",
	"!!str\na: b", "!!int {a: b}", "!<tag:yaml.org,2002:int> '7'", "%TAG !e! tag:yaml.org,2002:\n---\n!e!int '7'",
	"a: &x 1\nb: *x", "a: &x {b: 1}\nc: *x\nd: [*x, *x]", "a: &x 1\nb: *x\nc: &x 2\nd: *x", "&k a: *k", "? &k a\n: *k",
	"a: &x [*x]", "a: &x {b: *x}", "a: *x", "&a [1, *a]", "a: &x\nb: *x", "- &x yes\n- *x\n- {*x : 1}",
	"a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3", "a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x",
	"a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne:\n  <<: [*x, *y]", "<<: {a: 1}\nb: 2", "<<: [{a: 1}, {a: 2, b: 3}]",
	"a: &x {b: 1}\nc: &y {<<: *x, d: 2}\ne: {<<: *y, f: 3}", "a: &x [1]\nb: {<<: *x}", "<<: 1", "<<: [1]", "<<:", "<<: null",
	"'<<': {a: 1}", "\"<<\": 1", "!!str <<: {a: 1}", "!!merge <<: {a: 1}", "a: <<", "- <<", "? <<\n: {a: 1}",
	"<<: {a: 1}\n<<: {a: 2, b: 3}", "<<: {a: {x: 1}}\na: {y: 2}", "a: &m {<<: {b: 1}, c: 2}\nd: {<<: *m, <<: {e: 3}}",
	"a: |\n  b\n   c\n\n\nd: |-\n  e\n\nf: |+\n  g\n\nh: >\n  i\n  j\n\n  k\n   l\n", "a: |2\n   b\n", "- |\n yes\n- >-\n 5",
	"'it''s'", `"\x41\u00e9\U0001F600\n\t\/\e\_\N\L\P"`, "\"a\n  b\n\n  c\"", "'a\n  b\n\n  c'", "a\n  b\n\n  c",
	"a: b # c\n# d\ne: 'f # g'", "a: b#c", "{a: b, c, d: , e}", "[a: b, {c: d}, e]", "{a: [b, {c: [d]}], }", "[]", "{}", "[a, ]",
	"{a: 1,}", "{\"a\":1}", "{\"a\": \"b\", 'c': d}", "{a : 1}", "{a:1}", "[a:1]", "{? a : b}",
	"---\na: 1\n", "a: 1\n...\n", "%YAML 1.1\n---\na: 1", "--- a", "--- |\n  a\n", "---\n---\na: 1", "--- # c\na: 1",
	"\ufeffa: 1", "\ufeff!", "a: \u2028b", "!\u2028", "&a ! yes", "[&a yes, ! x, {*a : 1}]", "[! x, &a 1.0, {*a : *a }, ! y]", "[{&a .inf: 1}, {*a : 2}]", "[{&a .inf: 1}, *a]", "! &a yes", "a: ! 5\nb: 5", "[! 5, ! , x! , 5]", "a: \u0085b", "a:\r\n  b: 1\r\n", "a: 1\rb: 2\r", "é: ü\n😀: 1", "a: \"\\ud83d\\ude00\"",
	"- - a\n  - b\n-\n  - c\n- d: 1\n  e: 2", "a:\n- b\n- c\nd: e", "a:\n    b:\n     c: 1\n     d: 2", "-\n-\n- a",
	"\"a\": 1\n'b': 2\n\"on\": 3\n'1': 4", "a: !!str\nb: !!str ''", "\"\": 1\n'a b': 2", "a: 'x'\n\n\n\nb: \"y\"   \n",
	"a: -\n", "a: - b", "a: b: c", "a:\n\tb: 1", "@a", "`a`", "%a", "a: [", "a: 'b", "{a: b", "- a\nb: c", "a\nb: c", "a: b\n  c: d",
	"&a", "*a", "!", "!!", "|", ">", "?", ":", "-", "'", "\"", "[", "]", "{", "}", ",", "#", "&", "*", "%", "@", "`", "--", "---", "...",
}

func TestYAMLReadsAsKubernetesDoes(t *testing.T) {
	for _, text := range awkwardYAML {
		compareWithKubernetes(t, text)
	}
}

// compareWithKubernetes fails where we and Kubernetes read text differently.
func compareWithKubernetes(t *testing.T, text string) {
	t.Helper()
	got, flawed, p := readYAML(text)
	want, err := readAsKubernetes(text)
	switch {
	case flawed:
		// Kubernetes takes one of duplicate keys, we take none. Both take the last of merge keys.
		return
	case err != nil:
		if p == nil {
			t.Errorf("%q: read as %#v, Kubernetes refuses it: %v", text, got, err)
		}
	case p != nil:
		t.Errorf("%q: refused: %s; Kubernetes reads %#v", text, p.Message, want)
	case !equalValues(got, want):
		t.Errorf("%q: read as %#v, Kubernetes reads %#v", text, got, want)
	}
}

// equalValues compares JSON values; -0 and 0 are different floats only.
func equalValues(a, b any) bool {
	if x, ok := a.(float64); ok {
		y, ok := b.(float64)
		return ok && math.Float64bits(x) == math.Float64bits(y)
	}
	return reflect.DeepEqual(a, b)
}

func TestMergeKeyAfterTheKeyItReplacesWins(t *testing.T) {
	text := "a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x"
	got, flawed, _ := readYAML(text)
	want, err := readAsKubernetes(text)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read as %v, Kubernetes reads %v, %v", got, want, err)
	}
	if !flawed {
		t.Error("nothing is said about the key that was replaced")
	}
}

func FuzzYAMLReadsAsKubernetesDoes(f *testing.F) {
	for _, text := range awkwardYAML {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, _, p := readYAML(text)
		if p != nil && p.syntax {
			// The parser of Kubernetes stops after the first document and never sees what is wrong further on.
			return
		}
		if _, err := readAsKubernetes(text); p == nil && err != nil && strings.Contains(err.Error(), "yaml: line ") {
			// It is stricter about tabs in places where they do not matter.
			return
		}
		compareWithKubernetes(t, text)
	})
}

// What is decided without the parser is what the parser says.
func TestPlainScalarsAreWhatTheParserReads(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	starts := []string{"", "-", "+", ".", "0x", "0b", "0o", "0", "2001-1-", "1_", "9007199254740993", "18446744073709551615", "1.5", "-0.0", "10.0.", "100"}
	const characters = "00112345678999abcdefxXobBeE...--++__:/%gmMisTZ"
	decided := map[string]int{}
	for range 40_000 {
		text := starts[random.IntN(len(starts))]
		for range random.IntN(8) {
			text += string(characters[random.IntN(len(characters))])
		}
		for _, as := range []role{roleValue, roleKey} {
			v, ok := readPlain(text, as)
			if !ok {
				continue
			}
			decided[fmt.Sprintf("%T %d", v, as)]++
			want, err := any(text), error(nil)
			if q := question(&yaml.Node{Kind: yaml.ScalarNode, Value: text}, as); maybeNoString(text) {
				want, err = ask(q)
			}
			if err != nil || !reflect.DeepEqual(v, want) {
				t.Fatalf("%q as %d: got %T %v, want %T %v, %v", text, as, v, v, want, want, err)
			}
		}
	}
	for _, kind := range []string{"int64 0", "float64 0", "string 0", "string 1"} {
		if decided[kind] < 500 {
			t.Errorf("decided: %v", decided)
		}
	}
}
