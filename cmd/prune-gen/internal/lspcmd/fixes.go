package lspcmd

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/editor/assist"
	"github.com/prune-gen/prune-gen/internal/editor/lsp"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// maxFixed is how many findings of a range get edits. Each edit is tried, which takes as long as parsing the text.
const maxFixed = 20

// actions returns edits for the findings in a range. Where one of them is an unknown field, or if the client asks for nothing else, it also
// returns the edit that removes all of these.
func (s *server) actions(p lsp.CodeActionParams) (lsp.Work, error) {
	d := s.document(p.Document.URI)
	if d == nil {
		return nil, fmt.Errorf("%s is not open", p.Document.URI)
	}
	wants := func(kind string) bool {
		return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(of string) bool { return kind == of || strings.HasPrefix(kind, of+".") })
	}
	return func(ctx context.Context) (any, error) {
		all := []lsp.CodeAction{}
		s.within(ctx, func() {
			f := &fixer{workspace: s.space, places: newPlaces(d.text), document: d}
			unknown, fixed := len(p.Context.Only) > 0, 0
			for _, found := range s.found(d) {
				shown := f.diagnostic(found)
				if before(shown.Range.End, p.Range.Start) || before(p.Range.End, shown.Range.Start) {
					continue
				}
				unknown = unknown || found.ID == manifest.IDUnknownField
				if fixed++; fixed > maxFixed || !wants(lsp.QuickFix) {
					continue
				}
				for _, a := range f.fixes(found) {
					a.Diagnostics = []lsp.Diagnostic{shown}
					all = append(all, a)
				}
			}
			if unknown && wants(lsp.Prune) {
				all = append(all, f.pruned()...)
			}
		})
		return all, nil
	}, nil
}

func before(a, b lsp.Position) bool {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Character, b.Character)) < 0
}

// found returns what was found in a text.
func (s *server) found(d *document) []structural.Finding {
	s.mu.Lock()
	known := s.judged[d.uri]
	s.mu.Unlock()
	if known.of == d {
		return known.found
	}
	return s.space.judge(d)
}

// fixer makes edits of a text. Each of them is tried: one that changes another value than it says is not offered.
type fixer struct {
	*workspace
	*places
	document *document
	was      []any // the documents of the text, nil before they are asked for
}

// fixes returns the edits for a finding.
func (f *fixer) fixes(found structural.Finding) (all []lsp.CodeAction) {
	add := func(title string, edited []byte, preferred bool) {
		if edited != nil {
			all = append(all, f.action(lsp.QuickFix, title, edited, preferred))
		}
	}
	if value, edited := f.changed(found.Fix); edited != nil {
		add("Change to "+yamltext.Shorten(value), edited, true)
	}
	switch path := found.Steps(); found.ID {
	case manifest.IDUnknownField:
		add("Remove "+yamltext.Shorten(found.Path), f.without(found, path), found.Fix == structural.Fix{})
	case manifest.IDRequired:
		if len(path) > 0 {
			add("Add "+yamltext.Shorten(path[len(path)-1].Name), f.with(found, path), true)
		}
	}
	add("Ignore "+string(found.ID)+" here", f.ignoring(found), false)
	return all
}

// action returns the edit that makes another text of this one.
func (f *fixer) action(kind, title string, edited []byte, preferred bool) lsp.CodeAction {
	start, end, with := replacement(f.text.Bytes, edited)
	return lsp.CodeAction{Title: title, Kind: kind, Preferred: preferred, Edit: lsp.WorkspaceEdit{
		Changes: map[lsp.URI][]lsp.TextEdit{f.document.uri: {{Range: f.text.Range(start, end), Text: string(with)}}},
	}}
}

// replacement returns the part of a text that another one replaces.
func replacement(old, new []byte) (start, end int, with []byte) {
	shorter := min(len(old), len(new))
	for start < shorter && old[start] == new[start] {
		start++
	}
	for start > 0 && start < len(old) && !utf8.RuneStart(old[start]) {
		start--
	}
	tail := 0
	for tail < shorter-start && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(old[len(old)-tail]) {
		tail--
	}
	return start, len(old) - tail, new[start : len(new)-tail]
}

