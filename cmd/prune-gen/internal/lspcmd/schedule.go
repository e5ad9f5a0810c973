package lspcmd

import (
	"context"
	"sync"
	"time"

	"github.com/prune-gen/prune-gen/internal/editor/lsp"
)

// schedule says what the goroutine that works does next: it judges texts that have changed, and looks for changes of CRDs.
type schedule struct {
	lock   sync.Mutex
	due    map[lsp.URI]time.Time // when texts are to be judged
	look   time.Time             // when to look for changes of CRDs
	looked bool                  // that was the last thing that was done
	pause  time.Duration         // how long to wait for more typing
	doing  lsp.URI               // the text that is being judged
	stop   context.CancelFunc    // ends that
	wake   chan struct{}
	ready  chan struct{} // closed when the workspace was read
}

func newSchedule() schedule {
	return schedule{due: map[lsp.URI]time.Time{}, wake: make(chan struct{}, 1), ready: make(chan struct{})}
}

// changed makes a text that has changed be judged, after a pause if it was typed. If it has CRDs, their changes are looked for before.
func (s *schedule) changed(uri lsp.URI, hasCRDs, typed bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	at := time.Now()
	if typed {
		at = at.Add(s.pause)
	}
	if s.due[uri] = at; hasCRDs {
		s.look = at
	}
	if s.stop != nil && s.doing == uri {
		s.stop()
	}
	s.signal()
}

// lookSoon looks for changes of CRDs after a while, or before that if that was planned.
func (s *schedule) lookSoon(after time.Duration) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if at := time.Now().Add(after); at.Before(s.look) {
		s.look = at
	}
	s.signal()
}

// judgeAll makes texts be judged now.
func (s *schedule) judgeAll(open edited, pause time.Duration) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.pause = pause
	for _, d := range open {
		s.due[d.uri] = time.Now()
	}
}

// signal wakes the goroutine that works.
func (s *schedule) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// next returns what is due: a look at the CRDs, or else a text. After a look, a text comes first. If nothing is due, it returns how long to
// wait.
func (s *schedule) next() (uri lsp.URI, look bool, wait time.Duration) {
	s.lock.Lock()
	defer s.lock.Unlock()
	now := time.Now()
	at := s.look
	for of, due := range s.due {
		if due.Before(at) || uri == "" && s.looked && !due.After(now) {
			at, uri = due, of
		}
	}
	switch {
	case !s.look.After(now) && (uri == "" || !s.looked):
		s.look, s.looked = now.Add(time.Hour), true // until somebody says when
		return "", true, 0
	case uri == "" || at.After(now):
		return "", false, at.Sub(now)
	}
	delete(s.due, uri)
	s.looked = false
	return uri, false, 0
}

// isReady notes that the workspace was read.
func (s *schedule) isReady() {
	s.lock.Lock()
	defer s.lock.Unlock()
	select {
	case <-s.ready:
	default:
		close(s.ready)
	}
}

// judging notes that a text is being judged, which stop ends.
func (s *schedule) judging(uri lsp.URI, stop context.CancelFunc) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.doing, s.stop = uri, stop
}

// work does what is due, until the client is gone.
func (s *server) work() {
	defer s.space.end()
	patience := time.Second // between looks at the files on disk
	if s.client.Watches {
		patience = time.Minute
	}
	for s.ctx.Err() == nil {
		uri, look, wait := s.next()
		switch {
		case look:
			begun := time.Now()
			s.conn.Try(s.refresh)
			s.lookSoon(max(patience, 20*time.Since(begun))) // looking takes a twentieth of the time at most
		case uri != "":
			s.conn.Try(func() { s.judge(uri) })
		default:
			select {
			case <-s.wake:
			case <-time.After(wait):
			case <-s.ctx.Done():
			}
		}
	}
}
