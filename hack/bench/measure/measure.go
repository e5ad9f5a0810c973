// Package measure runs generated code and its rivals side by side in one process and says how long each takes.
//
// It is linked into a program that is made at run time together with the generated code: Main is all there is to that
// program. What it is given and what it finds go through two JSON files, Input and Output.
package measure

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/prune-gen/prune-gen/hack/bench/progress"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Input is what to measure.
type Input struct {
	Resources []Resource
	Objects   []Object
	Rows      []string // the IDs of the rows to measure
	// Rounds is how often each contestant has its turn, Turn how long a turn is, about.
	Rounds int
	Turn   time.Duration
	Clock  Clock
}

// Resource is one version of a CRD.
type Resource struct {
	Kind    string
	Version string
	CRD     json.RawMessage
}

// Object is one object of the benchmark set, or, where people wrote them, several that are measured as one.
type Object struct {
	Kind  string
	Size  string
	State State
	// Documents are the bytes that functions on JSON get. Objects are decoded from the first, and in the state Real from each.
	Documents [][]byte
	// Old is what the object replaces in an update, in states for CEL rules.
	Old []byte
}

// Label names the object among those of the same state.
func (o Object) Label() string { return o.Kind + " " + o.Size }

// State says whether there is something to prune in an object.
type State string

const (
	Clean State = "clean" // everything in it is specified
	Dirty State = "dirty" // it has unknown fields on every level
	Real  State = "real"  // everything in it is specified, and somebody wrote it

	Valid   State = "valid"   // its values are what the schema wants
	Invalid State = "invalid" // some of its values are not

	Conforming State = "conforming" // no CEL rule refuses it
	Violating  State = "violating"  // some of its CEL rules are false

	// For functions on JSON alone: indented, and not one document but many.
	CleanIndented State = "clean, indented"
	DirtyIndented State = "dirty, indented"
	CleanRotating State = "clean, rotating"
	DirtyRotating State = "dirty, rotating"
)

// Dirty reports whether there are unknown fields in objects of the state.
func (s State) Dirty() bool { return s == Dirty || s == DirtyIndented || s == DirtyRotating }

// onlyJSON reports whether objects of the state are for functions on JSON alone.
func (s State) onlyJSON() bool {
	return s == CleanIndented || s == DirtyIndented || s == CleanRotating || s == DirtyRotating
}

// onlyValidated reports whether objects of the state are for functions that validate alone.
func (s State) onlyValidated() bool {
	return s == Valid || s == Invalid || s.forRules()
}

// forRules reports whether objects of the state are for functions that evaluate CEL rules.
func (s State) forRules() bool { return s == Conforming || s == Violating }

// Output is what was measured.
type Output struct {
	Results []Result
}

// Result is how one contestant did on one object.
type Result struct {
	Kind  string
	Size  string
	State State
	Bytes int // of the object as JSON, on average where there are several

	Function string
	By       string
	Rounds   []Sample
}

// Sample is one turn of a contestant.
type Sample struct {
	Ops    int
	Nanos  float64 // per operation
	Allocs float64 // per operation
	Bytes  float64 // allocated per operation
}

// Main measures what the file that the first argument names asks for, and writes the results to the second one.
func Main(generated map[string]prunert.Resource) {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: measure INPUT OUTPUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], generated); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run(inputFile, outputFile string, generated map[string]prunert.Resource) error {
	data, err := os.ReadFile(inputFile)
	if err != nil {
		return err
	}
	var in Input
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("read %s: %w", inputFile, err)
	}
	out, err := measure(in, generated)
	if err != nil {
		return err
	}
	data, err = json.Marshal(out)
	if err != nil {
		return err
	}
	return os.WriteFile(outputFile, data, 0o666)
}

func measure(in Input, generated map[string]prunert.Resource) (*Output, error) {
	resources := map[string]*Subject{}
	for _, r := range in.Resources {
		crd, err := kube.DecodeCRD(r.CRD)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Kind, err)
		}
		theirs, err := crd.Resource(r.Version)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Kind, err)
		}
		ours, ok := generated[r.Kind]
		if !ok {
			return nil, fmt.Errorf("%s: no code was generated for it", r.Kind)
		}
		resources[r.Kind] = &Subject{Generated: ours, Kube: theirs}
	}
	runtime.LockOSThread() // for the clock that looks at this thread
	defer runtime.UnlockOSThread()
	out := &Output{}
	for i, o := range in.Objects {
		r, ok := resources[o.Kind]
		if !ok {
			return nil, fmt.Errorf("%s: no CRD for it", o.Label())
		}
		s := *r
		lanes := contestants(in.Rows, o.State, s.Generated)
		if len(lanes) == 0 {
			continue
		}
		s.Documents, s.oldDocument = o.Documents, o.Old
		originals, err := s.prepare(o.State)
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", o.Label(), o.State, err)
		}
		progress.Printf("measuring %d/%d  %s, %s", i+1, len(in.Objects), o.Label(), o.State)
		out.Results = append(out.Results, race(&s, originals, o, lanes, in)...)
	}
	progress.Clear()
	return out, nil
}

// prepare decodes the objects of a subject, makes sure that everybody agrees on them, and returns them.
func (s *Subject) prepare(state State) (originals []map[string]any, err error) {
	if len(s.Documents) == 0 {
		return nil, errors.New("nothing to measure")
	}
	if !state.onlyValidated() {
		if err := agreeOnJSON(s, state); err != nil || state.onlyJSON() {
			return nil, err
		}
	}
	docs := s.Documents[:1]
	if state == Real {
		docs = s.Documents
	}
	for _, doc := range docs {
		// Decoded as the API server does it, so that keys and maps are those of objects that came over the network.
		s.Object = nil
		if err := utiljson.Unmarshal(doc, &s.Object); err != nil {
			return nil, err
		}
		if state.forRules() {
			s.Old = nil
			if err := utiljson.Unmarshal(s.oldDocument, &s.Old); err != nil {
				return nil, err
			}
		}
		if err := agree(s, state); err != nil {
			return nil, err
		}
		originals = append(originals, s.Object)
	}
	if state == Dirty {
		s.glance = newGlance(s)
	}
	return originals, nil
}

// size returns how many bytes a document of the subject has, on average.
func (s *Subject) size() int {
	sum := 0
	for _, doc := range s.Documents {
		sum += len(doc)
	}
	return sum / len(s.Documents)
}
