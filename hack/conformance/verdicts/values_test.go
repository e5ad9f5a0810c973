package verdicts

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/testsize"
	"github.com/prune-gen/prune-gen/structural/load"
)

func TestValuesAreValidatedAlike(t *testing.T) {
	t.Parallel()
	wrong := 0
	for seed := range uint64(8_000) {
		m := NewValueMaker(seed)
		raw, err := json.Marshal(m.Schema(2, false))
		if err != nil {
			t.Fatal(err)
		}
		v := m.Value(3)
		for _, d := range Values(raw, v) {
			value, _ := json.Marshal(v)
			t.Errorf("seed %d: %s\nschema %s\nvalue %s", seed, d, raw, value)
			wrong++
		}
		if wrong > 20 {
			t.Fatal("and so on")
		}
	}
}

// Defaults are values, too, but Kubernetes reads their schemas in another way.
func TestDefaultsAreValidatedAlike(t *testing.T) {
	t.Parallel()
	taken, refused := 0, 0
	seeds := uint64(1500)
	if testsize.All() {
		seeds = 5000
	}
	for seed := range seeds {
		m := NewValueMaker(seed)
		s := m.Schema(2, false)
		if s["default"] = m.Value(3); s["default"] == nil {
			continue
		}
		if compareVerdict(t, fmt.Sprint("seed ", seed), crdOf(t, "v1", Object{"type": "object", "properties": Object{"f": s}}, nil)) {
			taken++
		} else {
			refused++
		}
	}
	t.Logf("%d taken, %d refused", taken, refused)
	if least := int(seeds / 25); taken < least || refused < least {
		t.Errorf("only %d CRDs are taken and %d refused", taken, refused)
	}
}

// Every format takes the same strings: those of a list, and what is made of them.
func TestFormatsTakeTheSameStrings(t *testing.T) {
	texts := []string{
		"", "a", "a.b", "1.2.3.4", "01.002.3.4", "1.2.3.4.5", "256.1.1.1", "::1", "::ffff:1.2.3.4", "00001::", "1::2::3", "fe80::1%eth0", "1.2.3.4/8",
		"1.2.3.4/33", "::/0", "::/129", "1.2.3.4/08", "::1.02.3.4/64", "2020-01-01", "2020-13-01", "2020-01-01T00:00:00Z", "2020-01-01t00:00:00z",
		"2020-01-01T24:00:00Z", "2020-01-01T23:59:60Z", "2020-01-01T00:00:00ZTgarbage", "2020-01-01T00:00:00+01:00", "2020-01-01T00:00:00,5Z",
		"1s", "1h30m", "junk 3 days junk", "3 weeks", "3 parsecs", "99999999999999999999 s", "5", "1.5h", "-1s", "YQ==", "YQ=", "YWI=", "YWJj", "Y W",
		"a@b.c", "A <a@b.c>", "@", "http://a", "/a", "a b", "http://a b", "x:y", "01:23:45:67:89:ab", "0123.4567.89ab", "01-23-45-67-89-ab",
		"123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-32d3-a456-426614174000", "123E4567e89b42d3a456426614174000",
		"123e4567-e89b-52d3-a456-426614174000", "123e4567-e89b-42d3-c456-426614174000", "0321751043", "978-0321751041", "0-306-40615-2",
		"097522980X", "4111111111111111", "4111-1111-1111-1112", "123-45-6789", "123456789", "#fff", "fff", "#ffff", "rgb(1,2,3)", "rgb(256,0,0)",
		"rgb( 1 , 2 , 3 )", "507f1f77bcf86cd799439011", "507f1f77bcf86cd79943901", "zzzf1f77bcf86cd799439011", "a-b", "-a", "a-", "A", "a_b",
		strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a.", 126) + "a", strings.Repeat("a.", 127) + "a", "é", "é.com", "a..b", "a.b.",
		"xn--a.com", "1.com", "com.1", "☃.net", "\xff", "a\nb",
	}
	for _, s := range texts {
		texts = append(texts, s+" ", " "+s, s+s, strings.ToUpper(s), strings.ReplaceAll(s, "-", ""))
	}
	for _, format := range []string{
		"bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5", "isbn", "isbn10", "isbn13",
		"creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration", "datetime", "date-time", "k8s-short-name", "k8s-long-name",
	} {
		schema, findings := load.ParseSchema("schema", fmt.Appendf(nil, "{type: string, format: %s}", format))
		if schema == nil {
			t.Fatal(findings)
		}
		good := 0
		for _, s := range texts {
			errs, _ := interpret.ValidateValues(s, schema)
			if got, want := len(errs) == 0, kube.HasFormat(format, s); got != want {
				t.Errorf("%s takes %q: %t, want %t", format, s, got, want)
			} else if got {
				good++
			}
		}
		if good == 0 || good == len(texts) && format != "password" {
			t.Errorf("%s takes %d strings of %d", format, good, len(texts))
		}
	}
}
