package answers

import (
	"fmt"
	"reflect"
	"testing"
)

func TestAnswersSayWhoSaysWhat(t *testing.T) {
	objects := []map[string]any{
		{"spec": map[string]any{"x": "old", "y": "old"}},
		{"a": 1.0, "b": nil, "spec": map[string]any{"x": "new", "y": "new"}},
	}
	have := Text(objects, Functions{
		Prune: func(map[string]any) []string { return []string{"c"} },
		Normalize: func(obj map[string]any) error {
			if obj["a"] == nil {
				return fmt.Errorf("no a")
			}
			delete(obj, "b")
			obj["d"] = []any{"e"}
			return nil
		},
		Check:    func(map[string]any) []string { return []string{"one", "two"} },
		Validate: func(map[string]any) []string { return []string{"two", "a\nb"} },
		Update:   func(obj, old map[string]any) []string { return []string{"two", fmt.Sprint(old["spec"])} },
	})
	want := `object {"spec":{"x":"old","y":"old"}}
drop c
refused

object {"a":1.0,"b":null,"spec":{"x":"new","y":"new"}}
drop c
normal +d[0] "e"
normal -b null
validate a\nb
update map[x:new y:old]
check one
check,validate,update two

`
	if have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
	if again, err := Objects(have); err != nil || !reflect.DeepEqual(again, objects) {
		t.Errorf("%v, %v", again, err)
	}
}
