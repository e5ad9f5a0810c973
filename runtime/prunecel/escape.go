package prunecel

import "strings"

// IsReserved reports whether a word cannot be a name in CEL.
func IsReserved(word string) bool {
	switch word {
	case "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
		"package", "namespace", "return", "var", "void", "while":
		return true
	}
	return false
}

// Escape returns the name by which rules call a property. It reports false for a property that rules cannot name.
func Escape(name string) (string, bool) {
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		return "", false
	}
	if IsReserved(name) {
		return "__" + name + "__", true
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '_' && i+1 < len(name) && name[i+1] == '_':
			b.WriteString("__underscores__")
			i++
		case c == '.':
			b.WriteString("__dot__")
		case c == '-':
			b.WriteString("__dash__")
		case c == '/':
			b.WriteString("__slash__")
		case c == '_', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
			b.WriteByte(c)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// Unescape returns the property that a name stands for. It reports false for a name with an unknown escape.
func Unescape(name string) (string, bool) {
	if !strings.Contains(name, "__") {
		return name, true
	}
	var b strings.Builder
	for rest := name; ; {
		start := strings.Index(rest, "__")
		if start < 0 {
			b.WriteString(rest)
			return b.String(), true
		}
		// An escape is two underscores, other characters, and two underscores. Of three and more underscores the last two begin it.
		open := start + 2
		for open < len(rest) && rest[open] == '_' {
			open++
		}
		end := strings.IndexByte(rest[open:], '_')
		if end < 0 || !strings.HasPrefix(rest[open+end:], "__") {
			if end < 0 {
				b.WriteString(rest)
				return b.String(), true
			}
			b.WriteString(rest[:open+end])
			rest = rest[open+end:]
			continue
		}
		b.WriteString(rest[:open-2])
		switch word := rest[open : open+end]; {
		case word == "underscores":
			b.WriteString("__")
		case word == "dot":
			b.WriteByte('.')
		case word == "dash":
			b.WriteByte('-')
		case word == "slash":
			b.WriteByte('/')
		case IsReserved(word) && len(word)+4 == len(name):
			b.WriteString(word)
		default:
			return "", false
		}
		rest = rest[open+end+2:]
	}
}
