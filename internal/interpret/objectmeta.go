package interpret

import "time"

// objectMeta is what the rules for metadata read, as ObjectMeta in Kubernetes has it.
type objectMeta struct {
	Name, GenerateName, Namespace string
	ResourceVersion               string
	UID                           typedString
	Generation                    int64
	CreationTimestamp             time.Time
	DeletionTimestamp             *time.Time
	DeletionGracePeriodSeconds    *int64
	Labels, Annotations           map[string]string
	Finalizers                    []string
	OwnerReferences               []ownerReference
	ManagedFields                 []managedFieldsEntry
}

// typedString is a string that has a type of its own in Kubernetes, and therefore is printed as JSON.
type typedString string

// ownerReference is an owner, with the tags by which Kubernetes prints one.
type ownerReference struct {
	APIVersion         string      `json:"apiVersion"`
	Kind               string      `json:"kind"`
	Name               string      `json:"name"`
	UID                typedString `json:"uid"`
	Controller         *bool       `json:"controller,omitempty"`
	BlockOwnerDeletion *bool       `json:"blockOwnerDeletion,omitempty"`
}

type managedFieldsEntry struct {
	Operation                        typedString
	Manager, FieldsType, Subresource string
}

// newObjectMeta reads metadata. A field whose type differs from that in ObjectMeta counts as absent.
func newObjectMeta(v any) objectMeta {
	m := metadataMap(asMap(v))
	meta := objectMeta{
		Name: m.text("name"), GenerateName: m.text("generateName"), Namespace: m.text("namespace"),
		ResourceVersion: m.text("resourceVersion"), UID: typedString(m.text("uid")),
		DeletionTimestamp: m.time("deletionTimestamp"), DeletionGracePeriodSeconds: m.integer("deletionGracePeriodSeconds"),
		Labels: m.texts("labels"), Annotations: m.texts("annotations"),
	}
	if generation := m.integer("generation"); generation != nil {
		meta.Generation = *generation
	}
	if created := m.time("creationTimestamp"); created != nil {
		meta.CreationTimestamp = *created
	}
	for _, e := range m.list("finalizers") {
		name, _ := e.(string)
		meta.Finalizers = append(meta.Finalizers, name)
	}
	for _, e := range m.list("ownerReferences") {
		m := metadataMap(asMap(e))
		meta.OwnerReferences = append(meta.OwnerReferences, ownerReference{
			APIVersion: m.text("apiVersion"), Kind: m.text("kind"), Name: m.text("name"), UID: typedString(m.text("uid")),
			Controller: m.boolean("controller"), BlockOwnerDeletion: m.boolean("blockOwnerDeletion"),
		})
	}
	for _, e := range m.list("managedFields") {
		m := metadataMap(asMap(e))
		meta.ManagedFields = append(meta.ManagedFields, managedFieldsEntry{
			Operation: typedString(m.text("operation")), Manager: m.text("manager"), FieldsType: m.text("fieldsType"), Subresource: m.text("subresource"),
		})
	}
	return meta
}

// metadataMap is a part of metadata that is an object.
type metadataMap map[string]any

func asMap(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func (m metadataMap) text(k string) string {
	s, _ := m[k].(string)
	return s
}

func (m metadataMap) list(k string) []any {
	l, _ := m[k].([]any)
	return l
}

func (m metadataMap) texts(k string) map[string]string {
	values := asMap(m[k])
	texts := make(map[string]string, len(values))
	for name, v := range values {
		texts[name], _ = v.(string)
	}
	return texts
}

func (m metadataMap) boolean(k string) *bool {
	if b, ok := m[k].(bool); ok {
		return &b
	}
	return nil
}

func (m metadataMap) integer(k string) *int64 {
	switch v := m[k].(type) {
	case int64:
		return &v
	case float64:
		if i, ok := int64InJSON(v); ok {
			return &i
		}
	}
	return nil
}

func (m metadataMap) time(k string) *time.Time {
	text, ok := m[k].(string)
	if !ok {
		return nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil
	}
	return &t
}

// timeText returns a time as Kubernetes prints it, nil for none and for the zero time.
func timeText(t *time.Time) any {
	if t == nil || t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339)
}

// equalPointers reports whether two pointers are both nil or point to equal values.
func equalPointers[T any](a, b *T, equal func(T, T) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return equal(*a, *b)
}
