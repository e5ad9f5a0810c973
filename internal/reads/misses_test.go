package reads

import (
	"fmt"
	"go/types"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// A miss is a program that reads what an analysis of Go may overlook.
type miss struct{ name, top, body, util string }

var misses = []miss{
	{"control", ``, `fmt.Println(thing.Spec.Name)`, ``},
	{"global var filled", `var current Thing`, `c.Get(context.Background(), "a", &current); fmt.Println(current.Spec.Name)`, ``},
	{"unsafe basic", `import "unsafe"`, `fmt.Println(*(*string)(unsafe.Pointer(&thing.Spec.Name)))`, ``},
	{"atomic.Pointer[string]", `import "sync/atomic"
var ap atomic.Pointer[string]`, `ap.Store(&thing.Spec.Name); fmt.Println(*ap.Load())`, ``},
	{"json of iface with methods", `type nm interface{ nm() }
type lf struct{ L Leaf }
func (lf) nm() {}`, `b, _ := json.Marshal(map[string]nm{"a": lf{thing.Spec.Leaf}}); fmt.Println(string(b))`, ``},
	{"json of struct with error", `type ve struct{ L Leaf }
func (ve) Error() string { return "e" }
type resp struct{ Err error }`, `b, _ := json.Marshal(resp{ve{thing.Spec.Leaf}}); fmt.Println(string(b))`, ``},
	{"fmt unexported error field", `type ve struct{ L Leaf }
func (ve) Error() string { return "e" }
type resp struct{ err error }`, `fmt.Println(resp{ve{thing.Spec.Leaf}})`, ``},
	{"compare iface with methods", `type nm interface{ nm() }
type lf struct{ L Leaf }
func (lf) nm() {}`, `var a, b nm = lf{thing.Spec.Leaf}, lf{Leaf{"text","text"}}; fmt.Println(a == b)`, ``},
	{"map key iface with methods", `type nm interface{ nm() }
type lf struct{ L Leaf }
func (lf) nm() {}`, `m := map[nm]bool{lf{thing.Spec.Leaf}: true}; fmt.Println(m[lf{Leaf{"text","text"}}])`, ``},
	{"map lookup key", `var mm = map[Leaf]int{{"text","text"}: 5}`, `fmt.Println(mm[thing.Spec.Leaf])`, ``},
	{"map delete key", `var mm = map[Leaf]int{{"text","text"}: 5}`, `delete(mm, thing.Spec.Leaf); fmt.Println(len(mm))`, ``},
	{"map lookup key struct of program", `type kk struct{ l Leaf }
var mm = map[kk]int{{Leaf{"text","text"}}: 5}`, `fmt.Println(mm[kk{thing.Spec.Leaf}])`, ``},
	{"errors.Is", `import "errors"
type ve struct{ L Leaf }
func (ve) Error() string { return "e" }`, `fmt.Println(errors.Is(ve{thing.Spec.Leaf}, ve{Leaf{"text","text"}}))`, ``},
	{"nested Stringer", `type w struct{ n int }
var cur *Thing
func (w) String() string { return cur.Spec.Name }
type S struct{ W w }`, `cur = thing; fmt.Println(S{})`, ``},
	{"slice of Stringers", `type w struct{ n int }
var cur *Thing
func (w) String() string { return cur.Spec.Name }`, `cur = thing; fmt.Println([]w{{}})`, ``},
	{"template method result", `import ("text/template"; "os")
type v struct{ t *int }
var cur *Thing
func (v) Leaf() *Leaf { return &cur.Spec.Leaf }`, `cur = thing; template.Must(template.New("").Parse("{{.Leaf.X}}\n")).Execute(os.Stdout, v{})`, ``},
	{"reflect method of a field", `type in struct{ n int }
var cur *Thing
func (in) M() string { return cur.Spec.Name }
type out struct{ F in }`, `cur = thing; fmt.Println(reflect.ValueOf(out{}).Field(0).MethodByName("M").Call(nil)[0].String())`, ``},
	{"element of own object", ``, `fresh := &Thing{}; json.Unmarshal([]byte("{\"spec\":{\"list\":[{}]}}"), fresh); fresh.Spec.List[0] = thing.Spec.Inner; b, _ := json.Marshal(fresh); fmt.Println(string(b))`, ``},
	{"map value of own object", ``, `fresh := &Thing{}; json.Unmarshal([]byte("{\"spec\":{\"byName\":{}}}"), fresh); fresh.Spec.ByName["a"] = thing.Spec.Inner; b, _ := json.Marshal(fresh); fmt.Println(string(b))`, ``},
	{"pointee of own object", ``, `fresh := &Thing{}; json.Unmarshal([]byte("{\"spec\":{\"ptr\":{}}}"), fresh); *fresh.Spec.Ptr = thing.Spec.Inner; b, _ := json.Marshal(fresh); fmt.Println(string(b))`, ``},
	{"DeepCopyInto pointee of own object", ``, `fresh := &Thing{}; json.Unmarshal([]byte("{\"spec\":{\"ptr\":{}}}"), fresh); thing.Spec.Inner.DeepCopyInto(fresh.Spec.Ptr); b, _ := json.Marshal(fresh); fmt.Println(string(b))`, ``},
	{"wide by fmt then json", `type ve struct{ L Leaf }
func (ve) Error() string { return "e" }`, `m := map[string]any{"a": ve{thing.Spec.Leaf}}; fmt.Println(m); b, _ := json.Marshal(m); fmt.Println(string(b))`, ``},
	{"fmt %d of error", `type ve struct{ L Leaf }
func (ve) Error() string { return "e" }`, `fmt.Printf("%d\n", ve{thing.Spec.Leaf})`, ``},
	{"fmt EXTRA", ``, `s := "hello\n"; _ = s; fmt.Printf("hello\n", thing.Spec.Leaf)`, ``},
	{"reflect.New interface", ``, `o := reflect.New(reflect.TypeOf(Thing{})).Interface().(client.Object); c.Get(context.Background(), "a", o); fmt.Println(o.GetAnnotations()["k0"])`, ``},
	{"reflect.New list", ``, `o := reflect.New(reflect.TypeOf(ThingList{})).Interface().(client.ObjectList); c.List(context.Background(), o); fmt.Println(o.(*ThingList).Items[0].Spec.Name)`, ``},
	{"DeepCopyInto by interface", `type copier interface{ DeepCopyInto(*Thing) }`, `var o any = thing; out := &Thing{}; o.(copier).DeepCopyInto(out); fmt.Println(out.Spec.Name)`, ``},
	{"append reslice", ``, `buf := make([]string, 0, 8); _ = append(buf, thing.Spec.Tags...); fmt.Println(buf[:2][0])`, ``},
	{"append reslice structs", ``, `buf := make([]Leaf, 0, 8); _ = append(buf, thing.Spec.Leaf); fmt.Println(buf[:1][0].X)`, ``},
	{"anonymous struct nested conversion", "type h1 struct{ A struct{ B *Leaf `a:\"1\"` } }\ntype h2 struct{ A struct{ B *Leaf } }", `var a h1; a.A.B = &thing.Spec.Leaf; b := h2(a); fmt.Println(b.A.B.X)`, ``},
	{"foreign map", ``, `util.State["a"] = thing.Spec.Leaf; util.Dump()`, `var State = map[string]any{}
func Dump() { fmt.Println(State) }`},
	{"foreign iface encode", `type ph struct{ L Leaf }
func (ph) Phase() string { return "" }`, `util.Show(ph{thing.Spec.Leaf})`, `type P interface{ Phase() string }
func Show(p P) { fmt.Printf("%+v\n", p) }`},
	{"generated pb method by interface", `type str interface{ Str() string }`, `var s str = &pbw{t: thing}; fmt.Println(s.Str())`, ``},
	{"function in generated file", ``, `fmt.Println(Summary(c))`, ``},
	{"linkname", `import _ "unsafe"
//go:linkname hidden example.com/random/$p.visible
func hidden() string
var cur *Thing
func visible() string { return cur.Spec.Name }`, `cur = thing; fmt.Println(hidden())`, ``},
	{"method expr of interface", ``, `f := client.Object.GetAnnotations; fmt.Println(f(thing)["k0"])`, ``},
	{"array in generic", ``, `a := [1]Inner{thing.Spec.Inner}; for _, x := range id(a) { fmt.Println(x.A) }`, ``},
	{"recover", ``, `defer func() { fmt.Println(recover().(*Thing).Spec.Name) }(); panic(thing)`, ``},
	{"chan of chan", ``, `ch := make(chan chan *Leaf, 1); x := make(chan *Leaf, 1); ch <- x; x <- &thing.Spec.Leaf; fmt.Println((<-<-ch).X)`, ``},
	{"copy struct of chan", `type hc struct{ c chan Inner }`, `h := hc{make(chan Inner, 1)}; h.c <- thing.Spec.Inner; select { case v := <-h.c: fmt.Println(v.A) }`, ``},
	{"embedded pointer wrapper Get", `type W struct{ Thing }`, `var w W; c.Get(context.Background(), "a", &w); fmt.Println(w.Spec.Name)`, ``},
	{"global wrapper", `type W struct{ T Thing; n int }
var gw W
var gws [2]Thing
var gm = map[string]*Thing{"a": {}}`, `c.Get(context.Background(), "a", &gw.T); c.Get(context.Background(), "a", &gws[0]); c.Get(context.Background(), "a", gm["a"]); fmt.Println(gw.T.Spec.Name, gws[0].Spec.Tags, gm["a"].Status.Phase)`, ``},
	{"pointer compare", ``, `p, q := &thing.Spec.Leaf, &Leaf{"text","text"}; fmt.Println(*p == *q)`, ``},
	{"iface struct nested in any compare", `type kk struct{ a any }`, `fmt.Println(kk{thing.Spec.Leaf} == kk{Leaf{"text","text"}})`, ``},
	{"switch iface", ``, `var x any = thing.Spec.Leaf; switch x { case Leaf{"text","text"}: fmt.Println("yes") }`, ``},
	{"maps.Values", `import ("maps"; "slices")`, `for _, v := range slices.Collect(maps.Values(thing.Spec.ByName)) { fmt.Println(v.A) }`, ``},
	{"slices.SortFunc", `import ("slices"; "cmp")`, `slices.SortFunc(thing.Spec.List, func(a, b Inner) int { return cmp.Compare(a.B, b.B) }); fmt.Println(slices.Contains(thing.Status.Conds, Leaf{"text","text"}))`, ``},
	{"maps.Equal", `import "maps"`, `fmt.Println(maps.Equal(map[string]Leaf{"a": thing.Spec.Leaf}, map[string]Leaf{"a": {"text","text"}}))`, ``},
	{"unique", `import "unique"`, `fmt.Println(unique.Make(thing.Spec.Leaf) == unique.Make(Leaf{"text","text"}))`, ``},
	{"sync.Map", `import "sync"
var sm sync.Map`, `sm.Store(thing.Spec.Leaf, 1); _, ok := sm.Load(Leaf{"text","text"}); fmt.Println(ok)`, ``},
	{"closure via struct method value", `type hh struct{ t *Thing }
func (h hh) name() string { return h.t.Spec.Name }`, `f := hh{thing}.name; g := hh.name; fmt.Println(f(), g(hh{thing}))`, ``},
	{"local named type kind-like", ``, `type T2 struct{ Thing; Extra Leaf }; x := T2{Thing: *thing}; fmt.Printf("%v\n", x.Thing.Spec.Leaf)`, ``},
	{"weak", `import "weak"`, `p := weak.Make(&thing.Spec.Name); fmt.Println(*p.Value()); _ = thing.Status`, ``},
	{"unsafe.Slice", `import "unsafe"`, `s := unsafe.Slice(&thing.Spec.Name, 1); fmt.Println(s[0])`, ``},
	{"unsafe.Add struct", `import "unsafe"`, `p := (*string)(unsafe.Add(unsafe.Pointer(&thing.Spec.Leaf.X), unsafe.Sizeof(""))); fmt.Println(*p)`, ``},
	{"Sscan", ``, `var n int; fmt.Sscanf("5", "%d", &n); fmt.Println(n, any(thing.Spec.Leaf))`, ``},
	{"list passed on", `func show(l client.ObjectList) string { return l.(*ThingList).Items[0].Spec.Name }`, `l := &ThingList{}; c.List(context.Background(), l); fmt.Println(show(l))`, ``},
	{"global list", `var gl ThingList`, `c.List(context.Background(), &gl); fmt.Println(gl.Items[0].Spec.Name)`, ``},
	{"interface closure param", `type visitor interface{ visit(*Inner) }
type vf func(*Inner)
func (f vf) visit(i *Inner) { f(i) }`, `var v visitor = vf(func(i *Inner) { fmt.Println(i.A) }); v.visit(&thing.Spec.Inner)`, ``},
	{"recursive closure", ``, `var f func(n int, i *Inner); f = func(n int, i *Inner) { if n == 0 { fmt.Println(i.A); return }; f(n-1, i) }; f(2, &thing.Spec.Inner)`, ``},
	{"transform shaped template func", `import ("text/template"; "os"; _ "k8s.io/client-go/tools/cache")
var cur *Thing`, `cur = thing; template.Must(template.New("").Funcs(template.FuncMap{"spec": func(any) (any, error) { return cur.Spec.Leaf, nil }}).Parse("{{(spec 1).X}}\n")).Execute(os.Stdout, nil)`, ``},
	{"recorder-like fill via reflect only got", ``, `o := reflect.New(reflect.TypeOf(Thing{})).Interface().(client.Object); c.Get(context.Background(), "b", o); fmt.Println(o.(interface{ phase() *string }) != nil, *o.(interface{ phase() *string }).phase())`, ``},
	{"foreign pointer", ``, `*util.P() = thing.Spec.Leaf; util.Dump()`, `var p any
func P() *any { return &p }
func Dump() { fmt.Println(p) }`},
	{"control for arrays", `type A [1]Leaf
var am = map[A]int{{{"text","text"}}: 5}`, `fmt.Println(am[A{thing.Spec.Leaf}])`, ``},
	{"any key lookup", `var mm = map[any]int{Leaf{"text","text"}: 5}`, `fmt.Println(mm[thing.Spec.Leaf])`, ``},
	{"slice elem fill", ``, `ts := make([]Thing, 2); for i := range ts { c.Get(context.Background(), "a", &ts[i]) }; for _, t := range ts { fmt.Println(t.Spec.Name) }`, ``},
	{"array elem fill", ``, `var ts [2]Thing; c.Get(context.Background(), "a", &ts[0]); fmt.Println(ts[0].Spec.Name)`, ``},
	{"sort reverse", `import "sort"`, `sort.Sort(sort.Reverse(byX(thing.Status.Conds))); fmt.Println(len(thing.Status.Conds))`, ``},
	{"pointer in struct read fill", `type hp struct{ t Thing }
func (h *hp) get(c client.Client) { c.Get(context.Background(), "a", &h.t) }`, `var h hp; h.get(c); fmt.Println(h.t.Spec.Name)`, ``},
	{"pointer deref copy fill", `func fillit(c client.Client, o client.Object) { c.Get(context.Background(), "a", o) }`, `t := new(Thing); fillit(c, t); v := *t; fmt.Println(v.Spec.Name)`, ``},
	{"map of ptr fill", ``, `m := map[string]*Thing{"a": new(Thing)}; for _, t := range m { c.Get(context.Background(), "a", t) }; fmt.Println(m["a"].Spec.Name)`, ``},
	{"heap", `import "container/heap"
type hh []*Inner
func (h hh) Len() int { return len(h) }
func (h hh) Less(i, j int) bool { return h[i].B < h[j].B }
func (h hh) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *hh) Push(x any) { *h = append(*h, x.(*Inner)) }
func (h *hh) Pop() any { o := *h; n := len(o); x := o[n-1]; *h = o[:n-1]; return x }`, `h := &hh{}; heap.Push(h, &thing.Spec.Inner); x := heap.Pop(h).(*Inner); fmt.Println(x.A)`, ``},
	{"foreign container list", `import "container/list"`, `l := list.New(); l.PushBack(&thing.Spec.Inner); fmt.Println(l.Front().Value.(*Inner).A)`, ``},
	{"an event", `import "k8s.io/client-go/tools/record"
`, `var r record.EventRecorder = record.New(); r.Eventf(thing, "%v\n", thing.Spec.Leaf)`, ``},
	{"filled by a method that a template calls", `import ("text/template"; "os")
type filler struct{ c client.Client }
func (f filler) Fill(o client.Object) string { f.c.Get(context.Background(), "a", o); return "" }
type data struct { F filler; T *Thing }`,
		`template.Must(template.New("").Parse("{{.F.Fill .T}}{{.T.Spec.Name}}\n")).Execute(os.Stdout, data{filler{c}, new(Thing)})`, ``},
	{"filled by a method that reflection finds", `type filler struct{ c client.Client }
func (f filler) Fill(o client.Object) { f.c.Get(context.Background(), "a", o) }`,
		`t := new(Thing); reflect.ValueOf(filler{c}).MethodByName("Fill").Call([]reflect.Value{reflect.ValueOf(t)}); fmt.Println(t.Spec.Name)`, ``},
	{"a method gets an object made by reflection", `type handler struct{}
func (handler) Handle(t *Thing) { fmt.Println(t.Spec.Name) }`,
		`m := reflect.ValueOf(handler{}).MethodByName("Handle"); v := reflect.New(m.Type().In(0).Elem())
	c.Get(context.Background(), "a", v.Interface().(client.Object)); m.Call([]reflect.Value{v})`, ``},
	{"methods that reflection finds fill and read", `type handler struct{ c client.Client }
func (h handler) Fill(o client.Object) { h.c.Get(context.Background(), "a", o) }
func (handler) Handle(t *Thing) { fmt.Println(t.Spec.Name) }`,
		`h := reflect.ValueOf(handler{c}); v := reflect.New(reflect.TypeOf(Thing{})); n := "Handle"
	h.Method(0).Call([]reflect.Value{v}); h.MethodByName(n).Call([]reflect.Value{v})`, ``},
	{"a method of any value gets an object made by reflection", `type handler struct{ c client.Client }
func (h handler) Fill(o client.Object) { h.c.Get(context.Background(), "a", o) }
func (handler) Handle(o any) { b, _ := json.Marshal(o); fmt.Println(string(b)) }`,
		`h := reflect.ValueOf(handler{c}); v := reflect.New(reflect.TypeOf(Thing{}))
	h.Method(0).Call([]reflect.Value{v}); h.Method(1).Call([]reflect.Value{v})`, ``},
	{"a wrapper made by reflection", `type W struct{ Thing }`,
		`o := reflect.New(reflect.TypeOf(W{})).Interface(); c.Get(context.Background(), "a", o.(client.Object)); fmt.Println(o.(*W).Spec.Name)`, ``},
	{"a method that reflection finds asks an object", `type handler struct{}
func (handler) Handle(o client.Object) { fmt.Println(o.GetAnnotations()["k0"]) }`,
		`reflect.ValueOf(handler{}).Method(0).Call([]reflect.Value{reflect.ValueOf(thing)})`, ``},
	{"printed, then a template", `import ("text/template"; "os")
type v struct{ n int }
var cur *Thing
func (v) Name() string { return cur.Spec.Name }`,
		`cur = thing; fmt.Println(v{}); template.Must(template.New("").Parse("{{.Name}}\n")).Execute(os.Stdout, v{})`, ``},
	{"wrapped, then a template", `import ("text/template"; "os")
type ve struct{ n int }
var cur *Thing
func (ve) Error() string { return "e" }
func (ve) Name() string { return cur.Spec.Name }`,
		`cur = thing; err := fmt.Errorf("%w", ve{}); template.Must(template.New("").Parse("{{.Unwrap.Name}}\n")).Execute(os.Stdout, err)`, ``},
	{"a value of reflection is passed on", `type v struct{ n int }
var cur *Thing
func (v) Name() string { return cur.Spec.Name }`, `cur = thing; util.Call(reflect.ValueOf(v{}), "Name")`, `import "reflect"
func Call(v reflect.Value, name string) { fmt.Println(v.MethodByName(name).Call(nil)[0]) }`},
	{"a method by a constant name", `type v struct{ n int }
var cur *Thing
func (v) Name() string { return cur.Spec.Name }`, `cur = thing; util.Call(v{})`, `import "reflect"
func Call(v any) { fmt.Println(reflect.ValueOf(v).MethodByName("Name").Call(nil)[0]) }`},
	{"an embedded error", `import ("text/template"; "os")
type v struct{ error }
var cur *Thing
func (v) Name() string { return cur.Spec.Name }`,
		`cur = thing; template.Must(template.New("").Parse("{{.Name}}\n")).Execute(os.Stdout, v{})`, ``},
	{"methods of a type by iteration", `type v struct{ n int }
var cur *Thing
func (v) Name() string { return cur.Spec.Name }`, `cur = thing; util.Call(v{})`, `import "reflect"
func Call(v any) { for _, m := range reflect.ValueOf(v).Methods() { fmt.Println(m.Call(nil)[0]) } }`},
	{"a variable of closures", ``, `var p, q *Leaf; func() { func() { p = &thing.Spec.Leaf }() }(); set := func(l *Leaf) { q = l }; get := func() *Leaf { return q }
	set(p); fmt.Println(get().X)`, ``},
	{"a pointer to a variable of closures", ``, `var p *Leaf; r := &p; func() { *r = &thing.Spec.Leaf }(); func() { fmt.Println(p.X) }()`, ``},
	{"a struct and a list of closures", `type hs struct{ l *Leaf; a [2]Leaf; s []Leaf }`, `var h hs; var a [2]Inner
	func() { h.l, h.a[1], h.s = &thing.Spec.Leaf, thing.Spec.Leaf, thing.Status.Conds; a[1] = thing.Spec.Inner }()
	func() { fmt.Println(h.l.X, h.a[1].Y, h.s[1].X, a[1].A) }()`, ``},
	{"a closure that calls itself and a method of a variable", `type hs struct{ l *Leaf }
func (h *hs) put(l *Leaf) { h.l = l }`, `var h hs; put := h.put; var f func(int) string
	f = func(n int) string { if n == 0 { return h.l.X }; return f(n - 1) }; put(&thing.Spec.Leaf); fmt.Println(f(2))`, ``},
	{"an object of closures is filled", ``, `var o Thing; func() { c.Get(context.Background(), "a", &o) }(); func() { fmt.Println(o.Spec.Name) }()`, ``},
	{"an index", `import "k8s.io/client-go/tools/cache"`, `cache.NewSharedIndexInformer(&Thing{}, cache.Indexers{"name": func(o any) string { return o.(*Thing).Spec.Name }})`, ``},
	{"objects are read when they are listed", `import "k8s.io/client-go/tools/cache"`, `cache.List(cache.ListFunc(func() client.ObjectList {
		l := &ThingList{}; c.List(context.Background(), l); fmt.Println(l.Items[0].Spec.Name); return l }))`, ``},
}

// clientGo are the parts of client-go that the programs use.
var clientGo = map[string]string{
	"go.mod":           strings.Replace(strings.Replace(stubs["go.mod"], "require (", "require (\n\tk8s.io/client-go v0.0.0", 1), "replace (", "replace (\n\tk8s.io/client-go => ./_clientgo", 1),
	"_clientgo/go.mod": "module k8s.io/client-go\n\ngo 1.26\n\nrequire (\n\tk8s.io/apimachinery v0.0.0\n\tsigs.k8s.io/controller-runtime v0.0.0\n)\n",
	"_clientgo/tools/cache/cache.go": `package cache

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

type TransformFunc func(any) (any, error)

type ListFunc func() client.ObjectList

func List(f ListFunc) { fmt.Println(f() != nil) }

type Indexers map[string]func(any) string

func NewSharedIndexInformer(example client.Object, indexers Indexers) {
	client.New().Get(context.Background(), "a", example)
	for _, index := range indexers {
		fmt.Println(index(example))
	}
}
`,
	"_clientgo/tools/record/record.go": `package record

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
)

type EventRecorder interface {
	Eventf(object runtime.Object, messageFmt string, args ...any)
}

type recorder struct{}

func (recorder) Eventf(_ runtime.Object, format string, args ...any) { fmt.Printf(format, args...) }

func New() EventRecorder { return recorder{} }
`,
}

// TestProgramsThatReadInOtherWays executes programs with a cache that drops the fields that they do not read. The programs are built as one,
// and analysed one by one, because values of different programs may be kept in memory of the same type.
func TestProgramsThatReadInOtherWays(t *testing.T) {
	testsize.NotShort(t)
	var bodies []string
	for _, c := range misses {
		bodies = append(bodies, c.body)
	}
	files, cases := onThings(bodies...), ""
	for i, c := range misses {
		p := fmt.Sprintf("p%d", i)
		imports, top := "", strings.ReplaceAll(c.top, "$p", p)
		for strings.HasPrefix(top, "import") {
			line, rest, _ := strings.Cut(top, "\n")
			imports, top = imports+line+"\n", rest
		}
		if c.util != "" {
			imports += "import \"example.com/random/" + p + "/util\"\n"
			files[p+"/util/util.go"] = "package util\n\nimport \"fmt\"\n\n" + c.util + "\n"
		}
		files[p+"/run.go"] = strings.Replace(files[p+"/run.go"], "package "+p+"\n", "package "+p+"\n\n"+imports, 1) + top + "\n"
		if strings.Contains(top, "linkname") {
			files[p+"/empty.s"] = ""
		}
		if strings.Contains(c.body, "pbw") {
			files[p+"/generated.pb.go"] = "// Code generated by protoc-gen-gogo. DO NOT EDIT.\n\npackage " + p + "\n\ntype pbw struct{ t *Thing }\n\nfunc (p *pbw) Str() string { return p.t.Spec.Name }\n"
		}
		if strings.Contains(c.body, "Summary") {
			files[p+"/zz_generated.deepcopy_x.go"] = "// Code generated by x. DO NOT EDIT.\n\npackage " + p + "\n\nimport (\n\t\"context\"\n\n\t\"sigs.k8s.io/controller-runtime/pkg/client\"\n)\n\n" +
				"func Summary(c client.Client) string { t := &Thing{}; c.Get(context.Background(), \"a\", t); return t.Spec.Name }\n"
		}
		cases += "\tcase \"" + p + "\":\n\t\t" + p + ".Run(client.New())\n"
		files["cmd/"+p+"/main.go"] = "package main\n\nimport (\n\t\"example.com/random/" + p + "\"\n\t\"sigs.k8s.io/controller-runtime/pkg/client\"\n)\n\nfunc main() { " + p + ".Run(client.New()) }\n"
	}
	main, _, _ := strings.Cut(files["main.go"], "func main")
	files["main.go"] = strings.Replace(main, "import (", "import (\n\t\"os\"", 1) + "func main() {\n\tswitch os.Getenv(\"CASE\") {\n" + cases + "\t}\n}\n"
	for name, text := range clientGo {
		files[name] = text
	}
	dir := module(t, files)
	t.Setenv("GOFLAGS", "-mod=mod")
	program := build(t, dir)
	config := Config{Dir: dir, Patterns: []string{"./cmd/..."}, Progress: func(string, ...any) {}}
	loaded, err := load(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range misses {
		if only := os.Getenv("ONLY"); !strings.Contains(c.name, only) {
			continue
		}
		p := fmt.Sprintf("p%d", i)
		one := *loaded
		one.all = map[string]*types.Package{}
		for path, pkg := range loaded.all {
			name, own := strings.CutPrefix(strings.Replace(path, "/cmd/", "/", 1), "example.com/random/")
			if !own || strings.HasPrefix(name+"/", p+"/") {
				one.all[path] = pkg
			}
		}
		one.main = []*ssa.Package{one.ssa.Package(one.all["example.com/random/cmd/"+p])}
		a, err := analyse(t.Context(), &one, config)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		r := &Result{Types: []Type{{Name: "example.com/random/" + p + ".Thing"}}}
		kept := "nothing"
		for _, k := range a.order {
			if k.got {
				typ, err := a.report(t.Context(), k)
				if err != nil {
					t.Fatal(err)
				}
				r.Types = append(r.Types, typ)
			}
		}
		for _, typ := range r.Types {
			if len(typ.Reads) > 0 {
				kept = ""
			}
			for _, read := range typ.Reads {
				kept += read.Path + ": " + read.Why + "\n"
			}
		}
		t.Setenv("CASE", p)
		want := poisoned(t, program, "none", r)
		for _, mode := range []string{"zero", "random"} {
			if got := poisoned(t, program, mode, r); got != want {
				t.Errorf("%s: prints\n%swithout the other fields (%s), and with them\n%skept: %s", c.name, got, mode, want, kept)
				break
			}
		}
	}
}
