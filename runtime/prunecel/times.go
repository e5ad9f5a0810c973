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

// ParseDuration is duration(string).
func ParseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	return fromString(d, err, typeDuration)
}

// ParseTimestamp is timestamp(string).
func ParseTimestamp(s string) (time.Time, error) {
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

// AddDuration returns a + b.
func AddDuration(a, b time.Duration) (time.Duration, error) {
	sum, err := AddInt(int64(a), int64(b))
	return time.Duration(sum), err
}

// SubDuration returns a - b.
func SubDuration(a, b time.Duration) (time.Duration, error) {
	diff, err := SubInt(int64(a), int64(b))
	return time.Duration(diff), err
}

// negDuration returns -d.
func negDuration(d time.Duration) (time.Duration, error) {
	neg, err := NegInt(int64(d))
	return time.Duration(neg), err
}

// AddTime returns t + d, in the zone of t.
func AddTime(t time.Time, d time.Duration) (time.Time, error) {
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

// SubTime returns t - d, in the zone of t.
func SubTime(t time.Time, d time.Duration) (time.Time, error) {
	neg, err := negDuration(d)
	if err != nil {
		return time.Time{}, err
	}
	return AddTime(t, neg)
}

// SubTimes returns a - b.
func SubTimes(a, b time.Time) (time.Duration, error) {
	nanos, err := MulInt(a.Unix()-b.Unix(), int64(time.Second))
	if err != nil {
		return 0, err
	}
	nanos, err = AddInt(nanos, int64(a.Nanosecond()-b.Nanosecond()))
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

// FullYear is getFullYear of a timestamp, in UTC as all that follow.
func FullYear(t time.Time) int64 { return int64(t.UTC().Year()) }

// Month is getMonth: 0 is January.
func Month(t time.Time) int64 { return int64(t.UTC().Month()) - 1 }

// DayOfYear is getDayOfYear: 0 is the first.
func DayOfYear(t time.Time) int64 { return int64(t.UTC().YearDay()) - 1 }

// DayOfMonth is getDayOfMonth: 0 is the first.
func DayOfMonth(t time.Time) int64 { return int64(t.UTC().Day()) - 1 }

// Date is getDate: 1 is the first day of the month.
func Date(t time.Time) int64 { return int64(t.UTC().Day()) }

// DayOfWeek is getDayOfWeek: 0 is Sunday.
func DayOfWeek(t time.Time) int64 { return int64(t.UTC().Weekday()) }

// Hours is getHours of a timestamp.
func Hours(t time.Time) int64 { return int64(t.UTC().Hour()) }

// Minutes is getMinutes of a timestamp.
func Minutes(t time.Time) int64 { return int64(t.UTC().Minute()) }

// Seconds is getSeconds of a timestamp.
func Seconds(t time.Time) int64 { return int64(t.UTC().Second()) }

// Milliseconds is getMilliseconds of a timestamp.
func Milliseconds(t time.Time) int64 { return int64(t.UTC().Nanosecond() / int(time.Millisecond)) }

// DurationHours is getHours of a duration.
func DurationHours(d time.Duration) int64 { return int64(d.Hours()) }

// DurationMinutes is getMinutes of a duration.
func DurationMinutes(d time.Duration) int64 { return int64(d.Minutes()) }

// DurationSeconds is getSeconds of a duration.
func DurationSeconds(d time.Duration) int64 { return int64(d.Seconds()) }

// DurationMilliseconds is getMilliseconds of a duration.
func DurationMilliseconds(d time.Duration) int64 { return d.Milliseconds() }

// timeFunctions are the getters.
func timeFunctions() []Function {
	var rows []Function
	getter := func(name, overload, zoned, goName string, get func(time.Time) int64) {
		rows = append(rows,
			standard(name, overload, "timestamp", goName, call1(get)),
			standard(name, overload+zoned, "timestamp string", "", call2e(func(t time.Time, zone string) (int64, error) {
				t, err := inZone(t, zone)
				if err != nil {
					return 0, err
				}
				return get(wallClock(t)), nil
			})))
	}
	span := func(name, overload, goName string, get func(time.Duration) int64) {
		rows = append(rows, standard(name, overload, "duration", goName, call1(get)))
	}
	getter("getFullYear", "timestamp_to_year", "_with_tz", "FullYear", FullYear)
	getter("getMonth", "timestamp_to_month", "_with_tz", "Month", Month)
	getter("getDayOfYear", "timestamp_to_day_of_year", "_with_tz", "DayOfYear", DayOfYear)
	getter("getDayOfMonth", "timestamp_to_day_of_month", "_with_tz", "DayOfMonth", DayOfMonth)
	getter("getDate", "timestamp_to_day_of_month_1_based", "_with_tz", "Date", Date)
	getter("getDayOfWeek", "timestamp_to_day_of_week", "_with_tz", "DayOfWeek", DayOfWeek)
	getter("getHours", "timestamp_to_hours", "_with_tz", "Hours", Hours)
	span("getHours", "duration_to_hours", "DurationHours", DurationHours)
	getter("getMinutes", "timestamp_to_minutes", "_with_tz", "Minutes", Minutes)
	span("getMinutes", "duration_to_minutes", "DurationMinutes", DurationMinutes)
	getter("getSeconds", "timestamp_to_seconds", "_tz", "Seconds", Seconds)
	span("getSeconds", "duration_to_seconds", "DurationSeconds", DurationSeconds)
	getter("getMilliseconds", "timestamp_to_milliseconds", "_with_tz", "Milliseconds", Milliseconds)
	span("getMilliseconds", "duration_to_milliseconds", "DurationMilliseconds", DurationMilliseconds)
	return rows
}
