package lspcmd

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/crdserver"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/editor/lsp"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// judge says what is wrong with a text, unless it changes while that is found out. About one that is not open any more nothing is said.
func (s *server) judge(uri lsp.URI) {
	d := s.document(uri)
	if d == nil {
		s.space.forget(uri)
		s.conn.Notify("textDocument/publishDiagnostics", lsp.PublishDiagnosticsParams{URI: uri, Diagnostics: []lsp.Diagnostic{}})
		return
	}
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	s.judging(uri, stop)
	defer s.judging("", nil)
	s.mu.Lock()
	last := s.judged[uri]
	s.mu.Unlock()
	j := judgement{of: d, cases: last.cases, saved: last.saved}
	var all []lsp.Diagnostic
	done := s.within(ctx, func() {
		j.found = s.space.judge(d)
		if j.saved != d.saved {
			j.cases, j.saved = s.space.test(d), d.saved
		}
		all = s.space.diagnostics(d, slices.Concat(j.found, j.cases))
	})
	s.mu.Lock()
	current := s.documents[uri] == d
	if done && current {
		s.judged[uri] = j
	}
	s.mu.Unlock()
	if done && current { // if it is closed now, it will be judged again
		s.conn.Notify("textDocument/publishDiagnostics", lsp.PublishDiagnosticsParams{URI: uri, Version: d.version, Diagnostics: all})
	}
}

// refresh reads again what has changed, and makes all texts be judged if anything has.
func (s *server) refresh() {
	defer s.isReady()
	changed, said, err := s.space.refresh(s.ctx, s.env, s.open())
	if err != nil {
		s.conn.Log(err.Error())
	}
	for _, message := range said {
		s.conn.Notify("window/showMessage", object{"type": lsp.Error, "message": "prune-gen: " + message})
	}
	if !changed {
		return
	}
	open := s.open()
	for _, name := range s.space.configurations() {
		if open[name] == nil {
			s.conn.Notify("textDocument/publishDiagnostics", lsp.PublishDiagnosticsParams{URI: lsp.FileURI(name), Diagnostics: s.space.aboutConfiguration(name)})
		}
	}
	s.judgeAll(open, s.space.settings.pause)
}

// configurations returns the files of prune-gen that have or had errors.
func (w *workspace) configurations() []string { return slices.Sorted(maps.Keys(w.wrong)) }

// aboutConfiguration returns what is wrong with a file of prune-gen.
func (w *workspace) aboutConfiguration(name string) []lsp.Diagnostic {
	all := []lsp.Diagnostic{}
	text, _ := os.ReadFile(name)
	t := newPlaces(lsp.NewText(text))
	for _, f := range w.wrong[name] {
		all = append(all, t.diagnostic(f))
	}
	return all
}

// judge returns what validate and lint say about a text.
func (w *workspace) judge(d *document) (found []structural.Finding) {
	w.edited[d.name] = d
	found = slices.Clone(w.wrong[d.name])
	if w.how.Inputs(nil).Excludes(short(d.name)) {
		return found
	}
	collect := findings.NewCollector(findings.Options{Policy: w.how.Policy(), MuteErrors: true}, func(s findings.Snippet) { found = append(found, s.Finding) })
	server := w.server()
	answers := w.objects.Text(objects.NewText(d.name, d.text.Bytes), crdserver.With(server), collect, w.answers[d.uri])
	if !w.meter.Spent() {
		w.answers[d.uri] = answers
	}
	if err := server.Err(); err != nil && !w.meter.Spent() {
		for line := range strings.Lines(err.Error()) {
			found = append(found, structural.Finding{ID: manifest.IDUnknownKind, Line: 1, Severity: structural.SeverityWarning, Message: strings.TrimSpace(line)})
		}
	}
	for _, src := range slices.SortedFunc(maps.Keys(w.used), func(a, b *input.Source) int { return strings.Compare(a.Name, b.Name) }) {
		for _, f := range w.late[src] {
			found = append(found, structural.Finding{ID: f.ID, Line: 1, Severity: structural.SeverityWarning,
				Message: fmt.Sprintf("a CRD has an error, so its objects are not validated: %s:%d: %s", f.File, f.Line, f.Message)})
		}
	}
	if d.hasCRDs {
		w.judgeCRDs(d, collect)
	}
	return found
}

