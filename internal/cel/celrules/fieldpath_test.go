package celrules

import (
	"slices"
	"strings"
	"testing"
)

func TestFollowFieldPath(t *testing.T) {
	for _, c := range []struct{ path, names, err string }{
		{"", "", ""},
		{".a", "a", ""},
		{".abc.def['ghi'].jkl", "abc|def|ghi|jkl", ""},
		{"abc", "", "expected [ or . but got: abc"},
		{"]", "", "expected [ or . but got: ]"},
		{".a]", "a", "expected [ or . but got: ]"},
		{".a[abc]", "a", "expected single quoted string but got abc"},
		{"..a", ".", "expected [ or . but got: a"},
		{".a['']", "a|", ""},
		{".a['b'].", "a|b", "unexpected end of JSON path"},
		{".a.b['c d'].e", "a|b|c d|e", ""},
		{"['a']['b']", "a|b", ""},
		{`['\a\b\f\n\r\t\v\'\\x']`, "\a\b\f\n\r\t\v'\\x", ""},
		{"a", "", "expected [ or . but got: a"},
		{".", "", "unexpected end of JSON path"},
		{".a.", "a", "unexpected end of JSON path"},
		{".a[", "a", "unexpected end of JSON path"},
		{".a['", "a", "expected single quoted string but got '"},
		{".a['b", "a", "expected single quoted string but got 'b"},
		{".a[b']", "a", "expected single quoted string but got b'"},
		{".a[0]", "a", "expected single quoted string but got 0"},
		{".a['b'", "a|b", "unexpected end of JSON path"},
		{".a['b'x", "a|b", "expected ] but got x"},
		{`.a['\q']`, "a", `invalid string literal: invalid escape char \q`},
		{`.a['b\']`, "a", `expected single quoted string but got 'b\']`},
	} {
		var names []string
		err := followFieldPath(c.path, WithBrackets, func(name string) error {
			names = append(names, name)
			return nil
		})
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got := strings.Join(names, "|"); got != c.names || text != c.err {
			t.Errorf("%s: got %q, %q, want %q, %q", c.path, got, text, c.names, c.err)
		}
	}
	var names []string
	err := followFieldPath(".a['b']", WithoutBrackets, func(name string) error {
		names = append(names, name)
		return nil
	})
	if err == nil || err.Error() != "array notation is not allowed" || !slices.Equal(names, []string{"a"}) {
		t.Errorf("got %q, %v", names, err)
	}
	for _, path := range []string{".a.b", "['a'].b"} {
		n := 0
		err := followFieldPath(path, WithBrackets, func(string) error { n++; return errNoField })
		if err != errNoField || n != 1 {
			t.Errorf("%s: got %v after %d steps", path, err, n)
		}
	}
}
