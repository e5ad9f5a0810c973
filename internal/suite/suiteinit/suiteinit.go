// Package suiteinit writes first suites for CRDs: an object that is accepted, and for each constraint one that violates it and nothing
// else, as far as such an object is found. The same CRD gives the same suite on every machine.
package suiteinit

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/base/workers"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/suite/crdcover"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Suite is a suite for a version of a CRD.
type Suite struct {
	Text  []byte
	Cases int
	// Constraints are those of the version, with the cases that show them.
	Constraints []crdcover.Constraint
	// Missing says why no case shows a constraint, by its index in Constraints: a *suite.Difference if a case would hold for some versions
	// of Kubernetes only.
	Missing map[int]error
	// LeftOut is the number of constraints that belong to types of Kubernetes, for which no case was looked for.
	LeftOut int
}

// Scope is the constraints that a suite has cases for.
type Scope string

const (
	// Own is all but those of types that Kubernetes defines.
	Own Scope = "own"
	All Scope = "all"
)

// New returns a suite for a version of a CRD. It fails if it finds no object that is accepted. The CRD has no Meter afterwards: what is
// tried does not count for a run, and each search has limits of its own.
func New(crd *structural.CRD, version string, of Scope) (*Suite, error) {
	origin.SetMeter(crd, nil)
	v := suite.NewVariant(crd)
	resources, err := v.Resources()
	if err != nil {
		return nil, err
	}
	r := resources[slices.IndexFunc(resources, func(r prunert.Resource) bool { return r.Version == version })]
	f, err := newFinder(v, r)
	if err != nil {
		return nil, err
	}
	s := &Suite{Missing: map[int]error{}}
	cases := []testCase{{name: "minimal object", initial: f.minimal}}
	shown := map[int]bool{}
	for _, v := range f.seen(cases[0]) {
		shown[v.Number] = true
	}
	type result struct {
		found *testCase
		why   error
	}
	results := make([]result, len(f.all))
	leftOut := map[int]string{} // the type of Kubernetes that a constraint is part of, with its place
	for number := range f.all {
		if place, name := f.within(number); of == Own && name != "" && !shown[number] {
			leftOut[number] = crdcover.Constraint{Path: place, Kind: name}.Title()
		}
	}
	search := func(number int) {
		if shown[number] || leftOut[number] != "" {
			return
		}
		found, reason := f.find(number)
		why := errors.New(reason)
		if found != nil {
			why = f.unfit(*found)
		}
		if why != nil {
			found = nil
		}
		results[number] = result{found, why}
	}
	for range workers.InOrder(len(f.all), runtime.GOMAXPROCS(0), search) {
	}
	for number, c := range f.all {
		found := results[number].found
		switch {
		case shown[number]: // one case shows all defaults of its object
		case leftOut[number] != "":
		case found == nil:
			s.Missing[number] = results[number].why
		default:
			found.name = c.Title()
			cases = append(cases, *found)
			for _, v := range f.seen(*found) {
				shown[v.Number] = true
				delete(s.Missing, v.Number)
			}
		}
	}
	maps.DeleteFunc(leftOut, func(number int, _ string) bool { return shown[number] })
	s.Cases, s.LeftOut = len(cases), len(leftOut)
	if err := s.write(v, r, unique(cases), leftOut); err != nil {
		return nil, err
	}
	for number, c := range s.Constraints {
		if leftOut[number] == "" && (len(c.ViolatedBy) > 0) == (s.Missing[number] != nil) {
			return nil, fmt.Errorf("the suite for %s does not show what it was written for: %s", v.Name, c.Title())
		}
	}
	return s, nil
}

// unfit says why a suite cannot have a case, nil if it can.
func (f *finder) unfit(c testCase) error {
	_, run := f.run(c)
	if run.Stored != nil && legible(run.Stored) == nil {
		return errors.New("what is stored has characters that a suite cannot have")
	}
	if _, other := run.Everywhere(); other != nil {
		return other // nothing can be expected of all versions
	}
	return nil
}

