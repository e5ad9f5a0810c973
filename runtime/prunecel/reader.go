package prunecel

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/runtime/pruneimpl/pruneformat"
)

// Verdict is what compiled code says about a rule.
type Verdict struct {
	// Holds is whether the rule is true, if the code is sure of it. If it is not, the program of the rule has to evaluate it: there is an error,
	// or a value does not have the type in the schema.
	Holds, Sure bool
	// Cost is an upper bound of the cost.
	Cost int64
}

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

// Verdict returns the verdict of a rule with a value.
func (r *Reader) Verdict(holds bool) Verdict { return Verdict{holds, !r.unsure, r.Spent} }

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

func (r *Reader) Double(raw any) float64 {
	v, _ := r.MaybeDouble(raw)
	r.notNull(raw)
	return v
}

func (r *Reader) MaybeDouble(raw any) (v float64, has bool) {
	v, ok := asNumber(raw)
	if !ok && raw != nil {
		r.unsure = true
	}
	return v, ok
}

// IntOrString returns an integer or a string.
func (r *Reader) IntOrString(raw any) any {
	v, _ := r.MaybeIntOrString(raw)
	r.notNull(raw)
	return v
}

func (r *Reader) MaybeIntOrString(raw any) (v any, has bool) {
	if isIntOrString(raw) {
		return raw, true
	}
	r.unsure = r.unsure || raw != nil
	return nil, false
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

// Either returns a if cond is true, and b otherwise.
func Either[T any](cond bool, a, b T) T {
	if cond {
		return a
	}
	return b
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

// The operators of integers. Overflows and divisions by zero are errors.

func (r *Reader) Add(a, b int64) int64 { return r.checked(addInt(a, b)) }
func (r *Reader) Sub(a, b int64) int64 { return r.checked(subInt(a, b)) }
func (r *Reader) Mul(a, b int64) int64 { return r.checked(mulInt(a, b)) }
func (r *Reader) Div(a, b int64) int64 { return r.checked(divInt(a, b)) }
func (r *Reader) Mod(a, b int64) int64 { return r.checked(modInt(a, b)) }
func (r *Reader) Neg(a int64) int64    { return r.checked(negInt(a)) }

func (r *Reader) checked(n int64, err error) int64 {
	if err != nil {
		r.unsure = true
	}
	return n
}

// The functions of the libraries that rules call most. Each spends twice a tenth of the lengths of texts, as costTraversalTwice counts.
// TestFunctionsCostNoMoreThanCodePays measures that none costs more. Rules with others are left to their programs.

func (r *Reader) ParseInt(s string) int64         { return parse(r, s, stringToInt) }
func (r *Reader) Duration(s string) time.Duration { return parse(r, s, parseDuration) }
func (r *Reader) IP(s string) netip.Addr          { return parse(r, s, parseIP) }
func (r *Reader) CIDR(s string) netip.Prefix      { return parse(r, s, parseCIDR) }
func (r *Reader) IsIP(s string) bool              { r.text(len(s), 2); return isIP(s) }
func (r *Reader) IsCIDR(s string) bool            { r.text(len(s), 2); return isCIDR(s) }
func (r *Reader) IsURL(s string) bool             { r.text(len(s), 2); return isURL(s) }
func (r *Reader) LowerASCII(s string) string      { r.text(len(s), 2); return lowerASCII(s) }

// URL returns a URL, an empty one where that is an error.
func (r *Reader) URL(s string) *url.URL {
	if u := parse(r, s, parseURL); u.URL != nil {
		return u.URL
	}
	return new(url.URL)
}

func parse[T any](r *Reader, s string, f func(string) (T, error)) T {
	r.text(len(s), 2)
	v, err := f(s)
	if err != nil {
		r.unsure = true
	}
	return v
}

// Split returns the strings between separators.
func (r *Reader) Split(s, separator string) []any {
	r.text(len(s), 2)
	return split(s, separator)
}

// Part returns the string number i of Split, without the others.
func (r *Reader) Part(s, separator string, i int64) string {
	if separator == "" {
		return need[string](r, r.Element(r.Split(s, separator), i))
	}
	r.text(len(s), 2)
	for more := i >= 0; more; i-- {
		var part string
		if part, s, more = strings.Cut(s, separator); i == 0 {
			return part
		}
	}
	r.unsure = true
	return ""
}

// FormatInt returns an integer as a text.
func (r *Reader) FormatInt(n int64) string { return strconv.FormatInt(n, 10) }

// Family returns 4 or 6.
func (r *Reader) Family(ip netip.Addr) int64 { return ipFamily(ip) }

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
		if r.notNull(e); r.mustEnd() {
			break
		}
		if test(e) {
			n++
		}
	}
	return n
}

// Filter returns the elements of a list for which test is true.
func (r *Reader) Filter(list []any, test func(any) bool) (all []any) {
	r.Count(list, func(e any) bool {
		is := test(e)
		if is {
			all = append(all, e)
		}
		return is
	})
	return all
}

// mustEnd reports whether a loop can stop: the code is unsure, or costs too much.
func (r *Reader) mustEnd() bool { return r.unsure || r.Spent > CostLimit }
