package prunecel

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The maximum length of a string that a function makes. The server has no such limit: it runs out of memory if a short rule asks for
// terabytes.
const maxString = 1 << 28

var errTooLong = errors.New("string is too long")

func indexError(i int64) error { return fmt.Errorf("index out of range: %d", i) }

// validUTF8 returns s with each byte that is not part of a code point replaced: functions see strings as sequences of code points.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// runeOffset returns the index of the byte at which code point n of s begins; ok is false if s has fewer than n code points.
func runeOffset(s string, n int64) (offset int, ok bool) {
	if n < 0 || n > int64(len(s)) {
		return 0, false
	}
	for offset = range s {
		if n == 0 {
			return offset, true
		}
		n--
	}
	return len(s), n == 0
}

// charAt returns code point i of s; "" at the end.
func charAt(s string, i int64) (string, error) {
	s = validUTF8(s)
	offset, ok := runeOffset(s, i)
	if !ok {
		return "", indexError(i)
	}
	_, size := utf8.DecodeRuneInString(s[offset:])
	return s[offset : offset+size], nil
}

// indexOf returns the index of the first code point of the first sub in s, -1 if there is none.
func indexOf(s, sub string) int64 {
	i, _ := indexOfFrom(s, sub, 0)
	return i
}

// indexOfFrom is indexOf that starts at a code point.
func indexOfFrom(s, sub string, from int64) (int64, error) {
	return search(s, sub, from, func(s, sub string, offset int) int {
		i := strings.Index(s[offset:], sub)
		if i < 0 {
			return -1
		}
		return offset + i
	})
}

// search returns the index of the code point at which find finds sub, given the offset of a code point.
func search(s, sub string, from int64, find func(s, sub string, offset int) int) (int64, error) {
	if from < 0 {
		return 0, indexError(from)
	}
	s, sub = validUTF8(s), validUTF8(sub)
	offset, ok := runeOffset(s, from)
	switch {
	case sub == "" && !ok:
		return int64(utf8.RuneCountInString(s)), nil
	case sub == "":
		return from, nil
	case !ok || offset == len(s):
		return -1, nil
	}
	i := find(s, sub, offset)
	if i < 0 {
		return -1, nil
	}
	return int64(utf8.RuneCountInString(s[:i])), nil
}

// lastIndexOf returns the index of the first code point of the last sub in s, -1 if there is none.
func lastIndexOf(s, sub string) int64 {
	if sub == "" {
		return int64(utf8.RuneCountInString(s))
	}
	if len(s) < len(sub) {
		return -1
	}
	s, sub = validUTF8(s), validUTF8(sub)
	i := strings.LastIndex(s, sub)
	if i < 0 {
		return -1
	}
	return int64(utf8.RuneCountInString(s[:i]))
}

// lastIndexOfFrom is lastIndexOf of the subs that begin at a code point or before it.
func lastIndexOfFrom(s, sub string, from int64) (int64, error) {
	return search(s, sub, from, func(s, sub string, offset int) int { return strings.LastIndex(s[:min(len(s), offset+len(sub))], sub) })
}

// join returns the strings of a list with a separator between them.
func join(list []any, separator string) (string, error) {
	size := 0
	for i, v := range list {
		s, ok := v.(string)
		if !ok {
			return "", fmt.Errorf("join: invalid input: %s", printed(v))
		}
		if i > 0 {
			size += len(separator)
		}
		if size += len(s); size > maxString {
			return "", errTooLong
		}
	}
	var b strings.Builder
	b.Grow(size)
	for i, v := range list {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(v.(string))
	}
	return b.String(), nil
}

// lowerASCII returns s with the capitals of ASCII in lower case.
func lowerASCII(s string) string { return mapASCII(s, 'A', 'Z') }

// upperASCII returns s with the small letters of ASCII in upper case.
func upperASCII(s string) string { return mapASCII(s, 'a', 'z') }

// mapASCII changes the case of the letters from first to last.
func mapASCII(s string, first, last byte) string {
	s = validUTF8(s)
	for i := range len(s) {
		if c := s[i]; first <= c && c <= last {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				if c := b[j]; first <= c && c <= last {
					b[j] = c ^ ('a' - 'A')
				}
			}
			return string(b)
		}
	}
	return s
}

// replace returns s with old replaced.
func replace(s, old, replacement string) (string, error) { return replaceN(s, old, replacement, -1) }

// replaceN returns s with the first n old replaced, all if n is negative.
func replaceN(s, old, replacement string, n int64) (string, error) {
	if growth := len(replacement) - len(old); growth > 0 && len(s)+(len(s)+1)*growth > maxString {
		count := int64(strings.Count(s, old))
		if n >= 0 {
			count = min(count, n)
		}
		if int64(len(s))+count*int64(growth) > maxString {
			return "", errTooLong
		}
	}
	return strings.Replace(s, old, replacement, int(n)), nil
}

