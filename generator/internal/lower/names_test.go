package lower

import (
	"cmp"
	"go/token"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// property, items and values are the steps of a path.
func property(name string) segment { return propertySegment(name) }

var (
	items  = segment{kind: segmentItems}
	values = segment{kind: segmentValues}
)

// at returns the place of a node at a path.
func at(path ...segment) place { return place{&plan.Node{}, path} }

// A node that fields of several names have in common is named for what is in it.
func TestSharedFunctionsAreNamedForTheirContents(t *testing.T) {
	l := newNodes()
	text := l.intern(plan.Node{Do: plan.Validate{Rules: plan.Rules{MinLength: plan.Limit{Set: true, To: 1}, Pattern: plan.Pattern{Func: "IsDNSLabel"}}}, Walk: plan.Walk{Form: plan.FormText}})
	leaf := l.leaf(plan.Validate{Kind: plan.ValidateNothing})
	object := func(name string, fields ...plan.Field) plan.Field {
		return plan.Field{Name: name, Node: l.intern(plan.Node{Do: plan.Validate{}, Fields: fields, Rest: plan.RestKeep})}
	}
	leaves := func(names ...string) (all []plan.Field) {
		for _, name := range names {
			all = append(all, plan.Field{Name: name, Node: leaf})
		}
		return all
	}
	list := func(name string, of plan.Field) plan.Field {
		return plan.Field{Name: name, Node: l.intern(plan.Node{Do: plan.Validate{}, Elem: of.Node, Rest: plan.RestKeep})}
	}
	root := object("",
		object("a", leaves("key", "name")...), object("b", leaves("key", "name")...),
		object("c", leaves("d", "e", "f", "g", "h")...), list("i", object("", leaves("d", "e", "f", "g", "h")...)), list("j", object("", leaves("d", "e", "f", "g", "h")...)),
		object("once", plan.Field{Name: "label", Node: text}), plan.Field{Name: "labels", Node: text},
		object("x", object("same", leaves("y")...)), object("z", object("same", leaves("y")...), leaves("w")[0]),
	)
	kind := &plan.Kind{Resource: prunert.Resource{Kind: "App"}, Ident: "App"}
	var have []string
	for _, n := range nameNodes([]*plan.Kind{kind}, map[string]*plan.Node{"App": root.Node}) {
		have = append(have, n.Name)
	}
	want := []string{"App", "AppWithKeyName", "AppWithDEFAnd2More", "AppListWithDEFAnd2More", "AppTextAtLeast1DNSLabel", "AppOnce", "AppX", "AppXSame", "AppZ"}
	slices.Sort(have)
	if slices.Sort(want); !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
}

// What strangers nest or call as they like makes neither long names nor much work.
func TestNamesForContentsAreShort(t *testing.T) {
	l := newNodes()
	long := strings.Repeat("long", 30)
	deep := l.intern(plan.Node{Do: plan.Validate{}, Rest: plan.RestKeep, Fields: []plan.Field{{Name: long, Node: l.leaf(plan.Validate{Kind: plan.ValidateNothing})}}})
	for range 300 {
		deep = l.intern(plan.Node{Do: plan.Validate{}, Elem: deep, Rest: plan.RestKeep})
	}
	fields := []plan.Field{}
	for i := range 100 {
		fields = append(fields, plan.Field{Name: long + strconv.Itoa(i), Node: deep})
	}
	root := l.intern(plan.Node{Do: plan.Validate{}, Fields: fields, Rest: plan.RestKeep})
	kind := &plan.Kind{Resource: prunert.Resource{Kind: "App"}, Ident: strings.Repeat("App", 21)}
	all := nameNodes([]*plan.Kind{kind}, map[string]*plan.Node{"App": root})
	if len(all) != 302 {
		t.Errorf("%d functions", len(all))
	}
	for _, n := range all {
		if len(n.Name) > maxName+len("_12345678") || !token.IsIdentifier(n.Name) {
			t.Errorf("%d bytes: %s", len(n.Name), n.Name)
		}
	}
}

func TestFunctionsAreNamedAfterTheirPath(t *testing.T) {
	kind := &plan.Kind{Resource: prunert.Resource{Group: "example.com", Kind: "App"}, Ident: "App"}
	for _, tt := range []struct {
		path []segment
		want string
	}{
		{nil, "App"},
		{[]segment{property("spec")}, "AppSpec"},
		{[]segment{property("spec"), property("podTemplate"), property("metadata")}, "AppSpecPodTemplateMetadata"},
		{[]segment{property("spec"), items, values, property("x")}, "AppSpecItemValueX"},
		{[]segment{property("foo-bar")}, "AppFooBar"},
		{[]segment{property("$ref")}, "AppRef"},
		{[]segment{property("type")}, "AppType"},
		{[]segment{property("x.y/z")}, "AppXYZ"},
		{[]segment{property("größe")}, "AppGröße"},
		{[]segment{property("9lives")}, "App9lives"},
	} {
		names := nameTable{taken: map[string]bool{}}
		if got := names.nodeName(kind, at(tt.path...)); got != tt.want {
			t.Errorf("%s: %s, want %s", pathString(tt.path), got, tt.want)
		}
	}
}

func TestNamesThatWouldBeTheSameCarryAHash(t *testing.T) {
	kind := &plan.Kind{Resource: prunert.Resource{Group: "example.com", Kind: "App"}, Ident: "App"}
	hashed := regexp.MustCompile(`^AppFooBar_[0-9a-f]{8}$`)
	names := nameTable{taken: map[string]bool{}}
	if got := names.nodeName(kind, at(property("foo-bar"))); got != "AppFooBar" {
		t.Fatalf("the first one is %s", got)
	}
	seen := map[string]bool{}
	for _, path := range [][]segment{
		{property("fooBar")}, {property("foo"), property("bar")}, {property("foo_bar")}, {property("foo"), property("-bar")},
	} {
		got := names.nodeName(kind, at(path...))
		if !hashed.MatchString(got) || seen[got] {
			t.Errorf("%s: %s", pathString(path), got)
		}
		seen[got] = true

		// The name does not depend on what else there is, only on there being something.
		others := nameTable{taken: map[string]bool{"AppFooBar": true}}
		if again := others.nodeName(kind, at(path...)); again != got {
			t.Errorf("%s: %s in one schema, %s in another", pathString(path), got, again)
		}
	}
}

func TestNamesDifferEvenWhereTheirHashesDoNot(t *testing.T) {
	kind := &plan.Kind{Resource: prunert.Resource{Group: "example.com", Kind: "App"}, Ident: "App"}
	// Two properties whose names differ in what no identifier contains, and whose paths have the same short hash: the
	// birthday paradox needs some ten thousand tries to find them.
	byHash := map[string]string{}
	var one, other string
	for i := range int64(1 << 20) {
		name := "a" + strings.Map(func(r rune) rune { return r - '0' + ' ' }, strconv.FormatInt(i, 8))
		h := shortHash(uniquePath(kind, []segment{property(name)}))
		if previous, ok := byHash[h]; ok {
			one, other = previous, name
			break
		}
		byHash[h] = name
	}
	if one == "" {
		t.Fatal("no two paths with the same hash")
	}
	names := nameTable{taken: map[string]bool{}}
	seen := map[string]bool{}
	for _, name := range []string{"a", one, other} {
		got := names.nodeName(kind, at(property(name)))
		if seen[got] {
			t.Errorf("%s is given out twice", got)
		}
		seen[got] = true
	}
}

func TestLongNamesHaveAHashInTheMiddle(t *testing.T) {
	kind := &plan.Kind{Resource: prunert.Resource{Group: "example.com", Kind: "App"}, Ident: "App"}
	path := func(last string) []segment {
		var path []segment
		for range 30 {
			path = append(path, property("groß"))
		}
		return append(path, property(last))
	}
	names := nameTable{taken: map[string]bool{}}
	a, b := names.nodeName(kind, at(path("a")...)), names.nodeName(kind, at(path("b")...))
	for _, name := range []string{a, b} {
		if len(name) > maxName || len(name) < maxName*3/4 || !token.IsIdentifier(name) {
			t.Errorf("%q is no name of at most %d bytes", name, maxName)
		}
	}
	if a == b {
		t.Errorf("two paths are called %s", a)
	}
	if !strings.HasPrefix(a, "AppGroß") || !strings.HasSuffix(a, "GroßA") || !strings.HasSuffix(b, "GroßB") {
		t.Errorf("%s and %s do not begin and end as their paths do", a, b)
	}
}

func TestNamesAreKeptUpToTheLimit(t *testing.T) {
	kind := &plan.Kind{Resource: prunert.Resource{Group: "example.com", Kind: "App"}, Ident: "App"}
	name := func(bytes int) string {
		names := nameTable{taken: map[string]bool{}}
		return names.nodeName(kind, at(property(strings.Repeat("X", bytes-len("App")))))
	}
	if got := name(maxName); got != "App"+strings.Repeat("X", maxName-len("App")) {
		t.Errorf("a name of %d bytes becomes %s", maxName, got)
	}
	if got := name(maxName + 1); len(got) > maxName || !strings.Contains(got, "_") {
		t.Errorf("a name of %d bytes becomes %s", maxName+1, got)
	}
}

func TestFieldsComeBeforeValuesAndValuesBeforeElements(t *testing.T) {
	steps := []segment{property(""), property("a"), property("b"), values, items}
	for i, s := range steps {
		for j, other := range steps {
			if got := s.compare(other); got != cmp.Compare(i, j) {
				t.Errorf("%+v and %+v: %d", s, other, got)
			}
		}
	}
}

// TestLongNamesCostNothingBelowThem has a name of a megabyte above many nodes, each of which is named after its path.
func TestLongNamesCostNothingBelowThem(t *testing.T) {
	const size, nodes = 1 << 20, 100
	leaf := &plan.Node{Do: plan.PruneLeaf}
	walk := func(fields ...plan.Field) *plan.Node { return &plan.Node{Do: plan.PruneWalk, Fields: fields} }
	long := walk()
	for i := range nodes {
		name := "f" + strconv.Itoa(i)
		long.Fields = append(long.Fields, plan.Field{Name: name, Node: walk(plan.Field{Name: name, Node: leaf})})
	}
	root := walk(
		plan.Field{Name: strings.Repeat("a", size) + "x", Node: long},
		plan.Field{Name: strings.Repeat("a", size) + "y", Node: walk()},
	)
	kind := &plan.Kind{Resource: prunert.Resource{Kind: "App"}, Ident: "App"}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	all := nameNodes([]*plan.Kind{kind}, map[string]*plan.Node{kind.Kind: root})
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 20*size {
		t.Errorf("naming %d nodes takes %d bytes below a name of %d", len(all), n, size)
	}
	seen := map[string]bool{}
	for _, n := range all {
		seen[n.Name] = true
	}
	if len(seen) != nodes+3 {
		t.Errorf("%d names for %d nodes", len(seen), nodes+3)
	}
}

func TestHostileNamesAreIdentifiers(t *testing.T) {
	kind := &plan.Kind{Resource: prunert.Resource{Group: "example.com", Kind: "App"}, Ident: "App"}
	names := nameTable{taken: map[string]bool{}}
	seen := map[string]bool{}
	for _, s := range crdtest.Hostile() {
		for _, path := range [][]segment{{property(s)}, {property(s), items}, {property("a"), property(s)}} {
			name := names.nodeName(kind, at(path...))
			if !token.IsIdentifier("prune"+name) || !utf8.ValidString(name) || len(name) > maxName+9 {
				t.Errorf("%q: %q is no identifier", s, name)
			}
			if seen[name] {
				t.Errorf("%q: %s is given out twice", s, name)
			}
			seen[name] = true
		}
	}
}

func TestKindsAsPartsOfIdentifiers(t *testing.T) {
	for _, tt := range []struct{ kind, want string }{
		{"CronTab", "CronTab"},
		{"crontab", "Crontab"},
		{"Type", "Type"},
		{"X", "X"},
		{"foo-bar", "FooBar_" + shortHash("foo-bar")},
		{"Foo-Bar", "FooBar_" + shortHash("Foo-Bar")},
		{"V1-2", "V12_" + shortHash("V1-2")},
	} {
		if got := Exported(tt.kind); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.kind, got, tt.want)
		}
	}
}

