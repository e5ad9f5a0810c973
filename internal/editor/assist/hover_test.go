package assist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/editor/assist"
)

func TestHover(t *testing.T) {
	s := catalog(t, crd)
	for _, c := range []struct{ text, want string }{
		{head + "spec:\n  ima|ge: x", "`spec.image`: `string`\n\n- required\n- maxLength 20\n\nThe image, as `name:tag`. \\<script\\> \\[x\\](command:y)\n"},
		{head + "spec:\n  image: |x", "`spec.image`: `string`\n\n- required\n- maxLength 20\n\nThe image, as `name:tag`. \\<script\\> \\[x\\](command:y)\n"},
		{head + "sp|ec:\n  image: x", "`spec`: `object`\n\n- required\n- rule `self.replicas < 9`: not more than eight\n- rule `self.replicas > 0`\n"},
		{head + "spec:\n  ports:\n  - protocol: T|CP", "`spec.ports[0].protocol`: `string`\n\n- one of \"TCP\", \"UDP\"\n"},
		{"apiVersion: example.com/v1\nkind: Ap|p", "**App** `apps.example.com`\n\n- namespaced\n- `example.com/v1`: served, stored, this one\n- `example.com/v1beta1`: served, deprecated\n\nAn App.\n"},
		{"apiVersion: example.com/v1beta1|\nkind: App", "**App** `apps.example.com`\n\n- namespaced\n- `example.com/v1`: served, stored\n- `example.com/v1beta1`: served, deprecated, this one\n\nexample.com/v1beta1 App is deprecated; use example.com/v1 App\n"},
		{strings.Replace(head, "na", "n|a", 1), "`metadata.name`: `string`\n\n- required unless generateName is set; never changes\n"},
		{head + "spec:\n  labels:\n    a.b/c|: x", "`spec.labels.a.b/c`: `string`\n\n"},
		{head + "spec:\n  oth|er: x", ""},
		{"kind: Oth|er", ""},
		{head + "spec: # ima|ge\n", ""},
	} {
		at := strings.Index(c.text, "|")
		have, start, end, ok := assist.Hover(s, []byte(c.text[:at]+c.text[at+1:]), at)
		if have != c.want || ok != (c.want != "") || ok && (start > at || end < at) {
			t.Errorf("%q:\n%q, want\n%q", c.text, have, c.want)
		}
	}
}

func TestMarkdownOfAnyTextIsText(t *testing.T) {
	for text, want := range map[string]string{
		"a `b_c` d_e":           "a `b_c` d\\_e",
		"one ` two":             "one \\` two",
		"``x``":                 "\\`\\`x\\`\\`",
		"<b>&lt;":               "\\<b\\>\\&lt;",
		"![a](b) <command:x>":   "\\!\\[a\\](b) \\<command:x\\>",
		"[a]: command:x":        "\\[a\\]: command:x",
		"        indented\n# h": "   indented\n\\# h",
		"a\x1b[31m\u202eb":      "a\\[31mb",
	} {
		s := catalog(t, strings.Replace(crd, "maxLength: 20, description: ", fmt.Sprintf("description: %q, x: ", text), 1))
		object := head + "spec:\n  image: x"
		have, _, _, _ := assist.Hover(s, []byte(object), len(object)-1)
		if want = "`spec.image`: `string`\n\n- required\n\n" + want + "\n"; have != want {
			t.Errorf("%q: %q, want %q", text, have, want)
		}
	}
}

func TestDefinition(t *testing.T) {
	s := catalog(t, crd)
	const schema = "spec.versions[0].schema.openAPIV3Schema."
	for _, c := range []struct {
		text, want string
		line       int
	}{
		{head + "spec:\n  ima|ge: x", schema + "properties.spec.properties.image", 26},
		{head + "spec:\n  image: x|", schema + "properties.spec.properties.image", 26},
		{head + "spec:\n  ports:\n  - na|me: x", schema + "properties.spec.properties.ports.items.properties.name", 41},
		{head + "spec:\n  labels:\n    x: |y", schema + "properties.spec.properties.labels.additionalProperties", 32},
		{"apiVersion: example.com/v1\nkind: Ap|p", "spec.names.kind", 7},
		{"apiVersion: example.com/v1beta1|\nkind: App", "spec.versions[1].name", 45},
		{"kind: Ap|p", "", 0},
	} {
		at := strings.Index(c.text, "|")
		crd, path, ok := assist.Definition(s, []byte(c.text[:at]+c.text[at+1:]), at)
		if ok != (c.want != "") || path.String() != c.want {
			t.Errorf("%q: %s, want %s", c.text, path, c.want)
		} else if ok && crd.Locate(path).Line != c.line {
			t.Errorf("%q: line %d, want %d", c.text, crd.Locate(path).Line, c.line)
		}
	}
}
