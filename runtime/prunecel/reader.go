package prunecel

import (
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/runtime/pruneimpl/pruneformat"
)

// Verdict is what compiled code says about a rule.
type Verdict uint8

const (
	// Unsure means that the program of the rule has to evaluate it: there is an error, a value does not have the type in the schema, or the
	// rule may cost too much.
	Unsure Verdict = iota
	True
	False
)

// Reader reads values for the compiled code of a rule. A value that it cannot read is recorded and read as zero: the code goes on, and
// Verdict looks at the record once.
type Reader struct {
	// Self is the value that the rule is about, and Old the one that it replaces, nil for none.
	Self, Old any
	// Spent bounds the cost of the code as the API server counts it. Round is the cost of one round of a loop.
	Spent, Round int64
	// unsure says that CEL has an error, or may have any value.
	unsure bool
}

// Verdict returns the verdict of a rule with a value, and an upper bound of its cost.
func (r *Reader) Verdict(holds bool) (Verdict, int64) {
	switch {
	case r.unsure:
		return Unsure, 0
	case holds:
		return True, r.Spent
	}
	return False, r.Spent
}

// A method below converts decoded JSON to the type in the schema. If a field does not exist, CEL has an error; the variant called Maybe
// reports whether it exists.

func (r *Reader) Bool(raw any) bool                        { return need[bool](r, raw) }
func (r *Reader) MaybeBool(raw any) (v bool, has bool)     { return maybe[bool](r, raw) }
func (r *Reader) Int(raw any) int64                        { return need[int64](r, raw) }
func (r *Reader) MaybeInt(raw any) (v int64, has bool)     { return maybe[int64](r, raw) }
func (r *Reader) String(raw any) string                    { return need[string](r, raw) }
func (r *Reader) MaybeString(raw any) (v string, has bool) { return maybe[string](r, raw) }
func (r *Reader) List(raw any) []any                       { return need[[]any](r, raw) }
func (r *Reader) MaybeList(raw any) (v []any, has bool)    { return maybe[[]any](r, raw) }
func (r *Reader) Object(raw any) map[string]any            { return need[map[string]any](r, raw) }
func (r *Reader) MaybeObject(raw any) (v map[string]any, has bool) {
	return maybe[map[string]any](r, raw)
}

func (r *Reader) Double(raw any) float64                    { return needParsed(r, raw, asNumber) }
func (r *Reader) MaybeDouble(raw any) (v float64, has bool) { return maybeParsed(r, raw, asNumber) }
func (r *Reader) IntOrString(raw any) any                   { return needParsed(r, raw, asIntOrString) }
func (r *Reader) MaybeIntOrString(raw any) (v any, has bool) {
	return maybeParsed(r, raw, asIntOrString)
}
func (r *Reader) MaybeBytes(raw any) (v []byte, has bool) { return maybeParsed(r, raw, asBytes) }
func (r *Reader) Duration(raw any) time.Duration          { return needParsed(r, raw, asDuration) }
func (r *Reader) MaybeDuration(raw any) (v time.Duration, has bool) {
	return maybeParsed(r, raw, asDuration)
}
func (r *Reader) Date(raw any) time.Time                    { return needParsed(r, raw, asDate) }
func (r *Reader) MaybeDate(raw any) (v time.Time, has bool) { return maybeParsed(r, raw, asDate) }
func (r *Reader) Time(raw any) time.Time                    { return needParsed(r, raw, asTime) }
func (r *Reader) MaybeTime(raw any) (v time.Time, has bool) { return maybeParsed(r, raw, asTime) }

func need[T any](r *Reader, raw any) T {
	v, ok := raw.(T)
	if !ok {
		r.unsure = true
	}
	return v
}

func maybe[T any](r *Reader, raw any) (v T, has bool) {
	v, ok := raw.(T)
	if !ok && raw != nil {
		r.unsure = true
	}
	return v, ok
}

func needParsed[T any](r *Reader, raw any, parse func(any) (T, bool)) T {
	v, ok := parse(raw)
	if !ok {
		r.unsure = true
	}
	return v
}

func maybeParsed[T any](r *Reader, raw any, parse func(any) (T, bool)) (v T, has bool) {
	v, ok := parse(raw)
	if !ok && raw != nil {
		r.unsure = true
	}
	return v, ok
}

// Has returns whether a value exists, of what a method called Maybe returns.
func Has[T any](_ T, has bool) bool { return has }

// Element returns an element of a list.
func (r *Reader) Element(list []any, i int64) any {
	if i < 0 || i >= int64(len(list)) {
		r.unsure = true
		return nil
	}
	r.notNull(list[i])
	return list[i]
}

