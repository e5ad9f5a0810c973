package suiteinit

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/suite/crdcover"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// How many requests are tried: to find an accepted object with a value at a place, to find a case from there, and to make it smaller.
// These numbers and the next two bound the output, not the input.
const baseTries, findTries, shrinkTries = 600, 2000, 400

// mostBytes is how large an object of a case may be, mostWork how large all objects together may be that are tried for one constraint.
const mostBytes, mostWork = 32 << 10, 512 << 10

// finder finds cases for the constraints of a version. It may be used by several goroutines at once.
type finder struct {
	variant  *suite.Variant
	resource prunert.Resource
	kind     *crdcover.Kind
	schema   *structural.Schema
	all      []crdcover.Constraint
	minimal  map[string]any
	topics   []func() *topic // of all constraints
}

// search looks for one object. Its random numbers are seeded by its purpose: what it finds does not depend on other searches.
type search struct {
	*finder
	rng *rand.Rand
	// left is how much work is left, in bytes of the objects that are sent.
	left int
}

func (f *finder) search(name string) *search {
	h := fnv.New64a()
	h.Write([]byte(name))
	return &search{finder: f, rng: rand.New(rand.NewPCG(1, h.Sum64())), left: mostWork}
}

func newFinder(v *suite.Variant, r prunert.Resource) (*finder, error) {
	kind, err := crdcover.New(v.CRD, r)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(v.CRD.Versions, func(of *structural.Version) bool { return of.Name == r.Version })
	f := &finder{variant: v, resource: r, kind: kind, all: kind.Constraints(), schema: v.CRD.Structural(v.CRD.Versions[i])}
	if f.schema == nil {
		f.schema = &structural.Schema{}
	}
	for number := range f.all {
		f.topics = append(f.topics, sync.OnceValue(func() *topic { return f.newTopic(number) }))
	}
	obj, ok := specimen.Valid(f.schema, 1, specimen.Options{Size: 200, APIVersion: r.APIVersion(), Kind: r.Kind}, func(obj map[string]any) *prunert.Refusal {
		obj["metadata"] = map[string]any{}
		asWritten(obj)
		return f.try(obj, request{}).Answer.Refusal
	})
	if !ok { // a CEL rule that is rarely satisfied by chance
		start := map[string]any{"apiVersion": r.APIVersion(), "kind": r.Kind}
		if obj, _ = f.search("").climb(request{}, goal{number: accepted}, start, 10*findTries); obj == nil {
			return nil, errors.New("no accepted object was found")
		}
	}
	f.minimal = specimen.Shrink(obj, shrinkTries, func(obj map[string]any) bool { return f.try(obj, request{}).Answer.Refusal == nil })
	return f, nil
}

// request is where objects are sent to.
type request struct {
	old         map[string]any // nil to create one
	subresource string
}

// try sends an object as a case of a suite does.
func (f *finder) try(obj map[string]any, to request) crdcover.Attempt {
	metadata, _ := obj["metadata"].(map[string]any)
	metadata = jsonvalue.Copy(metadata)
	sent := make(map[string]any, len(obj)+1)
	for k, v := range obj {
		sent[k] = v
	}
	sent["metadata"] = metadata
	if to.old != nil {
		old, _ := to.old["metadata"].(map[string]any)
		for k, v := range old {
			metadata[k] = v
		}
	} else {
		if metadata["name"] == nil {
			metadata["generateName"] = "test-"
		}
		metadata["namespace"] = "default"
	}
	return f.kind.Try(sent, to.old, prunert.Request{Subresource: to.subresource, GenerateName: objects.GeneratedName})
}

// run runs a case, and returns its last request.
func (f *finder) run(c testCase) (last suite.Request, run *suite.Run) {
	of := &suite.Case{Initial: suite.NewObject(c.initial), ExpectedError: "-", ExpectedStatusError: "-"}
	if c.updated != nil {
		of.Updated = suite.NewObject(c.updated)
	}
	run = &suite.Run{Suite: &suite.Suite{CRDName: f.variant.Name, Version: f.resource.Version}, Case: of, Variant: f.variant}
	run.Do(func(r suite.Request) { last = r })
	return last, run
}

// seen returns what the last request of a case shows, nil if an earlier request was refused.
func (f *finder) seen(c testCase) []crdcover.Violation {
	last, run := f.run(c)
	if run.Stored == nil && run.Refusal == "" {
		return nil
	}
	return f.kind.Try(last.Sent, last.Old, last.Request).Violations
}

