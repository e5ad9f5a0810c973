package crddiff

import (
	"math"
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/structural"
)

// junctor is a keyword with alternatives.
type junctor struct {
	name string
	all  []*structural.NestedValueValidation
}

func junctorsOf(v *structural.ValueValidation) []junctor {
	return []junctor{{"allOf", v.AllOf}, {"anyOf", v.AnyOf}, {"oneOf", v.OneOf}, {"not", one(v.Not)}}
}

func one(n *structural.NestedValueValidation) []*structural.NestedValueValidation {
	if n == nil {
		return nil
	}
	return []*structural.NestedValueValidation{n}
}

// alternatives compares allOf, anyOf, oneOf and not.
func (w *walker) alternatives(was, is *structural.ValueValidation, s *spot) {
	before := junctorsOf(was)
	for i, j := range junctorsOf(is) {
		was, is := before[i].all, j.all
		lost, added := w.beyond(was, is), w.beyond(is, was)
		what := "what " + j.name + " says has changed"
		accept := func(what, why string, about []*structural.NestedValueValidation) {
			if slices.ContainsFunc(about, func(n *structural.NestedValueValidation) bool { return saysForm(n, j.name == "not") }) {
				w.add(idAlternatives, Readers, s.place, what, "values can have a form that clients do not know", j.name)
			} else {
				w.add(idAlternatives, None, s.place, what, why, j.name)
			}
		}
		if len(was) == 0 {
			what = j.name + " is new"
		}
		switch {
		case len(lost)+len(added) == 0:
		case len(is) == 0:
			accept(j.name+" is gone", acceptsMore, lost)
		case len(was) > 0 && j.name == "allOf" && len(added) == 0:
			accept(what, acceptsMore, lost)
		case len(was) > 0 && j.name == "anyOf" && len(lost) == 0:
			accept(what, acceptsMore, was)
		case !hasDefaults(s.new) && about(s).junctor(j) == always:
			accept(what, acceptsAll, lost)
		default:
			w.refuse(idAlternatives, s, s.place, what, refusesMore, j.name)
		}
	}
}

// saysForm reports whether a part of a junctor, or of its negation, restricts types or formats.
func saysForm(n *structural.NestedValueValidation, negated bool) bool {
	if n == nil {
		return false
	}
	if !negated && (n.Format != "" || n.ForbiddenGenerics.Type != "") || saysForm(n.Items, negated) || saysForm(n.AdditionalProperties, negated) {
		return true
	}
	for _, p := range n.Properties {
		if saysForm(p, negated) {
			return true
		}
	}
	return slices.ContainsFunc(junctorsOf(&n.ValueValidation), func(j junctor) bool {
		return slices.ContainsFunc(j.all, func(n *structural.NestedValueValidation) bool { return saysForm(n, negated != (j.name == "not")) })
	})
}

// beyond returns those of a that are not in b, in whatever order.
func (w *walker) beyond(a, b []*structural.NestedValueValidation) (beyond []*structural.NestedValueValidation) {
	b = slices.Clone(b)
	for _, v := range a {
		i := slices.IndexFunc(b, func(other *structural.NestedValueValidation) bool {
			return !w.meter.Spend(meter.UnitsOfSchemaPair) || reflect.DeepEqual(v, other)
		})
		if i < 0 {
			beyond = append(beyond, v)
		} else {
			b = slices.Delete(b, i, i+1)
		}
	}
	return beyond
}

// answer is for how many values of a schema something holds.
type answer uint8

const (
	sometimes answer = iota // or it is not known
	always
	never
)

func answerIf(isAlways, isNever bool) answer {
	switch {
	case isAlways:
		return always
	case isNever:
		return never
	}
	return sometimes
}

// both returns the answer for two things at once.
func (a answer) both(b answer) answer {
	return answerIf(a == always && b == always, a == never || b == never)
}

// values are those that a schema accepts.
type values struct {
	*structural.Schema
	isRoot bool
}

// about returns the values that were accepted at a spot.
func about(s *spot) values { return values{s.old, s.around == nil} }

