package interpret

import (
	"fmt"

	"github.com/prune-gen/prune-gen/internal/base/badvalue"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/crd/pruning"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// Validate returns everything that is wrong with obj, the root of a resource, in the words of the API server and sorted by text; nil if
// obj is valid. It looks at types and value validation, at apiVersion and kind of the resources that s embeds, and at what the types of
// lists say about their elements. s is the schema as the CRD has it.
//
// Metadata must have the types of ObjectMeta: pruneimpl.CheckMetadataValues says what is wrong with its values. CEL rules are not evaluated, and
// neither the replicas of a scale subresource nor whether apiVersion and kind are those of the resource are checked. The API server does
// all this after normalizing an object.
//
// It is the reference that generated code is tested against. prunert.MaxReported bounds what it returns; an object that
// takes too much work has an error that says so.
func (w *Work) Validate(obj map[string]any, s *structural.JSONSchema) prunert.ErrorList {
	c := newObjectErrors(w)
	c.schema(obj, s, nil)
	c.resources(obj, s)
	c.lists(obj, s, nil)
	return c.sorted()
}

// ValidateUpdate is Validate for an object that replaces old: as in the API server, unchanged values are not reported.
func (w *Work) ValidateUpdate(obj, old map[string]any, s *structural.JSONSchema) prunert.ErrorList {
	c := newObjectErrors(w)
	c.schema(obj, s, &correlation{new: obj, old: old, schema: s})
	c.resources(obj, s)
	// For lists it is all or nothing.
	before := newObjectErrors(w)
	if before.lists(old, s, nil); len(before.list) == 0 {
		c.lists(obj, s, nil)
	}
	return c.sorted()
}

// objectErrors collects what is wrong with an object, within the limits.
type objectErrors struct {
	limits prunelimits.Limits
	work   *Work
	meter  *meter.Meter
	list   prunert.ErrorList
	bytes  int
	more   int // errors that are not in the list
}

func newObjectErrors(w *Work) *objectErrors {
	c := &objectErrors{limits: prunelimits.Current(), work: w, meter: w.Meter}
	if c.meter == nil {
		c.meter = meter.New(1)
	}
	return c
}

// fits reports whether there is room for one more error.
func (c *objectErrors) fits() bool {
	return (c.limits.Entries <= 0 || len(c.list) < c.limits.Entries) && (c.limits.Bytes <= 0 || c.bytes <= c.limits.Bytes)
}

// add adds an error at a path. The path is written only where there is room for it.
func (c *objectErrors) add(typ prunert.ErrorType, at *structural.Path, value any, detail string) {
	if !c.fits() {
		c.more++
		return
	}
	c.bytes += at.TextSize() + len(detail) + jsonvalue.Size(value)
	value = badvalue.In(c.work.Kubernetes, value)
	c.list = append(c.list, &prunert.Error{Type: typ, Field: at.String(), Path: at.Steps(), BadValue: value, Detail: detail})
}

// sorted returns the list, nil if it is empty. The last entry says how many errors are not listed.
func (c *objectErrors) sorted() prunert.ErrorList {
	list := sortErrorList(c.list)
	omitted := func(detail string) {
		list = append(list, &prunert.Error{Type: prunert.ErrorTypeOmitted, Field: prunert.NoField, Detail: detail})
	}
	if c.more > 0 {
		omitted(fmt.Sprintf("%d more errors are not listed", c.more))
	}
	if c.meter.Spent() {
		omitted("the object is too large for its schema to be fully validated")
	}
	return list
}

// schema adds the errors of the schema validator.
func (c *objectErrors) schema(v any, s *structural.JSONSchema, old *correlation) {
	if c.meter.Spent() {
		return
	}
	w := valueWalk{reading: readObject, by: c.work.Kubernetes, work: c.work, meter: c.meter, limits: c.limits}
	errs, more := w.run(v, s, old)
	for _, e := range errs {
		size := len(e.Field) + len(e.Detail) + jsonvalue.Size(e.BadValue)
		c.bytes += size
		c.meter.SpendMemory(size)
		e.Field, e.BadValue = orNil(e.Field), badvalue.In(c.work.Kubernetes, e.BadValue)
		c.list = append(c.list, e)
	}
	c.more += more
}

// resources adds what is wrong with the types of apiVersion, kind and metadata of the object, for which the API server has refused it
// earlier, and with apiVersion, kind and the types of the metadata of the resources in it.
func (c *objectErrors) resources(obj map[string]any, s *structural.JSONSchema) {
	for _, k := range []string{"apiVersion", "kind"} {
		if v, ok := obj[k]; ok {
			t := checker{}
			t.typ(v, metaString, structural.NewPath(k))
			c.list = append(c.list, t.list()...)
		}
	}
	c.metadataTypes(obj, nil)
	report := func(f Fault) { c.add(f.Type, f.At, f.BadValue, f.Detail) }
	eachWrittenResource(obj, s, nil, func(v map[string]any, at *structural.Path) {
		recorded(v, at, c.work.Kubernetes, pruneimpl.CheckTypeMeta, report)
		if at != nil { // the root's are checked already
			c.metadataTypes(v, at)
		}
	})
}

// metadataTypes checks the types of the metadata of the resource at a path.
func (c *objectErrors) metadataTypes(obj map[string]any, at *structural.Path) {
	metadata, ok := obj["metadata"]
	if !ok {
		return
	}
	for _, f := range checkMetadata(metadata, pruning.ObjectMeta(), at.Metadata()) {
		if !c.fits() {
			c.more++
			continue
		}
		e, _ := f.error()
		c.bytes += len(e.Field) + len(e.Detail) + jsonvalue.Size(e.BadValue)
		c.list = append(c.list, e)
	}
}
