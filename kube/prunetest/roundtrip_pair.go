package prunetest

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	goruntime "runtime"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// pair is a version whose objects are converted to another and back.
type pair struct {
	from, to *kindVersion
	convert  kube.Converter
	types    *typeDecoder // nil if the converter does not decode
}

func (p *pair) String() string {
	return fmt.Sprintf("%s %s to %s", p.from.resource.Kind, p.from.resource.Version, p.to.resource.Version)
}

// finding is what is wrong with the conversion of an object.
type finding struct {
	findingKey
	number int // of the object
	object map[string]any
}

// findingKey has what is the same for all objects with a finding.
type findingKey struct{ path, kind string }

// findings has a text for each finding.
type findings map[findingKey]string

// objectValues is what differs from object to object in the text of an error.
var objectValues = regexp.MustCompile(`"[^"]*"|'[^']*'|\d+`)

func (f findings) failure(path, format string, err error) {
	text := fmt.Sprintf(format, err)
	f[findingKey{path, objectValues.ReplaceAllString(text, "")}] = text
}

// try converts an object to the other version and back. An object that is not valid has no findings.
func (p *pair) try(obj map[string]any) findings {
	x := p.from.accepted(obj)
	if x == nil {
		return nil
	}
	found := findings{}
	kept := x
	if p.types != nil {
		var err error
		if kept, err = p.types.keep(x); ofQuantity(err) {
			return nil
		} else if err != nil {
			found[findingKey{"", "undecodable"}] = fmt.Sprintf("the Go type of %s cannot be decoded: %v", p.from.resource.Version, err)
			return found
		}
	}
	y := p.step(x, p.to, found)
	if y == nil {
		return found
	}
	// Defaults are filled in when the object is read from storage, or when a client writes it.
	if _, err := p.to.resource.Normalize(y, prunert.NormalizeOptions{}); err != nil {
		found.failure("", "the API server cannot read what is converted to "+p.to.resource.Version+": %v", err)
		return found
	}
	was := p.from.refused(kept)
	for path, why := range p.to.refused(y) {
		if _, ok := was[path]; !ok { // else the Go type alone is the reason
			found[findingKey{path, "refused"}] = p.to.resource.Version + " refuses it: " + why
		}
	}
	z := p.step(y, p.from, found)
	if z == nil {
		return found
	}
	if !p.to.stored { // then this version was stored, and is read from there
		p.from.resource.Default(z)
	}
	differences(p.from.schema.Resource(), x, kept, z, "", func(path string, x, z any) {
		what := fmt.Sprintf("changed from %s to %s", shortText(x), shortText(z))
		switch {
		case z == nil:
			what = "lost: " + shortText(x)
		case x == nil:
			what = "added: " + shortText(z)
		}
		found[findingKey{path, "differs"}] = what
	})
	return found
}

// refused returns why an object is refused, by path.
func (v *kindVersion) refused(obj map[string]any) map[string]string {
	refusal := v.refusal(obj)
	if refusal == nil {
		return nil
	}
	if len(refusal.Errors) == 0 {
		return map[string]string{"": refusal.Message}
	}
	all := map[string]string{}
	for _, e := range refusal.Errors {
		if !e.RulesNotChecked() {
			all[pathText(v.schema, e.Path)] = e.Error()
		}
	}
	return all
}

// keep returns what the Go type of an object keeps of it and adds to it, if a client and a webhook decode it one after the other: an object with an empty
// list may become an empty object, and then none.
func (d *typeDecoder) keep(obj map[string]any) (map[string]any, error) {
	for range 2 {
		typed, err := d.decode(obj)
		if err != nil {
			return nil, err
		}
		if obj, err = throughJSON(typed); err != nil {
			return nil, err
		}
	}
	return obj, nil
}

// step converts an object to a version as the API server does, which prunes it. It returns nil if the conversion fails.
func (p *pair) step(obj map[string]any, to *kindVersion, found findings) map[string]any {
	out, err := p.call(jsonvalue.Copy(obj), to.resource.APIVersion())
	if err != nil {
		found.failure("", "conversion to "+to.resource.Version+" fails: %v", err)
		return nil
	}
	if path, err := restoreMetadata(obj, out, to.resource); err != nil {
		found.failure(path, "the API server refuses what is converted to "+to.resource.Version+": %v", err)
		return nil
	}
	before := jsonvalue.Copy(out)
	to.resource.Prune(out)
	differences(to.schema.Resource(), before, before, out, "", func(path string, _, _ any) {
		found[findingKey{path, "pruned"}] = to.resource.Version + " does not have it: it is pruned"
	})
	return out
}

// call calls the converter. A panic is an error, with its place.
func (p *pair) call(obj map[string]any, apiVersion string) (out map[string]any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic%s: %v", panicPlace(), r)
		}
	}()
	out, err = p.convert(obj, apiVersion)
	if err == nil && out == nil {
		err = errors.New("there is no object")
	}
	if err != nil {
		return nil, err
	}
	return throughJSON(out)
}

// panicPlace returns which function has panicked.
func panicPlace() string {
	callers := make([]uintptr, 50)
	frames := goruntime.CallersFrames(callers[:goruntime.Callers(3, callers)])
	for more := true; more; {
		var frame goruntime.Frame
		if frame, more = frames.Next(); !strings.HasPrefix(frame.Function, "runtime.") {
			return fmt.Sprintf(" in %s, line %d", frame.Function, frame.Line)
		}
	}
	return ""
}

