package prunejson

import (
	"encoding/json"
	"fmt"
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

// Escapes are checked and decoded at every place in a string, and so are many in a row.
func TestEscapesAreSeenWhereverTheyAre(t *testing.T) {
	const fine = -1
	escapes := []struct {
		text  string
		wrong int // where it is
	}{
		{`\"`, fine}, {`\\`, fine}, {`\/`, fine}, {`\b\f\n\r\t`, fine}, {`\u0041`, fine}, {`\ud83d\ude00`, fine}, {`\\\"`, fine}, {`é\"\\\"é`, fine},
		{strings.Repeat(`\`, 130), fine}, {strings.Repeat(`\"`, 70), fine},
		{`\n` + strings.Repeat("x", 60) + `\"`, fine}, {`\n` + strings.Repeat("x", 61) + `\"`, fine}, {`\n` + strings.Repeat("x", 61) + `\\`, fine}, // over the end of a block
		{`\n` + strings.Repeat("x", 61) + `\u0041`, fine}, {`\n` + strings.Repeat("x", 61) + `\u004x`, 68}, {`\n` + strings.Repeat("x", 61) + `\x`, 64},
		{`\x`, 1}, {`\U`, 1}, {`\u004x`, 5}, {`\ux`, 2}, {"\\\n", 1}, {"\\\x00", 1}, {`\\\x`, 3}, {"\n", 0}, {"\\\"\x1f", 2}, {strings.Repeat(`\"`, 70) + `\:`, 141},
	}
	for before := range 150 {
		for _, after := range []int{0, 1, 60, 61, 62, 63, 64, 130} {
			for _, e := range escapes {
				text := strings.Repeat("x", before) + e.text + strings.Repeat("x", after)
				doc := `{"spec":{"name":"` + text + `"}}`
				at := ""
				if e.wrong != fine {
					at = fmt.Sprintf("syntax %d", len(`{"spec":{"name":"`)+before+e.wrong)
				}
				pruned, err := pruneThing(nil, []byte(doc))
				if place(err) != at || err == nil && string(pruned) != doc {
					t.Fatalf("%s is %s, %v, want an error at %q", doc, pruned, err, at)
				}
				decoded, err := free.Decode([]byte(doc))
				if place(err) != at {
					t.Fatalf("%s: %v, want an error at %q", doc, err, at)
				}
				var want string
				if err := json.Unmarshal([]byte(`"`+text+`"`), &want); (err == nil) != (at == "") {
					t.Fatalf("%s: encoding/json says %v", doc, err)
				}
				if err == nil && decoded["spec"].(map[string]any)["name"] != want {
					t.Fatalf("%s is decoded as %q, want %q", doc, decoded, want)
				}
			}
		}
	}
}
