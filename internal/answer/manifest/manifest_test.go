package manifest_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// objects returns the objects of a text.
func objectsIn(t *testing.T, data string) []manifest.Object {
	t.Helper()
	var all []manifest.Object
	yamltext.Parse([]byte(data), func(doc *yamltext.Document) {
		objects.InDocument(doc, nil, func(o manifest.Object) { all = append(all, o) }, func(n *yamltext.Node) { t.Errorf("%s is not an object", n.Describe()) })
	}, func(p *yamltext.Problem) { t.Error(p.Message) })
	return all
}

func TestJSONEndsWithTheKeyThatCounts(t *testing.T) {
	for _, data := range []string{"a: 1\nb: {c: 1, d: 2, c: 3}\na: {e: 1, e: 2}\n", `{"a": 1, "b": {"c": 1, "d": 2, "c": 3}, "a": {"e": 1, "e": 2}}`} {
		o := objectsIn(t, data)[0]
		const want = `{"a":1,"a":{"e":1,"e":2},"b":{"c":1,"c":3,"d":2}}`
		if have, ok := o.JSON(1000); !ok || string(have) != want {
			t.Errorf("%s, want %s", have, want)
		}
		var paths []string
		for _, d := range o.Duplicates() {
			paths = append(paths, d.Path.Dotted())
		}
		if have := strings.Join(paths, " "); have != "b.c a a.e" {
			t.Errorf("duplicates %s", have)
		}
	}
}

func TestJSONEndsAtItsLimit(t *testing.T) {
	const size = len(`{"a":"","b":[]}`) + 51*100 + 50*len(`"",`) - 1
	o := objectsIn(t, "a: &a "+strings.Repeat("x", 100)+"\nb: ["+strings.Repeat("*a, ", 50)+"]\n")[0]
	if data, ok := o.JSON(10_000); !ok || len(data) != size {
		t.Errorf("%d bytes, want %d, %t", len(data), size, ok)
	}
	if data, ok := o.JSON(200); ok || len(data) > 500 {
		t.Errorf("%d bytes, %t", len(data), ok)
	}
}

func TestAKindThatEndsInListIsNotAList(t *testing.T) {
	const data = "apiVersion: v1\nkind: AllowList\nitems: [{a: 1}, {a: 2}]\n"
	for known, want := range map[bool]int{true: 1, false: 2} {
		n := 0
		yamltext.Parse([]byte(data), func(doc *yamltext.Document) {
			objects.InDocument(doc, func(apiVersion, kind string) bool { return known }, func(manifest.Object) { n++ }, func(*yamltext.Node) { t.Error("not an object") })
		}, func(p *yamltext.Problem) { t.Error(p.Message) })
		if n != want {
			t.Errorf("%d objects, want %d", n, want)
		}
	}
}

// Objects are named up to the length that names can have.
func TestNamesOfObjectsAreShort(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, test := range []struct{ kind, namespace, name, want string }{
		{"Thing", "", "", "Thing"}, {"Thing", "", "a", "Thing a"}, {"Thing", "b", "a", "Thing b/a"}, {"", "", "a", "a"},
		{x(63), x(63), x(253), x(63) + " " + x(63) + "/" + x(253)},
		{x(63), x(63), x(254), x(60) + "..."},
		{x(1 << 20), "", "a", x(60) + "..."},
		{"Thing", "", x(1 << 20), "Thing " + x(54) + "..."},
	} {
		var root *yamltext.Node
		yamltext.Parse([]byte("{metadata: {namespace: \""+test.namespace+"\", name: \""+test.name+"\"}}"), func(d *yamltext.Document) { root = d.Root }, func(p *yamltext.Problem) { t.Fatal(p.Message) })
		if have := (manifest.Object{Kind: test.kind, Node: root}).String(); have != test.want {
			t.Errorf("%.200s, want %.200s", have, test.want)
		}
	}
}
