package suite

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/unified"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Run is a case with a variant of its CRD.
type Run struct {
	Suite   *Suite
	Case    *Case
	Variant *Variant
	// Failures say where the API server differs from what the case expects, nil if it does not.
	Failures []Failure
	// Stored is the object that is stored in the end, nil if the last request was refused.
	Stored map[string]any
	// Refusal is the text with which the last request was refused.
	Refusal string
	// Warnings are those of the last request.
	Warnings []string

	refusal *prunert.Refusal
	status  bool // the last request was one for the status
	patched bool // the next request is one with a patched CRD
	observe func(Request)
}

// Failure is a difference between what the API server does and what a case expects.
type Failure struct {
	Line    int // of the file of the suite
	Message string
	// Hint is what to do about it, empty if nothing is known.
	Hint string
	// Diff is how the stored object differs from what is expected, in the form that patch reads. It is empty if
	// something else is wrong.
	Diff string
}

// Request is a request of a case with its answer.
type Request struct {
	*Run
	// Patched says that the CRD was not that of the variant: see Case.Patches.
	Patched   bool
	Resource  prunert.Resource
	Sent, Old map[string]any
	prunert.Request
	prunert.Answer
}

// Runs returns all cases of a suite with all variants that they are for. A suite for which there are none has one run for each case,
// which fails.
func (vs *Variants) Runs(s *Suite) []*Run {
	var runs []*Run
	if s.CRDName == "" {
		for _, c := range s.Cases {
			runs = append(runs, vs.manifest(s, c)...)
		}
		return runs
	}
	variants, err := vs.of(s)
	for _, v := range variants {
		for _, c := range s.Cases {
			runs = append(runs, &Run{Suite: s, Case: c, Variant: v})
		}
	}
	if err != nil {
		for _, c := range s.Cases {
			r := &Run{Suite: s, Case: c}
			r.fail(c.Line, "%v", err)
			runs = append(runs, r)
		}
	}
	return runs
}

// manifest returns the runs of an object of a manifest, by its kind.
func (vs *Variants) manifest(s *Suite, c *Case) []*Run {
	var runs []*Run
	o := c.last()
	for _, v := range vs.All {
		if v.is(o.apiVersion, o.kind) {
			runs = append(runs, &Run{Suite: s, Case: c, Variant: v})
		}
	}
	if runs == nil {
		r := &Run{Suite: s, Case: c}
		var kinds []string
		for _, v := range vs.All {
			kinds = append(kinds, v.CRD.Names.Kind)
		}
		slices.Sort(kinds)
		only := ""
		if len(kinds) > 0 {
			only = ", only for " + yamltext.ListSome(slices.Compact(kinds), 12, func(kind string) string { return kind })
		}
		r.fail(c.Line, "there is no CRD for kind %q in version %q%s", o.kind, o.apiVersion, only)
		runs = append(runs, r)
	}
	return runs
}

// last returns the object of the last request.
func (c *Case) last() *Object {
	if c.Updated != nil {
		return c.Updated
	}
	return c.Initial
}

func (r *Run) fail(line int, format string, args ...any) {
	r.Failures = append(r.Failures, Failure{Line: line, Message: fmt.Sprintf(format, args...)})
}

// Do runs the case. If observe is not nil, it is called with each request.
func (r *Run) Do(observe func(Request)) {
	if r.Failures != nil {
		return // there is no variant
	}
	r.observe = observe
	old, ok := r.create()
	if !ok {
		return
	}
	if r.Case.Updated != nil {
		r.update(old)
	} else {
		r.Stored = old
	}
	r.compare()
}

// create creates the initial object, and returns it as it is stored. It reports false if the case ends with that.
func (r *Run) create() (map[string]any, bool) {
	c, variant := r.Case, r.Variant
	if c.Patches != nil {
		patched, err := variant.with(c.Patches)
		if err != nil {
			r.fail(c.fields["initialCRDPatches"].Line, "%v", err)
			return nil, false
		}
		variant, r.patched = patched, true
	}
	resource, err := variant.resource(c.Initial, r.Suite.Version)
	if err != nil {
		r.fail(c.Initial.Line, "%v", err)
		return nil, false
	}
	obj := c.object(c.Initial, nil)
	status, hasStatus := obj["status"]
	status = jsonvalue.Copy(status)
	a := r.request(resource, c.Initial, obj, nil, "")
	if c.Updated == nil {
		return a.Object, r.last(a, false)
	}
	if a.Refusal != nil {
		r.fail(c.Initial.Line, "the initial object is refused: %s", a.Refusal.Message)
		return nil, false
	}
	old := r.read(variant, resource, a.Object)
	if hasStatus && status != nil && resource.Status {
		obj := jsonvalue.Copy(old)
		obj["status"] = status
		if a = r.request(resource, nil, obj, old, "status"); a.Refusal != nil {
			r.fail(c.Initial.Line, "the status of the initial object is refused: %s", a.Refusal.Message)
			return nil, false
		}
		old = r.read(variant, resource, a.Object)
	}
	if c.Patches == nil {
		return old, true
	}
	// The object must be one that can still be written with the CRD as it is.
	r.patched = false
	if resource, err = r.Variant.resource(c.Initial, r.Suite.Version); err != nil {
		r.fail(c.Initial.Line, "%v", err)
		return nil, false
	}
	old = r.read(r.Variant, resource, old)
	if a = r.request(resource, nil, jsonvalue.Copy(old), old, ""); a.Refusal != nil {
		r.fail(c.Initial.Line, "the initial object is refused without the patches: %s", a.Refusal.Message)
		return nil, false
	}
	return a.Object, true
}

