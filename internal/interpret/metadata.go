package interpret

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/prune-gen/prune-gen/internal/kubenames"
	"github.com/prune-gen/prune-gen/internal/pruning"
	"github.com/prune-gen/prune-gen/internal/sorted"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// Fault is one thing that is wrong with an object, at its place.
type Fault struct {
	At *structural.Path
	// Field is the path that the API server prints: older ones leave out the index of an owner reference.
	Field    *structural.Path
	Type     prunert.ErrorType
	BadValue any
	Detail   string
}

func newFault(at *structural.Path, typ prunert.ErrorType, value any, detail string) Fault {
	return Fault{At: at, Field: at, Type: typ, BadValue: value, Detail: detail}
}

// ValidateMetadata returns everything that is wrong with the values of metadata, in obj, which is the root of a resource,
// and in the resources that s embeds in it; nil if nothing is. The object is new if old is nil, and takes the place of old
// otherwise. The API server comes to this with objects that have a name, generated or not, and the namespace of the request.
func (w *Work) ValidateMetadata(obj, old map[string]any, s *structural.JSONSchema, namespaced bool) prunert.ErrorList {
	c := newObjectErrors(&Work{Kubernetes: w.Kubernetes})
	m := metadataRules{by: w.Kubernetes, report: func(f Fault) { c.addAs(f.Field, f.Type, f.At, f.BadValue, f.Detail) }}
	at := (*structural.Path)(nil).Metadata()
	if meta := newObjectMeta(obj["metadata"]); old == nil {
		m.created(meta, objectNames, namespaced, at)
	} else {
		m.updated(meta, newObjectMeta(old["metadata"]), at)
	}
	eachWrittenResource(obj, s, nil, m.embedded)
	return c.sorted()
}

// ObjectMetaFaults calls report for everything that is wrong with the values of meta, apart from the names in it, which stands
// at the given path, as a version of the API server has it. What has another type than ObjectMeta says counts as absent.
func ObjectMetaFaults(meta map[string]any, at *structural.Path, by kubeversion.Version, report func(Fault)) {
	m := metadataRules{report: report, by: by}
	read := newObjectMeta(meta)
	m.common(read, at)
	m.finalizers(read.Finalizers, at.Child("finalizers"))
}

// ResourceFaults calls report for everything that is wrong with apiVersion, kind and metadata of the resources in v, which is of
// the schema s and stands at the given path: the first value that has the wrong type, or else all values that are wrong. They are
// those of a version of the API server.
func ResourceFaults(v any, s *structural.Schema, at *structural.Path, by kubeversion.Version, report func(Fault)) {
	wrongType := false
	eachResource(v, s, at, func(v map[string]any, at *structural.Path) {
		if !wrongType {
			wrongType = resourceTypes(v, at, report)
		}
	})
	if wrongType {
		return
	}
	m := metadataRules{report: report, by: by}
	eachResource(v, s, at, func(v map[string]any, at *structural.Path) {
		m.typeMeta(v, at)
		m.embedded(v, at)
	})
}

// resourceTypes reports the first value of apiVersion, kind and metadata that has the wrong type, and whether there is one.
func resourceTypes(v map[string]any, at *structural.Path, report func(Fault)) bool {
	for _, k := range []string{"apiVersion", "kind"} {
		if e, ok := v[k]; ok {
			if _, isString := e.(string); !isString {
				report(newFault(at.Child(k), prunert.ErrorTypeInvalid, e, "must be a string"))
				return true
			}
		}
	}
	if v["metadata"] == nil {
		return false
	}
	wrong := checker{found: checkMetadata(v["metadata"], pruning.ObjectMeta(), nil)}
	errs := sortErrorList(wrong.list())
	if len(errs) == 0 {
		return false
	}
	report(newFault(at.Child("metadata"), prunert.ErrorTypeInvalid, v["metadata"], errs[0].Detail))
	return true
}

