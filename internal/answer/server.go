package answer

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/spelling"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// Server answers as an API server would that has some CRDs and, for updates, some objects. What it is asked shares limits: those on
// the texts that it reads, and on what answering takes. Past a limit it stops answering; past the limit for hints, findings have none,
// and past the limit on the search for groups, no text is foreign.
type Server struct {
	kinds   map[groupKind]*kind
	inGroup map[string][]string // the kinds of a group, sorted
	groups  []string            // sorted
	stored  map[objectKey]manifest.Object
	fields  map[*structural.Schema][]string // that fieldsOf has returned
	budget  *yamltext.Budget
	answers *dynamic.Budget
	names   int   // how many may still be compared for hints
	search  int64 // how many bytes may still be searched for groups
	texts   int   // how many bytes findings may still have
	again   int   // how many values of stored objects may still be read again
}

const (
	// maxCompared is how many names are compared for all hints: untrusted input can have many names, and many that match none.
	maxCompared = 2_000_000
	// maxSearched is how many bytes are searched for the groups of the server, those of a text once for each group.
	maxSearched = 1 << 30
	// maxFindingText is how many bytes the findings may have, before those that are too many for a file are left out.
	maxFindingText = 64 << 20
	// maxReadAgain is how many values the stored objects may have that are compared with others, counted for each.
	maxReadAgain = 4_000_000
)

type groupKind struct{ group, kind string }

type objectKey struct {
	groupKind
	namespace, name string
}

// kind is a CRD with its versions.
type kind struct {
	crd      *structural.CRD
	versions map[string]*Resource
	served   []string // the names of the versions that are served, sorted
}

// Resource is a version of a kind.
type Resource struct {
	prunert.Resource
	CRD    *structural.CRD
	schema *structural.Schema // nil if it is not structural; it says that objects are resources
}

// NewServer returns a server for CRDs. A CRD that is given twice counts once. It is an error if two CRDs of the same kind
// differ, or if the API server would refuse a schema.
func NewServer(crds []*structural.CRD) (*Server, error) {
	s := &Server{
		kinds: map[groupKind]*kind{}, inGroup: map[string][]string{}, stored: map[objectKey]manifest.Object{}, fields: map[*structural.Schema][]string{},
		budget: yamltext.NewBudget(), answers: dynamic.NewBudget(), names: maxCompared, search: maxSearched, texts: maxFindingText, again: maxReadAgain,
	}
	for _, c := range crds {
		s.budget.Hold(c.Node)
		k := &kind{crd: c, versions: map[string]*Resource{}, served: served(c)}
		all, err := dynamic.CompileWithin(c, s.answers)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.File, err)
		}
		for i, r := range all {
			k.versions[r.Version] = &Resource{Resource: r, CRD: c}
			if schema := c.Structural(c.Versions[i]); schema != nil {
				k.versions[r.Version].schema = schema.Resource()
			}
		}
		id := groupKind{c.Group, c.Names.Kind}
		if other := s.kinds[id]; other != nil && !other.equal(k) {
			return nil, fmt.Errorf("%s and %s both define %s, differently: choose one", other.crd.File, c.File, c.Name)
		}
		s.kinds[id] = k
	}
	for id := range s.kinds {
		s.inGroup[id.group] = append(s.inGroup[id.group], id.kind)
	}
	for _, kinds := range s.inGroup {
		slices.Sort(kinds)
	}
	s.groups = slices.Sorted(maps.Keys(s.inGroup))
	return s, nil
}

// equal reports whether two CRDs of the same kind have the same versions, which answer alike.
func (k *kind) equal(other *kind) bool {
	return slices.Equal(k.served, other.served) && maps.EqualFunc(k.versions, other.versions, func(a, b *Resource) bool {
		return a.SchemaHash == b.SchemaHash && a.Status == b.Status && a.DeprecationWarning == b.DeprecationWarning && reflect.DeepEqual(a.Scale, b.Scale)
	})
}

// served returns the names of the versions that are served, sorted.
func served(c *structural.CRD) []string {
	var names []string
	for _, v := range c.Versions {
		if v.Served {
			names = append(names, v.Name)
		}
	}
	slices.Sort(names)
	return names
}

// serves reports whether a version is served.
func (k *kind) serves(version string) bool {
	_, found := slices.BinarySearch(k.served, version)
	return found
}

// Resources returns all resources of the server, those that are not served included, in no order.
func (s *Server) Resources() []*Resource {
	var all []*Resource
	for _, k := range s.kinds {
		for _, r := range k.versions {
			all = append(all, r)
		}
	}
	return all
}

// Groups returns the groups of the CRDs, sorted.
func (s *Server) Groups() []string { return slices.Clone(s.groups) }

// isKind reports whether a kind with this name is known.
func (s *Server) isKind(apiVersion, kind string) bool {
	group, _ := manifest.Object{APIVersion: apiVersion}.Group()
	return s.kinds[groupKind{group, kind}] != nil
}

// Lookup returns the resource that an object is one of. It is nil if the server does not know the kind. The finding says that
// the server does not serve the version, or that the kind is probably misspelt.
func (s *Server) Lookup(o manifest.Object) (*Resource, *structural.Finding) {
	group, version := o.Group()
	k := s.kinds[groupKind{group, o.Kind}]
	if k == nil {
		if near := s.nearestKind(group, o.Kind); near != "" {
			f := noMatch(o, structural.SeverityWarning)
			f.Rule, f.Hint = RuleUnknownKind, "did you mean "+near+"?"
			return nil, f
		}
		return nil, nil
	}
	if k.serves(version) {
		return k.versions[version], nil
	}
	f := noMatch(o, structural.SeverityError)
	f.Rule, f.CRD, f.Hint = RuleUnknownVersion, k.crd.Name, "the CRD serves no version"
	if len(k.served) > 0 {
		f.Hint = "the CRD serves " + list(k.served)
	}
	return nil, f
}

// nearestKind returns a kind of the group that differs little from name, "" for none.
func (s *Server) nearestKind(group, name string) string {
	if !s.mayCompare(len(s.inGroup[group])) {
		return ""
	}
	return spelling.Nearest(name, s.inGroup[group])
}

// mayCompare reports whether n more names may be compared for a hint, and counts them. Without it, the finding has none.
func (s *Server) mayCompare(n int) bool {
	if n > s.names {
		return false
	}
	s.names -= n
	return true
}

// noMatch returns a finding in the words of kubectl.
func noMatch(o manifest.Object, severity structural.Severity) *structural.Finding {
	return &structural.Finding{
		Severity: severity, Object: o.String(), Line: o.Node.Pos.Line, Column: o.Node.Pos.Column,
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

// Store makes an object known that is updated if an object with its group, kind, namespace and name comes.
func (s *Server) Store(o manifest.Object) {
	if key, ok := s.key(o); ok {
		s.stored[key] = o
	}
}

// key returns the identity of an object. It is false for a kind that is not known, and for an object without a name.
func (s *Server) key(o manifest.Object) (objectKey, bool) {
	group, _ := o.Group()
	id := groupKind{group, o.Kind}
	k := s.kinds[id]
	if k == nil || o.Name() == "" {
		return objectKey{}, false
	}
	namespace := o.Namespace()
	switch {
	case k.crd.Scope == "Cluster":
		namespace = ""
	case namespace == "":
		namespace = "default"
	}
	return objectKey{id, namespace, o.Name()}, true
}
