package conformance

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Level is a part of an answer that is compared.
type Level string

const (
	Verdict  Level = "verdict"  // whether the request is refused
	Fields   Level = "fields"   // the fields at fault, if it is
	Texts    Level = "texts"    // all that is said about them
	Object   Level = "object"   // the object that is stored
	Warnings Level = "warnings" // the texts of warnings
)

// Levels returns all levels.
func Levels() []Level { return []Level{Verdict, Fields, Texts, Object, Warnings} }

// Result is a case with an answer.
type Result struct {
	*Case
	Want, Have *Answer
	// Levels are those that apply to the case, Failed those at which the answers differ.
	Levels, Failed []Level
}

// Judge compares the answers of a program with those of a version of Kubernetes, at the levels that it promises. A case that the version has
// no answer to is left out.
func Judge(files []*File, version kubeversion.Version, answers map[string]*Answer, promised []Level) []*Result {
	var all []*Result
	for _, f := range files {
		for _, c := range f.Cases {
			want, have := c.answers[version], answers[c.ID()]
			if want == nil || have == nil {
				continue
			}
			r := &Result{Case: c, Want: want.canonical(), Have: have.canonical()}
			all = append(all, r)
			if have.Skipped != "" {
				continue
			}
			r.Levels = slices.DeleteFunc(r.Want.levels(), func(l Level) bool { return !slices.Contains(promised, l) })
			for _, l := range r.Levels {
				if have.Error != "" || r.Want.accepts() != r.Have.accepts() || !reflect.DeepEqual(r.Want.at(l), r.Have.at(l)) {
					r.Failed = append(r.Failed, l)
				}
			}
		}
	}
	return all
}

func (a *Answer) accepts() bool { return a.Error == "" && a.Code > 0 && a.Code < http.StatusBadRequest }

// levels returns the levels at which the answer of a server says something.
func (a *Answer) levels() []Level {
	switch {
	case !a.accepts() && a.Status != nil && len(a.Status.Details.Causes) > 0:
		return []Level{Verdict, Fields, Texts, Warnings}
	case !a.accepts():
		return []Level{Verdict, Texts, Warnings}
	case a.Object != nil:
		return []Level{Verdict, Object, Warnings}
	}
	return []Level{Verdict, Warnings}
}

// at returns what an answer that is canonical says at a level.
func (a *Answer) at(l Level) any {
	switch l {
	case Verdict:
		return a.accepts()
	case Fields:
		fields := map[string]bool{}
		if a.Status != nil {
			for _, c := range a.Status.Details.Causes {
				fields[c.Field] = true
			}
		}
		return fields
	case Texts:
		return []any{a.Code, a.Status}
	case Object:
		return a.Object
	}
	return a.Warnings
}

// canonical returns an answer without what is different each time: the order of errors, which servers check in any order, and what only a
// server knows of an object.
func (a *Answer) canonical() *Answer {
	c := *a
	c.ID = ""
	if c.Warnings = slices.Sorted(slices.Values(a.Warnings)); len(c.Warnings) == 0 {
		c.Warnings = nil
	}
	if a.Status != nil {
		c.Status = a.Status.canonical()
	}
	if a.Object != nil {
		c.Object, _ = number(a.Object).(map[string]any)
		if metadata, ok := c.Object["metadata"].(map[string]any); ok {
			for _, field := range []string{"uid", "creationTimestamp", "resourceVersion", "managedFields"} {
				delete(metadata, field)
			}
			base, _ := metadata["generateName"].(string)
			if name, _ := metadata["name"].(string); base != "" && len(name) == len(base)+len(made) && strings.HasPrefix(name, base) {
				metadata["name"] = base + made
			}
		}
	}
	return &c
}

// made stands for the end of a name that a server has made from generateName.
const made = "*****"

// address is a place in memory, which old servers print.
var address = regexp.MustCompile(`\(0x[0-9a-f]{6,}\)`)

