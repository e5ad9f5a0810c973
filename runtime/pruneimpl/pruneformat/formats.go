// Package pruneformat is called only by generated code, for schemas with patterns or with formats that need regular expressions or network
// addresses. It is a separate package so that other generated code does not link these.
package pruneformat

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Pattern is a regular expression that is compiled on first use.
type Pattern struct {
	Text string

	makeAutomaton, compile sync.Once
	automaton              *automaton
	compiled               *regexp.Regexp
}

// Match reports whether the expression, which must be a valid one, matches s.
func (p *Pattern) Match(s string) bool {
	p.makeAutomaton.Do(func() { p.automaton = newAutomaton(p.Text) })
	if matches, ok := p.automaton.match(s); ok {
		return matches
	}
	return p.get().MatchString(s)
}

// Find returns the first match of the expression in s, empty if there is none.
func (p *Pattern) Find(s string) string { return p.get().FindString(s) }

func (p *Pattern) get() *regexp.Regexp {
	p.compile.Do(func() { p.compiled = regexp.MustCompile(p.Text) })
	return p.compiled
}

// The formats of strings, as loose as those of the API server.

// IsURI is the format uri.
func IsURI(s string) bool {
	_, err := url.ParseRequestURI(s)
	return err == nil
}

var hostname = Pattern{Text: `^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|` +
	`([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$`}

// IsHostname is the format hostname.
func IsHostname(s string) bool {
	if len(s) > 255 || !hostname.Match(s) {
		return false
	}
	for part := range strings.SplitSeq(s, ".") {
		if len(part) > 63 {
			return false
		}
	}
	return true
}

var (
	spacesOrDashes = Pattern{Text: `[\s-]+`}
	tenDigits      = Pattern{Text: `^(?:[0-9]{9}X|[0-9]{10})$`}
	thirteenDigits = Pattern{Text: `^[0-9]{13}$`}
)

// IsISBN is the format isbn.
func IsISBN(s string) bool { return IsISBN10(s) || IsISBN13(s) }

// IsISBN10 is the format isbn10.
func IsISBN10(s string) bool {
	s = spacesOrDashes.get().ReplaceAllString(s, "")
	if !tenDigits.Match(s) {
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

// IsISBN13 is the format isbn13.
func IsISBN13(s string) bool {
	s = spacesOrDashes.get().ReplaceAllString(s, "")
	if !thirteenDigits.Match(s) {
		return false
	}
	sum := 0
	for i := range 12 {
		sum += (1 + i%2*2) * int(s[i]-'0')
	}
	return int(s[12]-'0') == (10-sum%10)%10
}

var (
	noDigits   = Pattern{Text: `[^0-9]+`}
	cardNumber = Pattern{Text: `^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|` +
		`3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$`}
)

// IsCreditCard is the format creditcard.
func IsCreditCard(s string) bool {
	s = noDigits.get().ReplaceAllString(s, "")
	if !cardNumber.Match(s) {
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

const colour = `(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])`

var (
	ssn      = Pattern{Text: `^\d{3}[- ]?\d{2}[- ]?\d{4}$`}
	hexColor = Pattern{Text: `^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`}
	rgbColor = Pattern{Text: `^rgb\(\s*` + colour + `\s*,\s*` + colour + `\s*,\s*` + colour + `\s*\)$`}
)

// IsSSN is the format ssn.
func IsSSN(s string) bool { return len(s) == 11 && ssn.Match(s) }

// IsHexColor is the format hexcolor.
func IsHexColor(s string) bool { return hexColor.Match(s) }

// IsRGBColor is the format rgbcolor.
func IsRGBColor(s string) bool { return rgbColor.Match(s) }

var durations = Pattern{Text: `(\d+)\s*([A-Za-zµ]+)`}

// IsDuration is the format duration: what Go takes, and a number with a unit anywhere in the text.
func IsDuration(s string) bool {
	_, err := ParseDuration(s)
	return err == nil
}

// ParseDuration returns the duration that a text of format duration stands for.
func ParseDuration(s string) (time.Duration, error) {
	if d, err := time.ParseDuration(s); err == nil {
		return d, nil
	}
	var sum time.Duration
	found := false
	for _, match := range durations.get().FindAllStringSubmatch(s, -1) {
		n, err := strconv.Atoi(match[1])
		if err != nil {
			return 0, err
		}
		if unit := timeUnit(strings.ToLower(match[2])); unit != 0 {
			found = true
			sum += time.Duration(n) * unit
		}
	}
	if !found {
		return 0, fmt.Errorf("unable to parse %s as duration", s)
	}
	return sum, nil
}

// timeUnits are the units with their names. The last of each may be the beginning of a longer one.
var timeUnits = [...]struct {
	length time.Duration
	names  []string
}{
	{time.Nanosecond, []string{"ns", "nano"}}, {time.Microsecond, []string{"us", "µs", "micro"}}, {time.Millisecond, []string{"ms", "milli"}},
	{time.Second, []string{"s", "sec"}}, {time.Minute, []string{"m", "min"}}, {time.Hour, []string{"h", "hr", "hour"}},
	{24 * time.Hour, []string{"d", "day"}}, {7 * 24 * time.Hour, []string{"w", "wk", "week"}},
}

// timeUnit returns the length of all units that a name stands for, 0 for none.
func timeUnit(s string) (length time.Duration) {
	for _, u := range timeUnits {
		for i, name := range u.names {
			if strings.EqualFold(name, s) || i == len(u.names)-1 && strings.HasPrefix(s, name) {
				length += u.length
			}
		}
	}
	return length
}
