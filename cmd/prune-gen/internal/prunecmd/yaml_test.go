package prunecmd

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"sigs.k8s.io/yaml"
)

// Documents are written as Kubernetes' package for YAML writes them.
func TestYAMLIsWrittenAsByKubernetes(t *testing.T) {
	var values []any
	for _, f := range []float64{0, 0.5, 1, 7, 999999, 1e6, 12345678, 1e15, 1 << 53, 1e18, 1<<63 - 1024, 1 << 63, 1<<63 + 2048, 1<<64 - 2048, 1 << 64, 1e19, 1e20, 1e21, 1e22, 1e100,
		1e-5, 1e-6, 1e-7, 1.5e-9, 0.1, 1.25, 123456.5, 1234567.5, 1e6 + 0.5, 1.5e20, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		values = append(values, f, -f, map[string]any{"a": []any{f, -f}})
	}
	for _, n := range []int64{0, 1, -1, 1000000, math.MaxInt64, math.MinInt64} {
		values = append(values, n)
	}
	for _, s := range []string{"", " ", "a", "1", "1.0", "1e6", "0x10", "010", "1_000", "yes", "no", "on", "off", "y", "n", "true", "null", "~", ".inf", ".nan", "<<", "=", "-", "- a", "a: b", "a #b", "#a",
		"2001-01-01", "2001-01-01T00:00:00Z", "12:30:45", "a\nb", "a\nb\n", "\na", " a\nb", "a\tb", "\t", "\x00", "\x01", "\x7f", "\u0085", "\u2028", "\ufeff", "ü", "\U0001f600", "<&>", `"`, "'", `\`, "*a", "&a",
		"!a", "%a", "@a", "`a", "{", "[", "a,b", "? a", strings.Repeat("word ", 50), strings.Repeat("x", 300), "a  b", "a ", "\r", "a\r\nb"} {
		values = append(values, s, map[string]any{s: s}, []any{s, []any{s}})
	}
	keys := map[string]any{}
	for _, k := range []string{"a", "B", "b10", "b9", "b", "a.b", "a-b", "1", "10", "2", "", "_", "Z", "é", "a1b2", "a1b10"} {
		keys[k] = map[string]any{k: []any{}}
	}
	values = append(values, nil, true, false, []any{}, map[string]any{}, []any{nil, []any{}, map[string]any{}}, map[string]any{"a": nil}, keys,
		map[string]any{"a": []any{map[string]any{"b": 1.0, "c": []any{[]any{1e7}}}}})
	for _, v := range values {
		said := fmt.Sprintf("%#v", v) // before it is changed
		want, err := yaml.Marshal(v)
		have, ours := marshalYAML(v)
		switch {
		case ours != nil:
			t.Errorf("%s: %v", said, ours)
		case strings.Contains(said, `\x7f`) || strings.Contains(said, `\u0085`): // what it has written means something else to it
			if back := readBack(have); !reflect.DeepEqual(back, v) {
				t.Errorf("%s: %q means %#v", said, have, back)
			}
		case err != nil || string(have) != string(want):
			t.Errorf("%s: %q, want %q, %v", said, have, want, err)
		}
	}
}

// readBack returns the value of a document.
func readBack(document []byte) (value any) {
	yamltext.Parse(document, func(d *yamltext.Document) { value = d.Root.Value() }, func(p *yamltext.Problem) { value = p })
	return value
}
