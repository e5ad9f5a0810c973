package specimen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// OneIn is true one time in n.
func (m *Maker) OneIn(n int) bool { return m.Rand.IntN(n) == 0 }

// pick returns one of all.
func pick[T any](rng *rand.Rand, all ...T) T { return all[rng.IntN(len(all))] }

var syllables = []string{"ka", "lo", "mi", "ne", "ru", "sa", "te", "vo", "da", "fi", "ga", "hu", "pe", "no", "xi", "za"}

// Word returns something like a name.
func (m *Maker) Word() string {
	var b strings.Builder
	for range 2 + m.Rand.IntN(4) {
		b.WriteString(syllables[m.Rand.IntN(len(syllables))])
	}
	return b.String()
}

// sentence returns about n bytes of text.
func (m *Maker) sentence(n int) string {
	var b strings.Builder
	for b.Len() < n {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(m.Word())
	}
	return b.String()
}

// text returns a string that has the pattern, the format and the length that s wants, if one is easily found.
func (m *Maker) text(s *structural.Schema) string {
	v := validationOf(s)
	if m.aim != nil {
		return m.aim.value(m, v)
	}
	var text string
	for range 10 {
		switch {
		case v.Pattern != "" && !m.OneIn(4):
			text = matching(m.Rand, v.Pattern)
		case v.Format != "":
			text = m.formatted(v.Format)
		case m.OneIn(4):
			text = m.sentence(10 + m.Rand.IntN(60))
		default:
			text = m.Word()
		}
		if isFree(v) {
			text = fitted(text, v)
		}
		if m.fits(text, v) {
			break
		}
	}
	return text
}

// isFree reports whether only the length of texts is restricted.
func isFree(v *structural.ValueValidation) bool { return v.Pattern == "" && v.Format == "" }

// fitted returns a text with as many letters as there may be.
func fitted(text string, v *structural.ValueValidation) string {
	if v.MinLength != nil && int64(len(text)) < *v.MinLength && *v.MinLength < mostLetters {
		text += strings.Repeat("a", int(*v.MinLength)-len(text))
	}
	if v.MaxLength != nil && int64(len(text)) > *v.MaxLength && *v.MaxLength >= 0 {
		text = text[:*v.MaxLength]
	}
	return text
}

func (m *Maker) fits(text string, v *structural.ValueValidation) bool {
	if isFree(v) {
		return true
	}
	errs, _ := m.work.ValidateValues(text, &structural.JSONSchema{
		Type: "string", Format: v.Format, Pattern: v.Pattern, MinLength: v.MinLength, MaxLength: v.MaxLength,
	})
	return len(errs) == 0
}

// formatted returns a text of a format.
func (m *Maker) formatted(format string) string {
	switch format {
	case "date-time":
		return fmt.Sprintf("20%02d-%02d-%02dT%02d:%02d:%02dZ", 10+m.Rand.IntN(20), 1+m.Rand.IntN(12), 1+m.Rand.IntN(28),
			m.Rand.IntN(24), m.Rand.IntN(60), m.Rand.IntN(60))
	case "date":
		return fmt.Sprintf("20%02d-%02d-%02d", 10+m.Rand.IntN(20), 1+m.Rand.IntN(12), 1+m.Rand.IntN(28))
	}
	for range 10 {
		if text, ok := pick(m.Rand, formatted(format)...).(string); ok && m.fits(text, &structural.ValueValidation{Format: format}) {
			return text
		}
	}
	return m.Word()
}

func validationOf(s *structural.Schema) *structural.ValueValidation {
	if s == nil || s.ValueValidation == nil {
		return &structural.ValueValidation{}
	}
	return s.ValueValidation
}

func (m *Maker) integer(s *structural.Schema) any {
	if m.aim != nil {
		return m.aim.integer(m)
	}
	low, high := m.bounds(s)
	step := 1.0
	if of := validationOf(s).MultipleOf; of != nil && *of > 1 && *of == math.Trunc(*of) {
		step = *of
	}
	return int64(m.multiple(low, high, step))
}

func (m *Maker) number(s *structural.Schema) any {
	if m.aim != nil {
		return pick[any](m.Rand, m.aim.integer(m), float64(m.aim.integer(m))+0.5)
	}
	low, high := m.bounds(s)
	if of := validationOf(s).MultipleOf; of != nil && *of > 0 {
		return m.multiple(low, high, *of)
	}
	if m.OneIn(2) && math.Ceil(low) <= math.Floor(high) {
		return m.integer(s)
	}
	return low + m.Rand.Float64()*(high-low)
}

// multiple returns a multiple of step in a range, or the first above it if there is none.
func (m *Maker) multiple(low, high, step float64) float64 {
	first, last := math.Ceil(low/step), math.Floor(high/step)
	if first >= last {
		return first * step
	}
	return (first + float64(m.Rand.Int64N(int64(min(last-first, 1<<40))+1))) * step
}

// bounds returns a range of numbers that s allows, within what fits everywhere.
func (m *Maker) bounds(s *structural.Schema) (low, high float64) {
	const most = 1<<31 - 1
	low, high = 0, 1000
	v := validationOf(s)
	if v.Minimum != nil {
		low = max(*v.Minimum, -most)
		if v.ExclusiveMinimum {
			low = math.Nextafter(low, math.Inf(1))
		}
		high = low + 1000
	}
	if v.Maximum != nil {
		high = min(*v.Maximum, most)
		if v.ExclusiveMaximum {
			high = math.Nextafter(high, math.Inf(-1))
		}
		low = min(low, high)
		if v.Minimum == nil {
			low = min(low, high-1000)
		}
	}
	return low, high
}
