package prunecmd

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

var update = flag.Bool("update", false, "write the recorded texts instead of comparing with them")

// What is made of every form of a manifest, as JSON and as YAML, printed, compared, normalized and written back. Another
// file follows it.
func TestFormsOfManifestsAreAsRecorded(t *testing.T) {
	testsize.NotShort(t)
	const one, none, pod = `{"apiVersion": "example.com/v1", "kind": "Thing", "b": 1, "metadata": {"name": "x"}}`,
		`{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "x"}}`, `{"apiVersion": "v1", "kind": "Pod", "b": 1}`
	var record strings.Builder
	for _, text := range []string{
		"", "\n", "# nothing\n", "---\n", "null\n", "3\n", "[]\n", "{}", "{}\n", " \r\n\t{ }\n", "{", `{"`, "{a: 1}\n", "a: 1\n", "[" + one + "]\n", `{"a": 1} x`,
		one, one + "\n", "\n\n  " + one, "{\n\"apiVersion\": \"example.com/v1\", \"kind\": \"Thing\", \"b\": 1}\n", one + one + "\n", one + "\n---\n" + one + "\n", none, pod, pod + "\n" + one,
		"\ufeff" + one + "\n", "\ufeffapiVersion: example.com/v1\nkind: Thing\nb: 1\nmetadata: {name: x}\n", one[:len(one)-1], one + "}",
		`{"apiVersion": "v1", "kind": "List", "items": [` + one + `, ` + pod + `]}`, `{"apiVersion": "example.com/v1", "kind": "ThingList", "items": [{"b": 1, "metadata": {"name": "x"}}]}` + "\n",
		"apiVersion: example.com/v1\r\nkind: Thing\r\nb: 1\r\nmetadata: {name: x}\r\n", "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: x}", "---\napiVersion: example.com/v1\nkind: Thing\nb: 1\nmetadata: {name: x}\n...\n",
		"apiVersion: example.com/v1\nkind: Thing\na: 1\nmetadata: {name: x}\n", `{"apiVersion": "example.com/v1", "kind": "Thing", "a": "<&>", "metadata": {"name": "x"}}`,
		utf16(binary.LittleEndian, none), utf16(binary.BigEndian, one), utf16(binary.LittleEndian, "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: x}\n"),
		utf16(binary.BigEndian, "apiVersion: example.com/v1\nkind: Thing\nb: 1\nmetadata: {name: x}\n"),
	} {
		fmt.Fprintf(&record, "%q\n", text)
		for _, args := range []string{"", "--diff", "--normalize", "--normalize --diff", "--write", "--normalize --write --quiet", "--write --diff"} {
			t.Chdir(t.TempDir())
			for name, text := range map[string]string{"crd.yaml": crd, "first.json": text, "last.yaml": "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: z}\nb: 1\n"} {
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			var out, errs bytes.Buffer
			env := &cli.Environment{Stdin: strings.NewReader(""), Stdout: bufio.NewWriter(&out), Stderr: &errs}
			cmd := Command(env)
			cmd.SilenceErrors, cmd.SilenceUsage = true, true
			cmd.SetArgs(append(strings.Fields("--crd crd.yaml "+args), "first.json", "last.yaml"))
			err := cmd.Execute()
			env.Stdout.Flush()
			fmt.Fprintf(&record, "  %q: %q", args, &out)
			if errs.Len() > 0 || err != nil {
				fmt.Fprintf(&record, " %q %v", &errs, err)
			}
			if have, err := os.ReadFile("first.json"); err != nil || string(have) != text {
				fmt.Fprintf(&record, " becomes %q", have)
			}
			record.WriteString("\n")
		}
	}
	t.Chdir(home)
	recorded.Compare(t, *update, "testdata/forms.txt", record.String())
}

// utf16 returns a text of ASCII in UTF-16, with the mark that says so.
func utf16(order binary.AppendByteOrder, text string) string {
	out := order.AppendUint16(nil, 0xfeff)
	for _, c := range text {
		out = order.AppendUint16(out, uint16(c))
	}
	return string(out)
}

// home is the folder of this package.
var home = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}()
