// Package crdjudge judges changes of CRDs by objects: which the old CRD accepts, and the new one refuses, loses or answers otherwise.
package crdjudge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

type object = map[string]any

// Side is a CRD of one version, as an API server has it.
type Side struct {
	crd      *structural.CRD
	schema   *structural.Schema
	resource prunert.Resource
}

// New returns the CRD with one version, which has the fields schema and subresources. It fails if the API server would refuse it.
func New(version object) (*Side, error) {
	v := object{"name": "v1", "served": true, "storage": true, "schema": object{"openAPIV3Schema": version["schema"]}}
	if s := version["subresources"]; s != nil {
		v["subresources"] = s
	}
	data, err := json.Marshal(object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": object{"name": "apps.example.com"},
		"spec": object{"group": "example.com", "scope": "Namespaced", "versions": []any{v},
			"names": object{"kind": "App", "plural": "apps", "singular": "app", "listKind": "AppList"}},
	})
	if err != nil {
		return nil, err
	}
	f := crdread.Load("crd.json", bytes.NewReader(data))
	for _, finding := range f.Findings {
		if finding.Severity == structural.SeverityError {
			return nil, fmt.Errorf("%s", finding.Message)
		}
	}
	return sideOf(f.CRDs[0])
}

func sideOf(crd *structural.CRD) (*Side, error) {
	all, err := dynamic.Compile(crd)
	if err != nil {
		return nil, err
	}
	return &Side{crd, structural.NewBehavior(crd, crd.Versions[0], structural.APIServer).Schema, all[0]}, nil
}

// create returns an object as it is stored, or why it is refused. A client that knows the status as a subresource updates it afterwards.
func (s *Side) create(obj object, hasStatus bool) (stored object, refused *prunert.Refusal) {
	stored = jsonvalue.Copy(obj)
	if a := s.resource.Create(stored, request("")); a.Refusal != nil {
		return nil, a.Refusal
	}
	status, ok := obj["status"]
	if !ok || !hasStatus {
		return stored, nil
	}
	read := s.read(stored) // with the default of the status, which was dropped
	if !s.resource.Status || read == nil {
		return nil, &prunert.Refusal{Message: "the server could not find the requested resource"}
	}
	update := jsonvalue.Copy(read)
	update["status"] = jsonvalue.Copy(status)
	if a := s.resource.Update(update, read, request("status")); a.Refusal != nil {
		return nil, a.Refusal
	}
	return update, nil
}

// request returns a request that is answered in the same way each time.
func request(subresource string) prunert.Request {
	return prunert.Request{Subresource: subresource, GenerateName: func(base string) string { return base + "x" }}
}

// read returns an object as the API server reads it from its storage.
func (s *Side) read(stored object) object {
	obj := jsonvalue.Copy(stored)
	if _, err := s.resource.Normalize(obj, prunert.NormalizeOptions{Source: prunert.FromStorage}); err != nil {
		return nil
	}
	return obj
}

// stuck returns why an update is refused that changes a label, or the status of which stays as it is; nil if both are accepted.
func (s *Side) stuck(read object) *prunert.Refusal {
	label := jsonvalue.Copy(read)
	metadata, _ := label["metadata"].(object)
	metadata["labels"] = object{"changed": "yes"}
	if a := s.resource.Update(label, jsonvalue.Copy(read), request("")); a.Refusal != nil {
		return a.Refusal
	}
	if !s.resource.Status {
		return nil
	}
	return s.resource.Update(jsonvalue.Copy(read), jsonvalue.Copy(read), request("status")).Refusal
}

// Shown is what objects show about a change: whom it breaks, and how.
type Shown struct {
	Level crddiff.Level
	How   string
}

// made is an object that was created.
type made struct {
	obj, stored object           // as it is requested, and as it is stored
	refused     *prunert.Refusal // instead
	stuck       bool             // updates of it are refused
}

// made returns what becomes of an object.
func (s *Side) made(obj object) *made {
	m := &made{obj: obj}
	if m.stored, m.refused = s.create(obj, s.resource.Status); m.refused == nil {
		m.stuck = s.isStuck(m.stored)
	}
	return m
}

// isStuck reports whether updates of a stored object are refused.
func (s *Side) isStuck(stored object) bool {
	read := s.read(stored)
	return read == nil || s.stuck(read) != nil
}

// Judge returns whom a change of a CRD breaks, as an object shows it.
func Judge(old, new *Side, obj object) Shown { return judge(old, new, old.made(obj), crddiff.None) }