// junctor returns for how many values a junctor holds.
func (v values) junctor(j junctor) answer {
	var each [3]int
	for _, n := range j.all {
		each[v.part(n)]++
	}
	switch j.name {
	case "allOf":
		return answerIf(each[always] == len(j.all), each[never] > 0)
	case "anyOf":
		return answerIf(each[always] > 0, each[never] == len(j.all))
	case "oneOf":
		return answerIf(each[always] == 1 && each[sometimes] == 0, each[always] > 1 || each[never] == len(j.all))
	}
	return answerIf(each[never] > 0, each[always] > 0) // not
}

// part returns for how many values a part of a junctor holds.
func (v values) part(n *structural.NestedValueValidation) answer {
	if v.Schema == nil || v.Nullable || n.Pattern != "" || n.Format != "" || n.UniqueItems || n.MultipleOf != nil || n.ForbiddenGenerics.Type != "" {
		return sometimes
	}
	is := always
	if len(n.Enum) > 0 {
		was := orNothing(v.ValueValidation).Enum
		lost := without(was, n.Enum)
		is = is.both(answerIf(len(was) > 0 && len(lost) == 0, len(was) > 0 && len(lost) == len(was)))
	}
	for _, keyword := range keywordsOfBounds {
		if edge := edgeOf(&n.ValueValidation, keyword); edge.text != "" {
			is = is.both(v.bound(keyword, edge))
		}
	}
	for _, name := range n.Required {
		is = is.both(v.field(name))
	}
	for name, p := range n.Properties {
		has, below := v.field(name), values{schemaFor(v.Schema, name), false}.part(p)
		is = is.both(answerIf(has == never || below == always, has == always && below == never))
	}
	if n.Items != nil {
		is = is.both(answerIf(values{v.Items, false}.part(n.Items) == always, false))
	}
	if n.AdditionalProperties != nil {
		is = is.both(sometimes)
	}
	for _, j := range junctorsOf(&n.ValueValidation) {
		if len(j.all) > 0 {
			is = is.both(v.junctor(j))
		}
	}
	return is
}

// field returns how many values have a field.
func (v values) field(name string) answer {
	if structural.IsMetaField(name) && (v.isRoot || v.XEmbeddedResource && name != "metadata") {
		return always
	}
	field := schemaFor(v.Schema, name)
	if v.Type != "object" || v.XPreserveUnknownFields || v.XEmbeddedResource || field != nil && field.Nullable {
		return sometimes
	}
	return answerIf(slices.Contains(requiredOf(v.Schema), name), field == nil)
}

// bound returns for how many values a bound holds.
func (v values) bound(keyword string, is edge) answer {
	if !hasBound(v.Schema, keyword) {
		return always
	}
	if v.Type == "" || v.XIntOrString || is.value != math.Trunc(is.value) {
		return sometimes
	}
	least, most := v.span(keyword)
	if isLeast(keyword) {
		return answerIf(least > is.value || least == is.value && !is.exclusive, most < is.value || most == is.value && is.exclusive)
	}
	return answerIf(most < is.value || most == is.value && !is.exclusive, least > is.value || least == is.value && is.exclusive)
}

// span returns the range of what a bound limits: the value itself or its size.
func (v values) span(keyword string) (least, most float64) {
	what := keyword[len("min"):]
	if least, most = math.Inf(-1), math.Inf(1); what != "imum" {
		least = 0
	}
	if what == "Properties" {
		least, most = leastFields(v), float64(mostFields(v))
	}
	was := orNothing(v.ValueValidation)
	if e := edgeOf(was, "min"+what); e.text != "" {
		least = max(least, math.Floor(e.value))
	}
	if e := edgeOf(was, "max"+what); e.text != "" {
		most = min(most, math.Ceil(e.value))
	}
	return least, most
}

// leastFields returns how many fields an object has at least.
func leastFields(v values) (n float64) {
	names := setOf(append([]string{"apiVersion", "kind", "metadata"}, requiredOf(v.Schema)...))
	for name := range names {
		if v.field(name) == always {
			n++
		}
	}
	return n
}

// mostFields returns how many fields an object can have at most.
func mostFields(v values) int {
	if v.XPreserveUnknownFields || v.XEmbeddedResource || v.AdditionalProperties != nil {
		return math.MaxInt
	}
	n := len(v.Properties)
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		if v.isRoot && v.Properties[name] == nil {
			n++
		}
	}
	return n
}
