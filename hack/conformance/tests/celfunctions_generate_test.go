package tests

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// texts are strings that some function has something to say about.
var texts = []string{
	"", "a", "b", "abc", "hello mellow", "ello", "ΩΣ héllo 世界", "世", "\xff\xfe", "a\xffb", "\ufffd", " \t trim\n ", "ABC xyz ÆØ", ",", " ", "a,b,c", "aaaa", "aa",
	"quote \"me\" \\ \a\b\f\n\r\t\v", "\U0001F600 x \U0001F600",
	"0", "1", "-1", "007", "+5", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
	"18446744073709551616", "1.5", "1e3", "0x10", "NaN", "Infinity", "-Infinity", "inf", "1_000", ".", "true", "false", "TRUE", "t", "F", "yes",
	"1s", "1h30m", "-2.5s", "1d", "100ms", "2562047h47m16.854775807s", "9223372036s", "1us", "1µs",
	"2023-07-14T10:30:45.123Z", "2023-01-01T05:30:00+14:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "0000-01-01T00:00:00Z",
	"0001-01-01T00:00:00+00:01", "2023-02-29T00:00:00Z", "2023-07-14t10:30:45z", "2023-07-14", "2024-02-29", "2023-7-14", "9999-12-31T23:59:59-00:01",
	"UTC", "America/Los_Angeles", "Europe/Berlin", "Local", "-08:00", "+05:30", "5:30", ":30", "-0:30", "14:99", "1:2:3", "+1:-30", "Nowhere/City", "../etc/passwd",
	"https://user:pass@example.com:80/path?query=val#fragment", "/absolute-path", "../relative", "https://a:b:c/", "https://[::1]:80/", "http://[fe80::1%25en0]/",
	"https://example.com/path with spaces/?k1=a&k2=b&k2=c&k3", "mailto:a@b", "//host/path", "https://example.com:8080", "/?a=1;b=2", "/%zz", "http://\x7f/", "*",
	"127.0.0.1", "::1", "2001:db8::abcd", "2001:DB8::ABCD", "fe80::1%eth0", "::ffff:1.2.3.4", "127.0.0.256", "01.2.3.4", "0.0.0.0", "::", "224.0.0.1", "ff02::1",
	"169.254.1.1", "255.255.255.255", "1.2.3", ":::1", "10.0.0.0/8", "10.1.0.0/16", "192.168.0.1/24", "::1/128", "2001:db8::/32", "::ffff:1.2.3.0/24", "10.0.0.0/33", "10.0.0.0",
	"0.0.0.0/0", "::/0", "10.0.0.0/08", "fe80::1%eth0/64",
	"1.3G", "1.3Gi", "200k", "200K", "Three", "Mi", "1e3", "1E3", "1Ei", "1E", "100m", "1n", "1.5n", "0.0000000001", "1e-10", ".e-10", "-.5", "12345678901234567890", "9999999999999999999Ei",
	"1e20", "1e300", "12345678901234567890e285", "-1e-12", "5Ti", "0.5Ki", "1.2.3Gi", "+1", "0Gi", "00.100", "1e+5", "1Kii", "1i",
	"999999999999999999", "9223372036854775807m", "1k1", "0e400", "1.0000000001", "123456789012345678.9", "8Ei", "-8Ei", "7.9Ei",
	"1.0.0", "0.1.0-alpha.1", "1.2.3-rc.1+build.5", "v1.0.0", "v1", "1.0", "01.01.01", "1.2.3-01", "1.2.3-", "1.2.3+", "1.2.3-a..b", "1.2.3-α", "1.2.3+a.b-c", "1..3", "1.2.18446744073709551616",
	"1.2.3-18446744073709551616", "1.0-a", "v00.0.0-0", "1.2.3-alpha", "1.2.3-alpha.2", "1.2.3-alpha.10", "1.2.3-2", "1.2.3-a-b", "v", "1.2.3.4",
	"my-name", "My-Name", "a.b", "a-", "a.-", "-a", "example.com/MyName", "/x", "x/", "a/b/c", "a_b", strings.Repeat("a", 64), strings.Repeat("a", 254), strings.Repeat("a.", 30) + "a",
	"1abc", "example.com/" + strings.Repeat("n", 64), "bad_prefix/name", "123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000", "aGVsbG8=", "aGVsbG8", "====", "2021-01-01T00:00:00Z",
	"dns1123Label", "uri", "nothing",
	"[0-9]+", "^a.*c$", "(", "a{2,1}", "[a-z]*", "(?i)HELLO", "\\d{3}", "x*", "(a|b)c?", "\\pN", "(?P<n>a)", "[", "**", "a{1001}",
	"%s", "%d", "%f", "%.2f", "%e", "%.3e", "%b", "%x", "%X", "%o", "%%", "%s and %s", "%", "%.", "%.5", "%.xf", "%q", "%.99999999999999999999f", "a%sb%dc", "%.0f", "%s%", "%.30e", "%.100f",
	"%.255f", "%.256f", "%.300f", "%.12sx", "é%é",
	// As long as names may be, and longer by one.
	strings.Repeat("a", 63), strings.Repeat("a", 63) + "-", strings.Repeat("a", 62) + "-", strings.Repeat("a", 253), strings.Repeat("a", 253) + "-", strings.Repeat("a.", 126) + "a",
	"a." + strings.Repeat("b", 62), "a/" + strings.Repeat("n", 63), "a/" + strings.Repeat("n", 64), strings.Repeat("p", 253) + "/n", strings.Repeat("p", 254) + "/n",
	strings.Repeat("p", 254) + "/" + strings.Repeat("n", 64), strings.Repeat("_", 64), "-", "--", "a--", "_-", "_", "/", "a/", "9", "z", "Z", "{", "`", "[", "@",
	// Days and times at the ends of something.
	"2024-02-29T23:59:59Z", "2023-12-31T23:59:59.999999999Z", "2023-01-01T00:00:00Z", "2000-02-29T00:00:00-23:59", "1900-02-29T00:00:00Z", "2023-06-30T23:59:60Z",
	"2023-07-14T24:00:00Z", "2023-13-01T00:00:00Z", "9223372036.854775807s", "-9223372036.854775808s", "-9223372036.854775809s", "9223372036.854775808s", "1ns", "0.1ns", "-0s", "0", "1h1h", "s",
	"+24:00", "-23:59", "00:00", "+00:60", "-00:00", "24:00", "99:99", "+1", "-:",
}

