package load

import (
	"fmt"

	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// ParseSchema reads one bare schema, as it stands below openAPIV3Schema. It is nil where there is an error among the
// findings, whose paths begin at the schema itself.
func ParseSchema(name string, data []byte) (*structural.JSONSchema, []structural.Finding) {
	r := &structural.Report{File: name}
	var schemas []*structural.JSONSchema
	m := meter.New(1)
	yamltext.ParseText(m, yamltext.Decode(data), func(doc *yamltext.Document) {
		d := &decoder{report: r, meter: m}
		d.flaws(doc, doc.Root)
		schemas = append(schemas, d.schema(doc.Root, doc.Root.Pos, nil))
		r.Exceeded(m, doc.Root.Pos)
		if len(schemas) > 1 {
			d.find(ruleSeveralSchemas, structural.SeverityError, doc.Root.Pos, "", "there is more than one document", "")
		}
	}, r.Problem)
	if len(schemas) == 0 && len(r.Findings) == 0 {
		r.Add(structural.Finding{Rule: ruleNoSchema, Line: 1, Column: 1, Severity: structural.SeverityError, Message: "there is no schema"})
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
	d := &decoder{report: &structural.Report{Full: true, Findings: make([]structural.Finding, 1)}}
	return d.schema(n, n.Pos, nil)
}

// schema reads the schema n, whose key is at pos. It returns nil if the run exceeds a limit; the CRD is then not used.
func (d *decoder) schema(n *yamltext.Node, pos yamltext.Pos, at *structural.Path) *structural.JSONSchema {
	if !d.meter.Spend(unitsOfSchema) {
		return nil
	}
	s := &structural.JSONSchema{}
	d.keywords(s, n, pos, at)
	return s
}

// keywords reads n, whose key is at pos, into the struct that p points to, whose fields are keywords.
func (d *decoder) keywords(p any, n *yamltext.Node, pos yamltext.Pos, at *structural.Path) {
	entries := d.entries(n, pos, at)
	for i := range entries {
		e := &entries[i]
		if k, v := structural.FindKeyword(p, e.Key); k != nil {
			d.keyword(v.Addr().Interface(), e, at)
		} else if _, isSchema := p.(*structural.JSONSchema); isSchema {
			d.unknownField(ruleUnknownKeyword, e, at, keywordHint)
		} else {
			d.unknownField(ruleUnknownKeyword, e, at, func(key string) string { return didYouMean(key, suggested(p)) })
		}
	}
}

// keyword reads one keyword of the object at the path at into the field that p points to.
func (d *decoder) keyword(p any, e *yamltext.Entry, at *structural.Path) {
	below := at.Child(e.Key)
	isNull := e.Value.IsNull()
	switch p := p.(type) {
	case *string:
		*p = d.keywordText(e, at)
	case **string:
		if !isNull {
			s := d.str(e, at)
			*p = &s
		}
	case *bool:
		*p = d.boolean(e, at, exclusiveHint(e))
	case **bool:
		if !isNull {
			b := d.boolean(e, at, "")
			*p = &b
		}
	case **int64:
		*p = d.integer(e, at)
	case **float64:
		*p = d.number(e, at)
	case *any:
		*p = e.Value.Value()
	case *[]any:
		list := d.list(e, at, "a list of values", "")
		if e.Value.Kind == yamltext.List { // Kubernetes tells an empty list from none
			*p = make([]any, 0, len(list))
		}
		for _, n := range list {
			*p = append(*p, n.Value())
		}
	case *[]string:
		hint := ""
		if e.Key == "required" {
			hint = "required is a list of names of fields, in the schema of the object that has the fields"
		}
		*p = d.strings(e, at, hint)
	case *map[string]string:
		*p = map[string]string{}
		for _, m := range d.entries(e.Value, e.Pos, below) {
			d.check(m.Value, m.Pos, below.Key(m.Key), leaf("string"))
			(*p)[m.Key] = m.Value.Str()
		}
	case **structural.ExternalDocumentation:
		if !isNull {
			*p = &structural.ExternalDocumentation{}
			d.keywords(*p, e.Value, e.Pos, below)
		}
	case *[]structural.ValidationRule:
		*p = readList[structural.ValidationRule](d, e, at, "a list of rules")
	case *[]structural.Union:
		*p = readList[structural.Union](d, e, at, "a list of unions")
	default:
		d.schemas(p, e, at)
	}
}

// schemas reads a keyword that holds schemas into the field that p points to.
func (d *decoder) schemas(p any, e *yamltext.Entry, at *structural.Path) {
	below := at.Child(e.Key)
	isNull := e.Value.IsNull()
	switch p := p.(type) {
	case **structural.JSONSchema:
		if !isNull {
			*p = d.schema(e.Value, e.Pos, below)
		}
	case *[]*structural.JSONSchema:
		*p = d.schemaList(d.list(e, at, "a list of schemas", ""), below)
		if *p == nil && e.Value.Kind == yamltext.List {
			*p = []*structural.JSONSchema{} // Kubernetes tells an empty list from none
		}
	case *map[string]*structural.JSONSchema:
		if isNull {
			return
		}
		*p = map[string]*structural.JSONSchema{}
		for _, f := range d.entries(e.Value, e.Pos, below) {
			s := d.schema(f.Value, f.Pos, below.Key(f.Key))
			if s == nil {
				return
			}
			(*p)[f.Key] = s
		}
	case **structural.JSONSchemaOrArray:
		*p = d.items(e, below)
	case **structural.JSONSchemaOrBool:
		switch e.Value.Kind {
		case yamltext.Null:
		case yamltext.Map:
			*p = &structural.JSONSchemaOrBool{Schema: d.schema(e.Value, e.Pos, below), Allows: true}
		case yamltext.Bool:
			*p = &structural.JSONSchemaOrBool{Allows: e.Value.Value() == true}
		default:
			d.wrongType(e.Value, e.Pos, below, "a boolean or a schema", "")
		}
	case *map[string]structural.JSONSchemaOrStrings:
		if isNull {
			return
		}
		*p = map[string]structural.JSONSchemaOrStrings{}
		for _, f := range d.entries(e.Value, e.Pos, below) {
			var dependency structural.JSONSchemaOrStrings
			switch f.Value.Kind {
			case yamltext.Map:
				dependency.Schema = d.schema(f.Value, f.Pos, below.Key(f.Key))
			case yamltext.List:
				dependency.Strings = d.stringList(f.Value.List, below.Key(f.Key))
			}
			(*p)[f.Key] = dependency
		}
	default:
		panic(fmt.Sprintf("keyword %s is of type %T", e.Key, p))
	}
}

// keywordText reads a keyword that is a string. A type is a list in JSON Schema and never is one here.
func (d *decoder) keywordText(e *yamltext.Entry, at *structural.Path) string {
	if e.Key != "type" || e.Value.Kind != yamltext.List {
		return d.str(e, at)
	}
	hint := "write one type; for a value that is an integer or a string write x-kubernetes-int-or-string: true"
	var other []string
	for _, n := range e.Value.List {
		if n.Kind != yamltext.Null && n.Str() != "null" {
			other = append(other, n.Str())
		}
	}
	if len(other) == 1 && len(other) < len(e.Value.List) {
		hint = "write type: " + yamltext.Shorten(other[0]) + " and nullable: true"
	} else if len(other) == 1 {
		hint = "write type: " + yamltext.Shorten(other[0])
	}
	d.wrongType(e.Value, e.Pos, at.Child(e.Key), "a string", hint)
	return ""
}

// exclusiveHint is for exclusiveMinimum and exclusiveMaximum, which are numbers in later versions of JSON Schema.
func exclusiveHint(e *yamltext.Entry) string {
	bound, ok := map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}[e.Key]
	if !ok || e.Value.Kind != yamltext.Int && e.Value.Kind != yamltext.Float {
		return ""
	}
	return "write the number as " + bound + " and " + e.Key + ": true"
}

// items reads what is below items, at the path at.
func (d *decoder) items(e *yamltext.Entry, at *structural.Path) *structural.JSONSchemaOrArray {
	switch e.Value.Kind {
	case yamltext.Null:
		return nil
	case yamltext.Map:
		return &structural.JSONSchemaOrArray{Schema: d.schema(e.Value, e.Pos, at)}
	case yamltext.List:
		return &structural.JSONSchemaOrArray{Schemas: d.schemaList(e.Value.List, at)}
	}
	// Kubernetes takes this for items without a schema.
	d.find(ruleItemsIgnored, structural.SeverityWarning, e.Pos, at.String(), at.String()+": expected a schema, found "+e.Value.Describe(),
		"Kubernetes reads this as items without a schema")
	return &structural.JSONSchemaOrArray{}
}

// schemaList reads the elements of a list at the path at. It returns nil only for nil.
func (d *decoder) schemaList(list []*yamltext.Node, at *structural.Path) []*structural.JSONSchema {
	if list == nil {
		return nil
	}
	all := make([]*structural.JSONSchema, len(list))
	for i, n := range list {
		if all[i] = d.schema(n, n.Pos, at.Index(i)); all[i] == nil {
			break
		}
	}
	return all
}

// readList reads a list of objects whose fields are keywords. Kubernetes tells an empty list from none.
func readList[T any](d *decoder, e *yamltext.Entry, at *structural.Path, expected string) []T {
	list := d.list(e, at, expected, "")
	if e.Value.Kind != yamltext.List {
		return nil
	}
	all := make([]T, len(list))
	for i, n := range list {
		d.keywords(&all[i], n, n.Pos, at.Child(e.Key).Index(i))
	}
	return all
}
