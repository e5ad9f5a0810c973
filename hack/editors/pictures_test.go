package editors

import (
	"flag"
	"fmt"
	"html"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

var pictures = flag.String("pictures", "", "write the pictures of docs/editors.md into this `directory`")

// columns and rows are those of the terminal.
const columns, rows = 118, 31

// The pictures are those of Neovim in a terminal: make pictures writes them.
func TestPictures(t *testing.T) {
	testsize.Large(t, "runs an editor")
	for _, p := range []struct{ name, what, keys, shows string }{
		{"editor", "Neovim with mistakes at their lines, and the keys that are missing", "Go\x15      \x18\x0f", "weight"},
		{"editor-hover", "Neovim with the type, the constraints and the description of a field", "14G$K", "RegularExpression"},
	} {
		svg := draw(p.what, screen(t, p.keys, p.shows))
		if *pictures != "" {
			write(t, *pictures, p.name+".svg", svg)
		}
	}
}

// screen returns what a terminal shows with Neovim in it, after somebody has typed keys, once it shows a text.
func screen(t *testing.T, keys, shows string) string {
	t.Helper()
	for _, program := range []string{"nvim", "tmux"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s: apt-get install neovim tmux", program)
		}
	}
	dir := t.TempDir()
	write(t, dir, "shop.yaml", read(t, "hack/editors/testdata/shop.yaml"))
	write(t, dir, "prune-gen.yaml", read(t, "hack/editors/testdata/prune-gen.yaml"))
	write(t, dir, "config/crd/bases/crontabs.yaml", read(t, operator+"/crd/bases/stable.example.com_crontabs.yaml"))
	write(t, dir, "init.lua", documented(t, "lua")+read(t, "hack/editors/testdata/look.lua"))
	socket := filepath.Join(t.TempDir(), "tmux")
	tmux := func(args ...string) string {
		cmd := exec.Command("tmux", append([]string{"-S", socket, "-f", "/dev/null"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %q: %v: %s", args, err, out)
		}
		return string(out)
	}
	until := func(text string) string {
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			shown := tmux("capture-pane", "-p", "-e")
			if strings.Contains(shown, text) {
				return shown
			}
			if time.Now().After(deadline) {
				t.Fatalf("%q is not shown, but\n%s", text, shown)
			}
		}
	}
	tmux("new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows),
		"PATH="+filepath.Dir(pruneGen(t))+":$PATH exec nvim --clean -n -u init.lua shop.yaml")
	defer tmux("kill-server")
	until("did you mean hostnames")
	tmux("send-keys", "-l", keys)
	until(shows)
	time.Sleep(time.Second) // what else is painted
	return strings.TrimRight(tmux("capture-pane", "-p", "-e"), "\n")
}

var escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// draw returns a picture of what a terminal shows.
func draw(what, screen string) string {
	const width, height, margin = 8, 18, 10
	var body strings.Builder
	style := map[string]string{}
	for y, line := range strings.Split(screen, "\n") {
		x := 0
		text := func(s string) {
			n := utf8.RuneCountInString(s)
			left, top := margin+x*width, margin+y*height
			if style["bg"] != "" {
				fmt.Fprintf(&body, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", left, top, n*width, height, style["bg"])
			}
			if s = strings.TrimRight(s, " "); s != "" {
				// The length keeps characters in their columns, whatever the font.
				fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\" textLength=\"%d\"%s%s>%s</text>\n", left, top+height-5, utf8.RuneCountInString(s)*width, style["fg"], style["line"], html.EscapeString(s))
			}
			x += n
		}
		for line != "" {
			at := escape.FindStringSubmatchIndex(line)
			if at == nil {
				text(line)
				break
			}
			if at[0] > 0 {
				text(line[:at[0]])
			}
			paint(style, strings.Split(line[at[2]:at[3]], ";"))
			line = line[at[1]:]
		}
	}
	w, h := 2*margin+columns*width, 2*margin+rows*height
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%[1]d\" height=\"%[2]d\" role=\"img\" aria-label=\"%[3]s\">\n"+
		"<style>text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre }</style>\n"+
		"<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#0d1117\"/>\n%[4]s</svg>\n", w, h, html.EscapeString(what), &body)
}

// paint changes a style as a terminal does: colours are given as red, green and blue.
func paint(style map[string]string, codes []string) {
	for i := 0; i < len(codes); i++ {
		colour := ""
		if i+4 < len(codes) && codes[i+1] == "2" {
			var rgb [3]int
			for j := range rgb {
				fmt.Sscan(codes[i+2+j], &rgb[j])
			}
			colour = fmt.Sprintf("#%02x%02x%02x", rgb[0], rgb[1], rgb[2])
		}
		switch codes[i] {
		case "", "0":
			clear(style)
		case "4":
			style["line"] = ` text-decoration="underline"`
		case "24":
			delete(style, "line")
		case "38":
			style["fg"] = ` style="fill:` + colour + `"`
			i += 4
		case "48":
			if style["bg"] = colour; colour == "#0d1117" {
				delete(style, "bg") // that of the whole picture
			}
			i += 4
		case "39":
			delete(style, "fg")
		case "49":
			delete(style, "bg")
		}
	}
}
