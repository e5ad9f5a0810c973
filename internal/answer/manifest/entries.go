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
func (a *Judged) entries(errs prunert.ErrorList) prunert.ErrorList {
	with := map[string]map[string][]string{} // the keys of entries by their values, by the path of the map
	var all prunert.ErrorList
	count := countBad(errs)
	for _, e := range errs {
		bad, isText := e.BadValue.(string)
		if _, ok := metaMap(e.Path); !ok || !isText {
			all = append(all, e)
			continue
		}
		keys := []string{bad}
		if in := a.find(e.Path).node; !isAboutKey(e, in, count[badEntry{e.Path.String(), bad}]) {
			path := e.Path.String()
			if with[path] == nil {
				with[path] = keysByValue(in)
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

// isAboutKey reports whether an error about an entry of a map, a label or an annotation, is about its key. The server does not validate the
// values of annotations. errors is how many errors about the map there are with the same text: if there are more than the key has, a label has the value, too, and
// the wording tells which one is meant.
func isAboutKey(e *prunert.Error, in *yamltext.Node, errors int) bool {
	bad, _ := e.BadValue.(string)
	if what, _ := metaMap(e.Path); what == "annotation" {
		return true
	}
	wrong := kubenames.LabelKey(bad)
	return in.Get(bad) != nil && len(wrong) > 0 && (errors == len(wrong) || slices.Contains(wrong, e.Detail))
}

// badEntry is a text that is wrong as a key or a value of a map.
type badEntry struct{ path, text string }

// countBad returns how many errors there are about each text.
func countBad(errs prunert.ErrorList) map[badEntry]int {
	count := map[badEntry]int{}
	for _, e := range errs {
		if bad, ok := e.BadValue.(string); ok {
			count[badEntry{e.Path.String(), bad}]++
		}
	}
	return count
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
