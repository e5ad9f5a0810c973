package manifest

import (
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// StoredLine is a line of an object as it would be stored.
type StoredLine struct {
	Text string `json:"text"`
	// Kind is Filled for an added line, Changed for another value, and empty for a line as written.
	Kind ChangeKind `json:"kind,omitempty"`
}

// storedLines prints an object as YAML, with the fields in the order in which they are written. What was added comes after them.
func storedLines(n *yamltext.Node, written, value map[string]any) []StoredLine {
	var p printer
	p.fields(n, written, value, "", "", "")
	return p.lines
}

// Text returns an object as YAML.
func Text(obj map[string]any) string {
	var b strings.Builder
	for _, l := range storedLines(nil, nil, obj) {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

type printer struct{ lines []StoredLine }

// fields prints the fields of a map. The first one follows the text that is given for it, the others are indented.
func (p *printer) fields(n *yamltext.Node, written any, value map[string]any, first, indent string, kind ChangeKind) {
	before, _ := written.(map[string]any)
	keys, nodes := ordered(n, value)
	for _, k := range keys {
		of := kind
		if _, ok := before[k]; !ok && of == "" {
			of = Filled
		}
		p.value(nodes[k], before[k], value[k], first+yamltext.Flow(k)+":", indent, of)
		first = indent
	}
}

// ordered returns the keys of a map, those that are written first and in their order, and the nodes of the values that are written.
func ordered(n *yamltext.Node, value map[string]any) (keys []string, nodes map[string]*yamltext.Node) {
	nodes = map[string]*yamltext.Node{} // a map can have many fields, and Get looks at one after the other
	if n != nil {
		for _, e := range n.Entries {
			if _, ok := value[e.Key]; ok {
				keys = append(keys, e.Key)
			}
			nodes[e.Key] = e.Value
		}
	}
	for _, k := range slices.Sorted(maps.Keys(value)) {
		if nodes[k] == nil {
			keys = append(keys, k)
		}
	}
	return keys, nodes
}

// value prints a value after a key or a dash.
func (p *printer) value(n *yamltext.Node, written, value any, head, indent string, kind ChangeKind) {
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 {
			break
		}
		if strings.HasSuffix(head, "-") {
			p.fields(n, written, v, head+" ", indent+"  ", kind)
			return
		}
		p.add(head, kind)
		p.fields(n, written, v, indent+"  ", indent+"  ", kind)
		return
	case []any:
		if len(v) == 0 {
			break
		}
		if strings.HasSuffix(head, "-") { // a list in a list
			break
		}
		p.add(head, kind)
		before, _ := written.([]any)
		for i, e := range v {
			var below *yamltext.Node
			if n != nil && i < len(n.List) {
				below = n.List[i]
			}
			var was any
			if i < len(before) {
				was = before[i]
			}
			p.value(below, was, e, indent+"-", indent, kind)
		}
		return
	}
	if kind == "" && yamltext.Flow(written) != yamltext.Flow(value) {
		kind = Changed
	}
	p.add(head+" "+yamltext.Flow(value), kind)
}

func (p *printer) add(line string, kind ChangeKind) {
	p.lines = append(p.lines, StoredLine{line, kind})
}