// Values of Kubernetes' libraries that are close to each other: equal in another form, one inside of the other, the next one.
var families = map[string][]string{
	"ip": {
		"10.0.0.0", "10.0.0.1", "10.127.255.255", "10.128.0.0", "10.255.255.255", "11.0.0.0", "9.255.255.255", "0.0.0.0", "255.255.255.255", "127.0.0.1", "127.255.255.255", "128.0.0.0",
		"169.254.0.0", "169.255.0.0", "224.0.0.0", "224.0.0.255", "224.0.1.0", "239.255.255.255", "240.0.0.0", "::", "::1", "::2", "0:0:0:0:0:0:0:1", "2001:db8::", "2001:DB8::", "2001:db8:7fff::ffff",
		"2001:db8:8000::", "2001:db9::", "fe80::", "febf::1", "fec0::1", "ff01::1", "ff02::1", "ff05::1",
	},
	"cidr": {
		"10.0.0.0/8", "10.0.0.0/9", "10.128.0.0/9", "10.0.0.1/8", "10.0.0.0/32", "10.0.0.1/32", "10.255.255.255/32", "11.0.0.0/8", "0.0.0.0/0", "0.0.0.0/32", "255.255.255.255/32", "10.0.0.0/7",
		"::/0", "::/128", "::1/128", "2001:db8::/32", "2001:db8::/33", "2001:db8:8000::/33", "2001:DB8::/32", "2001:db8::1/32", "2001:db9::/32",
	},
	"quantity": {
		"0", "-0", "0.0", "0Ki", "0n", "1", "1.0", "1000m", "1000000u", "1000000000n", "0.001k", "1e0", "1k", "1000", "1e3", "1E3", "1.000001k", "1Ki", "1024", "1.024k", "1023", "0.5Ki", "512", "-1", "-1000m",
		"-1k", "-1Ki", "0.5", "500m", "-0.5", "1n", "0.1n", "0.5n", "1.1n", "-0.1n", "-1n", "2n", "999999999n", "1e-9", "1e-10", "1.0000000001", "-1.0000000001", "9223372036854775807", "9223372036854775808",
		"-9223372036854775808", "-9223372036854775809", "9223372036854775807k", "9223372036854775807n", "9223372036854775807e-1", "9223372036854775807.5", "1e18", "1E", "1e19", "1e20", "100E", "-1e20",
		"12345678901234567890", "12345678901234567891", "12345678901234567890.5", "12345678901234567890e1", "123456789012345678900", "7Ei", "8Ei", "16Ei", "-8Ei", "1e27", "1e28", "1e30", "-1e30", "1000e27", "1e-30", "999999999999999999", "9999999999999999999",
		"000", "00.00", "0001", "001.100", "+1", "1.", ".5", "-.5", "1.5Gi", "0.1Ki", "1.1Ki", "1e2", "1E2", "1e-2", "10m", "100e-3", "1.10e1",
	},
	"semver": {
		"0.0.0", "1.0.0", "1.0.0-a", "1.0.0-a.b", "1.0.0-a.1", "1.0.0-a.2", "1.0.0-a.10", "1.0.0-b", "1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-0", "1.0.0-A", "1.0.0-a-", "1.0.0-Z9z", "1.0.0+x", "1.0.0+y", "1.0.0-a+x",
		"1.0.0-a+y", "1.0.0+0.01", "1.0.1", "1.0.10", "1.1.0", "1.10.0", "2.0.0", "10.0.0", "18446744073709551615.0.0", "0.18446744073709551615.0", "1.0.0-18446744073709551615",
	},
	"url": {
		"https://example.com", "https://example.com/", "https://example.com:443/", "https://example.com:/", "https://example.com?", "https://example.com/?a", "https://example.com/?a=", "https://example.com/?a=b&a=c&d",
		"https://EXAMPLE.com/", "https://u@example.com/", "https://u:p@example.com/", "https://[::1]/", "https://[::1]:1/", "http://example.com/#f", "/", "/a", "/a?b", "/a%20b", "/a%2Fb", "https://example.com/a%20b",
	},
}

