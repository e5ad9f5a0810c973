package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	progressDelay    = 500 * time.Millisecond // a run that is over by then is not worth a line
	progressInterval = 100 * time.Millisecond
	progressWidth    = 79 // a longer line would wrap, and then only its end could be erased
)

// progress is one line on a terminal's standard error that says how far a long run is. The nil progress shows nothing.
type progress struct {
	w    io.Writer
	quit chan struct{}
	done sync.WaitGroup

	mu    sync.Mutex
	text  string
	drawn bool
}

// startProgress begins to show progress where somebody can see it. The caller stops it.
func (env *environment) startProgress() *progress {
	if !env.stderrTerminal || !canDraw() {
		return nil
	}
	p := &progress{w: env.stderr, quit: make(chan struct{})}
	p.done.Go(p.loop)
	return p
}

func (p *progress) loop() {
	timer := time.NewTimer(progressDelay)
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

func (p *progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.text == "" {
		return
	}
	io.WriteString(p.w, eraseLine+p.text)
	p.drawn = true
}

// show sets what the line says.
func (p *progress) show(format string, args ...any) {
	if p == nil {
		return
	}
	text := cut(escape(fmt.Sprintf(format, args...)), progressWidth)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = text
}

// aside erases the line, so that print can write to the terminal, and keeps it away meanwhile.
func (p *progress) aside(print func()) {
	if p == nil {
		print()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	print()
}

// stop erases the line for good.
func (p *progress) stop() {
	if p == nil {
		return
	}
	close(p.quit)
	p.done.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

func (p *progress) erase() {
	if p.drawn {
		io.WriteString(p.w, eraseLine)
		p.drawn = false
	}
}
