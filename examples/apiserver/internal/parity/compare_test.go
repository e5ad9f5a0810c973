package parity

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// difference is a request to which two servers answered differently.
type difference struct {
	request Request
	text    string // shows both answers, where they differ
}

// compare sends every request to both servers, in order, and returns the differences.
func compare(ctx context.Context, theirs, ours string, script []Request) ([]difference, error) {
	clients := []*client{{url: theirs, vars: map[string]string{}}, {url: ours, vars: map[string]string{}}}
	var all []difference
	for _, r := range script {
		var answers [2]*answer
		for i, c := range clients {
			a, err := c.send(ctx, r)
			if err != nil {
				return all, fmt.Errorf("%s: %w", r.Name, err)
			}
			answers[i] = a
		}
		if text := describe(answers[0], answers[1]); text != "" {
			all = append(all, difference{r, text})
		}
	}
	return all, nil
}

// describe says how two answers differ, line by line.
func describe(theirs, ours *answer) string {
	if reflect.DeepEqual(theirs, ours) {
		return ""
	}
	a, b := lines(theirs), lines(ours)
	var out strings.Builder
	for _, line := range a {
		if !slices.Contains(b, line) {
			fmt.Fprintf(&out, "- %s\n", line)
		}
	}
	for _, line := range b {
		if !slices.Contains(a, line) {
			fmt.Fprintf(&out, "+ %s\n", line)
		}
	}
	if out.Len() == 0 {
		fmt.Fprintf(&out, "the same lines in another order\n- %s\n+ %s\n", text(theirs), text(ours))
	}
	return out.String()
}

func lines(a *answer) []string {
	var all []string
	all = append(all, fmt.Sprintf("code %d, %s", a.Code, a.Type))
	for _, w := range a.Warnings {
		all = append(all, "warning "+w)
	}
	return append(all, strings.Split(text(a.Body), "\n")...)
}

// text writes a value so that equal ones have equal texts.
func text(v any) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(out.String())
}