// smallLists are not longer than this.
const maxItems = 6

type callMaker struct{ *rand.Rand }

func newGenerator(seed1, seed2 uint64) callMaker {
	return callMaker{rand.New(rand.NewPCG(seed1, seed2))}
}

func pick[T any](g callMaker, all []T) T { return all[g.IntN(len(all))] }

func (g callMaker) text() string {
	if g.IntN(30) == 0 {
		return "" // often the only one of its kind
	}
	for {
		if s := g.changed(pick(g, texts)); !isHuge(s) {
			return s
		}
	}
}

// isHuge reports whether a text has an exponent of four digits or more, with which the server computes for hours.
func isHuge(s string) bool {
	for i := range len(s) {
		if s[i] != 'e' && s[i] != 'E' {
			continue
		}
		digits := strings.TrimLeft(s[i+1:min(i+2, len(s))], "-+") + s[min(i+2, len(s)):min(i+6, len(s))]
		n := 0
		for n < len(digits) && '0' <= digits[n] && digits[n] <= '9' {
			n++
		}
		if n >= 4 {
			return true
		}
	}
	return false
}

// changed returns a text that is mostly s.
func (g callMaker) changed(s string) string {
	switch g.IntN(10) {
	case 0:
		return s + pick(g, texts)
	case 1: // a byte is changed
		if s != "" {
			b := []byte(s)
			b[g.IntN(len(b))] = pick(g, []byte("aA0.-+:/%eEKiM \x80\xe4"))
			return string(b)
		}
	case 2: // a part is cut out
		if s != "" {
			i := g.IntN(len(s))
			return s[:i] + s[i+g.IntN(len(s)-i):]
		}
	case 3:
		return strings.Repeat(s, 1+g.IntN(20))
	}
	return s
}

