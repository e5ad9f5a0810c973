// Package interrupt removes what a run has begun and not finished if the process is interrupted.
package interrupt

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// Unfinished is work that an interrupt undoes. Remove is called while nothing else is in Hold.
type Unfinished interface{ Remove() }

var (
	mu         sync.Mutex
	unfinished = map[Unfinished]bool{}
)

// Hold calls f, during which no interrupt takes effect. f calls Add for what it makes, and Forget for what it finishes.
func Hold(f func()) {
	mu.Lock()
	defer mu.Unlock()
	f()
}

// Add makes an interrupt remove u. It is called in Hold.
func Add(u Unfinished) { unfinished[u] = true }

// Forget undoes Add. It is called in Hold.
func Forget(u Unfinished) { delete(unfinished, u) }

// Watch makes interrupts and SIGTERM remove everything that is unfinished before they end the process. A signal that
// the process was told to ignore stays ignored.
func Watch() {
	signals := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(sig) {
			signal.Notify(signals, sig)
		}
	}
	go func() {
		sig := <-signals
		mu.Lock() // for good: nothing more is made
		for u := range unfinished {
			u.Remove()
		}
		end(sig)
	}()
}

// end ends the process by the signal, so that a shell sees what happened to it.
func end(sig os.Signal) {
	signal.Reset(sig)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(sig) == nil {
		time.Sleep(time.Second) // the signal is on its way
	}
	code := 1
	if n, ok := sig.(syscall.Signal); ok {
		code = 128 + int(n) // as a shell has it
	}
	os.Exit(code)
}
