package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/spelling"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// File is what was found in the text of a manifest.
type File struct {
	// Findings are all findings, in the order of the file.
	Findings []structural.Finding
	// Lines is the index of the lines of the text, nil if nothing could be read, and for a text that is not held.
	Lines *yamltext.Lines
	// Passed counts the documents that are not objects of Kubernetes, and PassedAt has the first lines of the first ones.
	Passed   int
	PassedAt []int
	// Foreign says why callers should skip the file unless it was named. What is looked for are the groups of the server.
	Foreign report.Foreign
}

// Read reads a manifest and calls visit for each object in it. What visit returns is added to the findings. In a file that was found in a
// directory, not every document needs to be an object. The kinds of the servers, of which there is at least one, decide what is a list of
// objects.
func Read(t *objects.Text, visit func(Object) []structural.Finding, servers ...*Server) File {
	return readAtOnce(t, visit, false, servers)
}

// ReadToKeep is Read for objects that are kept: their cost is not refunded.
func ReadToKeep(t *objects.Text, visit func(Object) []structural.Finding, servers ...*Server) File {
	return readAtOnce(t, visit, true, servers)
}

func readAtOnce(t *objects.Text, visit func(Object) []structural.Finding, keeps bool, servers []*Server) (f File) {
	r := newReader(t, servers...)
	r.visit = func(o Object, _ Reasons) (int, func() []structural.Finding) {
		return 0, func() []structural.Finding { return visit(o) }
	}
	r.read(keeps, func(read File) { f = read })
	return f
}

// ReadAhead is Read for a caller that does not wait for one answer before it asks for the next. The function that visit returns waits for
// the findings about an object; it is called when the queue gets there. So is done, after the last object of the manifest.
func ReadAhead(q *Queue, t *objects.Text, visit Visit, done func(File), servers ...*Server) {
	r := newReader(t, servers...)
	r.queue, r.visit = q, visit
	r.read(false, done)
}

// Visit visits an object. Its results are those of Server.Ask, with the findings of the answer. Once no more findings about the file are
// listed, reasons is WithoutReasons.
type Visit func(o Object, reasons Reasons) (size int, found func() []structural.Finding)

// reader is the work on one manifest.
type reader struct {
	File
	text    *objects.Text
	report  report.Report
	visit   Visit
	queue   *Queue
	servers []*Server
	meter   *meter.Meter
	// known reports that there is an object of a group of the servers.
	known bool
	// versions counts the warnings about resourceVersions.
	versions int
}

func newReader(t *objects.Text, servers ...*Server) *reader {
	return &reader{text: t, report: report.Report{File: t.Name}, queue: &Queue{}, servers: servers, meter: servers[0].meter}
}

func (r *reader) read(keeps bool, done func(File)) {
	all := objects.Reader{Meter: r.meter, IsKind: r.isKind, Visit: r.within(r.object), Other: r.other, Problem: r.report.Problem, Keeps: keeps}
	lines, err := all.Read(r.text)
	r.Lines = lines
	r.unreadable(err)
	r.queue.Add(r.text.Name, 0, func() { done(r.finish()) })
}

// isKind reports whether a server knows a kind.
func (r *reader) isKind(apiVersion, kind string) bool {
	return slices.ContainsFunc(r.servers, func(s *Server) bool { return s.isKind(apiVersion, kind) })
}

// within returns a function that calls visit for an object within the limits.
func (r *reader) within(visit func(Object)) func(Object) {
	return func(o Object) {
		if r.meter.Spent() {
			return // it was said before
		}
		group, _ := o.Group()
		r.known = r.known || slices.ContainsFunc(r.servers, func(s *Server) bool { return s.inGroup[group] != nil })
		if p := o.Node.Object(r.meter, r.isKind(o.APIVersion, o.Kind)); p != nil {
			r.report.Problem(p)
			return
		}
		visit(o)
		r.report.Exceeded(r.meter, o.Node.Pos)
	}
}

// later calls f for an object when the queue gets there, within the limits.
func (r *reader) later(o Object, size int, f func()) {
	r.queue.Add(r.text.Name, size, func() {
		switch left := r.meter.Left(); {
		case size == 0:
			f()
		case !r.meter.Spent():
			f()
			if r.text.IsJSON() { // as the reader does for an object that does not wait
				r.meter.Refund(int(min(left-r.meter.Left(), int64(meter.RefundedUnits*size))))
			}
		}
		r.report.Exceeded(r.meter, o.Node.Pos)
	})
}