// update updates the object and its status.
func (r *Run) update(old map[string]any) {
	c := r.Case
	resource, err := r.Variant.resource(c.Updated, r.Suite.Version)
	if err != nil {
		r.fail(c.Updated.Line, "%v", err)
		return
	}
	old = r.read(r.Variant, resource, old)
	obj := c.object(c.Updated, old)
	status, hasStatus := obj["status"]
	status = jsonvalue.Copy(status)
	a := r.request(resource, c.Updated, obj, old, "")
	writes := resource.Status && hasStatus && status != nil
	if r.Stored = a.Object; !r.last(a, writes) || !writes {
		return
	}
	old = r.read(r.Variant, resource, a.Object)
	obj = jsonvalue.Copy(old)
	obj["status"] = status
	a = r.request(resource, nil, obj, old, "status")
	r.Stored, r.status = a.Object, true
	r.last(a, false)
}

// request sends a request. Without an object of a manifest, obj is sent.
func (r *Run) request(resource prunert.Resource, o *Object, obj, old map[string]any, subresource string) prunert.Answer {
	req := prunert.Request{
		Subresource: subresource, FieldValidation: r.Case.FieldValidation,
		GenerateName: objects.GeneratedName, // one object exists at a time
	}
	var sent map[string]any
	if r.observe != nil {
		sent = jsonvalue.Copy(obj)
	}
	var a prunert.Answer
	switch {
	case o != nil && o.json != nil && old == nil:
		a = resource.CreateJSON(o.json, req)
	case o != nil && o.json != nil:
		a = resource.UpdateJSON(o.json, old, req)
	case old == nil:
		a = resource.Create(obj, req)
	default:
		a = resource.Update(obj, old, req)
	}
	if r.observe != nil {
		r.observe(Request{Run: r, Patched: r.patched, Resource: resource, Sent: sent, Old: old, Request: req, Answer: a})
	}
	return a
}

// last compares the answer to the last request, or to the one before an update of the status. It reports whether to go on.
func (r *Run) last(a prunert.Answer, more bool) bool {
	c := r.Case
	r.Warnings = a.Warnings
	if a.Refusal != nil {
		r.Refusal, r.refusal = a.Refusal.Message, a.Refusal
		r.refused(a.Refusal.Errors)
		return false
	}
	if !more && c.ExpectedWarnings != nil && !slices.Equal(c.ExpectedWarnings, a.Warnings) {
		r.fail(c.line("expectedWarnings"), "the warnings are %q\nwant %q", a.Warnings, c.ExpectedWarnings)
	}
	return true
}

// refused compares the text of a refusal with the expected one.
func (r *Run) refused(errs prunert.ErrorList) {
	c := r.Case
	want, field := c.ExpectedError, "expectedError"
	if r.status {
		want, field = c.ExpectedStatusError, "expectedStatusError"
	}
	line, hint := r.place(errs)
	switch {
	case want == "":
		r.fail(line, "refused: %s", r.Refusal)
	case !strings.Contains(r.Refusal, want):
		r.fail(c.line(field), "refused: %s\nwant: %s", r.Refusal, want)
	default:
		return
	}
	r.Failures[len(r.Failures)-1].Hint = hint
}

// place returns the line of the first error, or of the object, and a hint about the error.
func (r *Run) place(errs prunert.ErrorList) (line int, hint string) {
	o := r.Case.last()
	if len(errs) == 0 || o.node == nil {
		return o.Line, ""
	}
	schema := r.Variant.schema(o)
	n, at, whole := yamltext.NewFinder(o.node).Follow(errs[0].Path, func(s prunert.Step) { schema = resources.Below(schema, s) })
	if whole && errs[0].Type == prunert.ErrorTypeTypeInvalid && schema != nil && schema.Type == "string" {
		if hint = n.QuoteHint(); hint != "" {
			hint = errs[0].Path.String() + ": " + hint // a refusal can have many errors
		}
	}
	return at.Line - o.node.Pos.Line + o.Line, hint
}

