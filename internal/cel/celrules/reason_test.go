package celrules_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

const reasonedSchema = `{type: object, required: [r, rs, b], properties: {
  a: {type: integer}, r: {type: integer, minimum: 1, maximum: 10}, i: {type: integer}, s: {type: string, maxLength: 20}, rs: {type: string, minLength: 2, maxLength: 20}, mode: {type: string, enum: [x, z]},
  d: {type: integer, default: 3}, nil: {type: integer, default: 3, nullable: true}, b: {type: boolean}, c: {type: boolean}, ios: {x-kubernetes-int-or-string: true},
  o: {type: object, properties: {p: {type: integer}, q: {type: string, maxLength: 20}}}, m: {type: object, maxProperties: 5, additionalProperties: {type: integer}},
  l: {type: array, maxItems: 5, items: {type: object, required: [k], properties: {k: {type: string, maxLength: 20}, v: {type: integer}}}},
  t: {type: array, maxItems: 16, items: {type: string, maxLength: 20}}, u: {type: array, maxItems: 5, minItems: 1, items: {type: integer, minimum: 0, maximum: 8}}, z: {type: array, maxItems: 5, items: {nullable: true, type: object, properties: {k: {type: boolean}}}},
  lasts: {type: string, pattern: '^([0-9]{1,5}(h|m|s|ms)){1,4}$'}, digits: {type: string, pattern: '^[0-9]+$'}, when: {type: string, format: duration}}}`

