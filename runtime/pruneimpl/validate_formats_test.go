package pruneimpl

import (
	"strings"
	"testing"
)

// All formats are compared with those of the API server in hack/conformance; these texts are at the bounds.
func TestFormatsAtTheirBounds(t *testing.T) {
	const uuid = "0a1b2c3d-4e5f-6789-abcd-ef0123456789"
	for _, c := range []struct {
		name        string
		is          func(string) bool
		good, wrong []string
	}{
		{
			"date", IsDate,
			[]string{"2023-01-31", "2023-12-01", "2024-02-29", "2000-02-29", "2023-04-30"},
			[]string{"", "2023-1-31", "2023-00-01", "2023-13-01", "2023-01-00", "2023-01-32", "2023-02-29", "1900-02-29", "2023-04-31", "20x3-01-01", "2023/01/01", "2023-01/01"},
		},
		{
			"date-time", IsDateTime,
			[]string{"2023-01-31T23:59:59Z", "2023-01-31t00:00:00z", "2023-01-31T00:00:00.5+01:00", "2023-01-31T00:00:00x123-23:59", "2023-01-31T00:00:00ZTx"},
			[]string{"", "2023-01-31", "2023-01-31 00:00:00Z", "2023-02-29T00:00:00Z", "2023-01-31T24:00:00Z", "2023-01-31T00:60:00Z", "2023-01-31T00:00:60Z", "2023-01-31T00:00:00",
				"2023-01-31T00:00:00.Z", "2023-01-31T00:00:00\n5Z", "2023-01-31T00:00:00+1:00", "2023-01-31T00:00:00+01:0x", "2023-01-31T00-00:00Z"},
		},
		{"byte", IsByte, []string{"YQ==", "YWI=", "YWJj", "+/+/"}, []string{"", "YQ=", "Y===", "YW-_"}},
		{"bsonobjectid", IsBSONObjectID, []string{strings.Repeat("aF", 12)}, []string{strings.Repeat("a", 23), strings.Repeat("g", 24)}},
		{"uuid", IsUUID, []string{uuid, strings.ToUpper(uuid), strings.ReplaceAll(uuid, "-", "")}, []string{"", uuid + "0", uuid[1:], strings.Replace(uuid, "a", "g", 1)}},
		{"uuid3", IsUUID3, []string{strings.Replace(uuid, "-6", "-3", 1)}, []string{uuid}},
		{"uuid4", IsUUID4, []string{strings.Replace(uuid, "-6", "-4", 1)}, []string{uuid, "0a1b2c3d-4e5f-4789-cbcd-ef0123456789"}},
		{"uuid5", IsUUID5, []string{strings.Replace(uuid, "-6", "-5", 1)}, []string{uuid, "0a1b2c3d-4e5f-5789-cbcd-ef0123456789"}},
		{"k8s-short-name", IsDNSLabel63, []string{strings.Repeat("a", 63)}, []string{strings.Repeat("a", 64), "a.b"}},
		{"k8s-long-name", IsDNSSubdomain253, []string{strings.Repeat("a", 253), "a.b"}, []string{strings.Repeat("a", 254), "a..b"}},
	} {
		for _, s := range c.good {
			if !c.is(s) {
				t.Errorf("%q is not a %s", s, c.name)
			}
		}
		for _, s := range c.wrong {
			if c.is(s) {
				t.Errorf("%q is a %s", s, c.name)
			}
		}
	}
}
