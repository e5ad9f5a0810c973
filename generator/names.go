package generator

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
	segmentValues               // additionalProperties
	segmentItems
)

// maxSegment is how long the name of a property may get before the middle of it is replaced by a hash. Every node has the
// steps of all that are above it, so that one name of megabytes would be looked through for each node below it.
const maxSegment = 400

// propertySegment returns the step into a property.
func propertySegment(name string) segment {
	if len(name) > maxSegment {
		name = truncate(name, maxSegment/2) + "_" + shortHash(name) + "_" + lastOf(name, maxSegment/4)
	}
	return segment{name: name}
}

// compare orders the steps that lead on from one place: the fields by name, then the values of a map, then elements.
func (s segment) compare(t segment) int {
	return cmp.Or(cmp.Compare(s.kind, t.kind), strings.Compare(s.name, t.name))
}

// nameTable gives out names for functions. The same path gets the same name whatever else is in the schema, unless two
// paths would get the same one: then those that come later carry a hash of their path.
type nameTable struct {
	taken map[string]bool
}

// nodeName returns the name for the node that is first reached at path in a kind. Of a name that is too long, the middle
// is replaced by a hash: the end says most.
func (t *nameTable) nodeName(kind *Kind, path []segment) string {
	name := kind.Ident
	for _, s := range path {
		if name += s.identifier(); len(name) > maxName {
			end := ""
			for i := len(path) - 1; i >= 0 && len(end) < maxName/2; i-- {
				end = path[i].identifier() + end
			}
			name = truncate(name, maxName/3) + "_" + shortHash(uniquePath(kind, path)) + "_" + lastOf(end, maxName/2)
			break
		}
	}
	for base, again := name, ""; t.taken[name]; again += " again" { // a short hash can be the same, too
		name = base + "_" + shortHash(uniquePath(kind, path)+again)
	}
	t.taken[name] = true
	return name
}

// identifier returns s as part of a Go identifier.
func (s segment) identifier() string {
	switch s.kind {
	case segmentItems:
		return "Item"
	case segmentValues:
		return "Value"
	}
	return identifier(s.name)
}

// lastOf returns the last n bytes of s, or fewer where a rune would be cut.
func lastOf(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s) - n
	for i < len(s) && !isRuneStart(s[i]) {
		i++
	}
	return s[i:]
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

// functionName returns what a feature calls its function for a kind.
func functionName(f Feature, ident string) string {
	switch f {
	case FeaturePrune:
		return "Prune" + ident
	case FeatureReport:
		return "Prune" + ident + "Report"
	case FeatureCheck:
		return "Check" + ident
	}
	panic("feature " + string(f) + " has no function")
}

// resourceName returns what the variable with the resource of a kind is called.
func resourceName(ident string) string {
	return ident + "Resource"
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
