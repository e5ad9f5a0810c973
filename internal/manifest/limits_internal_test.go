package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/testsize"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// smallServer returns a server with a CRD whose objects have a field a of at most one character.
func smallServer(t *testing.T) *Server {
	t.Helper()
	const crd = "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: things.example.com}, spec: {group: example.com, scope: Namespaced, " +
		"names: {kind: Thing, plural: things}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: string, maxLength: 1}}}}}]}}"
	s, err := NewServer(load.Load("f", strings.NewReader(crd)).CRDs)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const thing = "---\napiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n"

// visit returns what is found about the objects in a text.
func (s *Server) visit(objects string) []string {
	var said []string
	for _, f := range s.Visit("f", []byte(objects), Visitor{Known: func(r *Resource, o manifest.Object) []structural.Finding { return s.Ask(r, o, Options{}).Findings }}).Findings {
		said = append(said, fmt.Sprint(f.Line, " ", f.Rule, " ", f.Message))
	}
	return said
}

// Findings have a limit on their bytes. Beyond it, nothing is answered for.
func TestFindingsShareALimit(t *testing.T) {
	wrong := thing + "a: long\n"
	s := smallServer(t)
	before := s.texts
	if found := s.visit(wrong); len(found) != 1 {
		t.Fatal(found)
	}
	size := before - s.texts
	if size < len("a: Invalid value") || size > 200 {
		t.Errorf("a finding has %d bytes", size)
	}
	for name, read := range map[string]func(s *Server) int{
		"validate": func(s *Server) int { return len(s.visit(strings.Repeat(wrong, 4))) },
		"normalize": func(s *Server) int {
			return len(s.NormalizeText("f", []byte(strings.Repeat(wrong, 4))).Findings)
		},
	} {
		for texts, want := range map[int]int{4 * size: 4, 4*size - 1: 5, 2 * size: 4, 2*size - 1: 3, 0: 2} {
			s := smallServer(t)
			s.texts = texts
			if have := read(s); have != want {
				t.Errorf("%s: %d findings with %d bytes, want %d", name, have, texts, want)
			}
		}
	}
	s = smallServer(t)
	s.texts = 0
	const want = "[2 text/too-large with this file, the run exceeds the limit of 64 MiB of findings 5 object/too-long a: Too long: may not be more than 1 byte]"
	if have := fmt.Sprint(s.visit(wrong)); have != want {
		t.Errorf("%s, want %s", have, want)
	}
}

// Stored objects are read again for each object that updates them, up to a limit on their values.
func TestStoredObjectsAreReadAgainUpToALimit(t *testing.T) {
	for again, want := range map[int]int{18: 0, 17: 1, 6: 2, 5: 3} {
		s := smallServer(t)
		yamltext.Parse([]byte(strings.TrimPrefix(thing, "---\n")+"b: 1\n"), func(d *yamltext.Document) { // 6 values
			manifest.Objects(d, s.isKind, s.Store, func(*yamltext.Node) {})
		}, func(p *yamltext.Problem) { t.Fatal(p.Message) })
		s.again = again
		found := s.visit(strings.Repeat(thing, 3))
		if len(found) != want {
			t.Errorf("%d values: %q", again, found)
		}
		for _, said := range found {
			if !strings.HasSuffix(said, "text/too-large not compared with the stored object: the stored objects of this run exceed the limit of 4000000 values, counted for each update") {
				t.Error(said)
			}
		}
	}
}

// What is incomplete has an error that says so. Objects that follow are not looked at.
func TestNothingIsAnsweredBeyondALimit(t *testing.T) {
	object := thing + "unknown: 1\n"
	s := smallServer(t)
	if found := s.visit(strings.Repeat(object, 3)); len(found) != 3 {
		t.Errorf("%q", found)
	}
	const (
		unknown = `object/unknown-field unknown field "unknown"`
		stopped = "object/more-errors <nil>: Too many: the run reached a limit before the object was fully validated"
		limit   = "text/too-large not validated: the objects of this run exceed the limit of 15000000 steps"
	)
	*s.answers = dynamic.Budget{}
	found := s.visit(strings.Repeat(object, 3))
	if want := []string{"2 " + stopped, "2 " + limit, "5 " + unknown, "7 " + limit, "12 " + limit}; !slices.Equal(found, want) {
		t.Errorf("%q, want %q", found, want)
	}
}

// Long names are shortened in hints.
func TestListsOfLongNamesAreShort(t *testing.T) {
	long := strings.Repeat("n", 10_000)
	if have := list([]string{long, "b"}); len(have) > 200 || !strings.HasSuffix(have, ", b") {
		t.Errorf("%d bytes: %.300s", len(have), have)
	}
	var words []string
	for i := range 14 {
		words = append(words, fmt.Sprint(i))
	}
	for n, want := range map[int]string{0: "", 1: "0", 12: "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11", 13: "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 1 more"} {
		if have := list(words[:n]); have != want {
			t.Errorf("%d words: %s", n, have)
		}
	}
}

// Objects of other kinds can have as many values as are read.
func TestObjectsOfOtherKindsCountLess(t *testing.T) {
	testsize.NotShort(t)
	values := `"a":[` + strings.Repeat("1,", 399_000) + "1]}\n"
	for object, want := range map[string]int{`{"apiVersion":"v1","kind":"Pod",`: 0, `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},`: 1} {
		s := smallServer(t)
		found := s.Visit("f", []byte(strings.Repeat(object+values, 2)), Visitor{}).Findings
		if len(found) != want {
			t.Errorf("%s: %d findings", object, len(found))
		}
	}
}

// Kinds that no CRD can have are cut.
func TestKindsInMessagesAreShort(t *testing.T) {
	s := smallServer(t)
	long := strings.Repeat("x", 400)
	for _, o := range []manifest.Object{{Kind: "Thing", APIVersion: "example.com/" + long}, {Kind: "Thing", APIVersion: "example.com/v2"}} {
		o.Node = &yamltext.Node{}
		_, f := s.Lookup(o)
		if f == nil || len(f.Message) > 150 || !strings.Contains(f.Message, o.APIVersion[:14]) {
			t.Errorf("%+v", f)
		}
	}
}