// find returns a case for a constraint, or why there is none.
func (f *search) find(number int) (*testCase, string) {
	c := f.all[number]
	g := goal{number: number, place: path(c.Steps())}
	if c.Kind == crdcover.Required || c.Kind == crdcover.Default {
		last := len(g.place) - 1
		if last < 0 {
			return nil, "an object always has a value there"
		}
		g.place, g.field = g.place[:last], g.place[last:]
	}
	if c.Kind == crdcover.Required {
		if s := specimen.At(f.schema, path(c.Steps())); s != nil && s.Default != nil {
			return nil, "a default fills it in"
		}
	}
	inStatus := f.resource.Status && len(c.Steps()) > 0 && c.Steps()[0] == "status"
	rule := f.kind.Rule(number)
	var why string
	for _, update := range []bool{false, true} {
		for _, status := range []bool{false, true} {
			switch {
			case inStatus != status && len(c.Steps()) > 0,
				status && !f.resource.Status,
				status && rule == nil && !inStatus,
				update && (rule == nil || !rule.UsesOld),
				!update && rule != nil && rule.UsesOld && !rule.OptionalOld:
				continue
			}
			found, reason := f.findBy(g, update, status)
			if found != nil {
				return f.small(g, *found), ""
			}
			if why == "" {
				why = reason
			}
		}
	}
	return nil, why
}

// findBy finds a case in which the last request creates an object, updates it, or writes its status.
func (f *search) findBy(g goal, update, status bool) (*testCase, string) {
	start := testCase{initial: f.minimal}
	to := request{}
	if status {
		last, _ := f.run(start)
		to = request{old: last.Answer.Object, subresource: "status"}
		start.updated = f.minimal
	}
	const rounds = 5
	best := failure{}
	for round := range rounds {
		at := goal{number: accepted, place: g.place, about: g.number, vary: update && round > 0}
		base, _ := f.climb(to, at, f.minimal, baseTries/rounds)
		if base == nil {
			base = f.minimal // the case may be near nevertheless
		}
		from := to
		c := start
		if update {
			c.initial, c.updated = base, base
			last, run := f.run(testCase{initial: base, updated: base})
			if run.Stored == nil {
				continue
			}
			from.old = last.Old
			if status {
				from.old = last.Answer.Object
			}
		}
		obj, failed := f.climb(from, g, base, findTries/rounds)
		if obj == nil {
			best.add(failed)
			continue
		}
		if c.updated != nil {
			c.updated = obj
		} else {
			c.initial = obj
		}
		if f.shows(g, c) {
			return &c, ""
		}
	}
	return nil, best.why(f.finder)
}

// shows reports whether a case shows what is wanted, and nothing else.
func (f *finder) shows(g goal, c testCase) bool {
	seen := f.seen(c)
	isDefault := f.all[g.number].Kind == crdcover.Default
	return slices.ContainsFunc(seen, func(v crdcover.Violation) bool { return v.Number == g.number }) &&
		(isDefault || !slices.ContainsFunc(seen, func(v crdcover.Violation) bool { return v.Number != g.number }))
}

// small returns a smaller case that shows the same.
func (f *search) small(g goal, c testCase) *testCase {
	whole := map[string]any{"initial": c.initial}
	if c.updated != nil {
		whole["updated"] = c.updated
	}
	of := func(whole map[string]any) (testCase, bool) {
		initial, ok := whole["initial"].(map[string]any)
		updated, isUpdate := whole["updated"].(map[string]any)
		return testCase{initial: initial, updated: updated}, ok && isUpdate == (c.updated != nil)
	}
	whole = specimen.Shrink(whole, shrinkTries, func(whole map[string]any) bool {
		c, ok := of(whole)
		return ok && legible(c.initial) != nil && (c.updated == nil || legible(c.updated) != nil) && f.shows(g, c)
	})
	c, _ = of(whole)
	return &c
}

// goal is the purpose of a request: to violate one constraint and no other, or to have a default applied.
type goal struct {
	number int // accepted if the request is to be accepted
	// place leads to a value that the object has, field from there to one that it does not have.
	place, field prunert.Path
	// about is the constraint that an accepted object is wanted for. vary changes what it is about first.
	about int
	vary  bool
}

const accepted = -1

// failure describes an object that came near the goal.
type failure struct {
	tries  int
	others map[int]int // constraints that are violated beside the one that is wanted
	only   int         // how often it was violated with another
}

func (b *failure) add(f failure) {
	b.tries += f.tries
	b.only += f.only
	for number, n := range f.others {
		if b.others == nil {
			b.others = map[int]int{}
		}
		b.others[number] += n
	}
}

// why says why there is no case.
func (b *failure) why(f *finder) string {
	most := accepted
	for number, n := range b.others {
		if number >= 0 && (most < 0 || n > b.others[most] || n == b.others[most] && number < most) {
			most = number
		}
	}
	switch {
	case b.tries == 0:
		return "no accepted object was found that has a value there"
	case b.only > 0 && most >= 0:
		return fmt.Sprintf("in %d tries it was violated only together with others, mostly %s", b.tries, f.all[most].Title())
	case b.only > 0:
		return fmt.Sprintf("in %d tries it was violated only together with other errors", b.tries)
	}
	return fmt.Sprintf("no object was found in %d tries", b.tries)
}

