package prunecel

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// parseSchemaDuration parses a text of format duration: what Go takes, or numbers with units anywhere in the text. It takes more than
// the function duration() of rules.
func parseSchemaDuration(s string) (time.Duration, error) {
	if d, err := time.ParseDuration(s); err == nil {
		return d, nil
	}
	var sum time.Duration
	found := false
	for _, match := range numbersWithUnits().FindAllStringSubmatch(s, -1) {
		n, err := strconv.Atoi(match[1])
		if err != nil {
			return 0, err
		}
		unit := strings.ToLower(match[2])
		for _, u := range schemaUnits {
			for i, name := range u.names {
				if strings.EqualFold(name, unit) || i == len(u.names)-1 && strings.HasPrefix(unit, name) {
					found = true
					sum += time.Duration(n) * u.length
				}
			}
		}
	}
	if !found {
		return 0, fmt.Errorf("unable to parse %s as duration", s)
	}
	return sum, nil
}

var unitPattern lazy[*regexp.Regexp]

func numbersWithUnits() *regexp.Regexp {
	return unitPattern.get(func() *regexp.Regexp { return regexp.MustCompile(`(\d+)\s*([A-Za-zµ]+)`) })
}

// schemaUnits are the units of format duration. The last name of each may be the beginning of a longer one.
var schemaUnits = [...]struct {
	length time.Duration
	names  []string
}{
	{time.Nanosecond, []string{"ns", "nano"}},
	{time.Microsecond, []string{"us", "µs", "micro"}},
	{time.Millisecond, []string{"ms", "milli"}},
	{time.Second, []string{"s", "sec"}},
	{time.Minute, []string{"m", "min"}},
	{time.Hour, []string{"h", "hr", "hour"}},
	{24 * time.Hour, []string{"d", "day"}},
	{7 * 24 * time.Hour, []string{"w", "wk", "week"}},
}

// parseSchemaDate parses a text of format date.
func parseSchemaDate(s string) (time.Time, error) { return time.Parse(time.DateOnly, s) }

// parseSchemaDateTime parses a text of format date-time. The empty text is the beginning of Unix time.
func parseSchemaDateTime(s string) (time.Time, error) {
	if s == "" {
		return time.Unix(0, 0).UTC(), nil
	}
	var last error
	for _, layout := range [...]string{"2006-01-02T15:04:05.000000Z07:00", "2006-01-02T15:04:05.000Z07:00", time.RFC3339, time.RFC3339Nano, "2006-01-02T15:04:05"} {
		t, err := time.Parse(layout, s)
		if err == nil {
			return t, nil
		}
		last = err
	}
	return time.Time{}, last
}
