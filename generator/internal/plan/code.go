package plan

// Code is Go code that evaluates a rule, with all decisions made: emitters print it.
type Code []Stmt

// Stmt is a statement.
type Stmt interface{ stmt() }

type (
	// Let is a, b := value.
	Let struct {
		Names []string
		Value GoValue
	}
	// Must is name, ok := value, followed by code for a value that is not ok: if !ok { otherwise }, or if err != nil { otherwise } where
	// the name of Ok is err. No other statement refers to Ok.
	Must struct {
		Name      string
		Ok        Name
		Value     GoValue
		Otherwise Code
	}
	// Declare is var name type.
	Declare struct{ Name, Type string }
	// Set is name = value.
	Set struct {
		Name  string
		Value GoValue
	}
	// If is if cond { then } else { otherwise }.
	If struct {
		Cond            GoValue
		Then, Otherwise Code
	}
	// Range is for key, elem := range over { body }. Empty names are blank.
	Range struct {
		Key, Elem string
		Over      GoValue
		Body      Code
	}
	// Return is return values.
	Return struct{ Values []GoValue }
	// Break is break.
	Break struct{}
	// Continue is continue.
	Continue struct{}
	// Increment is name++.
	Increment struct{ Name string }
)

func (Let) stmt()       {}
func (Must) stmt()      {}
func (Declare) stmt()   {}
func (Set) stmt()       {}
func (If) stmt()        {}
func (Range) stmt()     {}
func (Return) stmt()    {}
func (Break) stmt()     {}
func (Continue) stmt()  {}
func (Increment) stmt() {}

// GoValue is an expression of Go.
type GoValue interface {
	// visit notes the variables that the expression refers to.
	visit(used map[string]bool)
	// without returns the expression without the variables in it that are not used.
	without(used map[string]bool) GoValue
}

type (
	// Name is a variable or a constant of Go.
	Name string
	// Literal is a string, an integer, a float or a boolean.
	Literal struct{ Of any }
	// Call calls a function of the runtime, or one that Go has.
	Call struct {
		Builtin bool
		Func    string
		Args    []GoValue
	}
	// Method is x.name(args).
	Method struct {
		Of   GoValue
		Name string
		Args []GoValue
	}
	// Index is x[key].
	Index struct{ Of, Key GoValue }
	// Assert is x.(type).
	Assert struct {
		Of   GoValue
		Type string
	}
	// Infix is x op y.
	Infix struct {
		Op   string
		X, Y GoValue
	}
	// Opposite is !x.
	Opposite struct{ X GoValue }
	// Try is func() (type, bool) { body }().
	Try struct {
		Type string
		Body Code
	}
	// OfRule is a constant of the runtime for rules.
	OfRule string
	// RulePattern and RuleType are a pattern and a type of the rule, by their numbers.
	RulePattern int
	RuleType    int
)

func (v Name) visit(used map[string]bool)     { used[string(v)] = true }
func (Literal) visit(map[string]bool)         {}
func (OfRule) visit(map[string]bool)          {}
func (RulePattern) visit(map[string]bool)     {}
func (RuleType) visit(map[string]bool)        {}
func (v Call) visit(used map[string]bool)     { visitAll(v.Args, used) }
func (v Method) visit(used map[string]bool)   { visitAll(append([]GoValue{v.Of}, v.Args...), used) }
func (v Index) visit(used map[string]bool)    { visitAll([]GoValue{v.Of, v.Key}, used) }
func (v Assert) visit(used map[string]bool)   { v.Of.visit(used) }
func (v Infix) visit(used map[string]bool)    { visitAll([]GoValue{v.X, v.Y}, used) }
func (v Opposite) visit(used map[string]bool) { v.X.visit(used) }
func (v Try) visit(used map[string]bool)      { v.Body.visit(used) }

func visitAll(values []GoValue, used map[string]bool) {
	for _, v := range values {
		v.visit(used)
	}
}

func (v Name) without(map[string]bool) GoValue        { return v }
func (v Literal) without(map[string]bool) GoValue     { return v }
func (v OfRule) without(map[string]bool) GoValue      { return v }
func (v RulePattern) without(map[string]bool) GoValue { return v }
func (v RuleType) without(map[string]bool) GoValue    { return v }
func (v Call) without(map[string]bool) GoValue        { return v }
func (v Method) without(map[string]bool) GoValue      { return v }
func (v Index) without(map[string]bool) GoValue       { return v }
func (v Assert) without(map[string]bool) GoValue      { return v }
func (v Infix) without(map[string]bool) GoValue       { return v }
func (v Opposite) without(map[string]bool) GoValue    { return v }

func (v Try) without(used map[string]bool) GoValue { return Try{v.Type, v.Body.without(used)} }