func TestReasoning(t *testing.T) {
	s := structuraltest.NewSchema(t, reasonedSchema)
	for _, tt := range []struct{ rule, want string }{
		{"self.r > 0", "holds"},
		{"self.r > 1", "ok"},
		{"self.r >= 1 && self.r <= 10", "holds"},
		{"self.a > 0", "self.a may be missing"},
		{"!has(self.a) || self.a > 0", "ok"},
		{"self.a > 0 || !has(self.a)", "ok"},
		{"has(self.a) ? self.a > 0 : true", "ok"},
		{"has(self.a) && self.a > 0", "ok"},
		{"!has(self.o) || self.o.p > 0", "self.o.p may be missing"},
		{"!has(self.o) || !has(self.o.p) || self.o.p > 0", "ok"},
		{"has(self.o.p)", "self.o may be missing"},
		{"self.d > 0", "ok"},
		{"self.nil > 0", "self.nil may be missing"},
		{"self.r + 1 > 0", "holds"},
		{"self.d + 1 > 0", "+ may overflow"},
		{"self.r / self.r > 0", "ok"},
		{"self.r / self.d > 0", "self.d may be 0"},
		{"!has(self.l) || self.l.all(x, x.v > 0)", "x.v may be missing"},
		{"!has(self.l) || self.l.all(x, x.k != '')", "ok"},
		{"!has(self.l) || self.l.all(x, has(x.v) && x.v > 0)", "ok"},
		{"!has(self.z) || self.z.all(x, has(x.k))", "x may be null"},
		{"!has(self.t) || self.t[0] == 'a'", "self.t[0] may not exist"},
		{"!has(self.t) || size(self.t) == 0 || self.t[0] == 'a'", "ok"},
		{"!has(self.t) || self.t.size() > 0 && self.t[0] == 'a'", "ok"},
		{"!has(self.u) || self.u[0] >= 0", "holds"},
		{"!has(self.u) || self.u.max() <= 8", "holds"},
		{"!has(self.u) || self.u.sum() <= 40", "holds"},
		{"!has(self.u) || self.u.sum() <= 39", "ok"},
		{"!has(self.t) || self.t.map(x, size(x)).sum() <= 320", "holds"},
		{"!has(self.m) || self.m['a'] > 0", `self.m["a"] may not exist`},
		{"!has(self.m) || !('a' in self.m) || self.m['a'] > 0", "ok"},
		{"!has(self.m) || self.m.all(k, self.m[k] > 0)", "ok"},
		{"duration(self.rs) > duration('1s')", "duration may fail for self.rs"},
		{"!has(self.lasts) || duration(self.lasts) > duration('1s')", "ok"},
		{"!has(self.digits) || int(self.digits) > 1", "int may fail for self.digits"}, // if there are many
		{"!has(self.when) || self.when > duration('1s')", "ok"},
		{"!isURL(self.rs) || url(self.rs).getScheme() == 'a'", "ok"},
		{"url(self.rs).getScheme() == 'a'", "url may fail for self.rs"},
		{"self.rs.split('/')[1] == ''", `split(self.rs, "/")[1] may not exist`},
		{"self.rs.split('/')[0] == ''", "ok"},
		{"!self.rs.contains('/') || self.rs.split('/')[1] == ''", "ok"},
		{"self.rs.substring(1) == ''", "ok"},
		{"self.rs.substring(3) == ''", "self.rs may be too short"},
		{"self.rs.matches('^a')", "ok"},
		{"self.rs.matches(self.rs)", "the pattern of matches is not a constant"},
		{"!has(self.ios) || self.ios > 0", "self.ios may have another type"},
		{"!has(self.ios) || self.ios == 0", "ok"},
		{"!has(self.ios) || (type(self.ios) == int ? self.ios > 0 : self.ios != '50%')", "ok"},
		{"!has(self.ios) || type(self.ios) == string || self.ios > 0", "ok"},
		{"!has(self.u) || self.u.all(a, self.u.all(b, self.u.all(c, a + b + c <= 24)))", "holds"},
		{"self.mode == 'y'", "self.mode may be missing"},
		{"!has(self.mode) || self.mode != 'y'", "holds"},
		{"!has(self.mode) || self.mode in ['x', 'z', 'y']", "holds"},
		{"!has(self.t) || self.t.all(x, x in self.t)", "holds"},
		{"self.b || !self.b", "holds"},
		{"self == self", "holds"},
		{"self.l.filter(x, x.k == 'a').size() < 2", "self.l may be missing"},
		{"!has(self.l) || self.l.filter(x, x.k == 'a').size() < 6", "holds"},
		{"!has(self.l) || self.l.filter(x, x.k == 'a').all(x, x.v > 0)", "x.v may be missing"},
		{"self.?o.?p.orValue(1) > 0", "ok"},
		{"self.?o.?p.value() > 0", "a value may have no value"},
		{"self.metadata.name != ''", "ok"},
	} {
		r := celrules.NewReasoner(celrules.NewMet(s, s, true), celrules.Stored(kubeversion.Newest), nil)
		out := r.Rule(structural.ValidationRule{Rule: tt.rule}, nil, false)
		r.Release()
		got := "ok"
		switch {
		case out.Err != "":
			got = out.Err
		case out.Failure != nil:
			got = out.Failure.Text
		case out.Holds:
			got = "holds"
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.rule, got, tt.want)
		}
		if out.Differs {
			t.Errorf("%s sees differences", tt.rule)
		}
	}
}

