package prunecel

import (
	"strconv"
	"strings"
	"time"
)

// The seconds of 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, the first and the last of a timestamp.
const (
	minSecond = -62135596800
	maxSecond = 253402300799
)

// parseDuration is duration(string).
func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	return fromString(d, err, typeDuration)
}

// parseTimestamp is timestamp(string).
func parseTimestamp(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return fromString(t, err, typeTimestamp)
	}
	if second := t.Unix(); second < minSecond || second > maxSecond {
		return time.Time{}, errTimestampOverflow
	}
	return t, nil
}

// intToTimestamp is timestamp(int), with seconds since 1970.
func intToTimestamp(second int64) (time.Time, error) {
	if second < minSecond || second > maxSecond {
		return time.Time{}, errTimestampOverflow
	}
	return time.Unix(second, 0).UTC(), nil
}

// durationString is string(duration).
func durationString(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s"
}

// timestampString is string(timestamp).
func timestampString(t time.Time) string { return t.Format(time.RFC3339Nano) }

// addDuration returns a + b.
func addDuration(a, b time.Duration) (time.Duration, error) {
	sum, err := addInt(int64(a), int64(b))
	return time.Duration(sum), err
}

// subDuration returns a - b.
func subDuration(a, b time.Duration) (time.Duration, error) {
	diff, err := subInt(int64(a), int64(b))
	return time.Duration(diff), err
}

// negDuration returns -d.
func negDuration(d time.Duration) (time.Duration, error) {
	neg, err := negInt(int64(d))
	return time.Duration(neg), err
}

// addTime returns t + d, in the zone of t.
func addTime(t time.Time, d time.Duration) (time.Time, error) {
	// A timestamp in nanoseconds may not fit in 64 bits: seconds and nanoseconds are added one by one.
	second := t.Unix() + int64(d/time.Second)
	nano := int64(t.Nanosecond()) + int64(d%time.Second)
	switch {
	case nano < 0:
		second, nano = second-1, nano+int64(time.Second)
	case nano >= int64(time.Second):
		second, nano = second+1, nano-int64(time.Second)
	}
	if second < minSecond || second > maxSecond {
		return time.Time{}, errTimestampOverflow
	}
	return time.Unix(second, nano).In(t.Location()), nil
}

// subTime returns t - d, in the zone of t.
func subTime(t time.Time, d time.Duration) (time.Time, error) {
	neg, err := negDuration(d)
	if err != nil {
		return time.Time{}, err
	}
	return addTime(t, neg)
}

// subTimes returns a - b.
func subTimes(a, b time.Time) (time.Duration, error) {
	nanos, err := mulInt(a.Unix()-b.Unix(), int64(time.Second))
	if err != nil {
		return 0, err
	}
	nanos, err = addInt(nanos, int64(a.Nanosecond()-b.Nanosecond()))
	return time.Duration(nanos), err
}

// inZone returns t in a zone: the name of one, or an offset such as -08:00.
func inZone(t time.Time, zone string) (time.Time, error) {
	hours, minutes, found := strings.Cut(zone, ":")
	if !found {
		location, err := time.LoadLocation(zone)
		if err != nil {
			return time.Time{}, err
		}
		return t.In(location), nil
	}
	h, err := strconv.Atoi(hours)
	if err != nil {
		return time.Time{}, err
	}
	m, err := strconv.Atoi(minutes)
	if err != nil {
		return time.Time{}, err
	}
	if zone[0] == '-' {
		m = -m
	}
	seconds := int((time.Duration(h*60+m) * time.Minute).Seconds())
	return t.In(time.FixedZone("", seconds)), nil
}

// wallClock returns the time in UTC at which the clocks there show what those in the zone of t show.
func wallClock(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// timeFunctions are the getters, of timestamps in UTC and in a zone, and of durations.
func timeFunctions() []Function {
	var rows []Function
	getter := func(name, overload, zoned string, get func(time.Time) int) {
		rows = append(rows,
			standard(name, overload, "timestamp", call1(func(t time.Time) int64 { return int64(get(t.UTC())) })),
			standard(name, overload+zoned, "timestamp string", call2e(func(t time.Time, zone string) (int64, error) {
				t, err := inZone(t, zone)
				if err != nil {
					return 0, err
				}
				return int64(get(wallClock(t))), nil
			})))
	}
	span := func(name, overload string, get func(time.Duration) float64) { // which may round up
		rows = append(rows, standard(name, overload, "duration", call1(func(d time.Duration) int64 { return int64(get(d)) })))
	}
	getter("getFullYear", "timestamp_to_year", "_with_tz", time.Time.Year)
	getter("getMonth", "timestamp_to_month", "_with_tz", func(t time.Time) int { return int(t.Month()) - 1 })
	getter("getDayOfYear", "timestamp_to_day_of_year", "_with_tz", func(t time.Time) int { return t.YearDay() - 1 })
	getter("getDayOfMonth", "timestamp_to_day_of_month", "_with_tz", func(t time.Time) int { return t.Day() - 1 })
	getter("getDate", "timestamp_to_day_of_month_1_based", "_with_tz", time.Time.Day)
	getter("getDayOfWeek", "timestamp_to_day_of_week", "_with_tz", func(t time.Time) int { return int(t.Weekday()) })
	getter("getHours", "timestamp_to_hours", "_with_tz", time.Time.Hour)
	span("getHours", "duration_to_hours", time.Duration.Hours)
	getter("getMinutes", "timestamp_to_minutes", "_with_tz", time.Time.Minute)
	span("getMinutes", "duration_to_minutes", time.Duration.Minutes)
	getter("getSeconds", "timestamp_to_seconds", "_tz", time.Time.Second)
	span("getSeconds", "duration_to_seconds", time.Duration.Seconds)
	getter("getMilliseconds", "timestamp_to_milliseconds", "_with_tz", func(t time.Time) int { return t.Nanosecond() / int(time.Millisecond) })
	return append(rows, standard("getMilliseconds", "duration_to_milliseconds", "duration", call1(time.Duration.Milliseconds)))
}
