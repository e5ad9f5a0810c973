package lower

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// nameNodes names the nodes that become functions, each after the shortest path that reaches it, of those the first in
// sorted order. What is added deeper or later in a schema thus renames nothing. The roots come first, so that no other
// node takes their names. The nodes are returned in the order of their paths, kind by kind.
func nameNodes(kinds []*plan.Kind, roots map[*plan.Kind]*plan.Node) []*plan.Node {
	type place struct {
		node *plan.Node
		path []segment
	}
	places := map[*plan.Node][]segment{}
	var all []*plan.Node
	names := nameTable{taken: map[string]bool{}}
	claim := func(n *plan.Node, k *plan.Kind, path []segment) bool {
		if n == nil || !n.Do.Func() || n.Owner != nil {
			return false
		}
		n.Owner, n.Path, n.Name = k, shortPath(path), names.nodeName(k, path)
		places[n] = path
		all = append(all, n)
		return true
	}
	levels := make([][]place, len(kinds)) // the nodes that were claimed last
	for i, k := range kinds {
		if root := roots[k]; claim(root, k, nil) {
			levels[i] = []place{{root, nil}}
		}
	}
	order := map[*plan.Kind]int{}
	for i, k := range kinds {
		order[k] = i
		for level := levels[i]; len(level) > 0; {
			var next []place
			for _, at := range level {
				step := func(child *plan.Node, s segment) {
					path := append(at.path[:len(at.path):len(at.path)], s)
					if claim(child, k, path) {
						next = append(next, place{child, path})
					}
				}
				for _, f := range at.node.Fields {
					step(f.Node, propertySegment(f.Name))
				}
				step(at.node.RestNode, segment{kind: segmentValues})
				step(at.node.Elem, segment{kind: segmentItems})
			}
			level = next
		}
	}
	slices.SortFunc(all, func(a, b *plan.Node) int {
		return cmp.Or(cmp.Compare(order[a.Owner], order[b.Owner]), slices.CompareFunc(places[a], places[b], segment.compare))
	})
	return all
}

// maxName is how long the name of a function may get before the rest of it is replaced by a hash.
const maxName = 100

// nameTable gives out names for functions. The same path gets the same name whatever else is in the schema, unless two
// paths would get the same one: then those that come later carry a hash of their path.
type nameTable struct {
	taken map[string]bool
}

// nodeName returns the name for the node that is first reached at path in a kind. Of a name that is too long, the middle
// is replaced by a hash: the end says most.
func (t *nameTable) nodeName(kind *plan.Kind, path []segment) string {
	name := kind.Ident
	for _, s := range path {
		if name += s.identifier(); len(name) > maxName {
			end := ""
			for i := len(path) - 1; i >= 0 && len(end) < maxName/2; i-- {
				end = path[i].identifier() + end
			}
			name = plan.FirstBytes(name, maxName/3) + "_" + shortHash(uniquePath(kind, path)) + "_" + plan.LastBytes(end, maxName/2)
			break
		}
	}
	for base, again := name, ""; t.taken[name]; again += " again" { // a short hash can be the same, too
		name = base + "_" + shortHash(uniquePath(kind, path)+again)
	}
	t.taken[name] = true
	return name
}

// uniquePath writes a path so that no two of them are written alike.
func uniquePath(kind *plan.Kind, path []segment) string {
	return fmt.Sprintf("%q %q %q", kind.Group, kind.Kind, path)
}

// identifier turns any text into what can stand inside of a Go identifier, with a capital first.
func identifier(s string) string {
	var b strings.Builder
	upper := true
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if upper {
				r = unicode.ToUpper(r)
			}
			upper = false
			b.WriteRune(r)
		default:
			upper = true
		}
	}
	return b.String()
}

// Exported returns a kind as part of exported identifiers: a hash stands in for what no identifier can contain.
func Exported(kind string) string {
	id := identifier(kind)
	if id == kind || id == strings.ToUpper(kind[:1])+kind[1:] {
		return id
	}
	return id + "_" + shortHash(kind)
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}