func (g callMaker) int() int64 {
	switch g.IntN(4) {
	case 0:
		return pick(g, []int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64, math.MaxInt64 - 1, 1 << 32, -1 << 32, 1 << 53, 1<<53 + 1, 3037000500, -3037000500,
			-62135596800, 253402300799, 253402300800, 1_000_000_000, 1_000_001})
	case 1:
		return int64(g.Uint64() >> g.IntN(64))
	}
	return int64(g.IntN(14)) - 3
}

func (g callMaker) uint() uint64 {
	switch g.IntN(4) {
	case 0:
		return pick(g, []uint64{math.MaxUint64, math.MaxInt64, math.MaxInt64 + 1, 1 << 32, 1 << 53})
	case 1:
		return g.Uint64() >> g.IntN(64)
	}
	return uint64(g.IntN(10))
}

func (g callMaker) double() float64 {
	switch g.IntN(4) {
	case 0:
		return pick(g, []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 63, -(1 << 63), 1 << 64, math.Copysign(0, -1),
			1<<63 - 1024, 1 << 53, 2.675, 0.125, 1e21, 1e-7, -1e-7, 999999.9999999, 1234567.891})
	case 1:
		return math.Float64frombits(g.Uint64())
	}
	return float64(g.IntN(2000)-1000) / 8
}

func (g callMaker) duration() time.Duration {
	if g.IntN(3) == 0 {
		return time.Duration(g.int())
	}
	return time.Duration(g.IntN(100_000)-50_000) * pick(g, []time.Duration{time.Nanosecond, time.Millisecond, time.Second, time.Minute})
}

func (g callMaker) time() time.Time {
	t := time.Unix(-62135596800+g.Int64N(253402300799+62135596800), int64(g.IntN(1_000_000_000))).UTC()
	switch g.IntN(4) {
	case 0:
		t = pick(g, []time.Time{time.Unix(-62135596800, 0).UTC(), time.Unix(253402300799, 999999999).UTC(), time.Unix(0, 0).UTC(), time.Unix(-1, 999999999).UTC()})
	case 1:
		t = time.Unix(int64(g.IntN(2_000_000_000)), 0).In(time.FixedZone("", 60*(g.IntN(1600)-800)))
	}
	return t
}

// of returns a value of a type of cel-go.
func (g callMaker) of(t *types.Type) pair {
	switch t.Kind() {
	case types.BoolKind:
		return plain(g.IntN(2) == 0)
	case types.IntKind:
		return plain(g.int())
	case types.UintKind:
		return plain(g.uint())
	case types.DoubleKind:
		return plain(g.double())
	case types.StringKind:
		return plain(g.text())
	case types.BytesKind:
		return plain([]byte(g.text()))
	case types.DurationKind:
		return plain(g.duration())
	case types.TimestampKind:
		return plain(g.time())
	case types.NullTypeKind:
		return plain(nil)
	case types.TypeKind:
		return plain(pick(g, []any{prunecel.TypeValue("int"), prunecel.TypeValue("list"), prunecel.TypeValue("google.protobuf.Duration")}))
	case types.ListKind:
		elem := t.Parameters()[0]
		if isDyn(elem) && g.IntN(3) > 0 { // mostly of one type
			elem = pick(g, []*types.Type{types.IntType, types.StringType, types.DoubleType, types.UintType, types.BoolType, types.BytesType,
				types.DurationType, types.TimestampType, types.NewListType(types.IntType), types.NewListType(types.DynType)})
		}
		pairs := make([]pair, g.IntN(maxItems))
		if g.IntN(10) == 0 {
			pairs = make([]pair, g.IntN(40))
		}
		for i := range pairs {
			pairs[i] = g.of(elem)
		}
		if len(pairs) > 1 && g.IntN(2) == 0 {
			pairs[g.IntN(len(pairs))] = pairs[0]
		}
		return listOf(pairs)
	case types.OpaqueKind:
		if t.TypeName() == "optional_type" {
			if g.IntN(3) == 0 {
				return plain(prunecel.Optional{})
			}
			p := g.of(types.DynType)
			return pair{prunecel.Optional{Value: p.ours, Present: true}, types.OptionalOf(p.theirs)}
		}
		return g.library(t.TypeName())
	case types.StructKind:
		return g.library(t.TypeName())
	}
	return g.any()
}

