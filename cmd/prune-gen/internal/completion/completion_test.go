package completion_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/completion"
	"github.com/prune-gen/prune-gen/internal/recorded"
)

var update = flag.Bool("update", false, "write the recorded scripts instead of comparing with them")

// described returns a command with flags of every kind, one that takes words, and one that takes neither flags nor words.
func described() []completion.Command {
	flags := cli.NewFlags("first", "FILE...", "")
	flags.Bool("quiet", false, "print little: [this] stays away")
	flags.BoolP("write", "w", false, "write; and this does, too")
	flags.Int("depth", 0, "print so many `levels` of the user's tree")
	flags.String("out-dir", "", "a `directory`")
	flags.String("header", "", "a `file` of [text] as in a:b")
	flags.StringSlice("crd", nil, "`files` with CRDs; can be repeated")
	flags.StringSlice("types", nil, `the \ of `+"`directories`")
	flags.StringSlice("group", nil, "`groups`")
	flags.Choice("format", "the format", "yaml", "json")
	flags.StringSlice("emit", nil, "some `functions`")
	flags.SetWords("emit", "prune", "report")
	words := cli.NewFlags("second", "WORD", "")
	words.SetArgWords("one", "two")
	return []completion.Command{
		{"first", `do: the user's \ work`, flags},
		{"second", "take words", words},
		{"third", "", cli.NewFlags("third", "", "")},
	}
}

func TestScriptsAreAsRecorded(t *testing.T) {
	for _, shell := range completion.Shells() {
		var b strings.Builder
		if err := completion.Write(&b, shell, described()); err != nil {
			t.Fatal(err)
		}
		recorded.Compare(t, *update, "testdata/"+shell, b.String())
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestScriptsThatCannotBeWrittenAreErrors(t *testing.T) {
	for _, shell := range completion.Shells() {
		if err := completion.Write(fullDisk{}, shell, described()); err == nil || err.Error() != "no space" {
			t.Errorf("%s: %v", shell, err)
		}
	}
}
