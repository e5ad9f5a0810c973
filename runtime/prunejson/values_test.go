package prunejson

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whatever ends a string, or is wrong in one, is seen wherever it stands, in values and in keys.
func TestSpecialBytesAreSeenWhereverTheyAre(t *testing.T) {
	for _, special := range []string{``, `"`, `\"`, `\\`, `\x`, `\`, "\x00", "\x1f", "é", "\xff"} {
		for before := range 140 {
			begin := `"` + strings.Repeat("x", before) + special
			for _, rest := range []string{``, `"`, strings.Repeat("x", 50) + `"`} {
				for _, doc := range []string{`{"a":` + begin + rest + `}`, `{` + begin + rest + `:1}`, `{` + begin + rest + ` : 1}`} {
					valid := json.Valid([]byte(doc))
					var s Scanner
					if end := s.Keep(s.Begin(nil, []byte(doc))); valid != (s.err == nil && end == len(doc)) {
						t.Errorf("Keep: %q: the end is %d of %d, and the error %v", doc, end, len(doc), s.err)
					}
					var m Scanner
					if end := m.LeafMap(m.Begin(nil, []byte(doc))); valid != (m.err == nil && end == len(doc)) {
						t.Errorf("LeafMap: %q: the end is %d of %d, and the error %v", doc, end, len(doc), m.err)
					}
				}
			}
		}
	}
}
