// Package specimen makes objects from structural schemas: well-typed ones of a chosen size, ones that depart from their schema in
// chosen ways, and ones that are made for the sake of a CEL rule. It also makes schemas and CRDs to make objects from.
//
// The same schema, seed and options give the same object on every machine. Objects consist of what the JSON decoder of
// Kubernetes' API machinery makes and of nothing else: nil, bool, int64, float64, string, []any and map[string]any, with
// every string valid UTF-8.
//
//	obj := specimen.Make(schema, 1, specimen.Options{Size: 15_000})                                   // clean
//	obj := specimen.Make(schema, 1, specimen.Options{Size: 15_000, Flaws: specimen.Unknown, Rate: 1}) // dirty
//	obj := specimen.Make(schema, 1, specimen.Mixed(1))                                                // anything
//	old := specimen.Change{Seed: 1, OneIn: 10}.Of(obj)                                                // one that obj may replace
package specimen

import (
	"math/rand/v2"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// Flaw is a set of ways in which an object may depart from its schema.
type Flaw uint16

const (
	// Unknown adds fields that the schema does not specify, on every level, inside of preserved subtrees and of values
	// that are unknown themselves as well.
	Unknown Flaw = 1 << iota
	// WrongType puts values of another type in place of those that the schema wants: maps for lists, lists for maps, and odd numbers,
	// which are huge, tiny, fractional, or have no fraction and are not integers.
	WrongType
	// Null puts nulls in place of values and of elements.
	Null
	// Keys gives odd keys to maps and to unknown fields: empty, with dots and brackets, control characters, quotes.
	Keys
	// MetadataUnknown adds fields to metadata that ObjectMeta does not have, names in the wrong case among them.
	MetadataUnknown
	// MetadataMalformed puts values into metadata that have the wrong type or the wrong form, or replaces all of it.
	MetadataMalformed
	// Resources leaves out, empties or spoils apiVersion, kind and metadata, at the root and in embedded resources.
	Resources
	// Values puts values in place of others that a keyword of value validation does not allow, or that are at its border.
	Values
	// MetadataValues puts values into metadata that have the right type, and that no object can have: names, labels, owners.
	MetadataValues

	flawEnd

	// None is a well-typed object in which pruning finds nothing to drop.
	None Flaw = 0
	// All is every flaw.
	All = flawEnd - 1
)

var flawNames = []string{
	"unknown", "wrong-type", "null", "keys", "metadata-unknown", "metadata-malformed", "resources",
	"values", "metadata-values",
}

// String lists the flaws, or says none or all.
func (f Flaw) String() string {
	switch f {
	case None:
		return "none"
	case All:
		return "all"
	}
	var names []string
	for i, name := range flawNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// Options says what an object is like.
type Options struct {
	// Size is about how many bytes the object has as JSON, before flaws are put into it. The object is smaller where the
	// schema has no room for more, and larger where what is required takes more. 0 means 1,000.
	Size int
	// Flaws is how the object departs from its schema.
	Flaws Flaw
	// Rate is how often it does so, from 0 to 1: the part of the places where a flaw could be that have one. A flaw that
	// would replace a whole subtree comes less often, so that something is left to look at. 0 means 0.05.
	Rate float64
	// APIVersion, Kind, Name and Namespace are what the object is called. APIVersion and Kind have a value of the
	// maker's own choosing where they are empty; Name and Namespace are as made up as the rest of the metadata then.
	APIVersion, Kind, Name, Namespace string
	// Aim is what the object is made for, nil for nothing special.
	Aim *Aim
}

// Make returns an object for s. A nil schema specifies nothing but apiVersion, kind and metadata.
func Make(s *structural.Schema, seed uint64, opts Options) map[string]any {
	if opts.Size == 0 {
		opts.Size = 1000
	}
	if opts.Rate == 0 {
		opts.Rate = 0.05
	}
	s = orNone(s)
	m := &maker{rng: newRand(seed), opts: opts}
	if opts.Aim != nil {
		m.aimAt(opts.Aim)
	}
	root := m.root(s)
	if m.aim == nil {
		m.grow(root)
	}
	if m.has(Values) {
		m.spoilValues(root, s)
	}
	if opts.Flaws != None {
		m.spoil(root, 0)
	}
	obj := root.object()
	if m.aim != nil {
		m.aim.twins(m, obj)
	}
	return obj
}

// Mixed returns options that follow from the seed: small objects and larger ones, clean ones and ones with any mixture of
// flaws, from few to many. Make(s, seed, Mixed(seed)) makes one number stand for an object.
func Mixed(seed uint64) Options {
	rng := newRand(seed ^ 0x6d69786564)
	opts := Options{
		Size: []int{200, 500, 1000, 2000, 4000, 8000}[rng.IntN(6)],
		Rate: []float64{0.01, 0.05, 0.1, 0.3, 1}[rng.IntN(5)],
	}
	switch rng.IntN(10) {
	case 0:
		opts.Flaws = None
	case 1:
		opts.Flaws = Unknown
	case 2:
		opts.Flaws = All
	case 3:
		opts.Flaws = All &^ MetadataMalformed
	case 4:
		opts.Flaws = Values
	case 5:
		opts.Flaws = MetadataValues
	default:
		opts.Flaws = Flaw(rng.UintN(uint(All) + 1))
	}
	return opts
}

func newRand(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 0x7072756e6567656e))
}
