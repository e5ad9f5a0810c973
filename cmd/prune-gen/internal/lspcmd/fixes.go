package lspcmd

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/lsp"
	"github.com/prune-gen/prune-gen/internal/assist"
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/objects"
	"github.com/prune-gen/prune-gen/internal/origin"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

func readFile(name string) []byte {
	data, _ := os.ReadFile(name)
	return data
}

// actions returns edits for the findings in a range, and one for the whole text.
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
			f := &fixer{s.space, newPlaces(d.text), d}
			if wants(lsp.QuickFix) {
				for _, found := range s.found(d) {
					shown := f.diagnostic(found)
					if before(shown.Range.End, p.Range.Start) || before(p.Range.End, shown.Range.Start) {
						continue
					}
					for _, a := range f.fixes(found) {
						a.Diagnostics = []lsp.Diagnostic{shown}
						all = append(all, a)
					}
				}
			}
			if wants(lsp.FixAll) {
				all = append(all, f.everything()...)
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
	known := s.judgements[d.uri]
	s.mu.Unlock()
	if known.of == d {
		return known.found
	}
	return s.space.judge(d)
}

// fixer makes edits of a text. Each of them is tried: an edit that does something else than it says is not offered.
type fixer struct {
	*workspace
	*places
	document *document
}

// fixes returns the edits for a finding.
func (f *fixer) fixes(found structural.Finding) (all []lsp.CodeAction) {
	add := func(title string, edited []byte, preferred bool) {
		if edited != nil {
			all = append(all, f.action(lsp.QuickFix, title, edited, preferred))
		}
	}
	if fix := found.Fix; fix != (structural.Fix{}) {
		start, end := f.span(fix.Line, fix.Column)
		value := fix.Value
		if !fix.AsIs {
			value = inStyle(value, f.text.Bytes[start:end])
		}
		add("Change to "+yamltext.Shorten(value), f.replaced(start, end, value), true)
	}
	switch found.Rule {
	case manifest.RuleUnknownField:
		add("Remove "+yamltext.Shorten(found.Path), f.without(found), found.Fix == structural.Fix{})
	case manifest.RuleRequired:
		title, edited := f.with(found)
		add(title, edited, true)
	}
	add("Ignore "+string(found.Rule)+" here", f.ignoring(found), false)
	return all
}

// action returns the edit that makes a text of this one.
func (f *fixer) action(kind, title string, edited []byte, preferred bool) lsp.CodeAction {
	start, end, with := difference(f.text.Bytes, edited)
	return lsp.CodeAction{Title: title, Kind: kind, Preferred: preferred, Edit: lsp.WorkspaceEdit{
		Changes: map[lsp.URI][]lsp.TextEdit{f.document.uri: {{Range: f.text.Range(start, end), Text: string(with)}}},
	}}
}

