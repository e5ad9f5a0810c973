// The program compares projections with what following the paths of a list gives.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/restrict"
)

var count, compared, changed, failed int

func main() {
	all()
	fmt.Printf("%d objects compared, %d of them changed", compared, changed)
	if failed > 0 || changed < compared/2 {
		os.Exit(1)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func decode(text []byte) (obj map[string]any) {
	must(json.Unmarshal(text, &obj))
	return obj
}

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	must(e.Encode(v))
	return b.Bytes()
}

func check(label string, project func(map[string]any)) {
	var in struct {
		List    restrict.List
		Objects []json.RawMessage
	}
	name := ""
	for name == "" || !exists(name) { // a list that cannot be cut has no file
		name = fmt.Sprintf("Project%d.json", count)
		count++
	}
	text, err := os.ReadFile(name)
	must(err)
	must(json.Unmarshal(text, &in))
	for _, whole := range in.Objects {
		want := in.List.Object(decode(whole))
		got := decode(whole)
		project(got)
		compared++
		if !reflect.DeepEqual(got, decode(whole)) {
			changed++
		}
		if !reflect.DeepEqual(got, want) {
			if failed++; failed < 4 {
				fmt.Printf("%s %s\n is %snot %sof %s\nkeep %s\naway %s\n", label, name, encode(got), encode(want), whole, strings.Join(in.List.Keep, " "), strings.Join(in.List.Away, " "))
			}
		}
		if n := testing.AllocsPerRun(1, func() { project(got) }); n != 0 || !reflect.DeepEqual(got, want) {
			failed++
			fmt.Printf("%s %s: %v allocations when nothing changes\n", label, name, n)
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
