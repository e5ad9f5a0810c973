package plan

// GoValue is an expression of Go, with all decisions made: emitters print it.
type GoValue interface{ goValue() }

type (
	// Name is a variable or a constant of Go.
	Name string
	// Literal is a string, an integer, a float or a boolean.
	Literal struct{ Of any }
	// Call calls a function of the runtime, or one that Go has. With Reader its first argument is the reader of the rule.
	Call struct {
		Builtin bool
		Reader  bool
		Func    string
		Args    []GoValue
	}
	// Method calls a method of the reader of the rule.
	Method struct {
		Name string
		Args []GoValue
	}
	// Member is x.name, or x.name().
	Member struct {
		Of   GoValue
		Name string
	}
	// Index is x[key].
	Index struct{ Of, Key GoValue }
	// Infix is x op y.
	Infix struct {
		Op   string
		X, Y GoValue
	}
	// Opposite is !x.
	Opposite struct{ X GoValue }
	// Func is func(param) result { lets; return value }. An empty Param stands for no parameter.
	Func struct {
		Param, ParamType string
		Result           string
		Lets             []Let
		Value            GoValue
	}
	// IDPattern and IDType are pointers to a pattern and a type of the rule, by their numbers.
	RulePattern int
	RuleType    int
)

// Let is names := value.
type Let struct {
	Names []string
	Value GoValue
}

func (Name) goValue()        {}
func (Literal) goValue()     {}
func (Call) goValue()        {}
func (Method) goValue()      {}
func (Member) goValue()      {}
func (Index) goValue()       {}
func (Infix) goValue()       {}
func (Opposite) goValue()    {}
func (Func) goValue()        {}
func (RulePattern) goValue() {}
func (RuleType) goValue()    {}
