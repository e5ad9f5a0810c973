package findings

import (
	"net/url"
	"testing"
)

func TestFileURI(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, want := range map[string]string{
		"a.yaml":          "a.yaml",
		"./b/../a.yaml":   "a.yaml",
		"a b%/c#d?.yaml":  "a%20b%25/c%23d%3F.yaml",
		"c:d.yaml":        "./c:d.yaml",
		"/etc/a b.yaml":   "file:///etc/a%20b.yaml",
		"x\n\x1b[31m.yml": "x%0A%1B%5B31m.yml",
		Stdin:             "stdin",
	} {
		got := fileURI(name)
		if got != want {
			t.Errorf("fileURI(%q) = %q, want %q", name, got, want)
		}
		if _, err := url.Parse(got); err != nil {
			t.Error(err)
		}
	}
}
