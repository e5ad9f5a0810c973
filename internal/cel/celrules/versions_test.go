package celrules_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// firstVersion returns the oldest version whose environment takes the rule of a schema, and wants all later ones to take it.
func firstVersion(t *testing.T, yaml string, e func(kubeversion.Version) celrules.Environment) kubeversion.Version {
	t.Helper()
	first := kubeversion.Version(0)
	for v := kubeversion.OldestLinted; v <= kubeversion.Newest; v++ {
		switch problem := celrules.Check(schema(t, yaml), e(v)).Rules[0].Err; {
		case problem == "" && first == 0:
			first = v
		case problem != "" && first != 0:
			t.Errorf("%s takes %s, %s does not: %s", first, yaml, v, problem)
		}
	}
	return first
}

// Stored rules may use what a version has, new ones what the version before it has. Syntax of CEL itself may be used at once.
func TestFunctionsHaveVersions(t *testing.T) {
	for rule, want := range map[string][2]kubeversion.Version{
		"self.s.find('a') == self.s.replace('b', 'c')":       {25, 25},
		"[1, 2].indexOf(1) == 0 && isURL(self.s)":            {25, 25},
		"quantity(self.s).isInteger()":                       {28, 29},
		"self.?s.orValue('a') == 'a'":                        {28, 29},
		"self.i < 1.5":                                       {28, 29},
		"sets.contains(['a'], [self.s])":                     {29, 30},
		"'%s'.format([self.s]) == strings.quote(self.s)":     {29, 30},
		"isIP(self.s)":                                       {30, 31},
		"type(self.s) == net.IP":                             {30, 31},
		"!format.dns1123Label().validate(self.s).hasValue()": {31, 32},
		"['a'].all(i, v, v == self.s)":                       {32, 33},
		"isSemver(self.s)":                                   {33, 34},
		"['a'].first().hasValue()":                           {33, 33},
		"['b', 'a'].sort()[0] == 'a'":                        {34, 35},
		"['a'].includes(self.s)":                             {37, 0},
		"self.`s` == 'a'":                                    {37, 37},
		"self.s == '`'":                                      {25, 25},
	} {
		yaml := "type: object\nproperties: {s: {type: string}, i: {type: integer}}\nx-kubernetes-validations: [{rule: \"" + rule + "\"}]"
		if got := [2]kubeversion.Version{firstVersion(t, yaml, celrules.Stored), firstVersion(t, yaml, celrules.New)}; got != want {
			t.Errorf("%s: since %v, want %v", rule, got, want)
		}
	}
}

// Constants are checked since 1.29: before, a server finds what is wrong with them when it evaluates them.
func TestLiteralsAreCheckedByVersion(t *testing.T) {
	s := schema(t, "type: object\nproperties: {s: {type: string}}\nx-kubernetes-validations: [{rule: \"self.s.matches('(')\"}]")
	for v, want := range map[kubeversion.Version]bool{28: false, 29: true} {
		if got := celrules.Check(s, celrules.Stored(v)).Rules[0].Err != ""; got != want {
			t.Errorf("%s refuses the pattern: %t", v, got)
		}
	}
}

func TestCostsHaveVersions(t *testing.T) {
	for _, test := range []struct {
		schema string
		since  kubeversion.Version
		before uint64
		after  uint64
	}{
		{"properties: {a: {x-kubernetes-int-or-string: true, maxLength: 5}}\nx-kubernetes-validations: [{rule: \"string(self.a) == 'b' && self.a == 'abcdefghijklmnopqrstuvwxyz'\"}]", 34, 314581, 9},
		{"x-kubernetes-validations: [{rule: \"self.metadata.name.startsWith('a') && self.metadata.name.contains('b')\"}]", 37, 314580, 109},
		{"properties: {a: {type: string, maxLength: 5}}\nx-kubernetes-validations: [{rule: \"matches(self.a, 'abcdefghijkl')\"}]", 37, 3, 11},
		{"properties: {a: {type: string, maxLength: 50}}\nx-kubernetes-validations: [{rule: \"isIP(self.a)\"}]", 33, 0, 22},
		{"properties: {a: {type: string, maxLength: 50}}\nx-kubernetes-validations: [{rule: \"ip(self.a).family() == 4 && cidr(self.a).ip() == ip(self.a) && cidr(self.a).containsIP(self.a) && ip.isCanonical(self.a)\"}]", 33, 0, 160},
	} {
		for v := kubeversion.Oldest; v <= kubeversion.Newest; v++ {
			want := test.before
			if v >= test.since {
				want = test.after
			}
			if got := celrules.Check(schema(t, "type: object\n"+test.schema), celrules.Stored(v)).Rules[0].MaxCost; got != want {
				t.Errorf("%s: %s costs %d, want %d", v, test.schema, got, want)
			}
		}
	}
}