// climb changes an object until a request with it reaches the goal. It returns the smallest of several such objects, nil if none is
// found.
func (f *search) climb(to request, g goal, start map[string]any, tries int) (map[string]any, failure) {
	const enough, patience = 4, 40
	var best map[string]any
	var near failure
	found, bestSize, last := 0, 0, 0
	var obj map[string]any
	var got score
	for n := range tries {
		near.tries = n + 1
		next := jsonvalue.Copy(start)
		if obj == nil || n-last > patience {
			specimen.Edit(f.rng, next, f.schema, g.place, f.present)
			if last, obj = n, nil; g.vary {
				f.change(next, goal{number: g.about, place: g.place}, score{})
			}
		} else {
			next = jsonvalue.Copy(obj)
			for range 1 + f.rng.IntN(4)/3 {
				f.change(next, g, got)
			}
		}
		asWritten(next)
		size := jsonvalue.Size(next)
		if size > mostBytes || !specimen.Has(next, g.place) {
			continue
		}
		if f.left -= size; f.left < 0 {
			break
		}
		now := f.score(next, to, g)
		if now.near {
			near.only++
			for _, v := range now.others {
				if near.others == nil {
					near.others = map[int]int{}
				}
				near.others[v.Number]++
			}
		}
		if now.cost == 0 {
			text := legible(next)
			if text == nil {
				continue
			}
			if best == nil || len(text) < bestSize {
				best, bestSize = next, len(text)
			}
			if found++; found == enough || g.number == accepted || f.isRule(g.number) {
				return best, near
			}
			obj = nil
			continue
		}
		if obj == nil || now.cost <= got.cost {
			if obj == nil || now.cost < got.cost {
				last = n
			}
			obj, got = next, now
		}
	}
	return best, near
}

// legible returns an object as the text of a case, nil if nobody could read it. Nor could a program read empty lines at its end: the text
// of a case does not have them.
func legible(obj map[string]any) []byte {
	text, err := yaml.Marshal(obj)
	if err != nil || len(text) > mostBytes || bytes.HasSuffix(text, []byte("\n\n")) ||
		bytes.ContainsFunc(text, func(r rune) bool { return r != '\n' && !strconv.IsPrint(r) }) {
		return nil
	}
	return text
}

// score says how far a request is from the goal.
type score struct {
	cost   int // 0 if it is that
	near   bool
	others []crdcover.Violation
}

func (f *finder) score(obj map[string]any, to request, g goal) score {
	a := f.try(obj, to)
	var s score
	if a.Answer.Refusal != nil && a.Answer.Refusal.Reason != "Invalid" {
		return score{cost: 1000}
	}
	violated := false
	for _, v := range a.Violations {
		if v.Number == g.number {
			violated = true
		} else if a.Answer.Refusal != nil {
			s.others = append(s.others, v)
		}
	}
	s.cost = len(s.others)
	if !violated && g.number != accepted {
		s.cost++
	}
	s.near = violated && s.cost > 0
	return s
}

func (f *finder) isRule(number int) bool { return f.all[number].Kind == crdcover.Rule }

// topic is what a CEL rule or a junctor is about.
type topic struct {
	aim    *specimen.Aim
	places []prunert.Path // below the value
}

// newTopic returns the topic of a constraint, nil if that is about its value alone.
func (f *finder) newTopic(number int) *topic {
	c := f.all[number]
	s := specimen.At(f.schema, path(c.Steps()))
	aim := &specimen.Aim{Fields: map[string]bool{}}
	if r := f.kind.Rule(number); r != nil {
		if e, err := prunecel.ParseExpr(r.Program.Text); err == nil {
			aim.Read(e)
		}
	} else if s != nil && s.ValueValidation != nil && slices.Contains([]string{"allOf", "anyOf", "oneOf", "not"}, c.Kind) {
		v := s.ValueValidation
		for _, n := range slices.Concat(v.AllOf, v.AnyOf, v.OneOf, []*structural.NestedValueValidation{v.Not}) {
			named(aim.Fields, n)
		}
	} else {
		return nil
	}
	t := &topic{aim: aim}
	t.add(s, nil)
	if len(c.Steps()) == 0 && aim.Fields["metadata"] {
		t.places = append(t.places, prunert.FieldPath("metadata", "name"))
	}
	return t
}

// named adds the names of fields that a junctor is about.
func named(fields map[string]bool, n *structural.NestedValueValidation) {
	if n == nil {
		return
	}
	for _, name := range n.Required {
		fields[name] = true
	}
	for name, below := range n.Properties {
		fields[name] = true
		named(fields, below)
	}
	named(fields, n.Items)
	for _, below := range slices.Concat(n.AllOf, n.AnyOf, n.OneOf, []*structural.NestedValueValidation{n.Not}) {
		named(fields, below)
	}
}

// add adds the places below a value that are named.
func (t *topic) add(s *structural.Schema, at prunert.Path) {
	const most, deepest = 100, 8
	if s == nil || len(at) > deepest || len(t.places) >= most {
		return
	}
	t.places = append(t.places, at)
	for _, name := range sorted.Keys(t.aim.Fields) {
		if below := specimen.FieldOf(s, name); below != nil && name != "apiVersion" && name != "kind" {
			t.add(below, extend(at, name))
		}
	}
	if s.Items != nil {
		t.add(s.Items, extend(at, "[]"))
	}
	if ap := s.AdditionalProperties; ap != nil && ap.Schema != nil {
		t.add(ap.Schema, extend(at, "[*]"))
	}
}
