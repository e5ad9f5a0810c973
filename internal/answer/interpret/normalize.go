package interpret

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/crd/pruning"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Normalize does to obj, the root of a resource, what the API server does before it validates it, with the steps in the same order: read
// apiVersion, kind and metadata, prune, drop nulls, coerce embedded metadata, put what was read back, fill in defaults. It returns the
// paths of unknown fields, if opts asks for them: those in the metadata of the object, then those that s does not specify, then those in
// embedded metadata.
//
// The error joins a *prunert.Error for each fault of metadata. obj is then normalized except for what the errors name.
//
// PruneDefaults has returned the schema.
func (w *Work) Normalize(obj map[string]any, s *structural.Schema, how PruneOptions, opts prunert.NormalizeOptions) (unknown []string, err error) {
	c := coercer{dropMalformed: opts.Source == prunert.FromStorage}
	head := map[string]any{} // what every object has
	for _, k := range []string{"apiVersion", "kind"} {
		v, found := obj[k]
		if !found {
			continue
		}
		head[k] = v
		if text, ok := v.(string); !ok {
			c.invalid(structural.NewPath(k), v, "must be a string")
		} else if k == "apiVersion" && strings.Count(text, "/") > 1 {
			c.invalid(structural.NewPath(k), v, "unexpected GroupVersion string")
		}
	}
	if metadata, ok := obj["metadata"]; ok {
		head["metadata"] = c.metadata(metadata, nil, isRoot)
		if meta, ok := head["metadata"].(map[string]any); ok && opts.Source == prunert.FromStorage && meta["generation"] == nil {
			meta["generation"] = int64(1)
		}
	}
	unknown = c.takeUnknown()

	if !how.PreserveUnknownFields {
		unknown = append(unknown, pruneBesideMetadata(obj, s, how)...)
		dropNulls(obj, s)
	}
	c.walk(obj, s, nil)
	embedded := c.takeUnknown()
	slices.Sort(embedded)
	unknown = append(unknown, embedded...)

	maps.Copy(obj, head)
	w.Default(obj, s)

	if len(c.errs) > 0 {
		return nil, sortErrorList(c.errs).Err()
	}
	if !opts.ReportUnknown {
		return nil, nil
	}
	return unknown, nil
}

// pruneBesideMetadata prunes obj and leaves all metadata alone. The paths are sorted.
func pruneBesideMetadata(obj map[string]any, s *structural.Schema, how PruneOptions) []string {
	root := s.Resource()
	p := pruner{opts: how, keepMetadata: true}
	p.walk(obj, root, root.XPreserveUnknownFields, nil)
	slices.Sort(p.dropped)
	return p.dropped
}

// coercer coerces the metadata of resources.
type coercer struct {
	// dropMalformed makes a malformed field be dropped instead of reported as an error.
	dropMalformed bool
	unknown       []string
	errs          prunert.ErrorList
}

// takeUnknown returns the unknown fields that were found since its last call.
func (c *coercer) takeUnknown() []string {
	taken := c.unknown
	c.unknown = nil
	return taken
}

func (c *coercer) invalid(at *structural.Path, v any, detail string) {
	c.errs = append(c.errs, &prunert.Error{Type: prunert.ErrorTypeInvalid, Field: at.String(), Path: at.Steps(), BadValue: v, Detail: detail})
}

// walk coerces the metadata of the resources that s embeds in v.
func (c *coercer) walk(v any, s *structural.Schema, at *structural.Path) {
	eachResource(v, s, at, func(v map[string]any, at *structural.Path) {
		for _, k := range []string{"apiVersion", "kind"} {
			e, found := v[k]
			if _, ok := e.(string); ok || !found {
				continue
			}
			if c.dropMalformed {
				delete(v, k)
			} else {
				c.invalid(at.Child(k), e, "must be a string")
			}
		}
		if e, ok := v["metadata"]; ok {
			v["metadata"] = c.metadata(e, at, isEmbedded)
		}
	})
}

// metadataOf says whose metadata it is.
type metadataOf uint8

const (
	isRoot metadataOf = iota
	isEmbedded
)

