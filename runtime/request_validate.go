package prunert

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/badvalue"
)

// validateCreate returns the errors of a new object, in the order of the API server.
func (r *Resource) validateCreate(obj map[string]any, kind string) ErrorList {
	own, embedded := splitMetadata(r.ValidateMetadata(obj, nil), orderOfNew)
	values, lists := splitLists(r.Validate(obj))
	if errs := r.validateKind(kind); errs != nil {
		own, values = errs, nil // they take the place of all that comes next
	} else {
		values = join(values, r.Scale.validateSpec(obj), r.Scale.validateStatus(obj))
	}
	errs := join(own, values, embedded, lists)
	rules, _ := r.ValidateRulesAfter(obj, nil, errs) // nothing is unchanged, so nothing is forgiven
	return append(errs, rules...)
}

// ValidateAll returns all errors of an object that replaces old, nil for a new object: by the schema, by the rules for metadata and by CEL
// rules. As in the API server, CEL rules are evaluated only if there are no other errors that could make them fail. The object must be
// normalized and have the metadata that the API server sets, a namespace for example: Create and Update do both. It needs the functions Validate, or ValidateUpdate where old is not nil, and ValidateMetadata, and ValidateRules for a kind
// with CEL rules. Warnings are what rules say about values that have not changed.
func (r Resource) ValidateAll(obj, old map[string]any) (errs ErrorList, warnings []string) {
	if old == nil {
		errs = r.Validate(obj)
	} else {
		errs = r.ValidateUpdate(obj, old)
	}
	errs = join(errs, r.ValidateMetadata(obj, old))
	rules, warnings := r.ValidateRulesAfter(obj, old, errs)
	return join(errs, rules), warnings
}

// validateUpdate returns the errors of an object that replaces old, in the order of the API server, which validates metadata three times:
// once as that of a new object, and twice as that of a changed one.
func (r *Resource) validateUpdate(obj, old map[string]any, kind string, ofStatus bool) (errs ErrorList, warnings []string) {
	asNew, _ := splitMetadata(r.ValidateMetadata(obj, nil), orderOfNew)
	asNew = withPathNames(asNew, metadataOf(obj))
	own, embedded := splitMetadata(r.ValidateMetadata(obj, old), orderOfChanged)
	if textOf(metadataOf(old), "resourceVersion") == "" {
		own = slices.DeleteFunc(own, func(e *Error) bool { return e.metadataField() == "resourceVersion" })
	}
	switch wrongKind := r.validateKind(kind); {
	case ofStatus:
		values, lists := splitLists(r.ValidateStatus(obj, old))
		errs = join(own, values, r.Scale.validateStatus(obj), lists)
	case wrongKind != nil:
		_, lists := splitLists(r.ValidateUpdate(obj, old))
		errs = join(wrongKind, embedded, lists)
	default:
		values, lists := splitLists(r.ValidateUpdate(obj, old))
		errs = join(own, values, r.Scale.validateSpec(obj), r.Scale.validateStatus(obj), embedded, lists)
	}
	rules, warnings := r.ValidateRulesAfter(obj, old, errs)
	return join(asNew, own, errs, rules), warnings
}

// validateKind refuses an object of another kind. An object of another version was refused before.
func (r *Resource) validateKind(kind string) ErrorList {
	if kind != r.Kind {
		return ErrorList{{Type: ErrorTypeInvalid, Field: "kind", Path: FieldPath("kind"), BadValue: kind, Detail: "must be " + r.Kind}}
	}
	return nil
}

// rulesNotChecked is the detail of the API server's error that it has not evaluated CEL rules because of other errors.
const rulesNotChecked = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

// ValidateRulesAfter returns the errors of CEL rules about an object that replaces old, nil for a new object, and that has the given
// errors. The API server does not evaluate CEL rules on an object that may not have the form that they expect, and says so. It needs the
// function ValidateRules for a kind with CEL rules. Warnings are those of ValidateAll.
func (r Resource) ValidateRulesAfter(obj, old map[string]any, errs ErrorList) (rules ErrorList, warnings []string) {
	switch {
	case !r.HasRules:
		return nil, nil
	case slices.ContainsFunc(errs, (*Error).blocksRules):
		return ErrorList{{Type: ErrorTypeInvalid, Field: NoField, BadValue: badvalue.In(r.Kubernetes, nil), Detail: rulesNotChecked, rulesNotChecked: true}}, nil
	}
	return r.ValidateRules(obj, old)
}

// blocksRules reports whether the error keeps CEL rules from being evaluated.
func (e *Error) blocksRules() bool {
	switch e.Type {
	case ErrorTypeRequired, ErrorTypeNotSupported, ErrorTypeTooLong, ErrorTypeTooMany, ErrorTypeTypeInvalid:
		return true
	}
	return false
}

// join returns all errors of some lists, nil if there are none.
func join(lists ...ErrorList) ErrorList {
	var all ErrorList
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// splitLists splits the errors about values from those about list sets and list maps, which the API server validates last.
func splitLists(errs ErrorList) (values, lists ErrorList) {
	return split(errs, func(e *Error) bool { return e.Type != ErrorTypeDuplicate })
}

// splitMetadata splits the errors about the metadata of an object, in the order of its fields, from those about embedded resources.
func splitMetadata(errs ErrorList, order []string) (own, embedded ErrorList) {
	own, embedded = split(errs, func(e *Error) bool { return e.metadataField() != "" })
	slices.SortStableFunc(own, func(a, b *Error) int {
		return cmp.Compare(slices.Index(order, a.metadataField()), slices.Index(order, b.metadataField()))
	})
	return own, embedded
}

// split splits a list in two: the errors for which first reports true, and all others.
func split(errs ErrorList, first func(*Error) bool) (a, b ErrorList) {
	for _, e := range errs {
		if first(e) {
			a = append(a, e)
		} else {
			b = append(b, e)
		}
	}
	return a, b
}

// metadataField returns the field of the object's metadata that an error is in, "" if it is elsewhere.
func (e *Error) metadataField() string {
	if len(e.Path) < 2 || e.Path[0].Name != "metadata" {
		return ""
	}
	return e.Path[1].Name
}

// orderOfNew and orderOfChanged have the fields of metadata in the order in which the API server validates them.
var (
	orderOfNew = []string{"generateName", "name", "namespace", "generation", "labels", "annotations", "ownerReferences", "finalizers", "managedFields"}

	orderOfChanged = []string{"finalizers", "resourceVersion", "generation", "name", "namespace", "uid", "creationTimestamp", "deletionTimestamp",
		"deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences", "managedFields"}
)

// withPathNames replaces the errors about the names of a new object by those of an update, in which a name only has to be a valid part of a
// path.
func withPathNames(errs ErrorList, metadata map[string]any) ErrorList {
	errs = slices.DeleteFunc(errs, func(e *Error) bool {
		field := e.metadataField()
		return (field == "name" || field == "generateName") && e.Type != ErrorTypeRequired
	})
	var names ErrorList
	for _, k := range [...]string{"generateName", "name"} {
		name := textOf(metadata, k)
		wrong := func(detail string) {
			names = append(names, &Error{Type: ErrorTypeInvalid, Field: "metadata." + k, Path: FieldPath("metadata", k), BadValue: name, Detail: detail})
		}
		if k == "name" && (name == "." || name == "..") {
			wrong("may not be '" + name + "'")
			continue
		}
		for _, part := range [...]string{"/", "%"} {
			if strings.Contains(name, part) {
				wrong("may not contain '" + part + "'")
			}
		}
	}
	return append(names, errs...)
}
