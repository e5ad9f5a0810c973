package structural

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// parseYAML returns the documents in text, which begins at the given line of the file. The parser is that of yaml/v3, for
// its positions; what scalars, keys and merge keys mean is decided here, as in YAML 1.1.
func (src *source) parseYAML(text []byte, line int) ([]*document, *problem) {
	if p := checkDirectives(text, line); p != nil {
		return nil, p
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var docs []*document
	for {
		tree, err := decodeYAML(decoder)
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return docs, yamlProblem(err, text, line)
		}
		c := &yamlConverter{
			src: src, doc: &document{}, text: text, line: line - 1,
			done: map[*yaml.Node]anchored{}, open: map[*yaml.Node]bool{},
		}
		for _, content := range tree.Content {
			root, p := c.node(content, 1)
			if p != nil {
				return docs, p
			}
			c.doc.root = root
		}
		docs = append(docs, c.doc)
	}
}

// checkDirectives refuses a text with more directives than anybody needs.
func checkDirectives(text []byte, line int) *problem {
	n := 0
	for _, prefix := range []string{"\n%", "\r%"} {
		n += bytes.Count(text, []byte(prefix))
	}
	if bytes.HasPrefix(text, []byte("%")) {
		n++
	}
	if n > maxDirectives {
		return problemf(pos{line: line, column: 1}, "more than %d lines begin with a percent sign", maxDirectives)
	}
	return nil
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
	doc  *document
	text []byte
	tags nonSpecificTags
	line int // added to each line of the parser
	// done has the nodes with an anchor that an alias can stand for, open those that it would be a part of.
	done map[*yaml.Node]anchored
	open map[*yaml.Node]bool
}

// anchored is what an alias can stand for: a value or, for a scalar, a key as well.
type anchored struct {
	node   *node // nil for the numbers that JSON does not have
	scalar scalar
}

func (c *yamlConverter) at(y *yaml.Node) pos {
	return pos{line: y.Line + c.line, column: y.Column}
}

func (c *yamlConverter) node(y *yaml.Node, depth int) (*node, *problem) {
	if depth > maxDepth {
		return nil, tooDeep(c.at(y))
	}
	if y.Kind == yaml.AliasNode {
		return c.alias(y, depth)
	}
	if y.Anchor != "" {
		c.open[y] = true
		defer delete(c.open, y)
	}
	n := &node{pos: c.at(y), size: 1, height: 1}
	var s scalar
	var p *problem
	switch y.Kind {
	case yaml.SequenceNode:
		p = c.list(n, y, depth)
	case yaml.MappingNode:
		p = c.mapping(n, y, depth)
	default:
		s, p = c.scalar(n, y)
	}
	if p != nil {
		return nil, p
	}
	if y.Anchor != "" {
		c.done[y] = anchored{node: n, scalar: s}
	}
	return n, nil
}

// alias returns the node that y stands for. It is not copied; what it would be if it were is counted all the same, because
// whoever walks the tree meets it again at each of its places.
func (c *yamlConverter) alias(y *yaml.Node, depth int) (*node, *problem) {
	target, p := c.target(y)
	switch n := target.node; {
	case p != nil:
		return nil, p
	case n == nil:
		return nil, notInJSON(y.Alias.Value, c.at(y))
	case depth+n.height-1 > maxDepth:
		return nil, tooDeep(c.at(y))
	default:
		return n, c.charge(n.size, y)
	}
}

// target returns what the alias y refers to.
func (c *yamlConverter) target(y *yaml.Node) (anchored, *problem) {
	if c.open[y.Alias] {
		return anchored{}, problemf(c.at(y), "anchor %q contains an alias to itself", shorten(y.Value))
	}
	a, ok := c.done[y.Alias]
	if !ok {
		return a, problemf(c.at(y), "unknown anchor %q", shorten(y.Value))
	}
	return a, nil
}

// charge counts n more nodes that are there because of the alias y.
func (c *yamlConverter) charge(n int, y *yaml.Node) *problem {
	if n > c.src.aliasNodes {
		p := problemf(c.at(y), "aliases stand for more than %d nodes", maxAliasNodes)
		p.hint = "write the document without aliases"
		return p
	}
	c.src.aliasNodes -= n
	return nil
}

func (c *yamlConverter) list(n *node, y *yaml.Node, depth int) *problem {
	n.kind = kindList
	n.list = make([]*node, 0, len(y.Content))
	for _, element := range y.Content {
		e, p := c.node(element, depth+1)
		if p != nil {
			return p
		}
		n.list = append(n.list, e)
		n.grow(e)
	}
	return nil
}

