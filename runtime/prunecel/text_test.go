package prunecel

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestTextsOfExpressionsAreReadBack(t *testing.T) {
	self := &Expr{Op: OpIdent, Name: "self"}
	constant := func(v any) *Expr { return &Expr{Op: OpConst, Const: v} }
	for _, e := range []*Expr{
		self, {Op: OpIdent, Name: "@result"}, {Op: OpIdent, Name: "u"}, {Op: OpIdent, Name: "d"}, {Op: OpIdent, Name: "b"}, {Op: OpIdent, Name: "Need"},
		constant(nil), constant(true), constant(int64(math.MinInt64)), constant(uint64(math.MaxUint64)), constant(1.0), constant(-1e300), constant(5e-324),
		constant(math.Inf(1)), constant(math.Inf(-1)),
		constant(""), constant("(a \"b\") ?\\\n\x00\u2028"), constant("null"), constant("\xff"), constant([]byte("\xff\"")), constant(TypeValue("google.protobuf.Duration")),
		{Op: OpSelect, Name: "__in__", Args: []*Expr{self}}, {Op: OpHas, Name: "a__dash__b", Args: []*Expr{self}},
		{Op: OpCall, Name: "_?._", Overload: "select_optional_field", Args: []*Expr{self, constant("x")}},
		{Op: OpCall, Name: "_[?_]", Args: []*Expr{self, constant(int64(0))}}, {Op: OpCall, Name: "_?_:_", Args: []*Expr{self, self, self}},
		{Op: OpCall, Name: "optional.none", Overload: "optional_none"}, {Op: OpCall, Name: "-_", Args: []*Expr{self}},
		{Op: OpList}, {Op: OpList, Args: []*Expr{self, constant(uint64(1))}, Optional: []bool{true, false}},
		{Op: OpMap}, {Op: OpMap, Args: []*Expr{self, self, constant("k"), self}, Optional: []bool{false, true}},
		{Op: OpMessage, Name: "google.protobuf.Int64Value"},
		{Op: OpMessage, Name: "google.protobuf.Duration", Args: []*Expr{constant("seconds"), self, constant("nanos"), self}, Optional: []bool{false, true}},
		{Op: OpFold, Var: "#unused", Accu: "x", Args: []*Expr{{Op: OpList}, self, constant(false), self, self}},
		{Op: OpFold, Var: "i", Var2: "v", Accu: "@result", Args: []*Expr{self, constant(int64(0)), constant(true), self, self}},
	} {
		text := e.String()
		got, err := ParseExpr(text)
		if err != nil || !reflect.DeepEqual(got, e) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

func TestTextsOfTypesAreReadBack(t *testing.T) {
	str := &Type{Kind: KindString}
	for _, typ := range []*Type{
		str, {Kind: KindDateTime, Nullable: true}, {Kind: KindIntOrString}, {Kind: KindPreserved}, {Kind: KindOpaque, Nullable: true}, {Kind: KindNone, Name: "a \"type\""},
		{Kind: KindObject, Fields: map[string]*Type{}}, {Kind: KindObject, Fields: map[string]*Type{"": str, "a)b": {Kind: KindInt, Nullable: true}}},
		{Kind: KindMap, Elem: str}, {Kind: KindList, Elem: str}, {Kind: KindList}, {Kind: KindList, List: SetList, Elem: str},
		{Kind: KindList, List: MapList, Keys: []string{"a", "b c"}, Elem: &Type{Kind: KindMap, Elem: str}}, {Kind: KindList, List: MapList, Elem: str},
	} {
		text := typ.String()
		got, err := parseType(text)
		if err != nil || !reflect.DeepEqual(got, typ) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

func TestOtherTextsAreErrors(t *testing.T) {
	for _, text := range []string{"", "(", ")", "(has self)", "(fold x)", `(map "a")`, `"a`, "1 2", "(_+_ 1", "12x", "(list ?)", "1.5", strings.Repeat("(f ", 20_000) + strings.Repeat(")", 20_000)} {
		if e, err := ParseExpr(text); err == nil {
			t.Errorf("%.40q: %v", text, e)
		}
	}
	for _, text := range []string{"", "?", "text", "(object a string)", "(list)", "(map string", "string string", "(set string string)",
		"map", "list", "object", "none", strings.Repeat("(list ", 20_000) + "string" + strings.Repeat(")", 20_000)} {
		if typ, err := parseType(text); err == nil {
			t.Errorf("%.40q: %v", text, typ)
		}
	}
}

// FuzzTexts reads hostile texts: what is read is written and read again the same.
func FuzzTexts(f *testing.F) {
	for _, text := range []string{
		`(_&&_ (has self "replicas") (_<_ #less_int64 (. self "replicas") 10))`, `(fold x,y @result (list ?1u -2.5d b"a") null true (map ?"a" :int) x)`,
		`(new google.protobuf.Int64Value "value" NaNd)`, `(object "replicas" int "names" ?(set string) "m" (list-map "a" (map (none "x"))))`, "((? (", `(fold ,b #c 1 2 3 4 5)`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if e, err := ParseExpr(text); err == nil {
			printed := e.String()
			again, err := ParseExpr(printed)
			if err != nil || again.String() != printed || !strings.Contains(printed, "NaN") && !reflect.DeepEqual(again, e) {
				t.Errorf("%q is read as %s and then as %v, %v", text, printed, again, err)
			}
		}
		if typ, err := parseType(text); err == nil {
			printed := typ.String()
			if again, err := parseType(printed); err != nil || !reflect.DeepEqual(again, typ) {
				t.Errorf("%q is read as %s and then as %v, %v", text, printed, again, err)
			}
		}
	})
}

func TestPartIsAnElementOfSplit(t *testing.T) {
	for _, s := range []string{"", "a", "a/b", "/", "a//b/", "äö/ü"} {
		for _, separator := range []string{"/", "//", "", "b"} {
			all := split(s, separator)
			for i := -1; i <= len(all); i++ {
				var r Reader
				got, want := r.Part(s, separator, int64(i)), any("")
				exists := i >= 0 && i < len(all)
				if exists {
					want = all[i]
				}
				if got != want || r.unsure == exists {
					t.Errorf("Part(%q, %q, %d) = %q, unsure %t, want %q", s, separator, i, got, r.unsure, want)
				}
			}
		}
	}
}
