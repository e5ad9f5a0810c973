package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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
	Kubernetes kubeversion.Version
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
			r := &Result{Case: c, Kubernetes: version, Want: want.canonical(), Have: have.canonical()}
			all = append(all, r)
			if have.Skipped != "" {
				continue
			}
			r.Levels = slices.DeleteFunc(r.Want.levels(), func(l Level) bool {
				return !slices.Contains(promised, l) || l == Warnings && len(want.Warnings)+len(have.Warnings) == 0
			})
			for _, l := range r.Levels {
				if have.Error != "" || r.Want.accepts() != r.Have.accepts() || !reflect.DeepEqual(r.Want.at(l), r.Have.at(l)) {
					r.Failed = append(r.Failed, l)
				}
			}
		}
	}
	return all
}

func (a *Answer) accepts() bool { return a.Error == "" && a.Code > 0 && a.Code < badRequest }

// badRequest is the first status of a refusal; net/http would double the program.
const badRequest = 400

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

var (
	// address is a place in memory, which old servers print, and line one in their source, which moves.
	address = regexp.MustCompile(`\(0x[0-9a-f]{6,}\)`)
	line    = regexp.MustCompile(`scheme\.go:[0-9]+`)
)

// canonical returns a status with its errors sorted, and its message without them.
func (s *Status) canonical() *Status {
	c := &Status{Reason: s.Reason, Message: s.Message, Details: s.Details}
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
	c.Message = line.ReplaceAllString(c.Message, "scheme.go:…")
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

// shown is how much of an answer Difference shows.
const shown = 4000

// Difference returns the question, what is wanted and what was answered, as text.
func (r *Result) Difference() string {
	asked := fmt.Sprintf("%s\n  asked %s\n", r.Failure(), text(r.Question(r.Kubernetes)))
	if r.Have.Error != "" {
		return asked + "  error " + cut(r.Have.Error, shown) + "\n"
	}
	return fmt.Sprintf("%s  want  %s\n  have  %s\n", asked, cut(string(text(r.Want)), shown), cut(string(text(r.Have)), shown))
}

// Failure returns the line for a result in a file of known failures.
func (r *Result) Failure() string { return r.ID() + " [" + join(r.Failed) + "]" }

// Known has failures that are expected, by their lines.
type Known struct {
	lines []string // of the file, with those that are empty or begin with #
}

// ReadKnown reads a file of known failures. With mayLack, there may be no such file.
func ReadKnown(file string, mayLack bool) (*Known, error) {
	text, err := os.ReadFile(file)
	if mayLack && errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	k := &Known{}
	for line := range strings.Lines(string(text)) {
		k.lines = append(k.lines, strings.TrimSpace(line))
	}
	return k, err
}

// Failures returns the lines of failures.
func (k *Known) Failures() map[string]bool {
	all := map[string]bool{}
	for _, line := range k.lines {
		if line != "" && line[0] != '#' {
			all[line] = true
		}
	}
	return all
}

// Updated returns the file with the failures of some results, the new ones at its end, and without those that did not happen. Comments and
// the lines of other cases stay.
func (k *Known) Updated(results []*Result) (text string, added, removed int) {
	asked, failed, written := map[string]bool{}, map[string]bool{}, k.Failures()
	for _, r := range results {
		asked[r.ID()] = true
		failed[r.Failure()] = len(r.Failed) > 0
	}
	var b strings.Builder
	for _, line := range k.lines {
		id := line
		if i := strings.LastIndex(line, " ["); i >= 0 {
			id = line[:i]
		}
		if written[line] && asked[id] && !failed[line] {
			removed++
			continue
		}
		b.WriteString(line + "\n")
	}
	for _, r := range results {
		if line := r.Failure(); len(r.Failed) > 0 && !written[line] {
			b.WriteString(line + "\n")
			added++
		}
	}
	return b.String(), added, removed
}

// cut returns the beginning of a text that is longer than n bytes, and how much is missing.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes more)", strings.ToValidUTF8(s[:n], ""), len(s)-n)
}

// text returns a value as a line of JSON in which no character is escaped that need not be.
func text(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return []byte(err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func join(levels []Level) string {
	var words []string
	for _, l := range levels {
		words = append(words, string(l))
	}
	return strings.Join(words, ",")
}
