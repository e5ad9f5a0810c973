package page

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A manifest is pasted, and its lines are marked with what the API server would do to them.
func TestPageMarksLines(t *testing.T) {
	chromium(t)
	p := open(t, write(t, crontabs))
	p.paste(read(t, sample))
	got := eval[[]string](p, paintedLines)
	marked := map[string]string{}
	for _, line := range got {
		kind, text, _ := strings.Cut(line, "|")
		key, _, _ := strings.Cut(strings.TrimPrefix(text, "- "), ":")
		if kind != "" {
			marked[key] = kind
		}
	}
	for key, want := range map[string]string{"label": "dropped", "privileged": "dropped", "replica": "dropped", "cronSpec": "refused", "colour": "dropped", "spec": "filled"} {
		if marked[key] != want {
			t.Errorf("%s is %q, want %q", key, marked[key], want)
		}
	}
	if got := eval[string](p, verdict); !strings.HasPrefix(got, "Refused") {
		t.Errorf("the verdict is %q", got)
	}
	for _, theme := range []string{"light", "dark"} {
		p.shoot("wide-"+theme, theme, 1360, 860)
		p.shoot("narrow-"+theme, theme, 420, 820)
		if got := eval[string](p, "document.documentElement.dataset.theme"); got != theme {
			t.Errorf("the theme is %s, want %s", got, theme)
		}
		if got := eval[bool](p, "document.documentElement.scrollWidth <= innerWidth"); !got {
			t.Errorf("a narrow page scrolls sideways")
		}
	}
	// The other tab, and the other pane.
	p.do(chromedp.EmulateViewport(1360, 860))
	p.run(`document.getElementById("tab-stored").click()`)
	if got := eval[string](p, `document.getElementById("stored").textContent`); !strings.Contains(got, "replicas: 1") || strings.Contains(got, "privileged") {
		t.Errorf("what is stored is\n%s", got)
	}
	p.shoot("stored-light", "light", 1360, 860)
	p.run(`document.querySelector('button[data-pane="schema"]').click()`)
	p.shoot("narrow-schema-dark", "dark", 420, 820)
	p.finish()
}

// The answer follows what is typed, and goes when it is mended.
func TestPageAnswersAsYouType(t *testing.T) {
	chromium(t)
	p := open(t, write(t, crontabs))
	p.paste("apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: a, namespace: b}\nspec:\n  cronSpec: '* * * * *'\n  image: x\n  replicas: 20\n")
	if got := eval[string](p, `document.querySelector("#marks .refused")?.textContent || ""`); !strings.Contains(got, "should be less than or equal to 10") {
		t.Errorf("the finding is %q", got)
	}
	p.answered(func() {
		p.run(`const t = document.getElementById("text"), at = t.value.indexOf("20"); t.focus(); t.setSelectionRange(at, at + 2)`)
		p.keys("5")
	})
	if got := eval[string](p, verdict); !strings.HasPrefix(got, "Accepted") {
		t.Errorf("the verdict is %q", got)
	}
	for text, want := range map[string]string{"a: [": "Not a manifest", "apiVersion: v1\nkind: Pod\n": "Of another kind", "": "Paste or drop a manifest"} {
		if p.paste(text); !strings.HasPrefix(eval[string](p, verdict), want) {
			t.Errorf("%q: the verdict is not %s", text, want)
		}
	}
	// The example is accepted, and nothing of it is dropped.
	p.answered(func() { p.run(`document.getElementById("example").click()`) })
	if got := eval[string](p, verdict); !strings.HasPrefix(got, "Accepted") || strings.Contains(got, "dropped") {
		t.Errorf("the verdict about the example is %q", got)
	}
	// A file is dropped.
	p.answered(func() {
		p.run(`const d = new DataTransfer(); d.items.add(new File(["apiVersion: v1\nkind: Pod\n"], "pod.yaml"));
			document.getElementById("text").dispatchEvent(new DragEvent("drop", { dataTransfer: d, bubbles: true, cancelable: true }))`)
	})
	if got := eval[string](p, `document.getElementById("text").value`); !strings.Contains(got, "kind: Pod") {
		t.Errorf("the editor has %q", got)
	}
	p.finish()
}

const crontab = "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: a, namespace: b}\nspec:\n  cronSpec: '* * * * *'\n  image: x\n"

