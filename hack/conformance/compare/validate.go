package compare

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

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
	if n := c.kubeNormalized(prunert.NormalizeOptions{Source: prunert.FromRequest}); n.err == nil && !reflect.DeepEqual(n.object, c.Object) {
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
func validate(c *Case, r *prunert.Resource) *Difference {
	var wanted *Difference
	for _, theirs := range c.kubeValidated() {
		c.errors += len(theirs.errors)
		obj := jsonvalue.Copy(theirs.object)
		errs := r.Validate(obj)
		if d := values("the object after it was validated", obj, theirs.object); d != nil {
			return d
		}
		if d := errorsDiffer(errs, theirs.errors); d != nil {
			return d
		}
		for _, m := range theirs.metas {
			m.Restore()
			with := Texts(r.Validate(theirs.object))
			m.Remove()
			if slices.Equal(with, Texts(errs)) && !named(with, m.Path) {
				return differ(m.Path, "no error", "refused")
			}
			wanted = &Difference{Known: known.MetadataWords}
		}
	}
	return wanted
}

// validateUpdate compares the errors of updates: from the object itself, and from others that are more or less like it.
func validateUpdate(c *Case, r *prunert.Resource) *Difference {
	for _, theirs := range c.kubeValidated() {
		for salt, u := range c.kubeUpdates(theirs) {
			c.errors += len(u.errors)
			obj, old := jsonvalue.Copy(theirs.object), jsonvalue.Copy(u.old)
			d := errorsDiffer(r.ValidateUpdate(obj, old), u.errors)
			if d == nil && !(reflect.DeepEqual(obj, theirs.object) && reflect.DeepEqual(old, u.old)) {
				d = differ("", "the objects are changed", "they are not")
			}
			if d != nil {
				d.At = fmt.Sprintf("update %d from %s: %s", salt, Show(u.old), d.At)
				return d
			}
		}
	}
	return nil
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
		texts = append(texts, kube.OurText(e))
	}
	return olderErrors(texts, theirs)
}

// olderErrors compares errors, and names how older versions differ.
func olderErrors(texts, theirs []string) *Difference {
	d := lists("error", texts, theirs)
	if d != nil {
		d.Known = known.Older(kube.Version(), known.Evidence{Ours: Only(texts, theirs), Theirs: Only(theirs, texts)})
	}
	return d
}

// Only returns the texts of a that are not in b.
func Only(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(t string) bool { return slices.Contains(b, t) })
}

// validateMetadata compares the errors of metadata that has the right types, in new objects and in updates. The Go types of bad
// values are those of ObjectMeta on the other side.
func validateMetadata(c *Case, r *prunert.Resource) *Difference {
	theirs := c.kubeMetadata()
	for salt, u := range theirs.updates {
		c.errors += len(u.errors)
		errs := r.ValidateMetadata(theirs.object, u.old)
		var texts []string
		for _, e := range errs {
			texts = append(texts, string(e.Type)+" "+e.Error())
		}
		if d := olderErrors(texts, u.errors); d != nil {
			d.At = fmt.Sprintf("update %d from %s: %s", salt, Show(u.old), d.At)
			return d
		}
	}
	return nil
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

// pasts is how many objects before returns.
const pasts = 5

// before returns an object that an update could have led from to obj: the same one for 0, one that differs in many places for 1
// and in fewer for the numbers after it, and an empty one for the last.
func before(obj map[string]any, salt, seed uint64) map[string]any {
	switch salt {
	case 0:
		return jsonvalue.Copy(obj)
	case pasts - 1:
		return map[string]any{}
	}
	return specimentest.Change{Seed: seed, OneIn: 3 << (2 * (salt - 1)), Types: true}.Of(obj)
}