// judge is Judge for an object that was created. It looks for what is above a level.
func judge(old, new *Side, m *made, above crddiff.Level) Shown {
	switch {
	case isOdd(old.schema, m.obj):
		return Shown{}
	case m.refused != nil && above < crddiff.Readers:
		return readerOf(old, new, m.obj, m.refused)
	case m.refused != nil:
		return Shown{}
	}
	bare, _ := common(m.stored, m.obj).(object) // stored before there were defaults
	bare["metadata"] = m.stored["metadata"]
	for i, stored := range []object{m.stored, bare} {
		switch {
		case i == 0 && m.stuck, i > 0 && (reflect.DeepEqual(stored, m.stored) || old.isStuck(stored)):
			continue // as it was before
		}
		read := new.read(stored)
		if read == nil || !Contains(read, stored) {
			return Shown{crddiff.Stored, fmt.Sprintf("loses data: %s is read as %s", jsonvalue.Text(stored), jsonvalue.Text(read))}
		}
		if refused := new.stuck(read); refused != nil {
			return Shown{crddiff.Stored, fmt.Sprintf("is stuck: %s: %v", jsonvalue.Text(stored), refused)}
		}
	}
	if above >= crddiff.Requests || len(old.resource.PruneReport(jsonvalue.Copy(m.obj))) > 0 {
		return Shown{} // what was dropped can be refused now
	}
	now, refused := new.create(m.obj, old.resource.Status)
	switch {
	case refused != nil:
		return Shown{crddiff.Requests, fmt.Sprintf("is refused: %s: %v", jsonvalue.Text(m.obj), refused)}
	case !Contains(now, m.stored):
		return Shown{crddiff.Requests, fmt.Sprintf("is answered otherwise: %s is %s", jsonvalue.Text(m.stored), jsonvalue.Text(now))}
	case nulls(now) > nulls(m.stored):
		return Shown{crddiff.Readers, fmt.Sprintf("has null: %s", jsonvalue.Text(now))}
	}
	return Shown{}
}

// StuckAt returns the fields for which updates of an object are refused that the old CRD stores and the new one reads: one update changes a
// label and some fields of the root, and with a subresource one changes these fields in the status. Fields are named as
// [crddiff.Change.Field] names those that are not in maps.
func StuckAt(old, new *Side, obj, changes object) (fields []string) {
	m := old.made(obj)
	if m.refused != nil || m.stuck {
		return nil
	}
	read := new.read(m.stored)
	for _, of := range []string{"", "status"} {
		if read == nil || of == "status" && !new.resource.Status {
			break
		}
		to := jsonvalue.Copy(read)
		maps.Copy(to, jsonvalue.Copy(changes))
		to["metadata"].(object)["labels"] = object{"changed": "yes"}
		refused := new.resource.Update(to, jsonvalue.Copy(read), request(of)).Refusal
		if refused == nil {
			continue
		}
		for _, e := range refused.Errors {
			field := ""
			for _, step := range e.Path {
				if step.Index >= 0 {
					field += "[]"
				} else {
					field += "." + step.Name
				}
			}
			fields = append(fields, strings.TrimPrefix(field, "."))
		}
	}
	return fields
}

// JudgeUpdate is Judge for an update from one object to another.
func JudgeUpdate(old, new *Side, from, to object) Shown {
	return judgeUpdate(old, new, old.made(from), to)
}

func judgeUpdate(old, new *Side, from *made, to object) Shown {
	if from.refused != nil || from.stuck || len(old.resource.PruneReport(jsonvalue.Copy(to))) > 0 || isOdd(old.schema, from.obj) || isOdd(old.schema, to) {
		return Shown{}
	}
	for _, of := range []string{"", "status"} {
		refusedBy := func(s *Side) *prunert.Refusal {
			return s.resource.Update(jsonvalue.Copy(to), s.read(from.stored), request(of)).Refusal
		}
		if of == "status" && !(old.resource.Status && new.resource.Status) || refusedBy(old) != nil {
			continue
		}
		if of == "status" && to["kind"] != from.stored["kind"] { // which the server does not look at; no client sends it
			continue
		}
		if refused := refusedBy(new); refused != nil {
			return Shown{crddiff.Requests, fmt.Sprintf("is refused: %s to %s: %v", jsonvalue.Text(from.stored), jsonvalue.Text(to), refused)}
		}
	}
	return Shown{}
}

