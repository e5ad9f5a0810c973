package yamltext

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

// parseYAML returns the documents in a part of the file. The parser is that of yaml/v3, for its positions; what scalars
// and merge keys mean is decided as in Kubernetes.
func (src *source) parseYAML(in part) ([]*Document, *Problem) {
	var docs []*Document
	p := src.eachYAML(in, func(c *yamlConverter, _ *yaml.Node) { docs = append(docs, c.doc) }, forgetNodes)
	return docs, p
}

// origin says whether the nodes of the parser are needed after a document is converted.
type origin bool

const (
	forgetNodes origin = false
	keepNodes   origin = true
)

// eachYAML calls visit for each document in a part of the file, and returns the problem that ended it.
func (src *source) eachYAML(in part, visit func(*yamlConverter, *yaml.Node), keep origin) *Problem {
	src.hold(meter.UnitsOfTree * countSeparators(in.text))
	directives := countDirectives(in.text)
	src.meter.Spend(directives * directives) // the parser looks through all of them at each one
	if p := Exceeded(src.meter, Pos{in.line, 1}); p != nil {
		return p
	}
	decoder := yaml.NewDecoder(bytes.NewReader(in.text))
	tags := newNonSpecificTags(src, in)
	for {
		tree, err := decodeYAML(decoder)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return src.yamlProblem(err, in)
		}
		c := &yamlConverter{
			src: src, doc: &Document{}, tags: &tags, line: in.line - 1,
			done: map[*yaml.Node]*Node{}, open: map[*yaml.Node]bool{},
		}
		if keep {
			c.nodes, c.keys = map[*yaml.Node]*Node{}, map[*yaml.Node]string{}
		}
		for _, content := range tree.Content {
			root, p := c.node(content, 1)
			if p != nil {
				return p
			}
			c.doc.Root = root
		}
		visit(c, tree)
	}
}

// countDirectives returns how many lines begin with a percent sign.
func countDirectives(text []byte) int {
	n := 0
	for _, before := range []string{"\n", "\r", "\u0085", "\u2028", "\u2029"} {
		n += bytes.Count(text, []byte(before+"%"))
	}
	if bytes.HasPrefix(text, []byte("%")) {
		n++
	}
	return n
}

// decodeYAML returns the next document. A panic of the parser is an error in its input like any other.
func decodeYAML(decoder *yaml.Decoder) (tree *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	tree = &yaml.Node{}
	return tree, decoder.Decode(tree)
}

// yamlConverter makes the nodes of one document.
type yamlConverter struct {
	src  *source
	doc  *Document
	tags *nonSpecificTags
	line int // added to each line of the parser
	// done has the nodes with an anchor that an alias can stand for, open those that the alias would be a part of. A key that is not a
	// value has the node nil.
	done map[*yaml.Node]*Node
	open map[*yaml.Node]bool
	// nodes has what every node of the parser became, and keys the names that keys became; nil if that is not needed.
	nodes map[*yaml.Node]*Node
	keys  map[*yaml.Node]string
}

func (c *yamlConverter) at(y *yaml.Node) Pos {
	return Pos{y.Line + c.line, y.Column}
}

func (c *yamlConverter) node(y *yaml.Node, depth int) (n *Node, p *Problem) {
	if depth > meter.Depth {
		return nil, tooDeep(c.at(y))
	}
	if y.Kind == yaml.AliasNode {
		return c.alias(y, depth)
	}
	if p := c.src.addValue(c.at(y)); p != nil {
		return nil, p
	}
	if y.Anchor != "" {
		c.open[y] = true
		defer delete(c.open, y)
	}
	switch y.Kind {
	case yaml.SequenceNode:
		n, p = c.list(y, depth)
	case yaml.MappingNode:
		n, p = c.mapping(y, depth)
	default:
		n, p = c.scalar(y)
	}
	if p == nil && y.Anchor != "" {
		c.done[y] = n
	}
	if p == nil && c.nodes != nil {
		c.nodes[y] = n
	}
	return n, p
}

// forget frees the memory for some children of a node that were read, unless the nodes are needed.
func (c *yamlConverter) forget(y *yaml.Node, children ...int) {
	if c.nodes != nil {
		return
	}
	for _, i := range children {
		y.Content[i] = nil
	}
}

// resolve returns what y is as a value, or as a key.
func (c *yamlConverter) resolve(y *yaml.Node, as role) (any, error) {
	if c.tags.has(y) {
		return y.Value, nil
	}
	return c.src.resolve(y, as)
}

func (c *yamlConverter) scalar(y *yaml.Node) (*Node, *Problem) {
	v, err := c.resolve(y, roleValue)
	if err != nil {
		return nil, scalarProblem(y, c.at(y), err)
	}
	if _, isString := v.(string); !isString {
		c.doc.write(c.src, c.at(y), y.Value, v)
	}
	return newScalar(v, c.at(y)), nil
}

// alias returns the node that y stands for. The node is not copied, but counted as if it were, because a walk through the tree visits it
// at each of its places.
func (c *yamlConverter) alias(y *yaml.Node, depth int) (*Node, *Problem) {
	if p := c.checkAlias(y); p != nil {
		return nil, p
	}
	switch n := c.done[y.Alias]; {
	case n == nil:
		_, err := c.resolve(y.Alias, roleValue)
		return nil, scalarProblem(y.Alias, c.at(y), err)
	case depth+n.height-1 > meter.Depth:
		return nil, tooDeep(c.at(y))
	default:
		return n, c.src.addAlias(n, c.at(y))
	}
}

