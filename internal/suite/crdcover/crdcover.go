package crdcover

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/keyword"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// Kind records the requests for one version of a CRD. It may be used by several goroutines at once.
type Kind struct {
	crd      *structural.CRD
	version  *structural.Version
	work     *interpret.Work
	resource prunert.Resource
	rules    func() *prunecel.Rules
	shape    func() *pruneimpl.Shape
	ofRule   map[*prunecel.Rule]*constraint // after rules is called
	root     *node
	all      []*constraint

	mu      sync.Mutex // guards what follows, and what was seen of constraints
	cases   []string
	numbers map[string]int
}

// New returns a Kind for the version of a CRD whose resource is r, from dynamic.Compile or generated code.
func New(crd *structural.CRD, r prunert.Resource) (*Kind, error) {
	i := slices.IndexFunc(crd.Versions, func(v *structural.Version) bool { return v.Name == r.Version })
	if i < 0 {
		return nil, fmt.Errorf("%s has no version %s", crd.Name, r.Version)
	}
	k := &Kind{crd: crd, version: crd.Versions[i], work: &interpret.Work{Kubernetes: crd.Kubernetes}, resource: r, numbers: map[string]int{}}
	schema := crd.Structural(k.version)
	b := &builder{crd: crd, work: k.work}
	k.root = b.node(k.version.Schema, nil, k.version.SchemaPath)
	k.all = b.all
	k.rules = sync.OnceValue(func() *prunecel.Rules {
		table := celrules.Table(celrules.Check(schema, celrules.Stored(crd.Kubernetes)))
		if table == nil {
			table = &prunecel.Rules{}
		}
		table.Kubernetes, k.ofRule = crd.Kubernetes, map[*prunecel.Rule]*constraint{}
		k.learn(table, k.root)
		return table
	})
	k.shape = sync.OnceValue(func() *pruneimpl.Shape { return resources.Shape(schema) })
	return k, nil
}

// learn takes the rules of n from a table. There are none inside of junctors.
func (k *Kind) learn(table *prunecel.Rules, n *node) {
	if table == nil || n == nil {
		return
	}
	for i, r := range table.Rules {
		n.own[i].rule = r
		n.own[i].needsOld = r.UsesOld && !r.OptionalOld
		k.ofRule[r] = n.own[i]
	}
	for _, f := range table.Fields {
		k.learn(f.Rules, n.field(f.Name))
	}
	k.learn(table.Values, n.values)
	k.learn(table.Items, n.items)
}

// field returns the node of a field, or of the values of a map. It is nil for none.
func (n *node) field(name string) *node {
	if n.schema.Properties[name] != nil {
		return n.fields[name]
	}
	return n.values
}

// find returns the constraint of a kind, nil for none. The field is that of a required name.
func (n *node) find(kind, field string) *constraint {
	if n == nil {
		return nil
	}
	for _, c := range n.own {
		if c.Kind == kind && c.field == field {
			return c
		}
	}
	return nil
}

// Record records a request of a case and the answer to it. The object is as it was sent; old is nil for a request that creates it. A
// request that was refused is sent again, to the resource that New was called with. Requests for the scale of an object are not recorded:
// record the corresponding update of the object. Neither object is changed.
func (k *Kind) Record(name string, sent, old map[string]any, req prunert.Request, answer prunert.Answer) {
	var seen seen
	switch {
	case k.root == nil || req.Subresource != "" && req.Subresource != "status":
		return
	case answer.Refusal != nil:
		obj := jsonvalue.Copy(sent)
		errs, rules := k.errors(obj, old, req)
		for _, e := range errs {
			seen.broken = append(seen.broken, k.violated(e, rules, obj)...)
		}
	default:
		k.rules() // which say whether they are about updates
		k.accepted(&seen, answer.Object, sent, old, req.Subresource)
		if old != nil {
			tolerated := k.tolerated(answer.Object, old)
			seen.held = slices.DeleteFunc(seen.held, func(c *constraint) bool { return slices.Contains(tolerated, c) })
		}
	}
	if len(seen.held)+len(seen.broken) == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	number, ok := k.numbers[name]
	if !ok {
		number = len(k.cases)
		k.numbers[name], k.cases = number, append(k.cases, name)
	}
	for _, c := range seen.held {
		note(&c.held, number)
	}
	for _, c := range seen.broken {
		note(&c.broken, number)
	}
}

