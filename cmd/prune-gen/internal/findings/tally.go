package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/structural"
)

// Stdin is the file name of findings about standard input.
const Stdin = "<stdin>"

// Verdict describes a CRD without errors.
type Verdict struct {
	File     string // "" for the only file
	CRD      string
	Kind     string
	Versions []string // each with its properties
}

// KindCount says how many objects there are of a kind for which no CRD was given.
type KindCount struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Objects    int    `json:"objects"`
}

// Skipped is a file, a document or an object that was not validated.
type Skipped struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"` // 0 for the whole file
	Object string `json:"object,omitempty"`
	Reason string `json:"reason"`
}

// Compared says what a change of CRDs does to objects.
type Compared struct {
	Objects  int `json:"objects"`  // that the old CRDs serve
	Refused  int `json:"refused"`  // of them, that the old CRDs refuse as new objects
	Affected int `json:"affected"` // of them, at the level that is asked for
	Loses    int `json:"loses"`    // of them, that lose fields
	Stuck    int `json:"stuck"`    // of them, of which no update is accepted any more
	Rejected int `json:"rejected"` // of them, that only the new CRDs refuse as new objects
	Unknown  int `json:"unknown"`  // other objects
}

// String returns a sentence about the objects, "" if there are none.
func (c Compared) String() string {
	text := fmt.Sprintf("%d of your %s are affected", c.Affected, Count(c.Objects, "object"))
	switch {
	case c.Objects+c.Unknown == 0:
		return ""
	case c.Objects == 0:
		text = "none of your objects can be compared"
	case c.Affected == 0 && c.Objects == 1:
		text = "your object does not break"
	case c.Affected == 0:
		text = fmt.Sprintf("none of your %d objects breaks", c.Objects)
	case c.Objects == 1:
		text = "your object is affected"
	case c.Affected == 1:
		text = fmt.Sprintf("1 of your %d objects is affected", c.Objects)
	}
	var how []string
	for _, h := range []struct {
		n         int
		one, many string
	}{{c.Loses, "loses fields", "lose fields"}, {c.Stuck, "cannot be updated", "cannot be updated"}, {c.Rejected, "would be rejected on create", "would be rejected on create"}} {
		switch {
		case h.n == 1:
			how = append(how, "1 "+h.one)
		case h.n > 1:
			how = append(how, fmt.Sprintf("%d %s", h.n, h.many))
		}
	}
	if len(how) > 0 {
		text += ": " + strings.Join(how, ", ")
	}
	switch {
	case c.Refused == 1 && c.Objects == 1:
		text += "; it would already be rejected on create by the old CRDs"
	case c.Refused > 0:
		text += fmt.Sprintf("; %d would already be rejected on create by the old CRDs", c.Refused)
	}
	if c.Unknown > 0 {
		text += fmt.Sprintf("; skipped %s of kinds or versions that the old CRDs do not serve", Count(c.Unknown, "object"))
	}
	return text
}

// Tally counts what was read and what was found.
type Tally struct {
	File                  string // the one that was read, "" for several
	Files, CRDs, Versions int
	Passed                int    // documents that are not CRDs
	Skipped               int    // files that cannot be read and do not mention what is looked for
	Templates, Links      int    // files that are templates, or have some in them, and links to directories
	Manifests             bool   // manifests were read, and not CRDs
	Objects, Refused, New int    // New are those without an old one, if there are old ones
	BuiltIn, LeftOut      int    // objects of built-in kinds, and of those that --skip names; they are not among Objects
	NoBuiltIn             string // says what would answer for objects of built-in kinds, "" if it does
	UnknownKinds          []KindCount
	Compared              Compared
	Pairs                 int // of CRDs that were compared: they are named once
	Unprinted             int // changes that nobody asked for
	errors, warnings      int
	notes                 int
	muted                 int    // findings that were left out
	failure               string // why the command ended, "" if the findings say so
}

// Foreign counts a file that is skipped, or a part of which is.
func Foreign(file string, why report.Foreign) Tally {
	t := Tally{File: file, Files: 1}
	switch why {
	case report.NoMention:
		t.Skipped = 1
	case report.Template, report.TemplateInPart:
		t.Templates = 1
	}
	return t
}

// Reason says why a manifest is skipped that Foreign has counted.
func (t Tally) Reason() string {
	if t.Templates > 0 {
		return Template
	}
	return NotManifest
}

// add counts a finding.
func (t *Tally) add(s Snippet) {
	switch s.Severity {
	case structural.SeverityWarning:
		t.warnings++
	case structural.SeverityNote:
		t.notes++
	default:
		t.errors++
	}
}