// checkAlias returns why the alias y stands for nothing.
func (c *yamlConverter) checkAlias(y *yaml.Node) *Problem {
	if c.open[y.Alias] {
		return problemf(IDAnchor, c.at(y), "anchor %q contains an alias to itself", Shorten(y.Value))
	}
	if _, ok := c.done[y.Alias]; !ok {
		return problemf(IDAnchor, c.at(y), "unknown anchor %q", Shorten(y.Value))
	}
	return nil
}

func (c *yamlConverter) list(y *yaml.Node, depth int) (*Node, *Problem) {
	n := newParent(List, c.at(y))
	n.List = make([]*Node, 0, len(y.Content))
	for i, element := range y.Content {
		e, p := c.node(element, depth+1)
		if p != nil {
			return nil, p
		}
		c.forget(y, i)
		n.List = append(n.List, e)
		n.grow("", e)
	}
	return n, nil
}

func (c *yamlConverter) mapping(y *yaml.Node, depth int) (*Node, *Problem) {
	n := newParent(Map, c.at(y))
	n.Entries = make([]Entry, 0, len(y.Content)/2)
	var seen keySet
	var merged map[string]bool // the keys that came from a merge key last
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		c.forget(y, i, i+1)
		if isMerge(key) {
			if merged == nil {
				merged = map[string]bool{}
			}
			if p := c.merge(n, value, depth, &seen, merged); p != nil {
				return nil, p
			}
			continue
		}
		name, p := c.key(key)
		if p != nil {
			return nil, p
		}
		if c.keys != nil {
			c.keys[key] = name
		}
		v, p := c.node(value, depth+1)
		if p != nil {
			return nil, p
		}
		e := Entry{Key: name, Pos: c.at(key), Value: v}
		switch first := seen.find(n.Entries, name); {
		case first == nil:
			n.Entries = append(n.Entries, e)
		case merged[name]:
			delete(merged, name)
			*first = e
		default:
			c.doc.duplicate(n, first, e)
		}
	}
	for i := range n.Entries {
		n.grow(n.Entries[i].Key, n.Entries[i].Value)
	}
	return n, nil
}

// isMerge reports whether key is the merge key of YAML 1.1: << without quotes, or with the tag.
func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && key.Tag == "!!merge"
}

// merge copies the entries of the map or maps at y into n. YAML lets a key that is written out win over a merged one; in the parser of
// Kubernetes, the last one in the text wins, and so it does here.
func (c *yamlConverter) merge(n *Node, y *yaml.Node, depth int, seen *keySet, merged map[string]bool) *Problem {
	maps := []*yaml.Node{y}
	if y.Kind == yaml.SequenceNode {
		maps = y.Content
	}
	// Backwards: the first map of a list is the one that wins.
	for _, m := range slices.Backward(maps) {
		if m.Kind != yaml.MappingNode && (m.Kind != yaml.AliasNode || m.Alias.Kind != yaml.MappingNode) {
			return problemf(IDMerge, c.at(m), "a merge key (<<) needs a map or a list of maps")
		}
		from, p := c.node(m, depth)
		if p != nil {
			return p
		}
		if p := c.src.addMerged(len(from.Entries), c.at(m)); p != nil {
			return p
		}
		// Flaws of a map that is written in place are reported for this one.
		if m.Kind == yaml.MappingNode {
			for _, f := range c.doc.Flaws[from] {
				c.doc.flaw(n, f)
			}
		}
		for _, e := range from.Entries {
			first := seen.find(n.Entries, e.Key)
			if first == nil {
				n.Entries = append(n.Entries, e)
			} else {
				if !merged[e.Key] {
					c.doc.flaw(n, Flaw{ID: IDReplacedKey, Key: e.Key, Pos: first.Pos, First: c.at(m)})
				}
				*first = e
			}
			merged[e.Key] = true
		}
	}
	return nil
}

// key returns what y is as the key of a map.
func (c *yamlConverter) key(y *yaml.Node) (string, *Problem) {
	at, target := c.at(y), y
	switch {
	case y.Kind == yaml.AliasNode && y.Alias.Kind == yaml.ScalarNode:
		if p := c.checkAlias(y); p != nil {
			return "", p
		}
		target = y.Alias
	case y.Kind != yaml.ScalarNode:
		p := problemf(IDKey, at, "a key must be a string, not a list or a map")
		p.syntax = true // two braces in a row are read like this
		return "", p
	case y.Anchor != "":
		c.done[y], _ = c.scalar(y)
	}
	v, err := c.resolve(target, roleKey)
	key, ok := v.(string)
	if err == nil && ok {
		c.doc.write(c.src, at, target.Value, key)
		return key, nil
	}
	if target.Style&yaml.TaggedStyle != 0 {
		if _, err := c.resolve(target, roleValue); err != nil {
			return "", scalarProblem(target, at, err)
		}
	}
	return "", problemf(IDKey, at, "a key must be a string, not %s", cmp.Or(Shorten(target.Value), "null"))
}