// rgb is the colour of what an expression returns, as red, green and blue.
func rgb(p *tab, element, property string) (c [3]int) {
	p.t.Helper()
	text := eval[string](p, "getComputedStyle("+element+")."+property)
	if n, err := fmt.Sscanf(text, "rgb(%d, %d, %d)", &c[0], &c[1], &c[2]); n != 3 {
		p.t.Fatalf("%s of %s is %q: %v", property, element, text, err)
	}
	return c
}

// What is refused is red and what is dropped orange, in both themes; only an object that is stored as it is written is green.
func TestPageColours(t *testing.T) {
	chromium(t)
	p := open(t, write(t, crontabs))
	isRed := func(c [3]int) bool { return c[0] > c[1]+50 && c[2] > c[1] }
	isOrange := func(c [3]int) bool { return c[0] > c[1]+50 && c[1] > c[2]+50 }
	isGreen := func(c [3]int) bool { return c[1] > c[0]+50 && c[1] > c[2] }
	for _, theme := range []string{"light", "dark"} {
		p.shoot("colours-"+theme, theme, 1360, 860)
		for _, test := range []struct {
			name, more, verdict, mark string
			is                        func([3]int) bool
		}{
			{"accepted", "", "Accepted", "", isGreen},
			{"dropped", "  x: 1\n  y: {z: 1}\n", "Accepted, 2 fields dropped", "dropped", isOrange},
			{"refused", "  x: 1\n  replicas: 20\n", "Refused", "refused", isRed},
		} {
			p.paste(crontab + test.more)
			if got := eval[string](p, `document.querySelector("#verdict .dot + span").textContent`); got != test.verdict {
				t.Errorf("%s: the verdict is %q", test.name, got)
			}
			places := map[string]string{`document.querySelector("#verdict .dot")`: "backgroundColor"}
			if test.mark != "" {
				places[`document.querySelector("#verdict .dot + span")`] = "color"
				places[`document.querySelector("#marks .`+test.mark+` .how")`] = "color"
				places[`document.querySelector("#gutter .`+test.mark+`")`] = "color"
				places[`document.querySelector(".k.`+test.mark+`")`] = "backgroundColor"
			}
			for element, property := range places {
				if c := rgb(p, element, property); !test.is(c) {
					t.Errorf("%s in a %s theme: %s has the colour %v", test.name, theme, element, c)
				}
			}
		}
	}
	p.finish()
}

// An old object makes an update of the manifest.
func TestPageAnswersForUpdates(t *testing.T) {
	chromium(t)
	file := filepath.Join(t.TempDir(), "crd.yaml")
	crd := strings.Replace(read(t, crontabs), "image:\n", "image:\n                x-kubernetes-validations: [{rule: self == oldSelf, message: never changes}]\n", 1)
	if err := os.WriteFile(file, []byte(crd), 0o666); err != nil {
		t.Fatal(err)
	}
	p := open(t, write(t, file))
	p.paste(crontab)
	if !eval[bool](p, `document.getElementById("before").hidden`) {
		t.Error("the old object is shown before somebody asks for it")
	}
	p.run(`document.getElementById("update").click()`)
	p.answered(func() { p.run(`document.getElementById("take").click()`) })
	if got := eval[string](p, verdict); !strings.HasPrefix(got, "Acceptedupdate of an old object") {
		t.Errorf("the verdict is %q", got)
	}
	p.paste(strings.Replace(crontab, "image: x", "image: other", 1))
	if got := eval[string](p, `document.querySelector("#marks .refused")?.textContent || ""`); !strings.Contains(got, "never changes") {
		t.Errorf("the finding is %q", got)
	}
	for _, theme := range []string{"light", "dark"} {
		p.shoot("update-"+theme, theme, 1360, 860)
		p.shoot("narrow-update-"+theme, theme, 420, 820)
	}
	p.paste(strings.Replace(crontab, "name: a", "name: z", 1))
	if got := eval[string](p, `document.getElementById("unused").textContent`); !strings.HasPrefix(got, "CronTab b/a is not replaced") {
		t.Errorf("what is said about the old object is %q", got)
	}
	p.answered(func() { p.run(`document.getElementById("clear").click()`) })
	if got := eval[string](p, verdict+` + document.getElementById("unused").textContent`); strings.Contains(got, "update") || strings.Contains(got, "replaced") {
		t.Errorf("without an old object: %q", got)
	}
	p.finish()
}

