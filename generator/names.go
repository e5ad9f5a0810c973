package generator

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/token"
	"strconv"
	"strings"
	"unicode"
)

// maxName is how long the name of a function may get before the rest of it is replaced by a hash.
const maxName = 100

// maxPath is how long a path may get in a comment. Without a limit a schema that is deep as well as wide would make files
// many times its size.
const maxPath = 160

// segment is one step of a schema path.
type segment struct {
	name string // of a property; empty for the other two
	kind segmentKind
}

type segmentKind uint8

const (
	segmentProperty segmentKind = iota
	segmentItems
	segmentValues // additionalProperties
)

// nameTable gives out names for functions. The same path gets the same name whatever else is in the schema, unless two
// paths would get the same one: then those that come later carry a hash of their path.
type nameTable struct {
	taken map[string]bool
}

// nodeName returns the name for the node that is first reached at path in a kind.
func (t *nameTable) nodeName(kind *Kind, path []segment) string {
	name := kind.Ident
	for _, s := range path {
		if len(name) > maxName {
			break
		}
		switch s.kind {
		case segmentProperty:
			name += identifier(s.name)
		case segmentItems:
			name += "Item"
		case segmentValues:
			name += "Value"
		}
	}
	if len(name) > maxName {
		name = truncate(name, maxName-9) + "_" + shortHash(uniquePath(kind, path))
	}
	for base, again := name, ""; t.taken[name]; again += " again" { // a short hash can be the same, too
		name = base + "_" + shortHash(uniquePath(kind, path)+again)
	}
	t.taken[name] = true
	return name
}

// uniquePath writes a path so that no two of them are written alike.
func uniquePath(kind *Kind, path []segment) string {
	return fmt.Sprintf("%q %q %q", kind.Group, kind.Kind, path)
}

// identifier turns any text into what can stand inside of a Go identifier, with a capital first.
func identifier(s string) string {
	var b strings.Builder
	upper := true
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if upper {
				r = unicode.ToUpper(r)
			}
			upper = false
			b.WriteRune(r)
		default:
			upper = true
		}
	}
	return b.String()
}

// exported returns a kind as part of exported identifiers: a hash stands in for what no identifier can contain.
func exported(kind string) string {
	id := identifier(kind)
	if id == kind || id == strings.ToUpper(kind[:1])+kind[1:] {
		return id
	}
	return id + "_" + shortHash(kind)
}

func truncate(s string, n int) string {
	for n > 0 && !isRuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func isRuneStart(b byte) bool { return b&0xC0 != 0x80 }

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}

// pathString writes a schema path for people: .spec.containers[].env[*]["odd key"]
func pathString(path []segment) string {
	var b strings.Builder
	for _, s := range path {
		switch s.kind {
		case segmentItems:
			b.WriteString("[]")
		case segmentValues:
			b.WriteString("[*]")
		case segmentProperty:
			if plainKey(s.name) {
				b.WriteString("." + s.name)
			} else {
				b.WriteString("[" + quoteKey(s.name) + "]")
			}
		}
	}
	return b.String()
}

// shortPath writes a path for comments: what is in the middle of a long one is left out.
func shortPath(path []segment) string {
	const end = maxPath/2 - len("...")
	s := pathString(path)
	if len(s) > maxPath {
		s = s[:end] + "..." + s[len(s)-end:]
	}
	return s
}

// quoteKey writes a key of a schema so that it cannot be mistaken for anything else: as it is if it is plain.
func quoteKey(s string) string {
	if plainKey(s) {
		return s
	}
	const longest = 60
	if len(s) > longest {
		s = truncate(s, longest) + "..."
	}
	return unquoted.Replace(strconv.QuoteToASCII(s))
}

// unquoted replaces what gofmt turns into typographic quotes when it stands in a comment.
var unquoted = strings.NewReplacer("`", `\x60`, "'", `\x27`)

func plainKey(s string) bool {
	if s == "" || len(s) > 200 {
		return false
	}
	for _, r := range s {
		if r > unicode.MaxASCII || !(r == '-' || r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return false
		}
	}
	return true
}

// validPackageName tells whether s can be the name of a package.
func validPackageName(s string) bool {
	return token.IsIdentifier(s) && s != "_"
}
