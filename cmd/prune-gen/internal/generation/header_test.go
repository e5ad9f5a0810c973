package generation

import (
	"strings"
	"testing"
)

func TestHeaderBecomesAComment(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"\n \n":                             "",
		"Copyright Example\n":               "// Copyright Example",
		"\n\nCopyright\n\nAll  rights.\n\n": "// Copyright\n//\n// All  rights.",
		"// Copyright\n// Example\n":        "// Copyright\n// Example",
		"// One\n\n//Two\n":                 "// One\n\n//Two",
		"/*\nCopyright\n*/\n":               "/*\nCopyright\n*/",
		"/* Copyright */":                   "/* Copyright */",
		"/* a // b */ \n":                   "/* a // b */",
		"\ufeffCopyright\r\nExample\r\n":    "// Copyright\n// Example",
		"ends */ a comment":                 "// ends */ a comment",
		"// ends */ a comment":              "// ends */ a comment",
		"© Élan 2026\tall":                  "// © Élan 2026\tall",
		"go:build linux":                    "// go:build linux",
		" // indented":                      "// indented",
	} {
		if got, err := headerComment(text); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestHeaderThatIsMoreThanACommentIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"/* a */ func init() {} /* b */": "only Go comments are allowed",
		"/* a */\nfunc init() {}":        "only Go comments are allowed",
		"/* a":                           "only Go comments are allowed",
		"/*/":                            "only Go comments are allowed",
		"/* a */ */":                     "only Go comments are allowed",
		"/*line x.go:1*/":                "is a directive, not a comment",
		"// a\n//go:build linux":         `"//go:build linux" is a directive, not a comment`,
		"// +build linux":                "is a directive, not a comment",
		"// a\n\n//line x.go:1":          `"//line x.go:1" is a directive`,
		"//go:generate rm -rf /":         "is a directive, not a comment",
		"+build linux\n":                 `"// +build linux" is a directive`,
		"a\n+build linux\n":              `"// +build linux" is a directive`,
		"a\x00b":                         "line 1 has the character U+0000",
		"a\nb\x1b[31m":                   "line 2 has the character U+001B",
		"a\rfunc init() {}":              "line 1 has the character U+000D",
		"a\u2028b":                       "line 1 has the character U+2028",
		"a\u202eb":                       "line 1 has the character U+202E",
		"a\xff":                          "line 1 has the character U+FFFD",
		"// a\n" + "x\ufeff":             "U+FEFF",
	} {
		if got, err := headerComment(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want %s", text, got, err, want)
		}
	}
}
