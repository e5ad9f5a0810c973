package manifest

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/spelling"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Server answers like an API server with some CRDs and, for updates, some objects. Everything that it reads and answers shares limits; if
// one is exceeded, it stops answering, and a finding says so.
type Server struct {
	kinds   map[groupKind]*kind
	inGroup map[string][]string // the kinds of a group, sorted
	groups  []string            // that have custom resources, sorted
	ofKind  map[string][]string // the groups of a kind, sorted
	served  map[string]string   // that servedAs has returned
	stored  map[objectKey]Object
	fields  map[*structural.Schema][]string // that fieldsOf has returned
	later   func() []Definition
	meter   *meter.Meter
	err     error
}

// Definition defines a kind.
type Definition struct {
	Group, Kind string
	// CRDs returns the CRDs that define it. It is called for the first object of the kind, and returns nil if none can be used.
	CRDs    func() []*structural.CRD
	Compile Compile
	// Ask is set for a built-in kind, whose CRDs have its fields and nothing else: somebody else answers.
	Ask Ask
}

// Ask asks what the API server answers if an object is created or, if there is an old one, replaces that. It does not wait for the answer:
// the function that it returns does. An error other than ErrOldRefused is an error of the server.
type Ask func(obj, old map[string]any) (wait func() (prunert.Answer, error))

// ErrOldRefused says that the API server would not have accepted the old object.
var ErrOldRefused = errors.New("the old object is refused")

// Compile returns a resource for each version of a CRD, as dynamic.Compile does. An error other than ErrReported is an error of the
// server.
type Compile func(*structural.CRD) ([]prunert.Resource, error)

// ErrReported says that a CRD cannot be used, and that the reason was reported when it was compiled.
var ErrReported = errors.New("the CRD cannot be used")

// DefinedTwice returns the error that two CRDs have the same name.
func DefinedTwice(a, b *structural.CRD) error {
	name := prunert.FieldPath("metadata", "name")
	at, and := a.Locate(name), b.Locate(name)
	return fmt.Errorf("%s is defined at %s:%d and at %s:%d: name only one of them", a.Name, at.File, at.Line, and.File, and.Line)
}

type groupKind struct{ group, kind string }

type objectKey struct {
	groupKind
	namespace, name string
}

// kind is a kind with its versions.
type kind struct {
	definitions []Definition
	builtIn     bool
	// The following is set by the first object.
	crd      *structural.CRD // nil if it cannot be used
	versions map[string]*Resource
	served   []string // the names of the versions that are served, sorted
}

// Resource is a version of a kind.
type Resource struct {
	prunert.Resource
	crd    string             // its name, "" for a built-in kind
	schema *structural.Schema // of resources; nil if it is not structural
	ask    Ask                // nil for custom resources
}

// NewServer returns a server for the kinds of definitions. A kind that is defined twice counts once, if both definitions are equal. What
// the server reads and answers counts on the meter.
func NewServer(m *meter.Meter, definitions []Definition) *Server {
	s := &Server{
		kinds: map[groupKind]*kind{}, inGroup: map[string][]string{}, served: map[string]string{},
		stored: map[objectKey]Object{}, fields: map[*structural.Schema][]string{}, meter: m,
	}
	for _, d := range definitions {
		k := s.add(d.Group, d.Kind)
		k.definitions = append(k.definitions, d)
	}
	s.sort()
	return s
}

// BuiltIn makes the server answer for built-in kinds. The function is called for the first object of a kind that no CRD defines.
func (s *Server) BuiltIn(definitions func() []Definition) { s.later = definitions }

// find returns a kind, nil if it is not known.
func (s *Server) find(id groupKind) *kind {
	if s.kinds[id] == nil && s.later != nil {
		for _, d := range s.later() {
			if s.kinds[groupKind{d.Group, d.Kind}] == nil {
				*s.add(d.Group, d.Kind) = kind{definitions: []Definition{d}, builtIn: true}
			}
		}
		s.later = nil
		s.sort()
	}
	return s.kinds[id]
}

// FromCRDs returns a server for CRDs.
func FromCRDs(m *meter.Meter, compile Compile, crds ...*structural.CRD) *Server {
	var definitions []Definition
	for _, c := range crds {
		definitions = append(definitions, Definition{Group: c.Group, Kind: c.Names.Kind, CRDs: func() []*structural.CRD { return []*structural.CRD{c} }, Compile: compile})
	}
	return NewServer(m, definitions)
}

