package prunecel

import (
	"reflect"
	"testing"
	"time"
)

func TestMessages(t *testing.T) {
	for _, c := range []struct {
		text, wrong string
		want        any
		cost        uint64
	}{
		{text: `(new google.protobuf.Int32Value "value" 2147483647)`, want: int64(1<<31 - 1), cost: 40},
		{text: `(new google.protobuf.Int32Value "value" 2147483648)`, wrong: "field type conversion error for google.protobuf.Int32Value.value value type: integer overflow", cost: 40},
		{text: `(new google.protobuf.UInt32Value "value" 4294967296u)`, wrong: "field type conversion error for google.protobuf.UInt32Value.value value type: unsigned integer overflow", cost: 40},
		{text: `(new google.protobuf.FloatValue "value" 0.1d)`, want: float64(float32(0.1)), cost: 40},
		{text: `(new google.protobuf.Duration "seconds" 9223372037)`, want: time.Duration(1<<63 - 1), cost: 40},
		{text: `(new google.protobuf.Duration "seconds" -9223372037)`, want: time.Duration(-1 << 63), cost: 40},
		{text: `(new google.protobuf.Timestamp "seconds" 1 "nanos" 2)`, want: time.Unix(1, 2).UTC(), cost: 40},
		{text: `(new google.protobuf.Int64Value "value" 1 ?"value" (optional.none))`, want: int64(0), cost: 41},
		{text: `(new google.protobuf.BytesValue)`, want: []byte{}, cost: 40},
		{text: `(new google.protobuf.Value)`, want: nil, cost: 40},
		{text: `(new google.protobuf.Value "string_value" "x")`, want: "x", cost: 40},
	} {
		p, err := newProgram(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, cost, err := p.evaluate(variables{}, CostLimit)
		if c.wrong != "" && (err == nil || err.Error() != c.wrong) || c.wrong == "" && (err != nil || !reflect.DeepEqual(got, c.want)) || cost != c.cost {
			t.Errorf("%s: %v, %v, cost %d; want %v, %q, cost %d", c.text, got, err, cost, c.want, c.wrong, c.cost)
		}
	}
	for _, text := range []string{`(new google.protobuf.Empty)`, `(new google.protobuf.Value "list_value" (list))`, `(new google.protobuf.Int64Value "no" 1)`, `(new google.protobuf.Int64Value self 1)`} {
		if _, err := ParseExpr(text); err != nil {
			t.Fatal(err)
		}
		if _, err := newProgram(text); err == nil {
			t.Errorf("%s is a program", text)
		}
	}
}