// judgeCRDs reports what lint says about the CRDs of a text.
func (w *workspace) judgeCRDs(d *document, report *findings.Report) {
	src := w.crd(d.name)
	if src == nil || src.Foreign.Whole() {
		return
	}
	src.Findings, _ = src.Foreign.Keep(src.Findings)
	report.Add(src.Snippets(src.Check(func(c *structural.CRD) []structural.Finding {
		found := lint.CRD(c)
		if other := w.counted(c); other != nil && differ(other, c) {
			found = append(found, structural.Finding{ID: manifest.IDUnknownKind, Line: 1, CRD: c.Name, Severity: structural.SeverityNote,
				Message: "manifests are validated with " + other.File + ", which defines " + c.Name + " differently"})
		}
		return found
	})))
}

// differ reports whether two CRDs have changes, or are too large to tell.
func differ(a, b *structural.CRD) bool {
	changes, err := crddiff.Compare(a, b)
	return len(changes) > 0 || err != nil
}

// test returns which cases of a suite fail, nothing for a text that is not one. The CRDs are those of the group that the suite names.
func (w *workspace) test(d *document) (found []structural.Finding) {
	if !bytes.Contains(d.text.Bytes, []byte("crdName:")) {
		return nil
	}
	data := yamltext.Decode(d.text.Bytes)
	s, _ := suite.Read(w.meter, d.name, data)
	_, group, named := strings.Cut(s.CRDName, ".")
	if !named {
		return nil
	}
	var variants suite.Variants
	for _, k := range w.kinds {
		if k.Group != group {
			continue
		}
		for _, c := range k.CRDs() {
			variants.All = append(variants.All, suite.NewVariant(c))
		}
	}
	if len(variants.All) == 0 {
		return nil
	}
	read, wrong := variants.ReadFile(w.meter, d.name, data)
	if len(wrong) > 0 || read == nil {
		return wrong
	}
	for _, r := range variants.Runs(read) {
		r.Do(nil)
		for _, f := range r.Failures {
			found = append(found, r.Finding(f))
		}
	}
	return found
}

// places finds the places of findings in a text.
type places struct {
	text  *lsp.Text
	mark  int // the length of a byte order mark
	data  []byte
	lines *yamltext.Lines
}

func newPlaces(t *lsp.Text) *places {
	data := bytes.TrimPrefix(t.Bytes, []byte("\ufeff"))
	return &places{t, len(t.Bytes) - len(data), data, yamltext.NewLines(data)}
}

// span returns the offsets of the key or the scalar at a place. Without a column, it is the first one of the line.
func (p *places) span(lineNumber, column int) (start, end int) {
	lineNumber = max(lineNumber, 1)
	line := p.lines.Line(p.data, lineNumber)
	at := p.lines.Offset(p.data, yamltext.Pos{Line: lineNumber, Column: 1})
	offset := p.lines.Offset(p.data, yamltext.Pos{Line: lineNumber, Column: column}) - at
	if column == 0 {
		offset = len(line) - len(bytes.TrimLeft(line, " \t"))
	}
	start = p.mark + at + offset
	return start, start + findings.TokenLen(string(line[min(offset, len(line)):]))
}

// manual has a table of the ids.
const manual = "https://github.com/prune-gen/prune-gen/blob/main/docs/output.md#ids"

var severities = map[structural.Severity]lsp.Severity{
	structural.SeverityError: lsp.Error, structural.SeverityWarning: lsp.Warning, structural.SeverityNote: lsp.Information,
}

// diagnostics returns findings as a client shows them.
func (w *workspace) diagnostics(d *document, found []structural.Finding) []lsp.Diagnostic {
	all := make([]lsp.Diagnostic, 0, len(found))
	t := newPlaces(d.text)
	for _, f := range found {
		shown := t.diagnostic(f)
		shown.Related = w.related(f)
		all = append(all, shown)
	}
	return all
}

func (p *places) diagnostic(f structural.Finding) lsp.Diagnostic {
	message := []string{f.Message}
	for _, cause := range f.Causes {
		message = append(message, "also: "+cause)
	}
	if f.Hint != "" {
		message = append(message, "hint: "+f.Hint)
	}
	return lsp.Diagnostic{
		Range: p.text.Range(p.span(f.Line, f.Column)), Severity: severities[f.Severity], Code: string(f.ID), Manual: &lsp.Manual{Href: manual}, Source: "prune-gen",
		Message: strings.Join(message, "\n"),
	}
}
