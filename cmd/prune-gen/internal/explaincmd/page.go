package explaincmd

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/internal/celrules"
	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/schematree"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// The parts of a page. They are written by hand, and need nothing that is not in them.
var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/page.js
	pageJS string
)

// pageData is what a page knows about a CRD.
type pageData struct {
	CRD      string        `json:"crd"`
	Group    string        `json:"group"`
	Kind     string        `json:"kind"`
	Chosen   string        `json:"chosen"` // the version that is shown first
	Versions []pageVersion `json:"versions"`
}

type pageVersion struct {
	Name   string           `json:"name"`
	Traits []string         `json:"traits"`
	Pruned bool             `json:"pruned"`
	Tree   *schematree.Node `json:"tree"`
}

// writePage writes a page about a CRD, which shows one version first.
func (o *options) writePage(env *cli.Environment, c *structural.CRD, chosen *structural.Version) error {
	data := pageData{CRD: c.Name, Group: c.Group, Kind: c.Names.Kind, Chosen: chosen.Name}
	for _, v := range c.Versions {
		tree, err := o.tree(env, c, v)
		if err != nil {
			return err
		}
		data.Versions = append(data.Versions, pageVersion{v.Name, traits(c, v), v.Pruned, tree})
	}
	var e *engine
	if !*o.treeOnly {
		if env.StderrTerminal {
			fmt.Fprintln(env.Stderr, "building the engine: the first time takes a minute")
		}
		var err error
		if e, err = buildEngine(); err != nil {
			return fmt.Errorf("%w\n--tree-only writes a page without the engine and the editor", err)
		}
	}
	page, err := renderPage(data, c, e)
	if err != nil {
		return err
	}
	_, err = io.WriteString(env.Stdout, page)
	return err
}

// renderPage returns the page. The CRD is not to be trusted: whatever it contains ends up as data. It is escaped where it is in
// HTML, and compressed as text where it is in a script. The policy of the page runs the scripts that are meant and no
// others, and lets none of them reach a network.
func renderPage(data pageData, c *structural.CRD, e *engine) (string, error) {
	tree, err := json.Marshal(data)
	if err != nil {
		return "", err
	}
	packedTree, err := pack(tree)
	if err != nil {
		return "", err
	}
	scripts := []string{hash(pageJS)}
	var parts strings.Builder
	if e != nil {
		scripts = append(scripts, hash(e.loader), "'wasm-unsafe-eval'")
		source, err := engineSource(c)
		if err != nil {
			return "", err
		}
		packed, err := pack(source)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&parts, "<script type=\"text/plain\" id=\"source\">%s</script>\n", packed)
		fmt.Fprintf(&parts, "<script type=\"text/plain\" id=\"wasm\">%s</script>\n", e.wasm)
		fmt.Fprintf(&parts, "<script>%s</script>", e.loader)
	}
	policy := strings.Join([]string{
		"default-src 'none'", "script-src " + strings.Join(scripts, " "), "style-src " + hash(pageCSS), "base-uri 'none'", "form-action 'none'",
	}, "; ")
	// One pass: what one part contains is not looked at for others.
	return strings.NewReplacer(
		"{{csp}}", policy,
		"{{title}}", html.EscapeString(data.Kind+" · "+data.CRD),
		"{{css}}", pageCSS,
		"{{data}}", packedTree,
		"{{engine}}", parts.String(),
		"{{js}}", pageJS,
	).Replace(pageHTML), nil
}

// engineSource returns what the engine of a page answers from. Its CEL rules are compiled here, and the engine evaluates them.
func engineSource(c *structural.CRD) ([]byte, error) {
	crd, err := json.Marshal(c.Node.Value())
	if err != nil {
		return nil, err
	}
	p := manifest.PageSource{CRD: crd, Kubernetes: c.Kubernetes, Rules: map[string]*prunecel.Rules{}}
	for _, v := range c.Versions {
		if table := celrules.Table(celrules.Check(c.Structural(v), celrules.Stored(c.Kubernetes))); table != nil {
			p.Rules[v.Name] = table
		}
	}
	return json.Marshal(p)
}

// hash returns how a policy names the content of a script or a style.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// pack compresses data, as text.
func pack(data []byte) (string, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := z.Write(data); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