// restoreMetadata does what the API server does with the metadata of a converted object: only labels and annotations may differ, and others are as
// before. For an object that the API server refuses, it returns the path and an error.
func restoreMetadata(in, out map[string]any, to prunert.Resource) (path string, err error) {
	was, is := &unstructured.Unstructured{Object: in}, &unstructured.Unstructured{Object: out}
	for _, field := range []struct{ path, want, have string }{
		{"apiVersion", to.APIVersion(), is.GetAPIVersion()},
		{"kind", was.GetKind(), is.GetKind()},
		{"metadata.name", was.GetName(), is.GetName()},
		{"metadata.namespace", was.GetNamespace(), is.GetNamespace()},
		{"metadata.uid", string(was.GetUID()), string(is.GetUID())},
	} {
		if field.want != field.have {
			return field.path, fmt.Errorf("must be %q, is %q", field.want, field.have)
		}
	}
	restored, converted := jsonvalue.Copy(in["metadata"].(map[string]any)), out["metadata"].(map[string]any)
	for _, k := range []string{"labels", "annotations"} {
		if restored[k] = converted[k]; restored[k] == nil {
			delete(restored, k)
		}
	}
	out["metadata"] = restored
	for _, e := range to.ValidateMetadata(out, nil) {
		if len(e.Path) > 1 && e.Path[0].Name == "metadata" && (e.Path[1].Name == "labels" || e.Path[1].Name == "annotations") {
			return "metadata." + e.Path[1].Name, e
		}
	}
	return "", nil
}

// differences calls report where z is neither as x nor as kept, what the Go type keeps of x and adds to it. That a Go type lacks a field is a difference as
// well, but not that it omits an empty value. A list or map without elements is as good as none, and so is null. A value that no schema describes is
// compared as a whole.
func differences(s *structural.Schema, x, kept, z any, path string, report func(path string, x, z any)) {
	if reflect.DeepEqual(x, z) || isNone(s, x) && isNone(s, z) {
		return
	}
	keptMap, _ := kept.(map[string]any)
	switch {
	case x != nil || s == nil:
	case keptMap != nil || s.AdditionalProperties != nil:
		x = map[string]any{}
	default:
		x = s.Default // x has all others: this is in an object that the Go type adds
	}
	xMap, _ := x.(map[string]any)
	zMap, _ := z.(map[string]any)
	xList, _ := x.([]any)
	zList, _ := z.([]any)
	switch {
	case xMap != nil && zMap != nil && s != nil && (s.XEmbeddedResource || len(s.Properties) > 0 || s.AdditionalProperties != nil):
		keys := maps.Clone(xMap)
		maps.Copy(keys, zMap)
		for _, k := range slices.Sorted(maps.Keys(keys)) {
			step := stepText(s, k)
			if xMap[k] == nil && strings.HasPrefix(path, "metadata.") {
				step = "[" + k + "]" // a label or annotation that the converter adds
			}
			differences(resources.Field(s, k), xMap[k], keptMap[k], zMap[k], strings.TrimPrefix(path+step, "."), report)
		}
	case len(xList) > 0 && len(xList) == len(zList) && s != nil && s.Items != nil:
		keptList, _ := kept.([]any)
		zList = inOrder(s, xList, zList)
		for i := range xList {
			var keptElement any
			if i < len(keptList) {
				keptElement = keptList[i]
			}
			differences(s.Items, xList[i], keptElement, zList[i], path+"[]", report)
		}
	case reflect.DeepEqual(x, z) || reflect.DeepEqual(kept, z) && (z != nil || isEmpty(x)):
	default:
		report(path, x, z)
	}
}

// inOrder returns the elements of z in the order of those of x with the same keys, if both are list maps with the same keys.
func inOrder(s *structural.Schema, x, z []any) []any {
	keys := func(e any) (values []any) {
		fields, _ := e.(map[string]any)
		for _, k := range s.XListMapKeys {
			values = append(values, fields[k])
		}
		return values
	}
	ordered := make([]any, len(x))
	for i, e := range x {
		at := slices.IndexFunc(z, func(other any) bool { return reflect.DeepEqual(keys(e), keys(other)) })
		if at < 0 || len(s.XListMapKeys) == 0 {
			return z
		}
		ordered[i] = z[at]
	}
	return ordered
}

// isNone reports whether a value is absent, or a list or map without elements.
func isNone(s *structural.Schema, v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0 && s != nil && s.AdditionalProperties != nil
	}
	return v == nil
}

// stepText returns the step to a key as paths have it.
func stepText(s *structural.Schema, k string) string {
	if s.Properties[k] == nil && s.AdditionalProperties != nil {
		return "[*]"
	}
	return "." + k
}

// pathText returns a path as differences reports it.
func pathText(s *structural.Schema, path prunert.Path) string {
	s = s.Resource()
	text := ""
	for _, step := range path {
		switch {
		case s == nil:
			return text // what is below is arbitrary
		case step.Index >= 0:
			text += "[]"
		default:
			text += stepText(s, step.Name)
		}
		s = resources.Below(s, step)
	}
	return strings.TrimPrefix(text, ".")
}

// isEmpty reports whether a value is the zero value of its Go type, or has nothing else in it.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if !isEmpty(e) {
				return false
			}
		}
		return true
	case []any:
		return len(v) == 0
	}
	return v == nil || reflect.ValueOf(v).IsZero()
}

// shortText returns the beginning of a value as JSON.
func shortText(v any) string {
	const most = 200
	text := []rune(jsonvalue.Text(v))
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}
