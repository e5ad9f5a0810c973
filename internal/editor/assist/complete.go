package assist

import (
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
	// Detail is a type or an apiVersion, and Documentation is Markdown.
	Detail        string `json:"detail,omitempty"`
	Documentation string `json:"documentation,omitempty"`
	Required      bool   `json:"required,omitempty"`
	Deprecated    bool   `json:"deprecated,omitempty"`

	rank int
}

// maxProposals is how many proposals there are at a place. Few people read as many.
const maxProposals = 300

// Complete returns what can be written at an offset of a text, the most likely first. If there is more, it is incomplete: the next
// character decides.
func Complete(c Catalog, text []byte, offset int) (all []Proposal, incomplete bool) {
	p, ok := Locate(c, text, offset)
	onDash := ok && !p.IsKey && !p.found.value.has(offset)
	if !ok || onDash || !p.IsKey && p.found.form == block || strings.ContainsAny(string(text[p.Start:p.End]), "\r\n") {
		return nil, false
	}
	q := &completer{Place: p, catalog: c, schema: (*structural.Schema)(nil).Resource()}
	q.typed = strings.ToLower(strings.TrimLeft(string(text[p.Start:offset]), `"'`))
	if _, _, b, ok := c.Behavior(p.APIVersion, p.Kind); ok {
		q.known, q.behavior, q.schema = true, b, b.Schema.Resource()
	}
	path := p.Path
	if p.IsKey {
		path = path[:len(path)-1]
	}
	s := q.at(path)
	switch {
	case p.IsKey:
		q.keys(p.found.parent, path, s)
	case p.found.step.Index >= 0 && !p.found.colon && p.found != p.doc.last():
		q.element(path, s)
	default:
		q.value(path, s)
	}
	if e := p.after; e != nil {
		path := append(path[:len(path):len(path)], e.step)
		if s := q.at(path); s != nil && s.Items != nil && (e.form == absent || e.isList) {
			q.element(append(path, prunert.Step{Index: len(e.children)}), s.Items)
		}
	}
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
	Place
	catalog  Catalog
	known    bool
	behavior structural.Behavior
	schema   *structural.Schema // of the object
	all      []Proposal
	typed    string // what is written before the offset
}

// at returns the schema of a path, nil if there is none.
func (q *completer) at(path prunert.Path) *structural.Schema {
	s := q.schema
	for _, step := range path {
		s = resources.Below(s, step)
	}
	return s
}

// style returns how values are written at the place.
func (p Place) style() style {
	root := p.doc.last()
	switch {
	case root.flow && p.text[root.value.start] == '{' && (len(root.children) == 0 || p.text[root.children[0].key.start] == '"'):
		return inJSON
	case p.found.parent.flow:
		return inBrackets
	}
	return inBlock
}

// column returns the column in which the place is.
func (p Place) column() int {
	start := p.Start
	for start > 0 && !isBreak(p.text[start-1]) {
		start--
	}
	return columns(p.text[start:p.Start])
}

// propose adds a proposal if it begins with what is written before the offset, or has the characters of it in their order. Those that
// begin so come first.
func (q *completer) propose(r Proposal, w *sketcher) {
	label := strings.ToLower(r.Label)
	if !strings.HasPrefix(label, q.typed) {
		if r.rank == rankWhole {
			return
		}
		r.rank += rankSpread
		rest := label
		for _, c := range q.typed {
			i := strings.IndexRune(rest, c)
			if i < 0 {
				return
			}
			rest = rest[i+1:]
		}
	}
	r.Start, r.End, r.Text, r.Snippet = q.Start, q.End, w.text.String(), w.snippet.String()
	quote := ""
	switch {
	case q.Start < q.End && strings.IndexByte(`"'`, q.text[q.Start]) >= 0:
		quote = string(q.text[q.Start : q.Start+1])
	case w.style == inJSON && r.Kind == Field:
		quote = `"`
	}
	r.Filter = quote + r.Label + quote
	q.all = append(q.all, r)
}

// The ranks of proposals.
const (
	rankWhole = iota
	rankRequired
	rankCommon
	rankField
	rankServer // what the API server or a controller sets
	rankSpread // and more: what is typed is spread over the label
)

