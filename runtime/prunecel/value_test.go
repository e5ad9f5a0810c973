package prunecel

import (
	"fmt"
	"testing"
)

// Programs put Go's own numbers into objects. Rules read those that they read in the API server: UnstructuredToVal of k8s.io/apiserver.
func TestValueReadsNumbersThatNoDecoderMakes(t *testing.T) {
	for _, tt := range []struct {
		kind Kind
		raw  any
		want any
	}{
		{KindInt, int(3), int64(3)},
		{KindInt, int32(-3), int64(-3)},
		{KindInt, int64(3), int64(3)},
		{KindInt, uint32(3), "invalid data, expected int, got uint32"},
		{KindInt, float64(3), "invalid data, expected int, got float64"},
		{KindIntOrString, int(3), int64(3)},
		{KindIntOrString, int32(3), int64(3)},
		{KindIntOrString, "3", "3"},
		{KindIntOrString, int16(3), "invalid data, expected XIntOrString value to be either a string or integer"},
		{KindDouble, int(3), float64(3)},
		{KindDouble, int32(3), float64(3)},
		{KindDouble, int64(3), float64(3)},
		{KindDouble, float32(1.5), float64(1.5)},
		{KindDouble, uint8(3), "invalid data, expected float, got uint8"},
	} {
		got := (&Type{Kind: tt.kind}).Value(tt.raw)
		if err, ok := got.(error); ok {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%v %T: got %s, want %s", tt.kind, tt.raw, fmt.Sprintf("%T %v", got, got), fmt.Sprintf("%T %v", tt.want, tt.want))
		}
	}
}
