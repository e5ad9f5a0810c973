package prunert

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"time"
)

// metadataOf returns the metadata of an object, nil if it has none.
func metadataOf(obj map[string]any) map[string]any {
	metadata, _ := obj["metadata"].(map[string]any)
	return metadata
}

// withMetadata returns the metadata of an object, which it adds if there is none.
func withMetadata(obj map[string]any) map[string]any {
	metadata := metadataOf(obj)
	if metadata == nil {
		metadata = map[string]any{}
		obj["metadata"] = metadata
	}
	return metadata
}

// textOf returns the string in a field of metadata, "" if there is none.
func textOf(metadata map[string]any, k string) string {
	s, _ := metadata[k].(string)
	return s
}

// take sets a field of metadata to its value in the old metadata.
func take(metadata, old map[string]any, k string) {
	if v, ok := old[k]; ok {
		metadata[k] = v
	} else {
		delete(metadata, k)
	}
}

// prepareMetadata changes the metadata of a new object as the API server does before it validates it.
func (r *Resource) prepareMetadata(metadata map[string]any, req *Request, a *Answer) *Refusal {
	for _, k := range [...]string{"creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "managedFields"} {
		delete(metadata, k)
	}
	if refusal := r.setNamespace(metadata, nil, req); refusal != nil {
		return refusal
	}
	a.dropRepeatedOwners(metadata)
	if req.Now != nil {
		metadata["creationTimestamp"] = time.Unix(req.Now(), 0).UTC().Format(time.RFC3339)
	}
	if req.NewUID != nil {
		metadata["uid"] = req.NewUID()
	}
	if base := textOf(metadata, "generateName"); base != "" && textOf(metadata, "name") == "" {
		metadata["name"] = req.generateName(base)
	}
	metadata["generation"] = int64(1)
	return nil
}

