package pruneimpl

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// validateRootMetadata validates the values of the metadata of an object as the API server does for custom resources. The object is
// new if old is nil, and replaces old otherwise. A value of the wrong type counts as absent: CheckMetadata reports it.
//
// In the API server, objects have a name, generated or not, and the namespace of the request at this point.
func validateRootMetadata(obj, old map[string]any, rec *Recorder, namespaced bool) int {
	meta, _ := obj["metadata"].(map[string]any)
	if old == nil {
		return rec.metadata(validateNewMeta(meta, rec, nameIsSubdomain, namespaced))
	}
	before, _ := old["metadata"].(map[string]any)
	return rec.metadata(validateChangedMeta(meta, before, rec))
}

// ValidateEmbeddedMetadata validates the values of the metadata of an embedded resource, which counts as new in every object
// and needs no name.
func ValidateEmbeddedMetadata(obj map[string]any, rec *Recorder) int {
	if _, ok := obj["metadata"]; !ok {
		return 0
	}
	meta, _ := obj["metadata"].(map[string]any)
	return rec.metadata(validateNewMeta(meta, rec, nameIsSegment, textOf(meta, "namespace") != ""))
}

// CheckMetadataValues returns the errors in the metadata of an object, as validateRootMetadata does, and of the resources in it, which the
// shape finds.
func CheckMetadataValues(obj, old map[string]any, namespaced bool, shape *Shape, by ...kubeversion.Version) prunert.ErrorList {
	r := borrow(by)
	defer r.giveBack()
	if validateRootMetadata(obj, old, r, namespaced)+shape.validateMetadata(obj, r) == 0 {
		return nil
	}
	return r.Errors()
}

// validateMetadata validates the metadata of the resources in a value.
func (s *Shape) validateMetadata(v any, rec *Recorder) (n int) {
	switch v := v.(type) {
	case map[string]any:
		if s.Resource {
			n += ValidateEmbeddedMetadata(v, rec)
		}
		for _, f := range s.Fields {
			if below, ok := v[f.Name]; ok {
				n += rec.Field(f.Name, f.Shape.validateMetadata(below, rec))
			}
		}
		if s.Values == nil {
			return n
		}
		for k, below := range v {
			if _, named := s.named(k); !named {
				n += rec.Key(k, s.Values.validateMetadata(below, rec))
			}
		}
	case []any:
		if s.Items == nil {
			return n
		}
		for i, e := range v {
			n += rec.Index(i, s.Items.validateMetadata(e, rec))
		}
	}
	return n
}

// nameRule says what names of resources must look like.
type nameRule uint8

const (
	nameIsSubdomain nameRule = iota // a DNS subdomain, in every object
	nameIsSegment                   // a part of a path, and not required, in embedded resources
)

// validateNewMeta validates metadata of an object that is created.
func validateNewMeta(meta map[string]any, rec *Recorder, names nameRule, namespaced bool) (n int) {
	if name := textOf(meta, "generateName"); name != "" {
		n += rec.Field("generateName", validateName(name, rec, names, true))
	}
	if name := textOf(meta, "name"); name != "" {
		n += rec.Field("name", validateName(name, rec, names, false))
	} else if names != nameIsSegment {
		n += rec.Field("name", rec.required("name or generateName is required"))
	}
	switch namespace := textOf(meta, "namespace"); {
	case namespaced && namespace == "":
		n += rec.Field("namespace", rec.required(""))
	case namespaced:
		n += rec.Field("namespace", validateNamespace(namespace, rec))
	case namespace != "":
		n += rec.Field("namespace", rec.given(prunert.ErrorTypeForbidden, "", "not allowed on this type"))
	}
	n += validateGeneration(meta, rec)
	n += validateMetaMaps(meta, rec)
	n += rec.Field("ownerReferences", validateOwners(listOf(meta, "ownerReferences"), rec))
	n += rec.Field("finalizers", validateFinalizers(listOf(meta, "finalizers"), rec))
	n += rec.Field("managedFields", validateManagedFields(listOf(meta, "managedFields"), rec))
	return n
}

