package celrules_test

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// recordedRule is a line of expressions.jsonl: the schema and the objects, or a rule with what Kubernetes says.
type recordedRule struct {
	Schema  json.RawMessage
	Objects [][]json.RawMessage // each an object, or one with the one that it replaces

	Rule    string
	Message string `json:"messageExpression"`
	MaxCost uint64
	Answers []recordedAnswer // for each object, or one for all
}

type recordedAnswer struct {
	Errors, Warnings []string
	Spent            int64
}

// Rules say what Kubernetes has said, and cost as much. hack/conformance writes it down: go test ./rules -run TestRecorded -update.
func TestRulesSayWhatIsRecorded(t *testing.T) {
	testsize.NotShort(t)
	limits := prunelimits.Current()
	prunelimits.Set(prunelimits.Limits{})
	t.Cleanup(func() { prunelimits.Set(limits) })
	file, err := os.Open("testdata/expressions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var head recordedRule
	var s *structural.Schema
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var r recordedRule
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		if r.Schema != nil {
			head, s = r, schema(t, string(r.Schema))
			continue
		}
		s.XValidations = []structural.ValidationRule{{Rule: r.Rule, MessageExpression: r.Message}}
		node := celrules.Check(s, celrules.Stored(0))
		if have := node.Rules[0].MaxCost; have != r.MaxCost {
			t.Errorf("line %d: %s may cost %d, want %d", n, r.Rule, have, r.MaxCost)
		}
		table, shape := celrules.Table(node), resources.Shape(s)
		if read := readAgain(t, table); !reflect.DeepEqual(read, table) {
			t.Errorf("line %d: %s is %+v as JSON, want %+v", n, r.Rule, read, table)
		}
		for i, objects := range head.Objects {
			want := r.Answers[min(i, len(r.Answers)-1)]
			if have := answerOf(t, table.ValidateValue(recordedObject(t, objects, 0), recordedObject(t, objects, 1), shape, prunecel.RequestCosts())); !reflect.DeepEqual(have, want) {
				t.Errorf("line %d: %s %s of object %d:\nhave %+v\nwant %+v", n, r.Rule, r.Message, i, have, want)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// readAgain returns a table as pages have it, which is JSON.
func readAgain(t *testing.T, table *prunecel.Rules) *prunecel.Rules {
	t.Helper()
	data, err := json.Marshal(table)
	if err != nil {
		t.Fatal(err)
	}
	var read *prunecel.Rules
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// recordedObject returns one of some objects, nil if there are fewer.
func recordedObject(t *testing.T, objects []json.RawMessage, i int) any {
	t.Helper()
	if i >= len(objects) {
		return nil
	}
	obj, err := numbers.Decode(objects[i])
	if err != nil {
		t.Fatal(err)
	}
	return obj
}

func answerOf(t *testing.T, r prunecel.Result) recordedAnswer {
	t.Helper()
	a := recordedAnswer{Warnings: r.Warnings, Spent: r.Spent}
	for _, e := range r.Errors {
		a.Errors = append(a.Errors, string(e.Type)+" "+e.Error())
	}
	slices.Sort(a.Errors) // Kubernetes has them in any order
	slices.Sort(a.Warnings)
	return a
}
