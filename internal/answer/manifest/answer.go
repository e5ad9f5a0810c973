package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Judged is an object with the answer of the server about it.
type Judged struct {
	Object
	// Resource is nil for an object of a kind or a version that the server does not serve. A finding says so, unless the kind is not known.
	Resource *Resource
	// Stored is what would be stored, nil if the object is refused.
	Stored map[string]any
	// Refused reports whether the server refuses the object.
	Refused bool
	// Warnings are those of the server: of a deprecated version, for example. Unknown and duplicate fields are findings only.
	Warnings []string
	// Findings are the warnings and errors of the server, without the name of the file.
	Findings []structural.Finding

	server  *Server
	name    string           // of the object, in findings
	old     *Object          // that is stored, nil for none
	nodes   *yamltext.Finder // in the object
	written map[string]any   // must not be changed
	unknown map[yamltext.Pos]bool
	level   Validation
}

// IsKnown reports whether the server knows the kind of the object, though perhaps not its version.
func (a *Judged) IsKnown() bool { return a.server.isKind(a.APIVersion, a.Kind) }

// IsUpdate reports whether the answer is about an update of an object that is stored.
func (a *Judged) IsUpdate() bool { return a.old != nil }

// CRD returns the name of the CRD of the object, "" if the server does not serve it.
func (a *Judged) CRD() string {
	if a.Resource == nil {
		return ""
	}
	return a.Resource.crd
}

// Validation says how unknown and duplicate fields are reported: with Warn they are warnings, with Strict errors. The server refuses an
// object with such errors without validating it; here it is validated all the same.
type Validation = prunert.FieldValidation

const (
	Ignore = prunert.FieldValidationIgnore
	Warn   = prunert.FieldValidationWarn
	Strict = prunert.FieldValidationStrict
)

// Reasons says whether the findings of an answer include why the server refuses the object.
type Reasons bool

const (
	WithReasons    Reasons = true
	WithoutReasons Reasons = false // it is enough to know whether a custom resource is refused
)

// Answer returns the answer to a request that creates an object, or updates the one that is stored.
//
// What a server has printed is validated as if a client had written it: the resourceVersion, with which no object can be
// created, is left out with a warning. In an update, the object gets the resourceVersion of the stored one, unless it has its own, as
// with kubectl replace. Stored objects are converted by rewriting apiVersion, as the strategy None does.
func (s *Server) Answer(o Object, validation Validation) *Judged {
	_, wait := s.Ask(o, validation, WithReasons)
	return wait()
}

// Ask is Answer for a caller that has other work while an object of a built-in kind is asked about. The function that it returns waits for
// the answer. It also returns the size of what is held until then, 0 if there is nothing to wait for.
func (s *Server) Ask(o Object, validation Validation, reasons Reasons) (size int, wait func() *Judged) {
	a := &Judged{Object: o, server: s, name: o.String(), nodes: yamltext.NewFinder(o.Node), level: validation}
	r, f := s.lookup(o)
	if f != nil {
		a.Findings = append(a.Findings, *f)
		a.Refused = f.Severity == structural.SeverityError
	}
	asIs := func() *Judged { return a }
	if a.Resource = r; r == nil {
		return 0, asIs
	}
	if r.ask != nil || !o.IsSmall(meter.Request) {
		text, ok := o.JSON(meter.Request)
		if !ok {
			a.refuse(IDTooLarge, fmt.Sprintf("Request entity too large: limit is %d", meter.Request), "")
			return 0, asIs
		}
		size = len(text)
	}
	if key, ok := s.key(o); ok {
		if old, ok := s.stored[key]; ok {
			a.old = &old
		}
	}
	a.written = o.Value()
	obj := jsonvalue.Copy(a.written)
	answer := a.send(obj)
	if r.ask == nil {
		size = 0 // there is nothing to wait for
	}
	return size, func() *Judged {
		switch {
		case r.ask == nil && reasons == WithoutReasons:
			a.readBriefly(obj, answer())
		default:
			a.checkFields()
			a.read(obj, answer())
		}
		if s.meter.Spent() { // the answer may be incomplete
			a.Stored, a.Refused = nil, true
		}
		return a
	}
}

