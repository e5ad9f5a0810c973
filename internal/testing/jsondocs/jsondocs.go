// Package jsondocs has JSON texts of every odd form, valid and invalid, to test whatever reads JSON.
package jsondocs

import (
	"fmt"
	"slices"
	"strings"
)

// Text is a JSON text, or one that nearly is.
type Text struct {
	Name  string
	JSON  string
	Valid bool // by RFC 8259, with nesting up to 10,000 levels
}

// Sample is a document with something of everything. Truncated has it cut off at every byte.
const Sample = `{ "apiVersion" : "example.com/v1",` + "\r\n\t" + `"kind":"Widget","metadata":{"name":"a\u00e4\n","labels":{}},
"spec":{"name":"x","count":-12.50e+3,"on":true,"off":false,"none":null,"steps":[{"run":"é\ud83d\ude00"},[],[1 , 2]],
"\u0073pec":{"name":"y","name":"z"}},"unknown":{"a":[{"b":"\"\\\/\b\f"}],"c":0}} `

// All returns all texts, as values of any type.
func All() []Text {
	var all []Text
	for _, group := range []struct {
		name  string
		valid bool
		texts []string
	}{
		{"value", true, values},
		{"number", true, numerals},
		{"wrong number", false, wrongNumbers},
		{"string", true, texts},
		{"wrong string", false, wrongTexts},
		{"word", false, words},
		{"object", true, objects},
		{"wrong object", false, wrongObjects},
		{"list", true, lists},
		{"wrong list", false, wrongLists},
		{"blanks", true, blanks},
		{"wrong blanks", false, wrongBlanks},
		{"ending", false, endings},
	} {
		for i, text := range group.texts {
			all = append(all, Text{fmt.Sprintf("%s %d", group.name, i), text, group.valid})
		}
	}
	return slices.Concat(all, controls(), bytesOutside(), Truncated(), deep(), long())
}

// Truncated returns Sample cut off at every byte.
func Truncated() []Text {
	var all []Text
	end := strings.LastIndexByte(Sample, '}') + 1 // only blanks follow
	for i := range len(Sample) + 1 {
		all = append(all, Text{fmt.Sprintf("sample cut off at %d", i), Sample[:i], i >= end})
	}
	return all
}

var values = []string{
	`null`, `true`, `false`, `0`, `""`, `"a"`, `{}`, `[]`,
	`[null,true,false,0,"",{},[]]`, `{"a":null,"b":true,"c":false,"d":0,"e":"","f":{},"g":[]}`,
}

var numerals = []string{
	`0`, `-0`, `1`, `-1`, `10`, `1234567890`, `-9`,
	`9223372036854775807`, `-9223372036854775808`, // the ends of int64
	`9223372036854775808`, `-9223372036854775809`, `18446744073709551615`, `18446744073709551616`,
	`9007199254740993`, `100000000000000000000000000000000000000000`,
	`0.0`, `-0.0`, `0.1`, `1.0`, `1.10`, `123.456`, `0.00000000000000000000000000000000000001`,
	`0e0`, `0E0`, `0e+0`, `0e-0`, `-0e-0`, `1e1`, `1E1`, `1e+1`, `1E-1`, `1e01`, `1e0000000001`, `1.5e10`, `-1.5E-10`, `0.1e1`,
	`1e308`, `1.7976931348623157e308`, `5e-324`, `1e-400`, `1e0`, `10e-1`, `12E2`,
	`1e309`, `-1e309`, `1e99999`, `1e-99999`, `1e9223372036854775808`, // too large or too small for a float64
	`3.141592653589793238462643383279502884197169399375105820974944592307816406286208998628034825342117067982148086513`,
}

