package manifest

import (
	"fmt"
	"slices"

	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// The API server names labels and annotations, but not which of them is wrong: it only prints the key or the value.

// metaMap returns what the entries of the map at a path are called. It is false for anything but labels and annotations.
func metaMap(at prunert.Path) (string, bool) {
	if n := len(at); n >= 2 && at[n-2].Name == "metadata" {
		switch at[n-1].Name {
		case "labels":
			return "label", true
		case "annotations":
			return "annotation", true
		}
	}
	return "", false
}

// maxEntries is how many labels with the same wrong value are reported.
const maxEntries = 10

// entries returns errors in which those about labels and annotations have their paths. The server says once what is wrong with a value,
// however many labels have it.
func (a *Answer) entries(errs prunert.ErrorList) prunert.ErrorList {
	with := map[string]map[string][]string{} // the keys of entries by their values, by the path of the map
	var all prunert.ErrorList
	for _, e := range errs {
		bad, isText := e.BadValue.(string)
		if _, ok := metaMap(e.Path); !ok || !isText {
			all = append(all, e)
			continue
		}
		keys := []string{bad}
		if !isAboutKey(e) {
			path := e.Path.String()
			if with[path] == nil {
				with[path] = keysByValue(a.find(e.Path).node)
			}
			keys = with[path][bad]
		}
		if len(keys) == 0 {
			all = append(all, e)
		}
		for _, key := range keys[:min(len(keys), maxEntries)] {
			placed := *e
			placed.Path = append(e.Path[:len(e.Path):len(e.Path)], prunert.FieldPath(key)...)
			all = append(all, &placed)
		}
	}
	return all
}

// isAboutKey reports whether an error about a label or an annotation is about its key. The server does not validate the values of
// annotations.
func isAboutKey(e *prunert.Error) bool {
	bad, _ := e.BadValue.(string)
	what, _ := metaMap(e.Path)
	return what == "annotation" || slices.Contains(kubenames.LabelKey(bad), e.Detail)
}

// keysByValue returns the keys of the entries of a map by their values.
func keysByValue(n *yamltext.Node) map[string][]string {
	keys := map[string][]string{}
	for i := range n.Entries {
		value := n.Entries[i].Value.Str()
		keys[value] = append(keys[value], n.Entries[i].Key)
	}
	return keys
}

// entryHint names the label or the annotation whose value is wrong, "" for another error.
func entryHint(e *prunert.Error) string {
	last := len(e.Path) - 1
	if last < 0 {
		return ""
	}
	if what, ok := metaMap(e.Path[:last]); ok && e.BadValue != e.Path[last].Name {
		return fmt.Sprintf("it is the value of the %s %s", what, yamltext.Shorten(e.Path[last].Name))
	}
	return ""
}