// setNamespace gives an object the namespace of the request. It refuses an object with another one.
func (r *Resource) setNamespace(metadata, old map[string]any, req *Request) *Refusal {
	have, want := textOf(metadata, "namespace"), ""
	if r.Namespaced {
		want = req.Namespace
		for _, namespace := range [...]string{textOf(old, "namespace"), have, "default"} {
			if want == "" {
				want = namespace
			}
		}
	}
	switch {
	case have == want:
	case want == "":
		delete(metadata, "namespace")
	case have == "":
		metadata["namespace"] = want
	default:
		return badRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	return nil
}

// generateName returns a name that begins with base.
func (req *Request) generateName(base string) string {
	if req.GenerateName != nil {
		return req.GenerateName(base)
	}
	const (
		most    = 63
		random  = 5
		letters = "bcdfghjklmnpqrstvwxz2456789" // as in the API server: they spell no words
	)
	if len(base) > most-random {
		base = base[:most-random]
	}
	name := []byte(base)
	for range random {
		name = append(name, letters[rand.IntN(len(letters))])
	}
	return string(name)
}

// storeNew does what storage does to the metadata of a new object: it assigns versions, and accepts none.
func storeNew(metadata map[string]any) *Refusal {
	const k = "resourceVersion"
	if _, ok := metadata[k]; !ok {
		return nil
	}
	if version, err := strconv.ParseUint(textOf(metadata, k), 10, 64); err == nil && version != 0 {
		return internalError("resourceVersion should not be set on objects to be created")
	}
	delete(metadata, k)
	return nil
}

// matchOld checks that an object is the one to update, and that it was made from the stored version.
func (r *Resource) matchOld(obj, old map[string]any, name string, req *Request, a *Answer) *Refusal {
	metadata, before := withMetadata(obj), metadataOf(old)
	if refusal := r.setNamespace(metadata, before, req); refusal != nil {
		return refusal
	}
	switch have := textOf(metadata, "name"); {
	case have == "":
		return badRequest(fmt.Sprintf("the name of the object (%s based on URL) was undeterminable: name must be provided", name))
	case have != name:
		return badRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", have, name))
	}
	a.dropRepeatedOwners(metadata)
	if old == nil {
		return r.notFound(name)
	}
	if uid, was := textOf(metadata, "uid"), textOf(before, "uid"); uid != "" && uid != was {
		return r.conflict(name, fmt.Sprintf("StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: "+
			"Precondition failed: UID in precondition: %s, UID in object meta: %s", r.storageKey(textOf(before, "namespace"), name), uid, was))
	}
	return r.matchVersion(metadata, before, name)
}

// storageKey returns the key of an object in the storage of an API server that runs without --etcd-prefix.
func (r *Resource) storageKey(namespace, name string) string {
	key := "/registry/" + r.Group + "/" + r.Plural + "/"
	if r.Namespaced {
		key += namespace + "/"
	}
	return key + name
}

// matchVersion checks that an object was made from the stored version.
func (r *Resource) matchVersion(metadata, old map[string]any, name string) *Refusal {
	was := textOf(old, "resourceVersion")
	if was == "" {
		return nil // nobody stored it
	}
	is := textOf(metadata, "resourceVersion")
	version := uint64(0)
	if is != "" {
		var err error
		if version, err = strconv.ParseUint(is, 10, 64); err != nil {
			return internalError(err.Error())
		}
	}
	stored, _ := strconv.ParseUint(was, 10, 64)
	switch version {
	case 0:
		// The API server has the resource in place of the kind here.
		return invalid(r.Group, r.Plural, name, ErrorList{{
			Type: ErrorTypeInvalid, Field: "metadata.resourceVersion", Path: FieldPath("metadata", "resourceVersion"), BadValue: version, Detail: "must be specified for an update",
		}})
	case stored:
		return nil
	}
	return r.conflict(name, "the object has been modified; please apply your changes to the latest version and try again")
}

// prepareForUpdate changes an object as the API server does before it validates it and stores it in place of old.
func (r *Resource) prepareForUpdate(obj, old map[string]any) {
	metadata, before := withMetadata(obj), metadataOf(old)
	take(metadata, before, "managedFields")
	take(metadata, before, "generation")
	delete(metadata, "selfLink")
	if r.Status {
		take(obj, old, "status")
	}
	if !equalExceptMetadata(obj, old) {
		generation, _ := before["generation"].(int64)
		metadata["generation"] = generation + 1
	}
	keepSystemFields(metadata, before)
}

// keepSystemFields takes over what a client cannot change.
func keepSystemFields(metadata, old map[string]any) {
	if textOf(metadata, "uid") == "" {
		take(metadata, old, "uid")
	}
	for _, k := range [...]string{"creationTimestamp", "deletionTimestamp"} {
		if textOf(old, k) != "" {
			metadata[k] = old[k]
		}
	}
	const grace = "deletionGracePeriodSeconds"
	if _, ok := metadata[grace]; !ok {
		take(metadata, old, grace)
	}
}

// prepareForStatus replaces everything in an object except its status by what old has.
func prepareForStatus(obj, old map[string]any) {
	status, ok := obj["status"]
	clear(obj)
	maps.Copy(obj, old)
	if metadata := metadataOf(old); metadata != nil {
		obj["metadata"] = maps.Clone(metadata)
	}
	delete(obj, "status")
	if ok {
		obj["status"] = status
	}
}

// equalExceptMetadata reports whether two objects differ only in metadata, or not at all.
func equalExceptMetadata(a, b map[string]any) bool {
	count := func(obj map[string]any) int {
		if _, ok := obj["metadata"]; ok {
			return len(obj) - 1
		}
		return len(obj)
	}
	if count(a) != count(b) {
		return false
	}
	for k, v := range a {
		if k == "metadata" {
			continue
		}
		if other, ok := b[k]; !ok || !equalValues(v, other, 0) {
			return false
		}
	}
	return true
}

// equalValues reports whether two values are equal, numbers of two types never. What is nested too deep is not compared.
func equalValues(a, b any, depth int) bool {
	if depth > MaxDepth {
		return false
	}
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if other, ok := b[k]; !ok || !equalValues(v, other, depth+1) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i, v := range a {
			if !equalValues(v, b[i], depth+1) {
				return false
			}
		}
		return true
	case nil, bool, int64, float64, string:
		return a == b
	}
	return false
}