// Entry returns the value of a key of a map.
func (r *Reader) Entry(m map[string]any, key string) any {
	v, ok := m[key]
	if ok {
		r.notNull(v)
	}
	return v
}

// notNull records a null, which is a value.
func (r *Reader) notNull(v any) {
	if v == nil {
		r.unsure = true
	}
}

// HasElement reports whether v is an element of a list of such values.
func HasElement[T string | int64 | bool](r *Reader, list []any, v T) bool {
	r.spend(len(list), 1)
	has := false
	for _, e := range list {
		e, ok := e.(T)
		if !ok {
			r.unsure = true
		}
		has = has || e == v
	}
	return has
}

// In reports whether v is one of the constants.
func In[T string | int64](v T, constants ...T) bool { return slices.Contains(constants, v) }

// IsInt reports whether v, an integer or a string, is an integer.
func IsInt(v any) bool {
	_, is := v.(int64)
	return is
}

// IsString reports whether v, an integer or a string, is a string.
func IsString(v any) bool {
	_, is := v.(string)
	return is
}

// Either returns a if cond is true, and b otherwise.
func Either[T any](cond bool, a, b T) T {
	if cond {
		return a
	}
	return b
}

// When returns the value of a function if cond is true, and zero otherwise.
func When[T any](cond bool, f func() T) (v T) {
	if cond {
		v = f()
	}
	return v
}

// Choose is Either for values that are computed where they are needed.
func Choose[T any](cond bool, a, b func() T) T {
	if cond {
		return a()
	}
	return b()
}

// Equal reports whether two values of the resource are equal.
func (r *Reader) Equal(t *TypeSource, a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		r.spend(len(a), 1)
	case []any:
		r.spend(len(a), 1)
	}
	equal, sure := t.equal(a, b)
	if !sure {
		r.unsure = true
	}
	return equal
}

// EqualText reports whether two texts are equal.
func (r *Reader) EqualText(a, b string) bool {
	r.text(min(len(a), len(b)), 1)
	return a == b
}

// CompareText compares two texts.
func (r *Reader) CompareText(a, b string) int {
	r.text(min(len(a), len(b)), 1)
	return strings.Compare(a, b)
}

// Concat returns a and b as one text.
func (r *Reader) Concat(a, b string) string {
	r.text(len(a), 1)
	r.text(len(b), 1)
	return a + b
}

// HasText reports whether sub is in s.
func (r *Reader) HasText(s, sub string) bool {
	r.text(len(s), int64(len(sub)/10+1))
	return strings.Contains(s, sub)
}

// HasPrefix reports whether s begins with prefix.
func (r *Reader) HasPrefix(s, prefix string) bool {
	r.text(len(prefix), 1)
	return strings.HasPrefix(s, prefix)
}

// HasSuffix reports whether s ends with suffix.
func (r *Reader) HasSuffix(s, suffix string) bool {
	r.text(len(suffix), 1)
	return strings.HasSuffix(s, suffix)
}

// Match reports whether a pattern matches s.
func (r *Reader) Match(p *pruneformat.Pattern, s string) bool {
	r.Spent += int64(regexCost(uint64(len(s)), uint64(len(p.Text))))
	return p.Match(s)
}

// Find returns the first match of a pattern in s.
func (r *Reader) Find(p *pruneformat.Pattern, s string) string {
	r.Spent += int64(regexCost(uint64(len(s)), uint64(len(p.Text))))
	return p.Find(s)
}

// HasFormat reports whether a text has the format that rules call format.<name>().
func (r *Reader) HasFormat(name, s string) bool {
	f := formatNamed(name)
	r.Spent += int64(regexCost(uint64(len(s)), f.regexSize))
	return len(f.validate(s)) == 0
}

// Length returns the number of characters in s.
func Length(s string) int64 { return int64(utf8.RuneCountInString(s)) }

// text spends the cost of reading n bytes of text, times factor.
func (r *Reader) text(n int, factor int64) { r.Spent += int64(n/10+1) * factor }

// spend spends n times cost.
func (r *Reader) spend(n int, cost int64) {
	if n > CostLimit || cost > CostLimit {
		r.Spent = CostLimit + 1
		return
	}
	r.Spent += int64(n) * cost
}

// Call1, Call2 and Call3 call functions of the libraries that cannot fail, Try1 to Try4 those that can.

func Call1[A, R any](r *Reader, f func(A) R, a A) R {
	return callLibrary(r, func() (R, error) { return f(a), nil }, a)
}

func Call2[A, B, R any](r *Reader, f func(A, B) R, a A, b B) R {
	return callLibrary(r, func() (R, error) { return f(a, b), nil }, a, b)
}

