package pruneimpl

import "strings"

// The functions here match the texts that a regular expression matches, which their comments name. Most CRDs that have
// patterns have these.

// IsDNSLabel matches ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$
func IsDNSLabel(s string) bool {
	if s == "" || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLower(c) && !isDigit(c) && c != '-' {
			return false
		}
	}
	return true
}

// IsDNSSubdomain matches labels with dots between them: ^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$
func IsDNSSubdomain(s string) bool { return isSubdomainOf(s, IsDNSLabel) }

// isSubdomainOf reports whether s is labels with dots between them.
func isSubdomainOf(s string, isLabel func(string) bool) bool {
	for {
		label, rest, found := strings.Cut(s, ".")
		switch {
		case !isLabel(label):
			return false
		case !found:
			return true
		}
		s = rest
	}
}

// IsDNSSubdomainOrEmpty matches a subdomain, and "".
func IsDNSSubdomainOrEmpty(s string) bool { return s == "" || IsDNSSubdomain(s) }

// IsWildcardSubdomain matches a subdomain, with or without *. before it.
func IsWildcardSubdomain(s string) bool { return IsDNSSubdomain(strings.TrimPrefix(s, "*.")) }

// IsSectionName matches ^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$
func IsSectionName(s string) bool {
	return s != "" && isLetter(s[0]) && s[len(s)-1] != '-' && each(s, func(c byte) bool { return isLetter(c) || isDigit(c) || c == '-' })
}

// IsConfigMapKey matches ^[-._a-zA-Z0-9]+$
func IsConfigMapKey(s string) bool { return s != "" && each(s, isNameByte) }

// IsLabelValue matches ^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$
func IsLabelValue(s string) bool { return s == "" || IsQualified(s) }

// IsQualifiedName matches a name, with or without a subdomain and a slash before it:
// ^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$
func IsQualifiedName(s string) bool {
	if i := strings.IndexByte(s, '/'); i >= 0 {
		return IsDNSSubdomain(s[:i]) && IsQualified(s[i+1:])
	}
	return IsQualified(s)
}

// IsQualified reports whether s consists of letters, digits and, inside, dashes, underscores and dots.
func IsQualified(s string) bool {
	return s != "" && isAlphanumeric(s[0]) && isAlphanumeric(s[len(s)-1]) && each(s, isNameByte)
}

// IsConditionReason matches ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$
func IsConditionReason(s string) bool {
	if s == "" || !isLetter(s[0]) || strings.IndexByte(",:", s[len(s)-1]) >= 0 {
		return false
	}
	return each(s, func(c byte) bool { return isAlphanumeric(c) || c == '_' || c == ',' || c == ':' })
}

// IsQuantity matches what a quantity may be written as:
// ^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$
func IsQuantity(s string) bool {
	s, ok := afterNumber(s)
	switch {
	case !ok:
		return false
	case s == "":
		return true
	case len(s) == 1:
		return strings.IndexByte("numkMGTPE", s[0]) >= 0
	case len(s) == 2 && s[1] == 'i':
		return strings.IndexByte("KMGTPE", s[0]) >= 0
	case s[0] == 'e' || s[0] == 'E':
		s, ok = afterNumber(s[1:])
		return ok && s == ""
	}
	return false
}

// afterNumber returns what comes after a sign and a decimal number.
func afterNumber(s string) (rest string, ok bool) {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	digits := leadingDigits(s)
	s = s[digits:]
	if s != "" && s[0] == '.' {
		fraction := leadingDigits(s[1:])
		return s[1+fraction:], digits+fraction > 0
	}
	return s, digits > 0
}

// leadingDigits returns how many digits s begins with.
func leadingDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func each(s string, good func(c byte) bool) bool {
	for i := range len(s) {
		if !good(s[i]) {
			return false
		}
	}
	return true
}

// IsNothing matches no string. It stands for a pattern that does not compile.
func IsNothing(string) bool { return false }

func isLower(c byte) bool        { return 'a' <= c && c <= 'z' }
func isLetter(c byte) bool       { return isLower(c) || 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool        { return '0' <= c && c <= '9' }
func isAlphanumeric(c byte) bool { return isLetter(c) || isDigit(c) }
func isNameByte(c byte) bool     { return isAlphanumeric(c) || c == '-' || c == '_' || c == '.' }
