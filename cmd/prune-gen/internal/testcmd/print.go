package testcmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/suite"
)

// failed returns the number of runs that failed, updated the number of those whose cases were updated instead.
func (s *tested) failed() int {
	if s.isUpdated {
		return 0
	}
	return s.differ()
}

func (s *tested) updated() int {
	if s.isUpdated {
		return s.differ()
	}
	return 0
}

// differ returns the number of runs in which the API server did not do what the case expected.
func (s *tested) differ() int {
	n := 0
	for _, r := range s.runs {
		if r.Failures != nil {
			n++
		}
	}
	return n
}

// print prints the results of a suite.
func (t *tester) print(s *tested) {
	t.cases += len(s.runs)
	t.failures += s.failed()
	t.updates += s.updated()
	if !t.how.Text() {
		t.machines(s)
		return
	}
	for _, same := range s.alike() {
		t.result(s, same)
	}
	switch failed := s.failed(); {
	case failed > 0:
		t.printf("%s  %s  %d of %s failed\n", t.paint.Red("FAIL"), terminal.Escape(s.suite.File), failed, findings.Count(len(s.runs), "case"))
	case !*t.how.Quiet:
		t.printf("ok    %s  %s%s\n", terminal.Escape(s.suite.File), findings.Count(len(s.runs), "case"), and(", ", s.updated(), " updated"))
	}
}

// and returns a number with the text around it, nothing for none.
func and(before string, n int, after string) string {
	if n == 0 {
		return ""
	}
	return before + strconv.Itoa(n) + after
}

func (t *tester) printf(format string, args ...any) { fmt.Fprintf(t.env.Stdout, format, args...) }

// machines adds the results of a suite to the report.
func (t *tester) machines(s *tested) {
	for _, same := range s.alike() {
		r := same[0]
		if s.isUpdated {
			continue
		}
		for _, f := range r.Failures {
			finding := r.Finding(f)
			finding.Object += s.with(same)
			t.report.Add([]findings.Snippet{{Finding: finding}})
		}
	}
}

// alike returns the runs of each case, grouped by result.
func (s *tested) alike() [][]*suite.Run {
	var all [][]*suite.Run
	for _, c := range s.suite.Cases {
		from := len(all)
		for _, r := range s.runs {
			if r.Case != c {
				continue
			}
			i := slices.IndexFunc(all[from:], func(same []*suite.Run) bool { return slices.Equal(same[0].Failures, r.Failures) })
			if i < 0 {
				all = append(all, []*suite.Run{r})
				continue
			}
			all[from+i] = append(all[from+i], r)
		}
	}
	return all
}

// with names the files of the CRDs that a case was run with, unless there is only one or the case was run with all.
func (s *tested) with(same []*suite.Run) string {
	n := s.cases[same[0].Case]
	if n == len(same) {
		return ""
	}
	var names []string
	for _, r := range same {
		names = append(names, filepath.Base(r.Variant.File()))
	}
	return " (with " + strings.Join(names, ", ") + ")"
}

// result prints a case once for the variants with the same result.
func (t *tester) result(s *tested, same []*suite.Run) {
	r := same[0]
	name := terminal.Escape(s.suite.File + ": " + r.Case.Name + s.with(same))
	if r.Failures == nil {
		if t.verbose {
			t.printf("--- %s: %s\n", t.paint.Green("PASS"), name)
		}
		return
	}
	if s.isUpdated {
		t.printf("--- UPDATE: %s\n", name)
	} else {
		t.printf("--- %s: %s\n", t.paint.Red("FAIL"), name)
	}
	for _, f := range r.Failures {
		for i, line := range strings.Split(f.Message, "\n") {
			if i == 0 {
				line = fmt.Sprintf("%s:%d: %s", s.suite.File, f.Line, line)
			}
			t.printf("    %s\n", terminal.EscapeLine(line))
		}
		if f.Hint != "" {
			t.printf("    hint: %s\n", terminal.EscapeLine(f.Hint))
		}
		for line := range strings.Lines(f.Diff) {
			line = strings.TrimSuffix(line, "\n")
			text := terminal.EscapeLine(line)
			switch {
			case strings.HasPrefix(line, "+"):
				text = t.paint.Green(text)
			case strings.HasPrefix(line, "-"):
				text = t.paint.Red(text)
			}
			t.printf("        %s\n", text)
		}
	}
}

// summary prints the last line.
func (t *tester) summary() {
	if *t.how.Quiet {
		return
	}
	suites, more := findings.Count(len(t.suites), "file"), and("; updated ", t.updates, "")
	seconds := time.Since(t.start).Seconds()
	if t.passed > 0 {
		more += "; skipped " + findings.Count(t.passed, "object") + " of groups without a CRD"
	}
	if t.failures > 0 {
		t.printf("%s  %d of %s in %s failed%s (%.2fs)\n", t.paint.Red("FAIL"), t.failures, findings.Count(t.cases, "case"), suites, more, seconds)
		return
	}
	t.printf("ok    %s in %s%s (%.2fs)\n", findings.Count(t.cases, "case"), suites, more, seconds)
}
