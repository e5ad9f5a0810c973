package structural

import (
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/sorted"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/text"
)

// DefaultErrors returns what the API server refuses about the defaults of a structural schema, in its words and sorted by
// text: each must be what its own schema keeps whole and takes for valid. The two schemas are the same one, converted and as
// it is written. CEL rules are not looked at. The boolean is false where schema and defaults are so large that not all of
// them were looked at.
func DefaultErrors(s *Schema, written *JSONSchema, at *Path) ([]*Error, bool) {
	if s == nil || written == nil {
		return nil, true
	}
	root := *s
	root.XEmbeddedResource = true // every root is a resource, whether or not its schema says so
	r := defaultRules{walk: valueWalk{reading: readDefault, steps: maxDefaultSteps}}
	r.schema(&root, written, resourcePlace{schema: &root}, at)
	sortErrors(r.errs)
	return r.errs, r.walk.steps >= 0
}

// maxDefaultSteps is maxValueSteps for all defaults of a schema. People write short ones.
const maxDefaultSteps = maxValueSteps / 20

// defaultRules checks the defaults of schemas.
type defaultRules struct {
	collector
	walk valueWalk
}

// resourcePlace is where a schema stands in the nearest resource above it.
type resourcePlace struct {
	schema     *Schema   // of the resource
	inMetadata bool      // below apiVersion, kind or metadata of it
	way        *valueWay // from the resource to here
}

// valueWay is a way through a value: a field, or the only element of a list.
type valueWay struct {
	parent *valueWay
	field  string
	isItem bool
}

// around returns the resource that has nothing but v at the end of the way.
func (w *valueWay) around(v any) map[string]any {
	for ; w != nil; w = w.parent {
		if w.isItem {
			v = []any{v}
		} else {
			v = map[string]any{w.field: v}
		}
	}
	obj, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	for k, v := range map[string]any{"kind": "Validation", "apiVersion": "validation/v1"} {
		if _, ok := obj[k]; !ok {
			obj[k] = v
		}
	}
	return obj
}

// schema checks the default of s and those below it. Kubernetes does not look below additionalProperties.
func (r *defaultRules) schema(s *Schema, written *JSONSchema, place resourcePlace, at *Path) {
	if written == nil || r.full || r.walk.steps < 0 {
		return
	}
	if s.XEmbeddedResource {
		place = resourcePlace{schema: s}
	}
	if s.Default != nil {
		r.value(s, written, place, at.Child("default"))
	}
	if s.Items != nil && written.Items != nil {
		below := place
		below.way = &valueWay{parent: place.way, isItem: true}
		r.schema(s.Items, written.Items.Schema, below, at.Child("items"))
	}
	for _, k := range sorted.Keys(s.Properties) {
		below := place
		below.inMetadata = place.inMetadata || s.XEmbeddedResource && isMetaField(k)
		below.way = &valueWay{parent: place.way, field: k}
		r.schema(s.Properties[k], written.Properties[k], below, at.Child("properties").Key(k))
	}
}

// value checks the default of s, which stands at the given path.
func (r *defaultRules) value(s *Schema, written *JSONSchema, place resourcePlace, at *Path) {
	if place.inMetadata {
		if wrong := metadataText(place.way.around(copyJSON(s.Default)), place.schema); wrong != "" {
			r.invalid(RuleDefaultMetadata, at, s.Default, "must result in valid metadata: "+wrong)
			return
		}
	} else {
		p := pruner{keepMetadata: true, objectMeta: &Schema{}}
		p.walk(copyJSON(s.Default), s, s.XPreserveUnknownFields, nil)
		var meta collector
		meta.resources(s.Default, s, at)
		if len(p.dropped) > 0 {
			slices.Sort(p.dropped)
			// Kubernetes prints it without what is unknown in metadata.
			value := copyJSON(s.Default)
			pruneMetadata(value, s)
			r.add(&Error{Rule: RuleDefaultPruned, Type: ErrorInvalid, Path: at, BadValue: value, Detail: "must not have unknown fields",
				hint: "specify " + listSome(p.dropped) + " in the schema, or leave it out of the default: it would be dropped"})
		}
		if len(meta.errs) > 0 {
			for _, e := range meta.errs {
				r.add(e)
			}
			return
		}
	}
	errs, _ := r.walk.run(s.Default, written, nil)
	if r.walk.steps < 0 {
		return // a half of it says nothing
	}
	for _, e := range errs {
		r.add(&Error{Rule: RuleDefaultInvalid, Type: e.Type, Path: at, BadValue: e.BadValue, Detail: e.Detail, below: e.Field})
	}
}

// listSome lists the first few of some names.
func listSome(names []string) string {
	const most = 5
	var all []string
	for _, n := range names[:min(most, len(names))] {
		all = append(all, text.Shorten(n))
	}
	if len(names) > most {
		all = append(all, "...")
	}
	return strings.Join(all, ", ")
}

// metadataText returns what is wrong with the metadata in a resource, in one line; "" where nothing is.
func metadataText(obj map[string]any, s *Schema) string {
	var errs collector
	if obj != nil {
		errs.resources(obj, s, nil)
	}
	if len(errs.errs) == 0 {
		return ""
	}
	sortErrors(errs.errs)
	var texts []string
	for _, e := range errs.errs {
		texts = append(texts, e.Error())
	}
	return aggregate(texts)
}

