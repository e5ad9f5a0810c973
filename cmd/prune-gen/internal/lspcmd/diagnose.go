package lspcmd

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/crdserver"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/diffcmd"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/lsp"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/objects"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// judge says what is wrong with a text, unless it changes while that is found out.
func (s *server) judge(d *document) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.mu.Lock()
	s.judged, s.cancel = d.uri, cancel
	was := s.suites[d.uri]
	s.mu.Unlock()
	var found []structural.Finding
	var all []lsp.Diagnostic
	done := s.within(ctx, func() {
		found = s.space.judge(d)
		if was.saved != d.saved {
			was = tested{d.saved, s.space.test(d)}
		}
		found = append(found, was.found...)
		all = s.space.diagnostics(d, found)
	})
	s.mu.Lock()
	s.cancel = nil
	current := s.documents[d.uri] == d
	if done && current {
		s.suites[d.uri], s.judgements[d.uri] = was, judgement{d, found}
	}
	s.mu.Unlock()
	if done && current {
		s.publish(d, all)
	}
}

// tested is what the cases of a suite have said when it was saved.
type tested struct {
	saved int
	found []structural.Finding
}

// judgement is what was found in a text.
type judgement struct {
	of    *document
	found []structural.Finding
}

// publish sends all diagnostics of a text.
func (s *server) publish(d *document, all []lsp.Diagnostic) {
	s.conn.Notify("textDocument/publishDiagnostics", lsp.PublishDiagnosticsParams{URI: d.uri, Version: &d.version, Diagnostics: all})
}

// configuration says what is wrong with prune-gen.yaml, at its place in the file, and with the command line.
func (s *server) configuration(wrong []structural.Finding) {
	byFile := map[lsp.URI][]lsp.Diagnostic{}
	for uri := range s.wrong {
		byFile[uri] = []lsp.Diagnostic{}
	}
	clear(s.wrong)
	for _, f := range wrong {
		if f.Line == 0 {
			s.conn.Notify("window/showMessage", object{"type": lsp.Error, "message": fmt.Sprintf("prune-gen: %s: %s", f.File, f.Message)})
			continue
		}
		uri := lsp.FileURI(f.File)
		t := newPlaces(lsp.NewText(readFile(f.File)))
		byFile[uri] = append(byFile[uri], t.diagnostic(f))
		s.wrong[uri] = true
	}
	for uri, all := range byFile {
		s.conn.Notify("textDocument/publishDiagnostics", lsp.PublishDiagnosticsParams{URI: uri, Diagnostics: all})
	}
}

// judge returns what validate, lint and diff say about a text.
func (w *workspace) judge(d *document) (found []structural.Finding) {
	w.edited[absolute(d.name)] = d
	collect := findings.NewCollector(findings.Options{Policy: w.how.Policy(), MuteErrors: true}, func(s findings.Snippet) { found = append(found, s.Finding) })
	server := w.server()
	w.objects.Text(objects.NewText(d.name, d.text.Bytes), crdserver.With(server), collect)
	if err := server.Err(); err != nil && !w.meter.Spent() {
		for line := range strings.Lines(err.Error()) {
			found = append(found, structural.Finding{Rule: manifest.RuleUnknownKind, Line: 1, Severity: structural.SeverityWarning, Message: strings.TrimSpace(line)})
		}
	}
	for src := range w.used {
		for _, f := range w.late[src] {
			found = append(found, structural.Finding{Rule: f.Rule, Line: 1, Severity: structural.SeverityWarning,
				Message: fmt.Sprintf("a CRD has an error, so its objects are not validated: %s:%d: %s", f.File, f.Line, f.Message)})
		}
	}
	if d.hasCRDs {
		w.judgeCRDs(d, collect)
	}
	return found
}

// judgeCRDs reports what lint says about the CRDs of a text, and what has changed in them.
func (w *workspace) judgeCRDs(d *document, report *findings.Report) {
	src := w.crd(d.name)
	if src == nil || src.Foreign.Whole() {
		return
	}
	src.Findings, _ = src.Foreign.Keep(src.Findings)
	var was map[string]*structural.CRD
	if w.base != "" && len(src.CRDs) > 0 {
		was = w.earlier(d.name)
	}
	report.Add(src.Snippets(src.Check(func(c *structural.CRD) []structural.Finding {
		found := lint.CRD(c)
		if old := was[c.Name]; old != nil {
			found = append(found, diffcmd.Notes(old, c)...)
		}
		if other := w.counted(c); other != nil && len(diffcmd.Notes(other, c)) > 0 {
			found = append(found, structural.Finding{Rule: manifest.RuleUnknownKind, Line: 1, CRD: c.Name, Severity: structural.SeverityNote,
				Message: "manifests are validated with " + other.File + ", which defines " + c.Name + " differently"})
		}
		return found
	})))
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
	data := yamltext.Decode(t.Bytes)
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

// manual has a table of the rules.
const manual = "https://github.com/prune-gen/prune-gen/blob/main/docs/output.md#rules"

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
	for _, cause := range f.Causes.All() {
		message = append(message, "also: "+cause)
	}
	if f.Hint != "" {
		message = append(message, "hint: "+f.Hint)
	}
	return lsp.Diagnostic{
		Range: p.text.Range(p.span(f.Line, f.Column)), Severity: severities[f.Severity], Code: string(f.Rule), Manual: &lsp.Manual{Href: manual}, Source: "prune-gen",
		Message: strings.Join(message, "\n"),
	}
}
