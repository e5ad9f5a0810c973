// Package listed bounds what is listed for people.
package listed

const (
	// Findings is how many findings of a file are listed, and how many of a schema.
	Findings = 1000
	// FindingBytes is more bytes of text than nearly any finding has. A longer text counts for several findings.
	FindingBytes = 8 << 10
)

// Collected collects errors for people, as many as are listed and one more: a hostile schema with errors everywhere, below very long names,
// must not take unbounded memory.
type Collected[E interface{ TextSize() int }] struct {
	Errs []E
	Full bool // the last error is one too many
	list List
}

// Add adds an error unless the list is full.
func (c *Collected[E]) Add(e E) {
	if !c.Full {
		c.Errs = append(c.Errs, e)
		c.Full = !c.list.Add(e.TextSize())
	}
}

// List bounds the findings in a list for people to Findings, or fewer if their texts are long. The zero value is an empty list.
type List struct{ bytes int }

// Add counts a finding whose text has a number of bytes, and reports whether the list has room for it.
func (l *List) Add(bytes int) bool {
	l.bytes += max(bytes, FindingBytes)
	return l.bytes <= Findings*FindingBytes
}