// checkFields adds the unknown and the duplicate fields of the object.
func (a *Judged) checkFields() {
	if a.level != Ignore {
		a.unknownFields()
		a.duplicates()
	}
}

// readBriefly is checkFields and read, without the reasons of a refusal.
func (a *Judged) readBriefly(obj map[string]any, answer prunert.Answer) {
	if a.Refused = answer.Refusal != nil; a.Refused {
		return
	}
	a.checkFields()
	a.read(obj, answer)
}

// read reads the answer about an object. The server does not look at the rest of an object whose metadata it cannot decode; here the rest
// is validated all the same, as if the values that are wrong were not set.
func (a *Judged) read(obj map[string]any, first prunert.Answer) {
	if a.Resource.ask != nil && first.Refusal != nil && undecodable(first.Refusal) { // what is in them was not looked at
		a.Findings = slices.DeleteFunc(a.Findings, func(f structural.Finding) bool {
			return f.ID == IDUnknownField && slices.ContainsFunc(first.Refusal.Errors, func(e *prunert.Error) bool { return isBelow(f.Steps(), e.Path) })
		})
	}
	a.take(first)
	if first.Refusal == nil || !undecodable(first.Refusal) {
		return
	}
	var wrong []prunert.Path
	for _, e := range first.Refusal.Errors {
		path := e.Path
		for len(path) > 0 && path[len(path)-1].Index >= 0 { // all of the list, so that no element has another place
			path = path[:len(path)-1]
		}
		unset(obj, path)
		wrong = append(wrong, path)
	}
	second := a.send(obj)()
	switch {
	case second.Refusal == nil:
	case len(second.Refusal.Errors) == 0 || undecodable(second.Refusal): // there are more errors than are listed
		a.note("the rest of the object was not checked")
	default:
		a.errors(slices.DeleteFunc(second.Refusal.Errors, func(e *prunert.Error) bool {
			return slices.ContainsFunc(wrong, func(path prunert.Path) bool { return isBelow(e.Path, path) })
		}))
	}
}

// undecodable reports whether the server cannot decode the metadata of an object.
func undecodable(why *prunert.Refusal) bool {
	const badRequest = 400 // net/http would double the program in a page
	return why.Code == badRequest && len(why.Errors) > 0
}

// unset removes the field at a path.
func unset(obj any, at prunert.Path) {
	for i, s := range at {
		switch v := obj.(type) {
		case map[string]any:
			if obj = v[s.Name]; i == len(at)-1 {
				delete(v, s.Name)
			}
		case []any:
			if s.Index < 0 || s.Index >= len(v) {
				return
			}
			obj = v[s.Index]
		}
	}
}

// isBelow reports whether a path is that of a value or of something in it.
func isBelow(path, of prunert.Path) bool {
	return len(path) >= len(of) && slices.Equal(path[:len(of)], of)
}

// send sends the request: it creates the object, or updates the one that is stored. The function that it returns waits for the answer.
func (a *Judged) send(obj map[string]any) func() prunert.Answer {
	req := prunert.Request{FieldValidation: prunert.FieldValidationIgnore, GenerateName: objects.GeneratedName}
	if a.old == nil {
		a.dropVersion(obj)
		if a.Resource.ask != nil {
			return a.builtIn(obj, nil)
		}
		return func() prunert.Answer { return a.Resource.Create(obj, req) }
	}
	if a.old.Node.Object(a.server.meter, true) != nil {
		return func() prunert.Answer { return prunert.Answer{} } // the meter is spent, which is said
	}
	if a.Resource.ask != nil {
		return a.builtIn(obj, a.old.Value())
	}
	return func() prunert.Answer {
		was := a.Resource.fromStorage(a.old.Value(), a.namespace())
		takeVersion(obj, was)
		return a.Resource.Update(obj, was, req)
	}
}

