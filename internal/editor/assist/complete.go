package assist

import (
	"cmp"
	"maps"
	"regexp"
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

// The ranks of proposals.
const (
	rankWhole = iota
	rankRequired
	rankCommon
	rankOther
)

// maxProposals is how many proposals there are at a place. Few people read as many.
const maxProposals = 300

// Complete returns what can be written at an offset of a text, the most likely first. If there is more, it is incomplete: the next
// character decides.
func Complete(c Catalog, text []byte, offset int) (all []Proposal, incomplete bool) {
	r, ok := newReader(c, text, offset)
	if !ok {
		return nil, false
	}
	document := r.text[r.first:r.last]
	before := document[:offset-r.first]
	q := &completer{reader: r, line: string(before[lineStart(before):])}
	if closed.MatchString(q.line) {
		q.space = " "
	}
	if _, q.closers = brackets(before); json.Match(document) {
		q.style = inJSON
	} else if q.closers != "" {
		q.style = inBrackets
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

var (
	// closed matches a line that ends with a colon or a dash, which a space must follow.
	closed = regexp.MustCompile(`:$|^ *(?:- +)*-$`)
	// json matches a document that is JSON.
	json  = regexp.MustCompile(`^\s*\{\s*(?:["}]|$)`)
	colon = regexp.MustCompile(`^ *:`)
	// follows matches what follows a key or an element without a comma.
	follows = regexp.MustCompile(`^\s*[^\s,\]}]`)
)

// completer collects proposals.
type completer struct {
	*reader
	style   style
	line    string // before the offset
	closers string // of the brackets around it
	space   string // that must be before what is written
	all     []Proposal

	site     // where something is proposed
	behavior structural.Behavior
	known    bool         // the kind of the object
	around   prunert.Path // of the object whose fields are proposed
}

// complete proposes what can be written at the offset: what the parser accepts.
func (q *completer) complete() bool {
	s, ok := q.with(0, q.space, "")
	if strings.HasPrefix(string(q.after), `"`) || strings.HasPrefix(string(q.after), "'") {
		if inside, opens := q.with(1, "", ""); opens {
			s, ok = inside, true
		}
	}
	if ok {
		if q.propose(s); s.isKey {
			return true
		}
	}
	endings := []string{": {}", ": {},"}
	if strings.TrimRight(q.line, " ,[{") == q.line && q.line != "" {
		endings = []string{": ", ": 0,", `": `, `": 0,`}
	}
	for _, ending := range endings {
		if s, fits := q.with(0, q.space, ending); fits && s.isKey && !strings.HasPrefix(q.closers, "]") {
			q.propose(s)
			ok = true
			break
		}
	}
	if strings.TrimSpace(q.line) == "" {
		if s, fits := q.with(0, "- ", ""); fits && !s.isKey {
			q.enter(s)
			q.element(q.at(s.path), s.path)
			ok = true
		}
	}
	for _, ending := range []string{",", `"`, `",`} {
		if !ok {
			if s, ok = q.with(0, q.space, ending); ok {
				q.propose(s)
			}
		}
	}
	return ok
}

// enter goes to a place.
func (q *completer) enter(s site) {
	q.site = s
	_, _, q.behavior, q.known = q.catalog.Behavior(s.apiVersion, s.kind)
}

// propose proposes keys or values at a place.
func (q *completer) propose(s site) {
	q.enter(s)
	if strings.ContainsAny(string(q.text[s.start:s.end]), "\r\n") {
		return
	}
	if s.isKey {
		q.around = s.path[:len(s.path)-1]
		q.keys(q.at(q.around))
		return
	}
	if n := len(s.path); n > 0 && (s.path[n-1].Name == "apiVersion" || s.path[n-1].Name == "kind") {
		if of := q.at(s.path[:n-1]); of != nil && of.XEmbeddedResource {
			q.identity(s.path[n-1].Name == "kind")
			return
		}
	}
	if of := q.at(s.path); of != nil {
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
func (q *completer) add(p Proposal, w *sketcher) {
	typed, quote := string(q.text[q.start:q.offset]), ""
	switch {
	case q.start < q.end && strings.IndexByte(`"'`, q.text[q.start]) >= 0:
		quote = string(q.text[q.start])
	case w.style == inJSON && p.Kind == Field:
		quote = `"`
	}
	if typed = strings.TrimLeft(typed, `"'`); len(typed) > len(p.Label) || !strings.EqualFold(p.Label[:len(typed)], typed) {
		return
	}
	comma := ""
	if w.style != inBlock && q.start == q.end && follows.Match(q.text[q.end:q.last]) {
		comma = ","
	}
	fit := func(text string) string {
		if text = strings.TrimPrefix(text, " "); strings.HasPrefix(text, w.newline) {
			return text
		}
		return q.space + text + comma
	}
	p.Start, p.End, p.Text, p.Snippet, p.Filter = q.start, q.end, fit(w.text.String()), fit(w.snippet.String()), quote+p.Label+quote
	q.all = append(q.all, p)
}

// keys proposes the fields of an object that it does not have.
func (q *completer) keys(s *structural.Schema) {
	if s == nil {
		return
	}
	present := map[string]bool{}
	for _, e := range q.parent().Entries {
		present[e.Key] = !strings.Contains(e.Key, mark)
	}
	hasColon := colon.Match(q.text[q.end:q.last])
	if len(present) == 1 && !hasColon {
		q.whole(s)
	}
	required := requiredFields(s)
	for _, name := range fieldNames(s) {
		if present[name] {
			continue
		}
		p := Proposal{Kind: Field, Label: name, Required: slices.Contains(required, name), rank: rankOther}
		if p.Required {
			p.rank = rankRequired
		} else if s == objectMeta && (name == "annotations" || name == "labels" || name == "namespace") {
			p.rank = rankCommon
		}
		w := q.sketcher()
		if w.write(w.scalar(name)); !hasColon {
			w.write(":")
			w.value(resources.Field(s, name), q.column(), true)
		}
		q.add(p, w)
	}
}

// whole proposes all required fields of an object without fields, and objects of all kinds in place of one whose kind is not known.
func (q *completer) whole(s *structural.Schema) {
	if len(q.around) > 0 || q.known {
		if required := requiredFields(s); len(required) > 1 && len(required) <= maxSketched {
			w := q.sketcher()
			w.fields(s, required, q.column())
			q.add(Proposal{Kind: Field, Label: strings.Join(required, ", "), Detail: "required fields", Required: true, rank: rankWhole}, w)
		}
		return
	}
	for _, k := range q.catalog.Kinds() {
		_, _, b, ok := q.catalog.Behavior(k.APIVersion, k.Kind)
		if !ok || q.apiVersion != "" && q.apiVersion != k.APIVersion || q.kind != "" && q.kind != k.Kind {
			continue
		}
		s := b.Schema.Resource()
		fields := map[string]*structural.Schema{}
		maps.Copy(fields, s.Properties)
		fields["apiVersion"], fields["kind"] = constant(k.APIVersion), constant(k.Kind)
		s.Properties = fields
		w := q.sketcher()
		w.fields(s, requiredFields(s), q.column())
		q.add(proposalOf(k, k.Kind, k.APIVersion), w)
	}
}

// constant returns the schema of a value.
func constant(v string) *structural.Schema {
	return &structural.Schema{ValueValidation: &structural.ValueValidation{Enum: []any{v}}}
}

func proposalOf(k manifest.Kind, label, detail string) Proposal {
	return Proposal{Kind: KindName, Label: label, Detail: detail, Documentation: Markdown(k.Description), Deprecated: k.Deprecated != "", rank: rankOther}
}

// element proposes an element of a list, with its dash.
func (q *completer) element(s *structural.Schema, path prunert.Path) {
	if s != nil {
		w := q.sketcher()
		w.element(s, q.column())
		q.add(Proposal{Kind: Field, Label: "-", Detail: q.typeOf(path), rank: rankWhole}, w)
	}
}

// collection proposes an object or a list where nothing is written after a key.
func (q *completer) collection(s *structural.Schema) {
	label := "{}"
	if s.Items != nil {
		label = "[]"
	} else if len(fieldNames(s)) == 0 {
		return
	}
	isElement := len(q.path) > 0 && q.path[len(q.path)-1].Index >= 0
	if q.start < q.end || q.style == inBlock && (isElement || strings.TrimSpace(q.line) == "") {
		return
	}
	w := q.sketcher()
	w.value(s, len(dashes.FindString(q.line)), true)
	if q.style != inBlock || strings.HasPrefix(w.text.String(), w.newline) {
		q.add(Proposal{Kind: Field, Label: label, Detail: q.typeOf(q.path), rank: rankWhole}, w)
	}
}

// scalars proposes the default, the values of an enum, and booleans.
func (q *completer) scalars(s *structural.Schema) {
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
		p := Proposal{Kind: Value, Label: label(v), Detail: q.typeOf(q.path), rank: rankOther}
		if isDefault(v) {
			p.Detail, p.rank = "default", rankRequired
		}
		w := q.sketcher()
		w.write(w.scalar(v))
		q.add(p, w)
	}
}

// label returns a value for people.
func label(v any) string {
	if text, ok := v.(string); ok && text != "" {
		return text
	}
	return jsonvalue.Text(v)
}

// identity proposes the apiVersions of a written kind, or the kinds of a written apiVersion.
func (q *completer) identity(isKind bool) {
	apiVersion, kind := "", textOf(q.parent(), "kind")
	if isKind {
		apiVersion, kind = textOf(q.parent(), "apiVersion"), ""
	}
	matches := func(k manifest.Kind) bool {
		return (kind == "" || k.Kind == kind) && (apiVersion == "" || k.APIVersion == apiVersion)
	}
	all := q.catalog.Kinds()
	if !slices.ContainsFunc(all, matches) {
		apiVersion, kind = "", ""
	}
	seen := map[string]bool{}
	for _, k := range all {
		p := proposalOf(k, k.APIVersion, k.Kind)
		if isKind {
			p = proposalOf(k, k.Kind, k.APIVersion)
		}
		if !matches(k) || seen[p.Label] {
			continue
		}
		seen[p.Label] = true
		if p.Deprecated {
			p.rank++
		}
		w := q.sketcher()
		w.write(w.scalar(p.Label))
		q.add(p, w)
	}
}

// typeOf returns the type of a path.
func (q *completer) typeOf(path prunert.Path) string {
	if n := schematree.At(q.behavior, path); n != nil {
		return n.Type
	}
	return ""
}

// document fills in what is said about a field.
func (q *completer) document(p *Proposal) {
	if p.Kind != Field || p.Detail != "" {
		return
	}
	if n := schematree.At(q.behavior, append(slices.Clip(q.around), prunert.Step{Name: p.Label, Index: -1})); n != nil {
		p.Detail, p.Documentation = n.Type, describe(n, shortDescription)
		p.Deprecated = strings.HasPrefix(strings.ToLower(n.Description[:min(len(n.Description), 20)]), "deprecated") || strings.Contains(n.Description, "Deprecated: ")
	}
}