// keys proposes the fields of an object that it does not have.
func (q *completer) keys(of *node, path prunert.Path, s *structural.Schema) {
	if s == nil {
		return
	}
	present := map[string]bool{}
	for _, e := range of.children {
		present[e.step.Name] = present[e.step.Name] || e != q.found
	}
	if len(present) == 0 {
		q.whole(path, s)
	}
	required := requiredFields(s)
	for _, name := range fieldNames(s) {
		if present[name] {
			continue
		}
		field := resources.Field(s, name)
		r := Proposal{Kind: Field, Label: name, Required: slices.Contains(required, name), rank: rankField}
		switch {
		case r.Required:
			r.rank = rankRequired
		case len(path) == 0 && name == "status":
			r.rank = rankServer
		case len(path) > 0 && path[len(path)-1].Name == "metadata" && s.Properties["ownerReferences"] != nil:
			r.rank = metadataRank(name)
		}
		w := q.sketcher()
		switch {
		case q.IsKey && q.found.colon:
			w.write(w.scalar(name))
		case s.XEmbeddedResource && name == "metadata":
			w.metadata(q.column())
		default:
			w.field(name, field, q.column(), true)
		}
		q.propose(r, q.closed(w))
	}
}

// metadataRank returns the rank of a field of metadata.
func metadataRank(name string) int {
	switch name {
	case "name":
		return rankRequired
	case "namespace", "labels", "annotations":
		return rankCommon
	case "finalizers", "generateName", "ownerReferences":
		return rankField
	}
	return rankServer
}

// closed adds a comma in brackets if another key or element follows.
func (q *completer) closed(w *sketcher) *sketcher {
	if w.style == inBlock || q.Start < q.End {
		return w
	}
	rest := strings.TrimLeft(string(q.text[q.End:min(len(q.text), q.End+1<<10)]), " \t\r\n")
	if rest != "" && strings.IndexByte(",]}", rest[0]) < 0 {
		w.write(",")
	}
	return w
}

// whole proposes all required fields of an object without fields, and at the root objects of all kinds.
func (q *completer) whole(path prunert.Path, s *structural.Schema) {
	if len(path) == 0 && !q.known {
		for _, k := range q.catalog.Kinds() {
			_, _, b, ok := q.catalog.Behavior(k.APIVersion, k.Kind)
			if !ok || q.APIVersion != "" && q.APIVersion != k.APIVersion || q.Kind != "" && q.Kind != k.Kind {
				continue
			}
			w := q.sketcher()
			s := *b.Schema.Resource()
			s.Properties = map[string]*structural.Schema{}
			if b.Schema != nil {
				for name, field := range b.Schema.Properties {
					s.Properties[name] = field
				}
			}
			s.Properties["apiVersion"], s.Properties["kind"] = constant(k.APIVersion), constant(k.Kind)
			w.fields(&s, requiredFields(&s), q.column())
			q.propose(Proposal{Kind: KindName, Label: k.Kind, Detail: k.APIVersion, Documentation: Markdown(k.Description), Deprecated: k.Deprecated != "", rank: rankField}, w)
		}
		return
	}
	if required := requiredFields(s); len(required) > 1 && len(required) <= maxSketched {
		w := q.sketcher()
		w.fields(s, required, q.column())
		q.propose(Proposal{Kind: Field, Label: strings.Join(required, ", "), Detail: "required fields", Required: true, rank: rankWhole}, q.closed(w))
	}
}

// constant returns the schema of a value.
func constant(v string) *structural.Schema {
	return &structural.Schema{ValueValidation: &structural.ValueValidation{Enum: []any{v}}}
}

// element proposes an element of a list, with its dash.
func (q *completer) element(path prunert.Path, s *structural.Schema) {
	if s == nil {
		return
	}
	w := q.sketcher()
	w.element(s, q.column())
	q.propose(Proposal{Kind: Field, Label: "-", Detail: q.typeOf(path), rank: rankWhole}, w)
}

// value proposes values.
func (q *completer) value(path prunert.Path, s *structural.Schema) {
	n := q.found
	if q.isIdentity(path) {
		q.identity(path)
		return
	}
	if s == nil {
		return
	}
	isEmpty := n.form == absent
	block := q.style() == inBlock
	switch own := q.ownLine || n.ownLine; {
	case own && s.Items != nil:
		q.element(append(path[:len(path):len(path)], prunert.Step{Index: len(n.children)}), s.Items)
	case own, block && n.step.Index >= 0 && n != q.doc.last():
		q.keys(n, path, s)
	case s.Items != nil && isEmpty && len(n.children) == 0, len(fieldNames(s)) > 0 && isEmpty && len(n.children) == 0:
		w := q.sketcher()
		column := max(n.parent.column, 0)
		w.value(s, column, true)
		label := "{}"
		if s.Items != nil {
			label = "[]"
		}
		if block && !strings.HasPrefix(w.text.String(), w.newline) {
			return
		}
		q.propose(Proposal{Kind: Field, Label: label, Detail: q.typeOf(path), rank: rankWhole}, q.spaced(w))
	}
	q.scalars(path, s)
}

