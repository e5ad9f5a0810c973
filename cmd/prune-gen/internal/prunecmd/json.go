package prunecmd

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"io"
	"slices"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
)

// stream prunes a text that is not held in memory. Its findings are added to the report.
func (p *pruner) stream(t *input.Text) error {
	if unknown, skips := p.server.Skips(t.Text); skips {
		p.unknown += unknown
		return nil
	}
	failed := false
	prune := func(w io.Writer) error {
		r, err := p.server.Prune(t.Text, w)
		p.count(r.Objects, r.Unknown)
		p.report.Add(t.Snippets(r.Findings, nil))
		if err != nil {
			p.report.Find(findings.Unreadable(t.Name, err))
		}
		failed = err != nil || findings.HasErrors(r.Findings) || p.server.Failed()
		return nil
	}
	if !p.write && !p.check {
		p.separate([]byte("{"), true)
		io.WriteString(p.out, t.Mark)
		return prune(p.out)
	}
	before, after := fnv.New64a(), fnv.New64a()
	pruned := func(w io.Writer) error {
		io.WriteString(w, t.Mark)
		t.Reader = io.TeeReader(t.Reader, before)
		return prune(io.MultiWriter(w, after))
	}
	if p.check {
		err := pruned(io.Discard)
		if !failed && before.Sum64() != after.Sum64() {
			p.changed = append(p.changed, t.Name)
		}
		return err
	}
	err := p.keep(t, pruned)
	if err == nil && before.Sum64() == after.Sum64() {
		p.replacer.Drop()
		p.changed = p.changed[:len(p.changed)-1]
	}
	return err
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

// deepestIndented is how deeply objects and lists may be nested in a document that is indented. A deeper one is written in one line:
// indented, it would be mostly blanks, hundreds of times as large as the input.
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
