package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	// ProgressDelay is the time before the progress line appears. A shorter run does not need one.
	ProgressDelay    = 500 * time.Millisecond
	progressInterval = 100 * time.Millisecond
	progressPatience = 2 * time.Second // after which the line says how long the step takes
	progressWidth    = 79              // a longer line would wrap, and only its last row could be erased
)

// EraseLine moves the cursor to the start of the line and clears the line.
const EraseLine = "\r\x1b[K"

// Progress is a line on a terminal that shows how far a long run is. The nil Progress shows nothing.
type Progress struct {
	w    io.Writer
	quit chan struct{}
	done sync.WaitGroup

	mu    sync.Mutex
	text  string
	since time.Time // when the text was set
	drawn bool
}

// StartProgress returns a Progress on w, or nil if w cannot show one. The caller stops it.
func StartProgress(w io.Writer, isTerminal bool) *Progress {
	if !isTerminal || !canDraw() {
		return nil
	}
	p := &Progress{w: w, quit: make(chan struct{})}
	p.done.Go(p.loop)
	return p
}

func (p *Progress) loop() {
	timer := time.NewTimer(ProgressDelay)
	defer timer.Stop()
	for {
		select {
		case <-p.quit:
			return
		case <-timer.C:
			p.draw()
			timer.Reset(progressInterval)
		}
	}
}

func (p *Progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.text == "" {
		return
	}
	text := p.text
	if took := time.Since(p.since).Truncate(time.Second); took >= progressPatience {
		text += fmt.Sprintf(", %v", took)
	}
	io.WriteString(p.w, EraseLine+cut(text, progressWidth))
	p.drawn = true
}

// Show sets the text of the line.
func (p *Progress) Show(format string, args ...any) {
	if p == nil {
		return
	}
	text := Escape(fmt.Sprintf(format, args...))
	p.mu.Lock()
	defer p.mu.Unlock()
	if text != p.text {
		p.text, p.since = text, time.Now()
	}
}

// Aside erases the line, calls print, which may write to the terminal, and keeps the line away meanwhile.
func (p *Progress) Aside(print func()) {
	if p == nil {
		print()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	print()
}

// Stop erases the line for good.
func (p *Progress) Stop() {
	if p == nil {
		return
	}
	close(p.quit)
	p.done.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

func (p *Progress) erase() {
	if p.drawn {
		io.WriteString(p.w, EraseLine)
		p.drawn = false
	}
}
