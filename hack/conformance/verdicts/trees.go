package verdicts

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/structural"
	"google.golang.org/protobuf/encoding/prototext"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Trees compares the checked rules of a schema: which nodes have rules, the sizes that their types have, every node of every tree with
// its type and what it refers to, estimated costs, errors. It returns the number of rules.
func Trees(ours *structural.JSONSchema, theirs *apiextensions.JSONSchemaProps) (int, []Difference) {
	s, refused := structural.NewSchema(ours, nil)
	if ours == nil || len(refused) > 0 {
		return 0, nil
	}
	k, err := kube.NewStructural(theirs)
	if err != nil {
		return 0, []Difference{{About: "trees", Text: err.Error()}}
	}
	c := treeComparison{}
	c.node("", celrules.Check(s, celrules.Stored(kube.Version())), cel.NewValidator(k, true, celconfig.PerCallLimit), k, model.SchemaDeclType(k, true))
	return c.rules, c.diffs
}

type treeComparison struct {
	rules int
	diffs []Difference
}

func (c *treeComparison) differ(at, format string, args ...any) {
	c.diffs = append(c.diffs, Difference{About: "trees", Text: at + ": " + fmt.Sprintf(format, args...)})
}

func (c *treeComparison) node(at string, n *celrules.Node, v *cel.Validator, s *structuralschema.Structural, t *apiservercel.DeclType) {
	if n == nil || v == nil {
		if (n == nil) != (v == nil) {
			c.differ(at, "ours is %v, Kubernetes' %v", n, v)
		}
		return
	}
	c.types(at, n.Type, t)
	results, err := cel.Compile(s, t, celconfig.PerCallLimit, kube.BaseEnvSet(environment.DefaultCompatibilityVersion()), cel.StoredExpressionsEnvLoader())
	switch {
	case err != nil:
		if n.Err != err.Error() {
			c.differ(at, "%q, not %q", n.Err, err)
		}
	case n.Err != "" || len(n.Rules) != len(results):
		c.differ(at, "%q and %d rules, not %d", n.Err, len(n.Rules), len(results))
	default:
		for i, r := range n.Rules {
			c.rules++
			c.rule(fmt.Sprintf("%s rule %d", at, i), r, results[i], s.XValidations[i], t)
		}
	}

	var elem *apiservercel.DeclType
	if t != nil {
		elem = t.ElemType
	}
	if n.Items != nil || v.Items != nil {
		c.node(at+".items", n.Items, v.Items, s.Items, elem)
	}
	if n.AdditionalProperties != nil || v.AdditionalProperties != nil {
		c.node(at+".additionalProperties", n.AdditionalProperties, v.AdditionalProperties, s.AdditionalProperties.Structural, elem)
	}
	names := map[string]bool{}
	for name := range n.Properties {
		names[name] = true
	}
	for name := range v.Properties {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		var theirs *cel.Validator
		if p, ok := v.Properties[name]; ok {
			theirs = &p
		}
		property := s.Properties[name]
		field := model.SchemaDeclType(&property, property.XEmbeddedResource)
		if escaped, ok := apiservercel.Escape(name); ok && t != nil && t.Fields[escaped] != nil {
			field = t.Fields[escaped].Type
		}
		c.node(at+"."+name, n.Properties[name], theirs, &property, field)
	}
	if len(n.AllOf) != len(v.AllOfValidators) {
		c.differ(at, "%d in allOf, not %d", len(n.AllOf), len(v.AllOfValidators))
	}
}

