package main

import (
	"os"
	"runtime"
)

// isTerminal tells whether w (or a reader) is a terminal. A character device is one, with the exception of the null
// device, which is where people send what they do not want to see.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok || f == nil {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// canDraw tells whether a terminal understands escape sequences, as far as the environment says.
func canDraw() bool {
	if os.Getenv("TERM") == "dumb" {
		return false
	}
	// The old Windows console does not, and there is no TERM to say so.
	return runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != ""
}

// palette paints text; the zero palette leaves it as it is.
type palette struct{ on bool }

// newPalette decides by the value of --color whether text on a stream is coloured.
func newPalette(when string, terminal bool) palette {
	switch when {
	case "always":
		return palette{true}
	case "never":
		return palette{}
	}
	return palette{terminal && os.Getenv("NO_COLOR") == "" && canDraw()}
}

func (p palette) paint(code, s string) string {
	if !p.on || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p palette) bold(s string) string   { return p.paint("1", s) }
func (p palette) dim(s string) string    { return p.paint("2", s) }
func (p palette) red(s string) string    { return p.paint("1;31", s) }
func (p palette) green(s string) string  { return p.paint("32", s) }
func (p palette) yellow(s string) string { return p.paint("1;33", s) }
func (p palette) blue(s string) string   { return p.paint("1;34", s) }

// eraseLine takes the cursor to the start of the line and clears it.
const eraseLine = "\r\x1b[K"
