package page

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
)

var (
	shots    = flag.String("screenshots", "", "write screenshots into this `directory`")
	pictures = flag.String("pictures", "", "write the pictures of the documentation into this `directory`")
)

const (
	root     = "../.."
	crontabs = "examples/operator/config/crd/bases/stable.example.com_crontabs.yaml"
	sample   = "examples/operator/config/samples/crontab.yaml"
)

// chromium returns the browser, and skips the test where there is none.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium: apt-get install chromium")
	return ""
}

// write writes the page about CRDs and returns its address.
func write(t *testing.T, crd string, flags ...string) string {
	t.Helper()
	gocmd.Sources(t, "-tags=js,wasm", "./cmd/prune-gen/internal/engine/wasm") // which the program builds
	bin := gocmd.Build(t, ".", "./cmd/prune-gen")
	cmd := exec.Command(bin, append([]string{"explain", "--output", "html", crd}, flags...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	page, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, page, 0o666); err != nil {
		t.Fatal(err)
	}
	return address(file)
}

func address(file string) string { return (&url.URL{Scheme: "file", Path: file}).String() }

// tab is a page in a browser.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	problems []string // what the page complains about, and what it asks of a network
}

// open opens an address in a browser without a network.
func open(t *testing.T, address string) *tab {
	t.Helper()
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.Flag("proxy-server", "127.0.0.1:1"), chromedp.WindowSize(1360, 860))
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx}
	watch(p, runtime.ExceptionThrown, func(e runtime.EventExceptionThrown) string {
		return fmt.Sprint("exception: ", e.ExceptionDetails.Text, e.ExceptionDetails.Exception)
	})
	watch(p, log.EntryAdded, func(e log.EventEntryAdded) string { return e.Entry.Text })
	watch(p, network.RequestWillBeSent, func(e network.EventRequestWillBeSent) string {
		if strings.HasPrefix(e.Request.URL, address) { // and what is shown of it
			return ""
		}
		return "asks for " + e.Request.URL[:min(80, len(e.Request.URL))]
	})
	p.do(call(network.Enable, network.EnableParams{}), call(log.Enable, cdp.Empty{}), call(runtime.Enable, cdp.Empty{}), chromedp.Navigate(address))
	return p
}

// watch adds what a function makes of events to the problems of a page, except "".
func watch[E any](p *tab, event cdp.Event[E], problem func(E) string) {
	events := chromedp.Events(p.ctx, event)
	go func() {
		for e, err := range events {
			if err != nil {
				return
			}
			if text := problem(e); text != "" {
				p.mu.Lock()
				p.problems = append(p.problems, text)
				p.mu.Unlock()
			}
		}
	}()
}

// call returns an action that runs a command of the protocol.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

// do does something in the page.
func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// eval returns the value of an expression.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

// run runs statements in the page.
func (p *tab) run(statements string) {
	p.t.Helper()
	eval[bool](p, "(() => { "+statements+"; return true; })()")
}

// keys types into what has the focus.
func (p *tab) keys(keys string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys))
}

// search searches the tree. The key that begins it is not typed: Chromium, when it is driven, types it although the page says no.
func (p *tab) search(word string) {
	p.t.Helper()
	p.keys("/")
	if got := eval[string](p, "document.activeElement.id"); got != "search" {
		p.t.Errorf("the focus is on %q", got)
	}
	p.run(`document.activeElement.value = ""`)
	p.keys(word)
}

// wait waits until the engine is in a state.
func (p *tab) wait(state string) {
	p.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		switch have := eval[string](p, `document.documentElement.dataset.engine || ""`); {
		case have == state:
			return
		case have == "broken" || time.Now().After(deadline):
			p.t.Fatalf("the engine is %q: %s", have, eval[string](p, verdict))
		}
	}
}

// answered does something and waits for the answer of the engine to it.
func (p *tab) answered(do func()) {
	p.t.Helper()
	p.wait("ready")
	p.run(`document.documentElement.dataset.engine = "asked"`)
	do()
	p.wait("ready")
}

// paste puts a text into the editor as a person does, and waits for the answer.
func (p *tab) paste(text string) {
	p.t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		p.t.Fatal(err)
	}
	p.answered(func() {
		p.run(`const t = document.getElementById("text"); t.focus(); t.select(); document.execCommand(t.value || ` + string(quoted) + ` ? "insertText" : "delete", false, ` + string(quoted) + `); t.dispatchEvent(new Event("input"))`)
	})
}

// lines returns what is painted: for each line a letter for its mark, d dropped, r refused, c changed, f filled in, and the text.
const paintedLines = `[...document.querySelectorAll("#paint > div")].map((d, i) => {
	const c = d.className + " " + document.querySelectorAll("#gutter > div")[i].className;
	return (["dropped", "refused", "changed", "filled", "unknown", "unreadable"].find((k) => c.includes(k)) || "") + "|" + d.textContent.trim();
})`

// verdict is what the page says about the manifest.
const verdict = `document.getElementById("verdict").textContent`

// finish fails the test for everything that the page complained about.
func (p *tab) finish() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, problem := range p.problems {
		p.t.Error(problem)
	}
}

// shoot makes a screenshot in a theme, which is written if somebody wants to look at it.
func (p *tab) shoot(name, theme string, width, height int64) {
	p.t.Helper()
	p.save(*shots, name, p.screenshot(theme, width, height))
}

// screenshot returns what the page looks like in a theme.
func (p *tab) screenshot(theme string, width, height int64) []byte {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(width, height),
		call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}),
		chromedp.Sleep(200*time.Millisecond))
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil || len(png) == 0 {
		p.t.Errorf("a screenshot of %d bytes: %v", len(png), err)
	}
	return png
}

// save writes a picture into a directory, if there is one.
func (p *tab) save(dir, name string, png []byte) {
	p.t.Helper()
	if dir == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o666); err != nil {
		p.t.Error(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
