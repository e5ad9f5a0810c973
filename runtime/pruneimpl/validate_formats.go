package pruneimpl

import (
	"strings"
	"time"
	"unicode/utf8"
)

// The formats of strings, as loose as those of the API server. Those that need regular expressions or addresses are in pruneformat.

// IsDate is the format date: a text that time.Parse accepts.
func IsDate(s string) bool {
	if len(s) != len(time.DateOnly) || s[4] != '-' || s[7] != '-' {
		return false
	}
	century, year, month, day := twoDigits(s), twoDigits(s[2:]), twoDigits(s[5:]), twoDigits(s[8:])
	if century < 0 || year < 0 || month < 1 || month > 12 || day < 1 {
		return false
	}
	if day <= 28 {
		return true
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
	if month == 2 && year%4 == 0 && (year != 0 || century%4 == 0) {
		days++
	}
	return day <= days
}

// twoDigits returns the number that s begins with, -1 if it does not begin with two digits.
func twoDigits(s string) int {
	tens, ones := s[0]-'0', s[1]-'0'
	if tens > 9 || ones > 9 {
		return -1
	}
	return 10*int(tens) + int(ones)
}

// IsDateTime is the format date-time. Text after a second T is ignored.
func IsDateTime(s string) bool {
	const date = len(time.DateOnly)
	if len(s) <= date || s[date] != 't' && s[date] != 'T' || !IsDate(s[:date]) {
		return false
	}
	clock := s[date+1:]
	if len(clock) > len("15:04:05Z") {
		if i := strings.IndexAny(clock, "tT"); i >= 0 {
			clock = clock[:i]
		}
	}
	return isClock(clock)
}

// isClock reports whether s is a time of day with a zone: 15:04:05Z, with or without a fraction. Any character can stand before
// the fraction.
func isClock(s string) bool {
	if len(s) < len("15:04:05Z") || !isTimeOfDay(s) {
		return false
	}
	s = s[len("15:04:05"):]
	if isZone(s) {
		return true
	}
	r, size := utf8.DecodeRuneInString(s)
	digits := leadingDigits(s[size:])
	return r != '\n' && digits > 0 && isZone(s[size+digits:])
}

// isTimeOfDay reports whether s begins with a time of day, for which it is long enough: 15:04:05.
func isTimeOfDay(s string) bool {
	hour, minute, second := twoDigits(s), twoDigits(s[3:]), twoDigits(s[6:])
	return hour >= 0 && hour <= 23 && s[2] == ':' && minute >= 0 && minute <= 59 && s[5] == ':' && second >= 0 && second <= 59
}

// isUTC reports whether s is a time as the API server writes all of them: 2006-01-02T15:04:05Z.
func isUTC(s string) bool {
	const date = len(time.DateOnly)
	return len(s) == len("2006-01-02T15:04:05Z") && s[date] == 'T' && s[len(s)-1] == 'Z' && IsDate(s[:date]) && isTimeOfDay(s[date+1:])
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
