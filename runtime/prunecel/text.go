package prunecel

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Expressions and types have a form as text, in which generated code carries them:
//
//	(_&&_ (has self "replicas") (_<_ #less_int64 (. self "replicas") 10))
//	(object "replicas" int "names" (set string))
//
// A ? marks optional elements of lists, maps and messages, and types that may be null.

// String returns the text of an expression.
func (e *Expr) String() string { return string(e.append(nil)) }

func (e *Expr) append(b []byte) []byte {
	switch e.Op {
	case OpConst:
		return appendConst(b, e.Const)
	case OpIdent:
		return append(b, e.Name...)
	case OpSelect:
		b = e.Args[0].append(append(b, "(. "...))
		return append(strconv.AppendQuote(append(b, ' '), e.Name), ')')
	case OpHas:
		b = e.Args[0].append(append(b, "(has "...))
		return append(strconv.AppendQuote(append(b, ' '), e.Name), ')')
	case OpList:
		return e.appendArgs(append(b, "(list"...))
	case OpMap:
		return e.appendArgs(append(b, "(map"...))
	case OpMessage:
		return e.appendArgs(append(append(b, "(new "...), e.Name...))
	case OpFold:
		b = fmt.Appendf(b, "(fold %s", e.Var)
		if e.Var2 != "" {
			b = append(append(b, ','), e.Var2...)
		}
		return e.appendArgs(append(append(b, ' '), e.Accu...))
	}
	b = append(append(b, '('), e.Name...)
	if e.Overload != "" {
		b = append(append(b, " #"...), e.Overload...)
	}
	return e.appendArgs(b)
}

func (e *Expr) appendArgs(b []byte) []byte {
	for i, a := range e.Args {
		b = append(b, ' ')
		if e.isOptional(i) {
			b = append(b, '?')
		}
		b = a.append(b)
	}
	return append(b, ')')
}

// isOptional reports whether argument i begins an optional element.
func (e *Expr) isOptional(i int) bool {
	if e.Optional == nil {
		return false
	}
	if e.hasEntries() {
		return i%2 == 0 && e.Optional[i/2]
	}
	return e.Optional[i]
}

func appendConst(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case uint64:
		return append(strconv.AppendUint(b, v, 10), 'u')
	case float64:
		return append(strconv.AppendFloat(b, v, 'g', -1, 64), 'd')
	case string:
		return strconv.AppendQuote(b, v)
	case []byte:
		return strconv.AppendQuote(append(b, 'b'), string(v))
	case TypeValue:
		return append(append(b, ':'), v...)
	}
	panic(fmt.Sprintf("prunecel: a constant of type %T", v))
}

// String returns the text of a type.
func (t *Type) String() string { return string(t.append(nil)) }

var kindNames = [...]string{
	KindNone: "none", KindBool: "bool", KindInt: "int", KindDouble: "double", KindString: "string", KindBytes: "bytes", KindDuration: "duration",
	KindDate: "date", KindDateTime: "date-time", KindIntOrString: "int-or-string", KindObject: "object", KindMap: "map", KindOpaque: "opaque",
	KindList: "list", KindPreserved: "preserved",
}

func (t *Type) append(b []byte) []byte {
	if t.Nullable {
		b = append(b, '?')
	}
	switch t.Kind {
	case KindObject:
		b = append(b, "(object"...)
		for _, name := range sortedKeys(t.Fields) {
			b = strconv.AppendQuote(append(b, ' '), name)
			b = t.Fields[name].append(append(b, ' '))
		}
		return append(b, ')')
	case KindMap:
		return append(t.Elem.append(append(b, "(map "...)), ')')
	case KindNone:
		return append(strconv.AppendQuote(append(b, "(none "...), t.Name), ')')
	case KindList:
		switch t.List {
		case SetList:
			b = append(b, "(set "...)
		case MapList:
			b = append(b, "(list-map "...)
			for _, k := range t.Keys {
				b = append(strconv.AppendQuote(b, k), ' ')
			}
		default:
			b = append(b, "(list "...)
		}
		if t.Elem == nil {
			return append(b, "nothing)"...)
		}
		return append(t.Elem.append(b), ')')
	}
	return append(b, kindNames[t.Kind]...)
}

// ParseExpr returns the expression of a text.
func ParseExpr(text string) (*Expr, error) {
	p := parser{rest: text}
	e := p.expr()
	return e, p.end()
}

// parseType returns the type of a text.
func parseType(text string) (*Type, error) {
	p := parser{rest: text}
	t := p.typ()
	return t, p.end()
}

// parser reads texts. After the first error it reads nothing.
type parser struct {
	rest  string
	depth int // of the parentheses around what is read
	err   error
}

// maxTextDepth is how deep expressions and types are nested at most.
const maxTextDepth = 10_000

var errText = errors.New("not the text of an expression or a type")

// end returns the error, which may be that something follows.
func (p *parser) end() error {
	if p.next() != "" {
		p.fail()
	}
	return p.err
}

func (p *parser) fail() {
	if p.err == nil {
		p.err = fmt.Errorf("%w: %.40q", errText, p.rest)
	}
	p.rest = ""
}

