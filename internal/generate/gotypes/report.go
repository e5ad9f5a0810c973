package gotypes

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// account collects the findings about the type of a kind. The same type can be in many places of a schema: an error of one of its fields is
// one finding.
type account struct {
	pkg     *Package
	crd     *structural.CRD
	version *structural.Version

	findings []structural.Finding
	others   []int // for each finding, how many other places it is about
	index    map[subject]int
	list     listed.List
	more     int // how many are not shown
	failed   bool
}

// subject is what a finding is about.
type subject struct {
	id   structural.ID
	obj  types.Object // a field or a type
	name string       // of a field that is missing, or of several
}

func newAccount(p *Package, c *structural.CRD, v *structural.Version) *account {
	return &account{pkg: p, crd: c, version: v, index: map[subject]int{}}
}

// isOwn reports whether the source of an object is the user's.
func (r *account) isOwn(obj types.Object) bool {
	_, ok := r.pkg.position(obj.Pos())
	return ok
}

// dropped reports a field that the schema does not have. It may be a misspelling of nearest, which is "" for none.
func (r *account) dropped(nearest string, at place) {
	hint := "generate the CRD from the Go types again, or remove the field"
	if nearest != "" {
		hint = fmt.Sprintf("did you mean %s?", yamltext.Shorten(nearest))
	}
	r.add(subject{id: IDDropped, obj: at.field.v.Origin()}, structural.SeverityError, at,
		fmt.Sprintf("%s is not in the schema: the API server drops %s", r.fieldName(at.field), objectPath(at)), hint)
}

// droppedForeign reports fields of a struct in another module that the schema of the object at the given place does not have.
// They are one finding: a type such as PodSpec has many fields, and nobody but its authors can change them.
func (r *account) droppedForeign(fields []place, at place) {
	owner := fields[0].field.owner.(*types.Named)
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.field.name
	}
	where := fields[0]
	message := fmt.Sprintf("%s is not in the schema: the API server drops %s", r.fieldName(where.field), objectPath(where))
	if len(names) > 1 {
		where.schema = at.schema
		message = fmt.Sprintf("%d fields of %s are not in the schema: the API server drops %s in %s", len(names), r.pkg.name(owner), yamltext.ListSome(names, 10, func(name string) string { return name }), objectPath(at))
	}
	r.add(subject{id: IDDropped, obj: owner.Obj(), name: strings.Join(names, ",")}, structural.SeverityError, where, message,
		"generate the CRD from the Go types again, or use a type with the fields that the schema has")
}

// droppedWhole reports an object of which the schema keeps nothing.
func (r *account) droppedWhole(at place) {
	r.add(subject{id: IDDropped, obj: at.field.v.Origin()}, structural.SeverityError, at,
		fmt.Sprintf("%s is an object without fields in the schema: the API server drops everything in %s", r.fieldName(at.field), objectPath(at)),
		"specify the fields in the schema, or write x-kubernetes-preserve-unknown-fields: true there")
}

// lost reports a field of the schema that a struct does not have.
func (r *account) lost(t types.Type, at place) {
	s := subject{id: IDLost, obj: at.anchor, name: at.schema.Name()}
	name := "the struct"
	if named, ok := t.(*types.Named); ok {
		s.obj, name = named.Obj(), r.pkg.name(t)
	}
	r.add(s, structural.SeverityWarning, at, fmt.Sprintf("%s has no field for %s: programs that use the type drop it when they write an object back", name, objectPath(at)),
		"add the field, or generate the CRD from the Go types again")
}

// mismatch reports a type whose JSON the schema does not take.
func (r *account) mismatch(t types.Type, have shape, takes forms, at place) {
	r.add(subject{id: IDMismatch, obj: at.field.v.Origin()}, structural.SeverityError, at,
		fmt.Sprintf("%s: %s is %s in Go (%s) and %s in the schema", r.fieldName(at.field), objectPath(at), have.writes, r.pkg.name(t), takes),
		"change one of the two: the API server refuses what the Go type writes")
}

// narrow reports a type that cannot hold all values that the schema takes.
func (r *account) narrow(t types.Type, takes forms, at place) {
	r.find(IDNarrow, at, "change one of the two: reading such an object into the Go type fails",
		"%s is %s in the schema, and %s cannot hold all of that", objectPath(at), takes, r.pkg.name(t))
}

// find warns of a field. The message begins with its name.
func (r *account) find(id structural.ID, at place, hint, format string, args ...any) {
	r.add(subject{id: id, obj: at.field.v.Origin()}, structural.SeverityWarning, at, r.fieldName(at.field)+": "+fmt.Sprintf(format, args...), hint)
}

// add adds a finding, or counts another place of one.
func (r *account) add(s subject, severity structural.Severity, at place, message, hint string) {
	if i, ok := r.index[s]; ok {
		r.others[i]++
		return
	}
	if r.more > 0 || !r.list.Add(len(message)+2*at.schema.TextSize()) {
		r.more++
		r.failed = r.failed || severity == structural.SeverityError
		return
	}
	f := report.Place(r.crd, structural.Finding{ID: s.id, Version: r.version.Name, Severity: severity, Message: message, Hint: hint}, at.schema)
	if f.Line > 0 {
		f.Hint += fmt.Sprintf(" (the schema is at %s:%d)", f.File, f.Line)
	}
	pos, _ := r.pkg.position(at.anchor.Pos())
	f.File, f.Line, f.Column = pos.Filename, pos.Line, pos.Column
	r.index[s] = len(r.findings)
	r.findings, r.others = append(r.findings, f), append(r.others, 0)
}

// found returns the findings.
func (r *account) found() []structural.Finding {
	all := r.findings
	for i, n := range r.others {
		switch {
		case n == 1:
			all[i].Message += " (and one other place)"
		case n > 1:
			all[i].Message += fmt.Sprintf(" (and %d other places)", n)
		}
	}
	if r.more > 0 {
		last := all[len(all)-1].WithPath("", nil)
		last.ID, last.Hint = IDMore, ""
		last.Severity = structural.SeverityWarning
		if r.failed {
			last.Severity = structural.SeverityError
		}
		last.Message = fmt.Sprintf("only the first %d differences between %s and its schema are shown", len(all), r.crd.Names.Kind)
		all = append(all, last)
	}
	return all
}

// fieldName returns the name of a field for people, with that of its type if it has one.
func (r *account) fieldName(f *field) string {
	if named, ok := f.owner.(*types.Named); ok {
		return r.pkg.name(named) + "." + f.v.Name()
	}
	return f.v.Name()
}

// objectPath returns the path of a place in objects for people: the end of a long one.
func objectPath(at place) string {
	const most = 200
	path := at.object.String()
	if len(path) <= most {
		return path
	}
	return "..." + strings.ToValidUTF8(path[len(path)-most:], "")
}
