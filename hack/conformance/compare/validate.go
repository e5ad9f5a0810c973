package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// validating returns the functions that validate.
func validating(always func(*Subject) bool, generated func(func(*prunert.Resource) bool) func(*Subject) bool) []Function {
	const (
		create   = "validation.ValidateCustomResource, objectmeta.Validate without metadata, listtype.ValidateListSetsAndMaps"
		metadata = "validation.ValidateObjectMetaDeclaratively of apimachinery, for the object and for embedded resources"
		update   = "validation.ValidateCustomResourceUpdate with ratcheting, objectmeta.Validate without metadata, listtype.ValidateListSetsAndMaps"
	)
	return []Function{
		{
			Name: "interpret.Validate", Theirs: create, Applies: always, Values: true,
			Compare: validate(func(s *Subject, obj map[string]any) prunert.ErrorList {
				return interpret.Validate(obj, s.written())
			}),
		},
		{
			Name: "Validate", Theirs: create, Values: true,
			Applies: generated(func(r *prunert.Resource) bool { return r.Validate != nil }),
			Compare: validate(func(s *Subject, obj map[string]any) prunert.ErrorList { return s.Generated.Validate(obj) }),
		},
		{
			Name: "interpret.ValidateUpdate", Theirs: update, Applies: always, Values: true,
			Compare: validateUpdate(func(s *Subject, obj, old map[string]any) prunert.ErrorList {
				return interpret.ValidateUpdate(obj, old, s.written())
			}),
		},
		{
			Name: "ValidateUpdate", Theirs: update, Values: true,
			Applies: generated(func(r *prunert.Resource) bool { return r.ValidateUpdate != nil }),
			Compare: validateUpdate(func(s *Subject, obj, old map[string]any) prunert.ErrorList {
				return s.Generated.ValidateUpdate(obj, old)
			}),
		},
		{
			Name: "interpret.ValidateMetadata", Theirs: metadata, Applies: always,
			Compare: validateMetadata(func(s *Subject, obj, old map[string]any) prunert.ErrorList {
				return interpret.ValidateMetadata(obj, old, s.written(), s.namespaced())
			}),
		},
		{
			Name: "ValidateMetadata", Theirs: metadata,
			Applies: generated(func(r *prunert.Resource) bool { return r.ValidateMetadata != nil }),
			Compare: validateMetadata(func(s *Subject, obj, old map[string]any) prunert.ErrorList {
				return s.Generated.ValidateMetadata(obj, old)
			}),
		},
	}
}

// namespaced reports whether objects are in a namespace.
func (s *Subject) namespaced() bool { return s.CRD.Scope != "Cluster" }

// written returns the schema as the CRD has it, nil where it takes no part.
func (s *Subject) written() *structural.JSONSchema {
	if s.Schema == nil {
		return nil
	}
	return s.Version.Schema
}

// validated is what Kubernetes says of an object as it is, and of what it makes of the object when it normalizes it.
type validated struct {
	object map[string]any
	// metas are the metadata, and the apiVersion and kind of the root, that Kubernetes refuses before it validates. They are
	// not in object.
	metas  []kube.Meta
	errors []string
	// updates are those from other objects; old is nil where the object is new.
	updates []update
}

type update struct {
	old    map[string]any
	errors []string
}

// kubeValidated returns what Kubernetes says of the object, without updates, and, if it accepts it, of the normalized one.
func (c *Case) kubeValidated() []*validated {
	if c.validated != nil {
		return c.validated
	}
	objects := []map[string]any{jsonvalue.Copy(c.Object)}
	if n := c.kubeNormalized(prunert.NormalizeOptions{Source: prunert.FromRequest}); n.err == nil && !equal(n.object, c.Object) {
		objects = append(objects, jsonvalue.Copy(n.object))
	}
	for _, obj := range objects {
		v := &validated{object: obj}
		for _, m := range c.Kube.TakeMetas(obj) {
			if m.Bad && (m.IsMetadata() || m.IsRoot()) {
				v.metas = append(v.metas, m)
			} else {
				m.Restore()
			}
		}
		v.errors = c.Kube.Validate(obj)
		c.validated = append(c.validated, v)
	}
	return c.validated
}

