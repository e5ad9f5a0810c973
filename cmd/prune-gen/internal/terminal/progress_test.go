package terminal

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A step that takes long says how long, so that the line is never still.
func TestProgressSaysHowLongAStepTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // in which time stands still
		var b bytes.Buffer
		p := &Progress{w: &b}
		drawn := func(ago time.Duration) string {
			p.since = time.Now().Add(-ago)
			b.Reset()
			p.draw()
			return strings.TrimPrefix(b.String(), EraseLine)
		}
		p.Show("generating %s", "api/v1")
		for ago, want := range map[time.Duration]string{
			0:                       "generating api/v1",
			1500 * time.Millisecond: "generating api/v1",
			3500 * time.Millisecond: "generating api/v1, 3s",
			75 * time.Second:        "generating api/v1, 1m15s",
		} {
			if have := drawn(ago); have != want {
				t.Errorf("after %v: %q, want %q", ago, have, want)
			}
		}
		p.since = time.Now().Add(-time.Minute)
		p.Show("generating %s", "api/v1")
		if time.Since(p.since) < time.Minute {
			t.Error("the same text again is a new step")
		}
		p.Show("generating %s", "api/v2")
		if time.Since(p.since) > time.Minute/2 {
			t.Error("a new text is not a new step")
		}
		p.Show("%s", strings.Repeat("long", 100))
		if have := drawn(time.Minute); Cells(have) > progressWidth {
			t.Errorf("the line has %d cells", Cells(have))
		}
	})
}

// The line is erased before something else is printed, once, and is drawn again after it.
func TestProgressMakesRoom(t *testing.T) {
	var b bytes.Buffer
	p := &Progress{w: &b, quit: make(chan struct{})}
	aside := func() { p.Aside(func() { b.WriteString("print\n") }) }
	p.draw() // nothing to draw yet
	aside()
	p.Show("a%sb", "\n")
	p.draw()
	aside()
	aside()
	p.draw()
	p.Stop()
	if have, want := b.String(), "print\n"+EraseLine+`a\nb`+EraseLine+"print\nprint\n"+EraseLine+`a\nb`+EraseLine; have != want {
		t.Errorf("%q, want %q", have, want)
	}
	var none *Progress
	printed := false
	none.Show("x")
	none.Aside(func() { printed = true })
	none.Stop()
	if !printed {
		t.Error("nothing is printed without a line")
	}
}

// There is a line on terminals that can draw one.
func TestProgressIsForTerminals(t *testing.T) {
	for _, test := range []struct {
		term     string
		terminal bool
		want     bool
	}{{"xterm", true, true}, {"xterm", false, false}, {"dumb", true, false}} {
		t.Setenv("TERM", test.term)
		p := StartProgress(&bytes.Buffer{}, test.terminal)
		if (p != nil) != test.want {
			t.Errorf("%+v: %t", test, p != nil)
		}
		p.Show("work")
		p.Stop()
	}
}
