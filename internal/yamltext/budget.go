package yamltext

import (
	"bytes"
	"fmt"
	"io"
)

// The limits of a run. They leave room for all the CRDs of a cluster: 59 MB of public CRDs have 780,000 values and 2.2
// million separators. Whatever the texts contain, reading them takes less than 500 MB of memory and 10 seconds.
const (
	// MaxSize is how many bytes the texts of a run may have.
	MaxSize = 64 << 20
	// maxValues is how many values they may have: scalars, lists and maps.
	maxValues = 1_000_000
	// maxSeparators is how many characters they may have that can stand between two values or lines. It bounds the number
	// of lines, and the work of parsers, before anything is parsed.
	maxSeparators = 3_000_000
	// maxDocumentSeparators is the same for a document in YAML, whose parser makes a tree of the whole document before
	// anybody can count its values. Argo's Workflow, the largest public CRD, has 140,000.
	maxDocumentSeparators = 400_000
	// maxDocuments is how many documents they may have. A parser for each takes as long as reading a page of text.
	maxDocuments = 50_000
	// maxObjects is how many objects they may have. A list is one document, but takes as long as its items.
	maxObjects = 50_000
	// maxObjectValues is how many values the objects with a CRD may have: validating takes several times as long as reading.
	maxObjectValues = 400_000
	// maxObjectPaths is about how many bytes the paths of all fields of an object may have, and maxPaths the same for all objects.
	// Every path can be in several messages, and repeats the keys above it.
	maxObjectPaths = 16 << 20
	maxPaths       = 256 << 20
	// maxAliasNodes is how many nodes all the aliases of a run may stand for: as many as the YAML parser of Kubernetes
	// allows for one document.
	maxAliasNodes = 400_000
	// maxAliasBytes is how many bytes the keys and strings may have for which they stand.
	maxAliasBytes = MaxSize
)

// Budget is what a run may still read. The texts of the run share it. Once a limit is reached, nothing more is read: each text
// that follows is refused with the same limit.
type Budget struct {
	bytes, values, separators, documents, aliasNodes, aliasBytes int
	objects, objectValues, paths                                 int
	reached                                                      string // the limit that was reached
}

// NewBudget returns the budget of a run that has read nothing.
func NewBudget() *Budget {
	return &Budget{
		bytes: MaxSize, values: maxValues, separators: maxSeparators, documents: maxDocuments, aliasNodes: maxAliasNodes, aliasBytes: maxAliasBytes,
		objects: maxObjects, objectValues: maxObjectValues, paths: maxPaths,
	}
}

// Read returns the text of r, as Decode does. The error is a *Problem if r has more bytes than are left.
func (b *Budget) Read(r io.Reader) ([]byte, error) {
	if b.reached != "" {
		return nil, b.refused()
	}
	data, err := io.ReadAll(io.LimitReader(r, int64(b.bytes)+1))
	if err != nil {
		return nil, err
	}
	if p := b.addBytes(data); p != nil {
		return nil, p
	}
	return Decode(data), nil
}

// addBytes counts the bytes of a text.
func (b *Budget) addBytes(data []byte) *Problem {
	if b.reached != "" {
		return b.refused()
	}
	if len(data) > b.bytes {
		return b.Exceed(Pos{1, 1}, sizeLimit)
	}
	b.bytes -= len(data)
	return nil
}

// Exceed ends the budget: what is at the given place in a text is beyond the limit, which is a number with its unit.
func (b *Budget) Exceed(at Pos, limit string) *Problem {
	b.reached = limit
	p := problemf(RuleTooLarge, at, "with this file, the run exceeds the limit of %s", limit)
	p.Hint = SplitHint
	return p
}

const (
	sizeLimit = "64 MiB"
	// SplitHint is what to do about a limit of a run.
	SplitHint = "split the input into several runs, or leave out files that are not needed"
)

// refused returns the problem with a text that is not read because the budget has ended before.
func (b *Budget) refused() *Problem {
	p := problemf(RuleTooLarge, Pos{1, 1}, "not read: the run exceeds the limit of %s", b.reached)
	p.Hint = SplitHint
	return p
}

// addText counts the separators of a text before it is parsed.
func (b *Budget) addText(data []byte) *Problem {
	if b.reached != "" {
		return b.refused()
	}
	n := countSeparators(data)
	if n > b.separators {
		return b.Exceed(Pos{1, 1}, fmt.Sprintf("%d separators between values", maxSeparators))
	}
	b.separators -= n
	return nil
}

// addDocument counts a document.
func (b *Budget) addDocument(at Pos) *Problem {
	if b.documents == 0 {
		return b.Exceed(at, fmt.Sprintf("%d documents", maxDocuments))
	}
	b.documents--
	return nil
}

// Hold counts a document that was read elsewhere and stays in memory, with what its aliases stand for. It may be nil.
func (b *Budget) Hold(root *Node) {
	if root != nil {
		b.documents = max(0, b.documents-1)
		b.values = max(0, b.values-root.size)
		b.bytes = max(0, b.bytes-root.bytes)
	}
}

// AddObject counts an object, and reports whether the budget has room for it. What is in the object counts if it has a CRD. The
// problem is not nil for an object whose paths are too long, and for the first one that is beyond another limit.
func (b *Budget) AddObject(n *Node, answered bool) (ok bool, p *Problem) {
	switch {
	case b.reached != "":
		return false, nil
	case b.objects == 0:
		return false, b.Exceed(n.Pos, fmt.Sprintf("%d objects", maxObjects))
	case answered && n.paths > maxObjectPaths:
		p := problemf(RuleTooLarge, n.Pos, "the paths of all fields of the object exceed the limit of %d MiB", maxObjectPaths>>20)
		p.Hint = "keys are too long, or nested too deeply"
		return false, p
	case answered && n.size > b.objectValues:
		return false, b.Exceed(n.Pos, fmt.Sprintf("%d values in its objects", maxObjectValues))
	case answered && n.paths > int64(b.paths):
		return false, b.Exceed(n.Pos, fmt.Sprintf("%d MiB of paths in its objects", maxPaths>>20))
	case answered:
		b.objectValues -= n.size
		b.paths -= int(n.paths)
	}
	b.objects--
	return true, nil
}

// addValue counts a value.
func (b *Budget) addValue(at Pos) *Problem {
	if b.values == 0 {
		return b.Exceed(at, fmt.Sprintf("%d values", maxValues))
	}
	b.values--
	return nil
}

// addAliased counts the nodes that an alias stands for, and the bytes in them.
func (b *Budget) addAliased(nodes, bytes int, at Pos) *Problem {
	var p *Problem
	switch {
	case nodes > b.aliasNodes:
		p = problemf(RuleAliases, at, "aliases expand to more than %d nodes", maxAliasNodes)
	case bytes > b.aliasBytes:
		p = problemf(RuleAliases, at, "aliases expand to more than %s", sizeLimit)
	default:
		b.aliasNodes -= nodes
		b.aliasBytes -= bytes
		return nil
	}
	p.Hint = "write the document without aliases"
	return p
}

// countSeparators returns how many characters in text can stand between two values or lines. In YAML, a text has at most
// twice as many nodes, and one more.
func countSeparators(text []byte) int {
	n := 0
	for _, separator := range []string{",", ":", "-", "?", "[", "{", "\n", "\r", "\u0085", "\u2028", "\u2029"} {
		n += bytes.Count(text, []byte(separator))
	}
	return n
}