// namespace returns the namespace of the object, as the server stores it.
func (a *Judged) namespace() string {
	key, _ := a.server.key(a.Object)
	return key.namespace
}

// builtIn asks about an object of a built-in kind.
func (a *Judged) builtIn(obj, old map[string]any) func() prunert.Answer {
	wait := a.Resource.ask(obj, old)
	return func() prunert.Answer {
		answer, err := wait()
		if errors.Is(err, ErrOldRefused) {
			a.add(structural.Finding{
				ID: IDOldRefused, Severity: structural.SeverityWarning, Message: err.Error(), Hint: "this one is validated as if it were created",
			}, a.Node.Pos)
			answer, err = a.Resource.ask(obj, nil)()
		}
		if err != nil {
			a.server.err = cmp.Or(a.server.err, fmt.Errorf("%s: %w", a.name, err)) // the first one is why there are no answers to the others
		}
		return answer
	}
}

// fromStorage turns an object in a namespace into what the server reads from storage.
func (r *Resource) fromStorage(obj map[string]any, namespace string) map[string]any {
	obj["apiVersion"] = r.APIVersion()
	if metadata, ok := obj["metadata"].(map[string]any); ok && namespace != "" {
		metadata["namespace"] = namespace
	}
	r.Normalize(obj, prunert.NormalizeOptions{Source: prunert.FromStorage}) // malformed metadata is dropped, not an error
	return obj
}

// take copies the answer of the server.
func (a *Judged) take(answer prunert.Answer) {
	a.Warnings = answer.Warnings
	for _, warning := range answer.Warnings {
		id := IDWarning
		if warning == a.Resource.DeprecationWarning {
			id = IDDeprecated
		}
		f := structural.Finding{ID: id, Severity: structural.SeverityWarning, Message: warning}
		about, path, body := a.named(warning)
		if f = f.WithPath(path.String(), path); body != "" {
			f = f.Saying(about, body)
		}
		a.add(f, a.find(path).pos)
	}
	a.Stored = answer.Object
	why := answer.Refusal
	if why == nil {
		return
	}
	if len(why.Errors) == 0 {
		a.refuse(IDRefused, why.Message, "")
		return
	}
	a.Refused = true
	a.errors(why.Errors)
}

// errors adds the errors of the server.
func (a *Judged) errors(errs prunert.ErrorList) {
	for _, group := range grouped(a.entries(errs)) {
		a.error(group)
	}
	if last := len(errs) - 1; last >= 0 && errs[last].RulesNotChecked() {
		a.note(errs[last].Detail)
	}
}

// note adds a note that something was not checked. Findings are sorted by place, and this one comes last.
func (a *Judged) note(message string) {
	var last yamltext.Pos
	for _, f := range a.Findings {
		if f.Line > last.Line || f.Line == last.Line && f.Column > last.Column {
			last = yamltext.Pos{Line: f.Line, Column: f.Column}
		}
	}
	a.add(structural.Finding{ID: IDNotChecked, Severity: structural.SeverityNote, Message: message}, last)
}

// grouped returns errors in groups, without the one that says that rules were not checked, and each text once: the server repeats some.
// Errors of one value are a group if the server has lost the path of one of them: that one is about alternatives, or about the type of a
// number, and the others say why. The most informative error comes first.
func grouped(errs prunert.ErrorList) []prunert.ErrorList {
	var groups []prunert.ErrorList
	seen, at := map[string]bool{}, map[string]int{}
	lost := map[string]bool{}
	for _, e := range errs {
		if isLost(e) {
			lost[fmt.Sprint(e.Path)] = true
		}
	}
	for _, e := range errs {
		text, path := e.Error(), fmt.Sprint(e.Path)
		if seen[text+path] || e.RulesNotChecked() {
			continue
		}
		seen[text+path] = true
		if i, ok := at[path]; ok && lost[path] {
			groups[i] = append(groups[i], e)
			continue
		}
		at[path] = len(groups)
		groups = append(groups, prunert.ErrorList{e})
	}
	for _, group := range groups {
		slices.SortStableFunc(group, func(a, b *prunert.Error) int {
			switch {
			case isLost(a) == isLost(b):
				return 0
			case isLost(a):
				return 1
			}
			return -1
		})
	}
	return groups
}

