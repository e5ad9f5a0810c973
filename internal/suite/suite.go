// Package suite tests CRDs: it runs cases, which say what an API server makes of objects, and says which of them it does otherwise.
//
// Cases come from suites, files in the format in which openshift/api tests its CRDs, and from directories of manifests that are to be
// accepted or refused. A case runs with every variant of its CRD: see Variants.
package suite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/spelling"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

var rules structural.RuleTable

var (
	RuleSuite     = rules.Add("test/suite", "A suite of tests has the fields of a suite, and its objects can be read.")
	RuleFailed    = rules.Add("test/failed", "The API server does what a test of a CRD expects.")
	RuleUncovered = rules.Add("test/uncovered", "A test violates the constraint of a CRD, or has the default filled in.")
)

// Rules returns every rule id of this package with what is said about it.
func Rules() []structural.RuleInfo { return rules }

// Suite is cases for one CRD, or a file of manifests.
type Suite struct {
	File string
	// Name is what the suite calls itself.
	Name string
	// CRDName is the name of the CRD, empty for manifests, which say their kinds.
	CRDName string
	// FeatureGates are the feature gates that a variant of the CRD must have, or with a minus sign must not have.
	FeatureGates []string
	// Version is the only version that counts. Without one, the objects say theirs.
	Version string
	Cases   []*Case
	// Passed is the number of objects in a manifest that are of groups without a CRD. They are not tested.
	Passed int

	text []byte // of the file
}

// Case is what is to become of an object that is created, or updated.
type Case struct {
	Name string
	Line int
	// Initial is created, and then updated to Updated if that is not nil.
	Initial, Updated *Object
	// Patches are a JSON patch. While Initial is created, the CRD is patched with it.
	Patches []byte
	// Expected is what is stored in the end. It is nil if an error is expected, and for manifests, which have to be accepted.
	Expected *Object
	// ExpectedError is a part of the text with which the last request is refused, ExpectedStatusError of that with which an update of
	// the status is.
	ExpectedError, ExpectedStatusError string
	// ExpectedWarnings are the warnings of the last request, nil if they do not matter.
	ExpectedWarnings []string

	Namespace       string
	FieldValidation prunert.FieldValidation
	// Subresource is scale if Updated is a Scale.
	Subresource string

	isManifest bool
	fields     map[string]yamltext.Pos // of the case in a suite
}

// Object is an object of a case.
type Object struct {
	Line             int
	apiVersion, kind string
	node             *yamltext.Node
	made             map[string]any // instead of node
	json             []byte         // as a client sends it, nil for the objects of suites
}

func newObject(n *yamltext.Node, line int) *Object {
	return &Object{Line: line, apiVersion: n.Child("apiVersion").Str(), kind: n.Child("kind").Str(), node: n}
}

// NewObject returns an object that is in no file.
func NewObject(obj map[string]any) *Object {
	o := &Object{made: obj}
	o.apiVersion, _ = obj["apiVersion"].(string)
	o.kind, _ = obj["kind"].(string)
	return o
}

// value returns the object for a request to change.
func (o *Object) value() map[string]any {
	if o.made != nil {
		return jsonvalue.Copy(o.made)
	}
	m, _ := o.node.Value().(map[string]any)
	return m
}

// Read reads a suite from a text that yamltext.Decode has returned. The findings say what is wrong with it; the suite must not be used
// then.
func Read(m *meter.Meter, file string, text []byte) (*Suite, []structural.Finding) {
	d := &decoder{meter: m, report: structural.Report{File: file, Meter: m}}
	s := &Suite{File: file, text: text}
	documents := 0
	yamltext.ParseText(m, text, func(doc *yamltext.Document) {
		if documents++; documents > 1 {
			d.wrong(doc.Root.Pos, "a suite has one document")
			return
		}
		for _, flaws := range doc.Flaws {
			for _, f := range flaws {
				d.wrong(f.Pos, "the key %q is there twice", f.Key)
			}
		}
		d.suite(s, doc.Root)
	}, d.report.Problem)
	if documents == 0 {
		d.wrong(yamltext.Pos{Line: 1, Column: 1}, "the suite is empty")
	}
	return s, d.report.Sorted()
}