func Call3[A, B, C, R any](r *Reader, f func(A, B, C) R, a A, b B, c C) R {
	return callLibrary(r, func() (R, error) { return f(a, b, c), nil }, a, b, c)
}

func Try1[A, R any](r *Reader, f func(A) (R, error), a A) R {
	return callLibrary(r, func() (R, error) { return f(a) }, a)
}

func Try2[A, B, R any](r *Reader, f func(A, B) (R, error), a A, b B) R {
	return callLibrary(r, func() (R, error) { return f(a, b) }, a, b)
}

func Try3[A, B, C, R any](r *Reader, f func(A, B, C) (R, error), a A, b B, c C) R {
	return callLibrary(r, func() (R, error) { return f(a, b, c) }, a, b, c)
}

func Try4[A, B, C, D, R any](r *Reader, f func(A, B, C, D) (R, error), a A, b B, c C, d D) R {
	return callLibrary(r, func() (R, error) { return f(a, b, c, d) }, a, b, c, d)
}

// callLibrary calls a function unless the code is unsure. Then its arguments may be zero values that do not exist in CEL.
func callLibrary[R any](r *Reader, f func() (R, error), args ...any) (v R) {
	if r.unsure {
		return v
	}
	for _, a := range args {
		r.pay(a)
	}
	v, err := f()
	if err != nil {
		r.unsure = true
	}
	r.pay(v)
	return v
}

// pay spends the cost of an argument, or a result, of a function: for a text twice a tenth of its length, as costTraversalTwice counts, and
// nothing for lists. TestFunctionsCostNoMoreThanCodePays measures that no function costs more.
func (r *Reader) pay(v any) {
	switch v := v.(type) {
	case string:
		r.text(len(v), 2)
	case netip.Prefix: // comparing two costs more than any other call without texts and lists
		r.Spent++
	}
}

// All reports whether test is true for all elements of a list.
func (r *Reader) All(list []any, test func(any) bool) bool { return !r.search(list, test, false) }

// Exists reports whether test is true for an element of a list.
func (r *Reader) Exists(list []any, test func(any) bool) bool { return r.search(list, test, true) }

// search reports whether test has the wanted value for an element of a list. If a test fails, CEL goes on to others, which may decide; that
// is left to the program.
func (r *Reader) search(list []any, test func(any) bool, wanted bool) bool {
	r.spend(len(list), r.Round)
	for _, e := range list {
		if r.notNull(e); r.mustEnd() || test(e) == wanted {
			return true
		}
	}
	return false
}

// AllKeys is All for the keys of a map.
func (r *Reader) AllKeys(m map[string]any, test func(string) bool) bool {
	return !r.searchKeys(m, test, false)
}

// ExistsKey is Exists for the keys of a map.
func (r *Reader) ExistsKey(m map[string]any, test func(string) bool) bool {
	return r.searchKeys(m, test, true)
}

func (r *Reader) searchKeys(m map[string]any, test func(string) bool, wanted bool) bool {
	r.spend(len(m), r.Round)
	for k := range m {
		if r.mustEnd() || test(k) == wanted {
			return true
		}
	}
	return false
}

// Count returns the number of elements of a list for which test is true.
func (r *Reader) Count(list []any, test func(any) bool) (n int64) {
	r.spend(len(list), r.Round)
	for _, e := range list {
		if r.mustEnd() {
			break
		}
		r.notNull(e)
		if test(e) {
			n++
		}
	}
	return n
}

// Filter returns the elements of a list for which test is true.
func (r *Reader) Filter(list []any, test func(any) bool) []any {
	return r.Collect(list, func(e any) (any, bool) { return e, test(e) })
}

// Map returns the values that f has for the elements of a list.
func (r *Reader) Map(list []any, f func(any) any) []any {
	return r.Collect(list, func(e any) (any, bool) { return f(e), true })
}

// Collect returns the values that f has for the elements of a list, if it wants them.
func (r *Reader) Collect(list []any, f func(any) (v any, wanted bool)) []any {
	r.spend(len(list), r.Round)
	var all []any
	for _, e := range list {
		if r.mustEnd() {
			break
		}
		r.notNull(e)
		if v, wanted := f(e); wanted {
			all = append(all, v)
		}
	}
	return all
}

// Keys returns the keys of a map, sorted.
func Keys(m map[string]any) []any {
	keys := make([]any, 0, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		keys = append(keys, k)
	}
	return keys
}

// mustEnd reports whether a loop can stop: the code is unsure, or costs too much.
func (r *Reader) mustEnd() bool { return r.unsure || r.Spent > CostLimit }
