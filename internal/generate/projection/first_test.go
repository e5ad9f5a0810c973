package projection

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/prune-gen/prune-gen/internal/generate/keeplist"
	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// module writes the stubs of testdata/first.txt and other files, and returns their directory.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/first.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Each case is the body of a function in a package of its own. What is wanted are fields, and the comments without their places.
func TestFirstLists(t *testing.T) {
	testsize.NotShort(t)
	const none = "the packages use no objects"
	cases := []struct{ name, body, want string }{
		{"nothing", ``, none},
		{"a field", `use(thing.Spec.Node)`, "spec.nodeName"},
		{"a field that has no JSON form of its own", `use(thing.Status.Phase)`, "status.Phase"},
		{"a field that is assigned", `thing.Spec.Node = "a"`, "spec.nodeName"},
		{"parentheses, pointers and addresses", `use((*thing).Spec.Ptr.Size, &(thing.Spec).Ptr.Image)`, "spec.ptr.image spec.ptr.size"},
		{"a field of an embedded struct", `use(thing.Labels["a"], thing.Spec.Image, thing.Paused)`, "metadata.labels paused spec.image"},
		{"embedded structs", `use(thing.ObjectMeta, thing.TypeMeta, thing.Common)`, "metadata paused reason"},
		{"what is always kept", `use(thing.Name, thing.Kind, thing.GetName(), thing.OwnerReferences[0].Name)`, none},
		{"accessors", `use(thing.GetLabels(), thing.ObjectMeta.GetAnnotations())`, "metadata.annotations metadata.labels"},
		{"an accessor that sets", `thing.SetLabels(nil); thing.SetKind("a")`, "metadata.labels"},
		{"the interface of metadata", `use(thing.GetObjectMeta())`, "metadata"},
		{"an element", `use(thing.Spec.List[0].Image, thing.Spec.Parts["a"].Inner[1].X)`, "spec.list[].image spec.parts[*].inner[].X"},
		{"an element of strings", `use(thing.Spec.Tags[0])`, "spec.tags"},
		{"a range", `for _, part := range thing.Spec.List { use(part.Image) }`, "spec.list[].image"},
		{"a range of a range", `for _, part := range thing.Spec.Parts { for _, leaf := range part.Inner { use(leaf.Y) } }`, "spec.parts[*].inner[].Y"},
		{"a range of indexes", `for i := range thing.Spec.List { use(thing.Spec.List[i].Image) }`, "spec.list[].image"},
		{"a range of which nothing is used", `for range thing.Spec.List { }; for _, _ = range thing.Spec.Parts { }`, "spec.list spec.parts[*]"},
		{"a range of strings", `for _, tag := range thing.Spec.Tags { use(tag) }`, "spec.tags"},
		{"a length", `use(len(thing.Spec.List) > 0)`, "spec.list"},
		{"a length beside an element", `use(len(thing.Spec.List) > 0, thing.Spec.List[0].Image)`, "spec.list[].image"},
		{"a nil pointer", `use(thing.Spec.Ptr != nil)`, "spec.ptr"},
		{"a nil pointer beside a field", `if thing.Spec.Ptr != nil { use(thing.Spec.Ptr.Image) }`, "spec.ptr.image"},
		{"a part in a variable", `spec := thing.Spec; ptr := &spec.Parts; use((*ptr)["a"].Image)`, "spec.parts[*].image"},
		{"a part in a variable that is passed on", `spec := &thing.Spec; use(spec)`, "spec"},
		{"a string in a variable", `node := thing.Spec.Node; use(node)`, "spec.nodeName"},
		{"a part that is passed on", `use(thing.Spec.List)`, "spec.list"},
		{"a method of a part", `use(thing.Spec.Check())`, "spec"},
		{"an object in a list", `var list api.ThingList; for _, item := range list.Items { use(item.Spec.Node) }; use(list.Items[0].Spec.Tags)`, "spec.nodeName spec.tags"},
		{"objects in a map", `var all map[string]*api.Thing; use(all["a"].Spec.Node)`, "spec.nodeName"},
		{"an object in a struct", `w := wrapper{}; use(w.Spec.Node, w.Thing.Spec.Tags)`, "spec.nodeName spec.tags"},
		{"an object of a call", `use(thing.DeepCopy().Spec.Node)`, "spec.nodeName"},
		{"an object of an assertion", `var o any; if thing, ok := o.(*api.Thing); ok { use(thing.Spec.Node) }`, "spec.nodeName"},
		{"an argument", `use(thing); client.Get("a", thing)`, "# argument of use # argument of client.Get"},
		{"an argument of its type", `own(thing, thing); thing.DeepCopyInto(thing)`, none},
		{"an argument of a function that is not followed", `func(o *api.Thing) {}(thing)`, "# argument of (func(o *api.Thing) literal)"},
		{"an argument of a generic function", `client.Sort([]api.Thing{*thing}, func(a, b api.Thing) bool { return false }); var l []api.Thing; client.Sort(l, nil)`, "# argument of client.Sort"},
		{"an interface", `var o client.Object = thing; o = thing; use(o)`, "# stored in o # stored in o"},
		{"a literal", `use([]any{thing}, wrapper{Thing: thing})`, "# stored # stored"},
		{"a field of a struct", `var w wrapper; w.Thing = thing`, "# stored in w.Thing"},
		{"a list", `var l []any; l = append(l, thing); things := append([]*api.Thing(nil), thing); use(len(things))`, "# argument of append"},
		{"a channel", `make(chan any, 1) <- thing`, "# stored"},
		{"a result", `_ = func() any { return thing }`, "# returned"},
		{"a conversion", `use(other(*thing))`, "# argument of other"},
		{"a method", `use(thing.String())`, "# receiver of thing.String"},
		{"a method expression", `use((*api.Thing).String(thing), (*wrapper).own(&wrapper{Thing: thing}))`, "# argument of (*api.Thing).String # stored"},
		{"a new object", `use(&api.Thing{}, api.Thing{Spec: api.Spec{Node: "a"}})`, none},
		{"other variables of the type", `copied := thing; var again *api.Thing = copied; again = thing; _ = again; use(thing == nil)`, none},
		{"what a terminal would act on", "map[string]func(any){}[`\t\x1b*`](thing)", "# argument of map[string]func(any){}[`  *`]"},
	}
	files := map[string]string{}
	for i, c := range cases {
		files[fmt.Sprintf("p%02d/p.go", i)] = fmt.Sprintf(`package p

import (
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/m/api"
)

type wrapper struct{ *api.Thing }

type other api.Thing

func use(...any) {}

func (*wrapper) own() bool { return false }

func own(*api.Thing, ...*api.Thing) {}

var _ client.Object

func f(thing *api.Thing) { %s }
`, c.body)
	}
	files["p00/zz_generated.go"] = "// Code generated by a test. DO NOT EDIT.\n\npackage p\n\nimport \"example.com/m/api\"\n\nfunc g(thing api.Thing) { println(thing.Spec.Node) }\n"
	files["p00/p_test.go"] = "package p\n\nimport \"example.com/m/api\"\n\nfunc h(thing api.Thing) { println(thing.Spec.Node) }\n"
	dir := module(t, files)
	t.Setenv("GOFLAGS", "")
	typ, _, err := target.Type(t.Context(), dir, nil, "example.com/m/api", "Thing")
	if err != nil {
		t.Fatal(err)
	}
	_, isLeaf, err := keeplist.Objects(t.Context(), typ)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := target.Sources(t.Context(), dir, nil, []string{"./p..."})
	if err != nil || len(loaded) != len(cases) {
		t.Fatalf("%d packages: %v", len(loaded), err)
	}
	for i, c := range cases {
		text, err := First(context.Background(), typ, loaded[i:i+1], dir)
		if err != nil {
			text = err.Error()
		} else if err := keeplist.Parse("l", []byte(text)).Check(isLeaf); err != nil {
			t.Errorf("%s: the list is not valid: %v", c.name, err)
		}
		var have []string
		place := fmt.Sprintf("p%02d/p.go:21", i)
		for _, line := range strings.Split(strings.TrimSpace(strings.TrimPrefix(text, fmt.Sprintf(heading, typ))), "\n") {
			short := strings.TrimSuffix(strings.Replace(line, "# "+place+":", "#", 1), "  # "+place)
			if short == line && err == nil {
				t.Errorf("%s: %s has no place %s", c.name, line, place)
			}
			have = append(have, short)
		}
		if have := strings.Join(have, " "); have != c.want && !(c.want == none && strings.HasPrefix(have, none)) {
			t.Errorf("%s: have %q, want %q", c.name, have, c.want)
		}
	}
}