// replaced returns the text with another piece from start to end.
func (f *fixer) replaced(start, end int, with string) []byte {
	return bytes.Join([][]byte{f.text.Bytes[:start], f.text.Bytes[end:]}, []byte(with))
}

// tried returns a text if its values differ from those of the document as wanted, nil otherwise.
func (f *fixer) tried(edited []byte, wanted func([]difference) bool) []byte {
	if f.was == nil {
		f.was = f.values(f.text.Bytes)
	}
	if wanted(differences(f.was, f.values(edited))) {
		return edited
	}
	return nil
}

// broken stands for a document that does not parse.
type broken struct{}

// values returns the documents of a text.
func (f *fixer) values(data []byte) []any {
	all := []any{}
	visit := func(d *yamltext.Document) { all = append(all, d.Root.Value()) }
	yamltext.ParseText(f.meter, bytes.TrimPrefix(data, []byte("\ufeff")), visit, func(*yamltext.Problem) { all = append(all, broken{}) })
	return all
}

// each calls visit for the objects of the text.
func (f *fixer) each(visit func(*yamltext.Editable, objects.Object)) {
	yamltext.ParseEditable(f.meter, f.data, func(d *yamltext.Editable) {
		objects.InDocument(&d.Document, nil, func(o objects.Object) { visit(d, o) }, func(*yamltext.Node) {})
	}, func(*yamltext.Problem) {})
}

// changed returns the text with another key or scalar, and how that is written.
func (f *fixer) changed(fix structural.Fix) (value string, edited []byte) {
	if fix == (structural.Fix{}) {
		return "", nil
	}
	start, end := f.span(fix.Line, fix.Column)
	line := f.lines.Line(f.data, fix.Line)
	whole, _, _ := bytes.Cut(line[min(len(line), max(0, start-f.mark-f.lines.Offset(f.data, yamltext.Pos{Line: fix.Line, Column: 1}))):], []byte(" #"))
	for _, end := range []int{end, start + len(bytes.TrimRight(whole, " \t,]}"))} { // a scalar can have blanks in it
		if value = fix.Value; !fix.AsIs {
			value = inStyle(value, f.text.Bytes[start:end])
		}
		edited = f.tried(f.replaced(start, end, value), func(d []difference) bool { return isChange(d, fix) })
		if edited != nil {
			return value, edited
		}
	}
	return "", nil
}

// inStyle returns a string as it is written in place of a token: with its quotes, or with quotes where it needs some.
func inStyle(value string, token []byte) string {
	switch {
	case bytes.HasPrefix(token, []byte(`"`)):
		return jsonvalue.Text(value)
	case bytes.HasPrefix(token, []byte(`'`)):
		return "'" + strings.ReplaceAll(value, "'", "''") + "'"
	}
	return yamltext.Flow(value)
}

// without returns the text without the unknown field at a path.
func (f *fixer) without(found structural.Finding, path prunert.Path) (edited []byte) {
	f.each(func(d *yamltext.Editable, o objects.Object) {
		_, at, whole := yamltext.NewFinder(o.Node).Find(path)
		if edited != nil || !whole || at != (yamltext.Pos{Line: found.Line, Column: found.Column}) {
			return
		}
		value := o.Value()
		remove(value, path)
		if edits, problem := d.Reduce(map[*yamltext.Node]map[string]any{o.Node: value}); problem == nil {
			edited = f.tried(slices.Concat(f.text.Bytes[:f.mark], yamltext.Apply(f.data, edits)), func(d []difference) bool { return isRemoval(d, path) })
		}
	})
	return edited
}

// remove removes the field at a path.
func remove(v any, path prunert.Path) {
	for i, step := range path {
		switch of := v.(type) {
		case map[string]any:
			if i == len(path)-1 {
				delete(of, step.Name)
			}
			v = of[step.Name]
		case []any:
			if step.Index < 0 || step.Index >= len(of) {
				return
			}
			v = of[step.Index]
		}
	}
}