// resources checks apiVersion, kind and metadata of the resources in v, which is of the schema s: their types first, up to
// the first that is wrong, then their values.
func (c *collector) resources(v any, s *Schema, at *Path) {
	before := len(c.errs)
	eachResource(v, s, at, func(v map[string]any, at *Path) {
		if len(c.errs) == before {
			c.resourceTypes(v, at)
		}
	})
	if len(c.errs) == before {
		eachResource(v, s, at, c.resource)
	}
}

// eachResource calls f for the resources in v, which is of the schema s.
func eachResource(v any, s *Schema, at *Path, f func(map[string]any, *Path)) {
	if s == nil {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if s.XEmbeddedResource {
			f(v, at)
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if p := s.Properties[k]; p != nil {
				eachResource(v[k], p, at.property(k), f)
			} else if s.AdditionalProperties != nil {
				eachResource(v[k], s.AdditionalProperties.Schema, at.Key(k), f)
			}
		}
	case []any:
		for i, e := range v {
			eachResource(e, s.Items, at.Index(i), f)
		}
	}
}

// pruneMetadata drops what is unknown in the metadata of the resources in v.
func pruneMetadata(v any, s *Schema) {
	meta := ObjectMeta()
	eachResource(v, s, nil, func(v map[string]any, _ *Path) { new(pruner).walk(v["metadata"], meta, false, nil) })
}

// resourceTypes checks the types of one resource.
func (c *collector) resourceTypes(v map[string]any, at *Path) {
	for _, k := range []string{"apiVersion", "kind"} {
		if _, isString := v[k].(string); !isString && hasKey(v, k) {
			c.invalid(RuleDefaultMetadata, at.Child(k), v[k], "must be a string")
			return
		}
	}
	if v["metadata"] == nil {
		return
	}
	types := checker{objectMeta: ObjectMeta(), inMetadata: true}
	types.walk(v["metadata"], types.objectMeta, objectPlace{})
	if len(types.errs) > 0 {
		slices.SortFunc(types.errs, func(a, b *prunert.Error) int { return strings.Compare(a.Error(), b.Error()) })
		c.invalid(RuleDefaultMetadata, at.Child("metadata"), v["metadata"], types.errs[0].Detail)
	}
}

func hasKey(m map[string]any, k string) bool {
	_, ok := m[k]
	return ok
}

// resource checks the values of one resource.
func (c *collector) resource(v map[string]any, at *Path) {
	if c.full {
		return
	}
	for _, k := range []string{"apiVersion", "kind"} {
		if !hasKey(v, k) {
			c.required(RuleDefaultMetadata, at.Child(k), "")
		} else if v[k] == "" {
			c.invalid(RuleDefaultMetadata, at.Child(k), "", "must not be empty")
		}
	}
	if apiVersion, _ := v["apiVersion"].(string); apiVersion != "" {
		if _, _, wrong := parseAPIVersion(apiVersion); wrong != "" {
			c.invalid(RuleDefaultMetadata, at.Child("apiVersion"), apiVersion, wrong)
		}
	}
	if kind, _ := v["kind"].(string); kind != "" {
		if wrong := checkKind(kind); wrong != "" {
			c.invalid(RuleDefaultMetadata, at.Child("kind"), kind, wrong)
		}
	}
	meta, _ := v["metadata"].(map[string]any)
	at = at.Child("metadata")
	before := len(c.errs)
	for _, k := range []string{"generateName", "name"} {
		name, _ := meta[k].(string)
		for _, wrong := range wrongPathSegment(name) {
			if k == "name" || strings.HasPrefix(wrong, "may not contain") {
				c.invalid(RuleDefaultMetadata, at.Child(k), name, wrong)
			}
		}
	}
	if namespace, _ := meta["namespace"].(string); namespace != "" {
		for _, wrong := range wrongNamespace(namespace) {
			c.invalid(RuleDefaultMetadata, at.Child("namespace"), namespace, wrong)
		}
	}
	if generation, _ := meta["generation"].(int64); generation < 0 {
		c.invalid(RuleDefaultMetadata, at.Child("generation"), generation, "must be greater than or equal to 0")
	}
	c.objectMeta(meta, at)
	for _, e := range c.errs[before:] {
		e.Rule = RuleDefaultMetadata
	}
}

// wrongPathSegment returns what keeps a name from being a part of a URL.
func wrongPathSegment(name string) []string {
	if name == "." || name == ".." {
		return []string{"may not be '" + name + "'"}
	}
	var wrong []string
	for _, c := range []string{"/", "%"} {
		if strings.Contains(name, c) {
			wrong = append(wrong, "may not contain '"+c+"'")
		}
	}
	return wrong
}

// wrongNamespace returns what is wrong with s as the name of a namespace, a DNS-1123 label.
func wrongNamespace(s string) []string {
	var wrong []string
	if len(s) > 63 {
		wrong = append(wrong, "must be no more than 63 characters")
	}
	switch {
	case isShortName(s):
	case subdomainRegexp.MatchString(s):
		wrong = append(wrong, "must not contain dots")
	default:
		wrong = append(wrong, "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end "+
			"with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')")
	}
	return wrong
}
