package crddiff

import (
	"fmt"
	"slices"
	"strings"
)

// Level says whom a change breaks. A higher level includes the lower ones.
type Level uint8

const (
	// None breaks nobody.
	None Level = iota
	// Readers breaks typed clients: a value can have a JSON type or format that it could not have.
	Readers
	// Requests breaks manifests and clients: what was accepted is refused or answered differently; an answer that only has more in it, a
	// new default for example, does not count. Stored objects stay as they are and can be updated as long as the value in question does not
	// change, because an API server ratchets; server-side apply needs the types of the new schema.
	Requests
	// Stored breaks stored objects: they lose data, or any update of them is refused.
	Stored
)

var words = [...]string{None: "none", Readers: "readers", Requests: "requests", Stored: "stored"}

// String returns the level as a word.
func (l Level) String() string { return words[l] }

// MarshalText returns the level as a word.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the word of a level.
func (l *Level) UnmarshalText(text []byte) error {
	i := slices.Index(words[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown level %q: use %s", text, strings.Join(words[:], ", "))
	}
	*l = Level(i)
	return nil
}
