package crdread

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/keyword"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// ParseSchema reads one bare schema, as below openAPIV3Schema. It is nil if the findings contain an error. Their paths begin at the
// schema itself.
func ParseSchema(name string, data []byte) (*structural.JSONSchema, []structural.Finding) {
	r := &report.Report{File: name}
	var schemas []*structural.JSONSchema
	m := meter.New(1)
	yamltext.ParseText(m, yamltext.Decode(data), func(doc *yamltext.Document) {
		d := &decoder{report: r, meter: m, doc: doc}
		d.flaws(doc, doc.Root)
		schemas = append(schemas, d.schema(doc.Root, doc.Root.Pos, nil))
		r.Exceeded(m, doc.Root.Pos)
		if len(schemas) > 1 {
			d.find(idSeveralSchemas, structural.SeverityError, doc.Root.Pos, nil, "there is more than one document", "")
		}
	}, r.Problem)
	if len(schemas) == 0 && len(r.Findings) == 0 {
		r.Add(structural.Finding{ID: idNoSchema, Line: 1, Column: 1, Severity: structural.SeverityError, Message: "there is no schema"})
	}
	findings := r.Sorted()
	for _, f := range findings {
		if f.Severity == structural.SeverityError {
			return nil, findings
		}
	}
	return schemas[0], findings
}

// ReadSchema reads the schema n of a document whose findings are known.
func ReadSchema(n *yamltext.Node) *structural.JSONSchema {
	d := &decoder{report: &report.Report{Full: true, Findings: make([]structural.Finding, 1)}}
	return d.schema(n, n.Pos, nil)
}

// schema reads the schema n, whose key is at pos.
func (d *decoder) schema(n *yamltext.Node, pos yamltext.Pos, at *structural.Path) *structural.JSONSchema {
	s := &structural.JSONSchema{}
	d.object(reflect.ValueOf(s).Elem(), n, pos, at)
	return s
}

// object reads n, whose key is at pos, into a struct whose fields are keywords. It reads no more schemas if the run exceeds a limit; the
// CRD is then not used.
func (d *decoder) object(v reflect.Value, n *yamltext.Node, pos yamltext.Pos, at *structural.Path) {
	p := v.Addr().Interface()
	_, isSchema := p.(*structural.JSONSchema)
	if isSchema && !d.meter.Spend(meter.UnitsOfSchema) {
		return
	}
	entries := d.entries(n, pos, at)
	for i := range entries {
		e := &entries[i]
		field := keyword.Find(p, e.Key)
		switch {
		case !field.IsValid() && isSchema:
			d.unknownField(idUnknownKeyword, e, at, keywordHint)
		case !field.IsValid():
			d.unknownField(idUnknownKeyword, e, at, func(key string) string { return didYouMean(key, suggested(p)) })
		case !e.Value.IsNull(): // as in Go's JSON decoder, null leaves a field as it is
			d.value(field, e.Value, e.Pos, at.Child(e.Key))
		}
	}
}

