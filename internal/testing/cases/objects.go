package cases

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Object is an object of a case.
type Object struct {
	Name     string
	Path     string // of its files, without what they end in
	Resource *Resource
	text     []byte
	old      []byte // what it replaces; nil where it takes none
}

// Objects returns the objects of the case, sorted by name.
func (c *Case) Objects() ([]*Object, error) {
	files, err := filepath.Glob(filepath.Join(c.Dir, "objects", "*.in.json"))
	if err != nil {
		return nil, err
	}
	resources := c.Resources()
	var all []*Object
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		stem := strings.TrimSuffix(file, ".in.json")
		o := &Object{Name: filepath.Base(stem), Path: stem, text: text}
		obj, err := numbers.Decode(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if o.old, err = os.ReadFile(stem + OldSuffix); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		for _, r := range resources {
			if len(resources) == 1 || obj["apiVersion"] == r.APIVersion() && obj["kind"] == r.CRD.Names.Kind {
				o.Resource = r
			}
		}
		if o.Resource == nil {
			return nil, fmt.Errorf("%s: the case has no %v %v", file, obj["apiVersion"], obj["kind"])
		}
		all = append(all, o)
	}
	return all, nil
}

// New returns the object, anew each time.
func (o *Object) New() map[string]any {
	obj, err := numbers.Decode(o.text)
	if err != nil {
		panic(err) // Objects has decoded it already
	}
	return obj
}

// OldSuffix is what the name of the file ends in that has the object before an update.
const OldSuffix = ".old.json"

// Old returns the object that this one replaces, nil if there is none.
func (o *Object) Old() map[string]any {
	if o.old == nil {
		return nil
	}
	obj, err := numbers.Decode(o.old)
	if err != nil {
		panic(err)
	}
	return obj
}

// Outcome is what becomes of an object: the text of each of the files beside it, "" if there is none.
type Outcome struct {
	Want, Dropped, Check string
	// Normal is what normalizing makes of the object when it comes from a request, and Stored what it makes of one from
	// storage: the object, and what there is to say. They are there for cases that ask for it.
	Normal, Stored string
	// Validate is what is wrong with the object, and Update what is when it replaces another.
	Validate, Update string
	// Metadata is what is wrong with the values of its metadata.
	Metadata string
	// Rules is what CEL rules say about it, warnings last.
	Rules string
}

// Outcome returns what the reference pruner and the reference checker make of the object.
func (o *Object) Outcome() Outcome {
	obj := o.New()
	var check []string
	for _, e := range o.Resource.Check(obj) {
		check = append(check, e.Error())
	}
	dropped := o.Resource.PruneReport(obj)
	out := Outcome{Want: Encode(obj), Dropped: Lines(dropped), Check: Lines(check)}
	if o.Resource.Case.Normalizes() {
		out.Normal = o.Normalized(prunert.FromRequest, o.Resource.Normalize)
		out.Stored = o.Normalized(prunert.FromStorage, o.Resource.Normalize)
	}
	if o.Resource.Case.Validates() {
		out.Validate = Lines(Texts(o.Resource.Validate(o.New())))
		out.Metadata = Lines(Texts(o.Resource.ValidateMetadata(o.New(), o.Old())))
		if old := o.Old(); old != nil {
			out.Update = Lines(Texts(o.Resource.ValidateUpdate(o.New(), old)))
		}
		out.Rules = Said(o.Resource.ValidateRules(o.New(), o.Old()))
	}
	return out
}

// Said returns what rules say.
func Said(errs prunert.ErrorList, warnings []string) string {
	texts := Texts(errs)
	for _, w := range warnings {
		texts = append(texts, "warning: "+w)
	}
	return Lines(texts)
}

// Texts returns the texts of errors.
func Texts(errs prunert.ErrorList) []string {
	var texts []string
	for _, e := range errs {
		texts = append(texts, e.Error())
	}
	return texts
}

// Normalized returns what normalize makes of the object, with the unknown fields and the errors.
func (o *Object) Normalized(source prunert.Source, normalize func(map[string]any, prunert.NormalizeOptions) ([]string, error)) string {
	obj := o.New()
	unknown, err := normalize(obj, prunert.NormalizeOptions{Source: source, ReportUnknown: true})
	text := Encode(obj)
	for _, path := range unknown {
		text += "unknown field " + strconv.Quote(path) + "\n"
	}
	if err != nil {
		text += "error: " + strings.ReplaceAll(err.Error(), "\n", "\nerror: ") + "\n"
	}
	return text
}

// Recorded returns what the files beside the object say.
func (o *Object) Recorded() (Outcome, error) {
	var out Outcome
	for suffix, text := range out.Files() {
		data, err := os.ReadFile(o.Path + suffix)
		if err != nil && !os.IsNotExist(err) {
			return out, err
		}
		*text = string(data)
	}
	return out, nil
}

// Files returns the texts of an outcome by what the names of their files end in.
func (out *Outcome) Files() map[string]*string {
	return map[string]*string{
		".want.json": &out.Want, ".dropped.txt": &out.Dropped, ".check.txt": &out.Check,
		".normal.txt": &out.Normal, ".stored.txt": &out.Stored, ".validate.txt": &out.Validate, ".update.txt": &out.Update, ".metadata.txt": &out.Metadata,
		".rules.txt": &out.Rules,
	}
}

// Lines writes texts one a line, quoted where they contain what would break or spoil a line.
func Lines(texts []string) string {
	var b strings.Builder
	for _, s := range texts {
		if quoted := strconv.Quote(s); strings.ReplaceAll(quoted, `\"`, `"`) != `"`+s+`"` {
			s = quoted
		}
		b.WriteString(s + "\n")
	}
	return b.String()
}

// Encode writes an object for people, with its keys sorted.
func Encode(obj map[string]any) string { return numbers.Encode(obj, "  ") }