// canonical returns a status with its errors sorted, and its message without them.
func (s *Status) canonical() *Status {
	c := &Status{Reason: s.Reason, Message: s.Message}
	causes := slices.Clone(s.Details.Causes)
	for i := range causes {
		causes[i].Message = address.ReplaceAllString(causes[i].Message, "(0x…)")
	}
	c.Details.Causes = slices.SortedFunc(slices.Values(causes), func(a, b Cause) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message))
	})
	if len(c.Details.Causes) == 0 {
		c.Details.Causes = nil
	}
	// The message is a sentence, and each different error once, in the order of the causes.
	var texts []string
	for _, cause := range s.Details.Causes {
		if text := cause.Field + ": " + cause.Message; !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if all := strings.Join(texts, ", "); len(texts) > 1 {
		c.Message = strings.TrimSuffix(c.Message, "["+all+"]")
	} else if len(texts) == 1 {
		c.Message = strings.TrimSuffix(c.Message, all)
	}
	return c
}

// number returns a copy of a value in which equal numbers are written alike.
func number(v any) any {
	switch v := v.(type) {
	case map[string]any:
		c := make(map[string]any, len(v))
		for k, e := range v {
			c[k] = number(e)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, e := range v {
			c[i] = number(e)
		}
		return c
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return whole(f)
	case float64:
		return whole(v)
	}
	return v
}

func whole(f float64) any {
	if i, err := strconv.ParseInt(strconv.FormatFloat(f, 'f', -1, 64), 10, 64); err == nil {
		return i
	}
	return f
}

// Tally counts the cases of a subject.
type Tally struct {
	Subject string
	// Cases are all, Skipped those that the program does not answer.
	Cases, Skipped int
	// Passed and Asked count the cases at each level.
	Passed, Asked map[Level]int
}

// Tallies returns the tally of each subject, and of all.
func Tallies(results []*Result) []*Tally {
	subjects := map[string]*Tally{}
	of := func(subject string) *Tally {
		if subjects[subject] == nil {
			subjects[subject] = &Tally{Subject: subject, Passed: map[Level]int{}, Asked: map[Level]int{}}
		}
		return subjects[subject]
	}
	total := of("total")
	delete(subjects, total.Subject)
	for _, r := range results {
		for _, t := range []*Tally{of(r.File.Subject), total} {
			t.Cases++
			if r.Have.Skipped != "" {
				t.Skipped++
			}
			for _, l := range r.Levels {
				t.Asked[l]++
				if !slices.Contains(r.Failed, l) {
					t.Passed[l]++
				}
			}
		}
	}
	all := slices.SortedFunc(maps.Values(subjects), func(a, b *Tally) int { return strings.Compare(a.Subject, b.Subject) })
	return append(all, total)
}

// Difference returns what is wanted and what was answered at the levels that failed, as text.
func (r *Result) Difference() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n  asked %s\n", r.Failure(), text(r.question.sent()))
	if r.Have.Error != "" {
		return b.String() + "  error " + r.Have.Error + "\n"
	}
	fmt.Fprintf(&b, "  want  %s\n  have  %s\n", text(r.Want), text(r.Have))
	return b.String()
}

// Failure returns the line for a result in a file of known failures.
func (r *Result) Failure() string { return r.ID() + " [" + join(r.Failed) + "]" }

// Failures returns the lines of all results that failed.
func Failures(results []*Result) string {
	var b strings.Builder
	for _, r := range results {
		if len(r.Failed) > 0 {
			b.WriteString(r.Failure() + "\n")
		}
	}
	return b.String()
}

// ReadKnown returns the lines of a file of known failures. Empty lines and those that begin with # do not count. There may be no such file.
func ReadKnown(file string) (map[string]bool, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			known[line] = true
		}
	}
	return known, err
}

// sent is a question without its CRD.
func (q Question) sent() Question {
	if q.CRD != nil {
		q.CRD = nil
	}
	return q
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func join(levels []Level) string {
	var words []string
	for _, l := range levels {
		words = append(words, string(l))
	}
	return strings.Join(words, ",")
}
