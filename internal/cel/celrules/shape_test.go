package celrules

import "testing"

func TestKeysOfRules(t *testing.T) {
	for _, pair := range [][2]string{
		{"self.a>1&&self.b", " self.a > 1\n  && (self.b)"}, {`self == "a"`, "self == 'a'"}, {"self.all(x, x>1)", "self.all(x , (x > 1))"},
	} {
		if a, b := KeyOf(pair[0]), KeyOf(pair[1]); a != b || a == "" {
			t.Errorf("%q is %q, and %q is %q", pair[0], a, pair[1], b)
		}
	}
	for _, pair := range [][2]string{{"self.a > 1", "self.a >= 1"}, {"self == 'a'", "self == 'b'"}, {"self.all(x, x > 1)", "self.exists(x, x > 1)"}, {"has(self.a)", "self.a"}, {"self == 1", "self == 1u"}, {"self == 1", "self == 1.0"},
		{"[self.?a]", "[?self.?a]"}, {"[self.?a, ?self.?b]", "[?self.?a, self.?b]"}, {"{'a': self.?a}", "{?'a': self.?a}"}, {"self.a.b", "self.`a.b`"}} {
		if a, b := KeyOf(pair[0]), KeyOf(pair[1]); a == b {
			t.Errorf("%q and %q are %q", pair[0], pair[1], a)
		}
	}
}
