package reads

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// onThings returns the files of a program of packages, p0 and so on, whose functions get a Thing.
func onThings(bodies ...string) map[string]string {
	files, imports, calls := map[string]string{}, "", ""
	for i, body := range bodies {
		name := fmt.Sprintf("p%d", i)
		imports += fmt.Sprintf("\t\"example.com/random/%s\"\n", name)
		calls += fmt.Sprintf("\t%s.Run(client.New())\n", name)
		files[name+"/zz_generated.deepcopy.go"] = fmt.Sprintf(apiCopies, name)
		files[name+"/run.go"] = "package " + name + "\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"iter\"\n\t\"reflect\"\n\n" +
			"\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\t\"sigs.k8s.io/controller-runtime/pkg/client\"\n)\n" + apiTypes + helpers +
			"\nvar (\n\t_ = json.Marshal\n\t_ = reflect.DeepEqual\n\t_ = fmt.Sprint\n)\n\nfunc Run(c client.Client) {\n\tthing := &Thing{}\n\tc.Get(context.Background(), \"a\", thing)\n" + body + "\n}\n"
	}
	files["main.go"] = "package main\n\nimport (\n\t\"sigs.k8s.io/controller-runtime/pkg/client\"\n" + imports + ")\n\nfunc main() {\n" + calls + "}\n"
	return files
}

func TestWhatIsReadAndWhy(t *testing.T) {
	testsize.NotShort(t)
	cases := []struct{ name, body, want string }{
		{"nothing", ``, ``},
		{"a selection", `fmt.Println(thing.Spec.Name)`, `spec.name`},
		{"an assignment", `thing.Spec.Name = "a"; thing.Status.Inner = nil`, ``},
		{"a copy", `copied := thing.DeepCopy(); copied.Spec = Spec{}; fmt.Println(copied.Status.Phase)`, `status.phase`},
		{"an element", `fmt.Println(thing.Spec.List[0].One.X)`, `spec.list[].one.x`},
		{"a length", `fmt.Println(len(thing.Spec.List))`, `spec.list`},
		{"a length beside an element", `for _, x := range thing.Spec.List { fmt.Println(x.B) }`, `spec.list[].b`},
		{"a nil pointer", `fmt.Println(thing.Spec.Ptr == nil)`, `spec.ptr`},
		{"a value of a map", `fmt.Println(thing.Spec.ByName["a"].A)`, `spec.byName[*].a`},
		{"an inlined field", `fmt.Println(thing.Spec.X)`, `spec.x`},
		{"an accessor", `var o client.Object = thing; fmt.Println(o.GetAnnotations()["a"])`, `metadata.annotations`},
		{"reflection", `fmt.Println(reflect.DeepEqual(thing.Spec.Inner, Inner{}))`, `spec.inner: passed to reflect.DeepEqual`},
		{"an accessor that nothing calls", `list := []Thing{{}}; list[0] = *thing; fmt.Println(list[0].Spec.Name)`, `spec.name`},
		{"an encoder", `json.Marshal(map[string]any{"a": &thing.Status})`, `status: passed to json.Marshal`},
		{"a type", `fmt.Printf("%T", thing)`, ``},
		{"a comparison", `fmt.Println(thing.Spec.Leaf == Leaf{})`, `spec.x: compared spec.y: compared`},
		{"a key", `for k := range map[*Leaf]bool{&thing.Spec.Leaf: true} { fmt.Println(k.Y) }`, `spec.y`},
		{"another object", `fmt.Println(Thing{Spec: thing.Spec})`, `spec: copied into example.com/random/$p.Thing.Spec`},
		{"an error", `fmt.Println(fmt.Errorf("%w", error(&objErr{v: thing})))`, `: passed to fmt.Errorf`},
		{"the fields of an error", `fmt.Printf("%#v", error(&objErr{v: thing}))`, `: passed to fmt.Printf`},
		{"a function that is passed on", `reflect.ValueOf(func(t any) string { return t.(*Thing).Spec.Name })`, `spec.name`},
		{"an object of the program", `fresh := &Thing{}; json.Marshal(fresh)`, ``},
		{"the objects of a list", `var l ThingList; c.List(context.Background(), &l); fmt.Println(l.Items[1].Spec.Tags[0])`, `spec.tags`},
	}
	var bodies []string
	for _, c := range cases {
		bodies = append(bodies, c.body)
	}
	got := map[string][]string{}
	for _, typ := range find(t, module(t, onThings(bodies...))).Types {
		for _, read := range typ.Reads {
			if read.Place == "" || !strings.Contains(read.Place, "/run.go:") && read.Via == "" {
				t.Errorf("%s is read at %q", read.Path, read.Place)
			}
			text := read.Path
			if read.Why != "" {
				text += ": " + read.Why
			}
			got[typ.Name] = append(got[typ.Name], text)
		}
	}
	for i, c := range cases {
		name := fmt.Sprintf("p%d", i)
		want := strings.ReplaceAll(c.want, "$p", name)
		if have := strings.Join(got["example.com/random/"+name+".Thing"], " "); have != want {
			t.Errorf("%s: have %q, want %q", c.name, have, want)
		}
	}
}