func isDyn(t *types.Type) bool { return t.Kind() == types.DynKind || t.Kind() == types.TypeParamKind }

// any returns a value of any type.
func (g callMaker) any() pair {
	switch g.IntN(24) {
	case 0, 1:
		return g.of(types.NewListType(types.DynType))
	case 2:
		return g.of(types.NewOptionalType(types.DynType))
	case 3:
		return g.library(pick(g, []string{"net.IP", "net.CIDR", "kubernetes.URL", "kubernetes.Quantity", "kubernetes.Semver", "kubernetes.NamedFormat"}))
	case 4:
		return plain(nil)
	case 5:
		return g.of(types.TypeType)
	case 6:
		if g.IntN(4) == 0 {
			none, _ := prunecel.Dispatch("url", []any{"/"})
			return pair{resultOf(prunecel.Dispatch("getQuery", []any{none})), g.member("getQuery", g.call("url", plain("/")))}
		}
		ours, _ := prunecel.Dispatch("url", []any{"/?a=1&b=2&a=" + g.pathText()})
		theirs := g.call("url", plain("/?a=1&b=2&a="+ours.(prunecel.URL).Query()["a"][1])) // what was parsed, so that both have the same
		return pair{resultOf(prunecel.Dispatch("getQuery", []any{ours})), g.member("getQuery", theirs)}
	}
	return g.of(pick(g, []*types.Type{types.BoolType, types.IntType, types.UintType, types.DoubleType, types.StringType, types.StringType, types.BytesType,
		types.DurationType, types.TimestampType}))
}

func (g callMaker) pathText() string { return pick(g, []string{"x", "yy", "1"}) }

// library returns a value that a function of Kubernetes' libraries makes.
func (g callMaker) library(name string) pair {
	if strings.HasPrefix(name, "kubernetes.authorization.") {
		return g.any() // rules of CRDs have no value of such a type
	}
	function := map[string]string{"net.IP": "ip", "net.CIDR": "cidr", "kubernetes.URL": "url", "kubernetes.Quantity": "quantity", "kubernetes.Semver": "semver"}[name]
	if name == "kubernetes.NamedFormat" {
		names := []string{"dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName", "dns1123LabelPrefix", "dns1123SubdomainPrefix", "dns1035LabelPrefix",
			"labelValue", "uri", "uuid", "byte", "date", "datetime"}
		name := pick(g, names)
		return pair{formatNamed(name), library.ConstantFormats[name]}
	}
	for {
		s := pick(g, families[function])
		if g.IntN(3) == 0 {
			s = g.changed(pick(g, accepted(function)))
		}
		if isHuge(s) {
			continue
		}
		ours, err := prunecel.Dispatch(function, []any{s})
		theirs := g.call(function, plain(s))
		if err != nil || types.IsError(theirs) {
			continue // both fail, as the comparison of the function itself shows
		}
		if q, ok := ours.(*prunecel.Quantity); ok && g.IntN(6) == 0 {
			i := g.int()
			sum, err := prunecel.Dispatch("add", []any{q, i})
			if err == nil {
				return pair{sum, g.member("add", theirs, types.Int(i))}
			}
		}
		return pair{ours, theirs}
	}
}

var acceptedTexts sync.Map

// accepted returns the texts that a function of the server takes.
func accepted(function string) []string {
	if all, ok := acceptedTexts.Load(function); ok {
		return all.([]string)
	}
	var all []string
	for _, s := range texts {
		if !isHuge(s) && !types.IsError(serverCall(function, types.String(s))) {
			all = append(all, s)
		}
	}
	acceptedTexts.Store(function, all)
	return all
}

// call and member call a function of the server.
func (g callMaker) call(function string, arg pair) ref.Val { return serverCall(function, arg.theirs) }

func (g callMaker) member(function string, args ...ref.Val) ref.Val {
	return serverCall(function, args...)
}