// validateChangedMeta validates metadata that replaces other metadata. The API server does not look at names and
// finalizers again.
func validateChangedMeta(meta, old map[string]any, rec *Recorder) (n int) {
	if isDeleted(old) {
		n += rec.Field("finalizers", validateNoNewFinalizers(listOf(meta, "finalizers"), listOf(old, "finalizers"), rec))
	}
	if textOf(meta, "resourceVersion") == "" {
		n += rec.Field("resourceVersion", rec.wrong("", "must be specified for an update"))
	}
	if rec.Kubernetes.Has(kubeversion.DeclaredMetadata) {
		n += validateGeneration(meta, rec)
	}
	if now, _ := asInt64(meta["generation"]); now < generationOf(old) {
		n += rec.Field("generation", rec.wrong(now, "must not be decremented"))
	}
	for _, k := range [...]string{"name", "namespace", "uid"} {
		if now := textOf(meta, k); now != textOf(old, k) {
			var value any = now
			if k == "uid" {
				value = namedText(now)
			}
			n += rec.Field(k, rec.immutable(value))
		}
	}
	for _, k := range [...]string{"creationTimestamp", "deletionTimestamp"} {
		now, is := timeOf(meta, k)
		before, was := timeOf(old, k)
		if k == "creationTimestamp" {
			is, was = !now.IsZero(), !before.IsZero() // not a pointer in ObjectMeta
		}
		if is != was || is && !now.Equal(before) {
			n += rec.Field(k, rec.immutable(timeValue(now)))
		}
	}
	const grace = "deletionGracePeriodSeconds"
	now, is := asInt64(meta[grace])
	before, was := asInt64(old[grace])
	if is != was || now != before {
		var value any
		if is {
			value = now
		}
		n += rec.Field(grace, rec.immutable(value))
	}
	n += validateMetaMaps(meta, rec)
	n += rec.Field("ownerReferences", validateOwners(listOf(meta, "ownerReferences"), rec))
	n += rec.Field("managedFields", validateManagedFields(listOf(meta, "managedFields"), rec))
	return n
}

// given records an error that lacks only its field.
func (r *Recorder) given(typ prunert.ErrorType, value any, detail string) int {
	return r.fault(fault{kind: faultGiven, value: &prunert.Error{Type: typ, BadValue: value, Detail: detail}})
}

// ofOwner records an error in an owner reference that lacks nothing but its field.
func (r *Recorder) ofOwner(typ prunert.ErrorType, value any, detail string) int {
	return r.fault(fault{kind: faultOwner, value: &prunert.Error{Type: typ, BadValue: value, Detail: detail}})
}

func (r *Recorder) wrong(value any, detail string) int {
	return r.given(prunert.ErrorTypeInvalid, value, detail)
}

func (r *Recorder) required(detail string) int {
	return r.given(prunert.ErrorTypeRequired, "", detail)
}

func (r *Recorder) immutable(value any) int { return r.wrong(value, "field is immutable") }

func (r *Recorder) tooLong(most int) int {
	return r.given(prunert.ErrorTypeTooLong, "<value omitted>", fmt.Sprintf("may not be more than %d bytes", most))
}

// namedText is a string that the API server writes as JSON does, because it has a type of its own there.
type namedText string

// textOf returns the string that a field of metadata has, "" if it has none.
func textOf(meta map[string]any, k string) string {
	s, _ := meta[k].(string)
	return s
}

// listOf returns the list that a field of metadata has.
func listOf(meta map[string]any, k string) []any {
	list, _ := meta[k].([]any)
	return list
}

func timeOf(meta map[string]any, k string) (time.Time, bool) { return asTime(meta[k]) }

// timeValue returns a time as the API server writes it.
func timeValue(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339)
}

func isDeleted(meta map[string]any) bool {
	_, ok := timeOf(meta, "deletionTimestamp")
	return ok
}

