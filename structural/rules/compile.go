package rules

import (
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
)

// words are the API server's words for what is wrong with an expression.
type words struct {
	compilation string
	result      string
	program     string
	cost        string
}

func ruleWords() words {
	return words{
		compilation: "compilation failed: ",
		result:      "cel expression must evaluate to a bool",
		program:     "program instantiation failed: ",
		cost:        "cost estimation failed: ",
	}
}

func messageWords() words {
	return words{
		compilation: "messageExpression compilation failed: ",
		result:      "messageExpression must evaluate to a string",
		program:     "messageExpression instantiation failed: ",
		cost:        "cost estimation failed for messageExpression: ",
	}
}

// compile parses and checks an expression whose value must be of type result. It returns the checked tree and what it costs at
// most, or what is wrong.
func (s *scope) compile(env *cel.Env, text string, result *cel.Type, w words) (tree *ast.AST, cost uint64, problem string) {
	checked, issues := env.Compile(text)
	if issues != nil {
		return nil, 0, w.compilation + issues.String()
	}
	if checked.OutputType() != result {
		return nil, 0, w.result
	}
	if err := instantiate(env, checked); err != nil {
		return nil, 0, w.program + err.Error()
	}
	estimate, err := env.EstimateCost(checked, &s.estimator)
	if err != nil {
		return nil, 0, w.cost + err.Error()
	}
	return checked.NativeRep(), estimate.Max, ""
}

// instantiate makes a program of an expression, which evaluates its constants. Some make cel-go panic, such as {b'key': 1}; the API
// server then fails to answer.
func instantiate(env *cel.Env, checked *cel.Ast) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	_, err = env.Program(checked, programOptions()...)
	return err
}
