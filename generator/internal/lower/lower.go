// Package lower turns schemas into plans. It decides everything that a schema means for generated code; emitters see only the
// plan.
package lower

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Resource is one version of one kind, ready to be lowered.
type Resource struct {
	// CRD and Version say what the kind is called. What is done to its objects follows from the behavior alone.
	CRD     *structural.CRD
	Version *structural.Version
	structural.Behavior
	Hash    string // of the behavior
	Variant string // stands in the place of the kind in identifiers, "" for the kind
}

// Pass makes one tree of a plan.
type Pass struct {
	Name string
	root func(*nodes, Resource) *plan.Node
}

// Sharing says which equal nodes are one.
type Sharing uint8

const (
	// ShareWithinKinds shares nodes within a kind, so that a change to one kind leaves the files of all others alone.
	ShareWithinKinds Sharing = iota
	// ShareAcrossKinds shares nodes across the kinds of a package. Shared nodes belong to no kind.
	ShareAcrossKinds
)

// Plan lowers the resources of one package for the given passes. It omits the passes after enough reports true; nil stands for never.
func Plan(resources []Resource, passes []Pass, sharing Sharing, enough func(*plan.Plan) bool) *plan.Plan {
	resources = slices.Clone(resources)
	slices.SortStableFunc(resources, func(a, b Resource) int {
		return cmp.Or(
			strings.Compare(a.CRD.Names.Kind, b.CRD.Names.Kind),
			strings.Compare(a.CRD.Group, b.CRD.Group),
		)
	})
	p := &plan.Plan{}
	validates := slices.ContainsFunc(passes, func(p Pass) bool { return p.Name == Validate.Name })
	for _, r := range resources {
		kind := &plan.Kind{Ident: cmp.Or(r.Variant, Exported(r.CRD.Names.Kind)), Resource: prunert.Resource{
			Group: r.CRD.Group, Version: r.Version.Name, Kind: r.CRD.Names.Kind, Plural: r.CRD.Names.Plural,
			Namespaced: r.CRD.Scope != "Cluster", Status: r.Version.HasStatus,
			DeprecationWarning: structural.DeprecationWarning(r.CRD, r.Version),
			Kubernetes:         r.Kubernetes, SchemaHash: r.Hash, HasRules: validates && structural.HasRules(r.Written),
		}}
		if list := r.CRD.Names.ListKind; list != kind.Kind+"List" {
			kind.ListKind = list
		}
		if s := r.Version.Scale; s != nil {
			kind.Scale = &prunert.Scale{SpecReplicasPath: s.SpecReplicas, StatusReplicasPath: s.StatusReplicas, LabelSelectorPath: s.LabelSelector}
		}
		p.Kinds = append(p.Kinds, kind)
	}
	for _, pass := range passes {
		all := newNodes()
		roots := make(map[string]*plan.Node, len(resources))
		for i, r := range resources {
			if sharing == ShareWithinKinds {
				all = newNodes()
			}
			roots[p.Kinds[i].Kind] = pass.root(all, r)
		}
		p.Trees = append(p.Trees, newTree(pass.Name, p.Kinds, roots))
		if enough != nil && enough(p) {
			break
		}
	}
	return p
}

// newTree names the nodes below roots and lists those that become functions.
func newTree(pass string, kinds []*plan.Kind, roots map[string]*plan.Node) *plan.Tree {
	t := &plan.Tree{Pass: pass, Roots: roots, Funcs: nameNodes(kinds, roots)}
	nameRules(t.Funcs)
	return t
}

// ObjectMeta returns the trees of metadata, from which the runtime's own functions are generated. Here times and 64-bit integers are
// types of their own, because Go's decoder requires them.
func ObjectMeta() (prune, check *plan.Tree) {
	k := &plan.Kind{Resource: prunert.Resource{Kind: "ObjectMeta"}, Ident: "ObjectMeta"}
	schema := structural.ObjectMeta()
	tree := func(pass string, root *plan.Node) *plan.Tree {
		return newTree(pass, []*plan.Kind{k}, map[string]*plan.Node{k.Kind: root})
	}
	prune = tree(Prune.Name, (&dropping{nodes: newNodes(), reading: reading(structural.APIServer)}).child(schema, preserveOwn))
	check = tree(Check.Name, (&checking{nodes: newNodes(), formats: formatsOfObjectMeta}).lower(schema))
	return prune, check
}

// withMeta replaces the fields that every resource has, whatever the schema says about them.
func withMeta(fields []plan.Field, typeMeta, metadata *plan.Node) []plan.Field {
	fields = slices.DeleteFunc(fields, func(f plan.Field) bool {
		return f.Name == "apiVersion" || f.Name == "kind" || f.Name == "metadata"
	})
	fields = append(fields,
		plan.Field{Name: "apiVersion", Node: typeMeta},
		plan.Field{Name: "kind", Node: typeMeta},
		plan.Field{Name: "metadata", Node: metadata})
	slices.SortStableFunc(fields, func(a, b plan.Field) int { return strings.Compare(a.Name, b.Name) })
	return fields
}
