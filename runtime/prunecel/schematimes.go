package prunecel

import "time"

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
