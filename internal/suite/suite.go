package suite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/fields"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

var ids structural.IDTable

var (
	IDSuite     = ids.Add("test/suite", "A suite of tests has the fields of a suite, and its objects can be read.")
	IDFailed    = ids.Add("test/failed", "The API server does what a test of a CRD expects.")
	IDUncovered = ids.Add("test/uncovered", "A test violates the constraint of a CRD, or has the default filled in.")
)

// IDs returns every id of this package with what is said about it.
func IDs() []structural.IDInfo { return ids }

// Suite is cases for one CRD, or a file of manifests.
type Suite struct {
	File string
	// CRDName is the name of the CRD, empty for manifests, whose objects have kinds.
	CRDName string
	// FeatureGates are the feature gates that a variant of the CRD must have, or with a minus sign must not have.
	FeatureGates []string
	// Version is the version to test. Without one, the objects have their own.
	Version string
	Cases   []*Case
	// Passed is the number of objects in a manifest that are of groups without a CRD. They are not tested.
	Passed int

	text []byte // of the file
}

// Case says what is expected of an object that is created or updated.
type Case struct {
	Name string
	Line int
	// Initial is created, and then updated to Updated if that is not nil.
	Initial, Updated *Object
	// Patches are a JSON patch. While Initial is created, the CRD is patched with it.
	Patches []byte
	// Expected is what is stored in the end. It is nil if an error is expected, and for manifests, which are only to be
	// accepted.
	Expected *Object
	// ExpectedError is a part of the text with which the last request is refused, ExpectedStatusError a part of that
	// for an update of the status.
	ExpectedError, ExpectedStatusError string
	// ExpectedWarnings are the warnings of the last request, nil if they do not matter.
	ExpectedWarnings []string

	Namespace       string
	FieldValidation prunert.FieldValidation

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

// NewObject returns an object that is not from a file.
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
	d := &decoder{fields.New(m, file, IDSuite)}
	s := &Suite{File: file, text: text}
	if _, found := d.Document(text, "a suite", func(root *yamltext.Node) { d.suite(s, root) }); !found {
		d.Wrong(yamltext.Pos{Line: 1, Column: 1}, "the suite is empty")
	}
	return s, d.Sorted()
}

// decoder reads the nodes of a suite.
type decoder struct{ *fields.Decoder }

func ignore(*yamltext.Node) {}

func (d *decoder) suite(s *Suite, n *yamltext.Node) {
	d.Fields(n, "a suite", map[string]func(*yamltext.Node){
		"apiVersion":   ignore,              // tools that look for CRDs want one
		"name":         d.Text(new(string)), // for people
		"crdName":      d.Text(&s.CRDName),
		"featureGate":  ignore, // the old name of the field, which nothing reads any more
		"featureGates": d.Texts(&s.FeatureGates),
		"version":      d.Text(&s.Version),
		"tests": func(n *yamltext.Node) {
			cases := func(onUpdate bool) func(*yamltext.Node) {
				return func(n *yamltext.Node) {
					d.Each(n, func(n *yamltext.Node) { s.Cases = append(s.Cases, d.test(n, onUpdate)) })
				}
			}
			d.Fields(n, "tests", map[string]func(*yamltext.Node){"onCreate": cases(false), "onUpdate": cases(true)})
		},
	})
	if n.Kind == yamltext.Map && n.Get("crdName") == nil {
		d.Wrong(n.Pos, "the suite has no crdName")
	}
}

// test reads a case.
func (d *decoder) test(n *yamltext.Node, onUpdate bool) *Case {
	c := &Case{Line: n.Pos.Line, fields: map[string]yamltext.Pos{}}
	validation := ""
	known := map[string]func(*yamltext.Node){
		"name":             d.Text(&c.Name),
		"initial":          d.object(&c.Initial),
		"expected":         d.object(&c.Expected),
		"expectedError":    d.Text(&c.ExpectedError),
		"expectedWarnings": d.Texts(&c.ExpectedWarnings),
		"namespace":        d.Text(&c.Namespace),
		"fieldValidation":  d.Text(&validation),
	}
	what := "a case of onCreate"
	if onUpdate {
		what = "a case of onUpdate"
		known["updated"] = d.object(&c.Updated)
		known["expectedStatusError"] = d.Text(&c.ExpectedStatusError)
		known["initialCRDPatches"] = d.patches(&c.Patches)
	}
	d.Fields(n, what, known)
	for _, e := range n.Entries {
		c.fields[e.Key] = e.Pos
	}
	c.FieldValidation = prunert.FieldValidation(validation)
	switch {
	case n.Kind != yamltext.Map:
	case n.Child("initial").IsNull():
		d.Wrong(n.Pos, "the case has no initial object")
	case onUpdate && n.Child("updated").IsNull():
		d.Wrong(n.Pos, "the case has no updated object")
	case validation != "" && validation != "Ignore" && validation != "Warn" && validation != "Strict":
		d.Wrong(c.fields["fieldValidation"], "fieldValidation is Ignore, Warn or Strict")
	}
	if c.Name == "" {
		c.Name = fmt.Sprintf("line %d", c.Line)
	}
	return c
}

// object returns a function that reads an object from the text in a string.
func (d *decoder) object(to **Object) func(*yamltext.Node) {
	return func(n *yamltext.Node) {
		if n.Kind == yamltext.Map {
			*to = newObject(n, n.Pos.Line)
			return
		}
		if n.Kind != yamltext.String {
			d.Wrong(n.Pos, "got %s, want an object as text: write | after the colon", n.Describe())
			return
		}
		text := n.Str()
		first := n.Pos.Line - 1
		if strings.Contains(text, "\n") {
			first++ // the text of a block begins below the bar
		}
		var documents []*yamltext.Node
		readable := true
		yamltext.ParseText(d.Meter, []byte(text), func(doc *yamltext.Document) { documents = append(documents, doc.Root) },
			func(p *yamltext.Problem) {
				p.Pos.Line += first
				d.Problem(p)
				readable = false
			})
		switch {
		case !readable:
		case len(documents) != 1 || documents[0].Kind != yamltext.Map:
			d.Wrong(n.Pos, "the text is not one object")
		default:
			*to = newObject(documents[0], first+documents[0].Pos.Line)
		}
	}
}

// patches returns a function that reads a JSON patch.
func (d *decoder) patches(to *[]byte) func(*yamltext.Node) {
	return func(n *yamltext.Node) {
		var all []map[string]any
		d.Each(n, func(n *yamltext.Node) {
			var op, path, from string
			patch := map[string]any{}
			d.Fields(n, "a patch", map[string]func(*yamltext.Node){
				"op": d.Text(&op), "path": d.Text(&path), "from": d.Text(&from),
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
				d.Wrong(n.Pos, "the op of a patch is add, remove, replace, move, copy or test")
			}
			all = append(all, patch)
		})
		if len(all) > 0 {
			*to, _ = json.Marshal(all)
		}
	}
}