// readerOf returns that readers can meet an object with a value of a type or format for which it was refused, or with null.
func readerOf(old, new *Side, obj object, refused *prunert.Refusal) Shown {
	isType := func(e *prunert.Error) bool {
		return e.Type == prunert.ErrorTypeTypeInvalid || e.Detail == "must be a string" // apiVersion or kind of an embedded resource
	}
	isNull := func(e *prunert.Error, in object) bool {
		return e.Type == prunert.ErrorTypeRequired && isNullAt(in, e.Path)
	}
	if !slices.ContainsFunc(refused.Errors, func(e *prunert.Error) bool { return isType(e) || isNull(e, obj) }) || isOdd(new.schema, obj) {
		return Shown{}
	}
	now, stillRefused := new.create(obj, old.resource.Status)
	if stillRefused != nil {
		return Shown{}
	}
	if i := slices.IndexFunc(refused.Errors, func(e *prunert.Error) bool { return isType(e) || isNull(e, now) }); i >= 0 {
		return Shown{crddiff.Readers, fmt.Sprintf("was refused for its type: %s: %v", jsonvalue.Text(obj), refused.Errors[i])}
	}
	return Shown{}
}

// isNullAt reports whether null is at a path.
func isNullAt(v any, path prunert.Path) bool {
	for _, step := range path {
		m, isMap := v.(object)
		l, isList := v.([]any)
		switch {
		case isMap && step.Index < 0:
			below, exists := m[step.Name]
			if v = below; !exists {
				return false
			}
		case isList && step.Index >= 0 && step.Index < len(l):
			v = l[step.Index]
		default:
			return false
		}
	}
	return v == nil
}

// common returns what two values have in common, the first one where they differ.
func common(a, b any) any {
	switch a := a.(type) {
	case object:
		out := object{}
		b, _ := b.(object)
		for k, v := range a {
			if w, ok := b[k]; ok {
				out[k] = common(v, w)
			}
		}
		return out
	case []any:
		b, _ := b.([]any)
		out := slices.Clone(a)
		for i := range min(len(a), len(b)) {
			out[i] = common(a[i], b[i])
		}
		return out
	}
	return a
}

// isOdd reports whether something is in an object that the API server accepts and nobody intends: a list for a string that has a format, or
// an integer that is written as 2.0, which CEL rules do not read.
func isOdd(s *structural.Schema, v any) bool {
	if s == nil {
		return false
	}
	switch v := v.(type) {
	case object:
		for k, e := range v {
			below := s.Properties[k]
			if below == nil && s.AdditionalProperties != nil {
				below = s.AdditionalProperties.Schema
			}
			if isOdd(below, e) {
				return true
			}
		}
	case float64:
		return s.Type == "integer" || s.XIntOrString
	case []any:
		return s.Type == "string" || slices.ContainsFunc(v, func(e any) bool { return isOdd(s.Items, e) })
	}
	return false
}

// nulls returns how many nulls are in a value.
func nulls(v any) (n int) {
	switch v := v.(type) {
	case nil:
		return 1
	case object:
		for _, e := range v {
			n += nulls(e)
		}
	case []any:
		for _, e := range v {
			n += nulls(e)
		}
	}
	return n
}

// Contains reports whether one value is another with more in it: that is what a new default does, and a field that is new.
func Contains(a, b any) bool {
	switch b := b.(type) {
	case object:
		m, ok := a.(object)
		for k, v := range b {
			if ok {
				below, exists := m[k]
				ok = exists && Contains(below, v)
			}
		}
		return ok
	case []any:
		l, ok := a.([]any)
		ok = ok && len(l) == len(b)
		for i := range b {
			ok = ok && Contains(l[i], b[i])
		}
		return ok
	}
	return reflect.DeepEqual(a, b)
}

// Said returns whom a change of a CRD is said to break, and the changes.
func Said(t testing.TB, old, new *Side) (level crddiff.Level, changes []crddiff.Change) {
	t.Helper()
	changes, err := crddiff.Compare(old.crd, new.crd)
	if err != nil {
		t.Error(err)
	}
	for _, c := range changes {
		level = max(level, c.Level)
	}
	return level, changes
}

// Named returns an object with the names that its CRD wants.
func Named(obj object) object {
	obj["apiVersion"], obj["kind"] = "example.com/v1", "App"
	metadata, ok := obj["metadata"].(object)
	if !ok {
		metadata = object{}
		obj["metadata"] = metadata
	}
	if metadata["name"] == nil {
		metadata["name"] = "a"
	}
	return obj
}
