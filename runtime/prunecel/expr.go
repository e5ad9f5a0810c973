package prunecel

// Op says what an expression is.
type Op uint8

const (
	OpConst   Op = iota // Const
	OpIdent             // the variable Name
	OpSelect            // Args[0].Name
	OpHas               // has(Args[0].Name)
	OpCall              // a call of the function Name; a receiver is Args[0]
	OpList              // [Args...]
	OpMap               // {Args[0]: Args[1], ...}
	OpFold              // a comprehension: range, start, condition, step and result are its Args
	OpMessage           // the message Name{Args[0]: Args[1], ...} of protocol buffers
)

// The arguments of OpFold.
const (
	FoldRange = iota
	FoldStart
	FoldCondition
	FoldStep
	FoldResult
)

// Expr is an expression of CEL whose types were checked and whose macros were expanded.
type Expr struct {
	Op    Op
	Const any    // a scalar, a TypeValue or nil
	Name  string // a variable, a field, a function or a message
	// Overload identifies the overload of a function, if only one can be meant.
	Overload string
	Args     []*Expr
	// Optional says which elements of a list, entries of a map or fields of a message are optional.
	Optional []bool
	// Var is the variable of a comprehension, Var2 the second one if there is one, Accu the one that holds the result so far.
	Var, Var2, Accu string
	// Type is what the schema says about the value, nil for a value that a rule computes.
	Type *Type
}

// IsEmpty reports whether an expression is an empty list or map.
func (e *Expr) IsEmpty() bool { return (e.Op == OpList || e.Op == OpMap) && len(e.Args) == 0 }

// IsFilter reports whether a comprehension is what the macro filter expands to.
func (e *Expr) IsFilter() bool {
	if e.Op != OpFold || e.Var2 != "" {
		return false
	}
	step := e.Args[FoldStep]
	if !step.isCall("_?_:_") || !step.Args[1].isCall("_+_") {
		return false
	}
	more := step.Args[1].Args[1]
	return more.Op == OpList && len(more.Args) == 1 && more.Args[0].Op == OpIdent && more.Args[0].Name == e.Var && more.Optional == nil
}

// hasEntries reports whether the Args are keys and values in turn.
func (e *Expr) hasEntries() bool { return e.Op == OpMap || e.Op == OpMessage }

func (e *Expr) isCall(name string) bool { return e.Op == OpCall && e.Name == name }
