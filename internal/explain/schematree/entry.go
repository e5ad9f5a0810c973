package schematree

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/text/spelling"
	"github.com/prune-gen/prune-gen/structural"
)

// inner says where in a node the elements of a list or the values of a map begin.
type inner struct {
	step              string // [] or [*]
	typ, facts, rules int
}

// entry returns the value of a key of a map as a node of its own, and the length of the key in the path. A name that is nearly that of a
// field is not a key.
func (n *Node) entry(path string) (*Node, int) {
	i := slices.IndexFunc(n.inner, func(in inner) bool { return in.step == "[*]" })
	if i < 0 {
		return nil, 0
	}
	key, length := keyOf(path)
	if len(n.Fields) == 0 && i == len(n.inner)-1 && length == len(key) {
		key, length = path, len(path) // nothing can follow a key such as app.kubernetes.io/name
	}
	if key == "" || length == len(path) && spelling.Nearest(key, n.Names()) != "" {
		return nil, 0
	}
	from := n.inner[i]
	value := &Node{Name: key, Path: n.Path, Type: n.Type[from.typ:], Rules: n.Rules[from.rules:], Fields: n.Fields, Description: n.Description}
	for _, in := range n.inner[:i] {
		value.Path += in.step
	}
	value.Path += "[" + strconv.Quote(key) + "]"
	value.Facts = []Fact{{Keeps, "any key is kept"}}
	for _, in := range n.inner[i+1:] {
		value.inner = append(value.inner, inner{in.step, in.typ - from.typ, in.facts - from.facts + 1, in.rules - from.rules})
	}
	for j, f := range n.Facts[from.facts:] {
		if i+1 == len(n.inner) || from.facts+j < n.inner[i+1].facts {
			f.Text = strings.TrimPrefix(f.Text, each)
		}
		value.Facts = append(value.Facts, f)
	}
	return value, length
}

// keyOf returns the key that a path begins with, and its length in the path.
func keyOf(path string) (key string, length int) {
	if quoted, ok := strings.CutPrefix(path, `["`); ok {
		key, _, _ = strings.Cut(quoted, `"]`)
		return key, min(len(path), len(key)+len(`[""]`))
	}
	if end := strings.IndexAny(path, ".["); end >= 0 {
		path = path[:end]
	}
	return path, len(path)
}

// Names returns the names of the fields of n, and of all fields of metadata.
func (n *Node) Names() []string {
	if n.Type == metaType {
		return slices.Sorted(maps.Keys(metaFacts))
	}
	var all []string
	for _, f := range n.Fields {
		all = append(all, f.Name)
	}
	return all
}

// metaType is the type of metadata.
const metaType = "ObjectMeta"

// metaFacts says what the API server does to the fields of metadata.
var metaFacts = map[string]string{
	"annotations":                "kept: keys are names with or without a domain, and all of it has at most 256 KiB",
	"creationTimestamp":          "set by the server when the object is created",
	"deletionGracePeriodSeconds": "set by the server when the object is deleted",
	"deletionTimestamp":          "set by the server when the object is deleted",
	"finalizers":                 "kept: a deleted object stays until none is left",
	"generateName":               "the server adds five characters to it and makes it the name, if there is none",
	"generation":                 "set by the server: 1, and one more for each change outside of metadata and a status subresource",
	"labels":                     "kept: keys are names with or without a domain, and values have at most 63 letters, digits, -, _ and .",
	"managedFields":              "set by the server",
	"name":                       "required unless generateName is set; never changes",
	"namespace":                  "that of the request; never changes",
	"ownerReferences":            "kept: the object is deleted after its owners",
	"resourceVersion":            "set by the server: must not be set in a new object; an update with another one is a conflict",
	"selfLink":                   "dropped",
	"uid":                        "set by the server when the object is created",
}

// metaField returns the field of metadata that a path begins with, and its length in the path. A CRD can say more about it.
func (n *Node) metaField(path string) (*Node, int) {
	whole := &Node{Path: n.Path}
	outliner{}.fill(whole, structural.ObjectMeta(), place{})
	f, length := whole.child(path)
	if f == nil {
		return nil, 0
	}
	f.plain()
	if n.Path == "metadata" {
		f.Facts = append([]Fact{{Metadata, metaFacts[f.Name]}}, f.Facts...)
		for i := range f.inner {
			f.inner[i].facts++
		}
	}
	if own, _ := n.child(path); own != nil {
		f.Facts = append(f.Facts, own.Facts...)
		f.Rules, f.Description = own.Rules, own.Description
	}
	return f, length
}

// plain removes the remark that null is allowed, which holds everywhere in metadata.
func (n *Node) plain() {
	isNull := func(f Fact) bool { return f.Kind == Nullable }
	for i := range n.inner {
		n.inner[i].facts = len(slices.DeleteFunc(slices.Clone(n.Facts[:n.inner[i].facts]), isNull))
	}
	n.Facts = slices.DeleteFunc(n.Facts, isNull)
	for _, f := range n.Fields {
		f.plain()
	}
}