// Texts that are not read as they are checked make a rule fail that reads them, or compares what they are in.
func TestReasoningAboutFormats(t *testing.T) {
	s := structuraltest.NewSchema(t, `{type: object, properties: {day: {type: string, format: date}, lasts: {type: string, format: duration}, at: {type: string, format: date-time}, bytes: {type: string, format: byte},
  l: {type: array, maxItems: 5, items: {type: object, properties: {at: {type: string, format: date-time}}}}, m: {type: object, maxProperties: 5, additionalProperties: {type: string, format: byte}},
  ok: {type: object, properties: {day: {type: string, format: date}, lasts: {type: string, format: duration}}},
  set: {type: object, properties: {at: {type: string, format: date-time}, s: {type: array, maxItems: 5, x-kubernetes-list-type: set, items: {type: array, x-kubernetes-list-type: atomic, maxItems: 5, items: {type: string, maxLength: 5}}}}}}}`)
	const noTime, noBytes = "may have the format date-time, which is loose, and not be a time", "may have the format byte with + or / in it, which CEL does not decode"
	for _, tt := range []struct{ rule, want, trusted string }{
		{"!has(self.day) || self.day > timestamp('2020-01-01T00:00:00Z')", "", ""},
		{"!has(self.lasts) || self.lasts > duration('1s')", "", ""},
		{"!has(self.at) || self.at > timestamp('2020-01-01T00:00:00Z')", "self.at " + noTime, ""},
		{"!has(self.bytes) || self.bytes.size() > 1", "self.bytes " + noBytes, ""},
		{"has(self.bytes) && self.day == self.day", "self.bytes " + noBytes, "self.day may be missing"},
		{"self == self", "something in self is a set of values that are not scalars, which cannot be compared", "something in self is a set of values that are not scalars, which cannot be compared"},
		{"!has(self.ok) || self.ok == self.ok", "", ""},
		{"!has(self.l) || self.l == self.l", "something in self.l " + noTime, ""},
		{"!has(self.l) || self.l.all(x, has(x.at))", "x.at " + noTime, ""},
		{"!has(self.l) || self.l.size() < 4", "", ""},
		{"!has(self.m) || !('a' in self.m)", "something in self.m " + noBytes, ""},
		{"!has(self.set) || self.set == self.set", "something in self.set is a set of values that are not scalars, which cannot be compared", "something in self.set is a set of values that are not scalars, which cannot be compared"},
	} {
		for _, trusts := range []bool{false, true} {
			met, want := celrules.NewMet(s, s, false), tt.want
			if met.TrustFormats = trusts; trusts {
				want = tt.trusted
			}
			r := celrules.NewReasoner(met, celrules.Stored(kubeversion.Newest), nil)
			out := r.Rule(structural.ValidationRule{Rule: tt.rule}, nil, false)
			r.Release()
			got := out.Err
			if out.Failure != nil {
				got += out.Failure.Text
			}
			if got != want {
				t.Errorf("%s, trusting formats: %t: %s, want %s", tt.rule, trusts, got, want)
			}
		}
	}
}

