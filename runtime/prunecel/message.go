package prunecel

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// message makes a message of protocol buffers that stands for a value of CEL, such as google.protobuf.Int64Value{value: 1}.
type message struct {
	of       *Expr
	fields   []string
	values   []node
	optional []bool
}

// MessageFields returns the kinds of the fields of a message that stands for a scalar of CEL, nil for other messages.
func MessageFields(name string) map[string]Kind {
	kind := KindNone
	switch name {
	case "google.protobuf.BoolValue":
		kind = KindBool
	case "google.protobuf.BytesValue":
		kind = KindBytes
	case "google.protobuf.DoubleValue", "google.protobuf.FloatValue":
		kind = KindDouble
	case "google.protobuf.Int32Value", "google.protobuf.Int64Value":
		kind = KindInt
	case "google.protobuf.StringValue":
		kind = KindString
	case "google.protobuf.UInt32Value", "google.protobuf.UInt64Value":
		kind = KindUint
	case "google.protobuf.Duration", "google.protobuf.Timestamp":
		return map[string]Kind{"seconds": KindInt, "nanos": KindInt}
	default:
		return nil
	}
	return map[string]Kind{"value": kind}
}

var errMessage = errors.New("not a message")

func compileMessage(e *Expr) (node, error) {
	fields := MessageFields(e.Name)
	n := &message{of: e, optional: e.Optional}
	for i := 0; i < len(e.Args); i += 2 {
		name, _ := e.Args[i].Const.(string)
		if _, ok := fields[name]; !ok || e.Args[i].Op != OpConst {
			return nil, errMessage
		}
		value, err := compile(e.Args[i+1])
		if err != nil {
			return nil, err
		}
		n.fields, n.values = append(n.fields, name), append(n.values, value)
	}
	if fields == nil {
		return nil, errMessage
	}
	return n, nil
}

func (n *message) id() *Expr { return n.of }

func (n *message) exec(f *frame) any {
	v := n.eval(f)
	f.costs.take(n.values)
	f.costs.sum += 40
	f.costs.observe(v, n.of)
	return v
}

func (n *message) eval(f *frame) any {
	fields := map[string]any{}
	for i, e := range n.values {
		v := e.exec(f)
		if isError(v) {
			return v
		}
		if n.optional != nil && n.optional[i] {
			opt, ok := v.(Optional)
			if !ok {
				return fmt.Errorf("cannot initialize optional entry '%s' from non-optional value %v", n.fields[i], printed(v))
			}
			if !opt.Present {
				delete(fields, n.fields[i])
				continue
			}
			v = opt.Value
		}
		fields[n.fields[i]] = v
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

// narrowed returns what a field of a message keeps of a value.
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
	if v, ok := fields["value"]; ok {
		return v
	}
	seconds, _ := fields["seconds"].(int64)
	nanos, _ := fields["nanos"].(int64)
	switch name {
	case "google.protobuf.Duration":
		return durationOf(seconds, nanos)
	case "google.protobuf.Timestamp":
		return time.Unix(seconds, nanos).UTC()
	case "google.protobuf.BoolValue":
		return false
	case "google.protobuf.BytesValue":
		return []byte{}
	case "google.protobuf.DoubleValue", "google.protobuf.FloatValue":
		return 0.0
	case "google.protobuf.StringValue":
		return ""
	case "google.protobuf.UInt32Value", "google.protobuf.UInt64Value":
		return uint64(0)
	}
	return int64(0)
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
