// Prune-gen-builtin answers for objects of built-in kinds as the API server does: it is the API server's own code, without storage. It
// reads a question from each line of standard input, and writes an answer to a line of standard output; answers can come in another
// order. It ends when its input ends. Docs/builtin.md describes both.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"k8s.io/klog/v2"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "prune-gen-builtin answers questions about objects of built-in kinds, a line of JSON each. prune-gen starts it.")
	}
	flag.Parse()
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	s, err := newServer()
	if err == nil {
		err = s.serve(os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "prune-gen-builtin:", err)
		os.Exit(1)
	}
}

// maxObject is the size of the largest object that the API server takes, and maxLine that of a line with two of them.
const (
	maxObject = 3 << 20
	maxLine   = 4 * maxObject
)

// serve answers the questions of a reader, as many at once as there are processors.
func (s *server) serve(r io.Reader, w io.Writer) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	var failed error
	var out, working = sync.Mutex{}, sync.WaitGroup{}
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for lines.Scan() {
		line := append([]byte(nil), lines.Bytes()...)
		free <- struct{}{}
		working.Go(func() {
			defer func() { <-free }()
			a := s.answer(line)
			text, err := json.Marshal(a)
			if err != nil { // somebody waits for it
				text, _ = json.Marshal(answer{ID: a.ID, Error: err.Error()})
			}
			out.Lock()
			defer out.Unlock()
			if _, err := w.Write(append(text, '\n')); err != nil {
				failed = err
			}
		})
	}
	working.Wait()
	return errors.Join(failed, lines.Err())
}
