package interpret_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/formats"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/structural"
)

// formattedTexts are texts of each format, and texts that are nearly so.
func formattedTexts() []string {
	long := func(n int) string { return strings.Repeat("a", n) }
	texts := []string{
		"", " ", "a", "A", "-", ".", "/", "0", "x*3",
		"507f1f77bcf86cd799439011", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390111", "507F1F77BCF86CD799439011", "507f1f77bcf86cd79943901g",
		"http://a", "http://a/b?c#d", "//a", "a:b", "http:", "http://[::1", "/a/b", "?a", "mailto:a@b", "http://a b", "%zz",
		"a@b", "a@b.c", "A B <a@b>", "a@", "@b", "a b@c", "a@b@c", "a@b, c@d",
		"a.b", "a.bc", "a-b", "-a.bc", "a-.bc", "a..bc", "a.bc.", "1.2", "a_b.cd", "é.fr", "€", long(63), long(64), long(63) + ".bc", long(64) + ".bc", "a." + long(63), "a." + long(64), strings.Repeat("a.", 126) + "bcd", strings.Repeat("a.", 127) + "bc",
		"1.2.3.4", "01.002.3.4", "001.2.3.4", "1.2.3", "1.2.3.256", "1.2.3.4.5", "::ffff:1.2.3.4", "::ffff:01.2.3.4", "::1", "::", "1::2::3", "fe80::1%eth0", "1:2:3:4:5:6:7:8", "0001:2:3:4:5:6:7:8", "00001:2:3:4:5:6:7:8", "g::", ":1.2.3.4",
		"1.2.3.4/0", "1.2.3.4/32", "1.2.3.4/33", "1.2.3.4/", "1.2.3.4/-1", "1.2.3.4/+1", "1.2.3.4/032", "01.2.3.4/8", "::/0", "::/128", "::/129", "::ffff:1.2.3.4/33", "::ffff:1.2.3.4/129", "1.2.3.4/8/9", "/8", "1.2.3.4/99999999999999999999",
		"00:00:5e:00:53:01", "0000.5e00.5301", "00-00-5e-00-53-01", "00:00:5e:00:53", "00:00:5e:00:53:0g", "02:00:5e:10:00:00:00:01",
		"a987fbc9-4bed-3078-8f07-9141ba07c9f3", "A987FBC9-4BED-3078-CF07-9141BA07C9F3", "a987fbc94bed3078cf079141ba07c9f3", "57b73598-8764-4ad0-a76a-679bb6640eb1", "57b73598-8764-4ad0-c76a-679bb6640eb1", "987fbc97-4bed-5078-af07-9141ba07c9f3", "987fbc97-4bed-5078-0f07-9141ba07c9f3", "a987fbc9-4bed-1078-8f07-9141ba07c9f", "{a987fbc9-4bed-3078-8f07-9141ba07c9f3}", "urn:uuid:a987fbc9-4bed-3078-8f07-9141ba07c9f3",
		"3836221195", "3-8362-2119-5", "3 8362 2119 5", "3836221194", "340101319X", "340101319x", "383622119", "38362211955", "X401013190", "9784873113685", "978-4-87311-368-5", "9784873113686", "978487311368", "9780136091813", "978013609181x",
		"4111111111111111", "4111-1111-1111-1111", "4111 1111 1111 1112", "5398228707871528", "378282246310005", "6011111111111117", "30569309025904", "3530111333300000", "411111111111111", "4222222222222", "0000000000000000", "a4111111111111111b", "5098228707871528", "213100000000000",
		"123-45-6789", "123456789", "123 45 6789", "123-456-789", "12-345-6789", "123-45-67890", "12345-6789", "123-45 6789",
		"#fff", "fff", "#FFFFFF", "#ffff", "#fffff", "#ggg", "##fff", "rgb(0,0,0)", "rgb(255, 255, 255)", "rgb(256,0,0)", "rgb(0,0)", "rgb( 1 , 2 , 3 )", "rgb(01,2,3)", "rgb(199,249,250)", "rgb(0,0,0) ", "RGB(0,0,0)",
		"YQ==", "YQ=", "YQ", "YWI=", "YWJj", "Y===", "Y Q=", "YQ==\n", "-_==", "+/==", "YWJjYQ==",
		"2020-01-01", "2020-02-29", "2021-02-29", "2020-13-01", "2020-1-1", "20-01-01", "2020-01-01 ", "2020-01-01T", "2020-01-01T00:00:00Z", "2020-01-01t00:00:00z", "2020-01-01T00:00:00", "2020-01-01T23:59:59Z", "2020-01-01T24:00:00Z", "2020-01-01T00:60:00Z", "2020-01-01T00:00:60Z",
		"2020-01-01T00:00:00.5Z", "2020-01-01T00:00:00.Z", "2020-01-01T00:00:00,5Z", "2020-01-01T00:00:00+01:00", "2020-01-01T00:00:00+99:99", "2020-01-01T00:00:00+0100", "2020-01-01 00:00:00Z", "2020-01-01T00:00Z", "2020-01-01T00:00:00ZT", "2020-01-01T00:00:00Ztx", "2020-02-30T00:00:00Z", "0T", "T",
		"1s", "1h2m3s", "-1s", "1.5h", "1", "s", "1 s", "1 sec", "3 days", "2 weeks", "1 fortnight", "1 d", "1 wk", "1 hr", "1 hours", "1 hrx", "1 µs", "1 us", "1 usx", "1 microseconds", "1 ms", "1 milli", "1 ns", "1 nanos", "1 min", "1 m", "1 mx", "x 1s y", "1s 2q", "2q 1s", "99999999999999999999 s", "1S", "1 Days", "1 week 2", "P1D",
		"a-b-c", "a.b-c.d", "a-", "a_b", long(253), long(254), "a." + long(251), "a." + long(252), "aB", "1a", "é",
	}
	for _, f := range formats.All() {
		for _, text := range f.Samples {
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// The answers are those of k8s.io/kube-openapi/pkg/validation/strfmt.
func TestFormatsAreRecorded(t *testing.T) {
	var have strings.Builder
	for _, f := range formats.All() {
		format := f.Name
		s := &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{"a": {Type: "string", Format: format}}}
		if !interpret.KnowsFormat(0, s.Properties["a"]) {
			t.Errorf("%s is not known", format)
		}
		var good []string
		for _, text := range formattedTexts() {
			errs := new(interpret.Work).Validate(map[string]any{"a": text}, s)
			if len(errs) == 0 {
				good = append(good, shortText(text))
			} else if want := fmt.Sprintf("a: Invalid value: %q: a in body must be of type %s: %q", text, format, text); len(errs) != 1 || errs[0].Error() != want {
				t.Errorf("%s: %v, want %s", format, errs, want)
			}
		}
		if len(good) == 0 || len(good) == len(formattedTexts()) && format != "password" {
			t.Errorf("%s: %d texts are good", format, len(good))
		}
		fmt.Fprintf(&have, "%s: %s\n", format, strings.Join(good, " "))
	}
	recorded.Compare(t, *update, "testdata/formats.txt", have.String())
}

// shortText writes a text with a*64 for 64 times a.
func shortText(text string) string {
	for _, n := range []int{254, 253, 252, 251, 64, 63} {
		text = strings.Replace(text, strings.Repeat("a", n), fmt.Sprintf("a*%d", n), 1)
	}
	if len(text) > 100 {
		text = fmt.Sprintf("%s...%s*%d", text[:4], text[len(text)-4:], len(text))
	}
	return fmt.Sprintf("%q", text)
}

// Formats count for the types that they are of, whatever dashes they have.
func TestFormatsCountForTheirTypes(t *testing.T) {
	for _, c := range []struct {
		typ, format string
		want        bool
	}{
		{"string", "date", true}, {"", "date", true}, {"integer", "date", false}, {"object", "date", false}, {"string", "date-time", true}, {"string", "datetime", true}, {"string", "d-a-t-e", true}, {"string", "Date", false},
		{"integer", "int32", true}, {"integer", "int64", true}, {"integer", "int-32", false}, {"integer", "int16", false}, {"integer", "float", false}, {"number", "float", true}, {"number", "double", true}, {"number", "int32", false},
		{"string", "int32", false}, {"", "int32", false}, {"", "float", false}, {"boolean", "date", false}, {"string", "", false}, {"array", "byte", false},
	} {
		if have := interpret.KnowsFormat(0, &structural.JSONSchema{Type: c.typ, Format: c.format}); have != c.want {
			t.Errorf("%q of %q is known: %t", c.format, c.typ, have)
		}
	}
	// What is an integer or a string has the formats of values without a type.
	if !interpret.KnowsFormat(0, &structural.JSONSchema{Type: "integer", XIntOrString: true, Format: "date"}) || interpret.KnowsFormat(0, &structural.JSONSchema{Type: "integer", XIntOrString: true, Format: "int32"}) {
		t.Error("x-kubernetes-int-or-string has the formats of its type")
	}
}
