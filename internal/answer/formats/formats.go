// Package formats is the table of the formats of strings that the API server knows.
package formats

import (
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl/pruneformat"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl/pruneformat/prunenet"
)

// Format is a format of strings.
type Format struct {
	// Name is what Kubernetes calls it. Dashes make no difference.
	Name string
	// Since is the change that added the format, 0 if all versions know it.
	Since kubeversion.Change
	// Is is the function of the runtime that knows the format, and Func its name in generated code, after that of its package if this is
	// not pruneimpl. A format that allows every string has neither.
	Func string
	Is   func(string) bool
	// JSONSchema is the format of JSON Schema that accepts the same strings, or more; "" if it accepts fewer, or there is none.
	JSONSchema string
	// Samples are strings at the edges of the format: some that have it, and some that nearly do.
	Samples []string
}

var all = []Format{
	{Name: "bsonobjectid", Func: "IsBSONObjectID", Is: pruneimpl.IsBSONObjectID, Samples: []string{
		"507f1f77bcf86cd799439011", "507F1F77BCF86CD799439011", "507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g",
	}},
	{Name: "uri", Func: "pruneformat.IsURI", Is: pruneformat.IsURI, JSONSchema: "uri-reference", Samples: []string{ // a path is one
		"http://a/b?c#d", "/path", "a", "http://[::1", "mailto:a@b",
	}},
	{Name: "email", Func: "prunenet.IsEmail", Is: prunenet.IsEmail, Samples: []string{
		"a@b", "A <a@b.c>", "a", "a@", "@b",
	}},
	{Name: "hostname", Func: "pruneformat.IsHostname", Is: pruneformat.IsHostname, Samples: []string{
		"a.bc", "a", "-a", "a.b", "a_b.cd", strings.Repeat("a", 63) + ".bc", strings.Repeat("a", 64) + ".bc", "é.com", "a..bc",
	}},
	{Name: "ipv4", Func: "pruneformat.IsIPv4", Is: pruneformat.IsIPv4, JSONSchema: "ipv4", Samples: []string{
		"1.2.3.4", "01.2.3.004", "255.255.255.255", "256.1.1.1", "1.2.3", "1.2.3.4.5", "::ffff:1.2.3.4", "1.2.3.", "0.0.0.0", "1.2.3.4/8", "::1", "",
	}},
	{Name: "ipv6", Func: "pruneformat.IsIPv6", Is: pruneformat.IsIPv6, JSONSchema: "ipv6", Samples: []string{
		"::1", "::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:9", "::ffff:1.2.3.4", "0001::01", "00001::", "fe80::1%eth0", "g::", "1.2.3.4", ":", "",
	}},
	{Name: "cidr", Func: "pruneformat.IsCIDR", Is: pruneformat.IsCIDR, Samples: []string{
		"10.0.0.0/8", "10.0.0.0/32", "10.0.0.0/33", "10.0.0.0/0", "10.0.0.0/08", "10.0.0.0/", "10.0.0.0", "010.0.0.0/8", "::/128", "::/129",
		"::/0", "::/0128", "::ffff:1.2.3.4/96", "::ffff:1.2.3.4/33", "010.0.0.0/32", "010.0.0.0/33", "00::/128", "00::/129", "10.0.0.0/-1",
		"10.0.0.0/+8", "/8", "10.0.0.0/8/8", "1.2.3.4/99999999999999999999",
	}},
	{Name: "mac", Func: "prunenet.IsMAC", Is: prunenet.IsMAC, Samples: []string{
		"01:23:45:67:89:ab", "01-23-45-67-89-AB", "0123.4567.89ab", "01:23:45:67:89", "01:23:45:67:89:ag",
	}},
	{Name: "uuid", Func: "IsUUID", Is: pruneimpl.IsUUID, Samples: []string{
		"123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000", "123e4567-e89b-12d3-a456-42661417400",
		"123e4567--e89b-12d3-a456-426614174000",
	}},
	{Name: "uuid3", Func: "IsUUID3", Is: pruneimpl.IsUUID3, Samples: []string{
		"123e4567-e89b-32d3-a456-426614174000", "123e4567-e89b-32d3-0456-426614174000", "123e4567-e89b-42d3-a456-426614174000",
	}},
	{Name: "uuid4", Func: "IsUUID4", Is: pruneimpl.IsUUID4, Samples: []string{
		"123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-B456-426614174000", "123e4567-e89b-42d3-c456-426614174000",
		"123e4567-e89b-32d3-a456-426614174000",
	}},
	{Name: "uuid5", Func: "IsUUID5", Is: pruneimpl.IsUUID5, Samples: []string{
		"123e4567-e89b-52d3-8456-426614174000", "123e4567-e89b-52d3-7456-426614174000", "123e4567-e89b-42d3-a456-426614174000",
	}},
	{Name: "isbn", Func: "pruneformat.IsISBN", Is: pruneformat.IsISBN, Samples: []string{
		"0306406152", "9780306406157", "0306406153", "030640615",
	}},
	{Name: "isbn10", Func: "pruneformat.IsISBN10", Is: pruneformat.IsISBN10, Samples: []string{
		"0306406152", "080442957X", "0-306-40615-2", "080442957x", "9780306406157",
	}},
	{Name: "isbn13", Func: "pruneformat.IsISBN13", Is: pruneformat.IsISBN13, Samples: []string{
		"9780306406157", "978-0-306-40615-7", "9780306406158", "0306406152",
	}},
	{Name: "creditcard", Func: "pruneformat.IsCreditCard", Is: pruneformat.IsCreditCard, Samples: []string{
		"4111111111111111", "4111-1111-1111-1111", "4111111111111112", "41111111111111", "378282246310005",
	}},
	{Name: "ssn", Func: "pruneformat.IsSSN", Is: pruneformat.IsSSN, Samples: []string{
		"123-45-6789", "123 45 6789", "123456789", "123-45-678", "123-456789 ",
	}},
	{Name: "hexcolor", Func: "pruneformat.IsHexColor", Is: pruneformat.IsHexColor, Samples: []string{
		"#ffffff", "fff", "#FFFF", "#ggg",
	}},
	{Name: "rgbcolor", Func: "pruneformat.IsRGBColor", Is: pruneformat.IsRGBColor, Samples: []string{
		"rgb(0,0,0)", "rgb( 255 , 1 , 99 )", "rgb(256,0,0)", "rgb(0,0)", "rgb(00,0,0)", "rgb(260,0,0)",
	}},
	{Name: "byte", Func: "IsByte", Is: pruneimpl.IsByte, Samples: []string{
		"YQ==", "YWI=", "YWJj", "YQ", "YQ=", "Y===", "", "YQ==\n", "-_==",
	}},
	{Name: "password"},
	{Name: "date", Func: "IsDate", Is: pruneimpl.IsDate, JSONSchema: "date", Samples: []string{
		"2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "2023-04-31", "2023-12-31", "2023-13-01", "2023-00-01", "2023-01-00",
		"2023-1-1", "2023-01-01 ",
	}},
	{Name: "duration", Func: "pruneformat.IsDuration", Is: pruneformat.IsDuration, Samples: []string{
		"1h", "3 days", "1 fortnight", "-1s", "1.5h", "1", "", "2 weeks 1 day", "1µs", "10 h",
	}},
	{Name: "datetime", Func: "IsDateTime", Is: pruneimpl.IsDateTime, JSONSchema: "date-time", Samples: []string{
		"2024-02-29T23:59:59Z", "2024-02-29t23:59:59z", "2024-02-29T23:59:59.123+01:00", "2024-02-29T24:00:00Z", "2024-02-29T23:60:00Z",
		"2024-02-29T23:59:60Z", "2024-02-29T23:59:59", "2024-02-29T23:59:59+0100", "2024-02-29T23:59:59.Z", "2024-02-29 23:59:59Z",
		"2024-02-30T00:00:00Z", "2024-02-29T23:59:59,5Z",
	}},
	{Name: "k8s-short-name", Since: kubeversion.KubernetesNames, Func: "IsDNSLabel63", Is: pruneimpl.IsDNSLabel63, Samples: []string{
		"a-b", "-a", "a-", strings.Repeat("a", 63), strings.Repeat("a", 64), "A", "",
	}},
	{Name: "k8s-long-name", Since: kubeversion.KubernetesNames, Func: "IsDNSSubdomain253", Is: pruneimpl.IsDNSSubdomain253, Samples: []string{
		"a.b-c", "a..b", ".a", strings.Repeat("a.", 126) + "a", strings.Repeat("a.", 126) + "ab", "A.b", "",
	}},
}

// All returns all formats.
func All() []Format { return slices.Clone(all) }

// Find returns the format that a schema names, nil if the API server does not know it.
func Find(name string) *Format { return byName[Key(name)] }

// Key returns a name without the dashes.
func Key(name string) string { return strings.ReplaceAll(name, "-", "") }

var byName = func() map[string]*Format {
	m := map[string]*Format{}
	for i := range all {
		m[Key(all[i].Name)] = &all[i]
	}
	return m
}()

// KnownBy reports whether an API server has the format.
func (f *Format) KnownBy(v kubeversion.Version) bool { return v.Has(f.Since) }

// CountsIn reports whether an API server validates objects by the format.
func (f *Format) CountsIn(v kubeversion.Version) bool { return v.Takes(f.Since) }
