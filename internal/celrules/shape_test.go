package celrules

import (
	"fmt"
	"testing"
)

func TestShapeOf(t *testing.T) {
	for _, tt := range []struct {
		rule                   string
		usesOldSelf, unchanged bool
		reads                  string
	}{
		{"self.a > 1", false, false, "[[a]]"},
		{"!has(self.a) || self.a.b > 1", false, false, "[]"},
		{"has(self.a.b) && self.a.b > 1 && self.c", false, false, "[[a] [c]]"},
		{"self.items.all(i, i.name != '' && self.x)", false, false, "[[items] [x]]"},
		{"self.__if__ == self.a__dot__b", false, false, "[[__if__] [a__dot__b]]"},
		{"'x' in self", false, false, "[]"},
		{"self == oldSelf", true, true, "[]"},
		{"self.a==oldSelf.a && self.b >= oldSelf.b", true, true, "[[a] [b]]"},
		{"self.a > oldSelf.a", true, false, "[[a]]"},
		{"oldSelf == '' || self == oldSelf", true, true, "[]"},
		{"!has(oldSelf.a) || has(self.a)", true, true, "[]"},
		{"has(self.a) || !has(oldSelf.a)", true, true, "[]"},
		{"has(self.a) || !has(oldSelf.b)", true, false, "[]"},
		{"has(oldSelf.a) ? self.a == oldSelf.a : true", true, true, "[]"},
		{"has(self.a) == has(oldSelf.a)", true, true, "[]"},
		{"oldSelf.a == 1", true, false, "[]"},
		{"self.oldSelf == oldSelf.self", true, false, "[[oldSelf]]"},
		{"self.a + 'oldSelf' == oldSelf.a + 'self'", true, false, "[[a]]"},
		{"self.all(oldSelf, oldSelf.a) == self.all(oldSelf, self.a)", true, false, "[[a]]"},
		{"self ==", false, false, "[]"},
	} {
		s := ShapeOf(tt.rule)
		if got := fmt.Sprint(s.Reads); s.UsesOldSelf != tt.usesOldSelf || s.HoldsUnchanged != tt.unchanged || got != tt.reads {
			t.Errorf("%s: uses oldSelf %t, holds unchanged %t, reads %s; want %t, %t, %s", tt.rule, s.UsesOldSelf, s.HoldsUnchanged, got, tt.usesOldSelf, tt.unchanged, tt.reads)
		}
	}
	for _, pair := range [][2]string{
		{"self.a>1&&self.b", " self.a > 1\n  && (self.b)"}, {`self == "a"`, "self == 'a'"}, {"self.all(x, x>1)", "self.all(x , (x > 1))"},
	} {
		if a, b := ShapeOf(pair[0]).Key, ShapeOf(pair[1]).Key; a != b || a == "" {
			t.Errorf("%q is %q, and %q is %q", pair[0], a, pair[1], b)
		}
	}
	for _, pair := range [][2]string{{"self.a > 1", "self.a >= 1"}, {"self == 'a'", "self == 'b'"}, {"self.all(x, x > 1)", "self.exists(x, x > 1)"}, {"has(self.a)", "self.a"}, {"self == 1", "self == 1u"}, {"self == 1", "self == 1.0"},
		{"[self.?a]", "[?self.?a]"}, {"[self.?a, ?self.?b]", "[?self.?a, self.?b]"}, {"{'a': self.?a}", "{?'a': self.?a}"}, {"self.a.b", "self.`a.b`"}} {
		if a, b := ShapeOf(pair[0]).Key, ShapeOf(pair[1]).Key; a == b {
			t.Errorf("%q and %q are %q", pair[0], pair[1], a)
		}
	}
}

func TestHoldsWithout(t *testing.T) {
	for rule, want := range map[string]bool{
		"!has(self.new) || self.new > 1":                             true,
		"!(has(self.new) && has(self.a))":                            true,
		"has(self.new) ? self.new == 1 : true":                       true,
		"has(self.a.new) ? self.a.new == 1 : self.b":                 false,
		"has(self.new)":                                              false,
		"has(self.new) == has(oldSelf.new)":                          true,
		"b'a' == b'a'":                                               false,
		"has(self.new) == has(self.a)":                               false,
		"has(self.new) || self.a":                                    false,
		"!has(self.a) || self.a > 1":                                 false,
		"self.new == 1":                                              false,
		"!has(self.new) && !has(self.new)":                           true,
		"!has(self.new) && self.a":                                   false,
		"!(!has(self.new) && self.type == 'new')":                    true,
		"!(!has(self.new) && 'new' == self.type)":                    true,
		"!(!has(self.new) && self.type == 'old')":                    false,
		"!(!has(self.new) && self.a == 'new')":                       false,
		"!(!has(self.new) && oldSelf.type == 'new')":                 false,
		"!(!has(self.new) && self == 'new')":                         false,
		"!(!has(self.new) && has(self.type) == 'new')":               false,
		"self.all(x, !has(x.new) || self.exists(y, x.new == y.new))": true,
		"self.all(x, self.all(y, !has(x.new)))":                      false, // as y alone is known
		"self.all(x, self.all(y, !has(y.new)))":                      true,
		"self.all(x, x.all(y, !has(y.new)))":                         true,
		"self.all(x, !has(x.a))":                                     false,
		"self.a.all(x, !has(x.new))":                                 false, // an error without a
		"self.exists(x, !has(x.new))":                                false, // there may be none
		"self.all(x, !(!has(x.new) && x.type == 'new'))":             true,
		"self.all(self, has(self.a) || !has(self.new))":              false, // another self
		"self.all(i, self, !has(self.new))":                          false,
		"self.all(i, x, !has(i.new))":                                false,
		"self.all(self, self.all(k, !has(self.new)))":                false,
		"self.all(x, !has(self.new) || x.new)":                       true,
	} {
		if got := HoldsWithout(rule, Without{
			IsMissing: func(path []string, _ [][]string) bool { return path[len(path)-1] == "new" },
			Never: func(path []string, text string, _ [][]string) bool {
				return path[len(path)-1] == "type" && text == "new"
			},
		}); got != want {
			t.Errorf("%s: %t, want %t", rule, got, want)
		}
	}
}
