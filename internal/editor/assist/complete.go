package assist

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/explain/schematree"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// ProposalKind says what a proposal is.
type ProposalKind string

const (
	// Field is a key with its value, or an element of a list.
	Field ProposalKind = "field"
	// Value is a scalar.
	Value ProposalKind = "value"
	// KindName is a kind, an apiVersion, or an object of a kind.
	KindName ProposalKind = "kind"
)

// Proposal is something that can be inserted.
type Proposal struct {
	Kind  ProposalKind `json:"kind"`
	Label string       `json:"label"`
	// Filter is what the replaced text is compared with: the label as it would be written, with its quotes.
	Filter string `json:"filter"`
	// Start and End are the bytes that Text replaces. Its lines are indented as they have to be.
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
	// Snippet is Text with placeholders, in the syntax of the Language Server Protocol.
	Snippet string `json:"snippet"`
	// Detail is a type, an apiVersion or a kind, and Documentation is Markdown.
	Detail        string `json:"detail,omitempty"`
	Documentation string `json:"documentation,omitempty"`
	Required      bool   `json:"required,omitempty"`
	Deprecated    bool   `json:"deprecated,omitempty"`

	path prunert.Path // of what it is about
	rank int
}

// The ranks of proposals.
const (
	rankWhole = iota
	rankRequired
	rankCommon
	rankOther
	rankDeprecated
)

// maxProposals is how many proposals there are at a place. Few people read as many.
const maxProposals = 300

// Complete returns what can be written at an offset of a text, the most likely first. If there is more, it is incomplete: the next
// character decides.
func Complete(c Catalog, text []byte, offset int) (all []Proposal, incomplete bool) {
	r := newReader(c, text, offset)
	if r == nil {
		return nil, false
	}
	before := r.text[r.first:offset]
	q := &completer{reader: r, layout: layoutOf(r.text[r.first:min(r.last, r.first+maxWhole)]), line: string(before[lineStart(before):])}
	if strings.HasSuffix(q.line, ":") || strings.HasSuffix(q.line, "-") && strings.Trim(q.line, " -") == "" {
		q.space = " "
	}
	r.try(q.complete)
	slices.SortStableFunc(q.all, func(a, b Proposal) int { return cmp.Compare(a.rank, b.rank) })
	incomplete = len(q.all) > maxProposals
	q.all = q.all[:min(len(q.all), maxProposals)]
	for i := range q.all {
		q.document(&q.all[i])
	}
	return q.all, incomplete
}

// completer collects proposals.
type completer struct {
	*reader
	layout
	line  string // before the offset
	space string // that must be before what is written
	all   []Proposal

	site      // where something is proposed
	next byte // after the site, apart from blanks
}

// complete proposes what can be written at the offset: what the parser accepts.
func (q *completer) complete() bool {
	_, closers := brackets(q.before)
	q.inFlow = closers != "" || q.inJSON
	isAny := func(site) bool { return true }
	isKey := func(s site) bool { return s.isKey && !strings.HasPrefix(closers, "]") }
	isElement := func(s site) bool { return !s.isKey }
	done := q.accepted(isAny, 1, "", "") || q.accepted(isAny, 0, q.space, "")
	if done && q.isKey {
		return true
	}
	endings := []string{": {}", ": {},"} // what is indented below belongs to something else
	if q.line != "" && strings.IndexByte(" ,[{", q.line[len(q.line)-1]) < 0 {
		endings = []string{": ", ": 0,", `": `, `": 0,`} // a word is being typed
	}
	done = q.accepted(isKey, 0, q.space, endings...) || done
	if strings.TrimSpace(q.line) == "" && !q.inFlow {
		done = q.accepted(isElement, 0, "- ", "") || done
	}
	return done || q.accepted(isAny, 0, q.space, ",", `"`, `",`)
}

