package pruneimpl

import (
	"math"
	"slices"
	"unicode/utf8"
)

// CheckFormat checks that v is of one of the wanted types, of which the schema gives the format, too. Strings and lists pass if a string is
// wanted: other functions check the content of strings, and nothing checks lists.
func CheckFormat(v any, rec *Recorder, want Type, format string) int {
	if s, ok := v.(int64); ok && want&TypeInteger != 0 && (format == "int64" || s == int64(int32(s))) {
		return 0
	}
	return rec.unlessFormat(v, want, format)
}

// CheckFormatFields is CheckFields for types with a format.
func CheckFormatFields(obj map[string]any, rec *Recorder, left *int, want Type, format string, names ...string) (n int) {
	for _, name := range names {
		if *left == 0 {
			break
		}
		if v, ok := obj[name]; ok {
			n += rec.Field(name, CheckFormat(v, rec, want, format))
			*left--
		}
	}
	return n
}

// RequireFormatFields is RequireFields for types with a format.
func RequireFormatFields(obj map[string]any, rec *Recorder, left *int, want Type, format string, names ...string) (n int) {
	for _, name := range names {
		if v, ok := obj[name]; ok {
			n += rec.Field(name, CheckFormat(v, rec, want, format))
			*left--
		} else if *left >= 0 {
			n += rec.Missing(name)
		}
	}
	return n
}

func (r *Recorder) unlessFormat(v any, want Type, format string) (n int) {
	if v == nil {
		if want == 0 {
			return 0
		}
		return CheckType(v, r, want)
	}
	if !inFormat(v, want, format) && r.checksNumbers() {
		n = r.fault(fault{kind: faultNumber, text: "Checked", names: []string{typeOfFormat(format), format}})
	}
	pass, native := passesFormat(v, want, format)
	switch {
	case pass:
		return n
	case native != nil:
		return n + r.wrongType(0, format, *native)
	}
	_, found := typeOf(v)
	return n + r.wrongType(want, "", found)
}

// passesFormat reports whether v passes for one of the wanted types, of which the schema gives the format, too. If it does not, and the API
// server's error names the format and a Go type, native is the Go type of v.
func passesFormat(v any, want Type, format string) (ok bool, native *string) {
	is, _ := typeOf(v)
	fits := passes(v, want)
	switch {
	case is == TypeString || is == TypeArray:
		return want&(TypeInteger|TypeNumber) == 0 || fits, nil
	case fits:
		return true, nil
	}
	name := ""
	switch {
	case is&TypeInteger != 0:
		name = "int64"
	case is == TypeNumber:
		name = "float64"
	}
	return name == format, &name
}

// typeOfFormat returns the type that has a format of numbers.
func typeOfFormat(format string) string {
	switch format {
	case "int32", "int64":
		return "integer"
	case "float", "double":
		return "number"
	}
	return ""
}

// inFormat reports whether the format can hold v. It is true for values that are not numbers.
func inFormat(v any, want Type, format string) bool {
	switch v := v.(type) {
	case int64:
		return format != "int32" || want&TypeInteger == 0 || v == int64(int32(v))
	case float64:
		switch format {
		case "int32":
			return v == math.Trunc(v) && v >= math.MinInt32 && v <= math.MaxInt32
		case "int64":
			return fitsInt64(v)
		case "float":
			return !math.IsInf(float64(float32(v)), 0)
		}
	}
	return true
}

// IntOrString checks that v is an integer or a string, by its types and by alternatives that say the same.
func IntOrString(v any, rec *Recorder, want Type) int {
	switch v.(type) {
	case int64, string:
		return 0
	}
	return rec.unlessIntOrString(v, want)
}

func (r *Recorder) unlessIntOrString(v any, want Type) int {
	n := CheckType(v, r, want)
	if v == nil || MatchType(v, nil, TypeInteger) == 0 || MatchType(v, nil, TypeString) == 0 {
		return n
	}
	if r == nil {
		return n + 1
	}
	c := r.Choose()
	c.Try(MatchType(v, r, TypeInteger))
	c.Try(MatchType(v, r, TypeString))
	return n + c.AnyOf()
}

