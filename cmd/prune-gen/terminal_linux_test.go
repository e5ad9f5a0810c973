package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// openTerminal returns a new terminal: what programs write to tty is read from screen.
func openTerminal(t *testing.T) (screen, tty *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	ioctl := func(request uintptr, arg *int32) {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, screen.Fd(), request, uintptr(unsafe.Pointer(arg))); errno != 0 {
			t.Fatal(errno)
		}
	}
	var unlock, number int32
	ioctl(syscall.TIOCSPTLCK, &unlock)
	ioctl(syscall.TIOCGPTN, &number)
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	return screen, tty
}

// watch runs what writes to a terminal and returns what appeared on it.
func watch(t *testing.T, do func(tty *os.File)) string {
	t.Helper()
	screen, tty := openTerminal(t)
	seen := make(chan string)
	go func() {
		var b bytes.Buffer
		io.Copy(&b, screen) // ends with an error when the other side is closed
		seen <- strings.ReplaceAll(b.String(), "\r\n", "\n")
	}()
	do(tty)
	tty.Close()
	return <-seen
}

func TestTerminalHasColour(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	lint := func(tty *os.File) {
		if code := execute([]string{"lint", "-"}, strings.NewReader(crd("bads", badField)), tty, tty); code != exitInput {
			t.Errorf("exit status %d", code)
		}
	}
	if text := watch(t, lint); !strings.Contains(text, "\x1b[1;31merror:\x1b[0m") {
		t.Errorf("no colour in %q", text)
	}
	t.Setenv("NO_COLOR", "1")
	if text := watch(t, lint); strings.Contains(text, "\x1b") {
		t.Errorf("colour in spite of NO_COLOR: %q", text)
	}
}

// On a long run there is a line that says how far it is, and in the end nothing is left of it.
func TestProgressLine(t *testing.T) {
	testsize.NotShort(t)
	t.Setenv("TERM", "xterm")
	slow := func(stderr io.Writer, work time.Duration) {
		env := cli.NewEnvironment(nil, io.Discard, stderr)
		cli.EachSource(env, "waiting", input.Args{Names: []string{"testdata/good/crd.yaml", "testdata/mixed/crd.yaml", "testdata/article/crd.yaml"}}, func(src *input.Source) {
			time.Sleep(work)
			fmt.Fprintf(env.Stderr, "done %s\n", src.Name)
		})
		env.Progress.Erase()
	}
	const long = time.Second
	text := watch(t, func(tty *os.File) { slow(tty, long) })
	if !strings.Contains(text, terminal.EraseLine+"waiting: 2 of 3 files") {
		t.Errorf("no progress in %q", text)
	}
	// What a terminal shows in the end: a line is what stands after its last erasure.
	var left []string
	for line := range strings.Lines(text) {
		parts := strings.Split(line, terminal.EraseLine)
		left = append(left, parts[len(parts)-1])
	}
	want := "done testdata/good/crd.yaml\ndone testdata/mixed/crd.yaml\ndone testdata/article/crd.yaml\n"
	if got := strings.Join(left, ""); got != want {
		t.Errorf("left on the terminal: %q of %q", got, text)
	}
	if text := watch(t, func(tty *os.File) { slow(tty, 0) }); text != want {
		t.Errorf("progress on a short run: %q", text)
	}
	var b bytes.Buffer
	slow(&b, long)
	if b.String() != want {
		t.Errorf("progress on what is not a terminal: %q", b.String())
	}
}