// isLost reports whether the text of an error lacks its place.
func isLost(e *prunert.Error) bool { return e.Field == prunert.NoField && len(e.Path) > 0 }

// error adds a group of errors as one finding.
func (a *Judged) error(group prunert.ErrorList) {
	e := group[0]
	text := e.Field
	if _, isEntry := metaMap(e.Path[:max(0, len(e.Path)-1)]); isEntry || text == prunert.NoField {
		text = e.Path.String()
	}
	f := structural.Finding{ID: idFor(e.Type), Severity: structural.SeverityError}.WithPath(text, e.Path).Saying(e.Field, e.Body())
	for _, cause := range group[1:] {
		if isLost(cause) {
			f.Causes = append(f.Causes, cause.Body())
		} else {
			f.Causes = append(f.Causes, cause.Error())
		}
	}
	p := a.find(e.Path)
	f.Hint, f.Fix = a.hint(p, e)
	f.Hint = cmp.Or(f.Hint, entryHint(e))
	if f.Hint == "" && isLost(group[len(group)-1]) {
		f.Hint = alternatives(p)
	}
	a.add(f, p.pos)
}

// refuse adds an error about the whole object.
func (a *Judged) refuse(id structural.ID, message, hint string) {
	a.Refused = true
	a.add(structural.Finding{ID: id, Severity: structural.SeverityError, Message: message, Hint: hint}, a.Node.Pos)
}

func (a *Judged) add(f structural.Finding, at yamltext.Pos) {
	f.Line, f.Column, f.CRD, f.Version, f.Object = at.Line, at.Column, a.Resource.crd, a.Resource.Version, a.name
	if a.Resource.ask != nil { // no CRD says which group it is
		f.Version = a.APIVersion
	}
	a.Findings = append(a.Findings, f)
}

// ofField returns the severity of a finding about an unknown or duplicate field.
func (a *Judged) ofField() structural.Severity {
	if a.level == Strict {
		a.Refused = true
		return structural.SeverityError
	}
	return structural.SeverityWarning
}

// unknownFields adds the fields that the server drops because the schema does not specify them.
func (a *Judged) unknownFields() { a.eachUnknown(a.unknownField) }

// isUnknown reports whether the server drops a field because the schema does not specify it.
func (a *Judged) isUnknown(e *yamltext.Entry) bool {
	if a.unknown == nil {
		a.unknown = map[yamltext.Pos]bool{}
		a.eachUnknown(func(e *yamltext.Entry, _ *structural.Schema, _ *structural.Path) { a.unknown[e.Pos] = true })
	}
	return a.unknown[e.Pos]
}

// eachUnknown calls visit with the fields that the schema does not specify, the schemas of the values that have them, and their paths.
func (a *Judged) eachUnknown(visit func(*yamltext.Entry, *structural.Schema, *structural.Path)) {
	pruned := jsonvalue.Copy(a.written)
	a.Resource.Prune(pruned)
	eachDropped(a.Node, pruned, a.Resource.schema, nil, visit)
}

// eachDropped visits the fields of n, at a path and with a schema, that are missing from what is left of it.
func eachDropped(n *yamltext.Node, left any, s *structural.Schema, path *structural.Path, visit func(*yamltext.Entry, *structural.Schema, *structural.Path)) {
	switch left := left.(type) {
	case map[string]any:
		for i := range n.Entries {
			e := &n.Entries[i]
			switch v, ok := left[e.Key]; {
			case !ok:
				visit(e, s, below(path, s, e.Key))
			case len(e.Value.Entries)+len(e.Value.List) > 0: // nothing is missing in others
				eachDropped(e.Value, v, resources.Field(s, e.Key), below(path, s, e.Key), visit)
			}
		}
	case []any:
		for i, v := range left {
			eachDropped(n.List[i], v, resources.Below(s, prunert.Step{Index: i}), path.Index(i), visit)
		}
	}
}

