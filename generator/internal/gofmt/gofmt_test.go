package gofmt

import (
	"go/format"
	"strings"
	"testing"
)

// unformatted are functions and other declarations, as jennifer writes them and as it could.
var unformatted = []string{
	`
// pruneFoo prunes Foo objects. Unspecified fields are dropped.
func pruneFoo (v any,rec * pruneimpl.Recorder) (n int) {
obj,ok := v .(map[string] any)
if ! ok {
return pruneimpl.PruneLeaf (v,rec)
}
known := 0
if v,ok := obj ["spec"];v != nil {
n += rec . Field ("spec",pruneFooSpec (v,rec))
known ++
} else if ok {
delete(obj,"spec")
} else {
left --
}
if known < len(obj) {
n += pruneimpl.DropUnknown (obj,rec,
 "a",
 "b",
)
}
return n
}
`, `
// scanFoo prunes
// .spec.foo of Foo objects.
func scanFoo (s * prunejson.Scanner,p prunejson.Pos) prunejson.Pos {
k,p,ok := s . Object (p) 
 if ! ok {
return s . Leaf (p)
}
for k [0] == '"' {
switch  {
case string (k [:12]) == ` + "`\"audiences\":`" + `: 
k,p = s . LeafField (p + 12)
case 
 "a",
 "b": 
k,p = s . Next (s . Keep (p + 7,x * y + 1))
case "c","d": 
switch x {
case 1,- 2,1.5e+06:
fallthrough
default :
break
}
default: 
k,p = s . Drop (k,p)
continue
}
}
return s . Close (p + - 1 ,& x [i + 1:],* y,a && (b || ! c),x << 2 | 1,f (x) [i + 1 : j - 1])
}
`,
	"func empty () {\n}\n",
	"func oneLine () { return }\n",
	"func one () int { return 1 }\nfunc two () int { return 2 }\n",
	"func one () {\n}\nfunc two () {\n}\n",
	"\nfunc one () {\n}\n\nfunc two () {\n}\n\n\n\n// three\nfunc three () {\n}\n",
	"var x = 1\nvar long = 2\n",
	"var x = T {\nA : 1,\nLong : 2,\n}\n\n// f does.\nfunc f () {\nx ++\n}\n\nvar y = 2\n",
	"func f () {\n\nx := 1\n\n\ny := 2\n\n}\n",
	"func f () {\nx := 1\n}\n",
	"func f () {\n// why\nx := 1\n}\n",
	"func f () {\n// why\nx := 1\nif x {\n// because\n}\n}\n",
	"func f () {\nx := 1 // one\nlonger := 2 // two\n}\n",
	"func f () {\nx := T {\nA : 1,\nLong : 2,\n}\n}\n",
	"func f () {\nx := []string {\n\"a\",\n\"b\",\n}\n}\n",
	"func f () {\nfor _,x := range []string {\n\"a\",\n\"b\",\n} {\nx ++\n}\n}\n",
	"func f () {\nx := func () int {\nreturn 1\n}\ng(func () { x() })\n}\n",
	"func f () {\ng (func () { x () })\n}\n",
	"func f () {\ng (func () { " + strings.Repeat("x", 120) + " () })\n}\n",
	"func f () {\nx := `a\n b\n`\n}\n",
	"func f () {\nx := 1 + 2\n}\n",
	"func f () {\nx := 0X1F + 1E5\n}\n",
	"func f () {\nx := 0X1F + 1E5 + 0b1 + 1i\n}\n",
	"func f () {\nx := 0x1e- 5\n}\n",
	"func f () {\nagain :\nfor {\ncontinue again\n}\n}\n",
	"func f () {\nselect {\ncase x := <- c:\nx ++\ndefault:\n}\n}\n",
	"func f () {\nif (x) {\ny ++; z ++\n}\n}\n",
	"func f () {\ng (a,\nb)\ng (\na,\nb,\n)\n}\n",
	"func f () {\ng (a,\n\"b\",\n\"c\")\n}\n",
	"func f () {\ng (a,\n\"b\",\n)\n}\n",
	"func f () {\ng (a,\n)\n}\n",
	"func f () {\nswitch x {\ncase\n\"a\",\n\"b\":\n}\n}\n",
	"func f () {\nswitch x {\ncase\n\"b\":\n}\n}\n",
	"func f () {\nx := a +\nb\n}\n",
	"func f () {\nx := g (a,b,)\n}\n",
	"func f () {\nx := g (\"\\\"\",'\"','\\'',`\\`)\n}\n",
	"func f () {\nx := a&^b & ^c - - d\n}\n",
	"func (r * T) m (a,b int,c ... string) (x,y int) {\nreturn a,b\n}\n",
	"func f [T any] (x T) {\nx . y [int] ()\n}\n",
	"func f () {\ndefer g ()\ngo h ()\n}\n",
	"func f () {\nvar x int\nvar long string\nconst c = 1\ntype t int\n}\n",
	"func f () {\nswitch x := y .(type) {\ncase nil,* T,[] int:\n}\n}\n",
	"func f () {\ncase1 := 1\n}\n",
	"// A list:\n// - one\n// - two\nfunc f () {\n}\n",
	"// Code:\n//  x := 1\nfunc f () {\n}\n",
	"// # Heading\n//\n// text\nfunc f () {\n}\n",
	"// quoted ``x'' here\nfunc f () {\n}\n",
	"//no space\nfunc f () {\n}\n",
	"//go:noinline\nfunc f () {\n}\n",
	"// f does.   \nfunc f () {   \nx  :=   1  \n}   \n",
	"/* block */\nfunc f () {\n}\n",
	"// floating\n\nfunc f () {\n}\n\n// at the end\n",
	"func f () {\n\tx:=1\n}\n",
	"func größe (ä int) {\nä ++\n}\n",
}