// line returns the line of a field of the case.
func (c *Case) line(field string) int {
	if at, ok := c.fields[field]; ok {
		return at.Line
	}
	return c.Line
}

// compare compares the object that is stored in the end.
func (r *Run) compare() {
	c := r.Case
	if r.Stored == nil || r.Failures != nil {
		return
	}
	if resource, err := r.Variant.resource(c.Initial, r.Suite.Version); err == nil {
		r.Stored = r.read(r.Variant, resource, r.Stored)
	}
	switch {
	case c.ExpectedError != "":
		r.fail(c.line("expectedError"), "accepted\nwant a refusal: %s", c.ExpectedError)
	case c.ExpectedStatusError != "":
		r.fail(c.line("expectedStatusError"), "accepted\nwant a refusal of the status: %s", c.ExpectedStatusError)
	case c.Expected == nil && !c.isManifest:
		r.fail(c.Line, "accepted, and the case expects nothing: it needs expected or expectedError")
	case c.Expected != nil:
		if diff := r.difference(); diff != "" {
			r.Failures = append(r.Failures, Failure{Line: c.line("expected"), Message: "the stored object is another", Diff: diff})
		}
	}
}

// difference returns how the stored object differs from the expected one, "" if it does not.
func (r *Run) difference() string {
	got, want := shown(r.Stored), shown(r.Case.Expected.value())
	for _, field := range []string{"name", "namespace"} {
		if v, ok := metadata(got)[field]; ok {
			metadata(want)[field] = v
		} else {
			delete(metadata(want), field)
		}
	}
	if reflect.DeepEqual(got, want) {
		return ""
	}
	return Diff(want, got)
}

// object returns an object of the case as it is sent.
func (c *Case) object(o *Object, old map[string]any) map[string]any {
	obj := o.value()
	if c.isManifest {
		return obj
	}
	m := metadata(obj)
	if old != nil {
		for _, field := range []string{"name", "namespace", "resourceVersion"} {
			if v, ok := metadata(old)[field]; ok {
				m[field] = v
			}
		}
		return obj
	}
	if _, named := m["name"]; !named {
		m["generateName"] = "test-"
	}
	m["namespace"] = "default"
	if c.Namespace != "" {
		m["namespace"] = c.Namespace
	}
	return obj
}

// metadata returns the metadata of an object, which may be new.
func metadata(obj map[string]any) map[string]any {
	m, ok := obj["metadata"].(map[string]any)
	if !ok {
		m = map[string]any{}
		obj["metadata"] = m
	}
	return m
}

// read returns an object that was written as a server reads it. If another version is stored, it is converted to that and back.
func (r *Run) read(v *Variant, resource prunert.Resource, obj map[string]any) map[string]any {
	obj = jsonvalue.Copy(obj)
	stored := resource
	if r.Suite.Version == "" {
		stored = v.stored(resource)
	}
	convert := func(to prunert.Resource) {
		if obj["apiVersion"] != to.APIVersion() {
			obj["apiVersion"] = to.APIVersion()
			resources.Coerce(to, obj)
		}
	}
	convert(stored)
	stored.Normalize(obj, prunert.NormalizeOptions{Source: prunert.FromStorage})
	convert(resource)
	return obj
}

// serverFields are the fields of metadata that the server sets.
var serverFields = []string{
	"uid", "generation", "creationTimestamp", "resourceVersion", "managedFields", "deletionGracePeriodSeconds", "deletionTimestamp", "selfLink", "generateName",
}

// shown returns an object without what the server sets in its metadata.
func shown(obj map[string]any) map[string]any {
	obj = maps.Clone(obj)
	m := maps.Clone(metadata(obj))
	obj["metadata"] = m
	for _, field := range serverFields {
		delete(m, field)
	}
	return obj
}

// Diff returns how one object differs from another, as YAML in the form that patch reads.
func Diff(want, got map[string]any) string {
	text := func(obj map[string]any) []byte {
		data, _ := yaml.Marshal(obj)
		return data
	}
	return unified.Diff("expected", "stored", text(want), text(got))
}

// Finding returns a failure as a finding.
func (r *Run) Finding(f Failure) structural.Finding {
	message := f.Message
	if f.Diff != "" {
		message += "\n" + strings.TrimSuffix(f.Diff, "\n")
	}
	crd, version := r.Suite.CRDName, r.Suite.Version
	if r.Variant != nil {
		crd = r.Variant.Name
	}
	return structural.Finding{ID: IDFailed, File: r.Suite.File, Line: f.Line, Column: 1, CRD: crd, Version: version, Object: r.Case.Name,
		Severity: structural.SeverityError, Message: message, Hint: f.Hint}
}