func generationOf(meta map[string]any) int64 {
	i, _ := asInt64(meta["generation"])
	return i
}

func validateGeneration(meta map[string]any, rec *Recorder) int {
	if i := generationOf(meta); i < 0 {
		return rec.Field("generation", rec.wrong(i, "must be greater than or equal to 0"))
	}
	return 0
}

// validateMetaMaps validates labels and annotations.
func validateMetaMaps(meta map[string]any, rec *Recorder) (n int) {
	labels, _ := meta["labels"].(map[string]any)
	below := 0
	for k, v := range labels {
		below += validateQualifiedName(k, k, rec)
		if text, ok := v.(string); ok {
			below += validateLabelValue(text, rec)
		}
	}
	n += rec.Field("labels", below)

	annotations, _ := meta["annotations"].(map[string]any)
	below = 0
	size := 0
	for k, v := range annotations {
		if !isAnnotationKey(k) { // most of those are valid in lower case, but that costs
			below += validateQualifiedName(strings.ToLower(k), k, rec)
		}
		text, _ := v.(string)
		size += len(k) + len(text)
	}
	const most = 256 << 10
	if size > most {
		below += rec.tooLong(most)
	}
	return n + rec.Field("annotations", below)
}

// ownerReference is an owner as the API server writes it.
type ownerReference struct {
	APIVersion         string `json:"apiVersion"`
	Kind               string `json:"kind"`
	Name               string `json:"name"`
	UID                string `json:"uid"`
	Controller         *bool  `json:"controller,omitempty"`
	BlockOwnerDeletion *bool  `json:"blockOwnerDeletion,omitempty"`
}

// newOwner reads an owner.
func newOwner(v any) ownerReference {
	fields, _ := v.(map[string]any)
	flag := func(k string) *bool {
		b, ok := fields[k].(bool)
		if !ok {
			return nil
		}
		return &b
	}
	return ownerReference{
		APIVersion: textOf(fields, "apiVersion"), Kind: textOf(fields, "kind"), Name: textOf(fields, "name"), UID: textOf(fields, "uid"),
		Controller: flag("controller"), BlockOwnerDeletion: flag("blockOwnerDeletion"),
	}
}

// validateOwners validates owners: each by itself, and that at most one of them is the controller.
func validateOwners(list []any, rec *Recorder) (n int) {
	controller := -1
	var all []ownerReference
	for i, v := range list {
		n += rec.Index(i, validateOwner(v, rec))
		fields, _ := v.(map[string]any)
		if is, _ := fields["controller"].(bool); !is {
			continue
		}
		if controller < 0 {
			controller = i
			continue
		}
		if all == nil {
			for _, v := range list {
				all = append(all, newOwner(v))
			}
		}
		first, second := all[controller], all[i]
		n += rec.wrong(all, fmt.Sprintf("Only one reference can have Controller set to true. Found \"true\" in references for %s and %s",
			first.Kind+"/"+first.Name, second.Kind+"/"+second.Name))
	}
	return n
}

func validateOwner(v any, rec *Recorder) (n int) {
	fields, _ := v.(map[string]any)
	version := textOf(fields, "apiVersion")
	for _, k := range [...]string{"apiVersion", "kind", "name", "uid"} {
		if textOf(fields, k) == "" {
			typ, detail := missingInOwner(k, rec.Kubernetes)
			n += rec.Field(k, rec.ofOwner(typ, "", detail))
		}
	}
	if version != "" && (strings.Count(version, "/") > 1 || strings.HasSuffix(version, "/")) {
		detail := "must be <group>/<version> or <version>"
		if !rec.Kubernetes.Has(kubeversion.DeclaredMetadata) {
			_, detail = missingInOwner("apiVersion", rec.Kubernetes)
		}
		n += rec.Field("apiVersion", rec.ofOwner(prunert.ErrorTypeInvalid, version, detail))
	}
	if (version == "v1" || version == "/v1") && textOf(fields, "kind") == "Event" {
		n += rec.ofOwner(prunert.ErrorTypeInvalid, newOwner(v), "/v1, Kind=Event is disallowed from being an owner")
	}
	return n
}

