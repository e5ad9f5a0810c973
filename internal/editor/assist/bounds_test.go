package assist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/editor/assist"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// Work grows with the text, not faster. With testsize.All, a text of 4 MiB would take hours if the time were its square.
func TestLargeTextsAreAnswered(t *testing.T) {
	testsize.NotShort(t)
	s := catalog(t, crd)
	size := testsize.Pick(1<<12, 1<<22)
	for _, line := range map[string]string{
		"lists": "- ", "brackets": "[", "braces": "{a: ", "closed": "[[[[}}}}", "quotes": "a: \"x\n", "single quotes": "a: 'x''\n", "actions": "{{ x\n", "closed actions": "{{ x }}\n",
		"keys": "a: 1\n", "numbers": "1: 1\n", "words": "on: 1\n", "block scalars": "a: |\n b\n", "blanks": " \n", "tabs": "\t", "anchors": "&a ", "commas": ",", "colons": ": ", "questions": "? ",
		"flow lines": "{\n", "comments": "# a\n", "properties": "!a &b\n", "plain": "a b c\n b\n", "in quotes": "\\\"", "carriage returns": "\r", "documents": "---\na: b\n",
	} {
		text := []byte(head + "spec:\n  " + strings.Repeat(line, size/len(line)))
		for _, at := range []int{len(text), len(text) / 2, len(head) + len("spec:\n  ")} {
			ask(t, s, text, at)
		}
	}
}

// A large document deepens by a column a line.
func TestDeepTextsAreAnswered(t *testing.T) {
	s := catalog(t, crd)
	var b strings.Builder
	for i := range 1000 {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	ask(t, s, []byte(head+b.String()), len(head)+b.Len())
}

// Of many fields with long descriptions, some are proposed, and the answer says that there are more.
func TestLargeSchemasAreAnswered(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "              f%d: {type: string, description: %q}\n", i, strings.Repeat("<long> ", 300))
	}
	s := catalog(t, strings.Replace(crd, "            properties:\n", "            properties:\n"+b.String(), 1))
	text := head + "spec:\n  "
	all, incomplete := assist.Complete(s, []byte(text), len(text))
	size := 0
	for _, p := range all {
		size += len(p.Documentation) + len(p.Text)
	}
	if !incomplete || len(all) == 0 || len(all) > 300 || size > 1<<20 {
		t.Errorf("%d proposals of %d bytes, incomplete: %t", len(all), size, incomplete)
	}
	// What is typed decides.
	text += "f49"
	if all, _ := assist.Complete(s, []byte(text), len(text)); len(all) == 0 || all[0].Label != "f49" {
		t.Errorf("%d proposals", len(all))
	}
}
