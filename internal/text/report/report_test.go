package report_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

func TestReportsEndAtTheNumberOfFindings(t *testing.T) {
	r := report.Report{File: "f"}
	add := func(line int, severity structural.Severity) {
		r.Add(structural.Finding{ID: "r", File: "other", Line: line, Column: 2, CRD: "c", Version: "v", Severity: severity, Path: "p", Message: "m", Hint: "h"})
	}
	for i := range listed.Findings {
		add(listed.Findings-i, structural.SeverityWarning)
	}
	first := structural.Finding{ID: "r", File: "f", Line: listed.Findings, Column: 2, CRD: "c", Version: "v", Severity: structural.SeverityWarning, Path: "p", Message: "m", Hint: "h"}
	if r.Full || len(r.Findings) != 1000 || !reflect.DeepEqual(r.Findings[0], first) {
		t.Fatalf("full: %t, %d findings, the first is %+v", r.Full, len(r.Findings), r.Findings[0])
	}
	last := structural.Finding{ID: structural.IDMore, File: "f", Line: 7, Column: 2, CRD: "c", Version: "v", Severity: structural.SeverityWarning,
		Message: "only the first 1000 findings about this file are shown"}
	add(7, structural.SeverityWarning)
	add(8, structural.SeverityWarning)
	add(8, structural.SeverityNote)
	if r.Ended() {
		t.Error("ended before an error that is not listed")
	}
	if !r.Full || len(r.Findings) != 1001 || !reflect.DeepEqual(r.Findings[1000], last) {
		t.Fatalf("full: %t, %d findings, the last is %+v", r.Full, len(r.Findings), r.Findings[len(r.Findings)-1])
	}
	// An error that is not shown is not lost.
	add(9, structural.SeverityError)
	last.Severity = structural.SeverityError
	if !r.Ended() {
		t.Error("not ended")
	}
	if !reflect.DeepEqual(r.Findings[1000], last) {
		t.Errorf("the last is %+v", r.Findings[1000])
	}
	r.Problem(&yamltext.Problem{ID: yamltext.IDTooLarge, Message: "too large"})
	last.ID, last.Message = yamltext.IDTooLarge, "too large"
	sorted := r.Sorted()
	if len(sorted) != 1001 || sorted[0].Line != 1 || sorted[999].Line != 1000 || !reflect.DeepEqual(sorted[1000], last) {
		t.Errorf("%d findings, in lines %d to %d", len(sorted), sorted[0].Line, sorted[999].Line)
	}
}

func TestReportsEndAtTheLengthOfTheirTexts(t *testing.T) {
	long := strings.Repeat("x", listed.Findings<<13-1<<13)
	for name, f := range map[string]structural.Finding{
		"path":    {Path: long, Message: "m", Hint: "h"},
		"message": {Path: "p", Message: long, Hint: "h"},
		"hint":    {Path: "p", Message: "m", Hint: long},
		"steps":   structural.Finding{Message: "m"}.WithPath("p", prunert.FieldPath(long[8:])), // 8 bytes are its length and a colon
	} {
		var r report.Report
		r.Add(f)
		if r.Full || !reflect.DeepEqual(r.Findings[0], f) {
			t.Errorf("%s: as much as there may be is too much", name)
		}
		r.Add(structural.Finding{ID: "r", CRD: "c", Message: "m"})
		if want := (structural.Finding{ID: structural.IDMore, CRD: "c", Message: "only the first 1 findings about this file are shown"}); !r.Full || !reflect.DeepEqual(r.Findings[1], want) {
			t.Errorf("%s: full: %t, the last is %+v", name, r.Full, r.Findings[1])
		}
	}
}

func TestReportsAreInTheOrderOfTheFile(t *testing.T) {
	r := report.Report{File: "f"}
	for _, at := range []string{"2 1 b", "1 9 c", "2 1 a", "1 2 d", "10 1 e"} {
		var f structural.Finding
		if _, err := fmt.Sscan(at, &f.Line, &f.Column, &f.Message); err != nil {
			t.Fatal(err)
		}
		r.Add(f)
	}
	r.Problem(&yamltext.Problem{ID: "text/x", Pos: yamltext.Pos{Line: 2, Column: 1}, Message: "m", Hint: "h"})
	have := ""
	for _, f := range r.Sorted() {
		have += f.Message
	}
	if have != "dcbame" {
		t.Errorf("the order is %s", have)
	}
	want := structural.Finding{ID: "text/x", File: "f", Line: 2, Column: 1, Severity: structural.SeverityError, Message: "m", Hint: "h"}
	if !reflect.DeepEqual(r.Findings[4], want) {
		t.Errorf("%+v", r.Findings[4])
	}
}

