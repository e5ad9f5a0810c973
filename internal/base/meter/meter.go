// Package meter bounds what untrusted input may cost. A run has one Meter, which is passed down to whatever reads the input or works on
// it.
package meter

import (
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/bits"
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
	flag                   string       // that raises the limits, "" for none
	bytes, documents, work atomic.Int64 // what is left
	expected, begun        atomic.Int64 // bytes of all texts that are to be read, and of the documents that were begun
	err                    atomic.Pointer[Error]
}

// New returns the Meter of a run whose limits are a number of times as high as the constants.
func New(times int) *Meter {
	m := &Meter{times: int64(times)}
	m.Renew()
	return m
}

// Renew begins another run, with the same limits. What the run before has read stays in memory and is not counted again.
func (m *Meter) Renew() {
	m.bytes.Store(m.times * Bytes)
	m.documents.Store(m.times * Documents)
	m.work.Store(m.times * Work)
	m.expected.Store(0)
	m.begun.Store(0)
	m.err.Store(nil)
}

// Stop ends the run early, as if it had exceeded a limit.
func (m *Meter) Stop() { m.end() }

// RaisedBy names the flag that raises the limits, which errors then suggest. Programs have none.
func (m *Meter) RaisedBy(flag string) *Meter {
	m.flag = flag
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

// Save returns a function that refunds everything spent since the call of Save, for use after each part of a stream. A
// Meter that is spent stays so.
func (m *Meter) Save() (restore func()) {
	if m == nil {
		return func() {}
	}
	bytes, documents, work, begun := m.bytes.Load(), m.documents.Load(), m.work.Load(), m.begun.Load()
	return func() {
		if !m.Spent() {
			m.bytes.Store(bytes)
			m.documents.Store(documents)
			m.work.Store(work)
			m.begun.Store(begun)
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

// Reader returns a reader that reads at most one byte more from r than the limit allows. It does not count the bytes.
func (m *Meter) Reader(r io.Reader) io.Reader {
	if m == nil {
		return r
	}
	m.Expect(size(r))
	return io.LimitReader(r, max(0, m.bytes.Load())+1)
}

// size returns how many bytes r has, 0 if that is not known.
func size(r io.Reader) int64 {
	switch r := r.(type) {
	case interface{ Len() int }:
		return int64(r.Len())
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

// Expect announces that the run will read at least this many more bytes. Err suggests a limit that is enough for them.
func (m *Meter) Expect(bytes int64) {
	if m != nil {
		m.expected.Store(max(m.expected.Load(), m.read()+bytes))
	}
}

// read returns how many bytes were counted.
func (m *Meter) read() int64 { return m.times*Bytes - m.bytes.Load() }

// SpendText counts the bytes of a text that is read. It returns Err.
func (m *Meter) SpendText(bytes int) error {
	if m != nil && m.bytes.Add(-int64(bytes)) < 0 {
		m.end()
	}
	return m.Err()
}

// Begin says that the run begins work on this many bytes of a text that was counted: a document, or a part without one.
func (m *Meter) Begin(bytes int) {
	if m != nil {
		m.begun.Add(int64(bytes))
	}
}

// SpendDocument counts a document, and reports whether the Meter has room for it.
func (m *Meter) SpendDocument() bool {
	if m != nil && m.documents.Add(-1) < 0 {
		m.end()
		return false
	}
	return true
}

// end uses up all work.
func (m *Meter) end() { m.work.Store(-1) }

// Spent reports whether a limit is exceeded. Results produced after that may be incomplete, and must not be used.
func (m *Meter) Spent() bool { return m != nil && m.work.Load() < 0 }

// Err returns an *Error if the Meter is spent, always the same one.
func (m *Meter) Err() error {
	if !m.Spent() {
		return nil
	}
	m.err.CompareAndSwap(nil, m.exceeded())
	return m.err.Load()
}

// exceeded returns the error about the limit that is exceeded.
func (m *Meter) exceeded() *Error {
	all := max(m.expected.Load(), m.read())
	switch {
	case m.bytes.Load() < 0:
		return &Error{fmt.Sprintf("%d MiB", m.times*Bytes>>20), m.flag, timesFor(all, Bytes)}
	case m.documents.Load() < 0:
		used := m.times*Documents - m.documents.Load()
		return &Error{fmt.Sprintf("%d documents", m.times*Documents), m.flag, max(timesFor(used, Documents), m.estimate(used, Documents, all))}
	}
	used := m.times*Work - m.work.Load()
	// How much work a document still takes is unknown: another try may be needed.
	guess := min(MaxTimes, max(2*m.times, m.estimate(used, Work, all)))
	return &Error{fmt.Sprintf("%d units of work", m.times*Work), m.flag, max(timesFor(used, Work), guess)}
}

// timesFor returns how many times as high a limit must be for what is used.
func timesFor(used, limit int64) int64 { return 1 + (used-1)/limit }

// estimate returns how many times as high a limit must be for texts of this many bytes, rounded up to a power of two,
// if each remaining byte takes as much as those begun so far. It is 0 if nothing is left to begin.
func (m *Meter) estimate(used, limit, bytes int64) int64 {
	begun := m.begun.Load()
	if begun == 0 || begun >= bytes {
		return 0
	}
	times := min(MaxTimes, math.Ceil(float64(used)/float64(limit)*float64(bytes)/float64(begun)))
	return min(MaxTimes, int64(1)<<bits.Len(uint(times)-1))
}

// Error says that a run exceeds a limit. The caller adds the file or the object.
type Error struct {
	limit  string
	flag   string // that raises it, "" for none
	enough int64  // for the flag
}

func (e *Error) Error() string {
	text := "too large: the run exceeds the limit of " + e.limit
	switch {
	case e.flag == "":
		return text
	case e.enough > MaxTimes:
		return fmt.Sprintf("%s, and %s %d, the highest, is not enough; split the input", text, e.flag, MaxTimes)
	}
	return fmt.Sprintf("%s; raise it with %s %d", text, e.flag, e.enough)
}