// next returns the next token without taking it: a parenthesis, a ?, a text in quotes or a word. It is empty at the end.
func (p *parser) next() string {
	p.rest = strings.TrimLeft(p.rest, " \n\t")
	if p.rest == "" {
		return ""
	}
	switch c := p.rest[0]; {
	case c == '(' || c == ')' || c == '?':
		return p.rest[:1]
	case c == '"' || strings.HasPrefix(p.rest, `b"`):
		start := strings.IndexByte(p.rest, '"')
		quoted, err := strconv.QuotedPrefix(p.rest[start:])
		if err != nil {
			p.fail()
			return ""
		}
		return p.rest[:start+len(quoted)]
	}
	if end := strings.IndexAny(p.rest, " \n\t()"); end >= 0 {
		return p.rest[:end]
	}
	return p.rest
}

// take takes the next token.
func (p *parser) take() string {
	t := p.next()
	if t == "" {
		p.fail()
	}
	p.rest = p.rest[len(t):]
	return t
}

// accept takes the next token if it is t.
func (p *parser) accept(t string) bool {
	if p.next() != t {
		return false
	}
	p.take()
	return true
}

// expect takes the next token, which must be t.
func (p *parser) expect(t string) {
	if !p.accept(t) {
		p.fail()
	}
}

// quoted takes a text in quotes.
func (p *parser) quoted() string {
	s, err := strconv.Unquote(p.take())
	if err != nil {
		p.fail()
	}
	return s
}

// opens takes a parenthesis if one is next; closed is called at the other one.
func (p *parser) opens() bool {
	if !p.accept("(") {
		return false
	}
	if p.depth++; p.depth > maxTextDepth {
		p.fail()
	}
	return true
}

func (p *parser) closed() { p.depth-- }

func (p *parser) expr() *Expr {
	if !p.opens() {
		return p.atom()
	}
	defer p.closed()
	// The names of some operators begin with a token.
	e := &Expr{}
	switch head := p.take(); head {
	case ".", "has":
		e.Op = OpSelect
		if head == "has" {
			e.Op = OpHas
		}
		e.Args = []*Expr{p.expr()}
		e.Name = p.quoted()
		p.expect(")")
		return e
	case "list":
		e.Op = OpList
	case "map":
		e.Op = OpMap
	case "new":
		e.Op, e.Name = OpMessage, p.take()
	case "fold":
		e.Op = OpFold
		e.Var, e.Var2, _ = strings.Cut(p.take(), ",")
		e.Accu = p.take()
	default:
		e.Op, e.Name = OpCall, head
		if overload, ok := strings.CutPrefix(p.next(), "#"); ok {
			e.Overload = overload
			p.take()
		}
	}
	var optional []bool
	for p.err == nil && !p.accept(")") {
		optional = append(optional, p.accept("?"))
		e.Args = append(e.Args, p.expr())
	}
	if e.Op == OpFold && len(e.Args) != FoldResult+1 || e.hasEntries() && len(e.Args)%2 != 0 {
		p.fail()
		return e
	}
	if slices.Contains(optional, true) {
		e.Optional = optional
		if e.hasEntries() {
			e.Optional = nil
			for i := 0; i < len(optional); i += 2 {
				e.Optional = append(e.Optional, optional[i])
			}
		}
	}
	return e
}

// atom takes a constant or a variable.
func (p *parser) atom() *Expr {
	t := p.take()
	if t == "" || p.err != nil {
		return &Expr{}
	}
	constant := func(v any, err error) *Expr {
		if err != nil {
			p.fail()
		}
		return &Expr{Op: OpConst, Const: v}
	}
	switch c := t[0]; {
	case t == "null":
		return constant(nil, nil)
	case t == "true" || t == "false":
		return constant(t == "true", nil)
	case c == '"':
		s, err := strconv.Unquote(t)
		return constant(s, err)
	case c == 'b' && strings.HasSuffix(t, `"`):
		s, err := strconv.Unquote(t[1:])
		return constant([]byte(s), err)
	case c == ':':
		return constant(TypeValue(t[1:]), nil)
	case strings.HasSuffix(t, "u") && c <= '9':
		v, err := strconv.ParseUint(t[:len(t)-1], 10, 64)
		return constant(v, err)
	case strings.HasSuffix(t, "d") && c <= '9' || t == "NaNd":
		v, err := strconv.ParseFloat(t[:len(t)-1], 64)
		return constant(v, err)
	case c <= '9':
		v, err := strconv.ParseInt(t, 10, 64)
		return constant(v, err)
	}
	return &Expr{Op: OpIdent, Name: t}
}

func (p *parser) typ() *Type {
	t := &Type{Nullable: p.accept("?")}
	if !p.opens() {
		t.Kind = Kind(max(slices.Index(kindNames[:], p.take()), 0))
		switch t.Kind {
		case KindNone, KindObject, KindMap, KindList: // these have more to say
			p.fail()
		}
		return t
	}
	defer p.closed()
	switch p.take() {
	case "none":
		t.Name = p.quoted()
	case "object":
		t.Kind, t.Fields = KindObject, map[string]*Type{}
		for p.err == nil && p.next() != ")" {
			name := p.quoted()
			t.Fields[name] = p.typ()
		}
	case "map":
		t.Kind, t.Elem = KindMap, p.typ()
	case "list":
		t.Kind = KindList
		t.Elem = p.elem()
	case "set":
		t.Kind, t.List = KindList, SetList
		t.Elem = p.elem()
	case "list-map":
		t.Kind, t.List = KindList, MapList
		for strings.HasPrefix(p.next(), `"`) {
			t.Keys = append(t.Keys, p.quoted())
		}
		t.Elem = p.elem()
	default:
		p.fail()
	}
	p.expect(")")
	return t
}

// elem takes the type of the elements of a list, nil if they have none.
func (p *parser) elem() *Type {
	if p.accept("nothing") {
		return nil
	}
	return p.typ()
}