// add returns a kind, which may be new.
func (s *Server) add(group, name string) *kind {
	id := groupKind{group, name}
	if s.kinds[id] == nil {
		s.kinds[id] = &kind{}
		s.inGroup[group] = append(s.inGroup[group], name)
	}
	return s.kinds[id]
}

// sort sorts the names of kinds and groups.
func (s *Server) sort() {
	s.groups, s.ofKind = nil, map[string][]string{}
	for _, group := range slices.Sorted(maps.Keys(s.inGroup)) {
		slices.Sort(s.inGroup[group])
		custom := false
		for _, kind := range s.inGroup[group] {
			s.ofKind[kind] = append(s.ofKind[kind], group)
			custom = custom || !s.kinds[groupKind{group, kind}].builtIn
		}
		if custom {
			s.groups = append(s.groups, group)
		}
	}
}

// Err returns why the objects of a kind were not validated, nil if all were: because two CRDs define it differently, for example. An
// exceeded limit is a finding instead.
func (s *Server) Err() error { return s.err }

// kind returns a kind with its versions, nil if it is not known.
func (s *Server) kind(group, name string) *kind {
	k := s.find(groupKind{group, name})
	if k == nil {
		return nil
	}
	definitions := k.definitions
	k.definitions = nil
	for _, d := range definitions {
		for _, c := range d.CRDs() {
			made, err := d.compile(c)
			switch {
			case errors.Is(err, ErrReported):
			case err != nil:
				s.err = errors.Join(s.err, fmt.Errorf("%s: %w", c.File, err))
			case k.versions == nil:
				k.crd, k.versions, k.served = c, made.versions, made.served
			case !k.equal(made):
				s.err = errors.Join(s.err, DefinedTwice(k.crd, c))
				k.versions, k.served = nil, nil // there is no answer
				return k
			}
		}
	}
	return k
}

// compile returns the kind that a CRD defines.
func (d Definition) compile(c *structural.CRD) (*kind, error) {
	all, err := d.Compile(c)
	if err != nil {
		return nil, err
	}
	k := &kind{versions: map[string]*Resource{}}
	for i, v := range c.Versions {
		r := &Resource{Resource: all[i], crd: c.Name, ask: d.Ask}
		if d.Ask != nil {
			r.crd = ""
		}
		if schema := c.Structural(v); schema != nil {
			r.schema = schema.Resource()
		}
		k.versions[v.Name] = r
		if v.Served {
			k.served = append(k.served, v.Name)
		}
	}
	slices.Sort(k.served)
	return k, nil
}

// equal reports whether two CRDs of the same kind have the same versions, which answer alike.
func (k *kind) equal(other *kind) bool {
	return slices.Equal(k.served, other.served) && maps.EqualFunc(k.versions, other.versions, func(a, b *Resource) bool {
		return a.SchemaHash == b.SchemaHash && a.Status == b.Status && a.DeprecationWarning == b.DeprecationWarning && reflect.DeepEqual(a.Scale, b.Scale)
	})
}

// serves reports whether a version is served.
func (k *kind) serves(version string) bool {
	_, found := slices.BinarySearch(k.served, version)
	return found
}

// isKind reports whether a kind with this name is known.
func (s *Server) isKind(apiVersion, kind string) bool {
	group, _ := objects.SplitVersion(apiVersion)
	return s.find(groupKind{group, kind}) != nil
}

// lookup returns the resource of an object. It is nil if the server does not know the kind. The finding says that
// the server does not serve the version, or that the kind is probably misspelt.
func (s *Server) lookup(o Object) (*Resource, *structural.Finding) {
	group, version := o.Group()
	k := s.kind(group, o.Kind)
	if k == nil {
		if near := s.nearestKind(group, o.Kind); near != "" {
			f := noMatch(o, structural.SeverityWarning, "kind")
			f.ID, f.Hint = IDUnknownKind, "did you mean "+near+"?"
			return nil, f
		}
		return nil, nil
	}
	if k.serves(version) || k.versions == nil {
		return k.versions[version], nil
	}
	f := noMatch(o, structural.SeverityError, "apiVersion")
	f.ID, f.CRD, f.Hint = IDUnknownVersion, k.crd.Name, "the CRD serves no version"
	switch {
	case k.builtIn:
		f.CRD, f.Hint = "", "Kubernetes serves "+list(k.served)
	case len(k.served) > 0:
		f.Hint = "the CRD serves " + list(k.served)
	}
	return nil, f
}

// nearestKind returns a kind of the group with a similar name, "" for none.
func (s *Server) nearestKind(group, name string) string {
	if !s.compares(len(s.inGroup[group])) {
		return ""
	}
	return spelling.Nearest(name, s.inGroup[group])
}

