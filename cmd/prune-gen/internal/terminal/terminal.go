// Package terminal makes text safe and readable on a terminal: it escapes and measures text, colours it, and draws a
// progress line.
package terminal

import (
	"os"
	"runtime"
)

// Is reports whether a stream is a terminal. Every character device is one, except for the null device.
func Is(stream any) bool {
	f, ok := stream.(*os.File)
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

// canDraw reports whether terminals understand escape sequences, as far as the environment says.
func canDraw() bool {
	if os.Getenv("TERM") == "dumb" {
		return false
	}
	// The old Windows console does not, and sets no TERM.
	return runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != ""
}

// Palette colours text. The zero Palette does not.
type Palette struct{ on bool }

// NewPalette returns a Palette for a stream, given the value of --color: auto, always or never.
func NewPalette(when string, isTerminal bool) Palette {
	switch when {
	case "always":
		return Palette{true}
	case "never":
		return Palette{}
	}
	return Palette{isTerminal && os.Getenv("NO_COLOR") == "" && canDraw()}
}

func (p Palette) paint(code, s string) string {
	if !p.on || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p Palette) Bold(s string) string   { return p.paint("1", s) }
func (p Palette) Dim(s string) string    { return p.paint("2", s) }
func (p Palette) Red(s string) string    { return p.paint("1;31", s) }
func (p Palette) Green(s string) string  { return p.paint("32", s) }
func (p Palette) Yellow(s string) string { return p.paint("1;33", s) }
func (p Palette) Blue(s string) string   { return p.paint("1;34", s) }
