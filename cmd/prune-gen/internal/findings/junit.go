package findings

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/structural"
)

// junitPrinter prints the form of JUnit, which CI systems show as tests. There is a suite for each file, and in it a case for each
// CRD or object without errors and one for each finding. A warning is a case that passes and has an output, unless warnings count
// as errors. What was skipped is a case, and so is the reason why the command ended, if no finding says it. CI systems take cases with one classname and name for one case, whatever its suite: a name has the file, and the path of a
// finding.
//
//	<testsuites name="prune-gen" tests="2" failures="1">
//	  <testsuite name="nightly.yaml" tests="2" failures="1">
//	    <testcase name="nightly.yaml: CronTab nightly" classname="crontabs.stable.example.com" file="nightly.yaml" line="1"></testcase>
//	    <testcase name="nightly.yaml: CronTab weekly: object/required: spec.cronSpec" classname="crontabs.stable.example.com" file="nightly.yaml" line="9">
//	      <failure message="spec.cronSpec: Required value" type="object/required">nightly.yaml:9:3: spec.cronSpec: Required value</failure>
//	    </testcase>
//	  </testsuite>
//	</testsuites>
type junitPrinter struct {
	base
	out    junitSuites
	suites map[string]*junitSuite
	names  names
}

type junitSuites struct {
	XMLName  xml.Name      `xml:"testsuites"`
	Name     string        `xml:"name,attr"`
	Tests    int           `xml:"tests,attr"`
	Failures int           `xml:"failures,attr"`
	Errors   int           `xml:"errors,attr,omitempty"`
	Skipped  int           `xml:"skipped,attr,omitempty"`
	Suites   []*junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr,omitempty"`
	Skipped  int         `xml:"skipped,attr,omitempty"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Line    int           `xml:"line,attr,omitempty"`
	Failure *junitFailure `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Skipped *junitMessage `xml:"skipped"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
}

func (j *junitPrinter) add(file string, c junitCase) {
	if j.suites == nil {
		j.suites = map[string]*junitSuite{}
	}
	s := j.suites[file]
	if s == nil {
		s = &junitSuite{Name: cmp.Or(terminal.Escape(file), "prune-gen")}
		j.suites[file] = s
		j.out.Suites = append(j.out.Suites, s)
	}
	c.File = terminal.Escape(file)
	s.Tests++
	j.out.Tests++
	if c.Failure != nil {
		s.Failures++
		j.out.Failures++
	}
	if c.Error != nil {
		s.Errors++
		j.out.Errors++
	}
	if c.Skipped != nil {
		s.Skipped++
		j.out.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func (j *junitPrinter) finding(f Snippet) {
	about := []string{f.Object, string(f.Rule), f.Path}
	if f.Rule == suite.RuleFailed {
		about = about[:1] // a test has one name, whatever its result
	}
	class := cmp.Or(f.CRD, string(f.Rule))
	text := escapeLines(place(f.Finding) + ": " + strings.Join(f.lines(), "\n"))
	c := junitCase{Name: j.names.next(f.File, about...), Class: terminal.Escape(class), Line: f.Line}
	if f.Severity == structural.SeverityError || j.Strict && f.Severity == structural.SeverityWarning {
		c.Failure = &junitFailure{Message: terminal.Escape(f.lines()[0]), Type: terminal.Escape(string(f.Rule)), Text: text}
	} else {
		c.Output = text
	}
	j.add(f.File, c)
}

// names are the names of findings in a report.
type names map[string]int

// next returns the name of a finding in a file, with what it is about. Findings with the same name are numbered.
func (n *names) next(file string, about ...string) string {
	if *n == nil {
		*n = names{}
	}
	name := terminal.Escape(strings.Join(nonEmpty(append([]string{file}, about...)...), ": "))
	if (*n)[name]++; (*n)[name] > 1 {
		return fmt.Sprintf("%s (%d)", name, (*n)[name])
	}
	return name
}

// escapeLines is terminal.Escape for a text of several lines.
func escapeLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = terminal.Escape(lines[i])
	}
	return strings.Join(lines, "\n")
}

func (j *junitPrinter) verdict(v Verdict) {
	j.add(v.File, junitCase{Name: j.names.next(v.File, cmp.Or(v.Object, v.Kind)), Class: terminal.Escape(v.CRD), Line: v.Line})
}

func (j *junitPrinter) skipped(s Skipped) {
	j.add(s.File, junitCase{Name: j.names.next(s.File, s.Object), Class: "skipped", Line: s.Line, Skipped: &junitMessage{terminal.Escape(s.Reason)}})
}

func (j *junitPrinter) finish(t Tally) {
	if t.failure != "" {
		j.add("", junitCase{Name: "prune-gen", Class: "prune-gen", Error: &junitMessage{terminal.Escape(t.failure)}})
	}
	j.out.Name = "prune-gen"
	j.printf("%s", xml.Header)
	enc := xml.NewEncoder(j.w)
	enc.Indent("", "  ")
	enc.Encode(j.out)
	j.printf("\n")
}