func TestPathsAreWrittenForPeople(t *testing.T) {
	for _, tt := range []struct {
		path []segment
		want string
	}{
		{nil, ""},
		{[]segment{property("spec"), property("containers"), items, property("env"), values}, ".spec.containers[].env[*]"},
		{[]segment{property("a b"), property("$ref"), property("foo-bar"), property("")}, `["a b"].$ref.foo-bar[""]`},
		{[]segment{property("a\nb"), property("\"")}, `["a\nb"]["\""]`},
		{[]segment{property("``"), property("it's")}, `["\x60\x60"]["it\x27s"]`},
		{[]segment{property("größe")}, `["gr\u00f6\u00dfe"]`},
		{[]segment{property(strings.Repeat("ö", 100))}, `["` + strings.Repeat(`\u00f6`, 30) + `..."]`},
	} {
		if got := pathString(tt.path); got != tt.want {
			t.Errorf("have %s, want %s", got, tt.want)
		}
	}
}

func TestLongPathsAreShortened(t *testing.T) {
	var path []segment
	for range 40 {
		path = append(path, property("level"), items)
	}
	got := shortPath(append(path, property("leaf")))
	if len(got) > maxPath || !strings.HasPrefix(got, ".level[].level[]") || !strings.Contains(got, "...") || !strings.HasSuffix(got, ".level[].leaf") {
		t.Errorf("have %s", got)
	}
	if got := shortPath(path[:20]); got != pathString(path[:20]) {
		t.Errorf("%s is short enough", got)
	}
}