// What the packages declare is not elsewhere, and the first place counts.
func TestFirstListOfSeveralPackages(t *testing.T) {
	testsize.NotShort(t)
	dir := module(t, map[string]string{
		"a/a.go": "package a\n\nimport \"example.com/m/api\"\n\nfunc F(t *api.Thing) { println(t.Spec.Node, t.String()) }\n",
		"b/b.go": "package b\n\nimport (\n\t\"example.com/m/a\"\n\t\"example.com/m/api\"\n)\n\nfunc f(t *api.Thing) {\n\ta.F(t)\n\tprintln(t.Spec.Node)\n}\n",
	})
	t.Setenv("GOFLAGS", "")
	typ, _, err := target.Type(t.Context(), dir, nil, "example.com/m/api", "Thing")
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]string{
		"./...": "spec.nodeName  # a/a.go:5\n",
		"./b":   "spec.nodeName  # b/b.go:10\n# b/b.go:9: argument of a.F\n",
	} {
		loaded, err := target.Sources(t.Context(), dir, nil, []string{pattern})
		if err != nil {
			t.Fatal(err)
		}
		have, err := First(t.Context(), typ, loaded, dir)
		if have = strings.TrimPrefix(have, fmt.Sprintf(heading, typ)); have != want {
			t.Errorf("%s: have %q, %v, want %q", pattern, have, err, want)
		}
	}
}
