package lspcmd

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/editor/assist"
	"github.com/prune-gen/prune-gen/internal/editor/lsp"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// catalog is the kinds of a workspace for assist.
type catalog struct{ *workspace }

// Kinds returns the versions that are served, of custom and of built-in kinds.
func (c catalog) Kinds() []manifest.Kind {
	if c.listed != nil {
		return c.listed
	}
	seen := map[[2]string]bool{}
	var all []manifest.Kind
	add := func(k manifest.Kind) {
		if id := [2]string{k.APIVersion, k.Kind}; !seen[id] {
			seen[id] = true
			all = append(all, k)
		}
	}
	for _, d := range c.kinds {
		for _, of := range d.CRDs() {
			for _, v := range of.Versions {
				if !v.Served {
					continue
				}
				k := manifest.Kind{APIVersion: of.Group + "/" + v.Name, Kind: of.Names.Kind, Deprecated: structural.DeprecationWarning(of, v)}
				if v.Schema != nil {
					k.Description = v.Schema.Description
				}
				add(k)
			}
		}
	}
	c.builtInKinds()
	if c.program != nil {
		for _, k := range c.program.Kinds {
			add(manifest.Kind{APIVersion: k.APIVersion, Kind: k.Kind})
		}
	}
	if !c.meter.Spent() {
		c.listed = all
	}
	return all
}

// Behavior returns a version of a kind.
func (c catalog) Behavior(apiVersion, kind string) (crd *structural.CRD, v *structural.Version, b structural.Behavior, ok bool) {
	group, version := objects.SplitVersion(apiVersion)
	for _, kinds := range []func() []manifest.Definition{func() []manifest.Definition { return c.kinds }, c.builtInKinds} {
		for _, d := range kinds() {
			if d.Group != group || d.Kind != kind {
				continue
			}
			for _, crd := range d.CRDs() {
				if i := slices.IndexFunc(crd.Versions, func(v *structural.Version) bool { return v.Name == version }); i >= 0 {
					return crd, crd.Versions[i], structural.NewBehavior(crd, crd.Versions[i], structural.APIServer), true
				}
			}
			return nil, nil, b, false
		}
	}
	return nil, nil, b, false
}

// at returns work on a place of a text that is open.
func (s *server) at(p lsp.DocumentPosition, work func(d *document, offset int) any) (lsp.Work, error) {
	d := s.document(p.Document.URI)
	if d == nil {
		return nil, fmt.Errorf("%s is not open", p.Document.URI)
	}
	return func(ctx context.Context) (result any, _ error) {
		s.within(ctx, func() { result = work(d, d.text.Offset(p.Position)) })
		return result, nil
	}, nil
}

// within does work in the workspace, when that was read for the first time.
func (s *server) within(ctx context.Context, work func()) bool {
	select {
	case <-s.ready:
	case <-ctx.Done():
		return false
	}
	return s.space.within(ctx, func() {
		s.space.edited = s.open()
		work()
	})
}

func (s *server) completion(p lsp.DocumentPosition) (lsp.Work, error) {
	return s.at(p, func(d *document, offset int) any {
		proposals, incomplete := assist.Complete(catalog{s.space}, d.text.Bytes, offset)
		list := lsp.CompletionList{IsIncomplete: incomplete, Items: []lsp.CompletionItem{}}
		for i, of := range proposals {
			list.Items = append(list.Items, s.item(d, i, of))
		}
		return list
	})
}

var itemKinds = map[assist.ProposalKind]lsp.CompletionKind{assist.Field: lsp.FieldItem, assist.Value: lsp.EnumItem, assist.KindName: lsp.KindItem}

// item returns a proposal, the nth one.
func (s *server) item(d *document, n int, p assist.Proposal) lsp.CompletionItem {
	item := lsp.CompletionItem{
		Label: p.Label, Kind: itemKinds[p.Kind], Detail: p.Detail, SortText: fmt.Sprintf("%04d", n), FilterText: p.Filter,
		Format: lsp.PlainText, Edit: lsp.TextEdit{Range: d.text.Range(p.Start, p.End), Text: p.Text},
	}
	if p.Documentation != "" {
		item.Documentation = lsp.Markdown(p.Documentation)
	}
	if p.Deprecated {
		item.Tags = []int{lsp.Deprecated}
	}
	first, _, lines := strings.Cut(p.Text, "\n")
	switch {
	case !s.client.Snippets && lines: // Vim and its kin insert a line feed as a character
		item.Edit.Text = strings.TrimRight(first, " \r")
	case s.client.Snippets && (s.client.KeepsIndentation || !lines): // other clients would indent the lines of a snippet twice
		item.Format, item.Edit.Text = lsp.Snippet, p.Snippet
	}
	if s.client.KeepsIndentation {
		item.InsertMode = lsp.AsIs
	}
	return item
}

func (s *server) hover(p lsp.DocumentPosition) (lsp.Work, error) {
	return s.at(p, func(d *document, offset int) any {
		text, start, end, ok := assist.Hover(catalog{s.space}, d.text.Bytes, offset)
		if !ok {
			return nil
		}
		return lsp.Hover{Contents: lsp.Markdown(text), Range: d.text.Range(start, end)}
	})
}

func (s *server) definition(p lsp.DocumentPosition) (lsp.Work, error) {
	return s.at(p, func(d *document, offset int) any {
		crd, path, ok := assist.Definition(catalog{s.space}, d.text.Bytes, offset)
		if !ok {
			return nil
		}
		location, ok := s.space.location(crd, path)
		if !ok {
			return nil
		}
		return location
	})
}

// location returns a place in a CRD. It is false for a CRD that is not in a file: in a git repository, for example.
func (w *workspace) location(crd *structural.CRD, path prunert.Path) (l lsp.Location, ok bool) {
	place := crd.Locate(path)
	t := w.files[place.File]
	if t == nil {
		text := w.edited.text(place.File)
		if text == nil {
			var err error
			if text, err = os.ReadFile(place.File); err != nil {
				return l, false
			}
		}
		t = newPlaces(lsp.NewText(text))
		w.files[place.File] = t
	}
	return lsp.Location{URI: lsp.FileURI(place.File), Range: t.text.Range(t.span(place.Line, place.Column))}, true
}

// related returns the place in a CRD of the schema of a value that is refused, nothing if it is not known.
func (w *workspace) related(f structural.Finding) []lsp.Related {
	_, group, _ := strings.Cut(f.CRD, ".")
	kind, _, _ := strings.Cut(f.Object, " ")
	if f.CRD == "" || f.Severity == structural.SeverityNote || len(f.Steps()) == 0 {
		return nil
	}
	crd, v, _, ok := catalog{w}.Behavior(group+"/"+f.Version, kind)
	if !ok || crd.Name != f.CRD {
		return nil
	}
	path := assist.SchemaPath(v, f.Steps())
	l, ok := w.location(crd, path)
	if path == nil || !ok {
		return nil
	}
	return []lsp.Related{{Location: l, Message: "the schema of " + f.CRD}}
}
