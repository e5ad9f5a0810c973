// Package specimen makes objects from structural schemas: well-typed ones of a chosen size, ones that violate a keyword, and ones that
// are made for the sake of a CEL rule. Package specimentest makes objects that violate their schemas in other ways, and changes objects, for tests.
//
// The same schema, seed and options give the same object on every machine. Objects consist of what the JSON decoder of
// Kubernetes' API machinery makes and of nothing else: nil, bool, int64, float64, string, []any and map[string]any, with
// every string valid UTF-8.
//
//	obj := specimen.Make(schema, 1, specimen.Options{Size: 15_000})
package specimen

import (
	"math/rand/v2"

	"github.com/prune-gen/prune-gen/structural"
)

// Options says what an object is like.
type Options struct {
	// Size is about how many bytes the object has as JSON. The object is smaller where the schema has no room for more, and larger
	// where what is required takes more. 0 means 1,000.
	Size int
	// APIVersion, Kind, Name and Namespace are what the object is called. If they are empty, the maker chooses APIVersion and Kind, and
	// makes up Name and Namespace like the rest of the metadata.
	APIVersion, Kind, Name, Namespace string
	// Aim is what the object is made for, nil for nothing special.
	Aim *Aim
}

// Make returns an object for s. A nil schema specifies nothing but apiVersion, kind and metadata.
func Make(s *structural.Schema, seed uint64, opts Options) map[string]any {
	m := NewMaker(seed, opts)
	obj := m.Root(s).Object()
	if m.aim != nil {
		m.aim.twins(m, obj)
	}
	return obj
}

func newRand(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 0x7072756e6567656e))
}