func TestProgramsThatCannotBeAnalysed(t *testing.T) {
	testsize.NotShort(t)
	dir := module(t, onThings(`var x int = "a"`))
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{Patterns: []string{"."}}, "p0/run.go:"},
		{Config{Patterns: []string{"./missing"}}, "missing"},
	} {
		c.config.Dir = dir
		t.Setenv("GOFLAGS", "-mod=mod")
		if _, err := Find(t.Context(), c.config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.config.Patterns, err, c.want)
		}
	}
	dir = module(t, onThings(``))
	for name, want := range map[string]string{"Missing": "no type Missing", "p0.Spec": "no type p0.Spec"} {
		if _, err := Find(t.Context(), Config{Dir: dir, Patterns: []string{"."}, Types: []string{name}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	doubling := "\ntype Big struct {\n\tmetav1.TypeMeta\n\tmetav1.ObjectMeta\n\tF D0\n}\n"
	for i := range 22 {
		doubling += fmt.Sprintf("type D%d struct { L, R *D%d; X string }\n", i, i+1)
	}
	files := onThings(`var b Big; fmt.Println(b.F)`)
	files["p0/run.go"] += doubling + "type D22 struct{ X string }\n"
	big := module(t, files)
	if _, err := Find(t.Context(), Config{Dir: big, Patterns: []string{"."}, Types: []string{"Big"}}); err == nil || !strings.Contains(err.Error(), "p0.Big has more than") {
		t.Errorf("a type that doubles: %v", err)
	}
	plain := t.TempDir()
	write(t, plain, map[string]string{"go.mod": "module example.com/plain\n\ngo 1.26\n", "main.go": "package main\n\nfunc main() { var x int = \"a\" }\n"})
	if _, err := Find(t.Context(), Config{Dir: plain, Patterns: []string{"."}}); err == nil || !strings.Contains(err.Error(), "main.go:3") {
		t.Errorf("a program without objects that does not compile: %v", err)
	}
	if _, err := Find(t.Context(), Config{Dir: t.TempDir(), Patterns: []string{"."}}); err == nil || strings.Contains(err.Error(), `\n`) {
		t.Errorf("no module: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Find(ctx, Config{Dir: dir, Patterns: []string{"."}}); err == nil {
		t.Error("a run that is cancelled has no error")
	}
}

func TestTheSameProgramHasTheSameReport(t *testing.T) {
	testsize.NotShort(t)
	dir := module(t, onThings(`for _, x := range thing.Spec.List { json.Marshal(x); fmt.Println(x.A, x.One) }`))
	first := fmt.Sprint(find(t, dir))
	for range 3 {
		if again := fmt.Sprint(find(t, dir)); again != first {
			t.Fatalf("have %s\nthen %s", first, again)
		}
	}
}