const someClause = "package p\n\nimport (\nb \"y\"\n\"x\"\n)\n\n"

// What is learnt of one source formats all others as go/format does.
func TestSourceIsFormattedAsGoDoes(t *testing.T) {
	l := &learnt{lines: map[string][]byte{}}
	for round := range 2 {
		for _, text := range unformatted {
			wantFormatted(t, l, someClause+text)
			wantFormatted(t, l, someClause+text+"\n"+text)
			wantFormatted(t, l, "package p\n"+text)
			wantFormatted(t, l, someClause+unformatted[0]+text+unformatted[1])
		}
		if len(l.lines) < 45 {
			t.Errorf("only %d lines are learnt in round %d", len(l.lines), round)
		}
	}
}

// wantFormatted fails if a source is formatted, and not as go/format does it. A mistake in a name or literal is for the
// compiler to find.
func wantFormatted(t *testing.T, l *learnt, source string) {
	t.Helper()
	got, ok := l.file([]byte(source), 0)
	want, err := format.Source([]byte(source))
	if ok && err == nil && string(got) != string(want) {
		t.Errorf("--- source\n%s\n--- have\n%s\n--- want\n%s", source, got, want)
	}
}

// A function whose lines are known needs nothing else, whatever is named in it.
func TestKnownLinesAreFormattedWithoutGo(t *testing.T) {
	l := &learnt{lines: map[string][]byte{}}
	for _, text := range unformatted[:2] {
		other := strings.NewReplacer("Foo", "Other", `"a"`, `"another \" one"`, "known", "k", "12", "7", "audiences", "x").Replace(text)
		for pass, source := range []string{text, other} {
			for d := range declarations([]byte(source), 0) {
				if !d.plain {
					t.Errorf("not a plain function: %s", source)
				}
				if _, ok := l.function(nil, d); ok != (pass == 1) {
					t.Errorf("in pass %d all lines are known: %v", pass+1, ok)
				}
			}
			wantFormatted(t, l, "package p\n"+source)
		}
	}
}

func TestFormattingStillFindsMistakes(t *testing.T) {
	const bad = "package p\n\nfunc f () {\nx := := 1\n}\n"
	_, want := format.Source([]byte(bad))
	if _, err := Source([]byte(bad), ""); err == nil || err.Error() != want.Error() {
		t.Errorf("have %v, want %v", err, want)
	}
}

// The comments above the package clause are not looked into.
func TestThePreambleIsLeftToGo(t *testing.T) {
	const licence = "/*\nA licence.\n*/"
	if _, ok := known.file([]byte(licence+"\n\npackage p\n"+unformatted[0]), len(licence)); !ok {
		t.Error("below a licence, nothing is formatted line by line")
	}
	for _, preamble := range []string{
		"/*\nfunc f () {\nx ++\n}\n*/", "// A comment.\n\n// Another one.\n// It goes on.", "// A comment.\n\n\n\n// Another one.",
		"// A comment.  \n// Another line.", "//  An indented one.", "//go:build linux", "// A comment.\n\n//go:build linux && ! x\n\n// About this.",
		"// +build linux", "", "// quoted ``here''", "// A list:\n//  - one\n//  - two", "/* short */", "// A comment.\n", "// A\r",
	} {
		for _, clause := range []string{"\n\npackage p\n", "\npackage p\n", "\n\n\npackage  p\n", "\n\n" + someClause, "\n\npackage p\n\nimport \"x\"\nimport ( \"z\" ; \"y\" )\n"} {
			for _, text := range []string{unformatted[0], "\nvar x = 1\n" + unformatted[1], "", "\nvar x = 1\n"} {
				source := preamble + clause + text
				want, wantErr := format.Source([]byte(source))
				for range 2 {
					if got, err := Source([]byte(source), preamble); (err != nil) != (wantErr != nil) || err == nil && string(got) != string(want) {
						t.Errorf("%v\n--- source\n%s\n--- have\n%s\n--- want\n%s", err, source, got, want)
					}
				}
			}
		}
	}
}

// Whatever the source is: if it has no mistakes, it is formatted as go/format does it.
func FuzzFormat(f *testing.F) {
	for _, text := range unformatted {
		f.Add(text)
	}
	l := &learnt{lines: map[string][]byte{}}
	f.Fuzz(func(t *testing.T, text string) {
		for range 2 {
			wantFormatted(t, l, "package p\n"+text)
		}
	})
}
