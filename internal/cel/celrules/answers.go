package celrules

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
)

// question is an expression to be checked, with everything about it that many schemas share.
type question struct {
	env    *cel.Env // of a Checker
	text   string
	result *cel.Type // bool for a rule, string for a messageExpression
}

// answer is what compile returns, with everything that it asked about the schema: a schema that gives the same replies has the same
// answer.
type answer struct {
	fields []fieldAnswer
	sizes  []sizeAnswer
	tree   *ast.AST
	cost   uint64
	problem
}

// problem is what is wrong with an expression, in the words of the API server.
type problem struct {
	text      string // "" if nothing is
	undefined string // the field whose selection is wrong, if that is it
}

// answers are the last answers to questions.
type answers struct {
	of   map[question][]answer
	size int
}

const (
	// maxAnswers is how many bytes of questions are kept. Older ones are forgotten and compiled again. A tree takes a hundred times as
	// much as its text.
	maxAnswers = 1 << 17
	// answerSize is counted for an answer in addition to its text.
	answerSize = 64
	// maxSchemas is how many answers are kept for a question.
	maxSchemas = 8
)

// answer is compile with a cache.
func (s *subject) answer(q question) (*ast.AST, uint64, problem) {
	known := s.answers.of[q]
	for _, a := range known {
		if s.holds(a) {
			return a.tree, a.cost, a.problem
		}
	}
	s.provider.asked, s.estimator.asked = nil, nil
	var a answer
	a.tree, a.cost, a.problem = s.compile(q)
	a.fields, a.sizes = s.provider.asked, s.estimator.asked

	if s.answers.of == nil || s.answers.size > maxAnswers {
		s.answers = answers{map[question][]answer{}, 0}
	}
	s.answers.size += len(q.text) + answerSize
	s.answers.of[q] = append([]answer{a}, known[:min(len(known), maxSchemas-1)]...)
	return a.tree, a.cost, a.problem
}

// holds reports whether an answer about another schema also holds for this one.
func (s *subject) holds(a answer) bool {
	for _, was := range a.fields {
		is := s.provider.field(was.object, was.field)
		if (is == nil) != (was.typ == nil) || is != nil && !is.IsExactType(was.typ) {
			return false
		}
	}
	for _, was := range a.sizes {
		if size, ok := s.estimator.maxElements(was.path); size != was.max || ok != was.ok {
			return false
		}
	}
	return true
}
