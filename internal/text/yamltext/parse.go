// Package yamltext reads YAML and JSON into nodes that know their places. It knows nothing about CRDs.
package yamltext

import (
	"bytes"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

// Parse parses the documents in data, which Decode returned, with a meter of its own.
func Parse(data []byte, visit func(*Document), report func(*Problem)) *Lines {
	return ParseText(meter.New(1), data, visit, report)
}

// ParseText is ParseSome for all of data, whose bytes are not counted yet.
func ParseText(m *meter.Meter, data []byte, visit func(*Document), report func(*Problem)) *Lines {
	if p := tooLarge(m.SpendText(len(data)), Pos{1, 1}); p != nil {
		report(p)
		return nil
	}
	return ParseSome(m, data, all, visit, report)
}

// ParseSome parses the documents in data, whose bytes are counted, one at a time, and calls visit for each that is not empty. It skips the
// parts of data, as Parts returns them, that are not wanted. A document that does not parse is left out, with its problem reported, and
// the ones after it are read all the same, unless the run exceeds a limit. The result is the index of the lines of data; it is nil if
// data is too large to be read.
func ParseSome(m *meter.Meter, data []byte, wanted func(part []byte) bool, visit func(*Document), report func(*Problem)) *Lines {
	return parseParts(m, data, wanted, func(src *source, in part) {
		docs, p := src.parse(in)
		last, _ := src.lines.At(in.start + len(in.text))
		for _, doc := range docs {
			doc.Last = last
			if !doc.Root.IsNull() {
				visit(doc)
			}
		}
		if p != nil {
			report(p)
		}
	}, report)
}

// all wants every part.
func all([]byte) bool { return true }

// parseParts calls parse for each part of data that has something in it and is wanted, until the run exceeds a limit.
func parseParts(m *meter.Meter, data []byte, wanted func([]byte) bool, parse func(*source, part), report func(*Problem)) *Lines {
	src := newSource(data, m)
	for start := 0; start < len(data) && !m.Spent(); {
		part := part{start: start, text: data[start : start+documentEnd(data[start:])]}
		part.line, _ = src.lines.At(start)
		start += len(part.text)
		m.Begin(len(part.text))
		if !wanted(part.text) {
			continue
		}
		if !m.Spend(meter.UnitsOfSeparator * countSeparators(part.text)) {
			report(Exceeded(m, Pos{part.line, 1}))
			break
		}
		if isBlank(part.text) {
			continue
		}
		if !m.SpendDocument() {
			countDocuments(m, data[start:], wanted)
			report(Exceeded(m, Pos{part.line, 1}))
			break
		}
		parse(src, part)
		src.release()
	}
	return src.lines
}

// countDocuments counts the documents in the rest of a text that has too many of them.
func countDocuments(m *meter.Meter, data []byte, wanted func([]byte) bool) {
	for len(data) > 0 {
		part := data[:documentEnd(data)]
		data = data[len(part):]
		m.Begin(len(part))
		if wanted(part) && !isBlank(part) {
			m.SpendDocument()
		}
	}
}

// Parts returns the parts of data that are parsed one after the other: documents, with what is before them.
func Parts(data []byte) [][]byte {
	var all [][]byte
	for len(data) > 0 {
		end := documentEnd(data)
		all, data = append(all, data[:end]), data[end:]
	}
	return all
}

// parse returns the documents in a part of the file, and the problem that ended it.
func (src *source) parse(in part) ([]*Document, *Problem) {
	docs, p := src.parseEither(in)
	if p == nil {
		return docs, nil
	}
	return docs, src.asTemplate(in, p)
}

// maybeJSON reports whether a part starts like JSON.
func (in part) maybeJSON() bool {
	content := in.text[contentStart(in.text):]
	return bytes.HasPrefix(content, []byte("{")) && !bytes.HasPrefix(content, []byte("{{"))
}

// parseEither reads JSON where a part starts like it, and YAML otherwise.
func (src *source) parseEither(in part) ([]*Document, *Problem) {
	if !in.maybeJSON() {
		return src.parseYAML(in)
	}
	docs, p := src.parseJSON(in)
	if p == nil || !p.syntax {
		return docs, p
	}
	// A text that starts with a brace may well be YAML, which allows comments, trailing commas and bare keys.
	yamlDocs, yamlProblem := src.parseYAML(in)
	if yamlProblem != nil && wasJSON(p, yamlProblem) {
		return docs, p
	}
	return yamlDocs, yamlProblem
}

// wasJSON reports whether a text that is neither JSON nor YAML was meant to be JSON: the parser that got further decides.
func wasJSON(asJSON, asYAML *Problem) bool {
	return asJSON != nil && asJSON.syntax && asYAML.syntax && asYAML.Pos.Line <= asJSON.Pos.Line
}

// documentEnd returns where the document at the start of data ends: before the next line that starts a document. Nothing
// else in YAML can start a line with three dashes, and no line within JSON does, as long as lines end with LF or CR: the
// other line breaks of YAML may stand in a string of JSON. A document after one of those is parsed with the one before it.
func documentEnd(data []byte) int {
	content := false // there is more than comments and directives, which stand before the dashes of their own document
	for at := 0; at < len(data); {
		line := data[at : at+asciiLine(data[at:])]
		switch {
		case isDocumentStart(line):
			if content {
				return at
			}
			content = true
		case !content:
			trimmed := bytes.TrimSpace(line)
			content = len(trimmed) > 0 && trimmed[0] != '#' && line[0] != '%'
		}
		at += len(line)
	}
	return len(data)
}

// asciiLine returns the length of the first line of data, with the LF, CR or both that end it.
func asciiLine(data []byte) int {
	i := bytes.IndexAny(data, "\r\n")
	if i < 0 {
		return len(data)
	}
	return i + breakLen(data[i:])
}

// isBlank reports whether there are only comments in text.
func isBlank(text []byte) bool {
	for at := contentStart(text); at < len(text); {
		line := text[at : at+asciiLine(text[at:])]
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && (trimmed[0] != '#' || hasOtherBreak(line)) {
			return false
		}
		at += len(line)
	}
	return true
}

// hasOtherBreak reports whether a line of ASCII breaks is several lines of YAML.
func hasOtherBreak(line []byte) bool {
	return bytes.ContainsAny(line, "\u0085\u2028\u2029")
}
