package docs

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

var update = flag.Bool("update", false, "write the recording")

const (
	recorded = "prune-gen validate --crd examples/operator/config/crd/bases examples/operator/config/samples"
	columns  = 112 // of the terminal
	first    = 20  // lines that are shown of what is printed, before the last
)

// The picture at the top of README shows what the command prints today.
func TestRecordingIsCurrent(t *testing.T) {
	testsize.NotShort(t)
	printed := run(buildProgram(t), strings.Replace(recorded, "validate", "validate --color always", 1))
	lines := strings.Split(strings.TrimSuffix(printed, "\nexit status 1\n"), "\n")
	if len(lines) < first+2 {
		t.Fatalf("the command prints only\n%s", printed)
	}
	have := recording(append(lines[:first], "...", lines[len(lines)-1]))
	file := filepath.Join("pictures", "validate.svg")
	if *update {
		if err := os.WriteFile(file, have, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(have, want) {
		t.Errorf("%s is not what the command prints (%v): run go test ./docs -run Recording -update and look at it", file, err)
	}
}

// recordingStyle has the classes of what is printed in colour. The command is typed, and then what it prints appears.
const recordingStyle = `<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre }
.c1 { font-weight: 700 } .c2 { fill: #9198a1 } .c31 { fill: #ff7b72 } .c33 { fill: #e3b341 } .c34 { fill: #79c0ff }
#cursor { animation: typed 3s steps(%d) both }
@keyframes typed { from { transform: translateX(0) } to { transform: translateX(%dpx) } }
.printed { animation: shown 0.2s 3.4s both }
@keyframes shown { from { opacity: 0 } to { opacity: 1 } }
@media (prefers-reduced-motion: reduce) { #cursor, .printed { animation-duration: 0s; animation-delay: 0s } }
</style>
`

// recording draws a terminal in which the command is typed, and prints lines.
func recording(lines []string) []byte {
	const width, height, left = 8, 18, 14
	command := utf8.RuneCountInString(recorded)
	var body strings.Builder
	y := 2 * height
	fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\">$ %s</text>\n", left, y, html.EscapeString(recorded))
	// What is not typed yet lies below a cover that moves away.
	fmt.Fprintf(&body, "<rect id=\"cursor\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#0d1117\"/>\n", left+2*width, y-height+4, columns*width, height)
	body.WriteString("<g class=\"printed\">\n")
	for _, line := range lines {
		for _, row := range wrapped(line) {
			y += height
			fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\">%s</text>\n", left, y, row)
		}
	}
	body.WriteString("</g>\n</svg>\n")
	w, h := left*2+columns*width, y+height
	return fmt.Appendf(nil, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%[1]d\" height=\"%[2]d\" role=\"img\" aria-label=\"%[3]s\">\n%[4]s"+
		"<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#0d1117\"/>\n%[5]s", w, h, html.EscapeString(recorded), fmt.Sprintf(recordingStyle, command, command*width), &body)
}

var escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// wrapped returns a line as a terminal shows it: as rows of the width of the terminal, each character after its colours.
func wrapped(line string) (rows []string) {
	row, class, n := "", "", 0
	add := func(text string) {
		for _, r := range text {
			if n == columns {
				rows, row, n = append(rows, row), "", 0
			}
			n++
			c := html.EscapeString(string(r))
			if class != "" {
				c = "<tspan class=\"" + class + "\">" + c + "</tspan>"
			}
			row = strings.Replace(row+c, "</tspan><tspan class=\""+class+"\">", "", 1) // the same colours go on
		}
	}
	for {
		at := escape.FindStringSubmatchIndex(line)
		if at == nil {
			add(line)
			return append(rows, row)
		}
		add(line[:at[0]])
		class = ""
		if codes := line[at[2]:at[3]]; codes != "0" {
			class = "c" + strings.ReplaceAll(codes, ";", " c")
		}
		line = line[at[1]:]
	}
}
