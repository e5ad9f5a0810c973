package lower

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

var update = flag.Bool("update", false, "write testdata instead of comparing with it")

// ruleCases has rules for a schema and objects, each perhaps with one that it replaces.
type ruleCases struct {
	schema  *structural.Schema
	objects [][2]any
}

// readRules returns the rules in a file. A line has a schema with objects, or a rule for the last of these.
func readRules(t *testing.T, name string) (all []ruleCases) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.Lines(string(text)) {
		var line struct {
			Schema  json.RawMessage
			Objects [][]json.RawMessage
			Rule    string
		}
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%s: %v: %s", name, err, text)
		}
		if line.Schema == nil {
			s := all[len(all)-1].schema
			s.XValidations = append(s.XValidations, structural.ValidationRule{Rule: line.Rule})
			continue
		}
		c := ruleCases{schema: resources(t, structural.APIServer, crdtest.Manifest("Thing", string(line.Schema)))[0].Schema}
		for _, objects := range line.Objects {
			var pair [2]any
			for i, text := range objects {
				if pair[i], err = numbers.Decode(text); err != nil {
					t.Fatal(err)
				}
			}
			c.objects = append(c.objects, pair)
		}
		all = append(all, c)
	}
	return all
}

// Compiled rules say what their programs say, or are unsure, and cost no less.
func TestCompiledRulesSayWhatTheirProgramsSay(t *testing.T) {
	n := 0
	for _, c := range readRules(t, filepath.Join("..", "..", "..", "internal", "cel", "celrules", "testdata", "expressions.jsonl")) {
		n += len(compareRules(t, c))
	}
	if n < 500 {
		t.Errorf("there are %d rules", n)
	}
}

// It is recorded for which objects the code of these rules is sure, with the bound of the cost: T and F are sure, ? leaves the rule
// to the program, which has a value there, and E to one that has an error. What is not compiled says why.
func TestCompiledRulesAreSure(t *testing.T) {
	var lines []string
	for _, c := range readRules(t, filepath.Join("testdata", "rules.jsonl")) {
		lines = append(lines, compareRules(t, c)...)
	}
	recorded.Compare(t, *update, filepath.Join("testdata", "rules.txt"), strings.Join(lines, "\n")+"\n")
}

// A round of every macro, with the cheapest bodies, costs its program no more than the code pays for it.
func TestRoundsCostNoMoreThanCodePays(t *testing.T) {
	c := ruleCases{schema: resources(t, structural.APIServer, crdtest.Manifest("Thing", `{type: object, properties: {
		l: {type: array, maxItems: 99, items: {type: string, maxLength: 9}}, m: {type: object, maxProperties: 99, additionalProperties: {type: integer}}}}`))[0].Schema}
	for _, n := range []int{0, 1, 2, 50} {
		list, values := make([]any, n), map[string]any{}
		for i := range list {
			list[i] = "a"
			values[fmt.Sprint(i)] = int64(i)
		}
		c.objects = append(c.objects, [2]any{map[string]any{"l": list, "m": values}})
	}
	for _, rule := range []string{
		"all(x, true)", "all(x, x == x)", "exists(x, false)", "exists(x, x != x)", "exists_one(x, true)", "exists_one(x, x == x)", "filter(x, true) == []", "filter(x, x == x).size() > 5",
		"filter(x, x != x).size() > 5", "filter(x, true).filter(x, true).size() > 5",
	} {
		for _, of := range []string{"self.l.", "self.m."} {
			c.schema.XValidations = append(c.schema.XValidations, structural.ValidationRule{Rule: of + rule})
		}
	}
	sure := 0
	for _, line := range compareRules(t, c) {
		if strings.HasPrefix(line, "T") || strings.HasPrefix(line, "F") {
			sure++
		}
	}
	if sure < 14 {
		t.Errorf("only %d rules are compiled", sure)
	}
}

// compareRules compares the code of rules with their programs, and returns a line about each.
func compareRules(t *testing.T, c ruleCases) (lines []string) {
	t.Helper()
	table, exprs := celrules.Lower(celrules.Check(c.schema, celrules.Stored(0)))
	for _, rule := range table.Rules {
		line := "no program"
		if e := exprs.Of[rule]; e != nil {
			line = compareRule(t, c, table, rule, e, exprs.Self[table])
		}
		lines = append(lines, line+": "+rule.Rule)
	}
	return lines
}

// compareRule compares the code of a rule with its program.
func compareRule(t *testing.T, c ruleCases, table *prunecel.Rules, rule *prunecel.Rule, e *prunecel.Expr, typ *prunecel.Type) string {
	t.Helper()
	code, why := compileRule(e, typ, false)
	if code == nil {
		return why
	}
	var line, costs strings.Builder
	for i, values := range c.objects {
		if values[1] == nil && rule.UsesOld {
			continue
		}
		want, wantCost, err := table.Evaluate(rule, values[0], values[1], prunecel.CostLimit)
		switch is := runRule(code, values[0], values[1]); {
		case !is.Sure && err != nil:
			line.WriteByte('E')
		case !is.Sure:
			line.WriteByte('?')
		default:
			line.WriteByte(map[bool]byte{true: 'T', false: 'F'}[is.Holds])
			fmt.Fprintf(&costs, " %d", is.Cost)
			if err != nil || want != is.Holds {
				t.Errorf("%s of object %d: the code says %t, and the program %v, %v", rule.Rule, i, is.Holds, want, err)
			}
			if is.Cost < int64(wantCost) {
				t.Errorf("%s of object %d: the code costs %d, and the program %d", rule.Rule, i, is.Cost, wantCost)
			}
		}
	}
	return line.String() + costs.String()
}