// decoder reads the nodes of a suite.
type decoder struct {
	meter  *meter.Meter
	report structural.Report
}

func (d *decoder) wrong(at yamltext.Pos, format string, args ...any) {
	d.report.Add(structural.Finding{Rule: RuleSuite, Line: at.Line, Column: at.Column, Severity: structural.SeverityError, Message: fmt.Sprintf(format, args...)})
}

// fields calls the function for each key of a map. Keys without a function are errors.
func (d *decoder) fields(n *yamltext.Node, what string, known map[string]func(*yamltext.Node)) {
	if n.Kind != yamltext.Map {
		d.wrong(n.Pos, "got %s, want %s", n.Describe(), what)
		return
	}
	for _, e := range n.Entries {
		read, ok := known[e.Key]
		if !ok {
			var names []string
			for name := range known {
				names = append(names, name)
			}
			slices.Sort(names)
			hint := "it can have " + strings.Join(names, ", ")
			if near := spelling.Nearest(e.Key, names); near != "" {
				hint = "did you mean " + near + "?"
			}
			d.report.Add(structural.Finding{Rule: RuleSuite, Line: e.Pos.Line, Column: e.Pos.Column, Severity: structural.SeverityError,
				Message: fmt.Sprintf("%s has no field %q", what, e.Key), Hint: hint})
			continue
		}
		if !e.Value.IsNull() {
			read(e.Value)
		}
	}
}

func ignore(*yamltext.Node) {}

// text returns a function that reads a string.
func (d *decoder) text(to *string) func(*yamltext.Node) {
	return func(n *yamltext.Node) {
		if n.Kind != yamltext.String {
			d.wrong(n.Pos, "got %s, want a string", n.Describe())
			return
		}
		*to = n.Str()
	}
}

// texts returns a function that reads a list of strings.
func (d *decoder) texts(to *[]string) func(*yamltext.Node) {
	return func(n *yamltext.Node) {
		*to = []string{}
		d.each(n, func(n *yamltext.Node) {
			var s string
			d.text(&s)(n)
			*to = append(*to, s)
		})
	}
}

// each reads the elements of a list.
func (d *decoder) each(n *yamltext.Node, read func(*yamltext.Node)) {
	if n.Kind != yamltext.List {
		d.wrong(n.Pos, "got %s, want a list", n.Describe())
		return
	}
	for _, e := range n.List {
		read(e)
	}
}

func (d *decoder) suite(s *Suite, n *yamltext.Node) {
	d.fields(n, "a suite", map[string]func(*yamltext.Node){
		"apiVersion":   ignore, // tools that look for CRDs want one
		"name":         d.text(&s.Name),
		"crdName":      d.text(&s.CRDName),
		"featureGate":  ignore, // the old name of the field, which nothing reads any more
		"featureGates": d.texts(&s.FeatureGates),
		"version":      d.text(&s.Version),
		"tests": func(n *yamltext.Node) {
			cases := func(onUpdate bool) func(*yamltext.Node) {
				return func(n *yamltext.Node) {
					d.each(n, func(n *yamltext.Node) { s.Cases = append(s.Cases, d.test(n, onUpdate)) })
				}
			}
			d.fields(n, "tests", map[string]func(*yamltext.Node){"onCreate": cases(false), "onUpdate": cases(true)})
		},
	})
	if n.Kind == yamltext.Map && n.Get("crdName") == nil {
		d.wrong(n.Pos, "the suite has no crdName")
	}
}

