package specimen

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

func (m *maker) oneOf(values []any) any { return values[m.rng.IntN(len(values))] }

var syllables = []string{"ka", "lo", "mi", "ne", "ru", "sa", "te", "vo", "da", "fi", "ga", "hu", "pe", "no", "xi", "za"}

// word returns something like a name.
func (m *maker) word() string {
	var b strings.Builder
	for range 2 + m.rng.IntN(4) {
		b.WriteString(syllables[m.rng.IntN(len(syllables))])
	}
	return b.String()
}

// sentence returns about n bytes of text.
func (m *maker) sentence(n int) string {
	var b strings.Builder
	for b.Len() < n {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(m.word())
	}
	return b.String()
}

// text returns a string that has the format and, as far as that is easy, the length that s wants.
func (m *maker) text(s *structural.Schema) string {
	v := s.ValueValidation
	if v == nil {
		v = &structural.ValueValidation{}
	}
	var text string
	switch v.Format {
	case "date-time":
		return fmt.Sprintf("20%02d-%02d-%02dT%02d:%02d:%02dZ", 10+m.rng.IntN(20), 1+m.rng.IntN(12), 1+m.rng.IntN(28),
			m.rng.IntN(24), m.rng.IntN(60), m.rng.IntN(60))
	case "date":
		return fmt.Sprintf("20%02d-%02d-%02d", 10+m.rng.IntN(20), 1+m.rng.IntN(12), 1+m.rng.IntN(28))
	case "byte":
		return "cHJ1bmU="
	case "":
		text = m.word()
		if m.rng.IntN(4) == 0 {
			text = m.sentence(10 + m.rng.IntN(60))
		}
	default:
		text = m.word()
	}
	if v.MinLength != nil && int64(len(text)) < *v.MinLength && *v.MinLength < 1000 {
		text += strings.Repeat("a", int(*v.MinLength)-len(text))
	}
	if v.MaxLength != nil && int64(len(text)) > *v.MaxLength && *v.MaxLength >= 0 {
		text = text[:*v.MaxLength]
	}
	return text
}

func (m *maker) integer(s *structural.Schema) any {
	low, high := m.bounds(s)
	low, high = math.Ceil(low), math.Floor(high)
	if low >= high {
		return int64(low)
	}
	return int64(low) + m.rng.Int64N(int64(high-low)+1)
}

func (m *maker) number(s *structural.Schema) any {
	low, high := m.bounds(s)
	if m.rng.IntN(2) == 0 && math.Ceil(low) <= math.Floor(high) {
		return m.integer(s)
	}
	return low + m.rng.Float64()*(high-low)
}

// bounds returns a range of numbers that s allows, within what fits everywhere.
func (m *maker) bounds(s *structural.Schema) (low, high float64) {
	const most = 1 << 31
	low, high = 0, 1000
	v := s.ValueValidation
	if v == nil {
		return low, high
	}
	if v.Minimum != nil {
		low = max(*v.Minimum, -most)
		high = low + 1000
	}
	if v.Maximum != nil {
		high = min(*v.Maximum, most)
		low = min(low, high)
		if v.Minimum == nil {
			low = min(low, high-1000)
		}
	}
	return low, high
}

// scalarSize returns how many bytes v has as JSON.
func scalarSize(v any) int {
	switch v := v.(type) {
	case string:
		return len(v) + 2
	case bool, nil:
		return 4
	}
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("specimen: not a JSON value: %v", v))
	}
	return len(data)
}