// summary returns the last line of a report for people: what was read, and the numbers of errors and warnings.
func (t Tally) summary(read, errors, warnings func(string) string) string {
	verb, subject := "read ", Count(t.Files, "file")
	if t.Pairs > 0 {
		verb, subject = "compared ", Count(t.Pairs, "CRD")
		if t.errors+t.warnings+t.notes+t.muted+t.Unprinted == 0 {
			return read(verb+subject) + ": no changes"
		}
	} else if t.Manifests {
		in := " in "
		if t.New > 0 {
			in = fmt.Sprintf(" (%d new) in ", t.New)
		}
		subject = Count(t.Objects, "object") + in + subject
	} else if t.CRDs > 0 {
		subject = fmt.Sprintf("%s with %s in %s", Count(t.CRDs, "CRD"), Count(t.Versions, "version"), subject)
	}
	text := fmt.Sprintf("%s: %s, %s", read(verb+subject), errors(Count(t.errors, "error")), warnings(Count(t.warnings, "warning")))
	if t.notes > 0 {
		text += ", " + Count(t.notes, "note")
	}
	if t.Unprinted > 0 {
		text += ", " + Count(t.Unprinted, "other change")
	}
	if t.muted > 0 {
		text += fmt.Sprintf(", %d ignored (disabled ids and comments)", t.muted)
	}
	return text
}

// unknownKinds returns a line about the objects for which no CRD was given, "" if there are none.
func (t Tally) unknownKinds() string {
	const most = 12
	total := 0
	var kinds []string
	for i, k := range t.UnknownKinds {
		total += k.Objects
		if i < most {
			kinds = append(kinds, fmt.Sprintf("%s %s (%d)", k.APIVersion, k.Kind, k.Objects))
		}
	}
	if total == 0 {
		return ""
	}
	text := fmt.Sprintf("no CRD was given for %s: %s", Count(total, "object"), strings.Join(kinds, ", "))
	if more := len(t.UnknownKinds) - most; more > 0 {
		text += fmt.Sprintf(" and %s more", Count(more, "kind"))
	}
	return text
}

// skips returns lines about what was skipped.
func (t Tally) skips() []string {
	document, file := "not a CRD", "not YAML, and no mention of a CRD"
	if t.Manifests {
		document, file = NotObject, NotManifest
	}
	lines := nonEmpty(t.unknownKinds())
	if t.BuiltIn > 0 {
		lines = append(lines, fmt.Sprintf("skipped %s of built-in kinds%s", Count(t.BuiltIn, "object"), t.NoBuiltIn))
	}
	if t.LeftOut > 0 {
		lines = append(lines, fmt.Sprintf("skipped %s of kinds that --skip names", Count(t.LeftOut, "object")))
	}
	if t.Passed > 0 {
		lines = append(lines, fmt.Sprintf("skipped %s: %s", Count(t.Passed, "document"), document))
	}
	if t.Skipped > 0 {
		lines = append(lines, fmt.Sprintf("skipped %s: %s", Count(t.Skipped, "file"), file))
	}
	return append(lines, t.leftOut()...)
}

// leftOut returns lines about templates and links, which could contain what the command looks for.
func (t Tally) leftOut() (lines []string) {
	if t.Templates > 0 {
		lines = append(lines, fmt.Sprintf("skipped %s: render templates first, for example with helm template", Count(t.Templates, "template")))
	}
	switch {
	case t.Links == 1:
		lines = append(lines, "skipped 1 link to a directory")
	case t.Links > 1:
		lines = append(lines, fmt.Sprintf("skipped %d links to directories", t.Links))
	}
	return lines
}

// eachOnce sorts the counts, and adds up those of the same kind.
func eachOnce(counts []KindCount) []KindCount {
	slices.SortStableFunc(counts, func(a, b KindCount) int {
		return cmp.Or(strings.Compare(a.APIVersion, b.APIVersion), strings.Compare(a.Kind, b.Kind))
	})
	var all []KindCount
	for _, k := range counts {
		if last := len(all) - 1; last >= 0 && all[last].APIVersion == k.APIVersion && all[last].Kind == k.Kind {
			all[last].Objects += k.Objects
		} else {
			all = append(all, k)
		}
	}
	return all
}

// Count returns a number with its noun.
func Count(n int, noun string) string {
	switch n {
	case 0:
		return "no " + noun + "s"
	case 1:
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// nonEmpty returns the words that are not "".
func nonEmpty(words ...string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}
