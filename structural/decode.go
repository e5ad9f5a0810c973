package structural

import (
	"fmt"
	"strings"
)

// decoder reads the fields of a CRD from its nodes, as Kubernetes' JSON decoder would, and goes on after an error.
type decoder struct {
	report  *report
	crd     string // for findings: metadata.name, or group/kind
	version string // for findings: the version they are about
	failed  bool   // there was an error
}

func (d *decoder) find(severity Severity, at pos, path, message, hint string) {
	if severity == SeverityError {
		d.failed = true
	}
	d.report.add(Finding{
		Line: at.line, Column: at.column, CRD: d.crd, Version: d.version,
		Severity: severity, Path: path, Message: message, Hint: hint,
	})
}

// invalid reports an error at a path, path first as Kubernetes writes it.
func (d *decoder) invalid(at pos, path *Path, message, hint string) {
	if path == nil || d.report.full {
		d.find(SeverityError, at, "", message, hint)
		return
	}
	d.find(SeverityError, at, path.String(), path.String()+": "+message, hint)
}

// wrongType reports that n, at the given path, is not what belongs there.
func (d *decoder) wrongType(n *node, at pos, path *Path, expected, hint string) {
	d.invalid(at, path, "expected "+expected+", found "+n.describe(), hint)
}

// unknownField warns of a field that the API server would ignore, in its words. The hint is made for its key.
func (d *decoder) unknownField(e *entry, at *Path, hint func(key string) string) {
	if d.report.full {
		return
	}
	path := at.Child(e.key)
	d.find(SeverityWarning, e.pos, path.String(), fmt.Sprintf("unknown field %q", dotted(path)), hint(e.key))
}

// dotted writes p with a dot before every key, as the errors of strict decoding have it.
func dotted(p *Path) string {
	var b strings.Builder
	for _, s := range p.steps() {
		if s.step == stepIndex {
			fmt.Fprintf(&b, "[%d]", s.index)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.name)
	}
	return b.String()
}

// The functions below read one field: e is its entry and at the path of the object it stands in. As in Go's JSON decoder,
// null leaves a field as it is.

func (d *decoder) str(e *entry, at *Path) string {
	switch e.value.kind {
	case kindNull:
	case kindString:
		return e.value.text
	default:
		d.wrongType(e.value, e.pos, at.Child(e.key), "a string", quotesHint(e.value))
	}
	return ""
}

func (d *decoder) strPointer(e *entry, at *Path) *string {
	if e.value.kind == kindNull {
		return nil
	}
	s := d.str(e, at)
	return &s
}

func (d *decoder) boolean(e *entry, at *Path) bool {
	switch e.value.kind {
	case kindNull:
	case kindBool:
		return e.value.boolean
	case kindString:
		hint := ""
		if s := strings.ToLower(e.value.text); s == "true" || s == "false" {
			hint = "remove the quotes"
		}
		d.wrongType(e.value, e.pos, at.Child(e.key), "a boolean", hint)
	default:
		d.wrongType(e.value, e.pos, at.Child(e.key), "a boolean", "")
	}
	return false
}

func (d *decoder) boolPointer(e *entry, at *Path) *bool {
	if e.value.kind == kindNull {
		return nil
	}
	b := d.boolean(e, at)
	return &b
}

func (d *decoder) integer(e *entry, at *Path) *int64 {
	switch e.value.kind {
	case kindNull:
		return nil
	case kindInt:
		i := e.value.integer
		return &i
	}
	d.wrongType(e.value, e.pos, at.Child(e.key), "an integer", "")
	return nil
}

func (d *decoder) number(e *entry, at *Path) *float64 {
	switch e.value.kind {
	case kindNull:
		return nil
	case kindInt:
		f := float64(e.value.integer)
		return &f
	case kindFloat:
		f := e.value.float
		return &f
	}
	d.wrongType(e.value, e.pos, at.Child(e.key), "a number", "")
	return nil
}

// list returns the elements of a list, nil for null and for what is no list.
func (d *decoder) list(e *entry, at *Path, expected string) []*node {
	switch e.value.kind {
	case kindNull:
		return nil
	case kindList:
		return e.value.list
	}
	d.wrongType(e.value, e.pos, at.Child(e.key), expected, "")
	return nil
}

func (d *decoder) strings(e *entry, at *Path, hint string) []string {
	switch e.value.kind {
	case kindNull:
		return nil
	case kindList:
		return d.stringList(e.value.list, at.Child(e.key))
	}
	d.wrongType(e.value, e.pos, at.Child(e.key), "a list of strings", hint)
	return nil
}

// stringList reads the elements of a list at the path at.
func (d *decoder) stringList(list []*node, at *Path) []string {
	all := make([]string, 0, len(list))
	for i, n := range list {
		if n.kind != kindString && n.kind != kindNull {
			d.wrongType(n, n.pos, at.Index(i), "a string", quotesHint(n))
		}
		all = append(all, n.str())
	}
	return all
}

// fields returns the entries of an object at path, nil for null and for what is no object.
func (d *decoder) fields(n *node, pos pos, path *Path) []entry {
	switch {
	case n == nil || n.kind == kindNull:
		return nil
	case n.kind == kindMap:
		return n.entries
	}
	d.wrongType(n, pos, path, "an object", "")
	return nil
}
