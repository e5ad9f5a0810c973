// Package projection makes what drops from objects the fields that a keep-list does not name: for Go types a function, for the schemas of CRDs a schema
// that specifies what is kept.
package projection

import (
	"maps"
	"strconv"
	"strings"
	"unicode"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/generate/keeplist"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/structural"
)

// Cut returns the part of the schema of a kind that a list keeps. It allows every field below what is kept whole.
func Cut(in generator.Input, l *keeplist.List) (*structural.Schema, error) {
	b := structural.NewBehavior(in.CRD, in.Version, structural.APIServer)
	root, isLeaf := b.Schema.Resource(), map[string]bool{}
	l.Meter = origin.Limits(in.CRD)
	list(root, "", isLeaf, l.Meter)
	var part *structural.Schema
	err := l.Meter.Err()
	if err == nil {
		err = l.Check(isLeaf)
	}
	if err == nil {
		part, err = cut(root, child{keep: l.Keep("")}, l, !b.Pruned)
	}
	if limit := l.Meter.Err(); limit != nil {
		return nil, &generator.InputError{Findings: report.TooLarge(in.CRD, limit)}
	}
	return part, err
}

// child is a schema one step below another one.
type child struct {
	path   string
	schema *structural.Schema
	name   string // of a property, which may be empty
	step   string // [] to elements, [*] to values, "" to a property
	keep   keeplist.Keep
}

// children returns what is told apart below a schema. Elements and values are not if there is nothing below them. Paths can be longer than the CRD.
func children(s *structural.Schema, path string, m *meter.Meter) (all []child) {
	properties := s.Properties
	if s.XEmbeddedResource {
		text := &structural.Schema{Generic: structural.Generic{Type: "string"}}
		properties = map[string]*structural.Schema{}
		maps.Copy(properties, s.Properties)
		maps.Copy(properties, map[string]*structural.Schema{"apiVersion": text, "kind": text, "metadata": structural.ObjectMeta()})
	}
	for _, name := range sorted.Keys(properties) {
		if !m.SpendMemory(len(path) + len(name)) {
			return nil
		}
		at := strings.TrimPrefix(path+"."+name, ".")
		if !plain(name) {
			at = path + "[" + strings.ReplaceAll(strconv.Quote(name), "#", `\x23`) + "]"
		}
		all = append(all, child{path: at, schema: properties[name], name: name})
	}
	held, step := s.Items, "[]"
	if values := s.Values(); values != nil {
		held, step = values, "[*]"
	}
	if held != nil && len(children(held, "", m)) > 0 {
		all = append(all, child{path: path + step, schema: held, step: step})
	}
	return all
}

// plain reports whether a name needs no quotes in a list.
func plain(name string) bool {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-$/@:", r)
	}
	return name != "" && name[0] != '-' && !strings.ContainsFunc(name, odd)
}

// list adds the places at a path and below it, and whether they are leaves.
func list(s *structural.Schema, path string, isLeaf map[string]bool, m *meter.Meter) {
	below := children(s, path, m)
	isLeaf[path] = len(below) == 0
	for _, c := range below {
		list(c.schema, c.path, isLeaf, m)
	}
}

// cut returns what is kept of a schema. If open is set, objects may have fields that no schema specifies.
func cut(s *structural.Schema, at child, l *keeplist.List, open bool) (*structural.Schema, error) {
	if at.keep == keeplist.All {
		return &structural.Schema{Extensions: structural.Extensions{XPreserveUnknownFields: true}}, nil
	}
	part := &structural.Schema{Properties: map[string]*structural.Schema{}}
	part.XPreserveUnknownFields = at.keep == keeplist.Most && (open || s.XPreserveUnknownFields) && s.Items == nil
	for _, c := range children(s, at.path, l.Meter) {
		c.keep = l.Keep(c.path)
		if c.keep == keeplist.None {
			if part.XPreserveUnknownFields {
				return nil, keeplist.Errors{{File: l.File, Line: l.Line(c.path), Message: c.path +
					" cannot be taken away, because the object around it may have fields that the schema does not specify: list what is kept"}}
			}
			continue
		}
		below, err := cut(c.schema, c, l, open)
		switch {
		case err != nil:
			return nil, err
		case c.step == "":
			part.Properties[c.name] = below
		case c.step == "[]":
			part.Items = below
		default:
			part.AdditionalProperties = &structural.SchemaOrBool{Schema: below, Bool: true}
		}
	}
	return part, nil
}
