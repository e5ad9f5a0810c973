package yamltext

import (
	"strings"
	"testing"
)

// A template action counts where YAML does not read it as text. Each text has a ^ before the first action that does.
func TestTemplateActions(t *testing.T) {
	for _, text := range []string{
		"a: ^{{ .x }}", "^{{ if .x }}\na: {{ .y }}", "a:\n  ^{{ .x }}", "^{% x %}", "a: ^{{", "a: [b, ^{{ x }}]", "a\t^{{ x }}",
		// Braces of YAML.
		"a: {b: {c: d}}", "a: { {b: c} }", "a: {", "{", "a: {b: c}\n%x",
		// In quotes, unless they end within the action.
		"a: '{{ .x }}'", `a: "{{ .x }}"`, "a: '{% x %}'", `a: '{{ .x | default "y" }}'`, `a: "^{{ .x | default "y" }}"`, "a: '^{{ 'x' }}'", `a: "{{ x`,
		`a: "{{ .x }} ^{{ "y" }}"`, "a: '{{ .x }}' ^{{ .y }}", "a: '{{ .x }}'^{{ .y }}", "a: '{{x}}{{y}}'", `a: "{{x}}"^{{y}}`, "['{{ x }}', ^{{ y }}]", "{'{{ x }}'}",
		`a: "\" {{ x }}"`, `a: "\\" ^{{ x }}`, `a: '\' ^{{ x }}`, "- '{{ x }}'", "? '{{ x }}'", "a, '{{ x }}'",
		// Quotes that are text.
		"a: it's ^{{ x }}", "a: b\" ^{{ x }}\"", "a: b ' ^{{ x }}'",
		// In comments.
		"# {{ x }}", "  # {{ x }}", "a: b # {{ x }}", "a: b\t# {{ x }}", "a: b#^{{ x }}", "a: '#' ^{{ x }}", "a: ' # {{ x }}'", "# {{ x }}\na: ^{{ y }}",
		// In block scalars.
		"a: |\n  {{ x }}\nb: c", "a: |\n  {{ x }}\n^{{ y }}", "a: >-2 # b\n\n   {{ x }}\nb: ^{{ x }}", "a: |\r\n  {{ x }}\r\n^{{ y }}", "a: !b &c |+\n {{ x }}\n",
		"  a: |\n   {{ x }}\n  ^{{ y }}", "a: |b\n  ^{{ x }}", "a|\n  ^{{ x }}", "a: 'b |'\n  ^{{ x }}", "|\n  {{ x }}", "? |\n  {{ x }}",
		"- a: |\n    {{ x }}\n  b: ^{{ y }}", "- a: |\n  ^{{ x }}", "- |\n {{ x }}\n^{{ y }}", "- - a: |\n     {{ x }}\n    ^{{ y }}", "-   a: |\n     {{ x }}\n    ^{{ y }}",
	} {
		want := strings.Index(text, "^")
		if have := findAction([]byte(strings.Replace(text, "^", "", 1))); have != want {
			t.Errorf("%q: the action is at %d, want %d", text, have, want)
		}
	}
}

// A long line is read once: these take hours if each of its dashes or braces takes another look at the rest.
func TestActionsAreFoundInLongLines(t *testing.T) {
	const n = 8 << 20
	for name, text := range map[string]string{
		"dashes": strings.Repeat("- ", n) + "a: |\n",
		"braces": `a: "` + strings.Repeat("{", n) + "\n",
	} {
		if at := findAction([]byte(text)); at >= 0 {
			t.Errorf("%s: an action at %d", name, at)
		}
		if at := findAction([]byte(text + "b: {{ x }}\n")); at != len(text)+3 {
			t.Errorf("%s: an action at %d of %d", name, at, len(text))
		}
	}
}