func (c *yamlConverter) mapping(n *node, y *yaml.Node, depth int) *problem {
	n.kind = kindMap
	n.entries = make([]entry, 0, len(y.Content)/2)
	var seen keySet
	var merged map[string]bool // the keys that came from a merge key last
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if isMerge(key) {
			if merged == nil {
				merged = map[string]bool{}
			}
			if p := c.merge(n, value, depth, &seen, merged); p != nil {
				return p
			}
			continue
		}
		name, p := c.key(key)
		if p != nil {
			return p
		}
		v, p := c.node(value, depth+1)
		if p != nil {
			return p
		}
		e := entry{key: name, pos: c.at(key), value: v}
		switch first := seen.find(n.entries, name); {
		case first == nil:
			n.entries = append(n.entries, e)
		case merged[name]:
			delete(merged, name)
			*first = e
		default:
			c.doc.flaw(n, flaw{kind: flawDuplicate, key: name, pos: e.pos, first: first.pos})
		}
	}
	for i := range n.entries {
		n.grow(n.entries[i].value)
	}
	return nil
}

// isMerge tells whether key is the merge key of YAML 1.1: << without quotes, or with the tag.
func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && key.Tag == "!!merge"
}

// merge copies the entries of the map or maps at y into n. YAML lets a key that is written out win over a merged one; the
// parser of Kubernetes lets the one win that comes last in the text, and so does this.
func (c *yamlConverter) merge(n *node, y *yaml.Node, depth int, seen *keySet, merged map[string]bool) *problem {
	maps := []*yaml.Node{y}
	if y.Kind == yaml.SequenceNode {
		maps = y.Content
	}
	// Backwards: the first map of a list is the one that wins.
	for i := len(maps) - 1; i >= 0; i-- {
		m := maps[i]
		if m.Kind != yaml.MappingNode && (m.Kind != yaml.AliasNode || m.Alias.Kind != yaml.MappingNode) {
			return problemf(c.at(m), "a merge key (<<) needs a map or a list of maps")
		}
		from, p := c.node(m, depth)
		if p != nil {
			return p
		}
		if p := c.charge(len(from.entries), m); p != nil {
			return p
		}
		// What is wrong with a map that has no place of its own is wrong with this one.
		if m.Kind == yaml.MappingNode {
			for _, f := range c.doc.flaws[from] {
				c.doc.flaw(n, f)
			}
		}
		for _, e := range from.entries {
			first := seen.find(n.entries, e.key)
			if first == nil {
				n.entries = append(n.entries, e)
			} else {
				if !merged[e.key] {
					c.doc.flaw(n, flaw{kind: flawMerged, key: e.key, pos: first.pos, first: c.at(m)})
				}
				*first = e
			}
			merged[e.key] = true
		}
	}
	return nil
}

// key returns what y is as the key of a map.
func (c *yamlConverter) key(y *yaml.Node) (string, *problem) {
	at, text := c.at(y), y.Value
	var s scalar
	var p *problem
	switch {
	case y.Kind == yaml.AliasNode && y.Alias.Kind == yaml.ScalarNode:
		var target anchored
		target, p = c.target(y)
		s, text = target.scalar, y.Alias.Value
	case y.Kind == yaml.ScalarNode:
		n := &node{pos: at, size: 1, height: 1}
		if s, p = c.resolve(y); p == nil && y.Anchor != "" {
			if !n.setScalar(s) {
				n = nil
			}
			c.done[y] = anchored{node: n, scalar: s}
		}
	default:
		p = problemf(at, "a key must be a string, not a list or a map")
		p.syntax = true // two braces in a row are read like this
	}
	if p != nil {
		return "", p
	}
	key, ok := s.key()
	if !ok {
		return "", problemf(at, "a key must be a string, not %s", cmp.Or(shorten(text), "null"))
	}
	return key, nil
}

func (c *yamlConverter) scalar(n *node, y *yaml.Node) (scalar, *problem) {
	s, p := c.resolve(y)
	if p == nil && !n.setScalar(s) {
		p = notInJSON(y.Value, n.pos)
	}
	return s, p
}

func notInJSON(number string, at pos) *problem {
	return problemf(at, "%s is no value in JSON", shorten(number))
}

func (c *yamlConverter) resolve(y *yaml.Node) (scalar, *problem) {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	switch {
	case y.Style&yaml.TaggedStyle != 0:
		s, err := resolveTagged(y.Tag, y.Value)
		if err != nil {
			return s, problemf(c.at(y), "%s", err)
		}
		return s, nil
	case y.Style&quoted != 0 || c.tags.has(c.text, y):
		return scalar{kind: kindString, text: y.Value}, nil
	}
	return resolvePlain(y.Value), nil
}
