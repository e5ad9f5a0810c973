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
	progressWidth    = 79 // a longer line would wrap, and only its last row could be erased
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
	io.WriteString(p.w, EraseLine+p.text)
	p.drawn = true
}

// Show sets the text of the line.
func (p *Progress) Show(format string, args ...any) {
	if p == nil {
		return
	}
	text := cut(Escape(fmt.Sprintf(format, args...)), progressWidth)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = text
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
