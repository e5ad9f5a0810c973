package pruneimpl

import (
	"strings"
	"time"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// NormalizeRoot normalizes what every object has: apiVersion, kind and metadata.
func NormalizeRoot(obj map[string]any, rec *Recorder) (n int) {
	for _, name := range [...]string{"apiVersion", "kind"} {
		v, ok := obj[name]
		if !ok {
			continue
		}
		s, ok := v.(string)
		switch {
		case !ok:
			n += rec.Field(name, rec.fault(fault{kind: faultString, value: v}))
		case name == "apiVersion" && strings.Count(s, "/") > 1:
			n += rec.Field(name, rec.fault(fault{kind: faultGroupVersion, value: v}))
		}
	}
	switch metadata := obj["metadata"].(type) {
	case map[string]any:
		n += rec.metadata(normalizeObjectMeta(metadata, rec))
		if rec.mode == prunert.FromStorage && metadata["generation"] == nil {
			metadata["generation"] = int64(1) // as the API server mends objects that are older than the field
		}
	case nil:
		if _, ok := obj["metadata"]; !ok {
			break
		}
		empty := map[string]any{}
		if rec.mode == prunert.FromStorage {
			empty["generation"] = int64(1)
		}
		obj["metadata"] = empty
	default:
		n += rec.metadata(CheckType(metadata, rec, TypeObject)) // also when reading from storage
	}
	return n
}

// NormalizeRootTwice does the same for an object whose schema calls it an embedded resource, too. The API server then reads
// its metadata twice, and names what is unknown in it twice.
func NormalizeRootTwice(obj map[string]any, rec *Recorder) int {
	rec.rootTwice = true
	return NormalizeRoot(obj, rec)
}

// NormalizeEmbedded normalizes what every embedded resource has: apiVersion, kind and metadata.
func NormalizeEmbedded(obj map[string]any, rec *Recorder) (n int) {
	for _, name := range [...]string{"apiVersion", "kind"} {
		v, ok := obj[name]
		if _, isString := v.(string); isString || !ok {
			continue
		}
		if rec.mode == prunert.FromStorage {
			delete(obj, name)
		} else {
			n += rec.Field(name, rec.fault(fault{kind: faultString, value: v}))
		}
	}
	switch metadata := obj["metadata"].(type) {
	case map[string]any:
		n += rec.metadata(normalizeObjectMeta(metadata, rec))
	case nil:
		if _, ok := obj["metadata"]; ok {
			obj["metadata"] = map[string]any{}
		}
	default:
		if rec.mode != prunert.FromStorage { // where the API server leaves it as it is
			n += rec.metadata(CheckType(metadata, rec, TypeObject))
		}
	}
	return n
}

// normalizeObjectMeta makes of metadata what Kubernetes makes of it by decoding it into an ObjectMeta and encoding that:
// fields that ObjectMeta does not have are dropped, and so are those that it leaves out when they are empty; times are in
// UTC and integers are integers. A field of the wrong type is a fault, or is dropped alone when the object comes from
// storage.
func normalizeObjectMeta(meta map[string]any, rec *Recorder) (n int) {
	for k, v := range meta {
		more := rec.faults.more // a fault beyond the limits is counted and not recorded
		switch k {
		case "generateName", "name", "namespace", "resourceVersion", "selfLink", "uid":
			if s, ok := v.(string); ok {
				if s == "" {
					delete(meta, k)
				}
				continue
			}
			n += normalizeNull(meta, k, v, rec, TypeString)
		case "generation":
			if i, ok := asInt64(v); ok {
				if i == 0 {
					delete(meta, k)
				} else {
					setInt64(meta, k, v, i)
				}
				continue
			}
			n += normalizeNull(meta, k, v, rec, TypeInt64)
		case "deletionGracePeriodSeconds":
			if i, ok := asInt64(v); ok {
				setInt64(meta, k, v, i)
				continue
			}
			n += normalizeNull(meta, k, v, rec, TypeInt64)
		case "creationTimestamp", "deletionTimestamp":
			if isNormalTime(v) {
				continue
			}
			if t, ok := asTime(v); ok {
				setTime(meta, k, v, t, k == "creationTimestamp")
				continue
			}
			n += normalizeNull(meta, k, v, rec, TypeTime)
		case "annotations", "labels":
			if isNormalStringMap(v) || rec.refused(meta, k, checkObjectMetaAnnotations(v, rec), more, &n) {
				continue
			}
			values, _ := v.(map[string]any)
			if len(values) == 0 {
				delete(meta, k)
			}
			for name, value := range values {
				if value == nil {
					values[name] = ""
				}
			}
		case "finalizers":
			if rec.refused(meta, k, checkObjectMetaFinalizers(v, rec), more, &n) {
				continue
			}
			list, _ := v.([]any)
			if len(list) == 0 {
				delete(meta, k)
			}
			for i, value := range list {
				if value == nil {
					list[i] = ""
				}
			}
		case "ownerReferences":
			if isNormalList(v, isNormalOwner) || rec.refused(meta, k, checkObjectMetaOwnerReferences(v, rec), more, &n) {
				continue
			}
			list, _ := v.([]any)
			if len(list) == 0 {
				delete(meta, k)
				continue
			}
			n += rec.Field(k, pruneObjectMetaOwnerReferences(v, rec))
			for i, owner := range list {
				list[i] = normalizeOwner(owner)
			}
		case "managedFields":
			if isNormalList(v, isNormalManagedFields) || rec.refused(meta, k, checkObjectMetaManagedFields(v, rec), more, &n) {
				continue
			}
			list, _ := v.([]any)
			if len(list) == 0 {
				delete(meta, k)
				continue
			}
			n += rec.Field(k, pruneObjectMetaManagedFields(v, rec))
			for i, entry := range list {
				list[i] = normalizeManagedFields(entry)
			}
		default:
			delete(meta, k)
			n += rec.Drop(k)
		}
	}
	return n
}

// normalizeNull drops a null, and says what is wrong with any other value that is not of the wanted type.
func normalizeNull(meta map[string]any, k string, v any, rec *Recorder, want Type) (n int) {
	if v == nil {
		delete(meta, k)
		return 0
	}
	more := rec.faults.more
	rec.refused(meta, k, CheckType(v, rec, want), more, &n)
	return n
}

// refused reports whether the field k of metadata is of the wrong type, which is so where its check has recorded events, or
// has counted some beyond those that were more before. They are counted in n, or, when the object comes from storage,
// forgotten together with the field.
func (r *Recorder) refused(meta map[string]any, k string, events, more int, n *int) bool {
	if events == 0 && r.faults.more == more {
		return false
	}
	if r.mode == prunert.FromStorage {
		r.forget(events)
		r.faults.more = more
		delete(meta, k)
		r.fieldByField = true
	} else {
		*n += r.Field(k, events)
	}
	return true
}

// normalizeOwner returns an element of ownerReferences with the fields that OwnerReference always has.
func normalizeOwner(v any) any {
	owner, ok := v.(map[string]any)
	if !ok {
		owner = map[string]any{}
	}
	for _, k := range [...]string{"apiVersion", "kind", "name", "uid"} {
		if owner[k] == nil {
			owner[k] = ""
		}
	}
	for _, k := range [...]string{"blockOwnerDeletion", "controller"} {
		dropNull(owner, k)
	}
	return owner
}

// normalizeManagedFields returns an element of managedFields without what ManagedFieldsEntry leaves out.
func normalizeManagedFields(v any) any {
	entry, ok := v.(map[string]any)
	if !ok {
		return map[string]any{}
	}
	for k, v := range entry {
		switch {
		case v == nil || v == "":
			if k != "fieldsV1" || v == nil {
				delete(entry, k)
			}
		case k == "time":
			if t, ok := asTime(v); ok {
				setTime(entry, k, v, t, false)
			}
		case k == "fieldsV1":
			if w, changed := normalizeNumbers(v, 0); changed {
				entry[k] = w
			}
		}
	}
	return entry
}

// normalizeNumbers returns v with its numbers as they come out of JSON: whole ones are int64. It changes maps and lists in
// place, and reports whether v itself is another value.
func normalizeNumbers(v any, depth int) (w any, changed bool) {
	if depth > prunert.MaxDepth {
		return v, false
	}
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if w, changed := normalizeNumbers(e, depth+1); changed {
				v[k] = w
			}
		}
	case []any:
		for i, e := range v {
			if w, changed := normalizeNumbers(e, depth+1); changed {
				v[i] = w
			}
		}
	case float64:
		if i, ok := writtenInt64(v); ok {
			return i, true
		}
	}
	return v, false
}

func dropNull(obj map[string]any, k string) {
	if v, ok := obj[k]; ok && v == nil {
		delete(obj, k)
	}
}

// asInt64 returns v as an integer, if it is one.
func asInt64(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		return writtenInt64(v)
	}
	return 0, false
}

func setInt64(obj map[string]any, k string, v any, i int64) {
	if _, ok := v.(int64); !ok {
		obj[k] = i
	}
}

// asTime returns v as a time, if it is one.
func asTime(v any) (time.Time, bool) {
	s, ok := v.(string)
	if !ok {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, s)
	return t, err == nil
}

// setTime writes a time as Kubernetes does: in UTC, without fractions. The zero time is null, or, where it can be left
// out, absent.
func setTime(obj map[string]any, k string, v any, t time.Time, omitZero bool) {
	const canonical = len("2006-01-02T15:04:05Z")
	switch s := v.(string); {
	case t.IsZero() && omitZero:
		delete(obj, k)
	case t.IsZero():
		obj[k] = nil
	case len(s) != canonical || s[canonical-1] != 'Z':
		obj[k] = t.UTC().Format(time.RFC3339)
	}
}