// missingInOwner returns what a version of the API server says about a field that an owner reference lacks.
func missingInOwner(field string, by kubeversion.Version) (typ prunert.ErrorType, detail string) {
	switch {
	case by.Has(kubeversion.DeclaredMetadata):
		return prunert.ErrorTypeRequired, "must not be empty"
	case field == "apiVersion":
		return prunert.ErrorTypeInvalid, "version must not be empty"
	case by.Has(kubeversion.PlainTexts):
		return prunert.ErrorTypeInvalid, "must not be empty"
	}
	return prunert.ErrorTypeInvalid, field + " must not be empty"
}

// The two finalizers that contradict each other.
const (
	finalizerOrphan     = "orphan"
	finalizerForeground = "foregroundDeletion"
)

// textsOf returns the strings of a list; null is an empty one.
func textsOf(list []any) []string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i], _ = v.(string)
	}
	return texts
}

func validateFinalizers(list []any, rec *Recorder) (n int) {
	orphan, foreground := false, false
	for _, v := range list {
		name, _ := v.(string)
		n += validateQualifiedName(name, name, rec)
		orphan = orphan || name == finalizerOrphan
		foreground = foreground || name == finalizerForeground
	}
	if orphan && foreground {
		n += rec.wrong(textsOf(list), "finalizer "+finalizerOrphan+" and "+finalizerForeground+" cannot be both set")
	}
	return n
}

// validateNoNewFinalizers validates the finalizers of an object that is being deleted.
func validateNoNewFinalizers(list, old []any, rec *Recorder) int {
	if len(list) == 0 {
		return 0
	}
	before := map[string]bool{}
	for _, name := range textsOf(old) {
		before[name] = true
	}
	added := slices.DeleteFunc(textsOf(list), func(name string) bool { return before[name] })
	if len(added) == 0 {
		return 0
	}
	slices.Sort(added)
	return rec.given(prunert.ErrorTypeForbidden, "", fmt.Sprintf(
		"no new finalizers can be added if the object is being deleted, found new finalizers %#v", slices.Compact(added)))
}

func validateManagedFields(list []any, rec *Recorder) (n int) {
	for i, v := range list {
		entry, _ := v.(map[string]any)
		n += rec.Index(i, validateManagedFieldsEntry(entry, rec))
	}
	return n
}

func validateManagedFieldsEntry(entry map[string]any, rec *Recorder) (n int) {
	switch operation := textOf(entry, "operation"); {
	case operation == "Apply" || operation == "Update":
	case !rec.Kubernetes.Has(kubeversion.DeclaredMetadata):
		n += rec.Field("operation", rec.wrong(namedText(operation), "must be `Apply` or `Update`"))
	case operation == "":
		n += rec.Field("operation", rec.required("must not be empty"))
	default:
		n += rec.Field("operation", rec.given(prunert.ErrorTypeNotSupported, namedText(operation), `supported values: "Apply", "Update"`))
	}
	if kind := textOf(entry, "fieldsType"); kind != "" && kind != "FieldsV1" {
		n += rec.Field("fieldsType", rec.wrong(kind, "must be `FieldsV1`"))
	}
	n += rec.Field("manager", validateManager(textOf(entry, "manager"), rec))
	const most = 256
	if len(textOf(entry, "subresource")) > most {
		n += rec.Field("subresource", rec.tooLong(most))
	}
	return n
}

func validateManager(manager string, rec *Recorder) (n int) {
	const most = 128
	if len(manager) > most {
		n += rec.tooLong(most)
	}
	for i, r := range manager {
		if !unicode.IsPrint(r) {
			n += rec.wrong(manager, fmt.Sprintf("invalid character %#U (at position %d)", r, i))
		}
	}
	return n
}
