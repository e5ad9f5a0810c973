package terminal

import (
	"fmt"
	"io"
	"time"
)

const (
	progressDelay    = 500 * time.Millisecond // a shorter run needs no progress line
	progressInterval = 100 * time.Millisecond
	progressWidth    = 79 // a longer line would wrap, and only its last row could be erased
)

// EraseLine moves the cursor to the start of the line and clears the line.
const EraseLine = "\r\x1b[K"

// Progress is a line on a terminal that shows how far a long run is. The nil Progress shows nothing.
type Progress struct {
	w     io.Writer
	next  time.Time // when the line may be drawn
	drawn bool
}

// NewProgress returns a Progress on w, or nil if w cannot show one.
func NewProgress(w io.Writer, isTerminal bool) *Progress {
	if !isTerminal || !canDraw() {
		return nil
	}
	return &Progress{w: w, next: time.Now().Add(progressDelay)}
}

// Show draws the line, unless it was drawn a moment ago.
func (p *Progress) Show(format string, args ...any) {
	if p == nil || time.Now().Before(p.next) {
		return
	}
	io.WriteString(p.w, EraseLine+cut(Escape(fmt.Sprintf(format, args...)), progressWidth))
	p.drawn, p.next = true, time.Now().Add(progressInterval)
}

// Erase erases the line.
func (p *Progress) Erase() {
	if p != nil && p.drawn {
		io.WriteString(p.w, EraseLine)
		p.drawn = false
	}
}

// Beside returns a writer that erases the line before it writes to w.
func (p *Progress) Beside(w io.Writer) io.Writer { return besideWriter{p, w} }

type besideWriter struct {
	progress *Progress
	w        io.Writer
}

func (b besideWriter) Write(text []byte) (int, error) {
	b.progress.Erase()
	return b.w.Write(text)
}
