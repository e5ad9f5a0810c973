package pruneimpl

import (
	"strings"
	"time"
	"unicode/utf8"
)

// The formats of strings, as loose as those of the API server. Those that need regular expressions or addresses are in pruneformat.

// IsDate is the format date: what time.Parse takes for one.
func IsDate(s string) bool {
	if len(s) != len(time.DateOnly) || s[4] != '-' || s[7] != '-' {
		return false
	}
	year, ok1 := digits(s[:4])
	month, ok2 := digits(s[5:7])
	day, ok3 := digits(s[8:])
	if !ok1 || !ok2 || !ok3 || month < 1 || month > 12 || day < 1 {
		return false
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		days++
	}
	return day <= days
}

// digits returns the number that s is the digits of.
func digits(s string) (n int, ok bool) {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, true
}

// IsDateTime is the format date-time. Nobody looks at what comes after a second T.
func IsDateTime(s string) bool {
	const date = len(time.DateOnly)
	if len(s) <= date || s[date] != 't' && s[date] != 'T' || !IsDate(s[:date]) {
		return false
	}
	clock := s[date+1:]
	if i := strings.IndexAny(clock, "tT"); i >= 0 {
		clock = clock[:i]
	}
	return isClock(clock)
}

// isClock reports whether s is a time of day with a zone: 15:04:05Z, with or without a fraction. Any character can stand before
// the fraction.
func isClock(s string) bool {
	if len(s) < len("15:04:05Z") || s[2] != ':' || s[5] != ':' {
		return false
	}
	for _, i := range [...]int{0, 1, 3, 4, 6, 7} {
		if !isDigit(s[i]) {
			return false
		}
	}
	if s[:2] > "23" || s[3:5] > "59" || s[6:8] > "59" {
		return false
	}
	s = s[8:]
	if isZone(s) {
		return true
	}
	r, size := utf8.DecodeRuneInString(s)
	digits := leadingDigits(s[size:])
	return r != '\n' && digits > 0 && isZone(s[size+digits:])
}

func isZone(s string) bool {
	if s == "z" || s == "Z" {
		return true
	}
	return len(s) == len("+00:00") && (s[0] == '+' || s[0] == '-') && s[3] == ':' && isDigit(s[1]) && isDigit(s[2]) && isDigit(s[4]) && isDigit(s[5])
}

// IsByte is the format byte: base64, and not empty.
func IsByte(s string) bool {
	if s == "" || len(s)%4 != 0 {
		return false
	}
	s = strings.TrimSuffix(s, "=")
	s = strings.TrimSuffix(s, "=")
	return each(s, func(c byte) bool { return isAlphanumeric(c) || c == '+' || c == '/' })
}

// IsBSONObjectID is the format bsonobjectid: 12 bytes in hexadecimal.
func IsBSONObjectID(s string) bool { return len(s) == 24 && each(s, isHex) }

// IsUUID is the format uuid.
func IsUUID(s string) bool { return isUUID(s, "", "") }

// IsUUID3 is the format uuid3.
func IsUUID3(s string) bool { return isUUID(s, "3", "") }

// IsUUID4 is the format uuid4.
func IsUUID4(s string) bool { return isUUID(s, "4", "89abAB") }

// IsUUID5 is the format uuid5.
func IsUUID5(s string) bool { return isUUID(s, "5", "89abAB") }

// isUUID reports whether s is hexadecimal digits in groups of 8, 4, 4, 4 and 12, with or without dashes between them. The third and
// the fourth group begin with one of some digits, any where none are given.
func isUUID(s, third, fourth string) bool {
	for i, size := range [...]int{8, 4, 4, 4, 12} {
		if i > 0 {
			s = strings.TrimPrefix(s, "-")
		}
		if len(s) < size || !each(s[:size], isHex) {
			return false
		}
		first := [...]string{2: third, 3: fourth, 4: ""}[i]
		if first != "" && strings.IndexByte(first, s[0]) < 0 {
			return false
		}
		s = s[size:]
	}
	return s == ""
}

// IsDNSLabel63 is the format k8s-short-name.
func IsDNSLabel63(s string) bool { return len(s) <= 63 && IsDNSLabel(s) }

// IsDNSSubdomain253 is the format k8s-long-name.
func IsDNSSubdomain253(s string) bool { return len(s) <= 253 && IsDNSSubdomain(s) }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }
