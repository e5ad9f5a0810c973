// Package crdtest makes CRDs for tests.
package crdtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/structural"
)

// Manifest returns the text of a CRD with one version and the given schema.
func Manifest(kind, schema string) string {
	plural := strings.ToLower(kind) + "s"
	return fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[2]s.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: %[1]s, plural: %[2]s}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
%[3]s`, kind, plural, Indent(schema, 8))
}

// ManifestV1beta1 returns the text of a v1beta1 CRD that prunes or does not.
func ManifestV1beta1(kind string, preserve bool, schema string) string {
	plural := strings.ToLower(kind) + "s"
	return fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: %[2]s.example.com}
spec:
  group: example.com
  version: v1
  names: {kind: %[1]s, plural: %[2]s}
  preserveUnknownFields: %[4]t
  validation:
    openAPIV3Schema:
%[3]s`, kind, plural, Indent(schema, 6), preserve)
}

// Indent moves each line of text to the right.
func Indent(text string, n int) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		b.WriteString(strings.Repeat(" ", n) + strings.ReplaceAll(line, "\t", "  "))
	}
	return b.String()
}

// Load returns the CRDs in the texts.
func Load(t testing.TB, texts ...string) []*structural.CRD {
	t.Helper()
	var all []*structural.CRD
	for i, text := range texts {
		f := crdread.Load(fmt.Sprintf("crd%d.yaml", i), strings.NewReader(text))
		if len(f.Findings) > 0 || len(f.CRDs) == 0 {
			t.Fatalf("the CRD does not load: %+v\n%s", f.Findings, text)
		}
		all = append(all, f.CRDs...)
	}
	return all
}

// Hostile returns names that try to break out of the place where they are written.
func Hostile() []string {
	return []string{
		"", " ", "_", "-", ".", "..", "/", "../../etc/passwd", `..\..\evil`, "a/b", "/abs",
		`"`, `\`, `\"`, "`", "'", `"); os.Exit(1); ("`, "` + evil() + `",
		"\n", "\r", "\r\n", "\x00", "\x1b[31m", "\x7f", "\ufeff", "\u2028", "\u2029", "\u0085", "\u00a0",
		"\u202e\u2066evil\u2069", "\ufffd", "\xff", "\xc3\x28", "a\xffb", "\U0001f4a9", "\u0301", "ﬁ", "ǅ", "ß", "İ", "ı",
		"// x", "/* x", "*/", "*/ func init() { panic(1) } /*", "\nfunc init() { panic(1) }\n//",
		"//go:build ignore", "//go:linkname a b", "//go:embed *", "//line evil.go:1", "/*line evil.go:1*/", "//export x", "+build ignore",
		"import \"C\"", "#cgo LDFLAGS: -lm", "package evil", "func", "type", "nil", "true", "any", "string", "len", "delete", "append",
		"v", "n", "k", "i", "ok", "obj", "rec", "known", "list", "prunert", "init", "main", "Resource", "Prune", "Check", "Report",
		"constructor", "__proto__", "$ref", "$(id)", "${jndi:ldap://x}", "{{.}}", "%s%n%d", "%!s(MISSING)",
		"9", "٣", "世界", "日本語", "eval\u200b", "a\u200db", "\U000e0041",
	}
}

// CompareText compares texts, ignoring the white space around them.
func CompareText(t testing.TB, got, want string) {
	t.Helper()
	got, want = strings.TrimSpace(got), strings.TrimSpace(want)
	if got != want {
		t.Errorf("have\n%s\nwant\n%s", got, want)
	}
}
