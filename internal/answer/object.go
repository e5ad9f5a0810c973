package answer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// MaxRequest is how many bytes a request to the API server can have.
const MaxRequest = 3 << 20

// Answer is the answer of the server about an object.
type Answer struct {
	// Object is what would be stored, nil where the object is refused.
	Object map[string]any
	// Findings are the warnings and errors of the server, without the name of the file.
	Findings []structural.Finding
	// Refused reports whether the server refuses the object.
	Refused bool
}

// Options say what becomes of some findings.
type Options struct {
	// Strict makes unknown and duplicate fields errors, as field validation of the level Strict does. The server refuses such an
	// object without looking further; here it is validated all the same.
	Strict bool
}

// Ask returns the answer to a request that creates the object, or updates the one that is stored. The object is one of r.
//
// What a server has printed is validated as if a client had written it: the resourceVersion, with which no object can be
// created, is left out with a warning. In an update, the object has the resourceVersion of the stored one, unless it says another, as
// kubectl replace does it. An update goes from the version in which the object was stored to the one that it has now by
// apiVersion alone, as without a conversion webhook.
func (s *Server) Ask(r *Resource, o manifest.Object, opts Options) Answer {
	q := &question{Resource: r, server: s, object: o, name: o.String(), nodes: structural.NewFinder(o.Node), opts: opts}
	if q.beyondLimits() {
		return q.answer
	}
	data, ok := o.JSON(MaxRequest)
	if !ok {
		q.refuse(RuleTooLarge, nil, fmt.Sprintf("Request entity too large: limit is %d", MaxRequest), "")
		return q.answer
	}
	q.unknownFields(data)
	q.duplicates()
	s.ask(q, data)
	q.beyondLimits()
	return q.answer
}

// beyondLimits reports whether the server has reached a limit, and adds an error that says so. It is not an answer of the server.
func (q *question) beyondLimits() bool {
	limit := q.server.answers.Exceeded()
	if limit != "" {
		q.refuse(structural.Rule(yamltext.RuleTooLarge), nil, limit, yamltext.SplitHint)
	}
	return limit != ""
}

// ask asks for a question about an object, which is data.
func (s *Server) ask(q *question, data []byte) {
	r, o := q.Resource, q.object
	req := prunert.Request{FieldValidation: prunert.FieldValidationIgnore, GenerateName: generatedName}
	if key, ok := s.key(o); ok {
		if old, ok := s.stored[key]; ok {
			if s.again -= old.Node.Size(); s.again < 0 {
				q.refuse(structural.Rule(yamltext.RuleTooLarge), nil, fmt.Sprintf("not compared with the stored object: the stored objects of this run exceed the limit of %d values, counted for each update", maxReadAgain), yamltext.SplitHint)
				return
			}
			was := r.fromStorage(old, key.namespace)
			q.take(r.UpdateJSON(q.withVersion(data, was), was, req))
			return
		}
	}
	q.take(r.CreateJSON(q.withoutVersion(data), req))
}

// generatedName returns a name that begins with base. It has the length of those that the API server makes, and is always the same.
func generatedName(base string) string {
	const suffix, most = "xxxxx", 63
	return base[:min(len(base), most-len(suffix))] + suffix
}

// question is the work on one object.
type question struct {
	*Resource
	server *Server
	object manifest.Object
	name   string             // of the object, in findings
	nodes  *structural.Finder // in the object
	opts   Options
	answer Answer
	faults prunert.ErrorList // of metadata, for which the object is refused before it is validated
}

// fromStorage returns an object in a namespace as the server reads it from storage.
func (r *Resource) fromStorage(old manifest.Object, namespace string) map[string]any {
	data, ok := old.JSON(yamltext.MaxSize)
	if !ok {
		return nil
	}
	obj := decode(data)
	obj["apiVersion"] = r.APIVersion()
	if metadata, ok := obj["metadata"].(map[string]any); ok && namespace != "" {
		metadata["namespace"] = namespace
	}
	r.Normalize(obj, prunert.NormalizeOptions{Source: prunert.FromStorage}) // malformed metadata is dropped, not an error
	return obj
}

// take takes over what the server answers.
func (q *question) take(a prunert.Answer) {
	for _, warning := range a.Warnings {
		q.add(RuleWarning, structural.SeverityWarning, q.object.Node.Pos, "", warning, "")
	}
	q.answer.Object = a.Object
	if a.Refusal == nil {
		return
	}
	if len(a.Refusal.Causes) == 0 {
		var at *structural.Path
		if len(q.faults) > 0 {
			at = structural.ParsePath(q.faults[0].Field)
		}
		q.refuse(RuleRefused, at, a.Refusal.Message, "")
		return
	}
	q.answer.Refused = true
	seen := map[prunert.Cause]bool{}
	for _, c := range a.Refusal.Causes {
		if seen[c] { // the server names some causes twice in its answer, and kubectl once
			continue
		}
		seen[c] = true
		at := structural.ParsePath(c.Field)
		path := c.Field
		if at == nil {
			at, path = q.quoted(c.Message), ""
		}
		pos, hint := q.locate(at, prunert.ErrorType(c.Reason))
		q.add(ruleFor(c.Reason), structural.SeverityError, pos, path, c.Field+": "+c.Message, hint)
	}
}