// Typed text is restored when the page is loaded again, until somebody wants the example.
func TestPageKeepsWhatIsTyped(t *testing.T) {
	chromium(t)
	p := open(t, write(t, crontabs))
	p.wait("ready")
	example := eval[string](p, `document.getElementById("text").value`)
	reload := func() {
		p.do(chromedp.Reload())
		p.wait("ready")
	}
	p.paste(crontab)
	p.run(`document.getElementById("update").click()`)
	p.answered(func() { p.run(`document.getElementById("take").click()`) })
	p.paste(crontab + "  replicas: 5\n")
	reload()
	if got := eval[[]string](p, `["text", "old"].map((id) => document.getElementById(id).value)`); !slices.Equal(got, []string{crontab + "  replicas: 5\n", crontab}) {
		t.Errorf("the page has %q", got)
	}
	if eval[bool](p, `document.getElementById("before").hidden`) || !strings.Contains(eval[string](p, verdict), "update") {
		t.Error("the old object is not taken")
	}
	p.answered(func() { p.run(`document.getElementById("example").click()`) })
	reload()
	if got := eval[[]string](p, `["text", "old"].map((id) => document.getElementById(id).value)`); !slices.Equal(got, []string{example, ""}) {
		t.Errorf("the page has %q", got)
	}
	if got := eval[int](p, `localStorage.length`); got != 0 {
		t.Errorf("%d values are kept for an example", got)
	}
	// A browser may keep nothing.
	p.run(`for (const name of ["setItem", "getItem", "removeItem"]) Storage.prototype[name] = () => { throw new Error("no storage") }`)
	p.paste(crontab)
	if got := eval[string](p, verdict); !strings.HasPrefix(got, "Accepted") {
		t.Errorf("the verdict is %q", got)
	}
	p.finish()
}

// Tab indents, Escape and Tab leaves the editor, and the page says so.
func TestPageEditorByKeyboard(t *testing.T) {
	chromium(t)
	p := open(t, write(t, crontabs))
	p.paste(crontab)
	const hint = `getComputedStyle(document.getElementById(document.getElementById("text").getAttribute("aria-describedby"))).visibility`
	if got := eval[string](p, hint); got != "visible" {
		t.Errorf("the hint is %s", got)
	}
	p.shoot("hint", "light", 1360, 860)
	p.answered(func() { p.keys(kb.Tab) })
	if got := eval[string](p, `document.getElementById("text").value`); got != crontab+"  " {
		t.Errorf("after Tab, the editor has %q", got)
	}
	// Another key than Tab goes on with the text.
	p.keys(kb.Escape)
	p.answered(func() { p.keys("#") })
	p.answered(func() { p.keys(kb.Tab) })
	if got := eval[string](p, `document.getElementById("text").value`); got != crontab+"  #  " {
		t.Errorf("the editor has %q", got)
	}
	p.keys(kb.Escape)
	p.keys(kb.Tab)
	if got := eval[string](p, `document.activeElement.id`); got != "tab-marks" {
		t.Errorf("the focus is on %q", got)
	}
	if got := eval[string](p, hint); got != "hidden" {
		t.Errorf("outside of the editor, the hint is %s", got)
	}
	p.finish()
}