// spaced removes the space with which a value begins, unless a colon or a dash is right before the place.
func (q *completer) spaced(w *sketcher) *sketcher {
	if q.Start == q.End && q.Start > 0 && (q.text[q.Start-1] == ':' || q.text[q.Start-1] == '-' && w.style == inBlock) {
		return w
	}
	text, snippet := strings.TrimPrefix(w.text.String(), " "), strings.TrimPrefix(w.snippet.String(), " ")
	w.text.Reset()
	w.snippet.Reset()
	w.text.WriteString(text)
	w.snippet.WriteString(snippet)
	return w
}

// scalars proposes the default, the values of an enum, and booleans.
func (q *completer) scalars(path prunert.Path, s *structural.Schema) {
	var values []any
	if v := s.ValueValidation; v != nil {
		values = append(values, v.Enum...)
	}
	if s.Type == "boolean" && len(values) == 0 {
		values = []any{true, false}
	}
	isDefault := func(v any) bool { return s.Default != nil && jsonvalue.Text(v) == jsonvalue.Text(s.Default) }
	if s.Default != nil && len(fieldNames(s)) == 0 && s.Items == nil && !slices.ContainsFunc(values, isDefault) {
		values = append(values, s.Default)
	}
	for _, v := range values[:min(len(values), 10*maxProposals)] {
		w := q.sketcher()
		w.write(" " + w.scalar(v))
		r := Proposal{Kind: Value, Label: label(v), Detail: q.typeOf(path), rank: rankField}
		if isDefault(v) {
			r.Detail, r.rank = "default", rankRequired
		}
		q.propose(r, q.spaced(w))
	}
}

// label returns a value for people.
func label(v any) string {
	if text, ok := v.(string); ok && text != "" {
		return text
	}
	return jsonvalue.Text(v)
}

// isIdentity reports whether a path is that of an apiVersion or a kind.
func (q *completer) isIdentity(path prunert.Path) bool {
	if n := len(path); n > 0 && (path[n-1].Name == "apiVersion" || path[n-1].Name == "kind") {
		s := q.at(path[:n-1])
		return s != nil && s.XEmbeddedResource
	}
	return false
}

// identity proposes the apiVersions of a written kind, and the kinds of a written apiVersion.
func (q *completer) identity(path prunert.Path) {
	isKind := path[len(path)-1].Name == "kind"
	apiVersion, kind := q.textOf(q.found.parent, "apiVersion"), q.textOf(q.found.parent, "kind")
	all := q.catalog.Kinds()
	if isKind {
		kind = ""
	} else {
		apiVersion = ""
	}
	matches := func(k manifest.Kind) bool {
		return (kind == "" || k.Kind == kind) && (apiVersion == "" || k.APIVersion == apiVersion)
	}
	if !slices.ContainsFunc(all, matches) {
		apiVersion, kind = "", ""
	}
	seen := map[string]bool{}
	for _, k := range all {
		r := Proposal{Kind: KindName, Label: k.APIVersion, Detail: k.Kind, Documentation: Markdown(k.Description), Deprecated: k.Deprecated != "", rank: rankField}
		if isKind {
			r.Label, r.Detail = k.Kind, k.APIVersion
		}
		if !matches(k) || seen[r.Label] {
			continue
		}
		seen[r.Label] = true
		if r.Deprecated {
			r.rank++
		}
		w := q.sketcher()
		w.write(" " + w.scalar(r.Label))
		q.propose(r, q.spaced(w))
	}
}

// typeOf returns the type of a path.
func (q *completer) typeOf(path prunert.Path) string {
	if n := schematree.At(q.behavior, path); n != nil {
		return n.Type
	}
	return ""
}

// document fills in what is said about the field of a proposal.
func (q *completer) document(r *Proposal) {
	if r.Kind != Field || r.Detail != "" {
		return
	}
	path := q.Path
	if q.IsKey {
		path = path[:len(path)-1]
	}
	if n := schematree.At(q.behavior, append(path[:len(path):len(path)], prunert.Step{Name: r.Label, Index: -1})); n != nil {
		r.Detail, r.Documentation = n.Type, describe(n, shortDescription)
		r.Deprecated = strings.HasPrefix(strings.ToLower(n.Description[:min(len(n.Description), 20)]), "deprecated") || strings.Contains(n.Description, "Deprecated: ")
	}
}