// accepted proposes what can be written with the first ending that fits.
func (q *completer) accepted(fits func(site) bool, skip int, pre string, endings ...string) bool {
	for _, ending := range endings {
		if s, ok := q.with(skip, pre, ending); ok && fits(s) {
			q.site, q.next = s, 0
			if rest := bytes.TrimLeft(q.text[q.end:q.last], " \r\n"); len(rest) > 0 {
				q.next = rest[0]
			}
			q.propose(pre == "- ")
			return true
		}
	}
	return false
}

// propose proposes keys or values at the place, or an element of a list with its dash.
func (q *completer) propose(isElement bool) {
	of, name := q.at(q.path), ""
	var around *structural.Schema
	if n := len(q.path); n > 0 {
		around, name = q.at(q.path[:n-1]), q.path[n-1].Name
	}
	switch {
	case q.isKey && around != nil:
		q.keys(around)
	case q.isKey:
	case around != nil && around.XEmbeddedResource && (name == "apiVersion" || name == "kind"):
		q.identity(name == "kind")
	case of != nil && isElement:
		q.add(Proposal{Kind: Field, Label: "-", rank: rankWhole}, func(w *sketcher) { w.element(of, q.column()) })
	case of != nil:
		q.collection(of)
		q.scalars(of)
	}
}

// at returns the schema of a path, nil if there is none.
func (q *completer) at(path prunert.Path) *structural.Schema {
	s := q.behavior.Schema.Resource()
	for _, step := range path {
		s = resources.Below(s, step)
	}
	return s
}

// column returns the column in which the place is.
func (q *completer) column() int { return q.start - lineStart(q.text[:q.start]) }

// add adds a proposal if it begins with what is written before the offset.
func (q *completer) add(p Proposal, sketch func(w *sketcher)) {
	typed := strings.TrimLeft(string(q.text[q.start:q.offset]), `"'`)
	if len(typed) > len(p.Label) || !strings.EqualFold(p.Label[:len(typed)], typed) {
		return
	}
	w := &sketcher{layout: q.layout, left: maxSketched}
	sketch(w)
	p.Filter = p.Label
	if q.start < q.end && strings.IndexByte(`"'`, q.text[q.start]) >= 0 {
		p.Filter = string(q.text[q.start]) + p.Label + string(q.text[q.start])
	} else if q.inJSON && p.Kind == Field {
		p.Filter = `"` + p.Label + `"`
	}
	fit := func(text string) string {
		text = strings.TrimPrefix(text, " ")
		if !strings.HasPrefix(text, q.newline) {
			text = q.space + text
		}
		if q.inFlow && q.start == q.end && strings.IndexByte(",]}\x00", q.next) < 0 {
			text += ","
		}
		return text
	}
	p.Start, p.End, p.Text, p.Snippet = q.start, q.end, fit(w.text.String()), fit(w.snippet.String())
	if p.path == nil {
		p.path = q.path
	}
	q.all = append(q.all, p)
}

// keys proposes the fields of an object that it does not have.
func (q *completer) keys(s *structural.Schema) {
	present := map[string]bool{}
	for _, e := range q.parent().Entries {
		present[e.Key] = !strings.Contains(e.Key, mark)
	}
	if len(present) == 1 && q.next != ':' {
		q.whole(s)
	}
	required := requiredFields(s)
	for _, name := range fieldNames(s) {
		if present[name] {
			continue
		}
		p := Proposal{Kind: Field, Label: name, Required: slices.Contains(required, name), rank: rankOther}
		p.path = append(q.path[:len(q.path)-1:len(q.path)-1], prunert.Step{Name: name, Index: -1})
		switch {
		case p.Required:
			p.rank = rankRequired
		case s == objectMeta && (name == "annotations" || name == "labels" || name == "namespace"):
			p.rank = rankCommon
		}
		q.add(p, func(w *sketcher) {
			if w.write(w.scalar(name)); q.next != ':' {
				w.write(":")
				w.value(resources.Field(s, name), q.column(), true)
			}
		})
	}
}

