package custom

import (
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// decodeClean decodes a document of the kind if there is nothing to drop from it and, if duplicates are reported, no duplicate key in it.
// All others are left to the delegate, which reports in the right order with the right texts.
func (d decoder) decodeClean(data []byte, defaults *schema.GroupVersionKind) (map[string]any, bool) {
	if !d.json {
		return nil, false
	}
	r, ok := d.codec.resourceOf(data, defaults)
	if !ok || r.DecodeJSON == nil || !clean(r, data, d.report) {
		return nil, false
	}
	obj, err := r.DecodeJSON(data)
	if err != nil || !r.Matches(obj) {
		return nil, false
	}
	return obj, true
}

// resourceOf returns the functions for a document: those of the version that is expected, else of the one that it begins with,
// as documents do that Go has encoded.
func (c *Codec) resourceOf(data []byte, defaults *schema.GroupVersionKind) (prunert.Resource, bool) {
	if defaults != nil && defaults.GroupKind() == c.Kind {
		r, ok := c.Resources[defaults.Version]
		return r, ok
	}
	rest, ok := cutPrefix(data, `{"apiVersion":"`, c.Kind.Group, "/")
	if !ok {
		return prunert.Resource{}, false
	}
	for version, r := range c.Resources {
		if _, ok := cutPrefix(rest, version, `","kind":"`, c.Kind.Kind, `"`); ok {
			return r, true
		}
	}
	return prunert.Resource{}, false
}

// cutPrefix cuts the texts from the beginning of data, one after the other.
func cutPrefix(data []byte, texts ...string) ([]byte, bool) {
	for _, text := range texts {
		if len(data) < len(text) || string(data[:len(text)]) != text {
			return nil, false
		}
		data = data[len(text):]
	}
	return data, true
}

// buffers hold the pruned copies of documents, of which only the length is needed.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxBuffer is the largest buffer that is kept.
const maxBuffer = 1 << 20

// clean reports whether there is nothing to drop from a document, and no duplicate in it where duplicates count.
func clean(r prunert.Resource, data []byte, duplicates bool) bool {
	if r.PruneJSON == nil || r.PruneJSONReport == nil {
		return false
	}
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	var out []byte
	var report prunert.JSONReport
	var err error
	if duplicates {
		out, report, err = r.PruneJSONReport((*buffer)[:0], data)
	} else {
		out, err = r.PruneJSON((*buffer)[:0], data)
	}
	if err == nil && cap(out) <= maxBuffer {
		*buffer = out
	}
	return err == nil && len(out) == len(data) && len(report.Dropped)+len(report.Duplicate) == 0
}