func TestCollectorsEndAtTheNumberOfErrors(t *testing.T) {
	var c structural.Errors
	e := &structural.Error{}
	for i := range listed.Findings + 1 {
		if c.Full {
			t.Fatalf("full after %d", i)
		}
		c.Add(e)
	}
	c.Add(e)
	if !c.Full || len(c.Errs) != listed.Findings+1 {
		t.Errorf("full: %t, %d errors", c.Full, len(c.Errs))
	}
}

// Everything that an error prints counts.
func TestCollectorsEndAtTheLengthOfTexts(t *testing.T) {
	long := strings.Repeat("x", listed.Findings<<13+1)
	for name, of := range map[string]func(text string) *structural.Error{
		"path": func(text string) *structural.Error {
			return &structural.Error{Path: structural.NewPath("a", text[13:])}
		}, // two for each step, eight for the value
		"below":  func(text string) *structural.Error { return &structural.Error{Below: text[8:]} },
		"detail": func(text string) *structural.Error { return &structural.Error{Detail: text[8:]} },
		"value":  func(text string) *structural.Error { return &structural.Error{BadValue: text} },
		"values": func(text string) *structural.Error {
			return &structural.Error{BadValue: map[string]any{"k": []any{text[19:], true}}}
		},
		"pointer": func(text string) *structural.Error { return &structural.Error{BadValue: &text} },
		"strings": func(text string) *structural.Error { return &structural.Error{BadValue: []string{"", text[6:]}} },
		"rule": func(text string) *structural.Error {
			return &structural.Error{BadValue: structural.ValidationRule{Rule: text[8:]}}
		},
		"message": func(text string) *structural.Error {
			return &structural.Error{BadValue: structural.ValidationRule{Message: text[8:]}}
		},
		"messageExpression": func(text string) *structural.Error {
			return &structural.Error{BadValue: structural.ValidationRule{MessageExpression: text[8:]}}
		},
		"fieldPath": func(text string) *structural.Error {
			return &structural.Error{BadValue: structural.ValidationRule{FieldPath: text[8:]}}
		},
	} {
		for less, want := range map[int]bool{0: true, 1: false} {
			var c structural.Errors
			c.Add(of(long[less:]))
			if c.Full != want {
				t.Errorf("%s: full with %d bytes less than there may be: %t", name, less, c.Full)
			}
		}
	}
}

func TestErrorsAreWrittenByTheirType(t *testing.T) {
	at := structural.NewPath("a").Key("b")
	var c structural.Errors
	c.Required("r1", at, "")
	c.Required("r2", at, "d")
	c.Forbidden("r3", at, "d")
	c.Invalid("r4", at, int64(1), "d")
	c.Invalid("r5", at, structural.Omitted{}, "d")
	c.NotSupported("r6", at, "v", "x")
	c.NotSupported("r7", at, "v", "x", "y")
	c.Add(&structural.Error{ID: "r8", Path: at, Below: ".c[0]", Detail: "d"})
	c.Add(&structural.Error{ID: "r9", Detail: "d"})
	want := []string{
		"a[b]: Required value", "a[b]: Required value: d", "a[b]: Forbidden: d", "a[b]: Invalid value: 1: d", "a[b]: Invalid value: <value omitted>: d",
		`a[b]: Unsupported value: "v": supported values: "x"`, `a[b]: Unsupported value: "v": supported values: "x", "y"`, "a[b].c[0]: d", "<nil>: d",
	}
	for i, e := range c.Errs {
		if e.Error() != want[i] || e.ID != structural.ID(fmt.Sprintf("r%d", i+1)) {
			t.Errorf("%s: %s, want %s", e.ID, e, want[i])
		}
	}
	sorted.ByText(c.Errs)
	for i := range c.Errs[1:] {
		if c.Errs[i].Error() > c.Errs[i+1].Error() {
			t.Errorf("%s comes before %s", c.Errs[i], c.Errs[i+1])
		}
	}
}