// Required checks that obj has the named fields; they may be null.
func Required(obj map[string]any, rec *Recorder, names ...string) (n int) {
	for _, name := range names {
		if _, ok := obj[name]; !ok {
			n += rec.Missing(name)
		}
	}
	return n
}

// Missing records that a field is missing.
func (r *Recorder) Missing(name string) int {
	return r.fault(fault{kind: faultRequired, text: name})
}

// Forbidden records that a field must not exist.
func (r *Recorder) Forbidden(name string) int {
	return r.fault(fault{kind: faultForbidden, text: name})
}

// Longer reports whether s has more than limit characters. A byte that is not part of a character counts as one.
func Longer(s string, most int64) bool {
	return int64(len(s)) > most && int64(utf8.RuneCountInString(s)) > most
}

// Shorter reports whether s has fewer than limit characters.
func Shorter(s string, least int64) bool {
	return int64(len(s)) < least || least > 1 && int64(len(s)/utf8.UTFMax) < least && int64(utf8.RuneCountInString(s)) < least
}

// TooLong records that a string has more than limit characters.
func (r *Recorder) TooLong(most int64) int {
	return r.fault(fault{kind: faultTooLong, limit: most})
}

// TooShort records that the string v has fewer than limit characters.
func (r *Recorder) TooShort(v any, least int64) int {
	return r.fault(fault{kind: faultTooFew, value: v, text: "be at least %d chars long", limit: least})
}

// Mismatch records that a regular expression does not match the string v.
func (r *Recorder) Mismatch(v any, pattern string) int {
	return r.fault(fault{kind: faultPattern, value: v, text: pattern})
}

// BadPattern records that nothing can match a pattern that does not compile.
func (r *Recorder) BadPattern(v any, pattern, err string) int {
	if r == nil {
		return 1
	}
	return r.keep(fault{kind: faultPattern, value: v, text: pattern, names: []string{err}})
}

// Malformed records that the string v is not of a format.
func (r *Recorder) Malformed(v any, format string) int {
	return r.fault(fault{kind: faultType, value: v, text: format})
}

// MaxItems checks that a list is not too long.
func MaxItems(list []any, rec *Recorder, most int64) int {
	if int64(len(list)) <= most {
		return 0
	}
	return rec.tooMany(len(list), "items", most)
}

// MinItems checks that a list is not too short.
func MinItems(list []any, rec *Recorder, least int64) int {
	if int64(len(list)) >= least {
		return 0
	}
	return rec.tooFew(len(list), "have at least %d items", least)
}

// MaxProperties checks that an object has not too many fields.
func MaxProperties(obj map[string]any, rec *Recorder, most int64) int {
	if int64(len(obj)) <= most {
		return 0
	}
	return rec.tooMany(len(obj), "properties", most)
}

// MinProperties checks that an object has not too few fields.
func MinProperties(obj map[string]any, rec *Recorder, least int64) int {
	if int64(len(obj)) >= least {
		return 0
	}
	return rec.tooFew(len(obj), "have at least %d properties", least)
}

// tooMany and tooFew record that a number of items or fields exceeds a limit. They are separate functions so that their callers are small
// enough to be inlined.
//
//go:noinline
func (r *Recorder) tooMany(count int, text string, limit int64) int {
	if r == nil {
		return 1
	}
	return r.keep(fault{kind: faultTooMany, value: count, text: text, limit: limit})
}

//go:noinline
func (r *Recorder) tooFew(count int, text string, limit int64) int {
	if r == nil {
		return 1
	}
	return r.keep(fault{kind: faultTooFew, value: int64(count), text: text, limit: limit})
}

// EnumStrings checks that v is one of several strings.
func EnumStrings(v any, rec *Recorder, values ...string) int {
	if s, ok := v.(string); ok && slices.Contains(values, s) {
		return 0
	}
	return rec.unlessString(v, values)
}
