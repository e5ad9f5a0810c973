package lower

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/internal/answer/formats"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// matchers are the functions of the runtime that stand for patterns.
var matchers = map[string]func(string) bool{
	"IsDNSSubdomain": pruneimpl.IsDNSSubdomain, "IsDNSSubdomainOrEmpty": pruneimpl.IsDNSSubdomainOrEmpty,
	"IsWildcardSubdomain": pruneimpl.IsWildcardSubdomain, "IsDNSLabel": pruneimpl.IsDNSLabel, "IsSectionName": pruneimpl.IsSectionName,
	"IsQuantity": pruneimpl.IsQuantity, "IsConfigMapKey": pruneimpl.IsConfigMapKey, "IsQualifiedName": pruneimpl.IsQualifiedName,
	"IsConditionReason": pruneimpl.IsConditionReason,
	"IsLabelValue":      pruneimpl.IsLabelValue,
}

// texts are texts that patterns and formats match, and some that are near.
var texts = []string{
	"", "a", "a-b", "-a", "a-", "a.b", "a..b", ".a", "*.a", "*.", "A", "aB", "x/y", "a.b/C_d", "/", "a/", "_", "a_b.c-d", "0", "1y2w3d4h5m6s7ms",
	"5m", "5ms", "5ms5m", "5m5ms", "1h1h", "12", "-1", "+.5", "1.", ".", "1.5Gi", "1E", "1E5", "1e-3", "1Ei", "1Ki", "1K", "100m", "1e", "http://x", "https://a\nb",
	"socks5://", "ftp://x", "é", "a\xff", "\n", "a\n", "X-Header", "x`y", "x|y~", "Reason", "Reason:", "A,b", "Ready_",
	"2020-01-02", "2020-02-30", "2020-01-02T03:04:05Z", "2020-01-02t03:04:05z", "2020-01-02T03:04:05.123Z", "2020-01-02T03:04:05é1+01:00",
	"2020-01-02T03:04:05ZTx", "2020-01-02T24:04:05Z", "2020-01-02T03:04:05", "2020-01-02T03:04:05+0100", "2020-01-02T03:04:05+05z",
	"YQ==", "YWI=", "YWJj", "=", "====", "YQ=", "Y===", "1.2.3.4", "01.2.3.4", "1.2.3", "256.1.1.1", "::1", "::ffff:1.2.3.4", "fe80::1%eth0", "0::0001",
	"10.0.0.0/8", "010.0.0.0/08", "10.0.0.0/33", "::/129", "::/0", "a/8", "00:11:22:33:44:55", "00-11-22-33-44-55", "0011.2233.4455", "00:11:22:33:44:55:66:77",
	"00:11:22:33:44:5", "00:11-22:33:44:55", "0123456789abcdef01234567", "0123456789ABCDEF01234567", "0123456789abcdef0123456",
	"12345678-1234-1234-1234-123456789012", "12345678123432341234123456789012", "12345678-1234-4234-8234-123456789012", "12345678-1234-5234-C234-123456789012", "12345678-1234-5234-8234-123456789012",
	"a@b.c", "a b <a@b>", "@", "/x", "x:y", "http://[::1", "example.com", "a.b.c1", "ex_ample", "0-306-40615-2", "978-0-306-40615-7", "9780306406157", "4111 1111 1111 1111",
	"123-45-6789", "123 45 6789", "#fff", "ffffff", "#ffff", "rgb(1, 2,255)", "rgb(256,0,0)", "3 days", "junk 3 days junk", "1h", "x", "99999999999999999999 d",
	strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a.", 126) + "a", strings.Repeat("a.", 127) + "a",
}