// difference returns the part of a text that another one replaces.
func difference(old, new []byte) (start, end int, with []byte) {
	shorter := min(len(old), len(new))
	for start < shorter && old[start] == new[start] {
		start++
	}
	for start > 0 && !(start < len(old) && utf8.RuneStart(old[start]) && start < len(new) && utf8.RuneStart(new[start])) && start < shorter {
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

// values returns the documents of a text, nil if it does not parse.
func (f *fixer) values(data []byte) (all []any) {
	bad := false
	yamltext.ParseText(f.meter, yamltext.Decode(data), func(d *yamltext.Document) { all = append(all, d.Root.Value()) }, func(*yamltext.Problem) { bad = true })
	if bad {
		return nil
	}
	return all
}

// each calls visit for the objects of the text.
func (f *fixer) each(visit func(*yamltext.Editable, objects.Object)) {
	yamltext.ParseEditable(f.meter, f.data, func(d *yamltext.Editable) {
		objects.InDocument(&d.Document, nil, func(o objects.Object) { visit(d, o) }, func(*yamltext.Node) {})
	}, func(*yamltext.Problem) {})
}

// without returns the text without an unknown field.
func (f *fixer) without(found structural.Finding) (edited []byte) {
	path := found.Steps()
	f.each(func(d *yamltext.Editable, o objects.Object) {
		_, at, whole := origin.NewFinder(o.Node).Find(path)
		if edited != nil || !whole || at != (yamltext.Pos{Line: found.Line, Column: found.Column}) {
			return
		}
		value := o.Value()
		remove(value, path)
		edits, problem := d.Reduce(map[*yamltext.Node]map[string]any{o.Node: value})
		if problem != nil {
			return
		}
		was := f.values(f.text.Bytes)
		edited = slices.Concat(f.text.Bytes[:f.mark], yamltext.Apply(f.data, edits))
		if is := f.values(edited); len(is) != len(was) || reflect.DeepEqual(is, was) {
			edited = nil
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

// with returns the text with a required field that is missing, as completion would write it.
func (f *fixer) with(found structural.Finding) (title string, edited []byte) {
	path := found.Steps()
	if len(path) == 0 || path[len(path)-1].Index >= 0 {
		return "", nil
	}
	name := path[len(path)-1].Name
	f.each(func(_ *yamltext.Editable, o objects.Object) {
		parent, at, whole := origin.NewFinder(o.Node).Find(path[:len(path)-1])
		if edited != nil || !whole || parent.Kind != yamltext.Map || parent.Get(name) != nil || len(path) > 1 && at != (yamltext.Pos{Line: found.Line, Column: found.Column}) {
			return
		}
		text, offset := f.opened(parent)
		proposals, _ := assist.Complete(catalog{f.workspace}, text, offset)
		for _, p := range proposals {
			if p.Kind == assist.Field && p.Label == name {
				edited = slices.Concat(text[:p.Start], []byte(p.Text), text[p.End:])
			}
		}
	})
	if len(f.values(edited)) == 0 {
		return "", nil
	}
	return "Add " + yamltext.Shorten(name), edited
}

// opened returns the text with room for another field of a map, and the offset of it: a line after those of the map, or the place after
// its bracket.
func (f *fixer) opened(n *yamltext.Node) (text []byte, offset int) {
	if start, _ := f.span(n.Pos.Line, n.Pos.Column); start < len(f.text.Bytes) && f.text.Bytes[start] == '{' {
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
	room := "\n" + strings.Repeat(" ", column)
	if bytes.HasPrefix(f.text.Bytes[end:], []byte("\r\n")) {
		room = "\r" + room
	}
	text = f.replaced(end, end, room)
	return text, end + len(room)
}

// ignoring returns the text with a comment that makes the rule of a finding be ignored: on its line, or if that is not possible above it.
func (f *fixer) ignoring(found structural.Finding) []byte {
	if found.Line == 0 {
		return nil
	}
	was := f.values(f.text.Bytes)
	if was == nil {
		return nil
	}
	comment := "# prune-gen:ignore " + string(found.Rule)
	start := f.mark + f.lines.Offset(f.data, yamltext.Pos{Line: found.Line, Column: 1})
	line := f.lines.Line(f.data, found.Line)
	end := start + len(line)
	indent := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	edits := [][]byte{f.replaced(end, end, " "+comment), f.replaced(start, start, indent+comment+"\n")}
	if i := bytes.Index(line, []byte("# prune-gen:ignore ")); i >= 0 {
		at := start + i + len("# prune-gen:ignore ")
		edits = [][]byte{f.replaced(at, at, string(found.Rule)+",")}
	}
	for _, edited := range edits {
		if reflect.DeepEqual(f.values(edited), was) && ignores(yamltext.Decode(edited), found) {
			return edited
		}
		found.Line++ // of the next edit
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

// everything returns the edit that removes what the API server would drop.
func (f *fixer) everything() []lsp.CodeAction {
	t := objects.NewText(f.document.name, f.text.Bytes)
	t.Listed = true
	var out bytes.Buffer
	pruned, err := f.server().Prune(t, &out)
	if err != nil || pruned.Data == nil || bytes.Equal(pruned.Data, f.data) || pruned.Foreign.Whole() {
		return nil
	}
	return []lsp.CodeAction{f.action(lsp.FixAll, "Remove what the API server would drop", slices.Concat(f.text.Bytes[:f.mark], pruned.Data), false)}
}