// split returns the strings between separators, the code points of s if separator is empty.
func split(s, separator string) []any { return splitN(s, separator, -1) }

// splitN is split with at most n strings, of which the last has the rest of s; all if n is negative.
func splitN(s, separator string, n int64) []any {
	if n == 0 {
		return newList(0)
	}
	if separator == "" {
		return explode(s, n)
	}
	size := strings.Count(s, separator) + 1
	if n > 0 {
		size = int(min(int64(size), n))
	}
	list := make([]any, 0, size)
	for len(list) < size-1 {
		i := strings.Index(s, separator)
		list = append(list, s[:i])
		s = s[i+len(separator):]
	}
	return append(list, s)
}

func explode(s string, n int64) []any {
	size := utf8.RuneCountInString(s)
	if n > 0 {
		size = int(min(int64(size), n))
	}
	list := newList(size)
	for len(list) < size-1 {
		_, width := utf8.DecodeRuneInString(s)
		list = append(list, s[:width])
		s = s[width:]
	}
	if size > 0 {
		list = append(list, s)
	}
	return list
}

// substring returns s from a code point on.
func substring(s string, start int64) (string, error) {
	s = validUTF8(s)
	offset, ok := runeOffset(s, start)
	if !ok {
		return "", indexError(start)
	}
	return s[offset:], nil
}

// substringTo returns s from a code point up to another.
func substringTo(s string, start, end int64) (string, error) {
	if start > end {
		return "", fmt.Errorf("invalid substring range. start: %d, end: %d", start, end)
	}
	rest, err := substring(s, start)
	if err != nil {
		return "", err
	}
	offset, ok := runeOffset(rest, end-start)
	if !ok {
		return "", indexError(end)
	}
	return rest[:offset], nil
}

// quote returns s as a literal of CEL.
func quote(s string) string {
	s = validUTF8(s)
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for i := range len(s) {
		c := s[i]
		if j := strings.IndexByte("\a\b\f\n\r\t\v\\\"", c); j >= 0 {
			b = append(b, '\\')
			c = "abfnrtv\\\""[j]
		}
		b = append(b, c)
	}
	return string(append(b, '"'))
}

func stringFunctions() []Function {
	unguarded := func(name, overload string, test func(s, part string) bool, cost costFunc) Function {
		return standard(name, overload, "string string", call2(test), core(cost), nil).guarded(guardNone)
	}
	return []Function{
		unguarded("contains", "contains_string", strings.Contains, costProduct),
		unguarded("endsWith", "ends_with_string", strings.HasSuffix, costSecond),
		unguarded("startsWith", "starts_with_string", strings.HasPrefix, costSecond),

		standard("charAt", "string_char_at_int", "string int", call2e(charAt)),
		standard("indexOf", "string_index_of_string", "string string", call2(indexOf), costDeep).estimated(EstimateSearch),
		standard("indexOf", "string_index_of_string_int", "string string int", call3e(indexOfFrom), costDeep).estimated(EstimateSearch),
		standard("lastIndexOf", "string_last_index_of_string", "string string", call2(lastIndexOf), costDeep).estimated(EstimateSearch),
		standard("lastIndexOf", "string_last_index_of_string_int", "string string int", call3e(lastIndexOfFrom), costDeep).estimated(EstimateSearch),
		standard("lowerAscii", "string_lower_ascii", "string", call1(lowerASCII), costTraversal).compiled("LowerASCII").estimated(EstimateCopy),
		standard("replace", "string_replace_string_string", "string string string", call3e(replace), costTraversalTwice),
		standard("replace", "string_replace_string_string_int", "string string string int", call4e(replaceN), costTraversalTwice),
		standard("split", "string_split_string", "string string", call2(split), costTraversalTwice).compiled("Split"),
		standard("split", "string_split_string_int", "string string int", call3(splitN), costTraversalTwice),
		standard("substring", "string_substring_int", "string int", call2e(substring), costTraversal).estimated(EstimateCopy),
		standard("substring", "string_substring_int_int", "string int int", call3e(substringTo), costTraversal).estimated(EstimateCopy),
		standard("trim", "string_trim", "string", call1(strings.TrimSpace), costTraversal).estimated(EstimateCopy),
		standard("upperAscii", "string_upper_ascii", "string", call1(upperASCII), costTraversal).estimated(EstimateCopy),
		standard("join", "list_join", "list(string)", call1e(func(list []any) (string, error) { return join(list, "") }), costResultTwice),
		standard("join", "list_join_string", "list(string) string", call2e(join), costResultTwice),
	}
}

// moreStringFunctions are those of later versions of cel-go's extension.
func moreStringFunctions() []Function {
	return []Function{
		standard("format", "string_format", "string list(dyn)", call2e(formatText), core(costTraversal), nil),
		standard("strings.quote", "strings_quote", "string", call1(quote), core(costTraversal), nil),
	}
}