// value reads n, whose key is at pos, into v, which is a keyword at the path at or a part of it.
func (d *decoder) value(v reflect.Value, n *yamltext.Node, pos yamltext.Pos, at *structural.Path) {
	switch p := v.Addr().Interface().(type) {
	case *any:
		*p = n.Value()
		return
	case **structural.JSONSchemaOrArray:
		*p = d.items(n, pos, at)
		return
	case **structural.JSONSchemaOrBool:
		if n.Kind == yamltext.Map {
			*p = &structural.JSONSchemaOrBool{Schema: d.schema(n, pos, at), Allows: true}
		} else if d.expect(n, pos, at, "a boolean or a schema", "", yamltext.Bool) {
			*p = &structural.JSONSchemaOrBool{Allows: n.Bool()}
		}
		return
	case *structural.JSONSchemaOrStrings:
		switch n.Kind {
		case yamltext.Map:
			p.Schema = d.schema(n, pos, at)
		case yamltext.List:
			d.value(reflect.ValueOf(&p.Strings).Elem(), n, pos, at)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(v.Elem(), n, pos, at)
	case reflect.Struct:
		d.object(v, n, pos, at)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, e := range d.entries(n, pos, at) {
			d.renamed(&e, at)
			value := reflect.New(v.Type().Elem()).Elem()
			d.value(value, e.Value, e.Pos, at.Key(e.Key))
			v.SetMapIndex(reflect.ValueOf(e.Key), value)
		}
	case reflect.Slice: // Kubernetes tells an empty list from none
		if d.expect(n, pos, at, "a list of "+listed[v.Type().Elem()], valueHint(at.Name(), n), yamltext.List) {
			v.Set(reflect.MakeSlice(v.Type(), len(n.List), len(n.List)))
			for i, e := range n.List {
				d.value(v.Index(i), e, e.Pos, at.Index(i))
			}
		}
	default:
		d.scalar(v, n, pos, at)
	}
}

// renamed warns of a property whose key is not a string to YAML, so that it has another name than what is written.
func (d *decoder) renamed(e *yamltext.Entry, at *structural.Path) {
	if text, ok := d.doc.Written(e.Pos); ok && at.Name() == "properties" {
		d.say(structural.Finding{ID: idKeyRead, Severity: structural.SeverityWarning, Hint: fmt.Sprintf("put it in quotes: %q", yamltext.Shorten(text))},
			e.Pos, at.Key(e.Key), fmt.Sprintf("YAML reads the key %s as %[2]s: the property is called %[2]s", yamltext.Shorten(text), e.Key))
	}
}

// listed are the elements of lists in the words of errors.
var listed = map[reflect.Type]string{
	reflect.TypeFor[any]():                       "values",
	reflect.TypeFor[string]():                    "strings",
	reflect.TypeFor[*structural.JSONSchema]():    "schemas",
	reflect.TypeFor[structural.ValidationRule](): "rules",
	reflect.TypeFor[structural.Union]():          "unions",
}

func (d *decoder) scalar(v reflect.Value, n *yamltext.Node, pos yamltext.Pos, at *structural.Path) {
	if n.IsNull() {
		return
	}
	hint := valueHint(at.Name(), n)
	switch v.Kind() {
	case reflect.String:
		if d.expect(n, pos, at, "a string", hint, yamltext.String) {
			v.SetString(n.Str())
		}
	case reflect.Bool:
		if d.expect(n, pos, at, "a boolean", hint, yamltext.Bool) {
			v.SetBool(n.Bool())
		}
	case reflect.Int64:
		if d.expect(n, pos, at, "an integer", hint, yamltext.Int) {
			v.Set(reflect.ValueOf(n.Value()))
		}
	case reflect.Float64:
		if d.expect(n, pos, at, "a number", hint, yamltext.Int, yamltext.Float) {
			v.Set(reflect.ValueOf(n.Value()).Convert(v.Type()))
		}
	default:
		panic(fmt.Sprintf("keyword %s is of type %s", at.Name(), v.Type()))
	}
}

// valueHint says what to do about n, which cannot be the value of a keyword. In JSON Schema, a type can be a list, and in its later
// versions exclusiveMinimum and exclusiveMaximum are numbers.
func valueHint(keyword string, n *yamltext.Node) string {
	switch isNumber := n.Kind == yamltext.Int || n.Kind == yamltext.Float; {
	case keyword == "required":
		return "required is a list of names of fields, in the schema of the object that has the fields"
	case (keyword == "exclusiveMinimum" || keyword == "exclusiveMaximum") && isNumber:
		return "write the number as " + strings.ToLower(strings.TrimPrefix(keyword, "exclusive")) + " and " + keyword + ": true"
	case keyword != "type" || n.Kind != yamltext.List:
		return ""
	}
	other := slices.DeleteFunc(n.Strings(), func(s string) bool { return s == "null" || s == "" })
	switch {
	case len(other) != 1:
		return "write one type; for a value that is an integer or a string write x-kubernetes-int-or-string: true"
	case len(n.List) > 1:
		return "write type: " + yamltext.Shorten(other[0]) + " and nullable: true"
	}
	return "write type: " + yamltext.Shorten(other[0])
}

// items reads what is below items, at the path at.
func (d *decoder) items(n *yamltext.Node, pos yamltext.Pos, at *structural.Path) *structural.JSONSchemaOrArray {
	items := &structural.JSONSchemaOrArray{}
	switch n.Kind {
	case yamltext.Map:
		items.Schema = d.schema(n, pos, at)
	case yamltext.List:
		d.value(reflect.ValueOf(&items.Schemas).Elem(), n, pos, at)
	default: // Kubernetes takes this for items without a schema
		d.say(structural.Finding{ID: idItemsIgnored, Severity: structural.SeverityWarning, Hint: "Kubernetes reads this as items without a schema"},
			pos, at, "expected a schema, found "+n.Describe())
	}
	return items
}