// Fields and values are proposed while they are typed, and taken with the keyboard or the mouse.
func TestPageCompletes(t *testing.T) {
	chromium(t)
	p := open(t, write(t, severalKinds(t)))
	p.wait("ready")
	const head = "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: a} # 😀\n"
	const shown = `document.getElementById("proposals").hidden ? [] : [...document.querySelectorAll("#proposals [role=option]")].map((o) => o.firstChild.textContent)`
	const chosen = `document.getElementById(document.getElementById("text").getAttribute("aria-activedescendant"))?.firstChild.textContent || ""`
	type_ := func(text string, want ...string) {
		t.Helper()
		p.answered(func() { p.keys(text) })
		if got := eval[[]string](p, shown); !slices.Equal(got, want) {
			t.Errorf("after %q: %q is proposed, want %q", text, got, want)
		}
	}
	has := func(want string) {
		t.Helper()
		if got := eval[string](p, `document.getElementById("text").value`); got != want {
			t.Errorf("the editor has\n%s\nwant\n%s", got, want)
		}
	}
	p.paste(head)
	p.run(`const t = document.getElementById("text"); t.focus(); t.setSelectionRange(t.value.length, t.value.length)`)
	type_("sp", "spec")
	p.shoot("completion", "light", 1360, 860)
	p.answered(func() { p.keys(kb.Enter) })
	spec := eval[string](p, `document.getElementById("text").value`)
	if !strings.HasPrefix(spec, head+"spec:\n  ") {
		t.Errorf("the editor has\n%s", spec)
	}
	// Escape closes the list, and Ctrl-Space opens it where nothing is typed.
	p.paste(head + "spec:\n  ")
	p.run(`const t = document.getElementById("text"); t.focus(); t.setSelectionRange(t.value.length, t.value.length)`)
	ctrlSpace := func() {
		p.run(`document.getElementById("text").dispatchEvent(new KeyboardEvent("keydown", {key: " ", code: "Space", ctrlKey: true, bubbles: true, cancelable: true}))`)
	}
	ctrlSpace()
	all := eval[[]string](p, shown)
	if !slices.Contains(all, "cronSpec") || !slices.Contains(all, "replicas") {
		t.Errorf("%q is proposed", all)
	}
	if got := eval[string](p, chosen); got != all[0] {
		t.Errorf("%s is chosen, want %s", got, all[0])
	}
	p.keys(kb.ArrowDown)
	if got := eval[string](p, chosen); got != all[1] {
		t.Errorf("%s is chosen, want %s", got, all[1])
	}
	p.keys(kb.ArrowUp)
	p.keys(kb.ArrowUp)
	if got := eval[string](p, chosen); got != all[len(all)-1] {
		t.Errorf("%s is chosen, want the last one", got)
	}
	p.keys(kb.Escape)
	if got := eval[[]string](p, shown); len(got) > 0 {
		t.Errorf("after Escape, %q is proposed", got)
	}
	has(head + "spec:\n  ")
	// With the mouse, in the middle of a line.
	p.paste(head + "spec: {rep: 3}")
	p.run(`const t = document.getElementById("text"), at = t.value.indexOf("rep:") + 3; t.focus(); t.setSelectionRange(at, at)`)
	ctrlSpace()
	p.answered(func() {
		p.run(`[...document.querySelectorAll("#proposals [role=option]")].find((o) => o.firstChild.textContent === "replicas").dispatchEvent(new MouseEvent("mousedown", {bubbles: true, cancelable: true}))`)
	})
	has(head + "spec: {replicas: 3}")
	// What is taken can be undone.
	p.answered(func() { p.run(`document.execCommand("undo")`) })
	has(head + "spec: {rep: 3}")
	p.finish()
}

// The buttons copy the manifest and what is stored.
func TestPageCopies(t *testing.T) {
	chromium(t)
	p := open(t, write(t, crontabs))
	p.paste(crontab)
	// The buttons do not change back.
	p.run(`globalThis.copied = []; globalThis.setTimeout = () => 0; navigator.clipboard.writeText = async (text) => { copied.push(text) }`)
	p.run(`document.getElementById("copy").click(); document.getElementById("tab-stored").click(); document.querySelector("#stored .copy").click()`)
	got := eval[[]string](p, `copied`)
	if len(got) != 2 || got[0] != crontab || !strings.Contains(got[1], "\n  replicas: 1\n") {
		t.Errorf("copied %q", got)
	}
	if got := eval[string](p, `document.getElementById("copy").textContent`); got != "Copied" {
		t.Errorf("the button says %q", got)
	}
	// A browser may not let a page write to the clipboard.
	p.run(`navigator.clipboard.writeText = async () => { throw new Error("no") }; document.execCommand = (name) => { copied.push(name, document.activeElement.value) }`)
	p.run(`document.getElementById("copy").click()`)
	if got := eval[[]string](p, `copied.slice(2)`); !slices.Equal(got, []string{"copy", crontab}) {
		t.Errorf("copied %q", got)
	}
	p.finish()
}