// MissingKind returns a finding about an object whose kind is not known, nil if it is known or nothing is known about its group. It is an
// error if CRDs or Kubernetes itself have other kinds of the group, and a warning if CRDs of other groups have the kind: a group without
// a CRD may well have the same one.
func (s *Server) MissingKind(o Object) *structural.Finding {
	group, _ := o.Group()
	builtIn := kubenames.BuiltIn(group)
	if s.isKind(o.APIVersion, o.Kind) || slices.Contains(builtIn, o.Kind) || kubenames.IsLocal(group, o.Kind) {
		return nil
	}
	known := slices.Concat(s.inGroup[group], builtIn)
	slices.Sort(known)
	known = slices.Compact(known)
	elsewhere, wrong := s.servedAs(o.Kind), "kind"
	if elsewhere != "" {
		wrong = "apiVersion"
	}
	f := noMatch(o, structural.SeverityError, wrong)
	f.ID = IDUnknownKind
	switch {
	case len(known) == 0 && elsewhere == "":
		return nil
	case len(known) == 0:
		f.Severity, f.Message, f.Hint = structural.SeverityWarning, NoCRD(o), "did you mean "+elsewhere+"?"
		return f
	}
	near := ""
	if s.compares(len(known)) {
		near = spelling.Nearest(short(o.Kind), known)
	}
	switch {
	case near != "":
		f.Hint = "did you mean " + near + "?"
	case elsewhere != "":
		f.Hint = "did you mean " + elsewhere + "?"
	default:
		f.Hint = "known kinds: " + list(known)
	}
	return f
}

// NoCRD says that no CRD was given for the kind of an object.
func NoCRD(o Object) string {
	return fmt.Sprintf("no CRD was given for kind %q in version %q", short(o.Kind), short(o.APIVersion))
}

// servedAs lists the versions of a kind that CRDs of any group serve, the first of many. It is "" if there are none.
func (s *Server) servedAs(kind string) string {
	if text, ok := s.served[kind]; ok || s.ofKind[kind] == nil {
		return text
	}
	const most = 12
	var all []string
	for _, group := range s.ofKind[kind] {
		if len(all) > most { // do not read the other CRDs
			break
		}
		for _, version := range s.kind(group, kind).served {
			all = append(all, strings.TrimPrefix(fmt.Sprintf("%s/%s %s", group, version, kind), "/"))
		}
	}
	if len(all) > most {
		all = append(all[:most], "others")
	}
	s.served[kind] = strings.Join(all, " or ")
	return s.served[kind]
}

// compares counts names that are compared for a hint, and reports whether the server goes on.
func (s *Server) compares(names int) bool { return s.meter.Spend(meter.UnitsOfName * names) }

// noMatch returns a finding in the words of kubectl, about a field that is probably wrong.
func noMatch(o Object, severity structural.Severity, field string) *structural.Finding {
	at := o.Node.Pos
	if e := o.Node.Get(field); e != nil {
		at = e.Pos
	}
	return &structural.Finding{
		Severity: severity, Object: o.String(), Line: at.Line, Column: at.Column,
		Message: fmt.Sprintf("no matches for kind %q in version %q", short(o.Kind), short(o.APIVersion)),
	}
}

// short returns a kind or an apiVersion, cut if it is longer than any that a CRD can have.
func short(name string) string {
	const longest = 253 + 1 + 63
	if len(name) > longest {
		return yamltext.Shorten(name)
	}
	return name
}

// Store stores an object, in place of another one of its name. A later object with its group, kind, namespace and name updates it. It
// reports whether there is room for it.
func (s *Server) Store(o Object) bool {
	key, ok := s.key(o)
	if ok = ok && o.Node.Hold(s.meter); ok {
		s.stored[key] = o
	}
	return ok
}

// StoreAgain stores an object that Store has accepted before, in place of another one of its name.
func (s *Server) StoreAgain(o Object) {
	if key, ok := s.key(o); ok {
		s.stored[key] = o
	}
}

// key returns the identity of an object. It is false for a kind that is not known, and for an object without a name.
func (s *Server) key(o Object) (objectKey, bool) {
	group, _ := o.Group()
	k := s.kind(group, o.Kind)
	if k == nil || o.Name() == "" {
		return objectKey{}, false
	}
	namespace := o.Namespace()
	switch {
	case k.crd == nil, k.crd.Scope == "Cluster":
		namespace = ""
	case namespace == "":
		namespace = "default"
	}
	return objectKey{groupKind{group, o.Kind}, namespace, o.Name()}, true
}