// note adds a case, unless it was the last one added: requests have many values.
func note(cases *[]int, number int) {
	if n := len(*cases); n == 0 || (*cases)[n-1] != number {
		*cases = append(*cases, number)
	}
}

// Constraints returns the constraints in the order of the schema, with the fields of objects by name.
func (k *Kind) Constraints() []Constraint {
	k.mu.Lock()
	defer k.mu.Unlock()
	names := func(cases []int) []string {
		var all []string
		for _, number := range cases {
			all = append(all, k.cases[number])
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	all := make([]Constraint, len(k.all))
	for i, c := range k.all {
		all[i] = c.Constraint
		all[i].SatisfiedBy, all[i].ViolatedBy = names(c.held), names(c.broken)
	}
	return all
}

// seen has the constraints that a request has shown satisfied and violated.
type seen struct{ held, broken []*constraint }

// accepted finds the constraints of the values in an object that was stored.
func (k *Kind) accepted(found *seen, obj, sent, old map[string]any, subresource string) {
	if k.root == nil {
		return // there are no constraints
	}
	const status = "status"
	root := *k.root
	if k.version.HasStatus {
		root.fields = map[string]*node{}
		for name, f := range k.root.fields {
			if (name == status) == (subresource == status) {
				root.fields[name] = f
			}
		}
	}
	if subresource == status {
		root.own = slices.DeleteFunc(slices.Clone(root.own), func(c *constraint) bool { return c.Kind != Rule })
	}
	p := place{value: obj, sent: sent, wasSent: true}
	if old != nil {
		p.old = old
	}
	found.value(&root, p)
}

// place is a value of an object that was stored, with what was sent there and what was there before.
type place struct {
	value, sent any
	wasSent     bool
	old         any // nil for none
}

// value finds the constraints of a value.
func (s *seen) value(n *node, p place) {
	if n == nil {
		return
	}
	for _, c := range n.own {
		s.constraint(c, p, n.schema.Nullable)
	}
	switch v := p.value.(type) {
	case map[string]any:
		sent, _ := p.sent.(map[string]any)
		old, _ := p.old.(map[string]any)
		for name, e := range v {
			below, wasSent := sent[name]
			s.value(n.field(name), place{e, below, wasSent, old[name]})
		}
	case []any:
		if n.items == nil {
			return
		}
		sent, _ := p.sent.([]any)
		old, _ := p.old.([]any)
		before := pruneimpl.NewElements(old, n.schema.XListMapKeys) // none without keys
		for i, e := range v {
			below := place{value: e}
			if below.wasSent = i < len(sent); below.wasSent {
				below.sent = sent[i]
			}
			below.old, _ = before.Like(e)
			s.value(n.items, below)
		}
	}
}

// constraint decides whether a value has shown a constraint.
func (s *seen) constraint(c *constraint, p place, nullable bool) {
	switch c.Kind {
	case Default:
		if !p.wasSent || p.sent == nil && !nullable {
			s.broken = append(s.broken, c)
		} else if !reflect.DeepEqual(p.value, c.filled) {
			s.held = append(s.held, c)
		}
	case Required:
		if obj, ok := p.value.(map[string]any); ok {
			if _, ok := obj[c.field]; ok {
				s.held = append(s.held, c)
			}
		}
	default:
		if c.is(p.value) && (!c.needsOld || p.old != nil) {
			s.held = append(s.held, c)
		}
	}
}

// errors sends a request that is refused again, and returns its errors with their rules. They are about obj as it is changed.
func (k *Kind) errors(obj, old map[string]any, req prunert.Request) (prunert.ErrorList, violatedRules) {
	req.Now, req.NewUID = nil, nil // no constraint is about what they make
	answer, rules := k.send(obj, old, req)
	// Other refusals are not about constraints.
	if answer.Refusal == nil || answer.Refusal.Reason != "Invalid" {
		return nil, nil
	}
	return answer.Refusal.Errors, rules
}

// send sends a request, and returns the answer with the violated rules of its errors. They are about obj as it is changed.
func (k *Kind) send(obj, old map[string]any, req prunert.Request) (answer prunert.Answer, rules violatedRules) {
	r := k.resource
	if r.HasRules {
		r.ValidateRules = func(obj, old map[string]any) (prunert.ErrorList, []string) {
			result := k.validateRules(obj, old)
			rules = violatedRules{}
			for _, v := range result.Violations {
				rules[v.Error] = v
			}
			return result.Errors, result.Warnings
		}
	}
	if old == nil {
		answer = r.Create(obj, req)
	} else {
		answer = r.Update(obj, old, req)
	}
	return answer, rules
}

// violatedRules has the rule of each error of one.
type violatedRules map[*prunert.Error]prunecel.Violation

// validateRules evaluates the rules on an object, which replaces old; old is nil for a new object.
func (k *Kind) validateRules(obj, old map[string]any) prunecel.Result {
	var was any
	if old != nil {
		was = old
	}
	return k.rules().ValidateValue(obj, was, k.shape(), prunecel.RequestCosts())
}

// tolerated returns the constraints that an update violates with values that have not changed.
func (k *Kind) tolerated(obj, old map[string]any) []*constraint {
	var all []*constraint
	if k.resource.Validate != nil {
		for _, e := range k.resource.Validate(obj) {
			all = append(all, k.violated(e, nil, obj)...)
		}
	}
	if k.resource.HasRules {
		for _, v := range k.validateRules(obj, old).Violations {
			if c := k.ofRule[v.Of]; c != nil && v.Error == nil {
				all = append(all, c)
			}
		}
	}
	return all
}

// violated returns the constraints that an error of an object is of: none if it is about a type or about metadata, or one of several
// errors of a junctor, of which one is at the place of the junctor itself.
func (k *Kind) violated(e *prunert.Error, rules violatedRules, obj map[string]any) []*constraint {
	if v, ok := rules[e]; ok {
		if c := k.ofRule[v.Of]; c != nil {
			return []*constraint{c}
		}
		return nil
	}
	parent, n, value := k.at(e.Path, obj)
	var one *constraint
	switch e.Type {
	case prunert.ErrorTypeRequired:
		if parent == nil {
			return nil
		}
		one = parent.find(Required, e.Path[len(e.Path)-1].Name)
	case prunert.ErrorTypeDuplicate:
		one = parent.find(ListType, "")
	default:
		return k.brokenKeywords(n, value)
	}
	if one == nil {
		return nil
	}
	return []*constraint{one}
}

// at returns the value of an object at a path, and the nodes of it and of the value that it is in.
func (k *Kind) at(p prunert.Path, obj map[string]any) (parent, n *node, value any) {
	n, value = k.root, any(obj)
	for _, s := range p {
		if parent = n; n == nil {
			return nil, nil, nil
		}
		if s.Index >= 0 {
			list, _ := value.([]any)
			if n, value = n.items, nil; s.Index < len(list) {
				value = list[s.Index]
			}
			continue
		}
		object, _ := value.(map[string]any)
		n, value = n.field(s.Name), object[s.Name]
	}
	return parent, n, value
}

// hasWrongType reports whether the value of an object at a path does not have the type of its schema.
func (k *Kind) hasWrongType(p prunert.Path, obj map[string]any) bool {
	_, n, value := k.at(p, obj)
	if n == nil || value == nil {
		return false
	}
	errs, _ := k.work.ValidateValues(value, n.onlyType())
	return len(errs) > 0
}

// onlyType returns the schema of a value without its constraints.
func (n *node) onlyType() *structural.JSONSchema {
	s := n.schema
	return &structural.JSONSchema{Type: s.Type, XIntOrString: s.XIntOrString, ExclusiveMinimum: s.ExclusiveMinimum, ExclusiveMaximum: s.ExclusiveMaximum}
}

// brokenKeywords returns the keywords of n that a value violates: those that add an error to those of the keywords before them.
func (k *Kind) brokenKeywords(n *node, value any) []*constraint {
	if n == nil {
		return nil
	}
	s := n.onlyType()
	count := func() int {
		errs, _ := k.work.ValidateValues(value, s)
		return len(errs)
	}
	var broken []*constraint
	errs := count()
	for _, c := range n.own {
		from, to := keyword.Find(n.schema, c.Kind), keyword.Find(s, c.Kind)
		if c.is == nil || !to.IsValid() {
			continue
		}
		to.Set(from)
		now := count()
		if now > errs {
			broken = append(broken, c)
		}
		errs = now
	}
	return broken
}