// below returns the path of a field of a value that has a schema.
func below(path *structural.Path, s *structural.Schema, key string) *structural.Path {
	switch {
	case s == nil:
		return path.Key(key)
	case s.XEmbeddedResource && key == "metadata":
		return path.Metadata()
	case s.Properties[key] != nil || s.AdditionalProperties == nil:
		return path.Child(key)
	}
	return path.Key(key)
}

// unknownField adds a field, which is at a path, of a value that has a schema.
func (a *Judged) unknownField(e *yamltext.Entry, s *structural.Schema, path *structural.Path) {
	if !a.server.meter.SpendMemory(path.TextSize()) {
		return
	}
	text := path.Dotted()
	hint, fix := a.Document.KeyHint(e.Pos, e.Key), structural.Fix{}
	if hint == "" {
		hint, fix = a.unknownHint(e, s)
	}
	a.add(structural.Finding{
		ID: IDUnknownField, Severity: a.ofField(), Message: `unknown field "` + text + `"`, Hint: hint, Fix: fix,
	}.Quoting(text, path.Steps()), e.Pos)
}

// duplicates adds the keys that the object has twice.
func (a *Judged) duplicates() {
	for i, d := range a.Duplicates() {
		if i == prunert.MaxDuplicates { // the server lists no more
			break
		}
		a.add(duplicate(d, a.ofField()), d.Pos)
	}
}

// duplicate returns a finding about a key that an object has twice.
func duplicate(d objects.Duplicate, severity structural.Severity) structural.Finding {
	return structural.Finding{ID: IDDuplicateField, Severity: severity, Message: d.Message(), Hint: d.Hint()}.Quoting(d.Path.Dotted(), d.Path.Steps())
}

const versionField = "resourceVersion"

// dropVersion removes the resourceVersion of an object that is created.
func (a *Judged) dropVersion(obj map[string]any) {
	metadata, _ := obj["metadata"].(map[string]any)
	if version, _ := metadata[versionField].(string); version == "" || version == "0" {
		return
	}
	delete(metadata, versionField)
	path := prunert.FieldPath("metadata", versionField)
	a.add(structural.Finding{
		ID: IDResourceVersion, Severity: structural.SeverityWarning,
		Message: "resourceVersion should not be set on objects to be created", Hint: "the rest is validated as if it were not set",
	}.WithPath(path.String(), path), a.find(path).pos)
}

// takeVersion gives an object the resourceVersion of the stored one, unless it has one.
func takeVersion(obj, old map[string]any) {
	stored, _ := old["metadata"].(map[string]any)
	metadata, ok := obj["metadata"].(map[string]any)
	if ok && metadata[versionField] == nil && stored[versionField] != nil {
		metadata[versionField] = stored[versionField]
	}
}

// RefusesUpdates returns why the server would refuse to change an annotation of the object if it were stored as written. It is nil if the
// server would accept that.
func (a *Judged) RefusesUpdates() *prunert.Refusal {
	was := a.Resource.fromStorage(a.Value(), a.namespace())
	obj := jsonvalue.Copy(was)
	metadata, ok := obj["metadata"].(map[string]any)
	if !ok {
		return nil
	}
	annotations, _ := metadata["annotations"].(map[string]any)
	if annotations = maps.Clone(annotations); annotations == nil {
		annotations = map[string]any{}
	}
	annotations["example.com/changed"] = "true"
	metadata["annotations"] = annotations
	return a.Resource.Update(obj, was, prunert.Request{FieldValidation: prunert.FieldValidationIgnore}).Refusal
}
