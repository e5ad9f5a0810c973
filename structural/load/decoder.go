package load

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// decoder reads the fields of a CRD from its nodes, as Kubernetes' JSON decoder would, and goes on after an error.
type decoder struct {
	report  *structural.Report
	crd     string          // for findings: metadata.name, or group/kind
	version string          // for findings: the version they are about
	failed  bool            // there was an error
	whole   *structural.CRD // nil for a schema alone
	meter   *meter.Meter    // nil where the schemas were counted before
}

// find reports a finding.
func (d *decoder) find(rule structural.Rule, severity structural.Severity, at yamltext.Pos, path, message, hint string) {
	if severity == structural.SeverityError {
		d.failed = true
	}
	d.report.Add(structural.Finding{
		Rule: rule, Line: at.Line, Column: at.Column, CRD: d.crd, Version: d.version,
		Severity: severity, Path: path, Message: message, Hint: hint,
	})
}

// invalid reports an error at a path, path first as Kubernetes writes it.
func (d *decoder) invalid(rule structural.Rule, at yamltext.Pos, path *structural.Path, message, hint string) {
	if path == nil || d.report.Full {
		d.find(rule, structural.SeverityError, at, "", message, hint)
		return
	}
	d.find(rule, structural.SeverityError, at, path.String(), path.String()+": "+message, hint)
}

// wrongType reports that n, at the given path, is not what belongs there.
func (d *decoder) wrongType(n *yamltext.Node, at yamltext.Pos, path *structural.Path, expected, hint string) {
	if hint == "" && expected == "a string" {
		switch n.Kind {
		case yamltext.Bool, yamltext.Int, yamltext.Float:
			hint = "put it in quotes"
		}
	}
	d.invalid(ruleWrongType, at, path, "expected "+expected+", found "+n.Describe(), hint)
}

// unknownField warns of a field that the API server would ignore, in its words. The hint is made for its key.
func (d *decoder) unknownField(rule structural.Rule, e *yamltext.Entry, at *structural.Path, hint func(key string) string) {
	if d.report.Full {
		return
	}
	path := at.Child(e.Key)
	d.find(rule, structural.SeverityWarning, e.Pos, path.String(), fmt.Sprintf("unknown field %q", path.Dotted()), hint(e.Key))
}

// flaws reports the keys below n that are written twice, and those that a merge key after them replaces.
func (d *decoder) flaws(doc *yamltext.Document, n *yamltext.Node) {
	if len(doc.Flaws) == 0 {
		return
	}
	seen := map[*yamltext.Node]bool{}
	var walk func(*yamltext.Node, *structural.Path)
	walk = func(n *yamltext.Node, at *structural.Path) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, f := range doc.Flaws[n] {
			d.flaw(f, at.Child(f.Key))
		}
		for i := range n.Entries {
			walk(n.Entries[i].Value, at.Child(n.Entries[i].Key))
		}
		for i, e := range n.List {
			walk(e, at.Index(i))
		}
	}
	walk(n, nil)
}

func (d *decoder) flaw(f yamltext.Flaw, path *structural.Path) {
	severity, message, hint := structural.SeverityError, "duplicate field %q",
		fmt.Sprintf("the first one is in line %d: remove or rename one of them", f.First.Line)
	if f.Rule == yamltext.RuleReplacedKey {
		severity, message = structural.SeverityWarning, fmt.Sprintf("field %%q is replaced by the merge key in line %d", f.First.Line)
		hint = "Kubernetes lets the last one win: move the merge key (<<) to the top of its map"
	}
	if d.report.Full { // texts can be as long as the path, and would be dropped
		d.find(structural.Rule(f.Rule), severity, f.Pos, "", "", hint)
		return
	}
	d.find(structural.Rule(f.Rule), severity, f.Pos, path.String(), fmt.Sprintf(message, path.Dotted()), hint)
}

// fieldReaders has a function for each field of an object, to read it.
type fieldReaders map[string]func(e *yamltext.Entry)

// object reads the object n, whose key is at pos. The hint, if there is one, is for fields that are not known.
func (d *decoder) object(n *yamltext.Node, pos yamltext.Pos, at *structural.Path, known fieldReaders, hint func(key string) string) {
	entries := d.entries(n, pos, at)
	for i := range entries {
		if e := &entries[i]; known[e.Key] != nil {
			known[e.Key](e)
		} else {
			d.unknownField(ruleUnknownField, e, at, func(key string) string {
				if hint != nil && hint(key) != "" {
					return hint(key)
				}
				return didYouMean(key, slices.Sorted(maps.Keys(known)))
			})
		}
	}
}

// entries returns the entries of an object at path, nil for null and for anything but an object.
func (d *decoder) entries(n *yamltext.Node, pos yamltext.Pos, path *structural.Path) []yamltext.Entry {
	switch {
	case n.IsNull():
		return nil
	case n.Kind != yamltext.Map:
		d.wrongType(n, pos, path, "an object", "")
	}
	return n.Entries
}

// The functions below read one field: e is its entry and at the path of the object it stands in. As in Go's JSON decoder,
// null leaves a field as it is.

// scalar returns the value of e where it has one of the kinds, nil for null and anything else.
func (d *decoder) scalar(e *yamltext.Entry, at *structural.Path, expected, hint string, kinds ...yamltext.Kind) any {
	if e.Value.IsNull() || slices.Contains(kinds, e.Value.Kind) {
		return e.Value.Value()
	}
	d.wrongType(e.Value, e.Pos, at.Child(e.Key), expected, hint)
	return nil
}

func (d *decoder) str(e *yamltext.Entry, at *structural.Path) string {
	s, _ := d.scalar(e, at, "a string", "", yamltext.String).(string)
	return s
}

func (d *decoder) boolean(e *yamltext.Entry, at *structural.Path, hint string) bool {
	if s := strings.ToLower(e.Value.Str()); s == "true" || s == "false" {
		hint = "remove the quotes"
	}
	b, _ := d.scalar(e, at, "a boolean", hint, yamltext.Bool).(bool)
	return b
}

func (d *decoder) integer(e *yamltext.Entry, at *structural.Path) *int64 {
	if i, ok := d.scalar(e, at, "an integer", "", yamltext.Int).(int64); ok {
		return &i
	}
	return nil
}

func (d *decoder) number(e *yamltext.Entry, at *structural.Path) *float64 {
	switch v := d.scalar(e, at, "a number", "", yamltext.Int, yamltext.Float).(type) {
	case int64:
		f := float64(v)
		return &f
	case float64:
		return &v
	}
	return nil
}

// list returns the elements of a list, nil for null and for anything but a list.
func (d *decoder) list(e *yamltext.Entry, at *structural.Path, expected, hint string) []*yamltext.Node {
	if !e.Value.IsNull() && e.Value.Kind != yamltext.List {
		d.wrongType(e.Value, e.Pos, at.Child(e.Key), expected, hint)
	}
	return e.Value.List
}

func (d *decoder) strings(e *yamltext.Entry, at *structural.Path, hint string) []string {
	list := d.list(e, at, "a list of strings", hint)
	if e.Value.Kind != yamltext.List {
		return nil
	}
	return d.stringList(list, at.Child(e.Key))
}

// stringList reads the elements of a list at the path at.
func (d *decoder) stringList(list []*yamltext.Node, at *structural.Path) []string {
	all := make([]string, 0, len(list))
	for i, n := range list {
		if n.Kind != yamltext.String && n.Kind != yamltext.Null {
			d.wrongType(n, n.Pos, at.Index(i), "a string", "")
		}
		all = append(all, n.Str())
	}
	return all
}
