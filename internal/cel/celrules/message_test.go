package celrules

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// Messages of protocol buffers that stand for scalars are values of CEL. The conformance suite compares them with the API server.
func TestMessagesThatStandForScalarsAreEvaluated(t *testing.T) {
	for _, c := range []struct {
		rule  string
		i     int64
		wrong string // part of the error, "" for none
	}{
		{"google.protobuf.Int64Value{value: self.i} == 3", 3, ""},
		{"google.protobuf.Int64Value{value: self.i} == 3", 4, "failed rule"},
		{"google.protobuf.Int32Value{value: self.i} == 3", 1 << 31, "google.protobuf.Int32Value.value value type: integer overflow"},
		{"google.protobuf.UInt32Value{value: uint(self.i)} == 1u", 1 << 32, "google.protobuf.UInt32Value.value value type: unsigned integer overflow"},
		{"google.protobuf.FloatValue{value: 0.1} != 0.1 && google.protobuf.DoubleValue{value: 0.1} == 0.1", 0, ""},
		{"google.protobuf.Duration{seconds: self.i, nanos: 1} == duration('60.000000001s')", 60, ""},
		{"google.protobuf.Timestamp{seconds: self.i} == timestamp('1970-01-01T00:01:00Z')", 60, ""},
		{"google.protobuf.StringValue{} == '' && google.protobuf.BytesValue{} == b'' && !google.protobuf.BoolValue{}", 0, ""},
		{"google.protobuf.Int64Value{?value: self.?i} == 1", 1, ""},
		// The API server evaluates these.
		{"google.protobuf.Empty{} == google.protobuf.Empty{}", 0, "rule compile error: prune-gen does not support messages google.protobuf.Empty, which the API server does"},
		{"google.protobuf.Value{list_value: [1]} == [1]", 0, "prune-gen does not support messages google.protobuf.Value with a field list_value of type list(int), which the API server does"},
		{"google.protobuf.Value{string_value: 'a', bool_value: true} == 'a'", 0, "prune-gen does not support messages google.protobuf.Value with several fields, of which the API server takes any"},
		{"google.protobuf.Int64Value{value: dyn(self.i)} == 1", 0, "prune-gen does not support messages google.protobuf.Int64Value with a field value of type dyn, which the API server does"},
	} {
		schema := &structural.Schema{
			Generic:    structural.Generic{Type: "object"},
			Properties: map[string]*structural.Schema{"i": {Generic: structural.Generic{Type: "integer"}}},
		}
		schema.XValidations = []structural.ValidationRule{{Rule: c.rule}}
		table := Table(Check(schema, Stored(0)))
		errs := table.ValidateValue(map[string]any{"i": c.i}, nil, nil, prunecel.RequestCosts()).Errors
		got := ""
		if len(errs) > 0 {
			got = errs[0].Error()
		}
		if c.wrong == "" && got != "" || !strings.Contains(got, c.wrong) {
			t.Errorf("%s: %q, want %q", c.rule, got, c.wrong)
		}
	}
}
