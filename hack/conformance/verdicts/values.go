package verdicts

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Values compares value validation of v by a bare schema.
func Values(raw []byte, v any) []Difference {
	ours, findings := load.ParseSchema("schema", raw)
	props, err := kube.DecodeSchema(raw)
	if err != nil || ours == nil {
		return []Difference{{About: "values", Text: fmt.Sprintf("not a schema: %v %v", err, findings)}}
	}
	want, err := kube.ValidateValues(v, props)
	if err != nil {
		return []Difference{{About: "values", Text: err.Error()}}
	}
	errs, whole := interpret.ValidateValues(v, ours)
	if !whole {
		return []Difference{{About: "values", Text: "too large"}}
	}
	var got []string
	for _, e := range errs {
		got = append(got, kube.ValueText(string(e.Type), e.Field, e.BadValue, e.Detail, e.Error()))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		return []Difference{{About: "values", Text: listDifference(got, want)}}
	}
	return nil
}

// valueMaker makes schemas with value validation, and values that fit them more or less.
type valueMaker struct {
	*rand.Rand
}

// NewValueMaker returns a maker whose work follows from the seed.
func NewValueMaker(seed uint64) *valueMaker {
	return &valueMaker{rand.New(rand.NewPCG(seed, 0))}
}

func pick[T any](m *valueMaker, all ...T) T { return all[m.IntN(len(all))] }

var formats = []string{
	"int32", "int64", "float", "double", "date-time", "datetime", "date", "byte", "uuid", "ipv4", "ipv6", "cidr", "duration", "email", "uri",
	"hostname", "mac", "password", "hexcolor", "ssn", "isbn", "colour", "float64", "k8s-short-name",
}

// Schema makes a schema. Below a junctor it is value validation alone.
func (m *valueMaker) Schema(depth int, nested bool) Object {
	s := Object{}
	if !nested {
		switch typ := pick(m, "string", "integer", "number", "boolean", "array", "object", "int-or-string", ""); typ {
		case "int-or-string":
			s["x-kubernetes-int-or-string"] = true
		case "":
			s["x-kubernetes-preserve-unknown-fields"] = true
		default:
			s["type"] = typ
		}
		if m.IntN(5) == 0 {
			s["nullable"] = true
		}
	}
	number := func() any { return pick(m, any(0), 1, 2, 3, 5, -1, 1.5, 0.5, 10.25) }
	size := func() any { return pick(m, any(0), 1, 2, 3) }
	for k, value := range map[string]func() any{
		"format":        func() any { return pick(m, formats...) },
		"maximum":       number,
		"minimum":       number,
		"multipleOf":    number,
		"maxLength":     size,
		"minLength":     size,
		"pattern":       func() any { return pick(m, "^a", "b+$", "^[0-9]*$", ".") },
		"maxItems":      size,
		"minItems":      size,
		"maxProperties": size,
		"minProperties": size,
		"uniqueItems":   func() any { return true },
		"required":      func() any { return []any{pick(m, "a", "b", "z")} },
		"enum":          func() any { return []any{m.Value(1), m.Value(0), m.Value(0)} },
	} {
		if m.IntN(6) == 0 {
			s[k] = value()
		}
	}
	for _, k := range []string{"exclusiveMaximum", "exclusiveMinimum"} {
		if m.IntN(3) == 0 {
			s[k] = true
		}
	}
	if depth == 0 {
		return s
	}
	if s["type"] == "array" || nested && m.IntN(4) == 0 {
		s["items"] = m.Schema(depth-1, nested)
	}
	if s["type"] == "object" || nested && m.IntN(4) == 0 {
		switch m.IntN(3) {
		case 0:
			if !nested {
				s["additionalProperties"] = pick(m, any(m.Schema(depth-1, nested)), true, false)
				break
			}
			s["additionalProperties"] = false
			fallthrough
		default:
			s["properties"] = Object{"a": m.Schema(depth-1, nested), "b": m.Schema(depth-1, nested)}
		}
	}
	for _, k := range []string{"allOf", "anyOf", "oneOf"} {
		if m.IntN(5) == 0 {
			s[k] = []any{m.Schema(depth-1, true), m.Schema(depth-1, true)}
		}
	}
	if m.IntN(6) == 0 {
		s["not"] = m.Schema(depth-1, true)
	}
	return s
}

// Value makes a value.
func (m *valueMaker) Value(depth int) any {
	kinds := 6
	if depth > 0 {
		kinds = 9
	}
	switch m.IntN(kinds) {
	case 0:
		return nil
	case 1:
		return m.IntN(2) == 0
	case 2:
		return pick(m, int64(0), 1, 2, 3, 4, 65, -1, 1<<31, 1<<40)
	case 3:
		return pick(m, 0.0, 1, 1.5, 2.25, 65.7, 1e10, 1.0000000001, 1<<63, -0.5)
	case 4, 5:
		return pick(m, "", "a", "ab", "b", "A", "123", "2020-01-01", "2020-01-01T00:00:00Z", "10.0.0.1", "YQ==", "3 days", "::1", "é")
	case 6, 7:
		o := Object{}
		for _, k := range []string{"a", "b", "c", ""} {
			if m.IntN(2) == 0 {
				o[k] = m.Value(depth - 1)
			}
		}
		return o
	default:
		list := []any{}
		for range m.IntN(4) {
			list = append(list, m.Value(depth-1))
		}
		return list
	}
}