func TestReasoningFromOtherRules(t *testing.T) {
	s := structuraltest.NewSchema(t, reasonedSchema)
	yes := true
	for _, tt := range []struct {
		others, rule string // others are separated by ;
		want         bool
	}{
		{"self.b", "self.b || self.c", true},
		{"self.b || self.c", "self.b", false},
		{"self.c && self.b", "self.c", true},
		{"self.b", "self.c && self.b", false},
		{"self.b; self.c", "self.b && (self.c || self.a > 1)", true},
		{"self.b || self.c", "self.a > 1 || self.c || self.b", true},
		{"!self.b", "!(self.b && self.c)", true},
		{"!(self.b && self.c)", "!self.b", false},
		{"self.a > 1", "has(self.a)", true},
		{"self.a > 0", "self.a >= 0", true},
		{"self.a >= 0", "self.a > 0", false},
		{"self.a > 0", "0 < self.a", true},
		{"self.a == self.i", "self.i == self.a", true},
		{"self.s.matches('b')", "!has(self.s) || self.s.matches('b')", true},
		{"self.c || self.b", "has(self.c)", false},
		{"self.b ? self.c : true", "self.b ? self.c || self.a > 1 : true", true},
		{"self.b ? self.c : true", "has(self.i) ? self.c : true", false},
		{"self.b ? self.c : true", "self.b && has(self.i) ? self.c : true", true},
		{"self.b ? self.c : true", "self.b && self.i > 1 ? self.c : true", false}, // an error without i
		{"self.b ? self.c : self.a > 1", "self.b && has(self.i) ? self.c : self.a > 1", false},
		{"self.c", "has(self.i) ? self.c : true", true},
		{"self.c", "self.i > 1 ? self.c : true", false},
		{"self.l.all(x, x.v > 1)", "self.l.all(x, x.v > 1 || x.k == 'a')", true},
		{"self.l.all(x, x.v > 1)", "self.l.all(x, x.v > 0)", true},
		{"self.z.all(x, x.k)", "self.l.all(x, x.v > 0)", false},
		{"self.l.exists(x, x.v > 1 && x.k == 'a')", "self.l.exists(x, x.k == 'a')", true},
		{"self.l.exists_one(x, x.v > 1 && x.k == 'a')", "self.l.exists_one(x, x.k == 'a')", false},
		{"self.l.exists_one(x, x.k == 'a' && x.v == 2)", "self.l.exists_one(x, x.k == 'a' && has(x.v) && x.v == 2)", true},
		{"self.l.all(x, x.k == 'a' ? self.l.exists_one(y, y.k == x.k && y.v == x.v) : true)",
			"self.l.all(x, x.k == 'a' && has(x.v) ? self.l.exists_one(y, y.k == x.k && has(y.v) && y.v == x.v) : true)", true},
		{"self.l.exists_one(x, x.k == 'a' || x.v == 2)", "self.l.exists_one(x, has(x.v) && (x.k == 'a' || x.v == 2))", false},
		{"self.z.all(x, true)", "self.z.all(x, has(x.k) ? true : true)", false}, // an error if x is null
		{"self.z.all(x, x.k)", "self.z.all(x, has(x.k) ? x.k : true)", true},
		{"self.l.all(self, self.k == 'a')", "self.l.all(self, self.k == 'a' || self.v > 1)", true},
	} {
		r := celrules.NewReasoner(celrules.NewMet(s, s, true), celrules.Stored(kubeversion.Newest), nil)
		// Nothing follows from rules that do not compile, nor from rules that may see no old value.
		broken := []structural.ValidationRule{{Rule: "self.b &&"}, {Rule: "self.missing"}}
		var given, optional []structural.ValidationRule
		for _, other := range strings.Split(tt.others, ";") {
			given = append(given, structural.ValidationRule{Rule: other})
			optional = append(optional, structural.ValidationRule{Rule: other, OptionalOldSelf: &yes})
		}
		alone := r.Rule(structural.ValidationRule{Rule: tt.rule}, nil, false)
		for _, test := range []struct {
			given []structural.ValidationRule
			want  bool
		}{{given, tt.want}, {slices.Concat(broken, given), tt.want}, {optional, alone.Holds && alone.Failure == nil}} {
			out := r.Rule(structural.ValidationRule{Rule: tt.rule}, test.given, false)
			if got := out.Holds && out.Failure == nil; got != test.want || out.Err != "" {
				t.Errorf("%v imply %s: %t, want %t; %+v", test.given, tt.rule, got, test.want, out)
			}
		}
		r.Release()
	}
}

