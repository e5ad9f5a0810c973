package prunert

import (
	"fmt"
	"sync/atomic"
)

// JSONReport is what PruneJSONReport has to say about a document. Limits bound Dropped as they bound what PruneReport
// returns, and the bytes of Duplicate, which then just ends.
type JSONReport struct {
	// Dropped are the paths of the members that were dropped, as PruneReport writes them, sorted. Below duplicate keys there
	// is one for each member that went, also where a decoder would have let the last of the keys win. In a list they begin
	// with items[0].
	Dropped []string
	// Duplicate are the paths of the keys that an object has twice, dropped objects included, as the API server lists them in
	// strict mode: in the order of the document, each path once, and no more than MaxDuplicates.
	Duplicate []string
}

// MaxDuplicates is how many duplicate keys are listed: as many as the decoder of the API server lists.
const MaxDuplicates = 100

// SyntaxError says what is wrong with a JSON document.
type SyntaxError struct {
	// Offset is the index of the first byte that is wrong, which is the length of the document where that ends too early.
	Offset  int64
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at offset %d", e.Message, e.Offset) }

// DefaultMaxStreamObject is what MaxStreamObject is until SetMaxStreamObject changes it: ten times what etcd stores.
const DefaultMaxStreamObject = 16 << 20

var maxStreamObject atomic.Int64

// MaxStreamObject returns how many bytes an object in a stream, or an item of a list in it, may have: what PruneStream holds
// in memory is bounded by it.
func MaxStreamObject() int {
	if n := maxStreamObject.Load(); n > 0 {
		return int(n)
	}
	return DefaultMaxStreamObject
}

// SetMaxStreamObject changes MaxStreamObject for all streams in this program that begin after it, and returns what it was.
// Below 1 it is the default again.
func SetMaxStreamObject(bytes int) (previous int) {
	previous = MaxStreamObject()
	maxStreamObject.Store(int64(bytes))
	return previous
}

// ObjectSizeError says that a stream has an object, an item or another part of a list that is too large.
type ObjectSizeError struct {
	// Offset is where in the stream it begins.
	Offset int64
	// Limit is what MaxStreamObject was.
	Limit int
}

func (e *ObjectSizeError) Error() string {
	return fmt.Sprintf("the object at offset %d is larger than %d bytes: see prunert.SetMaxStreamObject", e.Offset, e.Limit)
}

// LateKindError reports that a list in a stream is larger than MaxStreamObject and has its kind after its items, and that an item
// should have been pruned differently by that kind, but is already written.
type LateKindError struct {
	// Offset is where in the stream the item begins.
	Offset int64
}

func (e *LateKindError) Error() string {
	return fmt.Sprintf("the item at offset %d has no kind of its own, and the kind of the list comes after it: "+
		"write kind and apiVersion before items, or see prunert.SetMaxStreamObject", e.Offset)
}