var wrongNumbers = []string{
	`00`, `01`, `-00`, `-01`, `007`, `1_000`, `1,000`, `+1`, `++1`, `--1`, `-`, `+`, `- 1`, `-a`, `-"1"`,
	`.`, `.1`, `-.1`, `1.`, `-1.`, `0.`, `1.e1`, `.e1`, `1..2`, `1.2.3`, `1. 2`, `1 .2`, `1.-2`, `1.+2`,
	`e`, `E1`, `1e`, `1E`, `1e+`, `1e-`, `1E+`, `1e1.5`, `1e1e1`, `1e 1`, `1 e1`, `1e+-1`, `1e++1`, `0e`, `0e+`, `0.e`, `0.0e`,
	`0x`, `0x1`, `0X1F`, `0b1`, `0o7`, `1f`, `1d`, `1L`, `1n`, `1a`, `1e1x`, `12three`,
	`NaN`, `nan`, `-NaN`, `Infinity`, `-Infinity`, `Inf`, `-Inf`, `inf`, `1/2`, `1:2`, `1-2`, `1+2`, `1-`, `1+`, `0-1`,
	"１", "-１", "1\u00a0", "\u0661", "1\u2028", `1\u0030`, `\u0031`, "1\x00", "1\x01", "1\xff",
	`123456789012345678901234567890.`, `99999999999999999999e`,
}

var texts = []string{
	`"a"`, `" "`, `"abcdefg"`, `"abcdefgh"`, `"abcdefghi"`, `"abcdefghijklmno"`, `"abcdefghijklmnop"`, // around whole words
	`"\""`, `"\\"`, `"\/"`, `"\b"`, `"\f"`, `"\n"`, `"\r"`, `"\t"`, `"\"\\\/\b\f\n\r\t"`, `"/"`, `"\\\\"`, `"\\\""`, `"\\n"`, `"\\u0000"`,
	`"\u0000"`, `"\u0022"`, `"\u005C"`, `"\u005c"`, `"\u002f"`, `"\u0041"`, `"\u00e4"`, `"\u00E4"`, `"\uFFFD"`, `"\uffff"`, `"\ufeff"`,
	`"\u2028"`, `"\u2029"`, `"\u007f"`, `"\u0080"`, `"\uabcd\uEF01"`, `"\u12345"`, `"\uFDD0"`, `"\u0001\u001f"`,
	`"\ud83d\ude00"`, `"\uD83D\uDE00"`, `"\ud800\udc00"`, `"\udbff\udfff"`, `"x\ud83d\ude00y"`,
	`"\ud83d"`, `"\ude00"`, `"\ud83dx"`, `"\ud83d\n"`, `"\ud83d\u0041"`, `"\ud83d\ud83d\ude00"`, `"\ude00\ud83d"`, `"\ud83d\\ude00"`,
	`"\ud800\ud800"`, `"\udfff\udfff"`, `"\ud83d "`, // half of a pair, and pairs the wrong way round
	"\"\x7f\"", "\"\u0080\"", "\"ä\"", "\"é\"", "\"e\u0301\"", "\"€\"", "\"😀\"", "\"\u2028\u2029\"", "\"\ufeff\"", "\"\ufffd\"", "\"\uffff\"", "\"\U0010ffff\"",
	"\"\u200b\u202e\"", "\"漢字かな\"", "\"abcdefgä\"", "\"abcdefä\"", "\"\u00a0\"",
	`"//"`, `"/*"`, `"{"`, `"}"`, `"["`, `"]"`, `","`, `":"`, `"null"`, `"1"`, `"'"`, "\"`\"", `"<script>&"`, `"$ref"`, `"%s%d"`,
}

var wrongTexts = []string{
	`"`, `"a`, `a"`, `""a`, `"a""`, `"""`, `"a" "b"`, `""""`, `'a'`, `'`, "`a`", `“a”`, `a`, `\"a\"`, `\`, `"\`, `"\"`, `"\\\"`, `"a\`, `"abcdefgh`, `"abcdefgh\`,
	`"\a"`, `"\v"`, `"\0"`, `"\1"`, `"\x41"`, `"\e"`, `"\'"`, `"\ "`, `"\B"`, `"\N"`, `"\U0041"`, `"\U00000041"`, `"\,"`, `"\}"`, `"\u"`, `"\u1"`, `"\u12"`, `"\u123"`,
	`"\u123`, `"\u12G4"`, `"\uG123"`, `"\u123g"`, `"\u 123"`, `"\u+123"`, `"\u-123"`, `"\u{41}"`, `"\u0x41"`, `"\u00"41"`, `"\u004"1"`, `"\ud83d\u"`, `"\ud83d\ude0"`,
	`"\ud83d\u00g0"`, `"\ud83d\x"`, `"\ud83d\`, `"\ud83d\u`, "\"\\\n\"", "\"\\\x00\"", "\"\\ä\"", "\"\\\xff\"", "\"\\u00\xff0\"", "\"\\u\u0661\u0661\u0661\u0661\"",
	"\"a\nb\"", "\"\n", "\"\r\n\"", "\"a\tb\"", "\"\x00\"", "\"abcdefg\x00\"", "\"abcdefgh\x1f\"", "\"\x1f\"", "\"\x1b[31m\"", "\"\xff", "\"\xc3", "\"ä",
}

