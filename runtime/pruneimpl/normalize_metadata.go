package pruneimpl

import (
	"strings"
	"time"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// NormalizeRoot normalizes what every object has: apiVersion, kind and metadata.
func NormalizeRoot(obj map[string]any, rec *Recorder) int { return normalizeResource(obj, rec, true) }

// NormalizeRootTwice does the same for an object whose schema calls it an embedded resource, too. The API server then reads
// its metadata twice, and names what is unknown in it twice.
func NormalizeRootTwice(obj map[string]any, rec *Recorder) int {
	rec.rootTwice = true
	return NormalizeRoot(obj, rec)
}

// NormalizeEmbedded normalizes what every embedded resource has: apiVersion, kind and metadata.
func NormalizeEmbedded(obj map[string]any, rec *Recorder) int {
	return normalizeResource(obj, rec, false)
}

func normalizeResource(obj map[string]any, rec *Recorder, root bool) (n int) {
	lenient := rec.mode == prunert.FromStorage && !root
	for _, name := range [...]string{"apiVersion", "kind"} {
		v, ok := obj[name]
		switch s, isString := v.(string); {
		case !ok:
		case !isString && lenient:
			delete(obj, name)
		case !isString:
			n += rec.Field(name, rec.fault(fault{kind: faultTypeMeta, value: v, text: "must be a string"}))
		case root && name == "apiVersion" && strings.Count(s, "/") > 1:
			n += rec.Field(name, rec.fault(fault{kind: faultTypeMeta, value: v, text: "unexpected GroupVersion string"}))
		}
	}
	v, ok := obj["metadata"]
	metadata, isObject := v.(map[string]any)
	switch {
	case !ok:
		return n
	case v == nil, isObject && metadata == nil:
		metadata = map[string]any{}
		obj["metadata"] = metadata
	case isObject:
		n += rec.metadata(normalizeObjectMeta(metadata, rec))
	case lenient: // the API server leaves it as it is
		return n
	default:
		return n + rec.metadata(CheckType(v, rec, TypeObject))
	}
	if root && rec.mode == prunert.FromStorage && metadata["generation"] == nil {
		metadata["generation"] = int64(1) // as the API server repairs objects that are older than the field
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
			if !rec.refused(meta, k, CheckType(v, rec, TypeString|TypeNull), more, &n) && (v == nil || v == "") {
				delete(meta, k)
			}
		case "generation", "deletionGracePeriodSeconds":
			if rec.refused(meta, k, CheckType(v, rec, TypeInt64|TypeNull), more, &n) {
				continue
			}
			if i, ok := asInt64(v); v == nil || ok && i == 0 && k == "generation" {
				delete(meta, k)
			} else if !ok {
				continue
			} else if _, isInteger := v.(int64); !isInteger {
				meta[k] = i
			}
		case "creationTimestamp", "deletionTimestamp":
			if !rec.refused(meta, k, CheckType(v, rec, TypeTime|TypeNull), more, &n) {
				normalizeTime(meta, k, v, k == "creationTimestamp")
			}
		case "annotations", "labels":
			if rec.refused(meta, k, CheckValues(v, rec, TypeObject|TypeNull, TypeString|TypeNull), more, &n) {
				continue
			}
			values, ok := v.(map[string]any)
			if len(values) == 0 && (ok || v == nil) {
				delete(meta, k)
			}
			for name, value := range values {
				if value == nil {
					values[name] = ""
				}
			}
		case "finalizers":
			if rec.refused(meta, k, CheckElements(v, rec, TypeArray|TypeNull, TypeString|TypeNull), more, &n) {
				continue
			}
			list, ok := v.([]any)
			if len(list) == 0 && (ok || v == nil) {
				delete(meta, k)
			}
			for i, value := range list {
				if value == nil {
					list[i] = ""
				}
			}
		case "ownerReferences":
			if !rec.refused(meta, k, CheckEach(v, rec, TypeArray|TypeNull, checkObjectMetaOwnerReferencesItem), more, &n) {
				n += rec.Field(k, PruneEach(v, rec, pruneObjectMetaOwnerReferencesItem))
				normalizeList(meta, k, v, normalizeOwner)
			}
		case "managedFields":
			if !rec.refused(meta, k, CheckEach(v, rec, TypeArray|TypeNull, checkObjectMetaManagedFieldsItem), more, &n) {
				n += rec.Field(k, PruneEach(v, rec, pruneObjectMetaManagedFieldsItem))
				normalizeList(meta, k, v, normalizeManagedFields)
			}
		default:
			delete(meta, k)
			n += rec.Drop(k)
		}
	}
	return n
}

// refused reports whether the field k of metadata has the wrong type: its check has recorded events, or has counted more events beyond the
// limits than before. They are added to n or, if the object comes from storage, forgotten together with the field.
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

// normalizeList normalizes the objects in a list, in which null is an empty object. A field without elements is left out.
func normalizeList(meta map[string]any, k string, v any, normalize func(map[string]any)) {
	list, ok := v.([]any)
	if len(list) == 0 && (ok || v == nil) {
		delete(meta, k)
	}
	for i, e := range list {
		entry, ok := e.(map[string]any)
		if entry == nil && (ok || e == nil) {
			ok, entry = true, map[string]any{}
			list[i] = entry
		}
		if ok {
			normalize(entry)
		}
	}
}

// normalizeOwner gives an element of ownerReferences the fields that OwnerReference always has.
func normalizeOwner(owner map[string]any) {
	for _, k := range [...]string{"apiVersion", "kind", "name", "uid"} {
		if owner[k] == nil {
			owner[k] = ""
		}
	}
	DropNulls(owner, "blockOwnerDeletion", "controller")
}

// normalizeManagedFields drops the fields that ManagedFieldsEntry leaves out from an element of managedFields.
func normalizeManagedFields(entry map[string]any) {
	for k, v := range entry {
		switch {
		case v == nil, v == "" && k != "fieldsV1":
			delete(entry, k)
		case k == "time":
			normalizeTime(entry, k, v, false)
		case k == "fieldsV1":
			if w, changed := normalizeNumbers(v, 0); changed {
				entry[k] = w
			}
		}
	}
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

// asTime returns v as a time, if it is one.
func asTime(v any) (time.Time, bool) {
	s, ok := v.(string)
	if !ok {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, s)
	return t, err == nil
}

// normalizeTime writes a time as Kubernetes does: in UTC, without fractions. The zero time is null, or, where it can be left
// out, absent.
func normalizeTime(obj map[string]any, k string, v any, omitZero bool) {
	if s, ok := v.(string); ok && isUTC(s) && s >= "0002" {
		return // as nearly all are
	}
	switch t, ok := asTime(v); {
	case v == nil, ok && t.IsZero() && omitZero:
		delete(obj, k)
	case !ok: // what no decoder makes
	case t.IsZero():
		obj[k] = nil
	default:
		obj[k] = t.UTC().Format(time.RFC3339)
	}
}
