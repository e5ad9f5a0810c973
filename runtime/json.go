package prunert

import (
	"fmt"
	"io"

	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
)

// JSONReport is the report of PruneJSONReport about a document. MaxReported bounds Dropped as it bounds the result of PruneReport. It also
// bounds the bytes of Duplicate, which is then cut off without a last entry that says so.
type JSONReport struct {
	// Dropped are the paths of the members that were dropped, as PruneReport writes them, sorted. Below duplicate keys there is one for
	// each member that was dropped, even where a decoder would keep only the last of the keys. In a list they begin with items[0].
	Dropped []string
	// Duplicate are the paths of the keys that an object has twice, dropped objects included, as the API server lists them in
	// strict mode: in the order of the document, each path once, and no more than MaxDuplicates.
	Duplicate []string
}

// MaxDuplicates is how many duplicate keys are listed: as many as the decoder of the API server lists.
const MaxDuplicates = 100

// SyntaxError says what is wrong with a JSON document.
type SyntaxError struct {
	// Offset is the index of the first wrong byte, or the length of the document if that ends too early.
	Offset  int64
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at offset %d", e.Message, e.Offset) }

// DefaultMaxStreamObject is the maximum size in bytes of an object in a stream, or of an item of a list in it, unless a StreamReader has
// another limit: ten times what etcd stores. It bounds the memory of PruneStream.
const DefaultMaxStreamObject = 16 << 20

// StreamReader is a reader for PruneStream that bounds the size of objects differently.
type StreamReader struct {
	io.Reader
	// MaxObject is the maximum size in bytes of an object, or of an item of a list. Below 1, it is DefaultMaxStreamObject.
	MaxObject int
}

// MaxStreamObject returns the maximum size in bytes of an object that PruneStream reads from r.
func MaxStreamObject(r io.Reader) int {
	if s, ok := r.(StreamReader); ok && s.MaxObject > 0 {
		return s.MaxObject
	}
	return prunelimits.CurrentStreamObject()
}

// ObjectSizeError reports an object, or an item or another part of a list, that is too large for a stream.
type ObjectSizeError struct {
	// Offset is where in the stream it begins.
	Offset int64
	// Limit is the maximum size in bytes.
	Limit int
}

func (e *ObjectSizeError) Error() string {
	return fmt.Sprintf("the object at offset %d is larger than %d bytes: see prunert.StreamReader", e.Offset, e.Limit)
}

// LateKindError reports that a list in a stream is too large to be in memory and has its kind after its items, and that an item should have
// been pruned differently by that kind, but is already written.
type LateKindError struct {
	// Offset is where in the stream the item begins.
	Offset int64
}

func (e *LateKindError) Error() string {
	return fmt.Sprintf("the item at offset %d has no kind of its own, and the kind of the list comes after it: "+
		"write kind and apiVersion before items, or see prunert.StreamReader", e.Offset)
}
