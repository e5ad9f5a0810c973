package interpretjson

import (
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/crd/pruning"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunejson"
	"github.com/prune-gen/prune-gen/structural"
)

// With returns r with functions on JSON bytes that follow the schema s.
func With(r prunert.Resource, s *structural.Schema, opts interpret.PruneOptions) prunert.Resource {
	root := rule{schema: s.Resource(), opts: opts}
	root.preserve = root.schema.XPreserveUnknownFields
	k := prunejson.Kind{APIVersion: r.APIVersion(), Kind: r.Kind, ListKind: r.ListKind, Scan: root.scan, Build: root.build}
	if k.ListKind == "" {
		k.ListKind = k.Kind + "List"
	}
	r.PruneJSON, r.PruneJSONReport, r.DecodeJSON, r.PruneStream = k.Prune, k.PruneReport, k.Decode, k.PruneStream
	return r
}

// rule says how a value is pruned.
type rule struct {
	schema   *structural.Schema
	preserve bool
	opts     interpret.PruneOptions
}

// specifiesNothing reports whether every member of an object is dropped, whatever its key.
func (r *rule) specifiesNothing() bool {
	return !r.preserve && !r.opts.PreserveUnknownFields && !r.schema.XEmbeddedResource &&
		len(r.schema.Properties) == 0 && r.schema.AdditionalProperties == nil
}

// fate says what happens to a member of an object.
type fate uint8

const (
	drop fate = iota
	keep
	pruneMetadata
	prune
)

// member returns what happens to a member, and the rule for its value if that is pruned.
func (r *rule) member(key string) (fate, rule) {
	if r.schema.XEmbeddedResource && structural.IsMetaField(key) {
		if key == "metadata" {
			return pruneMetadata, rule{}
		}
		return keep, rule{}
	}
	if child, _ := pruning.Specified(r.schema, key, nil); child != nil {
		return prune, rule{child, r.opts.Preserves(child, r.preserve && r.opts.Semantics == structural.KEP2332), r.opts}
	}
	if r.preserve || r.opts.PreserveUnknownFields {
		return keep, rule{}
	}
	return drop, rule{}
}

// items returns the rule for the elements of a list.
func (r *rule) items() rule {
	items := r.schema.Items
	if items == nil {
		items = &structural.Schema{}
	}
	return rule{items, r.opts.Preserves(items, r.preserve), r.opts}
}

// scan prunes the value at p and returns the position after it.
func (r *rule) scan(s *prunejson.Scanner, p prunejson.Pos) prunejson.Pos {
	switch {
	case s.IsAt(p, '['):
		items := r.items()
		p, more, _ := s.List(p)
		for more {
			p, more = s.Element(items.scan(s, p))
		}
		return p
	case !s.IsAt(p, '{'):
		return s.Keep(p)
	case r.specifiesNothing():
		return s.Leaf(p)
	}
	k, p, _ := s.Object(p)
	for k[0] == '"' {
		key, value := s.KeyText(p)
		switch fate, below := r.member(string(key)); fate {
		case drop:
			k, p = s.DropMember(p, value)
		case keep:
			if string(key) == "kind" {
				k, p = s.Next(s.KeepKind(value))
			} else {
				k, p = s.Next(s.Keep(value))
			}
		case pruneMetadata:
			k, p = s.Next(s.Metadata(value))
		case prune:
			if _, isField := r.schema.Properties[string(key)]; !isField {
				value = s.Key(p)
			}
			k, p = s.Next(below.scan(s, value))
		}
	}
	return s.Close(p)
}

// build decodes the value at p, prunes it and returns the position after it. The value has a key if it is a member of an object.
func (r *rule) build(d *prunejson.Decoder, key string, p prunejson.Pos) prunejson.Pos {
	size := d.Size()
	switch {
	case d.IsAt(p, '['):
		items := r.items()
		p, more, _ := d.List(p)
		for more {
			p, more = d.Element(items.build(d, "", p))
		}
		return d.CloseList(key, size, p)
	case !d.IsAt(p, '{'):
		return d.Keep(key, p)
	}
	k, p, _ := d.Object(p)
	for k[0] == '"' {
		name, value := d.Key(p)
		switch fate, below := r.member(name); fate {
		case drop:
			p = d.Scanner.Keep(value)
		case keep:
			p = d.Keep(name, value)
		case pruneMetadata:
			p = d.Metadata(name, value)
		case prune:
			p = below.build(d, name, value)
		}
		k, p = d.Next(p)
	}
	return d.Close(key, size, p)
}