// test reads a case.
func (d *decoder) test(n *yamltext.Node, onUpdate bool) *Case {
	c := &Case{Line: n.Pos.Line, fields: map[string]yamltext.Pos{}}
	validation := ""
	known := map[string]func(*yamltext.Node){
		"name":             d.text(&c.Name),
		"initial":          d.object(&c.Initial),
		"expected":         d.object(&c.Expected),
		"expectedError":    d.text(&c.ExpectedError),
		"expectedWarnings": d.texts(&c.ExpectedWarnings),
		"namespace":        d.text(&c.Namespace),
		"fieldValidation":  d.text(&validation),
	}
	what := "a case of onCreate"
	if onUpdate {
		what = "a case of onUpdate"
		known["updated"] = d.object(&c.Updated)
		known["expectedStatusError"] = d.text(&c.ExpectedStatusError)
		known["initialCRDPatches"] = d.patches(&c.Patches)
		known["subresource"] = d.text(&c.Subresource)
	}
	d.fields(n, what, known)
	for _, e := range n.Entries {
		c.fields[e.Key] = e.Pos
	}
	c.FieldValidation = prunert.FieldValidation(validation)
	switch {
	case n.Kind != yamltext.Map:
	case n.Child("initial").IsNull():
		d.wrong(n.Pos, "the case has no initial object")
	case onUpdate && n.Child("updated").IsNull():
		d.wrong(n.Pos, "the case has no updated object")
	case c.Subresource != "" && c.Subresource != "scale":
		d.wrong(c.fields["subresource"], "the subresource %q cannot be tested; the status of an object is written by its subresource, scale can be named", c.Subresource)
	case validation != "" && validation != "Ignore" && validation != "Warn" && validation != "Strict":
		d.wrong(c.fields["fieldValidation"], "fieldValidation is Ignore, Warn or Strict")
	}
	if c.Name == "" {
		c.Name = fmt.Sprintf("line %d", c.Line)
	}
	return c
}

// object returns a function that reads an object from the text that a string is.
func (d *decoder) object(to **Object) func(*yamltext.Node) {
	return func(n *yamltext.Node) {
		if n.Kind == yamltext.Map {
			*to = newObject(n, n.Pos.Line)
			return
		}
		if n.Kind != yamltext.String {
			d.wrong(n.Pos, "got %s, want an object as text: write | behind the colon", n.Describe())
			return
		}
		text := n.Str()
		first := n.Pos.Line - 1
		if strings.Contains(text, "\n") {
			first++ // the text of a block begins below the bar
		}
		var documents []*yamltext.Node
		readable := true
		yamltext.ParseText(d.meter, []byte(text), func(doc *yamltext.Document) { documents = append(documents, doc.Root) },
			func(p *yamltext.Problem) {
				p.Pos.Line += first
				d.report.Problem(p)
				readable = false
			})
		switch {
		case !readable:
		case len(documents) != 1 || documents[0].Kind != yamltext.Map:
			d.wrong(n.Pos, "the text is not one object")
		default:
			*to = newObject(documents[0], first+documents[0].Pos.Line)
		}
	}
}

// patches returns a function that reads a JSON patch.
func (d *decoder) patches(to *[]byte) func(*yamltext.Node) {
	return func(n *yamltext.Node) {
		var all []map[string]any
		d.each(n, func(n *yamltext.Node) {
			var op, path, from string
			patch := map[string]any{}
			d.fields(n, "a patch", map[string]func(*yamltext.Node){
				"op": d.text(&op), "path": d.text(&path), "from": d.text(&from),
				"value": func(*yamltext.Node) {},
			})
			if n.Kind != yamltext.Map {
				return
			}
			patch["op"], patch["path"] = op, path
			if from != "" {
				patch["from"] = from
			}
			if e := n.Get("value"); e != nil {
				patch["value"] = e.Value.Value()
			}
			if !slices.Contains([]string{"add", "remove", "replace", "move", "copy", "test"}, op) {
				d.wrong(n.Pos, "the op of a patch is add, remove, replace, move, copy or test")
			}
			all = append(all, patch)
		})
		if len(all) > 0 {
			*to, _ = json.Marshal(all)
		}
	}
}

// String returns what the suite is called.
func (s *Suite) String() string { return cmp.Or(s.Name, s.File) }
