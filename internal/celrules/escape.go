package celrules

import "strings"

// escapes are the parts of property names that CEL identifiers cannot have, longest first.
var escapes = strings.NewReplacer("__", "__underscores__", ".", "__dot__", "-", "__dash__", "/", "__slash__")

// Escape returns the name by which rules select the property name, and false if they cannot: because name begins with a digit, or has
// characters that CEL does not allow and Kubernetes does not escape.
func Escape(name string) (string, bool) {
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		return "", false
	}
	if isReserved(name) {
		return "__" + name + "__", true
	}
	for _, c := range name {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '.', c == '-', c == '/':
		default:
			return "", false
		}
	}
	return escapes.Replace(name), true
}

// isReserved reports whether name is a reserved word of CEL.
func isReserved(name string) bool {
	switch name {
	case "true", "false", "null", "in",
		"as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
		"loop", "package", "namespace", "return", "var", "void", "while":
		return true
	}
	return false
}
