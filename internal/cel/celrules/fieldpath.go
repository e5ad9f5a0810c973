package celrules

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// Brackets says whether a path to a field may contain brackets.
type Brackets bool

const (
	WithBrackets    Brackets = true
	WithoutBrackets Brackets = false
)

var (
	errNoField  = errors.New("does not refer to a valid field")
	errPathEnds = errors.New("unexpected end of JSON path")
)

// Below is what a schema contains: properties, or the schema of the values of a map, which is nil if they have none.
type Below[S any] struct {
	Properties map[string]*S
	IsMap      bool
	Values     *S
}

// FindField follows a path such as .spec.list['a key'] through a schema, written or converted. It returns the path, and the schema
// that it leads to, which is nil if the values of a map have none.
func FindField[S any](path string, allowed Brackets, s *S, below func(*S) Below[S]) (*structural.Path, *S, error) {
	var at *structural.Path
	err := followFieldPath(path, allowed, func(name string) error {
		if s == nil {
			return errNoField
		}
		switch b := below(s); {
		case len(b.Properties) > 0 && b.Properties[name] != nil:
			at, s = at.Child(name), b.Properties[name]
		case len(b.Properties) == 0 && b.IsMap:
			at, s = at.Key(name), b.Values
		default:
			return errNoField
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return at, s, nil
}

// followFieldPath calls enter with each name of a path, until it fails.
func followFieldPath(path string, allowed Brackets, enter func(name string) error) error {
	tokens := bufio.NewScanner(strings.NewReader(path))
	tokens.Split(splitFieldPath)
	for tokens.Scan() {
		switch token := tokens.Text(); token {
		case "[":
			if allowed == WithoutBrackets {
				return errors.New("array notation is not allowed")
			}
			if !tokens.Scan() {
				return errPathEnds
			}
			token = tokens.Text()
			if len(token) < 2 || token[0] != '\'' || token[len(token)-1] != '\'' {
				return fmt.Errorf("expected single quoted string but got %s", token)
			}
			name, err := unescapeQuoted(token[1 : len(token)-1])
			if err != nil {
				return fmt.Errorf("invalid string literal: %w", err)
			}
			if err := enter(name); err != nil {
				return err
			}
			if !tokens.Scan() {
				return errPathEnds
			}
			if token := tokens.Text(); token != "]" {
				return fmt.Errorf("expected ] but got %s", token)
			}
		case ".":
			if !tokens.Scan() {
				return errPathEnds
			}
			if err := enter(tokens.Text()); err != nil {
				return err
			}
		default:
			return fmt.Errorf("expected [ or . but got: %s", token)
		}
	}
	return nil
}

// splitFieldPath splits a path into dots, brackets, quoted strings and what is between them.
func splitFieldPath(data []byte, atEOF bool) (int, []byte, error) {
	if len(data) == 0 {
		return 0, nil, nil
	}
	if data[0] == '\'' {
		for i := 1; i < len(data); i++ {
			if data[i] == '\'' && data[i-1] != '\\' {
				return i + 1, data[:i+1], nil
			}
		}
	} else if i := bytes.IndexAny(data, ".[]"); i >= 0 {
		return max(i, 1), data[:max(i, 1)], nil
	}
	if atEOF {
		return len(data), data, nil
	}
	return 0, nil, nil
}

var quotedEscapes = regexp.MustCompile(`\\.`)

// unescapeQuoted replaces the escapes of a quoted string.
func unescapeQuoted(s string) (string, error) {
	const letters, stand = `abfnrtv'\`, "\a\b\f\n\r\t\v'\\"
	var err error
	out := quotedEscapes.ReplaceAllStringFunc(s, func(escape string) string {
		if i := strings.Index(letters, escape[1:]); i >= 0 {
			return stand[i : i+1]
		}
		err = fmt.Errorf("invalid escape char %s", escape)
		return ""
	})
	return out, err
}