// edgeTexts returns texts at the edges of formats that have many: numbers of cards and books, colours, durations, names of hosts, times.
func edgeTexts() (all []string) {
	// Every last digit, of which one is right, after beginnings that cards have, and that they nearly have.
	for _, card := range []string{
		"4 13", "4 14", "4 15", "4 16", "4 17", "50 16", "51 16", "55 16", "56 16", "55 15", "6011 16", "6012 16", "64 16", "65 16", "33 15", "34 15", "35 15", "36 15", "37 15", "38 15",
		"300 14", "305 14", "306 14", "36 14", "37 14", "38 14", "39 14", "2131 15", "2130 15", "1800 15", "1801 15", "35 16", "36 16", "65 15", "9 16",
	} {
		begin, size, _ := strings.Cut(card, " ")
		n, _ := strconv.Atoi(size)
		for digit := range 10 {
			all = append(all, begin+strings.Repeat("7", n-1-len(begin))+fmt.Sprint(digit))
		}
	}
	for _, book := range []string{"030640615", "080442957", "978030640615", "979123456789", "000000000", "123456789012"} {
		for _, digit := range "0123456789Xx" {
			all = append(all, book+string(digit), book[:3]+"-"+book[3:]+" "+string(digit))
		}
	}
	for _, unit := range []string{
		"n", "ns", "nss", "nan", "nano", "NanoSeconds", "u", "us", "µs", "µ", "mic", "micro", "micros", "ms", "mil", "milli", "millis", "s", "se", "sec", "secs", "m", "mi", "min", "minutes",
		"h", "hr", "hrs", "ho", "hour", "Hours", "d", "da", "day", "days", "w", "wk", "wks", "we", "week", "weeks", "y", "month", "",
	} {
		all = append(all, "7"+unit, "7 "+unit, "-7"+unit, "x7  "+unit+"x", "7.5"+unit)
	}
	for _, n := range []string{"", "0", "00", "01", "9", "10", "99", "100", "190", "199", "200", "249", "250", "255", "256", "260", "300", "1000"} {
		all = append(all, "rgb("+n+",0,0)", "rgb(0, "+n+" ,0)", "rgb(0,0,"+n+")", "1.2.3."+n, n+".2.3.4", "10.0.0.0/"+n, "::/"+n, "010.0.0.0/"+n, "00::/"+n)
	}
	all = append(all, "rgb(1,2,3) ", " rgb(1,2,3)", "RGB(1,2,3)", "rgb(1 2 3)", "#12g", "#abcDEF", "abc", "#abcd", "#12345", "##123",
		"123-45-6789", "123 45 6789", "12345-6789x", "123-456789 ", "123-45 6789", "12a-45-6789", "1234567890 ", "123456789ab")
	for _, size := range []int{1, 2, 62, 63, 64, 65} {
		label := strings.Repeat("a", size)
		all = append(all, label, label+".com", "x."+label, label+".c", "a"+label+"-.com", "-"+label, label+"-", label+"-b")
	}
	for _, size := range []int{252, 253, 254, 255, 256} {
		all = append(all, strings.Repeat("aa.", size/3)+strings.Repeat("b", size%3), strings.Repeat("a.", size/2)+strings.Repeat("b", size%2))
	}
	for _, clock := range []string{"00:00:00", "23:59:59", "24:00:00", "29:00:00", "12:60:00", "12:59:60", "1:00:00", "12:5:00", "12-00:00", "12:00-00", "ab:00:00", "12:00:0a"} {
		for _, zone := range []string{"", "Z", "z", "+00:00", "-23:59", "+0000", "+00:0", "*00:00", "+0a:00", "+00:a0", "+99:99", ".5Z", ".5", ".Z", "x123z", "\n5Z", ".5+01:00", "ZT", "Ztx", "é5Z"} {
			all = append(all, "2020-01-02T"+clock+zone)
		}
	}
	for _, date := range []string{"2020-02-29", "2021-02-29", "2021-02-28", "2100-02-29", "2000-02-29", "2021-04-30", "2021-04-31", "2021-06-31", "2021-09-31", "2021-11-31", "2021-12-32", "0000-00-00"} {
		all = append(all, date, date+"T00:00:00Z", date+"t00:00:00Z", date+" 00:00:00Z")
	}
	return all
}

