package manifest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

func TestHostileManifestsAreBounded(t *testing.T) {
	big := strings.Repeat("x", 100_000)
	var laughs strings.Builder
	laughs.WriteString("a: &a [x, x]\n")
	for c := 'b'; c < 'z'; c++ {
		fmt.Fprintf(&laughs, "%c: &%c [*%c, *%c, *%c]\n", c, c, c-1, c-1, c-1)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"a large object":         {head + "spec: {image: " + strings.Repeat("x", 3<<20) + "}\n", "1:1 error object/too-large Request entity too large: limit is 3145728"},
		"aliases of a text":      {head + "spec: {image: &a " + big + ", labels: {" + aliases(500) + "}}\n", "1:1 error object/too-large Request entity too large: limit is 3145728"},
		"more aliases of a text": {head + "spec: {image: &a " + big + ", labels: {" + aliases(1000) + "}}\n", "1:1 error object/too-large Request entity too large: limit is 3145728"},
		"aliases of aliases":     {head + laughs.String(), "error text/too-large too large: the run exceeds the limit of 20000000 units of work"},
		"depth":                  {head + "spec: " + strings.Repeat("[", 600) + strings.Repeat("]", 600), "error text/too-deep nested more than 512 levels deep"},
		"a large file":           {strings.Repeat("#", 64<<20+1), "error text/too-large too large: the run exceeds the limit of 64 MiB"},
		"many errors":            {head + "spec: {image: x, labels: {" + numbered(5000) + "}}\n", "crd/more-findings only the first 1000 findings about this file are shown"},
	} {
		t.Run(name, func(t *testing.T) {
			found, _ := ask(newServer(t, crd), tt.text, manifest.Warn)
			if len(found) == 0 || !strings.Contains(found[len(found)-1], tt.want) {
				t.Errorf("%d findings, the last is %.300q, want %q", len(found), slices.Concat(found, []string{""})[max(0, len(found)-1)], tt.want)
			}
		})
	}
}

func TestExceededLimitsAreSaidOnce(t *testing.T) {
	object := `{"apiVersion": "example.com/v1", "kind": "App", "metadata": {"name": "a"}, "spec": {"image": 1, "a` + strings.Repeat("b", 100) + `": 1}}` + "\n"
	for name, text := range map[string]string{
		"JSON": strings.Repeat(object, 10), "YAML": strings.Repeat("---\n"+object, 10), "a list": `{"apiVersion": "v1", "kind": "List", "items": [` + strings.TrimSuffix(strings.Repeat(object+",", 10), ",") + "]}",
		"not objects": strings.Repeat("{}\n", 100) + object,
	} {
		spent := map[bool]int{}
		for left := 0; left < 40_000; left += 307 {
			m := meter.New(1)
			s := meteredServer(t, m, crd)
			m.Spend(meter.Work - left)
			file := manifest.Read(objects.NewText("f", []byte(text)), func(o manifest.Object) []structural.Finding { return s.Answer(o, manifest.Warn).Findings }, s)
			saidOnce(t, fmt.Sprintf("%s with %d units", name, left), m, file)
			spent[m.Spent()]++

			m = meter.New(1)
			s = meteredServer(t, m, crd)
			m.Spend(meter.Work - left)
			saidOnce(t, fmt.Sprintf("%s with %d units, to be printed", name, left), m, s.Normalize(objects.NewText("f", []byte(text))).File)
		}
		if spent[true] < 5 || spent[false] < 5 {
			t.Errorf("%s: %v", name, spent)
		}
	}
}

// saidOnce fails the test unless a file has one finding that a limit is exceeded, if it is.
func saidOnce(t *testing.T, what string, m *meter.Meter, file manifest.File) {
	t.Helper()
	said := 0
	for _, f := range file.Findings {
		if f.ID == yamltext.IDTooLarge {
			said++
		}
	}
	if (said == 1) != m.Spent() || said > 1 {
		t.Errorf("%s: spent %t, said %d times", what, m.Spent(), said)
	}
}

func aliases(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: *a, ", i)
	}
	return b.String()
}
