package prunecmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"slices"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// smallJSON is the size up to which JSON is read before it is pruned, so that what only looked like it can still be read as YAML.
const smallJSON = 1 << 20

// peekJSON reports whether a file begins like JSON.
func peekJSON(f *input.Opened) bool {
	head := make([]byte, 512)
	n, _ := io.ReadFull(f.Reader, head) // an error comes again
	head = head[:n]
	f.Reader = io.MultiReader(bytes.NewReader(head), f.Reader)
	rest, isObject := bytes.CutPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return isObject && len(rest) > 0 && (rest[0] == '"' || rest[0] == '}')
}

// json prunes a file that begins like JSON.
func (p *pruner) json(f *input.Opened) error {
	limit := int64(smallJSON)
	if p.diff {
		limit = meter.Bytes // a diff needs both texts
	}
	data, err := io.ReadAll(io.LimitReader(f.Reader, limit+1))
	if err != nil {
		p.wrong(f.Name, err)
		return nil
	}
	if int64(len(data)) <= limit {
		return p.smallJSON(f, data)
	}
	if p.diff {
		p.wrong(f.Name, fmt.Errorf("the file is larger than %d MiB, and --diff holds it in memory", limit>>20))
		return nil
	}
	in := io.MultiReader(bytes.NewReader(data), f.Reader)
	if !p.write {
		p.separate(data, true)
		return p.stream(f.Name, p.out, in)
	}
	before, after := fnv.New64a(), fnv.New64a()
	err = p.keep(f.Name, f.Path, func(w io.Writer) error {
		return p.stream(f.Name, io.MultiWriter(w, after), io.TeeReader(in, before))
	})
	if err == nil && equalSums(before, after) {
		p.replacer.Drop()
		p.changed = p.changed[:len(p.changed)-1]
	}
	return err
}

func equalSums(a, b hash.Hash64) bool { return a.Sum64() == b.Sum64() }

// smallJSON prunes a file in memory.
func (p *pruner) smallJSON(f *input.Opened, data []byte) error {
	text := &input.Text{Name: f.Name, Listed: f.Listed, Data: data}
	var out bytes.Buffer
	n, err := p.server.PruneStream(f.Name, &out, bytes.NewReader(data))
	if syntax := (*prunert.SyntaxError)(nil); errors.As(err, &syntax) {
		// What begins with a brace can be YAML. If it is neither, the error is that of JSON.
		if r := p.server.PruneText(f.Name, yamltext.Decode(data)); !findings.HasErrors(r.Findings) {
			return p.text(text, f.Path)
		}
		lines := yamltext.NewLines(data)
		line, start := lines.At(int(syntax.Offset))
		p.report.Add(text.Snippets([]structural.Finding{{
			Rule: yamltext.RuleSyntax, File: f.Name, Line: line, Column: int(syntax.Offset) - start + 1, Severity: structural.SeverityError,
			Message: "invalid JSON: " + syntax.Message,
		}}, lines))
		return nil
	}
	if err != nil {
		p.wrong(f.Name, err)
		return nil
	}
	if p.server.Failed() || p.skips(text, false, n.Objects, n.Unknown, n.Findings) {
		return nil
	}
	if p.report.Add(text.Snippets(n.Findings, yamltext.NewLines(data))); findings.HasErrors(n.Findings) {
		return nil
	}
	return p.emit(f.Name, f.Path, data, data, out.Bytes(), true)
}

// stream prunes what is not held in memory. What is wrong with it is added to the report.
func (p *pruner) stream(name string, w io.Writer, r io.Reader) error {
	n, err := p.server.PruneStream(name, w, r)
	p.count(n.Objects, n.Unknown)
	p.report.Add(findings.Snippets(n.Findings, nil))
	if err != nil {
		p.wrong(name, err)
	}
	return nil
}

// wrong adds an error about a file as a whole.
func (p *pruner) wrong(name string, err error) {
	rule, message := structural.RuleUnreadable, err.Error()
	var syntax *prunert.SyntaxError
	var size *prunert.ObjectSizeError
	var late *prunert.LateKindError
	switch {
	case errors.As(err, &syntax):
		rule, message = yamltext.RuleSyntax, "invalid JSON: "+err.Error()
	case errors.As(err, &size):
		rule, message = yamltext.RuleTooLarge, fmt.Sprintf("the object at offset %d is larger than %d MiB", size.Offset, size.Limit>>20)
	case errors.As(err, &late):
		rule = yamltext.RuleTooLarge
		message = "the list is too large for memory: its kind comes after its items, and some items have no kind"
	}
	p.report.Add(findings.Snippets([]structural.Finding{{Rule: rule, File: name, Severity: structural.SeverityError, Message: message}}, nil))
}

// looksLikeJSON reports whether what is printed for a text that was read is JSON.
func looksLikeJSON(read []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(read), []byte("{")) }

// printed returns documents as text: as JSON if the text that they were read from begins like it, else as YAML.
func printed(documents []any, read []byte) ([]byte, error) {
	var out bytes.Buffer
	asJSON := looksLikeJSON(read)
	for i, doc := range documents {
		if i > 0 && !asJSON {
			out.WriteString("---\n")
		}
		deep := isDeeper(doc, deepestIndented)
		if !asJSON && !deep {
			data, err := marshalYAML(doc)
			if err != nil {
				return nil, err
			}
			out.Write(data)
			continue
		}
		enc := json.NewEncoder(&out) // JSON is YAML
		enc.SetEscapeHTML(false)
		if !deep {
			enc.SetIndent("", "  ")
		}
		if err := enc.Encode(doc); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// deepestIndented is how deeply objects and lists may be nested in a document that is indented. One that is deeper is written in one
// line: it would be mostly blanks, hundreds of times as large as what was read.
const deepestIndented = 100

// isDeeper reports whether something in value is nested in more than a number of objects and lists.
func isDeeper(value any, than int) bool {
	deeper := func(below any) bool { return than == 0 || isDeeper(below, than-1) }
	switch value := value.(type) {
	case map[string]any:
		for _, below := range value {
			if deeper(below) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, deeper)
	}
	return false
}