// Minimal returns a small object that r, the resource of a version of a CRD, accepts.
func Minimal(v *suite.Variant, r prunert.Resource) (map[string]any, error) {
	f, err := newFinder(v, r)
	if err != nil {
		return nil, err
	}
	return f.minimal, nil
}

// testCase is a case before it is written. updated is nil if the object is created only.
type testCase struct {
	name             string
	initial, updated map[string]any
}

// unique gives cases of the same name numbers.
func unique(cases []testCase) []testCase {
	count := map[string]int{}
	for i := range cases {
		name := cases[i].name
		if count[name]++; count[name] > 1 {
			cases[i].name = fmt.Sprintf("%s (%d)", name, count[name])
		}
	}
	return cases
}

// write makes the text of cases, with the answers of the API server, and records what they show.
func (s *Suite) write(v *suite.Variant, r prunert.Resource, cases []testCase, leftOut map[int]string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Every object here was made up: read the cases, and keep those that say what you mean.\n")
	fmt.Fprintf(&b, "name: %s\ncrdName: %s\nversion: %s\ntests:\n", strconv.Quote(r.Kind+" "+r.Version), strconv.Quote(v.Name), strconv.Quote(r.Version))
	for _, part := range []struct {
		name    string
		updates bool
	}{{"onCreate", false}, {"onUpdate", true}} {
		head := "  " + part.name + ":\n"
		for _, c := range cases {
			if (c.updated != nil) != part.updates {
				continue
			}
			fmt.Fprintf(&b, "%s  - name: %s\n", head, suite.Quoted(c.name))
			writeObject(&b, "initial", c.initial)
			if part.updates {
				writeObject(&b, "updated", c.updated)
			}
			head = ""
		}
	}
	text, _, err := run(v, b.Bytes(), nil)
	if err != nil {
		return err
	}
	kind, err := crdcover.New(v.CRD, r)
	if err != nil {
		return err
	}
	_, failed, err := run(v, text, func(q suite.Request) { kind.Record(q.Case.Name, q.Sent, q.Old, q.Request, q.Answer) })
	if err != nil || failed > 0 {
		return errors.Join(err, fmt.Errorf("%d cases fail that were just written", failed))
	}
	s.Constraints = kind.Constraints()
	b.Reset()
	b.Write(text)
	if len(s.Missing) > 0 {
		fmt.Fprintf(&b, "\n# Constraints that no case violates:\n")
		for number, c := range s.Constraints {
			if why := s.Missing[number]; why != nil {
				fmt.Fprintf(&b, "#   %s: %v\n", c.Title(), why)
			}
		}
	}
	if len(leftOut) > 0 {
		fmt.Fprintf(&b, "\n# Left out are the constraints of types that Kubernetes defines, with their number; --init-all writes cases for them, too:\n")
		count := map[string]int{}
		for _, of := range leftOut {
			count[of]++
		}
		for _, of := range sorted.Keys(count) {
			fmt.Fprintf(&b, "#   %s (%d)\n", of, count[of])
		}
	}
	s.Text = b.Bytes()
	return nil
}

func writeObject(b *bytes.Buffer, field string, obj map[string]any) {
	text, err := yaml.Marshal(obj)
	if err != nil {
		panic(fmt.Sprintf("suiteinit: %v", err)) // objects are JSON
	}
	fmt.Fprintf(b, "    %s: |\n", field)
	for line := range strings.Lines(string(text)) {
		fmt.Fprintf(b, "      %s", line)
	}
}

// run runs the cases of a text. It returns the text with the actual results, and the number of cases that expected something else.
func run(v *suite.Variant, text []byte, observe func(suite.Request)) ([]byte, int, error) {
	s, wrong := suite.Read(meter.New(1), "suite", yamltext.Decode(text))
	if len(wrong) > 0 {
		return nil, 0, fmt.Errorf("the suite cannot be read: line %d: %s", wrong[0].Line, wrong[0].Message)
	}
	failed := 0
	runs := (&suite.Variants{All: []*suite.Variant{v}}).Runs(s)
	for _, r := range runs {
		if r.Do(observe); r.Failures != nil {
			failed++
		}
	}
	text, err := s.Update(runs)
	return text, failed, err
}