// with returns the text with the required field at a path, as completion writes it.
func (f *fixer) with(found structural.Finding, path prunert.Path) (edited []byte) {
	name := path[len(path)-1].Name
	f.each(func(_ *yamltext.Editable, o objects.Object) {
		parent, at, whole := yamltext.NewFinder(o.Node).Find(path[:len(path)-1])
		if edited != nil || !whole || parent.Kind != yamltext.Map || parent.Get(name) != nil || at != (yamltext.Pos{Line: found.Line, Column: found.Column}) {
			return
		}
		text, offset := f.opened(parent)
		proposals, _ := assist.Complete(catalog{f.workspace}, text, offset)
		for _, p := range proposals {
			if p.Kind == assist.Field && p.Label == name {
				edited = f.tried(slices.Concat(text[:p.Start], []byte(p.Text), text[p.End:]), func(d []difference) bool { return isAddition(d, path) })
			}
		}
	})
	return edited
}

// opened returns the text with room for another field of a map, and the offset of it: a line after those of the map, or the place after
// its bracket.
func (f *fixer) opened(n *yamltext.Node) (text []byte, offset int) {
	if start, _ := f.span(n.Pos.Line, n.Pos.Column); len(n.Entries) == 0 || f.text.Bytes[min(start, len(f.text.Bytes)-1)] == '{' {
		if len(n.Entries) > 0 {
			return f.replaced(start+1, start+1, ", "), start + 1
		}
		return f.text.Bytes, start + 1
	}
	column := n.Entries[0].Pos.Column - 1
	last := n.Entries[0].Pos.Line
	for line := last + 1; ; line++ {
		text := f.lines.Line(f.data, line)
		rest := bytes.TrimLeft(text, " ")
		if text == nil || len(rest) > 0 && len(text)-len(rest) < column || bytes.HasPrefix(text, []byte("---")) || bytes.HasPrefix(text, []byte("...")) {
			break
		}
		if len(rest) > 0 {
			last = line
		}
	}
	end := f.mark + f.lines.Offset(f.data, yamltext.Pos{Line: last, Column: 1 << 30})
	room := f.lineEnd() + strings.Repeat(" ", column)
	return f.replaced(end, end, room), end + len(room)
}

// lineEnd returns how the lines of the text end.
func (f *fixer) lineEnd() string {
	if bytes.Contains(f.data, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// ignoring returns the text with a comment that makes the id of a finding be ignored: on its line, or if that is not possible above it.
func (f *fixer) ignoring(found structural.Finding) []byte {
	if found.Line == 0 || objects.NewText(f.document.name, f.text.Bytes).IsJSON() {
		return nil
	}
	const comment = "# prune-gen:ignore "
	rule := string(found.ID)
	start := f.mark + f.lines.Offset(f.data, yamltext.Pos{Line: found.Line, Column: 1})
	line := f.lines.Line(f.data, found.Line)
	end := start + len(line)
	indent := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	edits := [][]byte{f.replaced(end, end, " "+comment+rule), f.replaced(start, start, indent+comment+rule+f.lineEnd())}
	if i := bytes.Index(line, []byte(comment)); i >= 0 {
		at := start + i + len(comment)
		edits = [][]byte{f.replaced(at, at, rule+",")}
	}
	for i, edited := range edits {
		found.Line += i
		if ignores(edited[f.mark:], found) && f.tried(edited, func(d []difference) bool { return len(d) == 0 }) != nil {
			return edited
		}
	}
	return nil
}

// ignores reports whether comments in a text make a finding be ignored.
func ignores(text []byte, found structural.Finding) bool {
	ignored := true
	lines := yamltext.NewLines(text)
	report := findings.NewCollector(findings.Options{MuteErrors: true}, func(findings.Snippet) { ignored = false })
	report.Add(findings.Snippets([]structural.Finding{found}, func(n int) []byte { return lines.Line(text, n) }))
	return ignored
}

// pruned returns the edit that removes what the API server would drop.
func (f *fixer) pruned() []lsp.CodeAction {
	t := objects.NewText(f.document.name, f.text.Bytes)
	t.Listed = true
	var out bytes.Buffer
	pruned, err := f.server().Prune(t, &out)
	if err != nil || pruned.Data == nil || bytes.Equal(pruned.Data, f.data) || pruned.Foreign.Whole() {
		return nil
	}
	return []lsp.CodeAction{f.action(lsp.Prune, "Remove what the API server would drop", slices.Concat(f.text.Bytes[:f.mark], pruned.Data), false)}
}
