package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// Mark is what a page shows at a place of a manifest: a Change, or a finding.
type Mark struct {
	// Kind is that of a change, or one of refused, unknown, for an object of a kind that is not known, and unreadable.
	Kind string `json:"kind"`
	// Line and Column are where the key or the element begins, from 1. EndLine is the last line of what is dropped.
	Line    int `json:"line"`
	Column  int `json:"column"`
	EndLine int `json:"endLine,omitempty"`
	// Path is in the object, empty for all of it.
	Path string `json:"path,omitempty"`
	// Message describes it; for what is refused, it is the text of the API server.
	Message string   `json:"message"`
	Causes  []string `json:"causes,omitempty"`
	Hint    string   `json:"hint,omitempty"`
	// Text is what is filled in, as YAML in one line.
	Text string `json:"text,omitempty"`
}

// PageObject is an object of a manifest.
type PageObject struct {
	Line       int    `json:"line"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	Accepted   bool   `json:"accepted"`
	// Update reports whether the object replaces an old one.
	Update bool `json:"update,omitempty"`
	// Known reports whether there is a resource for it.
	Known bool `json:"known"`
	// Stored is the object as it would be stored, in lines of YAML. If the object is refused, it is what was validated.
	Stored []StoredLine `json:"stored,omitempty"`
	// Warnings are those of the API server that are not about a place: of a deprecated version, for example.
	Warnings []string `json:"warnings,omitempty"`
}

// Page is what a page shows about a manifest.
type Page struct {
	Marks   []Mark       `json:"marks"`
	Objects []PageObject `json:"objects"`
	// Old says why old objects are not replaced.
	Old []string `json:"old,omitempty"`
}

// PageSource is the data of a page: a CRD as JSON, and the compiled CEL rules of its versions, because pages have no compiler.
type PageSource struct {
	CRD        json.RawMessage            `json:"crd"`
	Kubernetes kubeversion.Version        `json:"kubernetes"`
	Rules      map[string]*prunecel.Rules `json:"rules"`
}

// PageServer returns a server with the CRDs of sources, which the API server must accept.
func PageServer(sources []PageSource) (*Server, error) {
	var crds []*structural.CRD
	rules := map[*structural.CRD]map[string]*prunecel.Rules{}
	for _, source := range sources {
		read := crdread.Load("CustomResourceDefinition", bytes.NewReader(source.CRD)).CRDs
		if len(read) != 1 {
			return nil, errors.New("the CustomResourceDefinition cannot be read")
		}
		read[0].Kubernetes = source.Kubernetes
		crds, rules[read[0]] = append(crds, read[0]), source.Rules
	}
	return FromCRDs(nil, func(c *structural.CRD) ([]prunert.Resource, error) {
		return resources.Of(c, func(v *structural.Version) *prunecel.Rules { return rules[c][v.Name] }), nil
	}, crds...), nil
}

// Page returns what happens to the objects in a manifest, as YAML or JSON, in the order of lines. An object is an update if old has one
// with the same kind, namespace and name.
func (s *Server) Page(manifest, old []byte) Page {
	p := &pageMaker{server: s, data: yamltext.Decode(manifest), page: Page{Marks: []Mark{}, Objects: []PageObject{}}, replaced: map[objectKey]bool{}}
	clear(s.stored)
	stored := p.store(old)
	file := Read(objects.NewText("", p.data), p.object, s)
	for _, f := range file.Findings {
		p.mark(Mark{Kind: "unreadable", Line: f.Line, Column: f.Column, Message: f.Message, Hint: f.Hint})
	}
	if p.lines = file.Lines; p.lines != nil {
		for i := range p.page.Marks {
			m := &p.page.Marks[i]
			m.EndLine = p.lastLine(m.Line, m.EndLine)
		}
	}
	slices.SortStableFunc(p.page.Marks, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), strings.Compare(a.Kind, b.Kind))
	})
	for _, o := range stored {
		if key, ok := s.key(o); !ok || !p.replaced[key] {
			p.page.Old = append(p.page.Old, o.String()+" is not replaced: the manifest has no object with its kind, namespace and name")
		}
	}
	return p.page
}

// store stores the objects in a text, and returns them.
func (p *pageMaker) store(old []byte) (all []Object) {
	if len(bytes.TrimSpace(old)) == 0 {
		return nil
	}
	file := ReadToKeep(objects.NewText("", old), func(o Object) []structural.Finding {
		p.server.Store(o)
		all = append(all, o)
		return nil
	}, p.server)
	for _, f := range file.Findings {
		p.page.Old = append(p.page.Old, fmt.Sprintf("line %d: %s", max(1, f.Line), f.Message))
	}
	return all
}

// pageMaker makes a page.
type pageMaker struct {
	server *Server
	data   []byte
	lines  *yamltext.Lines
	page   Page
	// replaced has the old objects that the manifest updates.
	replaced map[objectKey]bool
}

func (p *pageMaker) mark(m Mark) {
	m.Line, m.Column = max(1, m.Line), max(1, m.Column)
	p.page.Marks = append(p.page.Marks, m)
}

// object adds the marks of an object. It returns no findings.
func (p *pageMaker) object(o Object) []structural.Finding {
	a := p.server.Answer(o, Warn)
	shown := PageObject{Line: o.Node.Pos.Line, APIVersion: o.APIVersion, Kind: o.Kind, Name: o.Name(), Known: a.Resource != nil, Warnings: a.Warnings}
	if !shown.Known {
		p.mark(Mark{Kind: "unknown", Line: o.Node.Pos.Line, Column: o.Node.Pos.Column, Message: p.server.unknown(o)})
		p.page.Objects = append(p.page.Objects, shown)
		return nil
	}
	if key, ok := p.server.key(o); ok {
		_, shown.Update = p.server.stored[key]
		p.replaced[key] = true
	}
	hints := map[yamltext.Pos]string{} // of unknown fields
	for _, f := range a.Findings {
		at := yamltext.Pos{Line: f.Line, Column: f.Column}
		switch {
		case f.Severity == structural.SeverityError:
			p.mark(Mark{Kind: "refused", Line: f.Line, Column: f.Column, Path: f.Path, Message: f.Body(), Causes: f.Causes, Hint: f.Hint})
		case f.ID == IDUnknownField:
			hints[at] = f.Hint
		case f.ID == IDDuplicateField:
			p.mark(Mark{Kind: string(Changed), Line: f.Line, Column: f.Column, Path: f.Path, Message: f.Message, Hint: f.Hint})
		}
	}
	for _, c := range a.Changes() {
		p.mark(Mark{Kind: string(c.Kind), Line: c.Pos.Line, Column: c.Pos.Column, EndLine: c.last, Path: c.Path, Message: c.Message, Hint: hints[c.Pos], Text: c.Text})
	}
	if shown.Accepted = !a.Refused; a.Result() != nil {
		shown.Stored = storedLines(o.Node, a.written, a.Result())
	}
	p.page.Objects = append(p.page.Objects, shown)
	return nil
}

// lastLine returns the last line from first to last that is neither empty nor a comment, 0 if last is.
func (p *pageMaker) lastLine(first, last int) int {
	for ; last > first; last-- {
		line := strings.TrimSpace(string(p.lines.Line(p.data, last)))
		if line != "" && !strings.HasPrefix(line, "#") && line != "---" && line != "..." {
			break
		}
	}
	return last
}

// unknown says why there is no resource for an object.
func (s *Server) unknown(o Object) string {
	said := yamltext.Shorten(strings.TrimSpace(o.APIVersion + " " + o.Kind))
	kind := o.Kind
	if len(s.kinds) == 1 {
		for id := range s.kinds {
			kind = id.kind
		}
	}
	if wanted := s.servedAs(kind); wanted != "" {
		return said + " is not known: want " + wanted
	}
	return said + " is not known"
}
