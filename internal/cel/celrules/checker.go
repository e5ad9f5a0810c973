package celrules

import (
	"strconv"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/structural"
)

// Checker checks rules. It keeps what rules can share, and must not be used by two goroutines at once.
type Checker struct {
	environment Environment
	pool        *sync.Pool // that it belongs to
	provider    *provider
	// envs has the environments with variables, by the types of self and oldSelf. There are few, because the names of object types are
	// the same for all nodes; the provider changes what the names stand for.
	envs    map[[2]string]*cel.Env
	answers answers
	left    int // how many more bytes of expressions are checked
}

// maxEnvironments is how many environments a checker can have to be kept for other schemas. Types of variables are much the same
// everywhere; a checker with more is discarded.
const maxEnvironments = 64

// checkers has the unused checkers, by environment. CRDs have many rules in common, especially those of one project.
var checkers sync.Map // of *sync.Pool by Environment

// NewChecker returns a Checker with the functions of e for the rules of a schema.
func NewChecker(e Environment) *Checker {
	pool, _ := checkers.LoadOrStore(e, &sync.Pool{})
	c, ok := pool.(*sync.Pool).Get().(*Checker)
	if !ok {
		c = &Checker{environment: e, pool: pool.(*sync.Pool), provider: &provider{}, envs: map[[2]string]*cel.Env{}}
	}
	c.left = meter.Request // no API server reads a larger CRD
	return c
}

// Release lets others use c. The caller must not use it any more.
func (c *Checker) Release() {
	if len(c.envs) > maxEnvironments {
		return
	}
	c.provider.objects = nil
	c.pool.Put(c)
}

// Full reports whether there were more rules than a Checker checks. The rest are unchecked.
func (c *Checker) Full() bool { return c.left < 0 }

// Check checks rules about values of type t.
func (c *Checker) Check(t *Type, rules []structural.ValidationRule) []Checked {
	checked, _ := c.check(t, rules)
	return checked
}

// check also returns the types of the objects that the checked trees name.
func (c *Checker) check(t *Type, rules []structural.ValidationRule) ([]Checked, map[string]*Type) {
	c.provider.objects = map[string]*Type{}
	n := subject{Checker: c, self: c.provider.declare(typeName(rules), t), estimator: estimator{environment: c.environment, root: t}}
	checked := make([]Checked, 0, len(rules))
	for _, r := range rules {
		checked = append(checked, n.rule(r))
	}
	return checked, c.provider.objects
}

// typeName returns the name of the type of self, which only errors show. The API server uses an unguessable name, so that no rule refers
// to it; this one does not occur in any of the rules.
func typeName(rules []structural.ValidationRule) string {
	for i := 0; ; i++ {
		name := "selfType" + strconv.Itoa(i)
		used := false
		for _, r := range rules {
			used = used || strings.Contains(r.Rule, name) || strings.Contains(r.MessageExpression, name)
		}
		if !used {
			return name
		}
	}
}

// variables returns the environment with variables of the given types.
func (c *Checker) variables(self, oldSelf *cel.Type) *cel.Env {
	key := [2]string{self.String(), oldSelf.String()}
	env := c.envs[key]
	if env == nil {
		base := c.environment.Env()
		c.provider.Provider = base.CELTypeProvider()
		var err error
		env, err = base.Extend(cel.Variable(Self, self), cel.Variable(OldSelf, oldSelf), cel.CustomTypeProvider(c.provider))
		if err != nil {
			panic("environment of a rule: " + err.Error()) // it depends on the two variables alone
		}
		c.envs[key] = env
	}
	return env
}

// subject is the value that rules are about.
type subject struct {
	*Checker
	self      *cel.Type
	estimator estimator
}

// rule checks a rule and its messageExpression.
func (s *subject) rule(r structural.ValidationRule) Checked {
	out := Checked{Rule: r}
	if strings.TrimSpace(r.Rule) == "" {
		return out
	}
	if s.left -= len(r.Rule) + len(r.MessageExpression); s.left < 0 {
		out.Err = "the rules of the schema are longer than a request to the API server can be"
		return out
	}
	oldSelf := s.self
	if r.OptionalOldSelf != nil && *r.OptionalOldSelf {
		oldSelf = cel.OptionalType(s.self)
	}
	env := s.variables(s.self, oldSelf)
	var wrong problem
	out.AST, out.MaxCost, wrong = s.answer(question{env, r.Rule, cel.BoolType})
	if out.Err, out.Undefined = wrong.text, wrong.undefined; out.Err != "" {
		return out
	}
	for _, ref := range out.AST.ReferenceMap() {
		out.UsesOldSelf = out.UsesOldSelf || ref.Name == OldSelf
	}
	if r.MessageExpression != "" {
		out.Message, out.MessageMaxCost, wrong = s.answer(question{env, r.MessageExpression, cel.StringType})
		out.MessageErr, out.Undefined = wrong.text, wrong.undefined
	}
	return out
}
