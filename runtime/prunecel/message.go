package prunecel

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// scalarMessages are the messages with one field, value, and what they stand for without it.
var scalarMessages = map[string]struct {
	kind Kind
	zero any
}{
	"google.protobuf.BoolValue": {KindBool, false}, "google.protobuf.BytesValue": {KindBytes, []byte{}},
	"google.protobuf.DoubleValue": {KindDouble, 0.0}, "google.protobuf.FloatValue": {KindDouble, 0.0},
	"google.protobuf.Int32Value": {KindInt, int64(0)}, "google.protobuf.Int64Value": {KindInt, int64(0)},
	"google.protobuf.StringValue": {KindString, ""},
	"google.protobuf.UInt32Value": {KindUint, uint64(0)}, "google.protobuf.UInt64Value": {KindUint, uint64(0)},
}

// anyScalar is the message that stands for the scalar in one of its fields, for null without one.
const anyScalar = "google.protobuf.Value"

// MessageFields returns the kinds of the fields of a message that stands for a scalar of CEL, nil for other messages.
func MessageFields(name string) map[string]Kind {
	if name == anyScalar {
		return map[string]Kind{"bool_value": KindBool, "number_value": KindDouble, "string_value": KindString}
	}
	if name == typeDuration || name == typeTimestamp {
		return map[string]Kind{"seconds": KindInt, "nanos": KindInt}
	}
	if m, ok := scalarMessages[name]; ok {
		return map[string]Kind{"value": m.kind}
	}
	return nil
}

var errMessage = errors.New("not a message")

// compileMessage returns the node of a message of protocol buffers that stands for a value of CEL, such as
// google.protobuf.Int64Value{value: 1}.
func compileMessage(e *Expr) (node, error) {
	fields := MessageFields(e.Name)
	if fields == nil {
		return nil, errMessage
	}
	n := &literal{origin: origin{e}, cost: 40, value: (*literal).message}
	for i := 0; i < len(e.Args); i += 2 {
		name, _ := e.Args[i].Const.(string)
		if _, ok := fields[name]; !ok || e.Args[i].Op != OpConst {
			return nil, errMessage
		}
		value, err := compile(e.Args[i+1])
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, value)
	}
	return n, nil
}

// message is for a message, whose args are the values of the fields.
func (n *literal) message(f *frame) any {
	fields := map[string]any{}
	for i, arg := range n.args {
		name := n.of.Args[2*i].Const.(string)
		v, ok := n.element(f, i, name, arg)
		switch {
		case isError(v):
			return v
		case ok:
			fields[name] = v
		default:
			delete(fields, name)
		}
	}
	for _, name := range sortedKeys(fields) {
		v, err := narrowed(n.of.Name, name, fields[name])
		if err != nil {
			return err
		}
		fields[name] = v
	}
	return valueOfMessage(n.of.Name, fields)
}

// narrowed returns a value as a field of a message stores it.
func narrowed(name, field string, v any) (any, error) {
	fails := func(err error) error {
		return fmt.Errorf("field type conversion error for %s.%s value type: %w", name, field, err)
	}
	switch v := v.(type) {
	case int64:
		if (field == "nanos" || name == "google.protobuf.Int32Value") && int64(int32(v)) != v {
			return nil, fails(errIntOverflow)
		}
	case uint64:
		if name == "google.protobuf.UInt32Value" && uint64(uint32(v)) != v {
			return nil, fails(errUintOverflow)
		}
	case float64:
		if name == "google.protobuf.FloatValue" {
			return float64(float32(v)), nil
		}
	}
	return v, nil
}

// valueOfMessage returns the value that a message stands for.
func valueOfMessage(name string, fields map[string]any) any {
	if name == anyScalar {
		for _, v := range fields {
			return v // the only one
		}
		return nil
	}
	if v, ok := fields["value"]; ok {
		return v
	}
	seconds, _ := fields["seconds"].(int64)
	nanos, _ := fields["nanos"].(int64)
	switch name {
	case typeDuration:
		return durationOf(seconds, nanos)
	case typeTimestamp:
		return time.Unix(seconds, nanos).UTC()
	}
	return scalarMessages[name].zero
}

// durationOf returns a duration, the longest one where it is longer.
func durationOf(seconds, nanos int64) time.Duration {
	d := time.Duration(seconds) * time.Second
	tooLong := d/time.Second != time.Duration(seconds)
	d += time.Duration(nanos)
	switch tooLong = tooLong || seconds < 0 && nanos < 0 && d > 0 || seconds > 0 && nanos > 0 && d < 0; {
	case tooLong && seconds < 0:
		return math.MinInt64
	case tooLong:
		return math.MaxInt64
	}
	return d
}