// quoted returns the path in quotes in a message, if the object has it. Errors about alternatives name no field, but say
// "spec.target" must validate one and only one schema (oneOf).
func (q *question) quoted(message string) *structural.Path {
	for i, part := range strings.Split(message, `"`) {
		if i%2 == 0 || part == "" {
			continue
		}
		at := structural.ParsePath(part)
		if _, _, whole := q.nodes.Find(at); whole {
			return at
		}
	}
	return nil
}

// refuse adds an error about a path.
func (q *question) refuse(rule structural.Rule, at *structural.Path, message, hint string) {
	q.answer.Refused = true
	_, pos, _ := q.nodes.Find(at)
	path := ""
	if at != nil {
		path = at.String()
	}
	q.add(rule, structural.SeverityError, pos, path, message, hint)
}

func (q *question) add(rule structural.Rule, severity structural.Severity, at yamltext.Pos, path, message, hint string) {
	q.answer.Findings = append(q.answer.Findings, structural.Finding{
		Rule: rule, Line: at.Line, Column: at.Column, CRD: q.CRD.Name, Version: q.Version, Object: q.name,
		Severity: severity, Path: path, Message: message, Hint: hint,
	})
}

// ofField returns the severity of a finding about an unknown or duplicate field.
func (q *question) ofField() structural.Severity {
	if q.opts.Strict {
		q.answer.Refused = true
		return structural.SeverityError
	}
	return structural.SeverityWarning
}

// unknownFields adds the fields that the server drops. Of these the answer has the texts, and this their places.
func (q *question) unknownFields(data []byte) {
	unknown, err := q.Normalize(decode(data), prunert.NormalizeOptions{ReportUnknown: true})
	var several interface{ Unwrap() []error }
	if errors.As(err, &several) {
		for _, err := range several.Unwrap() {
			var fault *prunert.Error
			if errors.As(err, &fault) {
				q.faults = append(q.faults, fault)
			}
		}
	}
	for _, path := range unknown {
		pos, hint := q.locateUnknown(structural.ParsePath(path))
		q.add(RuleUnknownField, q.ofField(), pos, path, `unknown field "`+path+`"`, hint)
	}
}

// duplicates adds the keys that the object has twice.
func (q *question) duplicates() {
	for i, d := range q.object.Duplicates() {
		if i == prunert.MaxDuplicates { // the server lists no more
			break
		}
		path := d.Path.Dotted()
		q.add(RuleDuplicateField, q.ofField(), d.Pos, path, "duplicate field "+strconv.Quote(path),
			fmt.Sprintf("it is set on line %d already, and the last one counts", d.First.Line))
	}
}

const versionField = "resourceVersion"

// withoutVersion returns the object without a resourceVersion.
func (q *question) withoutVersion(data []byte) []byte {
	at := structural.NewPath("metadata", versionField)
	version, pos, whole := q.nodes.Find(at)
	if !whole || version.Str() == "" || version.Str() == "0" {
		return data
	}
	obj := decode(data)
	metadata, _ := obj["metadata"].(map[string]any)
	delete(metadata, versionField)
	q.add(RuleResourceVersion, structural.SeverityWarning, pos, at.String(),
		"resourceVersion should not be set on objects to be created", "the rest is validated as if it were not set")
	return encode(obj)
}

// withVersion returns the object with the resourceVersion of the stored one, unless it has one.
func (q *question) withVersion(data []byte, old map[string]any) []byte {
	stored, _ := old["metadata"].(map[string]any)
	obj := decode(data)
	metadata, ok := obj["metadata"].(map[string]any)
	if !ok || metadata[versionField] != nil || stored[versionField] == nil {
		return data
	}
	metadata[versionField] = stored[versionField]
	return encode(obj)
}

// decode returns the object in data, which manifest.Object.JSON has written, in the form that decoders of Kubernetes return.
func decode(data []byte) map[string]any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var obj map[string]any
	if err := d.Decode(&obj); err != nil {
		panic(fmt.Sprintf("answer: JSON that was just written: %v", err))
	}
	return numbers(obj).(map[string]any)
}

// numbers replaces the numbers in a value by int64 and float64.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = numbers(e)
		}
	case []any:
		for i, e := range v {
			v[i] = numbers(e)
		}
	case json.Number:
		if !strings.ContainsAny(v.String(), ".eE") {
			if i, err := v.Int64(); err == nil {
				return i
			}
		}
		f, _ := v.Float64() // it was one before it was written
		return f
	}
	return v
}

func encode(obj map[string]any) []byte {
	data, err := json.Marshal(obj)
	if err != nil {
		panic(fmt.Sprintf("answer: an object that was just decoded: %v", err))
	}
	return data
}
