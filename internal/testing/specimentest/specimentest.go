// Package specimentest makes objects that violate their schemas in chosen ways, and schemas and CRDs to make objects from.
//
//	obj := specimentest.Make(schema, 1, specimentest.Options{Size: 15_000, Flaws: specimentest.Unknown, Rate: 1}) // dirty
//	obj := specimentest.Make(schema, 1, specimentest.Mixed(1))                                                    // anything
package specimentest

import (
	"math/rand/v2"

	"github.com/prune-gen/prune-gen/internal/suite/specimen"
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

// Options says what an object is like.
type Options struct {
	// Size is about how many bytes the object has before flaws are put into it, as in [specimen.Options].
	Size int
	// Flaws is how the object departs from its schema.
	Flaws Flaw
	// Rate is how often it does so, from 0 to 1: the share of the possible places that have a flaw. A flaw that would replace a whole
	// subtree is rarer, so that something is left to test. 0 means 0.05.
	Rate float64
	// Aim says what the object should have, as in [specimen.Options].
	Aim *specimen.Aim
	// APIVersion, Kind, Name and Namespace are what the object is called, as in [specimen.Options].
	APIVersion, Kind, Name, Namespace string
}

// Make returns an object for s. A nil schema specifies nothing but apiVersion, kind and metadata.
func Make(s *structural.Schema, seed uint64, opts Options) map[string]any {
	if opts.Rate == 0 {
		opts.Rate = 0.05
	}
	m := &spoiler{specimen.NewMaker(seed, specimen.Options{
		Size: opts.Size, Aim: opts.Aim, APIVersion: opts.APIVersion, Kind: opts.Kind, Name: opts.Name, Namespace: opts.Namespace,
	}), opts.Flaws, opts.Rate}
	m.Beyond = m.has(Values)
	if m.has(WrongType | MetadataMalformed) {
		m.Numbers = oddNumbers
	}
	root := m.Root(s)
	if m.has(Values) {
		m.spoilValues(root, s)
	}
	if opts.Flaws != None {
		m.spoil(root, 0)
	}
	return root.Object()
}

// Mixed returns options that follow from the seed: small objects and larger ones, clean ones and ones with any mixture of
// flaws, from few to many. Make(s, seed, Mixed(seed)) makes one number stand for an object.
func Mixed(seed uint64) Options {
	rng := rand.New(rand.NewPCG(seed^0x6d69786564, 0x7072756e6567656e))
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
