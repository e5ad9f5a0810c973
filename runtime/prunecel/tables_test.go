package prunecel

import (
	"testing"
	"time"
)

// TestFunctions has cases of Kubernetes' and cel-go's own tests; hack/conformance compares all functions with the server's.
func TestFunctions(t *testing.T) {
	for _, c := range []struct {
		name string
		args []any
		want any // a value, or the text of an error as wrong
	}{
		{"charAt", []any{"hello", int64(4)}, "o"},
		{"charAt", []any{"hello", int64(5)}, ""},
		{"charAt", []any{"hello", int64(6)}, wrong("index out of range: 6")},
		{"charAt", []any{"日本", int64(1)}, "本"},
		{"indexOf", []any{"hello mellow", "ello", int64(2)}, int64(7)},
		{"indexOf", []any{"hello mellow", "", int64(20)}, int64(12)},
		{"indexOf", []any{"hello mellow", "ello", int64(-1)}, wrong("index out of range: -1")},
		{"lastIndexOf", []any{"hello mellow", "ello", int64(6)}, int64(1)},
		{"substring", []any{"tacocat", int64(2), int64(1)}, wrong("invalid substring range. start: 2, end: 1")},
		{"replace", []any{"hello hello", "", "_"}, "_h_e_l_l_o_ _h_e_l_l_o_"},
		{"lowerAscii", []any{"TacoCÆt"}, "tacocÆt"},
		{"join", []any{[]any{"a", "b"}, "-"}, "a-b"},
		{"strings.quote", []any{"a\n\"b\""}, `"a\n\"b\""`},
		{"format", []any{"%.2f %d %s", []any{1234.5, int64(3), []any{"x", 1.0}}}, `1,234.50 3 ["x", 1.000000]`},
		{"format", []any{"%e", []any{1052.032911275}}, "1.052033×10⁰³"},
		{"format", []any{"%.256f %.32770f %.131073e", []any{52.125, 1000.5, 2.0}}, "52.125 1,000.50 2.000000×10⁰⁰"},
		{"format", []any{"%.10000010f %.10000010e", []any{1.0, 2.0}}, "%!(NOVERB) %!(NOVERB)"},
		{"format", []any{"%d", []any{"x"}}, wrong("error during formatting: decimal clause can only be used on integers, was given string")},
		{"_+_", []any{int64(1<<63 - 1), int64(1)}, wrong("integer overflow")},
		{"_*_", []any{int64(-1 << 63), int64(-1)}, wrong("integer overflow")},
		{"_-_", []any{uint64(1), uint64(2)}, wrong("unsigned integer overflow")},
		{"_/_", []any{int64(1), int64(0)}, wrong("division by zero")},
		{"_%_", []any{int64(1), int64(0)}, wrong("modulus by zero")},
		{"_<_", []any{int64(1), 1.5}, true},
		{"_+_", []any{true, true}, wrong("no such overload: _+_")},
		{"int", []any{"x"}, wrong("type conversion error from 'string' to 'int'")},
		{"duration", []any{"x"}, wrong("type conversion error from 'string' to 'google.protobuf.Duration'")},
		{"string", []any{90 * time.Second}, "90s"},
		{"isIP", []any{"::ffff:1.2.3.4"}, false},
		{"ip", []any{"fe80::1%eth0"}, wrong(`IP address "fe80::1%eth0" with zone value is not allowed`)},
		{"isCIDR", []any{"192.168.0.0/33"}, false},
		{"isQuantity", []any{"200K"}, false},
		{"quantity", []any{"10Mo"}, wrong("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")},
		{"quantity", []any{"200K"}, wrong("unable to parse quantity's suffix")},
		{"semver", []any{"v1.0.0"}, wrong(`Invalid character(s) found in major number "v1"`)},
		{"isSemver", []any{"v01.1", true}, true},
		{"lists.range", []any{int64(-1)}, wrong("lists.range: size must be non-negative, got -1")},
		{"min", []any{[]any{}}, wrong("min called on empty list")},
		{"sum", []any{[]any{int64(1), int64(3)}}, int64(4)},
		{"charAt", []any{int64(1), "a"}, wrong("no such overload: charAt(int, string)")},
		{"lastIndexOf", []any{"abc", "c", int64(3)}, int64(-1)},
		{"lastIndexOf", []any{"abc", "c", int64(2)}, int64(2)},
		{"isSorted", []any{[]any{int64(1), int64(1), int64(2)}}, true},
		{"isSorted", []any{[]any{int64(2), int64(1)}}, false},
		{"format", []any{"%f %f %f", []any{"-Infinity", "Infinity", "NaN"}}, "-∞ ∞ NaN"},
		{"getMinutes", []any{time.Unix(0, 0), "-00:30"}, int64(30)},
		{"getHours", []any{time.Unix(0, 0), "-00:30"}, int64(23)},
		{"containsCIDR", []any{made(t, "cidr", "10.0.0.0/8"), "10.0.0.0/8"}, true},
		{"containsCIDR", []any{made(t, "cidr", "10.0.0.0/8"), "10.0.0.0/7"}, false},
		{"isLessThan", []any{made(t, "semver", "1.0.0-a"), made(t, "semver", "1.0.0-a.b")}, true},
		{"isLessThan", []any{made(t, "quantity", "-1e30"), made(t, "quantity", "-5")}, true},
		{"isLessThan", []any{made(t, "quantity", "1e30"), made(t, "quantity", "5")}, false},
		{"getFullYear", []any{time.Unix(0, 0), "Nowhere"}, wrong("unknown time zone Nowhere")},
	} {
		got, err := Dispatch(c.name, c.args)
		if w, ok := c.want.(wrong); ok {
			if err == nil || err.Error() != string(w) {
				t.Errorf("%s(%v) = %v, %v, want the error %s", c.name, c.args, got, err, w)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%s(%v) = %v, %v, want %v", c.name, c.args, got, err, c.want)
		}
	}
}

type wrong string

// made returns what a function makes of a text.
func made(t *testing.T, name, text string) any {
	t.Helper()
	v, err := Dispatch(name, []any{text})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestHugeQuantitiesAreQuick uses exponents with which the server computes for hours.
func TestHugeQuantitiesAreQuick(t *testing.T) {
	huge, err := parseQuantity("12345678901234567890e2000000000")
	if err != nil {
		t.Fatal(err)
	}
	one, _ := parseQuantity("1")
	if !quantityIsGreaterThan(huge, one) || quantityIsLessThan(huge, one) {
		t.Error("the quantity is not greater than 1")
	}
	if _, err := addQuantities(huge, one); err == nil {
		t.Error("the sum has two billion digits")
	}
	if tiny, _ := parseQuantity("1e-2000000000"); quantityAsApproximateFloat(tiny) != 1e-9 {
		t.Error("the quantity is not rounded up")
	}
	zero, _ := parseQuantity("0e2000000000")
	if i, err := quantityAsInteger(zero); i != 0 || err != nil {
		t.Errorf("asInteger = %d, %v", i, err)
	}
}

// TestReplaceIsBounded asks for terabytes.
func TestReplaceIsBounded(t *testing.T) {
	long := string(make([]byte, 1<<20))
	if _, err := replace(long, "\x00", long); err != errTooLong {
		t.Errorf("Replace: %v", err)
	}
	if _, err := join(split(long, ""), long); err != errTooLong {
		t.Errorf("Join: %v", err)
	}
}
