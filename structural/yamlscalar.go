package structural

import (
	"encoding/base64"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// scalar is what a YAML scalar stands for under the rules of YAML 1.1 that Kubernetes reads manifests with. There, unlike
// in YAML 1.2, a plain yes, no, on, off, y or n is a boolean and 0755 is an octal number.
type scalar struct {
	kind     kind
	boolean  bool
	integer  int64
	unsigned uint64 // for integers beyond int64; kind is kindFloat then
	float    float64
	text     string
}

// yamlWords holds the plain scalars that are neither strings nor numbers in digits.
var yamlWords = func() map[string]scalar {
	words := map[string]scalar{}
	add := func(s scalar, spellings ...string) {
		for _, w := range spellings {
			words[w] = s
		}
	}
	add(scalar{kind: kindBool, boolean: true}, "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON")
	add(scalar{kind: kindBool}, "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF")
	add(scalar{kind: kindNull}, "", "~", "null", "Null", "NULL")
	add(scalar{kind: kindFloat, float: math.NaN()}, ".nan", ".NaN", ".NAN")
	add(scalar{kind: kindFloat, float: math.Inf(1)}, ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF")
	add(scalar{kind: kindFloat, float: math.Inf(-1)}, "-.inf", "-.Inf", "-.INF")
	return words
}()

var yamlFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// resolvePlain resolves a scalar without quotes and without a tag.
func resolvePlain(s string) scalar {
	if s == "" {
		return scalar{}
	}
	switch c := s[0]; {
	case strings.IndexByte("yYnNtTfFoO~", c) >= 0:
		if word, ok := yamlWords[s]; ok {
			return word
		}
	case c == '.':
		if word, ok := yamlWords[s]; ok {
			return word
		}
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return scalar{kind: kindFloat, float: f}
		}
	case c == '+' || c == '-' || '0' <= c && c <= '9':
		if word, ok := yamlWords[s]; ok {
			return word
		}
		if number, ok := resolveNumber(strings.ReplaceAll(s, "_", "")); ok {
			return number
		}
	}
	return scalar{kind: kindString, text: s}
}

// resolveNumber resolves what starts with a digit or a sign and has no underscores any more.
func resolveNumber(s string) (scalar, bool) {
	if i, err := strconv.ParseInt(s, 0, 64); err == nil {
		return scalar{kind: kindInt, integer: i}, true
	}
	if u, err := strconv.ParseUint(s, 0, 64); err == nil {
		return scalar{kind: kindFloat, unsigned: u, float: float64(u)}, true
	}
	if yamlFloat.MatchString(s) {
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return scalar{kind: kindFloat, float: f}, true
		}
	}
	// ParseInt above knows binary numbers, but not the sign that may follow their prefix.
	if digits, ok := strings.CutPrefix(s, "0b"); ok {
		if i, err := strconv.ParseInt(digits, 2, 64); err == nil {
			return scalar{kind: kindInt, integer: i}, true
		}
	}
	return scalar{}, false
}

// resolveTagged resolves a scalar with one of YAML's own tags, in its short form. A tag of somebody's own makes a string.
func resolveTagged(tag, s string) (scalar, error) {
	var want kind
	switch tag {
	case "!!null":
		want = kindNull
	case "!!bool":
		want = kindBool
	case "!!int":
		want = kindInt
	case "!!float":
		want = kindFloat
	case "!!timestamp":
		if isTimestamp(s) {
			return scalar{kind: kindString, text: s}, nil
		}
		return scalar{}, fmt.Errorf("cannot read %q as a %s", shorten(s), tag)
	case "!!binary":
		data, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return scalar{}, fmt.Errorf("the !!binary value is not valid base64")
		}
		return scalar{kind: kindString, text: replaceInvalid(data)}, nil
	default:
		return scalar{kind: kindString, text: s}, nil
	}

	got := resolvePlain(s)
	switch {
	case want == kindInt && got.unsigned != 0:
		return got, nil
	case want == kindFloat && got.unsigned != 0:
	case want == got.kind:
		return got, nil
	case want == kindFloat && got.kind == kindInt:
		return scalar{kind: kindFloat, float: float64(got.integer)}, nil
	}
	return scalar{}, fmt.Errorf("cannot read %q as a %s", shorten(s), tag)
}

// isTimestamp tells whether s is a date, or a date and a time, as the YAML parser of Kubernetes knows them.
func isTimestamp(s string) bool {
	if len(s) < 5 || s[4] != '-' {
		return false
	}
	for _, layout := range []string{
		"2006-1-2T15:4:5.999999999Z07:00", "2006-1-2t15:4:5.999999999Z07:00", "2006-1-2 15:4:5.999999999", "2006-1-2",
	} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// replaceInvalid returns data as a string in which, as in JSON, each byte that is not UTF-8 is the replacement character.
func replaceInvalid(data []byte) string {
	return string([]rune(string(data)))
}

// key returns s as the key of a map: JSON has only strings there, and Kubernetes converts what it can.
func (s scalar) key() (string, bool) {
	switch s.kind {
	case kindString:
		return s.text, true
	case kindBool:
		return strconv.FormatBool(s.boolean), true
	case kindInt:
		return strconv.FormatInt(s.integer, 10), true
	case kindFloat:
		return formatKey(s.float), s.unsigned == 0
	}
	return "", false
}

// formatKey formats a number with the precision of 32 bits, which is what becomes of one as a key.
func formatKey(f float64) string {
	switch s := strconv.FormatFloat(f, 'g', -1, 32); s {
	case "NaN":
		return ".nan"
	case "+Inf":
		return ".inf"
	case "-Inf":
		return "-.inf"
	default:
		return s
	}
}

// setScalar makes n the value that s is once it went through JSON, where a number has no type: 1.0 is printed as 1 and
// comes back as an integer. It returns false for the numbers that JSON does not have.
func (n *node) setScalar(s scalar) bool {
	n.kind, n.boolean, n.integer, n.float, n.text = s.kind, s.boolean, s.integer, s.float, s.text
	if s.kind != kindFloat || s.unsigned != 0 {
		return true
	}
	if math.IsNaN(s.float) || math.IsInf(s.float, 0) {
		return false
	}
	// Beyond this, JSON is written with an exponent, which no integer has. Below, the digits are the shortest that mean
	// the number, and those are what is read again.
	if s.float == math.Trunc(s.float) && math.Abs(s.float) < 1e21 {
		setNumber(n, strconv.FormatFloat(s.float, 'f', -1, 64))
	}
	return true
}