// eachResource calls f for the resources in v, which has the schema s.
func eachResource(v any, s *structural.Schema, at *structural.Path, f func(map[string]any, *structural.Path)) {
	if s == nil {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if s.XEmbeddedResource {
			f(v, at)
		}
		for _, k := range sorted.Keys(v) {
			if p := s.Properties[k]; p != nil {
				eachResource(v[k], p, at.Child(k), f)
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

// eachWrittenResource is eachResource for a schema as written.
func eachWrittenResource(v any, s *structural.JSONSchema, at *structural.Path, f func(map[string]any, *structural.Path)) {
	if s == nil {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if s.XEmbeddedResource {
			f(v, at)
		}
		for _, k := range sorted.Keys(v) {
			if child := s.Properties[k]; child != nil {
				eachWrittenResource(v[k], child, at.Child(k), f)
			} else if ap := s.AdditionalProperties; ap != nil {
				eachWrittenResource(v[k], ap.Schema, at.Key(k), f)
			}
		}
	case []any:
		if s.Items != nil {
			for i, e := range v {
				eachWrittenResource(e, s.Items.Schema, at.Index(i), f)
			}
		}
	}
}

// metadataRules are the rules for the values of metadata, as k8s.io/apimachinery/pkg/api/validation has them.
type metadataRules struct {
	report func(Fault)
	by     kubeversion.Version // of the API server
}

func (m metadataRules) invalid(at *structural.Path, value any, detail string) {
	m.report(newFault(at, prunert.ErrorTypeInvalid, value, detail))
}

func (m metadataRules) required(at *structural.Path, detail string) {
	m.report(newFault(at, prunert.ErrorTypeRequired, "", detail))
}

func (m metadataRules) tooLong(at *structural.Path, most int64) {
	m.report(newFault(at, prunert.ErrorTypeTooLong, "<value omitted>", kubenames.TooLong(most)))
}

// names returns what is wrong with the name of a resource, or with the beginning of one that is to be generated.
type names func(name string, prefix bool) []string

// objectNames are the names of objects, which are DNS subdomains.
func objectNames(name string, prefix bool) []string {
	if prefix {
		name = kubenames.MaskDash(name)
	}
	return kubenames.Subdomain(name)
}

// embeddedNames are the names of embedded resources, which are parts of a URL.
func embeddedNames(name string, prefix bool) []string {
	wrong := kubenames.PathSegment(name)
	if prefix { // may be one dot or two, to which more is added
		wrong = slices.DeleteFunc(wrong, func(s string) bool { return !strings.HasPrefix(s, "may not contain") })
	}
	return wrong
}

// typeMeta checks apiVersion and kind of an embedded resource.
func (m metadataRules) typeMeta(v map[string]any, at *structural.Path) {
	check := func(k string, wrong func(string) string) {
		e, found := v[k]
		text, isString := e.(string)
		switch {
		case !found:
			detail := ""
			if !m.by.Has(kubeversion.PlainTexts) {
				detail = "must not be empty"
			}
			m.required(at.Child(k), detail)
		case !isString:
			m.invalid(at.Child(k), e, "must be a string")
		case text == "":
			m.invalid(at.Child(k), "", "must not be empty")
		case wrong(text) != "":
			m.invalid(at.Child(k), text, wrong(text))
		}
	}
	check("apiVersion", func(s string) string { _, _, wrong := kubenames.ParseAPIVersion(s); return wrong })
	check("kind", kubenames.Kind)
}

// embedded checks the metadata of an embedded resource, which counts as new in every object and needs no name.
func (m metadataRules) embedded(v map[string]any, at *structural.Path) {
	if _, ok := v["metadata"]; !ok {
		return
	}
	meta := newObjectMeta(v["metadata"])
	if meta.Name == "" {
		meta.Name = "fakename" // Kubernetes puts one there, too
	}
	m.created(meta, embeddedNames, meta.Namespace != "", at.Metadata())
}

// created checks the metadata of a new resource.
func (m metadataRules) created(meta objectMeta, wrong names, namespaced bool, at *structural.Path) {
	if meta.GenerateName != "" {
		m.each(at.Child("generateName"), meta.GenerateName, wrong(meta.GenerateName, true))
	}
	if meta.Name == "" {
		m.required(at.Child("name"), "name or generateName is required")
	} else {
		m.each(at.Child("name"), meta.Name, wrong(meta.Name, false))
	}
	switch {
	case !namespaced && meta.Namespace != "":
		m.report(newFault(at.Child("namespace"), prunert.ErrorTypeForbidden, "", "not allowed on this type"))
	case namespaced && meta.Namespace == "":
		m.required(at.Child("namespace"), "")
	case namespaced:
		m.each(at.Child("namespace"), meta.Namespace, kubenames.Namespace(meta.Namespace))
	}
	m.generation(meta, at)
	m.common(meta, at)
	m.finalizers(meta.Finalizers, at.Child("finalizers"))
}

// updated checks metadata that replaces other metadata. The API server does not check names and finalizers again.
func (m metadataRules) updated(meta, old objectMeta, at *structural.Path) {
	if old.DeletionTimestamp != nil {
		m.noNewFinalizers(meta.Finalizers, old.Finalizers, at.Child("finalizers"))
	}
	if meta.ResourceVersion == "" {
		m.invalid(at.Child("resourceVersion"), "", "must be specified for an update")
	}
	if m.by.Has(kubeversion.DeclaredMetadata) {
		m.generation(meta, at)
	}
	if meta.Generation < old.Generation {
		m.invalid(at.Child("generation"), meta.Generation, "must not be decremented")
	}
	immutable := func(k string, same bool, value any) {
		if !same {
			m.invalid(at.Child(k), value, "field is immutable")
		}
	}
	immutable("name", meta.Name == old.Name, meta.Name)
	immutable("namespace", meta.Namespace == old.Namespace, meta.Namespace)
	immutable("uid", meta.UID == old.UID, meta.UID)
	immutable("creationTimestamp", meta.CreationTimestamp.Equal(old.CreationTimestamp), timeText(&meta.CreationTimestamp))
	immutable("deletionTimestamp", equalPointers(meta.DeletionTimestamp, old.DeletionTimestamp, time.Time.Equal), timeText(meta.DeletionTimestamp))
	sameSeconds := equalPointers(meta.DeletionGracePeriodSeconds, old.DeletionGracePeriodSeconds, func(a, b int64) bool { return a == b })
	immutable("deletionGracePeriodSeconds", sameSeconds, meta.DeletionGracePeriodSeconds)
	m.common(meta, at)
}

// each reports every detail about a value.
func (m metadataRules) each(at *structural.Path, value string, details []string) {
	for _, detail := range details {
		m.invalid(at, value, detail)
	}
}

// beforeLabelKeys writes details of names as servers did before kubeversion.LabelKeys.
var beforeLabelKeys = strings.NewReplacer("a valid label key must", "a qualified name must", " bytes", " characters")

// label reports every detail about the key or the value of a label, or what must look like one. Details do not quote the value.
func (m metadataRules) label(at *structural.Path, value string, details []string) {
	if !m.by.Has(kubeversion.LabelKeys) {
		for i, detail := range details {
			details[i] = beforeLabelKeys.Replace(detail)
		}
	}
	m.each(at, value, details)
}

func (m metadataRules) generation(meta objectMeta, at *structural.Path) {
	if meta.Generation < 0 {
		m.invalid(at.Child("generation"), meta.Generation, "must be greater than or equal to 0")
	}
}

// common checks what is the same for new metadata and for changed metadata.
func (m metadataRules) common(meta objectMeta, at *structural.Path) {
	for _, k := range sorted.Keys(meta.Labels) {
		m.label(at.Child("labels"), k, kubenames.LabelKey(k))
		m.label(at.Child("labels"), meta.Labels[k], kubenames.LabelValue(meta.Labels[k]))
	}
	size := 0
	for _, k := range sorted.Keys(meta.Annotations) {
		m.label(at.Child("annotations"), k, kubenames.LabelKey(strings.ToLower(k)))
		size += len(k) + len(meta.Annotations[k])
	}
	const maxAnnotations = 256 << 10
	if size > maxAnnotations {
		m.tooLong(at.Child("annotations"), maxAnnotations)
	}
	m.ownerReferences(meta.OwnerReferences, at.Child("ownerReferences"))
	m.managedFields(meta.ManagedFields, at.Child("managedFields"))
}

func (m metadataRules) ownerReferences(all []ownerReference, at *structural.Path) {
	controller := ""
	for i, owner := range all {
		m.ownerReference(owner, at, i)
		if owner.Controller == nil || !*owner.Controller {
			continue
		}
		name := owner.Kind + "/" + owner.Name
		if controller != "" {
			m.invalid(at, all, fmt.Sprintf("Only one reference can have Controller set to true. Found \"true\" in references for %s and %s",
				controller, name))
		} else {
			controller = name
		}
	}
}

func (m metadataRules) ownerReference(owner ownerReference, list *structural.Path, i int) {
	at, field := list.Index(i), list.Index(i)
	declared := m.by.Has(kubeversion.DeclaredMetadata)
	if !declared {
		field = list
	}
	missing := func(name string, value any) {
		f := Fault{at.Child(name), field.Child(name), prunert.ErrorTypeInvalid, value, "must not be empty"}
		switch {
		case declared:
			f.Type = prunert.ErrorTypeRequired
		case name == "apiVersion":
			f.Detail = "version must not be empty"
		case !m.by.Has(kubeversion.PlainTexts):
			f.Detail = name + " must not be empty"
		}
		m.report(f)
	}
	group, version, wrong := kubenames.ParseAPIVersion(owner.APIVersion)
	switch isWrong := owner.APIVersion != "" && (wrong != "" || version == ""); {
	case isWrong && declared:
		m.invalid(at.Child("apiVersion"), owner.APIVersion, "must be <group>/<version> or <version>")
	case isWrong:
		missing("apiVersion", owner.APIVersion)
	}
	for _, f := range []struct{ name, value string }{
		{"apiVersion", owner.APIVersion}, {"kind", owner.Kind}, {"name", owner.Name}, {"uid", string(owner.UID)},
	} {
		if f.value == "" {
			missing(f.name, "")
		}
	}
	if group == "" && version == "v1" && owner.Kind == "Event" {
		m.report(Fault{at, field, prunert.ErrorTypeInvalid, owner, "/v1, Kind=Event is disallowed from being an owner"})
	}
}

func (m metadataRules) finalizers(all []string, at *structural.Path) {
	for _, name := range all {
		m.label(at, name, kubenames.LabelKey(name))
	}
	if slices.Contains(all, "orphan") && slices.Contains(all, "foregroundDeletion") {
		m.invalid(at, all, "finalizer orphan and foregroundDeletion cannot be both set")
	}
}

// noNewFinalizers checks the finalizers of an object that is being deleted.
func (m metadataRules) noNewFinalizers(all, old []string, at *structural.Path) {
	before := map[string]bool{}
	for _, name := range old {
		before[name] = true
	}
	added := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return before[name] })
	if len(added) > 0 {
		slices.Sort(added)
		m.report(newFault(at, prunert.ErrorTypeForbidden, "", fmt.Sprintf(
			"no new finalizers can be added if the object is being deleted, found new finalizers %#v", slices.Compact(added))))
	}
}

func (m metadataRules) managedFields(all []managedFieldsEntry, at *structural.Path) {
	for i, entry := range all {
		at := at.Index(i)
		switch {
		case entry.Operation == "Apply" || entry.Operation == "Update":
		case !m.by.Has(kubeversion.DeclaredMetadata):
			m.invalid(at.Child("operation"), entry.Operation, "must be `Apply` or `Update`")
		case entry.Operation == "":
			m.required(at.Child("operation"), "must not be empty")
		default:
			m.report(newFault(at.Child("operation"), prunert.ErrorTypeNotSupported, entry.Operation, `supported values: "Apply", "Update"`))
		}
		if entry.FieldsType != "" && entry.FieldsType != "FieldsV1" {
			m.invalid(at.Child("fieldsType"), entry.FieldsType, "must be `FieldsV1`")
		}
		if len(entry.Manager) > 128 {
			m.tooLong(at.Child("manager"), 128)
		}
		for i, r := range entry.Manager {
			if !unicode.IsPrint(r) {
				m.invalid(at.Child("manager"), entry.Manager, fmt.Sprintf("invalid character %#U (at position %d)", r, i))
			}
		}
		if len(entry.Subresource) > 256 {
			m.tooLong(at.Child("subresource"), 256)
		}
	}
}
