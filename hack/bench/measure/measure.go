// Package measure runs generated code and its rivals side by side in one process and says how long each takes.
//
// It is linked into a program that is made at run time together with the generated code: Main is all there is to that
// program. What it is given and what it finds go through two JSON files, Input and Output.
package measure

import (
	"encoding/json"
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

// Object is one object of the benchmark set.
type Object struct {
	Kind  string
	Size  string
	State State
	JSON  json.RawMessage
}

// Label names the object among those of the same state.
func (o Object) Label() string { return o.Kind + " " + o.Size }

// State says whether there is something to prune in an object.
type State string

const (
	Clean State = "clean" // everything in it is specified
	Dirty State = "dirty" // it has unknown fields on every level

	Valid   State = "valid"   // its values are what the schema wants
	Invalid State = "invalid" // some of its values are not
)

// Output is what was measured.
type Output struct {
	Results []Result
}

// Result is how one contestant did on one object.
type Result struct {
	Kind  string
	Size  string
	State State
	Bytes int // of the object as JSON

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
		s.JSON = o.JSON
		// Decoded as the API server does it, so that keys and maps are those of objects that came over the network.
		if err := utiljson.Unmarshal(o.JSON, &s.Object); err != nil {
			return nil, fmt.Errorf("%s: %w", o.Label(), err)
		}
		if err := agree(&s, o.State); err != nil {
			return nil, fmt.Errorf("%s, %s: %w", o.Label(), o.State, err)
		}
		if o.State == Dirty {
			s.glance = newGlance(&s)
		}
		progress.Printf("measuring %d/%d  %s, %s", i+1, len(in.Objects), o.Label(), o.State)
		out.Results = append(out.Results, race(&s, o, in)...)
	}
	progress.Clear()
	return out, nil
}
