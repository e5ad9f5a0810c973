package config

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Where returns the name of the file, or says that there is none.
func (f *File) Where() string { return cmp.Or(terminal.Escape(f.Name), "no "+Name) }

// Effective returns the values of all keys as a file would have them, each with a comment on where it comes from.
func (f *File) Effective(commands []*cobra.Command) *yaml.Node {
	root := &yaml.Node{Kind: yaml.MappingNode}
	for _, k := range Keys() {
		key, value, from := scalar(k.Name), k.byDefault(commands), "default"
		if i := slices.IndexFunc(f.Settings, func(s Setting) bool { return s.Name == k.Name }); i >= 0 {
			e := f.Settings[i].entry
			value, from = node(e.Value), fmt.Sprintf("%s:%d", f.Where(), e.Pos.Line)
		}
		if len(value.Content) == 0 {
			value.LineComment = from
		} else {
			key.LineComment = from
		}
		root.Content = append(root.Content, key, value)
	}
	return root
}

// byDefault returns the value that counts without a file.
func (k Key) byDefault(commands []*cobra.Command) *yaml.Node {
	text := k.flags(commands)[0].DefValue
	switch k.Kind {
	case Texts, Paths, Rules:
		return &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	case Severities:
		return &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	case Bool, Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	}
	if k.Name == "kubernetes" {
		text = kubeversion.Version(0).String() // the newest, which the flag does not name
	}
	return scalar(text)
}

// node returns a value of the file in the form that can be printed.
func node(n *yamltext.Node) *yaml.Node {
	all := &yaml.Node{Kind: yaml.SequenceNode}
	switch n.Kind {
	case yamltext.List:
		for _, e := range n.List {
			all.Content = append(all.Content, node(e))
		}
	case yamltext.Map:
		all.Kind = yaml.MappingNode
		for _, e := range n.Entries {
			all.Content = append(all.Content, scalar(e.Key), node(e.Value))
		}
	default:
		return scalar(n.Value())
	}
	if len(all.Content) == 0 {
		all.Style = yaml.FlowStyle
	}
	return all
}

// scalar returns a scalar, in quotes if it is a string that would be something else without them.
func scalar(value any) *yaml.Node {
	n := &yaml.Node{}
	if err := n.Encode(value); err != nil {
		panic(err) // a scalar can be encoded
	}
	return n
}
