package text

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	k8syaml "sigs.k8s.io/yaml"
)

// What a scalar means is what sigs.k8s.io/yaml makes of it, by way of JSON, as in Kubernetes: there a plain yes is a boolean,
// 0755 is an octal number, 1.0 becomes the integer 1, and the key 1e3 becomes "1000". The two parsers are not walked in
// step over whole documents, because that one gives no order to the keys of a map, expands aliases before anybody can
// count them, ends at the first value it refuses without naming its place, and refuses texts that the parser with
// positions reads, and the other way round. So it is asked about one scalar at a time, and only about those that could be
// anything but a string.

// scalar is what a scalar was resolved to.
type scalar struct {
	value any
	err   error
}

// scalars has what was resolved already, by the documents that were asked about.
type scalars map[string]scalar

// resolve returns what y is as a value, or as a key.
func (all scalars) resolve(y *yaml.Node, as role) (any, error) {
	var written string
	switch {
	case y.Style&yaml.TaggedStyle != 0:
		if !isOwnTag(y.Tag) {
			return y.Value, nil
		}
		quoted, err := json.Marshal(y.Value) // JSON's strings are YAML's
		if err != nil {
			return nil, err
		}
		written = y.Tag + " " + string(quoted)
	case !isPlain(y) || !maybeNoString(y.Value):
		return y.Value, nil
	case as == roleValue && isDigits(y.Value):
		return strconv.ParseInt(y.Value, 10, 64)
	default:
		written = y.Value
	}
	document := as.around(written)
	s, ok := all[document]
	if !ok {
		s = readScalar(document)
		all[document] = s
	}
	return s.value, s.err
}

// isPlain reports whether a scalar has neither quotes nor a tag.
func isPlain(y *yaml.Node) bool {
	const other = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	return y.Style&other == 0
}

// role is what a scalar is used as.
type role uint8

const (
	roleValue role = iota
	roleKey
)

// around returns a document in which the scalar has the role and is the only thing.
func (r role) around(scalar string) string {
	if r == roleKey {
		return "? " + scalar + "\n: 0"
	}
	return "- " + scalar
}

// readScalar reads the scalar in a document that around has made.
func readScalar(document string) scalar {
	data, err := toJSON([]byte(document))
	if err != nil {
		return scalar{err: err}
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return scalar{err: err}
	}
	switch v := v.(type) {
	case []any:
		if n, ok := v[0].(json.Number); ok {
			value, err := number(n)
			return scalar{value, err}
		}
		return scalar{value: v[0]}
	case map[string]any:
		for key := range v {
			return scalar{value: key}
		}
	}
	return scalar{err: fmt.Errorf("yaml: no scalar in %q", document)}
}

// toJSON converts a text as Kubernetes does. A panic of the parser is an error in its input like any other.
func toJSON(text []byte) (data []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	return k8syaml.YAMLToJSON(text)
}

// maybeNoString reports whether a plain scalar could be a null, a boolean or a number: those are short words, or begin as
// a number does, and are without spaces. Nearly all scalars are strings, and asking takes a hundred times as long.
func maybeNoString(s string) bool {
	const longestWord = len("false")
	if s == "" {
		return true
	}
	if s == "-" || s[len(s)-1] == ':' || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return false
	}
	return strings.IndexByte("+-.0123456789", s[0]) >= 0 || len(s) <= longestWord && strings.IndexByte("yYnNtTfFoO~", s[0]) >= 0
}

// isDigits reports whether s is an integer as JSON writes it, short enough to fit.
func isDigits(s string) bool {
	if s == "" || len(s) > 18 || s[0] == '0' && s != "0" {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// isOwnTag reports whether tag, in its short form, can be one of YAML's own. A tag of somebody's own makes a string.
func isOwnTag(tag string) bool {
	name, ok := strings.CutPrefix(tag, "!!")
	return ok && !strings.ContainsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' })
}

// scalarProblem says why y is no value.
func scalarProblem(y *yaml.Node, at Pos, err error) *Problem {
	var unsupported *json.UnsupportedValueError
	switch {
	case errors.As(err, &unsupported):
		return problemf(RuleNumber, at, "%s is no value in JSON", Shorten(y.Value))
	case y.Tag == "!!binary":
		return problemf(RuleTag, at, "the !!binary value is not valid base64")
	}
	return problemf(RuleTag, at, "cannot read %q as a %s", Shorten(y.Value), y.Tag)
}

// number returns the number that n spells as Kubernetes reads it: an int64 where it fits and is written without fraction
// and exponent, else a float64. The error says that it is out of range.
func number(n json.Number) (any, error) {
	if !strings.ContainsAny(n.String(), ".eE") {
		if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
			return i, nil
		}
	}
	return n.Float64()
}
