package yamltext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

// A scalar means what it means to sigs.k8s.io/yaml, which converts it to JSON, as in Kubernetes: there a plain yes is a boolean,
// 0755 is an octal number, 1.0 becomes the integer 1, and the key 1e3 becomes "1000".
//
// The two parsers are not walked in step over whole documents, for three reasons. That one sorts the keys of a map and
// converts them, so that finding the key for a node takes these rules again. It ends at the first value that it refuses,
// and for "a: !!int x", "a: .inf" and "~: 1" it names no place. And it has a limit on aliases of its own: it refuses
// documents with 10,000 aliased nodes that are read here. So it is asked about scalars, each once, and only about those
// that readPlain does not decide.

// scalar is a resolved scalar.
type scalar struct {
	value any
	err   error
}

// resolve returns what y is as a value, or as a key.
func (src *source) resolve(y *yaml.Node, as role) (any, error) {
	if isPlain(y) {
		if v, decided := readPlain(y.Value, as); decided {
			return v, nil
		}
	}
	q := question(y, as)
	if q == "" {
		return y.Value, nil
	}
	known, ok := src.scalars[q]
	if !ok {
		src.meter.Spend(meter.UnitsOfScalar)
		known.value, known.err = ask(q)
		src.scalars[q] = known
	}
	return known.value, known.err
}

// readPlain returns what sigs.k8s.io/yaml makes of a plain scalar if that is beyond doubt, as in nearly all documents: strings, integers,
// fractions, true and false. The parser is a hundred times as slow.
func readPlain(s string, as role) (v any, decided bool) {
	const longest = 100
	switch {
	case !maybeNoString(s):
		return s, true
	case as == roleValue && (s == "true" || s == "false"):
		return s == "true", true
	case len(s) > longest: // errors of strconv copy it
		return nil, false
	}
	if i, err := strconv.ParseInt(s, 0, 64); err == nil {
		if as == roleKey {
			return strconv.FormatInt(i, 10), true
		}
		return i, true
	}
	if fraction.MatchString(s) && as == roleValue { // a key is rounded to 32 bits
		f, err := strconv.ParseFloat(s, 64)
		i := int64(f)
		switch {
		case err != nil || math.Abs(f) >= 1<<53:
			return nil, false
		case float64(i) == f:
			return i, true // JSON has 1 for 1.0
		}
		return f, true
	}
	return s, notNumber.MatchString(s)
}

var (
	fraction = regexp.MustCompile(`^[-+]?[0-9]*\.[0-9]+$`)
	// notNumber matches versions, addresses, quantities and durations: what begins with digits that neither a number nor a date goes on with.
	notNumber = regexp.MustCompile(`^[0-9]+(\.[0-9]*\.|(\.[0-9]*)?[g-np-wyzG-NP-WYZ/%])`)
)

// ask puts a question to sigs.k8s.io/yaml.
func ask(question string) (any, error) {
	data, err := toJSON([]byte(question))
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var answer [1]any
	if err := decoder.Decode(&answer); err != nil {
		return nil, err
	}
	switch a := answer[0].(type) {
	case json.Number:
		return number(a)
	case map[string]any:
		for key := range a {
			return key, nil
		}
	}
	return answer[0], nil
}

// role is what a scalar is used as.
type role uint8

const (
	roleValue role = iota
	roleKey
)

// question returns a list that has only y, in the role; "" if y can only be a string.
func question(y *yaml.Node, as role) string {
	written := y.Value
	switch {
	case y.Style&yaml.TaggedStyle != 0 && isOwnTag(y.Tag):
		quoted, err := json.Marshal(y.Value) // JSON's strings are YAML's
		if err != nil {
			return ""
		}
		written = y.Tag + " " + string(quoted)
	case !isPlain(y) || !maybeNoString(y.Value):
		return ""
	}
	if as == roleKey {
		return "- ? " + written + "\n  : 0\n"
	}
	return "- " + written + "\n"
}

// isPlain reports whether a scalar has neither quotes nor a tag.
func isPlain(y *yaml.Node) bool {
	const other = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	return y.Style&other == 0
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

// maybeNoString reports whether a plain scalar could be a null, a boolean or a number: those are a few words, or begin as
// a number does, and are without spaces. Nearly all scalars are strings, and calling the parser takes a hundred times as long.
func maybeNoString(s string) bool {
	const longestWord = len("false")
	if len(s) <= longestWord {
		switch strings.ToLower(s) {
		case "", "y", "yes", "on", "true", "n", "no", "off", "false", "null", "~":
			return true
		}
	}
	if s == "-" || s[len(s)-1] == ':' || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return false
	}
	return strings.IndexByte("+-.0123456789", s[0]) >= 0
}

// isOwnTag reports whether tag, in its short form, can be one of YAML's own. Any other tag makes a string.
func isOwnTag(tag string) bool {
	name, ok := strings.CutPrefix(tag, "!!")
	return ok && !strings.ContainsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' })
}

// scalarProblem reports why y is not a value.
func scalarProblem(y *yaml.Node, at Pos, err error) *Problem {
	var unsupported *json.UnsupportedValueError
	switch {
	case errors.As(err, &unsupported):
		return problemf(IDNumber, at, "%s is not a value in JSON", Shorten(y.Value))
	case y.Tag == "!!binary":
		return problemf(IDTag, at, "the !!binary value is not valid base64")
	}
	return problemf(IDTag, at, "cannot read %q as a %s", Shorten(y.Value), y.Tag)
}

// number returns n as Kubernetes reads it: an int64 if it fits and is written without fraction and exponent, else a float64. The error
// says that it is out of range.
func number(n json.Number) (any, error) {
	if !strings.ContainsAny(n.String(), ".eE") {
		if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
			return i, nil
		}
	}
	return n.Float64()
}