var words = []string{
	`nul`, `nulll`, `Null`, `NULL`, `nil`, `none`, `None`, `undefined`, `tru`, `truee`, `True`, `TRUE`, `t`, `n`, `f`, `fals`, `falsee`, `False`, `FALSE`, `yes`, `no`, `on`,
	`true false`, `truefalse`, `nullnull`, `true1`, `1true`, `null"a"`, `"a"null`, `nu ll`, "nu\nll", "tru\xc3\xa9", "nul\x00", `n\u0075ll`, `nul}`, `fal]`, `t,`, `a`, `$`, `@`, `#`, `&`, `*a`, `~`, `!`, `|`, `-- a`, `? a`, `%YAML 1.2`, `---`, `<a/>`,
}

var objects = []string{
	`{}`, `{ }`, "{\n}", `{"a":1}`, `{ "a" : 1 }`, "{\t\"a\"\r:\n1 }", `{"a":1,"b":2}`, `{"a":1 , "b":2}`, `{"a":{}}`, `{"a":{"b":{"c":{}}}}`, `{"a":[]}`, `{"a":[{"b":[]}]}`,
	`{"":1}`, `{"":{"":{"":null}}}`, `{" ":1}`, `{"a b":1}`, `{"a.b":1}`, `{"[0]":1}`, `{"a\nb":1}`, `{"\"":1}`, `{"\\":1}`, `{"\u0000":1}`, `{"{":"}"}`, `{"}":"{"}`, `{":":":"}`, `{",":","}`, `{"null":null}`,
	`{"a":1,"a":1}`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"a":{"b":1},"a":{"c":2}}`, `{"a":{"b":1,"b":2},"a":{"b":3,"b":4}}`, `{"a":{},"a":null,"a":[]}`, `{"":1,"":2}`, `{"a":[{"b":1,"b":2},{"b":1,"b":2}]}`,
	`{"A":1,"a":2}`, `{"ä":1,"\u00e4":2}`, `{"a":1,"b":2,"a":3,"b":4,"a":5}`, `{"a":[1,{"a":1,"a":1}],"a":[]}`, `{"a.b":1,"a.b":2,"a":{"b":1,"b":2}}`,
	"{\"\xff\":1}", "{\"\xff\":1,\"\xfe\":2}", "{\"\xff\":1,\"\ufffd\":2,\"\\ufffd\":3,\"\\ud800\":4}", "{\"a\xffb\":1}", "{\"\xc3\":1,\"\xc3\xa4\":2}", "{\"\xed\xa0\x80\":1}", "{\"😀\":1,\"\\ud83d\\ude00\":2}",
	"{\"\\ud83d\":1,\"\\ud83d\\ud83d\":2}", `{"\ud800\u0061":1}`, `{"a":"b","c":[{"d":"e"},"f",1.5e3,null,true]}`, `{"__proto__":{},"constructor":{}}`,
	`{"\u0073pec":{"name":1}}`, `{"spe\u0063":{}}`, `{"spec":{},"\u0073\u0070\u0065\u0063":{"x":1}}`, `{"\/":1}`, "{\"a\" \n:1}", "{\"spec\"\t:{}}", "{\n\"a\"\n:\n1\n,\n\"b\"\n:\n2\n}",
}

var wrongObjects = []string{
	`{`, `}`, `{}}`, `{{}`, `{{}}`, `{]`, `{[}`, `{[]}`, `{1}`, `{1:2}`, `{a:1}`, `{'a':1}`, `{null:1}`, `{true:1}`, `{"a"}`, `{"a":}`, `{"a":,}`, `{"a" 1}`, `{"a"1}`, `{"a"::1}`, `{"a"=1}`, `{"a"=>1}`, `{"a",1}`, `{"a";1}`, `{:1}`, `{:}`, `{"a":1:2}`,
	`{"a":1,}`, `{,"a":1}`, `{,}`, `{"a":1,,"b":2}`, `{"a":1 "b":2}`, `{"a":1"b":2}`, `{"a":1;"b":2}`, `{"a":1,"b"}`, `{"a":1,"b":}`, `{"a":1,b:2}`, `{"a":1,2}`, `{"a":1,{}}`, `{"a":1,[]}`, `{"a":1,null}`, `{"a":1]`, `{"a":[1}`, `{"a":{"b":1}`, `{"a":{"b":1]}`, `{"a":1}}`, `{"a":1}]`,
	`{"a`, `{"a"`, `{"a":`, `{"a": `, `{"a":1`, `{"a":1,`, `{"a":1, `, `{"a":1,"`, `{"a":"`, `{"a":"b`, `{"a":"b"`, `{"a":n`, `{"a":-`, `{"a":[`, `{"a":{`, `{"\`, `{"\u`, `{"\u0`, `{"\u006`, `{"\u0061`, `{"\q":1}`, `{"\u00zz":1}`, "{\"\n\":1}", "{\"a\x00\":1}",
	`{"a":1}{}`, `{"a":1} {"b":2}`, `{"a":1},`, `{"a":1};`, `{"a":1}x`, `{"a":1}"`, `{/**/}`, `{"a"/**/:1}`, `{"a":1//}`, `{#}`, `{...}`, `{"a":1 /* b */}`, `{"a":@}`, `{"a":'b'}`, `{"a":"b'}`, `{"a":"b}`, `{"a":.5}`, `{"a":01}`, `{"a":+1}`, `{"a":tru}`, `{"a":nul}`, `{"a":undefined}`, `("a":1)`,
	"{\"a\":\x00}", "{\x00}", "{\"a\"\x00:1}", "{\"a\":1\x00}", "{\"a\":1,\x00\"b\":2}", "{\xff}", "{\"a\":\xff}", "{\u00a0}", "{\"a\"\u00a0:1}", "\ufeff{}", "{\ufeff\"a\":1}", "{\"a\":1}\ufeff", "{\v}", "{\"a\":\f1}",
	`x"a":1}`, `{x"a":1}`, `{"a":1,x"b":2}`, `{"a"x:1}`, `{"a":x1}`, `{"a":1x}`, `{"a":1x,"b":2}`, `{"a":"b"x}`, `{"a":{}x}`, `{"a":[]x}`, `{"a":nullx}`, `{""a":1}`, `{"a"":1}`, `{"a":""b"}`,
}

var lists = []string{
	`[]`, `[ ]`, "[\n]", `[1]`, `[ 1 ]`, `[1,2]`, `[1 , 2]`, `[[]]`, `[[],[]]`, `[[[[]]]]`, `[{}]`, `[{},{}]`, `[null]`, `[""]`, `["",""]`, `[1,"a",null,true,[],{}]`, "[\t1\r,\n2 ]", `[{"a":[{"a":[]}]}]`, `[-1,-0,1e5]`, `["]"]`, `["[","]"]`, `[[1],[2,[3]]]`, `[{"a":1},{"a":1}]`,
}

var wrongLists = []string{
	`[`, `]`, `[]]`, `[[]`, `[}`, `[{]`, `[{]}`, `[,]`, `[1,]`, `[,1]`, `[1,,2]`, `[1 2]`, `[1;2]`, `["a" "b"]`, `["a""b"]`, `[1"a"]`, `[1,`, `[1`, `[ `, `["`, `["a`, `["a"`, `["a",`, `[{`, `[{}`, `[{},`, `[[`, `[[]`, `[[],`, `["a":1]`, `[a]`, `['a']`, `[1:2]`, `[:]`, `[1}`, `[{"a":1]]`, `[1]2`, `[1],`, `[1],[2]`, `[1][2]`, `[] []`, `[]{}`, `[]x`, `[...]`, `[/**/]`, `[1/**/]`, `[1//]`, `(1)`, `<1>`,
	"[\x00]", "[1\x00]", "[1,\x00]", "[\xff]", "[\u00a0]", "[\ufeff]", "[\v]", "[\f1]", "[1\u2028]", `[-]`, `[+1]`, `[.1]`, `[1.]`, `[1e]`, `[01]`, `[tru]`, `[nul,1]`, `[NaN]`, `["\q"]`, `["\u12"]`, "[\"\n\"]", `[],`, `[,[]]`, `[[],]`, `[[]1]`, `[[]"a"]`, `[{}1]`, `[null1]`, `[1null]`,
}

var blanks = []string{
	" 1", "1 ", "\t1", "1\t", "\n1", "1\n", "\r1", "1\r", " \t\r\n1 \t\r\n", "\n\n\n\n\n\n\n\n\n\n1", "          {}          ", "\r\n{\r\n\"a\"\r\n:\r\n1\r\n}\r\n", " [ 1 , 2 ] ", "{\"a\":          1          ,          \"b\"          :          2          }",
	"{\n  \"a\": {\n    \"b\": [\n      1,\n      2\n    ]\n  }\n}\n", "{\n\t\"a\": [],\n\t\"b\": {}\n}",
}

var wrongBlanks = []string{
	"", " ", "\n", "\t\r\n ", "\x00", "\x00{}", "{}\x00", "\v1", "1\v", "\f1", "1\f", "\b1", "\x1a1", "1\x1a", "\x7f1", "\u00a01", "1\u00a0", "\u00851", "\u16801", "\u20001", "\u20031", "1\u2028", "1\u2029", "\u202f1", "\u30001", "\ufeff1", "1\ufeff", "\ufeff", "\ufeff{\"a\":1}", "\xfe\xff\x00{\x00}", "\xff\xfe{\x00}\x00", "\x1e{}\n", "{}\x04", "\xc2 1", "\xa01", "\x851", " \x00 ", "//\n1", "/* */1", "1//", "1/* */", "#\n1", "1#", "\\n1", "&nbsp;1",
}

var endings = []string{
	`{}{}`, `{} {}`, `{}[]`, `{}1`, `{}"a"`, `{}null`, `{},`, `{}:`, `{};`, `{}.`, `{}}`, `{}]`, `{})`, `{}/`, "{}\x01", "{}\xff", "{}\xc3\xa4", `1 2`, `1,2`, `"a","b"`, `null,`, `true:`, `[]]`, `[],`, `"a":1`, `"a"}`, `"a"]`, `"a"],"b":2`, `1}`, `1]`, `null}`, `true]`, `{"a":1}}`, `{"a":1}"b":2}`, `{"a":1},"b":2`, `1,"b":2`, `[1],2]`, "{}\n{}", "1\n2", "{}\n\x00", "{}          x",
}

// controls returns strings with each control character as it is, which must not be.
func controls() []Text {
	var all []Text
	for c := range byte(0x20) {
		all = append(all,
			Text{fmt.Sprintf("control character %#02x in a string", c), fmt.Sprintf("\"a%cb\"", c), false},
			Text{fmt.Sprintf("control character %#02x in a key", c), fmt.Sprintf("{\"a%cb\":1}", c), false},
			Text{fmt.Sprintf("control character %#02x in a long string", c), fmt.Sprintf("\"0123456789abcdef0123456789abcdef%c\"", c), false},
			Text{fmt.Sprintf("control character %#02x behind a backslash", c), fmt.Sprintf("\"\\%c\"", c), false},
			Text{fmt.Sprintf("escaped control character %#02x", c), fmt.Sprintf(`{"\u%04x":"\u%04X"}`, c, c), true},
			Text{fmt.Sprintf("control character %#02x between values", c), fmt.Sprintf("[1,%c2]", c), strings.ContainsRune("\t\n\r", rune(c))},
		)
	}
	return all
}

// bytesOutside returns texts with bytes that are not ASCII. Any of them are valid in strings.
func bytesOutside() []Text {
	var all []Text
	for _, b := range []string{
		"\x80", "\xbf", "\xc0", "\xc1", "\xc2", "\xf5", "\xfe", "\xff", // alone
		"\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xf0\x80\x80\x80", // longer than they need be
		"\xed\xa0\x80", "\xed\xbf\xbf", "\xed\xa0\xbd\xed\xb8\x80", // surrogates
		"\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xfc\x84\x80\x80\x80\x80", // beyond Unicode
		"\xe2\x82", "\xf0\x9f\x98", "\xc3", "\xe2", "\xf0\x9f", // cut off
		"ä\xff", "\xffä", "\x80\x80\x80\x80\x80\x80\x80\x80\x80", "abcdefg\x80", "abcdefgh\x80",
	} {
		all = append(all,
			Text{fmt.Sprintf("bytes %x in a string", b), `"` + b + `"`, true},
			Text{fmt.Sprintf("bytes %x in a key", b), `{"` + b + `":"` + b + `"}`, true},
			Text{fmt.Sprintf("bytes %x before a quote", b), `{"a` + b + `\"":1}`, true},
			Text{fmt.Sprintf("bytes %x outside of strings", b), `{"a":` + b + `}`, false},
			Text{fmt.Sprintf("bytes %x behind a backslash", b), `"\` + b + `"`, false},
		)
	}
	return all
}

// deep returns texts nested as deep as is allowed, and deeper.
func deep() []Text {
	var all []Text
	for _, n := range []int{63, 64, 65, 128, 9_998, 9_999, 10_000, 10_001, 10_002} {
		for _, form := range []struct {
			name, open, close string
			levels            int // that open opens
			inside            int // levels below those, on each of them
		}{
			{"lists", "[", "]", 1, 0},
			{"objects", `{"a":`, "}", 1, 0},
			{"objects in lists", `[{"a":`, "}]", 2, 0},
			{"lists in objects", `{"a":[`, "]}", 2, 0},
			{"lists with elements", "[1, [] ,", "]", 1, 1},
			{"objects with members", `{"x":[],"spec" : `, `,"y":{}}`, 1, 1},
		} {
			times := n / form.levels
			text := strings.Repeat(form.open, times) + "1" + strings.Repeat(form.close, times)
			all = append(all, Text{fmt.Sprintf("%d levels of %s", n, form.name), text, times*form.levels+form.inside <= 10_000})
		}
		all = append(all,
			Text{fmt.Sprintf("%d [ and nothing else", n), strings.Repeat("[", n), false},
			Text{fmt.Sprintf("%d { with keys and nothing else", n), strings.Repeat(`{"a":`, n), false},
			Text{fmt.Sprintf("%d [ one of which is closed wrongly", n), strings.Repeat("[", n) + strings.Repeat("]", n-1) + "}", false},
			Text{fmt.Sprintf("%d [ closed once too often", n), strings.Repeat("[", n) + strings.Repeat("]", n+1), false},
		)
	}
	return all
}

// long returns texts with long strings, numerals and blanks in them.
func long() []Text {
	var all []Text
	for _, n := range []int{7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1000, 20_000} {
		x := strings.Repeat("x", n)
		for _, t := range []Text{
			{"string", `"` + x + `"`, true},
			{"string with an escape at the end", `"` + x + `\n"`, true},
			{"string with an escape at the start", `"\n` + x + `"`, true},
			{"string of escapes", `"` + strings.Repeat(`\u00e4`, n) + `"`, true},
			{"string of backslashes", `"` + strings.Repeat(`\\`, n) + `"`, true},
			{"string of backslashes, one too many", `"` + strings.Repeat(`\\`, n) + `\"`, false},
			{"string that does not end", `"` + x, false},
			{"string that ends with a line", `"` + x + "\n\"", false},
			{"key", `{"` + x + `":1}`, true},
			{"keys that are the same", `{"` + x + `":1,"` + x + `":2}`, true},
			{"key with an escape", `{"\u0061` + x + `":1}`, true},
			{"integer", strings.Repeat("1", n), true},
			{"fraction", "0." + strings.Repeat("1", n), true},
			{"exponent", "1e" + strings.Repeat("0", n) + "1", true},
			{"leading zeros", strings.Repeat("0", n), false},
			{"blanks", "{" + strings.Repeat(" ", n) + "\"a\"" + strings.Repeat("\n", n) + ":" + strings.Repeat("\t", n) + "1" + strings.Repeat("\r", n) + "}", true},
			{"list", "[" + strings.Repeat("0,", n) + "0]", true},
			{"list with a comma at the end", "[" + strings.Repeat("0,", n) + "]", false},
			{"list of lists", "[" + strings.Repeat("[],", n) + "[]]", true},
			{"object", "{" + strings.Repeat(`"a":{},`, n) + `"b":1}`, true},
		} {
			all = append(all, Text{fmt.Sprintf("%s of %d", t.Name, n), t.JSON, t.Valid})
		}
	}
	return all
}