// Rules about updates hold where nothing has changed, except for the metadata of a whole object.
func TestReasoningAboutUnchangedValues(t *testing.T) {
	s := structuraltest.NewSchema(t, reasonedSchema)
	optional := true
	for _, tt := range []struct {
		rule     string
		optional *bool
		root     bool
		want     bool
	}{
		{"self == oldSelf", nil, false, true},
		{"self == oldSelf", nil, true, false}, // a label has
		{"self.metadata == oldSelf.metadata", nil, true, false},
		{"self.metadata.name == oldSelf.metadata.name", nil, true, true},
		{"self.b == oldSelf.b && self.r >= oldSelf.r", nil, true, true},
		{"self.b == oldSelf.b && self.r >= oldSelf.r", nil, false, true},
		{"self.r > oldSelf.r", nil, false, false},
		{"self.a == oldSelf.a", nil, false, false}, // an error without a
		{"self.rs == 'ab' || self.rs == oldSelf.rs", nil, false, true},
		{"!has(oldSelf.a) || has(self.a)", nil, false, true},
		{"has(self.a) || !has(oldSelf.a)", nil, true, true},
		{"has(self.a) || !has(oldSelf.i)", nil, false, false},
		{"!has(oldSelf.a) || (has(self.a) && self.a == oldSelf.a)", nil, false, true},
		{"has(oldSelf.a) ? self.a == oldSelf.a : true", nil, false, true},
		{"has(self.a) == has(oldSelf.a)", nil, false, true},
		{"oldSelf.r == 1", nil, false, false},
		{"!has(oldSelf.t) || oldSelf.t.all(x, x in self.t)", nil, false, true},
		{"!has(oldSelf.t) || oldSelf.t.all(x, x in self.l.map(y, y.k))", nil, false, false},
		{"self.rs + 'oldSelf' == oldSelf.rs + 'self'", nil, false, false},
		{"!oldSelf.hasValue() || self == oldSelf.value()", &optional, false, true},
		{"!oldSelf.hasValue() || self.r == oldSelf.value().r", &optional, false, true},
		{"oldSelf.orValue(self).r == self.r", &optional, false, true},
		{"oldSelf.value().r == 1", &optional, false, false},
		{"self == oldSelf", &optional, false, false}, // which is never an optional value
	} {
		r := celrules.NewReasoner(celrules.NewMet(s, s, tt.root), celrules.Stored(kubeversion.Newest), nil)
		out := r.Rule(structural.ValidationRule{Rule: tt.rule, OptionalOldSelf: tt.optional}, nil, true)
		r.Release()
		if got := out.Holds && out.Failure == nil; got != tt.want || tt.optional == nil && out.Err != "" || !out.UsesOldSelf && out.Err == "" {
			t.Errorf("%s, root %t: %+v, want %t", tt.rule, tt.root, out, tt.want)
		}
	}
}

func TestNeverOverflows(t *testing.T) {
	size := &prunecel.Expr{Op: prunecel.OpCall, Name: "size"}
	constant := func(n int64) *prunecel.Expr { return &prunecel.Expr{Op: prunecel.OpConst, Const: n} }
	call := func(overload string, args ...*prunecel.Expr) *prunecel.Expr {
		return &prunecel.Expr{Op: prunecel.OpCall, Overload: overload, Args: args}
	}
	choice := func(a, b *prunecel.Expr) *prunecel.Expr {
		return &prunecel.Expr{Op: prunecel.OpCall, Name: "_?_:_", Args: []*prunecel.Expr{{Op: prunecel.OpHas}, a, b}}
	}
	for i, tt := range []struct {
		e    *prunecel.Expr
		want bool
	}{
		{call("add_int64", size, constant(1)), true},
		{call("add_int64", choice(constant(1), constant(0)), choice(constant(1), size)), true},
		{call("add_int64", size, constant(math.MaxInt64)), false},
		{call("add_int64", constant(math.MaxInt64), constant(0)), true},
		{call("add_int64", constant(math.MinInt64), constant(-1)), false},
		{call("subtract_int64", constant(math.MinInt64), size), false},
		{call("subtract_int64", constant(0), constant(math.MinInt64)), false},
		{call("multiply_int64", size, size), true},
		{call("multiply_int64", size, call("multiply_int64", size, size)), false},
		{call("multiply_int64", constant(math.MinInt64), constant(-1)), false},
		{call("negate_int64", constant(math.MinInt64)), false},
		{call("negate_int64", size), true},
		{call("add_int64", size, &prunecel.Expr{Op: prunecel.OpIdent, Name: "self"}), false},
		{call("divide_int64", size, constant(0)), false},
	} {
		if got := celrules.NeverOverflows(tt.e); got != tt.want {
			t.Errorf("%d: %s: %t, want %t", i, tt.e, got, tt.want)
		}
	}
}