// metadata returns v as decoded into an ObjectMeta and encoded again. The resource is at the given
// path.
func (c *coercer) metadata(v any, at *structural.Path, of metadataOf) any {
	if v == nil {
		return map[string]any{}
	}
	meta, ok := v.(map[string]any)
	if !ok {
		if of == isRoot || !c.dropMalformed {
			c.found(checkMetadata(v, pruning.ObjectMeta(), at.Metadata()))
		}
		return v
	}
	at = at.Metadata()
	w := metaWriter{}
	malformed := false
	out := map[string]any{}
	fields := pruning.ObjectMeta().Properties
	for _, k := range sorted.Keys(meta) {
		field := fields[k]
		if field == nil {
			w.unknown = append(w.unknown, unknownField{k, at.Child(k)})
			continue
		}
		if wrong := checkMetadata(meta[k], field, at.Child(k)); len(wrong) > 0 {
			malformed = true
			if !c.dropMalformed {
				c.found(wrong)
				out[k] = meta[k]
			}
			continue
		}
		w.field = k
		w.write(out, k, meta[k], field, at.Child(k))
	}
	// The API server's decoder names no more, and each path once. What is malformed is decoded field by field.
	const mostUnknown = 100
	named := map[string]bool{}
	field := ""
	for _, u := range w.unknown {
		if malformed && u.field != field {
			named, field = map[string]bool{}, u.field
		}
		if path := u.path.Dotted(); !named[path] && len(named) < mostUnknown {
			named[path] = true
			c.unknown = append(c.unknown, path)
		}
	}
	return out
}

// checkMetadata returns what is wrong with the types in a part of metadata.
func checkMetadata(v any, s *structural.Schema, at *structural.Path) []foundError {
	c := checker{objectMeta: pruning.ObjectMeta(), inMetadata: true}
	c.walk(v, s, at)
	return c.found
}

// found adds errors whose text is not made yet.
func (c *coercer) found(errs []foundError) {
	c.errs = append(c.errs, (&checker{found: errs}).list()...)
}

// metaWriter writes metadata, which is well typed, as Kubernetes encodes an ObjectMeta.
type metaWriter struct {
	field   string         // of metadata that is written
	unknown []unknownField // in the order of the document
}

// unknownField is the path of an unknown field in metadata, and the field of metadata that it is or is in.
type unknownField struct {
	field string
	path  *structural.Path
}

// write writes the field k with the value v into out, or leaves it out. The field is at the given path.
func (w *metaWriter) write(out map[string]any, k string, v any, s *structural.Schema, at *structural.Path) {
	// A field is a pointer in Go if its zero value differs from no value.
	pointer := slices.Contains([]string{"deletionTimestamp", "deletionGracePeriodSeconds", "time"}, k)
	switch {
	case v == nil:
		return
	case isForeign(v):
		out[k] = v
	case s.ValueValidation.Format == "date-time":
		t, _ := time.Parse(time.RFC3339, v.(string))
		switch {
		case !t.IsZero():
			out[k] = t.UTC().Format(time.RFC3339)
		case pointer:
			out[k] = nil
		}
	case s.Type == "integer":
		if i := toInt64(v); i != 0 || pointer {
			out[k] = i
		}
	case s.Type == "string":
		if v != "" {
			out[k] = v
		}
	case s.Type == "boolean":
		out[k] = v
	case s.AdditionalProperties != nil:
		values := map[string]any{}
		for name, value := range v.(map[string]any) {
			values[name] = orEmpty(value)
		}
		if len(values) > 0 {
			out[k] = values
		}
	case s.Items != nil:
		var list []any
		for i, e := range v.([]any) {
			list = append(list, w.element(e, s.Items, at.Index(i)))
		}
		if len(list) > 0 {
			out[k] = list
		}
	default: // fieldsV1
		out[k] = throughJSON(v)
	}
}

// element returns an element of a list of metadata.
func (w *metaWriter) element(v any, s *structural.Schema, at *structural.Path) any {
	if s.Type == "string" {
		return orEmpty(v)
	}
	if isForeign(v) {
		return v
	}
	out := map[string]any{}
	if s.Properties["uid"] != nil { // an OwnerReference, which always has these
		for _, k := range []string{"apiVersion", "kind", "name", "uid"} {
			out[k] = ""
		}
	}
	fields, _ := v.(map[string]any)
	for _, k := range sorted.Keys(fields) {
		if field := s.Properties[k]; field == nil {
			w.unknown = append(w.unknown, unknownField{w.field, at.Child(k)})
		} else {
			w.write(out, k, fields[k], field, at.Child(k))
		}
	}
	return out
}

// orEmpty returns v, or the empty string for null.
func orEmpty(v any) any {
	if v == nil {
		return ""
	}
	return v
}

func toInt64(v any) int64 {
	if f, ok := v.(float64); ok {
		i, _ := int64InJSON(f)
		return i
	}
	return v.(int64)
}

// throughJSON returns v as it comes out of JSON: whole numbers are int64.
func throughJSON(v any) any {
	return jsonvalue.Map(v, func(v any) any {
		if f, ok := v.(float64); ok {
			if i, ok := int64InJSON(f); ok {
				return i
			}
		}
		return v
	})
}
