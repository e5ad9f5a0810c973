// Package meter bounds what untrusted input may cost. A run has one Meter, which is passed down to whatever reads the input or works on
// it.
package meter

import (
	"fmt"
	"io"
	"math"
	"sync/atomic"
)

// Meter counts what a run may still take: bytes and documents when it reads, and units of work for everything after that. A unit is a
// step that takes less than a microsecond, such as visiting a value, applying a keyword to one or comparing two names; or UnitBytes
// of memory; or a unit of the cost of CEL rules, as the API server counts it.
//
// Once a limit is exceeded, the Meter is spent: nothing more is read or done, and Err says why. Goroutines can share a Meter. A nil
// Meter has no limits.
type Meter struct {
	times                  int64
	bytes, documents, work atomic.Int64 // what is left
}

// New returns the Meter of a run whose limits are a number of times as high as the constants.
func New(times int) *Meter {
	m := &Meter{times: int64(times)}
	m.bytes.Store(m.times * Bytes)
	m.documents.Store(m.times * Documents)
	m.work.Store(m.times * Work)
	return m
}

// Spend counts units of work, and reports whether the Meter has room for them.
func (m *Meter) Spend(units int) bool {
	return m == nil || m.work.Add(-int64(units)) >= 0
}

// SpendMemory counts bytes that stay in memory as units of work.
func (m *Meter) SpendMemory(bytes int) bool { return m.Spend(1 + bytes/UnitBytes) }

// Refund gives back units that were spent for memory which is free again. A Meter that is spent stays so.
func (m *Meter) Refund(units int) {
	if m != nil && !m.Spent() {
		m.work.Add(int64(units))
	}
}

// Save returns a function that gives back all that is spent until it is called, for work on a part of a stream that is done with. A Meter
// that is spent stays so.
func (m *Meter) Save() (restore func()) {
	if m == nil {
		return func() {}
	}
	bytes, documents, work := m.bytes.Load(), m.documents.Load(), m.work.Load()
	return func() {
		if !m.Spent() {
			m.bytes.Store(bytes)
			m.documents.Store(documents)
			m.work.Store(work)
		}
	}
}

// Left returns how many units of work are left.
func (m *Meter) Left() int64 {
	if m == nil {
		return math.MaxInt64
	}
	return max(0, m.work.Load())
}

// ReadAll reads all of r. The error is that of Err if r has too many bytes.
func (m *Meter) ReadAll(r io.Reader) ([]byte, error) {
	if err := m.Err(); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(m.Reader(r))
	if err != nil {
		return nil, err
	}
	return data, m.SpendText(len(data))
}

// Reader returns a reader of no more of r than shows that it has too many bytes. It does not count them.
func (m *Meter) Reader(r io.Reader) io.Reader {
	if m == nil {
		return r
	}
	return io.LimitReader(r, max(0, m.bytes.Load())+1)
}

// SpendText counts the bytes of a text that is read. It returns Err.
func (m *Meter) SpendText(bytes int) error {
	if m != nil && m.bytes.Add(-int64(bytes)) < 0 {
		m.end()
	}
	return m.Err()
}

// SpendDocument counts a document. It returns Err.
func (m *Meter) SpendDocument() error {
	if m != nil && m.documents.Add(-1) < 0 {
		m.end()
	}
	return m.Err()
}

// end leaves no work.
func (m *Meter) end() { m.work.Store(-1) }

// Spent reports whether a limit is exceeded. What was answered since it is may be incomplete, and must not be used.
func (m *Meter) Spent() bool { return m != nil && m.work.Load() < 0 }

// Err returns an *Error if the Meter is spent.
func (m *Meter) Err() error {
	if !m.Spent() {
		return nil
	}
	e := &Error{times: m.times, limit: fmt.Sprintf("%d units of work", m.times*Work)}
	switch {
	case m.bytes.Load() < 0:
		e.limit = fmt.Sprintf("%d MiB", m.times*Bytes>>20)
	case m.documents.Load() < 0:
		e.limit = fmt.Sprintf("%d documents", m.times*Documents)
	}
	return e
}

// Error says that a run exceeds a limit. Whoever reports it names the file or the object.
type Error struct {
	limit string
	times int64
}

func (e *Error) Error() string {
	return fmt.Sprintf("too large: the run exceeds the limit of %s; raise it with --limit %d", e.limit, 2*e.times)
}

// List bounds the findings in a list for people to Findings, or fewer if their texts are long. The zero value is an empty list.
type List struct{ bytes int }

// Add counts a finding whose text has a number of bytes, and reports whether the list has room for it.
func (l *List) Add(bytes int) bool {
	const usual = 8 << 10 // more than nearly any text has
	l.bytes += max(bytes, usual)
	return l.bytes <= Findings*usual
}
