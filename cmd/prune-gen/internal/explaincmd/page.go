package explaincmd

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/ascii85"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/engine"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/workers"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// The parts of a page. They are written by hand and have no dependencies.
var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/page.js
	pageJS string
)

// pageKind is what a page knows about a CRD.
type pageKind struct {
	CRD      string        `json:"crd"`
	Group    string        `json:"group"`
	Kind     string        `json:"kind"`
	Chosen   string        `json:"chosen"` // the version that is shown first
	Versions []pageVersion `json:"versions"`
}

type pageVersion struct {
	Name    string          `json:"name"`
	Traits  []string        `json:"traits"`
	Pruned  bool            `json:"pruned"`
	Tree    json.RawMessage `json:"tree"`              // a schematree.Node
	Example string          `json:"example,omitempty"` // for the editor
}

// writePage writes a page about CRDs.
func (o *options) writePage(env *cli.Environment, crds []*structural.CRD) error {
	crds, err := distinct(crds)
	if err != nil {
		return err
	}
	var kinds []pageKind
	for _, c := range crds {
		chosen, err := o.choose(c)
		if err != nil {
			return err
		}
		k := pageKind{CRD: c.Name, Group: c.Group, Kind: c.Names.Kind, Chosen: chosen.Name}
		for _, v := range c.Versions {
			node, err := o.tree(env, c, v)
			if err != nil {
				return err
			}
			tree, err := json.Marshal(node)
			if err != nil {
				return err
			}
			if m := o.limit.Meter(); !m.SpendMemory(meter.CopiesOfPage * len(tree)) {
				o.report(env).Find(report.TooLarge(c, m.Err())...)
				return cli.ErrFindings
			}
			k.Versions = append(k.Versions, pageVersion{Name: v.Name, Traits: traits(c, v), Pruned: v.Pruned, Tree: tree})
		}
		kinds = append(kinds, k)
	}
	var e *engine.Engine
	if !*o.treeOnly {
		if e, err = newEngine(env); err != nil {
			return err
		}
	}
	page, err := renderPage(kinds, crds, e)
	if err != nil {
		return err
	}
	_, err = io.WriteString(env.Stdout, page)
	return err
}

// newEngine returns the engine of a page. Building it takes a minute the first time, and shows that it does something.
func newEngine(env *cli.Environment) (e *engine.Engine, err error) {
	defer env.Progress.Erase()
	built := make(chan *workers.Panic)
	go func() {
		built <- workers.Try(func() { e, err = engine.New() })
	}()
	every := time.NewTicker(time.Second)
	defer every.Stop()
	for seconds := 1; ; seconds++ {
		select {
		case p := <-built:
			if p != nil {
				panic(p)
			}
			return e, err
		case <-every.C:
			env.Progress.Show("building the engine of the page with Go, which takes a minute or two the first time: %d s", seconds)
		}
	}
}

// distinct returns CRDs sorted by kind and group. CRDs that are equal count once.
func distinct(crds []*structural.CRD) ([]*structural.CRD, error) {
	var all []*structural.CRD
	for _, c := range slices.SortedStableFunc(slices.Values(crds), func(a, b *structural.CRD) int {
		return cmp.Or(strings.Compare(a.Names.Kind, b.Names.Kind), strings.Compare(a.Group, b.Group))
	}) {
		if n := len(all) - 1; n >= 0 && all[n].Names.Kind == c.Names.Kind && all[n].Group == c.Group {
			if !reflect.DeepEqual(specOf(all[n]), specOf(c)) {
				return nil, fmt.Errorf("%s and %s both define kind %s of %s, differently: choose one", all[n].File, c.File, c.Names.Kind, c.Group)
			}
			continue
		}
		all = append(all, c)
	}
	return all, nil
}

// renderPage returns the page. The CRDs are not to be trusted: whatever they contain ends up as data. It is escaped where it is in
// HTML, and compressed as text where it is in a script. The policy of the page runs the scripts that are meant and no
// others, and lets none of them reach a network.
func renderPage(kinds []pageKind, crds []*structural.CRD, e *engine.Engine) (string, error) {
	scripts := []string{hash(pageJS)}
	var parts strings.Builder
	if e != nil {
		scripts = append(scripts, hash(e.Loader), "'wasm-unsafe-eval'")
		var sources []manifest.PageSource
		for i, c := range crds {
			source, err := engineSource(c)
			if err != nil {
				return "", err
			}
			sources = append(sources, source)
			for j, r := range resources.Of(c, func(v *structural.Version) *prunecel.Rules { return source.Rules[v.Name] }) {
				kinds[i].Versions[j].Example = example(c, c.Versions[j], r)
			}
		}
		packed, err := packJSON(sources)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&parts, "<script type=\"text/plain\" id=\"source\">%s</script>\n", packed)
		fmt.Fprintf(&parts, "<script type=\"text/plain\" id=\"wasm\">%s</script>\n", inScript(e.WASM))
		fmt.Fprintf(&parts, "<script>%s</script>", e.Loader)
	}
	packed, err := packJSON(kinds)
	if err != nil {
		return "", err
	}
	title := kinds[0].Kind + " · " + kinds[0].CRD
	if len(kinds) > 1 {
		title = fmt.Sprintf("%d kinds: %s, …", len(kinds), kinds[0].Kind)
	}
	policy := strings.Join([]string{
		"default-src 'none'", "script-src " + strings.Join(scripts, " "), "style-src " + hash(pageCSS), "base-uri 'none'", "form-action 'none'",
	}, "; ")
	// One pass, so that a placeholder inside a replaced part is left alone.
	return strings.NewReplacer(
		"{{csp}}", policy,
		"{{title}}", html.EscapeString(title),
		"{{css}}", pageCSS,
		"{{data}}", packed,
		"{{engine}}", parts.String(),
		"{{js}}", pageJS,
	).Replace(pageHTML), nil
}

// specOf returns the spec of a CRD as it is written.
func specOf(c *structural.CRD) any {
	whole, _ := c.Source.Value().(map[string]any)
	return whole["spec"]
}

// engineSource returns the data for the engine of a page. Its CEL rules are compiled here, and the engine evaluates
// them.
func engineSource(c *structural.CRD) (manifest.PageSource, error) {
	crd, err := json.Marshal(c.Source.Value())
	p := manifest.PageSource{CRD: crd, Kubernetes: c.Kubernetes, Rules: map[string]*prunecel.Rules{}}
	for _, v := range c.Versions {
		if table := celrules.Table(celrules.Check(c.Structural(v), celrules.Stored(c.Kubernetes))); table != nil {
			p.Rules[v.Name] = table
		}
	}
	return p, err
}

// hash returns how a policy names the content of a script or a style.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// packJSON compresses v as JSON, as text.
func packJSON(v any) (string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	packed, err := engine.Pack(data)
	return inScript(packed), err
}

// inScript returns bytes as the text of a script, which is a sixteenth smaller than in base64. It has no <, which could end the script.
func inScript(data []byte) string {
	text := make([]byte, ascii85.MaxEncodedLen(len(data)))
	return strings.ReplaceAll(string(text[:ascii85.Encode(text, data)]), "<", "v")
}
