package editors

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

const operator = "examples/operator/config"

// neovim is a running Neovim, without a screen.
type neovim struct {
	t           *testing.T
	dir, socket string // the directory is that of the workspace
}

// startNeovim starts Neovim as docs/editors.md configures it, with the files of the example in the workspace.
func startNeovim(t *testing.T) *neovim {
	t.Helper()
	program, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("there is no Neovim: apt-get install neovim")
	}
	own := t.TempDir()
	n := &neovim{t, workspace(t), filepath.Join(own, "socket")}
	init := write(t, own, "init.lua", documented(t, "lua"))
	cmd := exec.Command(program, "--headless", "--clean", "-n", "-u", init, "--listen", n.socket)
	cmd.Dir = n.dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(pruneGen(t))+string(os.PathListSeparator)+os.Getenv("PATH"), "XDG_STATE_HOME="+own, "XDG_CACHE_HOME="+own)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	n.until("it starts", func() bool {
		_, err := os.Stat(n.socket)
		return err == nil
	})
	return n
}

// workspace returns a directory with the CRD and the manifest of the example.
func workspace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "crds/crontabs.yaml", read(t, operator+"/crd/bases/stable.example.com_crontabs.yaml"))
	write(t, dir, "crontab.yaml", read(t, operator+"/samples/crontab.yaml"))
	return dir
}

// validated returns what validate says about the manifest of a workspace, with its places, sorted.
func validated(t *testing.T, dir string) (all []string) {
	t.Helper()
	cmd := exec.Command(pruneGen(t), "validate", "--config=none", "--output=json", "--crd=crds", "crontab.yaml")
	cmd.Dir = dir
	out, _ := cmd.Output() // it fails, as there are mistakes
	var said struct {
		Findings []struct {
			ID, Message  string
			Line, Column int
		}
	}
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatal(err)
	}
	for _, f := range said.Findings {
		all = append(all, fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.ID, firstLine(f.Message)))
	}
	slices.Sort(all)
	return all
}

// firstLine returns a message without its hint.
func firstLine(message string) string {
	first, _, _ := strings.Cut(message, "\n")
	return first
}

// documented returns the first code of a language in docs/editors.md.
func documented(t *testing.T, language string) string {
	t.Helper()
	_, rest, ok := strings.Cut(read(t, "docs/editors.md"), "```"+language+"\n")
	code, _, ended := strings.Cut(rest, "```\n")
	if !ok || !ended {
		t.Fatalf("docs/editors.md has no code in %s", language)
	}
	return code
}

// until waits until something is so.
func (n *neovim) until(what string, is func() bool) {
	n.t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			n.t.Fatalf("waiting until %s; the text is\n%s\nand the diagnostics are %+v", what, n.text(), n.diagnostics())
		}
	}
}

// keys types keys, in the notation of Neovim.
func (n *neovim) keys(keys string) {
	n.t.Helper()
	if out, err := exec.Command("nvim", "--server", n.socket, "--remote-send", keys).CombinedOutput(); err != nil {
		n.t.Fatalf("%v: %s", err, out)
	}
}

// eval decodes the value of an expression in Lua.
func (n *neovim) eval(expression string, into any) {
	n.t.Helper()
	// What is printed is cut, and so the value goes through a file.
	file := n.socket + ".json"
	expression = fmt.Sprintf(`luaeval("vim.fn.writefile({vim.json.encode(%s)}, '%s')")`, strings.ReplaceAll(expression, `"`, `\"`), file)
	out, err := exec.Command("nvim", "--server", n.socket, "--remote-expr", expression).CombinedOutput()
	var data []byte
	if err == nil {
		data, err = os.ReadFile(file)
	}
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		n.t.Fatalf("%s: %v: %s%s", expression, err, out, data)
	}
}

// text returns what is in the current buffer.
func (n *neovim) text() string {
	n.t.Helper()
	var lines []string
	n.eval("vim.api.nvim_buf_get_lines(0, 0, -1, true)", &lines)
	return strings.Join(lines, "\n") + "\n"
}

// diagnostic is one as Neovim has it: lines and columns count from 0, columns in bytes.
type diagnostic struct {
	Lnum, Col int
	Code      string
	Message   string
}

// diagnostics returns those of the current buffer.
func (n *neovim) diagnostics() []diagnostic {
	n.t.Helper()
	all := []diagnostic{}
	n.eval("vim.diagnostic.get(0)", &all)
	return all
}

// has reports whether a diagnostic says something.
func (n *neovim) has(text string) bool {
	n.t.Helper()
	return slices.ContainsFunc(n.diagnostics(), func(d diagnostic) bool { return strings.Contains(d.Message, text) })
}

// edit opens a file.
func (n *neovim) edit(name string) {
	n.t.Helper()
	n.keys("<Esc>:edit " + name + "<CR>")
}

// Somebody opens a manifest, completes a key, takes a quick fix, and edits the CRD.
func TestNeovim(t *testing.T) {
	testsize.Large(t, "runs an editor")
	n := startNeovim(t)
	// Bytes, characters and units of UTF-16 differ on this line.
	manifest := strings.Replace(read(t, operator+"/samples/crontab.yaml"), "  nodeSelector:\n", "  nodeSelector: {\"😀\": é, b: 7}\n  other:\n", 1)
	write(t, n.dir, "crontab.yaml", manifest)
	n.edit("crontab.yaml")
	n.until("there are diagnostics", func() bool { return len(n.diagnostics()) > 0 })

	// They are where validate reports them, in characters.
	want := validated(t, n.dir)
	var have []string
	lines := strings.Split(manifest, "\n")
	for _, d := range n.diagnostics() {
		have = append(have, fmt.Sprintf("%d:%d %s %s", d.Lnum+1, len([]rune(lines[d.Lnum][:d.Col]))+1, d.Code, firstLine(d.Message)))
	}
	slices.Sort(have)
	if !slices.Equal(have, want) || !strings.Contains(strings.Join(have, "\n"), "spec.nodeSelector.b") {
		t.Errorf("the diagnostics are\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}

	// A key is completed: there is no other that begins like that.
	n.keys("<Esc>/image:<CR>o<C-u>  sus<C-x><C-o>")
	n.until("suspend is inserted", func() bool { return strings.Contains(n.text(), "\n  suspend: \n") })
	n.keys("true<Esc>")

	// A quick fix is taken.
	n.until("replica is unknown", func() bool { return n.has(`"spec.replica"`) })
	n.keys("<Esc>/replica:<CR>:lua vim.lsp.buf.code_action()<CR>")
	time.Sleep(time.Second)
	n.keys("1<CR>")
	n.until("the fix is made", func() bool { return strings.Contains(n.text(), "\n  replicas: 2 ") })
	n.until("the diagnostic is gone", func() bool { return !n.has(`"spec.replica"`) })

	// The CRD is edited on disk, by somebody else.
	crd := filepath.Join(n.dir, "crds/crontabs.yaml")
	text, err := os.ReadFile(crd)
	if err != nil {
		t.Fatal(err)
	}
	stricter := strings.Replace(string(text), "maximum: 10", "maximum: 1", 1)
	write(t, n.dir, "crds/crontabs.yaml", stricter)
	n.until("the manifest is refused by the new CRD", func() bool { return n.has("should be less than or equal to 1") })

	// And in a buffer, where it is not saved.
	n.edit("crds/crontabs.yaml | %s/maximum: 1$/maximum: 2/")
	n.keys(":hide buffer crontab.yaml<CR>")
	n.until("the manifest is accepted by the CRD in the buffer", func() bool { return len(n.diagnostics()) > 0 && !n.has("should be less than or equal to") })
}
