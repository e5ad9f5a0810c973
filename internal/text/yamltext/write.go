package yamltext

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
)

// Flow returns a value as YAML in one line.
func Flow(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var fields []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			fields = append(fields, scalarText(k)+": "+Flow(v[k]))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case []any:
		var elements []string
		for _, e := range v {
			elements = append(elements, Flow(e))
		}
		return "[" + strings.Join(elements, ", ") + "]"
	case string:
		return scalarText(v)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return "null" // no decoder makes such a value
	}
	return string(b)
}

// plain matches strings that are certainly strings in YAML without quotes.
var plain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*$`)

// words are plain scalars that YAML 1.1 does not read as strings.
var words = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false|null|nan|inf)$`)

// scalarText returns a string as a YAML scalar.
func scalarText(s string) string {
	if plain.MatchString(s) && !words.MatchString(s) {
		return s
	}
	return forbidden.ReplaceAllStringFunc(jsonvalue.Text(s), func(c string) string {
		r, _ := utf8.DecodeRuneInString(c)
		return fmt.Sprintf(`\u%04x`, r)
	})
}

// forbidden matches what JSON allows in a string and YAML does not, or not as it is.
var forbidden = regexp.MustCompile(`[\x{7f}-\x{9f}\x{feff}\x{fffe}\x{ffff}]`)