// unreadable adds an error of the reader of the text.
func (r *reader) unreadable(err error) {
	if err != nil {
		r.report.Add(structural.Finding{ID: structural.IDUnreadable, Severity: structural.SeverityError, Message: err.Error()})
	}
}

// other reports what is not an object.
func (r *reader) other(n *yamltext.Node) {
	if r.text.Listed {
		r.pass(n)
		return
	}
	r.report.Add(structural.Finding{
		ID: IDNotObject, Line: n.Pos.Line, Column: n.Pos.Column, Severity: structural.SeverityError,
		Message: fmt.Sprintf("got %s, want an object", n.Describe()),
	})
}

// pass counts a document that is not an object.
func (r *reader) pass(n *yamltext.Node) {
	if r.Passed++; r.Passed <= listed.Findings {
		r.PassedAt = append(r.PassedAt, n.Pos.Line)
	}
}

// object visits an object. An object without apiVersion or kind gets an error in the words of kubectl.
func (r *reader) object(o Object) {
	var missing []string
	if o.APIVersion == "" {
		missing = append(missing, "apiVersion not set")
	}
	if o.Kind == "" {
		missing = append(missing, "kind not set")
	}
	if missing != nil && r.text.Listed && (o.APIVersion == "" || o.Node.Get("metadata") == nil) {
		r.pass(o.Node)
		return
	}
	if r.report.Read(); missing == nil {
		size, found := r.visit(o, Reasons(!r.report.Ended()))
		r.later(o, size, func() { r.add(found()) })
	} else {
		r.report.Add(structural.Finding{
			ID: IDNotObject, Line: o.Node.Pos.Line, Column: o.Node.Pos.Column, Object: o.String(), Severity: structural.SeverityError,
			Message: strings.Join(missing, ", "), Hint: r.missingHint(o, missing),
		})
	}
}

// missingHint says which key of an object was probably meant, or what every object has.
func (r *reader) missingHint(o Object, missing []string) string {
	var keys []string
	for i := range o.Node.Entries {
		keys = append(keys, o.Node.Entries[i].Key)
	}
	if !r.meter.Spend(meter.UnitsOfName * len(keys)) {
		return ""
	}
	for _, m := range missing {
		name, _, _ := strings.Cut(m, " ")
		if near := spelling.Nearest(name, keys); near != "" {
			return fmt.Sprintf("write %s instead of %s", name, near)
		}
	}
	return "every object has an apiVersion and a kind, such as apps/v1 and Deployment"
}

// add adds findings about an object. Each object that kubectl get prints has a resourceVersion: the first warning stands for all.
func (r *reader) add(found []structural.Finding) {
	for _, f := range found {
		if f.ID == IDResourceVersion {
			if r.versions++; r.versions > 1 {
				continue
			}
		}
		report.Spend(&f, r.meter)
		r.report.Add(f)
	}
}

// finish sorts the findings.
func (r *reader) finish() File {
	if r.text.IsJSON() { // the cost of objects was refunded, but findings stay
		for _, f := range r.report.Findings {
			report.Spend(&f, r.meter)
			r.report.Exceeded(r.meter, yamltext.Pos{Line: f.Line, Column: f.Column})
		}
	}
	r.Findings = r.report.Sorted()
	if r.versions > 1 {
		if i := slices.IndexFunc(r.Findings, func(f structural.Finding) bool { return f.ID == IDResourceVersion }); i >= 0 {
			others := "; so is 1 more object in this file"
			if r.versions > 2 {
				others = fmt.Sprintf("; so are %d more objects in this file", r.versions-1)
			}
			r.Findings[i].Hint += others
		}
	}
	r.Foreign = r.report.Foreign(func() bool {
		return r.known || !r.text.IsHeld() && !r.text.Listed || r.text.Mentions(r.meter, r.groups())
	})
	return r.File
}

// groups returns the groups of the servers.
func (r *reader) groups() []string {
	var all []string
	for _, s := range r.servers {
		all = append(all, s.groups...)
	}
	return all
}

func hasErrors(found []structural.Finding) bool {
	return slices.ContainsFunc(found, func(f structural.Finding) bool { return f.Severity == structural.SeverityError })
}