// validate compares every error with its type, field, bad value and detail. For metadata of the wrong types, at the root also
// for apiVersion and kind, it compares whether there are errors: see check.
func validate(ours func(*Subject, map[string]any) prunert.ErrorList) func(*Case) *Difference {
	return func(c *Case) *Difference {
		var wanted *Difference
		for _, theirs := range c.kubeValidated() {
			c.errors += len(theirs.errors)
			obj := jsonvalue.Copy(theirs.object)
			errs := ours(c.Subject, obj)
			if d := values("", obj, theirs.object); d != nil {
				d.At = "the object after it was validated: " + d.At
				return d
			}
			if d := errorsDiffer(errs, theirs.errors); d != nil {
				if d.Known == "" {
					return d
				}
				wanted = d
			}
			for _, m := range theirs.metas {
				m.Restore()
				with := errorTexts(ours(c.Subject, theirs.object))
				m.Remove()
				if slices.Equal(with, errorTexts(errs)) && !named(with, m.Path) {
					return differ(m.Path, "no error", "refused")
				}
				wanted = &Difference{Known: known.MetadataWords}
			}
		}
		return wanted
	}
}

// named reports whether an error is about the value at a path. A field below one without a name can have the path of another.
func named(texts []string, path string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(text, path+": ") })
}

// validateUpdate compares the errors of updates: from the object itself, and from others that are more or less like it.
func validateUpdate(ours func(s *Subject, obj, old map[string]any) prunert.ErrorList) func(*Case) *Difference {
	return func(c *Case) *Difference {
		var wanted *Difference
		for _, theirs := range c.kubeValidated() {
			for salt, u := range c.kubeUpdates(theirs) {
				c.errors += len(u.errors)
				obj, old := jsonvalue.Copy(theirs.object), jsonvalue.Copy(u.old)
				d := errorsDiffer(ours(c.Subject, obj, old), u.errors)
				if d == nil && !(equal(obj, theirs.object) && equal(old, u.old)) {
					d = differ("", "the objects are changed", "they are not")
				}
				if d != nil && d.Known == "" {
					d.At = fmt.Sprintf("update %d from %s: %s", salt, show(u.old), d.At)
					return d
				}
				if d != nil {
					wanted = d
				}
			}
		}
		return wanted
	}
}

// kubeUpdates returns what Kubernetes says of updates to an object.
func (c *Case) kubeUpdates(v *validated) []update {
	if v.updates == nil {
		validate := c.Kube.Updates(v.object)
		for salt := range uint64(pasts) {
			old := before(v.object, salt, c.seed)
			v.updates = append(v.updates, update{old, validate(old)})
		}
	}
	return v.updates
}

// errorsDiffer compares errors with their types, fields, bad values and details.
func errorsDiffer(errs prunert.ErrorList, theirs []string) *Difference {
	var texts []string
	for _, e := range errs {
		texts = append(texts, kube.ValueText(string(e.Type), e.Field, e.BadValue, e.Detail, e.Error()))
	}
	return lists("error", texts, theirs)
}

// validateMetadata compares the errors of metadata that has the right types, in new objects and in updates. The Go types of bad
// values are those of ObjectMeta on the other side.
func validateMetadata(ours func(s *Subject, obj, old map[string]any) prunert.ErrorList) func(*Case) *Difference {
	return func(c *Case) *Difference {
		theirs := c.kubeMetadata()
		for salt, u := range theirs.updates {
			c.errors += len(u.errors)
			errs := ours(c.Subject, theirs.object, u.old)
			var texts []string
			for _, e := range errs {
				texts = append(texts, string(e.Type)+" "+e.Error())
			}
			if d := lists("error", texts, u.errors); d != nil {
				d.At = fmt.Sprintf("update %d from %s: %s", salt, show(u.old), d.At)
				return d
			}
		}
		return nil
	}
}

// kubeMetadata returns what Kubernetes says of metadata that has the right types: that of the object where it is new, which the
// first of the updates stands for, and where it takes the place of others.
func (c *Case) kubeMetadata() *validated {
	if c.metadata != nil {
		return c.metadata
	}
	obj := jsonvalue.Copy(c.Object)
	c.Kube.Malformed(obj)
	c.metadata = &validated{object: obj}
	for salt := range uint64(pasts) {
		var old map[string]any // new where salt is 0
		if salt > 0 {
			old = before(obj, salt, c.seed)
			c.Kube.Malformed(old)
		}
		c.metadata.updates = append(c.metadata.updates, update{old, c.Kube.ValidateMetadata(obj, old, c.namespaced())})
	}
	return c.metadata
}
