// Package restrict is the reference for projections: it follows the paths of a keep-list through JSON, and knows no types.
package restrict

import "strings"

// always are the paths that are kept without being listed.
var always = []string{
	"apiVersion", "kind", "metadata.name", "metadata.namespace", "metadata.uid", "metadata.resourceVersion", "metadata.generation", "metadata.labels",
	"metadata.creationTimestamp", "metadata.deletionTimestamp", "metadata.finalizers", "metadata.ownerReferences",
}

// List is a keep-list.
type List struct {
	Keep, Away []string // "" is everything
	IsMap      map[string]bool
}

// Object returns an object with what the list keeps.
func (l List) Object(obj map[string]any) map[string]any {
	kept, _ := l.restrict(obj, "")
	return kept.(map[string]any)
}

func (l List) restrict(v any, path string) (any, bool) {
	if covered(path, l.Away) || !covered(path, l.Keep) && !covered(path, always) && !leads(path, l.Keep) && !leads(path, always) {
		return nil, false
	}
	switch v := v.(type) {
	case map[string]any:
		kept := map[string]any{}
		for k, e := range v {
			at := strings.TrimPrefix(path+"."+k, ".")
			if l.IsMap[path] {
				at = path + "[*]"
			}
			if e, ok := l.restrict(e, at); ok {
				kept[k] = e
			}
		}
		return kept, true
	case []any:
		kept := []any{}
		for _, e := range v {
			if below, ok := l.restrict(e, path+"[]"); ok {
				e = below
			} else {
				e = emptied(e)
			}
			kept = append(kept, e)
		}
		return kept, true
	}
	return v, true
}

// emptied returns an element of a list of which only fields are kept: its schema has properties beside items.
func emptied(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return map[string]any{}
	case []any:
		empty := make([]any, len(v))
		for i, e := range v {
			empty[i] = emptied(e)
		}
		return empty
	}
	return v
}

// covered reports whether one of paths is path or leads to it.
func covered(path string, paths []string) bool {
	for _, p := range paths {
		if rest, ok := strings.CutPrefix(path, p); ok && (p == "" || rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// leads reports whether path leads to one of paths.
func leads(path string, paths []string) bool {
	for _, p := range paths {
		if covered(p, []string{path}) {
			return true
		}
	}
	return false
}
