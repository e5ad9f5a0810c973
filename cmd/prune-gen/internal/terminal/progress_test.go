package terminal

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The line appears on a long run, is drawn now and then, and makes room for what is printed.
func TestProgressMakesRoom(t *testing.T) {
	t.Setenv("TERM", "xterm")
	synctest.Test(t, func(t *testing.T) { // in which time stands still
		var b bytes.Buffer
		p := NewProgress(&b, true)
		out := p.Beside(&b)
		p.Show("too early")
		time.Sleep(progressDelay)
		fmt.Fprint(out, "print\n")
		p.Show("a%sb", "\n")
		p.Show("too soon")
		fmt.Fprint(out, "print\n")
		fmt.Fprint(out, "print\n")
		time.Sleep(progressInterval)
		p.Show("c")
		p.Erase()
		p.Erase()
		if have, want := b.String(), "print\n"+EraseLine+`a\nb`+EraseLine+"print\nprint\n"+EraseLine+"c"+EraseLine; have != want {
			t.Errorf("%q, want %q", have, want)
		}
		b.Reset()
		time.Sleep(progressInterval)
		p.Show("%s", strings.Repeat("long", 100))
		if have := Cells(strings.TrimPrefix(b.String(), EraseLine)); have > progressWidth {
			t.Errorf("the line has %d cells", have)
		}
	})
}

// There is a line on terminals that can draw one.
func TestProgressIsForTerminals(t *testing.T) {
	for _, test := range []struct {
		term     string
		terminal bool
		want     bool
	}{{"xterm", true, true}, {"xterm", false, false}, {"dumb", true, false}} {
		t.Setenv("TERM", test.term)
		var b bytes.Buffer
		p := NewProgress(&b, test.terminal)
		if (p != nil) != test.want {
			t.Errorf("%+v: %t", test, p != nil)
		}
		p.Show("work")
		p.Erase()
		fmt.Fprint(p.Beside(&b), "print")
		if b.String() != "print" {
			t.Errorf("%+v: %q", test, b.String())
		}
	}
}