// whole proposes all required fields of an object without fields, or objects of all kinds if its own is not known.
func (q *completer) whole(s *structural.Schema) {
	if required := requiredFields(s); len(q.path) > 1 || q.known {
		if len(required) > 1 && len(required) <= maxSketched {
			p := Proposal{Kind: Field, Label: strings.Join(required, ", "), Detail: "required fields", Required: true, rank: rankWhole}
			q.add(p, func(w *sketcher) { w.fields(s, required, q.column()) })
		}
		return
	}
	for _, k := range q.kinds(q.apiVersion, q.kind) {
		if _, _, b, ok := q.catalog.Behavior(k.APIVersion, k.Kind); ok {
			q.add(proposalOf(k, k.Kind, k.APIVersion), func(w *sketcher) {
				w.given = map[string]string{"apiVersion": k.APIVersion, "kind": k.Kind}
				w.fields(b.Schema.Resource(), requiredFields(b.Schema.Resource()), q.column())
			})
		}
	}
}

// kinds returns the kinds of an apiVersion or with a name, if these are known.
func (q *completer) kinds(apiVersion, kind string) []manifest.Kind {
	return slices.DeleteFunc(slices.Clone(q.catalog.Kinds()), func(k manifest.Kind) bool {
		return apiVersion != "" && apiVersion != k.APIVersion || kind != "" && kind != k.Kind
	})
}

func proposalOf(k manifest.Kind, label, detail string) Proposal {
	p := Proposal{Kind: KindName, Label: label, Detail: detail, Documentation: Markdown(k.Description), rank: rankOther}
	if p.Deprecated = k.Deprecated != ""; p.Deprecated {
		p.rank = rankDeprecated
	}
	return p
}

// identity proposes the apiVersions of a written kind, or the kinds of a written apiVersion.
func (q *completer) identity(isKind bool) {
	all := q.kinds("", textOf(q.parent(), "kind"))
	if isKind {
		all = q.kinds(textOf(q.parent(), "apiVersion"), "")
	}
	if len(all) == 0 {
		all = q.catalog.Kinds()
	}
	seen := map[string]bool{}
	for _, k := range all {
		p := proposalOf(k, k.APIVersion, k.Kind)
		if isKind {
			p = proposalOf(k, k.Kind, k.APIVersion)
		}
		if !seen[p.Label] {
			q.add(p, func(w *sketcher) { w.write(w.scalar(p.Label)) })
		}
		seen[p.Label] = true
	}
}

// collection proposes an object or a list where nothing is written after a key.
func (q *completer) collection(s *structural.Schema) {
	p := Proposal{Kind: Field, Label: "{}", rank: rankWhole}
	if s.Items != nil {
		p.Label = "[]"
	}
	isAfterKey := len(q.path) > 0 && q.path[len(q.path)-1].Index < 0 && strings.TrimSpace(q.line) != ""
	if (isAfterKey || q.inFlow) && q.start == q.end && (s.Items != nil || len(fieldNames(s)) > 0) {
		q.add(p, func(w *sketcher) { w.value(s, len(dashes.FindString(q.line)), true) })
	}
}

// scalars proposes the values that a schema lists.
func (q *completer) scalars(s *structural.Schema) {
	for _, v := range valuesOf(s) {
		p := Proposal{Kind: Value, Label: jsonvalue.Text(v), rank: rankOther}
		if text, ok := v.(string); ok && text != "" {
			p.Label = text
		}
		if isDefault(s, v) {
			p.Detail = "default"
		}
		q.add(p, func(w *sketcher) { w.write(w.scalar(v)) })
	}
}

// document fills in what is said about what is proposed.
func (q *completer) document(p *Proposal) {
	if n := schematree.At(q.behavior, p.path); n != nil && p.Detail == "" {
		p.Detail, p.Documentation = n.Type, describe(n, shortDescription)
		start := n.Description[:min(len(n.Description), len("deprecated"))]
		p.Deprecated = p.Kind == Field && (strings.EqualFold(start, "deprecated") || strings.Contains(n.Description, "Deprecated: "))
	}
}
