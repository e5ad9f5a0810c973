package interpret

import (
	"encoding/hex"
	"net"
	"net/mail"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/internal/kubenames"
)

// isFormat has the formats of strings, by their names without dashes. They are as loose as those of the API server.
var isFormat = map[string]func(string) bool{
	"bsonobjectid": func(s string) bool {
		b, err := hex.DecodeString(s)
		return err == nil && len(b) == 12
	},
	"uri": func(s string) bool {
		_, err := url.ParseRequestURI(s)
		return err == nil
	},
	"email": func(s string) bool {
		a, err := mail.ParseAddress(s)
		return err == nil && a.Address != ""
	},
	"hostname": isHostname,
	"ipv4":     func(s string) bool { return looseIP(s) != "" && strings.Contains(s, ".") },
	"ipv6":     func(s string) bool { return net.ParseIP(s) != nil && strings.Contains(s, ":") },
	"cidr":     isCIDR,
	"mac": func(s string) bool {
		_, err := net.ParseMAC(s)
		return err == nil
	},
	"uuid":         matching(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$`),
	"uuid3":        matching(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`),
	"uuid4":        matching(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`),
	"uuid5":        matching(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`),
	"isbn":         func(s string) bool { return isISBN10(s) || isISBN13(s) },
	"isbn10":       isISBN10,
	"isbn13":       isISBN13,
	"creditcard":   isCreditCard,
	"ssn":          func(s string) bool { return len(s) == 11 && isSSN(s) },
	"hexcolor":     matching(`^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`),
	"rgbcolor":     matching(`^rgb\(\s*` + colour + `\s*,\s*` + colour + `\s*,\s*` + colour + `\s*\)$`),
	"byte":         matching(`^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$`),
	"password":     func(string) bool { return true },
	"date":         isDate,
	"duration":     isDuration,
	"datetime":     isDateTime,
	"k8sshortname": func(s string) bool { return len(s) <= 63 && kubenames.IsLabel123(s) },
	"k8slongname":  func(s string) bool { return len(s) <= 253 && kubenames.IsSubdomain(s) },
}

const colour = `(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])`

func matching(pattern string) func(string) bool {
	return regexp.MustCompile(pattern).MatchString
}

var (
	isSSN  = matching(`^\d{3}[- ]?\d{2}[- ]?\d{4}$`)
	isName = matching(`^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|` +
		`([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$`)
	isClock        = matching(`^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$`)
	isTenDigits    = matching(`^(?:[0-9]{9}X|[0-9]{10})$`)
	is13Digits     = matching(`^[0-9]{13}$`)
	isCardNumber   = matching(`^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$`)
	spacesOrDashes = regexp.MustCompile(`[\s-]+`)
	noDigits       = regexp.MustCompile(`[^0-9]+`)
	durations      = regexp.MustCompile(`(\d+)\s*([A-Za-zµ]+)`)
)

func isHostname(s string) bool {
	if len(s) > 255 || !isName(s) {
		return false
	}
	for part := range strings.SplitSeq(s, ".") {
		if len(part) > 63 {
			return false
		}
	}
	return true
}

// looseIP returns an address without the leading zeros of its numbers, "" for anything else.
func looseIP(s string) string {
	head, tail := "", s
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		head, tail = s[:i+1], s[i+1:]
	}
	parts := strings.Split(tail, ".")
	trimZeros(parts)
	groups := strings.Split(head, ":")
	trimZeros(groups)
	trimmed := strings.Join(groups, ":") + strings.Join(parts, ".")
	if net.ParseIP(trimmed) == nil {
		return ""
	}
	return trimmed
}

func trimZeros(numbers []string) {
	for i, n := range numbers {
		for len(n) > 1 && n[0] == '0' {
			n = n[1:]
		}
		numbers[i] = n
	}
}

func isCIDR(s string) bool {
	address, bits, found := strings.Cut(s, "/")
	ip := looseIP(address)
	if !found || ip == "" || bits == "" || strings.Trim(bits, "0123456789") != "" {
		return false
	}
	most := 128
	if !strings.Contains(ip, ":") {
		most = 32
	}
	n, err := strconv.Atoi(bits)
	return err == nil && n <= most
}

func isISBN10(s string) bool {
	s = spacesOrDashes.ReplaceAllString(s, "")
	if !isTenDigits(s) {
		return false
	}
	sum := 0
	for i := range 10 {
		digit := int(s[i] - '0')
		if s[i] == 'X' {
			digit = 10
		}
		sum += (i + 1) * digit
	}
	return sum%11 == 0
}

func isISBN13(s string) bool {
	s = spacesOrDashes.ReplaceAllString(s, "")
	if !is13Digits(s) {
		return false
	}
	sum := 0
	for i := range 12 {
		sum += (1 + i%2*2) * int(s[i]-'0')
	}
	return int(s[12]-'0') == (10-sum%10)%10
}

func isCreditCard(s string) bool {
	s = noDigits.ReplaceAllString(s, "")
	if !isCardNumber(s) {
		return false
	}
	sum := 0
	for i := range len(s) {
		digit := int(s[len(s)-1-i] - '0')
		if i%2 == 1 {
			digit *= 2
		}
		sum += digit/10 + digit%10
	}
	return sum%10 == 0
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// isDateTime checks the text before the first T and the text between it and the second.
func isDateTime(s string) bool {
	parts := strings.Split(strings.ToLower(s), "t")
	if len(s) < 4 || len(parts) < 2 || !isDate(parts[0]) || !isClock(parts[1]) {
		return false
	}
	clock := parts[1]
	return clock[:2] <= "23" && clock[3:5] <= "59" && clock[6:8] <= "59"
}

// isDuration accepts what Go accepts, and any text that contains a number with a unit.
func isDuration(s string) bool {
	if _, err := time.ParseDuration(s); err == nil {
		return true
	}
	found := false
	for _, match := range durations.FindAllStringSubmatch(s, -1) {
		if _, err := strconv.Atoi(match[1]); err != nil {
			return false
		}
		found = found || isTimeUnit(strings.ToLower(match[2]))
	}
	return found
}

// isTimeUnit reports whether s is the name of a unit, or begins like a long one.
func isTimeUnit(s string) bool {
	for _, names := range [][]string{
		{"ns", "nano"}, {"us", "µs", "micro"}, {"ms", "milli"}, {"s", "sec"}, {"m", "min"}, {"h", "hr", "hour"}, {"d", "day"},
		{"w", "wk", "week"},
	} {
		for i, name := range names {
			if strings.EqualFold(name, s) || i == len(names)-1 && strings.HasPrefix(s, name) {
				return true
			}
		}
	}
	return false
}