// near makes texts that differ from those in little.
func near(r *rand.Rand) string {
	s := []byte(texts[r.IntN(len(texts))])
	for range r.IntN(3) {
		const some = "aA0-._/:+=*~,TZ \n\xff9eEiKm"
		at := r.IntN(len(s) + 1)
		switch r.IntN(3) {
		case 0:
			s = slices.Insert(s, at, some[r.IntN(len(some))])
		case 1:
			s = slices.Delete(s, at, min(at+1, len(s)))
		case 2:
			if at < len(s) {
				s[at] = some[r.IntN(len(some))]
			}
		}
	}
	return string(s)
}

// A function that stands for a pattern matches what the pattern matches, and nothing else.
func TestPlainFunctionsMatchWhatTheirPatternsMatch(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, pattern := range slices.Sorted(maps.Keys(plainPatterns)) {
		is := matchers[plainPatterns[pattern]]
		if is == nil {
			t.Fatalf("%s is not in the table of this test", plainPatterns[pattern])
		}
		re := regexp.MustCompile(pattern)
		matched := 0
		for i := range 20_000 {
			s := near(r)
			if i < len(texts) {
				s = texts[i]
			}
			if re.MatchString(s) {
				matched++
			}
			if is(s) != re.MatchString(s) {
				t.Fatalf("%s of %q is %t, and %s matches it: %t", plainPatterns[pattern], s, is(s), pattern, re.MatchString(s))
			}
		}
		if matched < 10 || matched > 19_000 {
			t.Errorf("%s matches %d of the texts", pattern, matched)
		}
	}
}

func FuzzPlainPatterns(f *testing.F) {
	for _, s := range texts {
		f.Add(s)
	}
	all := map[string]*regexp.Regexp{}
	for pattern := range plainPatterns {
		all[pattern] = regexp.MustCompile(pattern)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for pattern, re := range all {
			if is := matchers[plainPatterns[pattern]](s); is != re.MatchString(s) {
				t.Errorf("%s of %q is %t", plainPatterns[pattern], s, is)
			}
		}
	})
}

// The formats are those of the reference, and mean the same.
func TestFormatsAreThoseOfTheReference(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	edges := slices.Concat(texts, edgeTexts())
	for _, f := range formats.All() {
		edges = append(edges, f.Samples...)
	}
	for _, f := range formats.All() {
		format, is := f.Name, f.Is
		if is == nil {
			is = func(string) bool { return true }
		}
		schema := &structural.JSONSchema{Type: "string", Format: format}
		good := 0
		for i := range 5_000 {
			s := near(r)
			if i < len(edges) {
				s = edges[i]
			}
			errs, _ := new(interpret.Work).ValidateValues(s, schema)
			if len(errs) == 0 {
				good++
			}
			if is(s) != (len(errs) == 0) {
				t.Fatalf("%s: %q is one: %t, and %v", format, s, is(s), errs)
			}
		}
		if good == 0 || good == 5_000 && format != "password" {
			t.Errorf("%s: %d of the texts are", format, good)
		}
	}
	for year := range 10_000 {
		for _, s := range []string{fmt.Sprintf("%04d-%02d-%02d", year, r.IntN(14), r.IntN(34)), fmt.Sprintf("%04d-02-29", year)} {
			if _, err := time.Parse(time.DateOnly, s); pruneimpl.IsDate(s) != (err == nil) {
				t.Fatalf("%s is a date: %t", s, pruneimpl.IsDate(s))
			}
		}
	}
	for _, format := range []string{"int32", "unknown", "date time"} {
		if errs, _ := new(interpret.Work).ValidateValues("x", &structural.JSONSchema{Type: "string", Format: format}); len(errs) > 0 || formats.Find(format) != nil {
			t.Errorf("%s is a format", format)
		}
	}
}
