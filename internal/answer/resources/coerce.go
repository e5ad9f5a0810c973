package resources

import (
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Coerce does to an object that was converted to the version of a resource what the API server does: what the version does not specify goes,
// and so do nulls that it has no use for. Metadata of embedded resources is put into its form, or refused. No defaults are filled in.
func Coerce(r prunert.Resource, obj map[string]any) error {
	normal := jsonvalue.Copy(obj)
	if _, err := r.Normalize(normal, prunert.NormalizeOptions{}); err != nil {
		return err
	}
	settle(obj, normal)
	return nil
}

// settle makes a value what normalizing has made of its copy, except for defaults: what is not there is not filled in, and a null that
// normalizing has filled in stays null.
func settle(v, normal any) {
	switch v := v.(type) {
	case map[string]any:
		normal, _ := normal.(map[string]any)
		for k, e := range v {
			n, ok := normal[k]
			if !ok {
				delete(v, k)
				continue
			}
			if settled(k, e, n) {
				v[k] = n
			} else {
				settle(e, n)
			}
		}
	case []any:
		normal, _ := normal.([]any)
		for i, e := range v {
			if i < len(normal) {
				settle(e, normal[i])
			}
		}
	}
}

// settled reports whether the value of a field is as normalizing has made it: a value of metadata in another form, or null metadata.
func settled(field string, v, normal any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	case nil:
		metadata, ok := normal.(map[string]any)
		return field == "metadata" && ok && len(metadata) == 0
	}
	return true
}