// severalKinds returns a directory with the CRDs of two kinds, CronTab and Backup, which has a schedule in place of cronSpec.
func severalKinds(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	crd := read(t, crontabs)
	other := strings.NewReplacer("CronTab", "Backup", "crontab", "backup", "cronSpec", "schedule").Replace(crd)
	for name, text := range map[string]string{"a.yaml": crd, "b.yaml": other} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The tree is that of the kind in the editor: it follows a manifest of another kind, whose text belongs to that kind then.
func TestPageFollowsTheKind(t *testing.T) {
	chromium(t)
	p := open(t, write(t, severalKinds(t)))
	p.wait("ready")
	const shown = `[document.getElementById("crd").textContent, document.getElementById("kinds").selectedOptions[0].textContent, ` +
		`[...document.querySelectorAll(".node .name")].map((e) => e.textContent).filter((n) => n === "cronSpec" || n === "schedule").join(), location.hash]`
	is := func(when string, want ...string) {
		t.Helper()
		if got := eval[[]string](p, shown); !slices.Equal(got, want) {
			t.Errorf("%s: %q is shown, want %q", when, got, want)
		}
	}
	cronTab := []string{"crontabs.stable.example.com", "CronTab", "cronSpec", "#crontabs.stable.example.com/v1"}
	backup := []string{"backups.stable.example.com", "Backup", "schedule", "#backups.stable.example.com/v1"}
	is("at first", append(slices.Clone(backup[:3]), "")...)
	example := eval[string](p, `document.getElementById("text").value`)
	p.paste(crontab)
	is("a CronTab", cronTab...)
	if got := eval[string](p, `document.getElementById("text").value`); got != crontab {
		t.Errorf("the editor has\n%s", got)
	}
	p.paste(strings.Replace(crontab, "kind: CronTab", "kind: Cron", 1))
	is("a kind that is not known", cronTab...)
	both := strings.NewReplacer("CronTab", "Backup", "cronSpec", "schedule").Replace(crontab) + "---\n" + crontab
	p.paste(both)
	is("one of two objects is of the kind", cronTab...)
	p.answered(func() {
		p.run(`const s = document.getElementById("kinds"); s.value = 0; s.dispatchEvent(new Event("change"))`)
	})
	is("the kind that is chosen", backup...)
	if got := eval[string](p, `document.getElementById("text").value`); got != example {
		t.Errorf("the editor has\n%s", got)
	}
	p.finish()
}

// All kinds are in one page, each with its tree, its versions and its text.
func TestPageOfSeveralKinds(t *testing.T) {
	chromium(t)
	p := open(t, write(t, severalKinds(t)))
	p.wait("ready")
	if got := eval[[]string](p, `[...document.querySelectorAll("#kinds option")].map((o) => o.textContent)`); !slices.Equal(got, []string{"Backup", "CronTab"}) {
		t.Errorf("the kinds are %q", got)
	}
	typed := strings.NewReplacer("CronTab", "Backup", "cronSpec", "schedule").Replace(crontab)
	p.paste(typed + "---\n" + crontab)
	if got := eval[string](p, verdict); !strings.HasPrefix(got, "2 objects accepted") {
		t.Errorf("the verdict is %q", got)
	}
	choose := func(i int) {
		p.answered(func() {
			p.run(fmt.Sprintf(`const s = document.getElementById("kinds"); s.value = %d; s.dispatchEvent(new Event("change"))`, i))
		})
	}
	const fields = `[...document.querySelectorAll(".node .name")].map((e) => e.textContent)`
	choose(1)
	p.shoot("kinds", "dark", 1360, 860)
	if got := eval[[]string](p, fields); !slices.Contains(got, "cronSpec") || slices.Contains(got, "schedule") {
		t.Errorf("the tree of a CronTab has %q", got)
	}
	if got := eval[string](p, `document.getElementById("text").value`); !strings.Contains(got, "kind: CronTab") || strings.Contains(got, "Backup") {
		t.Errorf("the editor has\n%s", got)
	}
	if got := eval[string](p, verdict); !strings.HasPrefix(got, "Accepted") {
		t.Errorf("the verdict is %q", got)
	}
	// What is shown is shown again.
	p.do(chromedp.Reload())
	p.wait("ready")
	if got := eval[string](p, `document.getElementById("crd").textContent`); got != "crontabs.stable.example.com" {
		t.Errorf("the CRD is %s", got)
	}
	choose(0)
	if got := eval[string](p, `document.getElementById("text").value`); got != typed+"---\n"+crontab {
		t.Errorf("the editor has\n%s", got)
	}
	p.finish()
}

// A chip is shown whole, whatever the width of the tree.
func TestPageChipsAreReadable(t *testing.T) {
	chromium(t)
	p := open(t, write(t, crontabs, "--tree-only"))
	p.wait("none")
	for _, width := range []int64{320, 420, 1000} {
		p.shoot(fmt.Sprintf("chips-%d", width), "light", width, 820)
		if got := eval[[]string](p, `[...document.querySelectorAll(".chip")].filter((c) => c.textContent.length < 30 && c.scrollWidth > c.clientWidth).map((c) => c.textContent)`); len(got) > 0 {
			t.Errorf("with %d pixels, %q are cut", width, got)
		}
	}
	p.finish()
}

// The tree works with the keyboard, and finds fields.
func TestPageTreeByKeyboard(t *testing.T) {
	chromium(t)
	p := open(t, write(t, crontabs, "--tree-only"))
	p.wait("none")
	p.search("conditions")
	if got := eval[[]string](p, `[...document.querySelectorAll(".node .name")].map((e) => e.textContent)`); !slices.Equal(got, []string{"status", "conditions"}) {
		t.Errorf("found %q", got)
	}
	p.keys(kb.Enter)
	p.keys(kb.ArrowLeft)
	if got := eval[string](p, `document.querySelector("#detail h2").textContent`); !strings.HasPrefix(got, "status ") {
		t.Errorf("the detail is of %q", got)
	}
	p.run(`document.activeElement.blur()`)
	p.keys("t")
	first := eval[string](p, "document.documentElement.dataset.theme")
	if p.keys("t"); eval[string](p, "document.documentElement.dataset.theme") == first {
		t.Error("the theme does not change")
	}
	p.shoot("tree-only", "light", 1000, 700)
	p.finish()
}

// Whatever a CRD contains is text.
func TestPageIsSafeFromTheCRD(t *testing.T) {
	chromium(t)
	const evil = `</script><script>document.title='bad'</script><!-- <img src=x onerror="document.title='bad'">{{js}}`
	quoted, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "crd.yaml")
	// The first properties are those of the root.
	crd := read(t, crontabs)
	at := strings.Index(crd, "properties:\n")
	indent := strings.Repeat(" ", at-strings.LastIndex(crd[:at], "\n")-1)
	text := strings.Replace(crd, indent+"properties:\n", indent+"properties:\n"+indent+"  "+string(quoted)+": {type: string, default: "+string(quoted)+", description: "+string(quoted)+"}\n", 1)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	p := open(t, write(t, file))
	p.paste("apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: a}\n" + string(quoted) + ": 1\n\"<b>\": " + string(quoted) + "\n")
	p.run(`for (const r of document.querySelectorAll(".node")) r.click()`)
	if got := eval[string](p, "document.title"); strings.Contains(got, "bad") {
		t.Error("a script of the CRD ran")
	}
	if n := eval[int](p, `document.querySelectorAll("main img, main script, main b:not(.say b)").length`); n != 0 {
		t.Errorf("%d elements come from the CRD", n)
	}
	if got := eval[[]string](p, `[...document.querySelectorAll(".node .name")].map((e) => e.textContent)`); !slices.Contains(got, evil) {
		t.Errorf("the field is not shown: %q", got)
	}
	p.finish()
}

// A schema with thousands of fields opens at once and can be searched.
func TestPageOfALargeSchema(t *testing.T) {
	chromium(t)
	var b strings.Builder
	b.WriteString("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: bigs.example.com}\nspec:\n  group: example.com\n  scope: Namespaced\n" +
		"  names: {kind: Big, plural: bigs, singular: big, listKind: BigList}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            type: object\n            properties:\n")
	for i := range 60 {
		fmt.Fprintf(&b, "              group%d:\n                type: object\n                properties:\n", i)
		for j := range 60 {
			fmt.Fprintf(&b, "                  field%dx%d: {type: string, description: The value of %d and %d.}\n", i, j, i, j)
		}
	}
	file := filepath.Join(t.TempDir(), "crd.yaml")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	p := open(t, write(t, file, "--tree-only"))
	p.wait("none")
	if n := eval[int](p, `document.querySelectorAll(".node").length`); n == 0 || n > 200 {
		t.Errorf("%d rows", n)
	}
	p.search("field7x3")
	if n := eval[int](p, `document.querySelectorAll(".name mark").length`); n != 11 {
		t.Errorf("%d fields are found", n)
	}
	p.finish()
}