// types compares what cost estimates depend on.
func (c *treeComparison) types(at string, ours *celrules.Type, theirs *apiservercel.DeclType) {
	if ours == nil || theirs == nil {
		if (ours == nil) != (theirs == nil) {
			c.differ(at, "type %v, not %v", ours, theirs)
		}
		return
	}
	if ours.MaxElements(celrules.Stored(kube.Version())) != theirs.MaxElements || ours.MinSize != theirs.MinSerializedSize || len(ours.Fields) != len(theirs.Fields) {
		c.differ(at, "at most %d elements, at least %d bytes, %d fields; not %d, %d, %d",
			ours.MaxElements(celrules.Stored(kube.Version())), ours.MinSize, len(ours.Fields), theirs.MaxElements, theirs.MinSerializedSize, len(theirs.Fields))
	}
	if ours.Elem != nil || theirs.ElemType != nil {
		c.types(at+"[]", ours.Elem, theirs.ElemType)
	}
	for name, f := range ours.Fields {
		if theirs.Fields[name] == nil {
			c.differ(at, "field %s", name)
			continue
		}
		if f.Required != theirs.Fields[name].Required {
			c.differ(at, "field %s is required: %v", name, f.Required)
		}
		c.types(at+"."+name, f.Type, theirs.Fields[name].Type)
	}
}

func (c *treeComparison) rule(at string, ours celrules.Checked, theirs cel.CompilationResult, rule v1.ValidationRule, t *apiservercel.DeclType) {
	text := func(e *apiservercel.Error) string {
		if e == nil {
			return ""
		}
		return canonicalText(e.Detail)
	}
	type summary struct {
		Err, MessageErr         string
		UsesOldSelf, HasMessage bool
		MaxCost, MessageMaxCost uint64
	}
	got := summary{canonicalText(ours.Err), canonicalText(ours.MessageErr), ours.UsesOldSelf, ours.Message != nil, ours.MaxCost, ours.MessageMaxCost}
	want := summary{text(theirs.Error), text(theirs.MessageExpressionError), theirs.UsesOldSelf, theirs.MessageExpression != nil,
		theirs.MaxCost, theirs.MessageExpressionMaxCost}
	if got != want {
		c.differ(at, "%s: %+v, not %+v", rule.Rule, got, want)
	}
	env, err := ruleEnvironment(t, rule.OptionalOldSelf != nil && *rule.OptionalOldSelf)
	if err != nil {
		c.differ(at, "%v", err)
		return
	}
	c.tree(at, ours.AST, env, rule.Rule)
	c.tree(at+" message", ours.Message, env, rule.MessageExpression)
}

// tree compares a checked tree with Kubernetes', node by node.
func (c *treeComparison) tree(at string, ours *ast.AST, env *celgo.Env, text string) {
	if ours == nil {
		return // there is none, or the errors were compared
	}
	checked, issues := env.Compile(text)
	if issues.Err() != nil {
		c.differ(at, "%s: %v", text, issues.Err())
		return
	}
	got, err := dump(ours)
	want, err2 := dump(checked.NativeRep())
	if err := errors.Join(err, err2); err != nil || got != want {
		c.differ(at, "%s: %v\n%s\nnot\n%s", text, err, got, want)
	}
}

// ruleEnvironment is what Kubernetes compiles rules with; the function that makes it is not exported.
func ruleEnvironment(t *apiservercel.DeclType, optionalOldSelf bool) (*celgo.Env, error) {
	named := t.MaybeAssignTypeName("selfType0")
	old := named.CelType()
	if optionalOldSelf {
		old = types.NewOptionalType(old)
	}
	set, err := kube.BaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []celgo.EnvOption{celgo.Variable(cel.ScopedVarName, named.CelType()), celgo.Variable(cel.OldScopedVarName, old)},
		DeclTypes:         []*apiservercel.DeclType{named},
	})
	if err != nil {
		return nil, err
	}
	return set.StoredExpressionsEnv(), nil
}

var selfType = regexp.MustCompile(`selfType\d+`)

// dump returns the text of a checked tree: every node with its number, its type and what it refers to.
func dump(a *ast.AST) (string, error) {
	checked, err := ast.ToProto(a)
	if err != nil {
		return "", err
	}
	checked.SourceInfo = nil
	return selfType.ReplaceAllString(prototext.Format(checked), "selfType"), nil
}
