package lspcmd

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/config"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/crdserver"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/validatecmd"
	"github.com/prune-gen/prune-gen/internal/answer/builtin"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/editor/lsp"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// workspace has what is known about kinds: the CRDs that are configured, and those in the files of the workspace.
type workspace struct {
	typed *cobra.Command
	// scans reports whether the files of the workspace are read: its root is known, and it is the directory of a project.
	scans bool

	mu sync.Mutex // whoever works holds it, and uses the meter
	*settings
	meter   *meter.Meter
	config  map[string]string // the stamps of prune-gen.yaml
	stamps  map[string]string // of the files that have CRDs, or could have some
	run     input.Run         // the files that have not changed since they were read
	edited  edited
	kinds   []manifest.Definition
	listed  []manifest.Kind                         // the versions of all kinds, nil before they are asked for
	ofFile  map[*input.Source][]manifest.Definition // kinds that were found before
	late    map[*input.Source][]structural.Finding  // what is wrong with CRDs that were read on demand
	files   map[string]*places                      // files with CRDs that were located
	answers map[lsp.URI]validatecmd.Answers         // about texts that are open
	used    map[*input.Source]bool                  // whose CRDs the current work has asked for
	misread []structural.Finding                    // what is wrong with prune-gen.yaml
	wrong   map[string][]structural.Finding         // the same and what it names that cannot be read, by absolute paths
	said    []string                                // what is wrong with the command line
	program *builtin.Program
	builtIn []manifest.Definition
}

func newWorkspace(typed *cobra.Command) *workspace {
	return &workspace{typed: typed, run: input.Run{}, wrong: map[string][]structural.Finding{}, ofFile: map[*input.Source][]manifest.Definition{}, late: map[*input.Source][]structural.Finding{}}
}

// within does work that ends early when the context does. It reports whether the work was done.
func (w *workspace) within(ctx context.Context, work func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() != nil {
		return false
	}
	w.meter.Renew()
	w.used = map[*input.Source]bool{}
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { w.meter.Stop(); close(stopped) })
	defer func() {
		if !stop() {
			<-stopped // the next work uses the meter
		}
	}()
	work()
	return ctx.Err() == nil
}

// edited are the texts that are open, by their names.
type edited map[string]*document

func (e edited) text(name string) []byte {
	if d := e[absolute(name)]; d != nil {
		return d.text.Bytes
	}
	return nil
}

func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}

// short returns the name of a file as people write it in the root of the workspace.
func short(name string) string {
	if relative, err := filepath.Rel(absolute("."), name); err == nil && !strings.HasPrefix(relative, "..") {
		return relative
	}
	return name
}

// refresh reads again what has changed. It reports whether anything has, and returns what is new and wrong with the command line.
func (w *workspace) refresh(ctx context.Context, env *cli.Environment, open edited) (changed bool, said []string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if stamps := input.Stamps(input.Args{Names: w.configNames()}); w.settings == nil || !maps.Equal(stamps, w.config) {
		changed = true
		err = w.readConfig(env)
	}
	w.meter.Renew()
	defer context.AfterFunc(ctx, w.meter.Stop)()
	all := w.sources(open)
	stamps := map[string]string{}
	for _, args := range all {
		maps.Copy(stamps, input.Stamps(args))
	}
	for name, d := range open {
		if d.hasCRDs {
			stamps[name] = d.stamp()
		}
	}
	if w.stamps != nil && maps.Equal(stamps, w.stamps) && !changed {
		return false, nil, err
	}
	for name := range w.run {
		if at := absolute(name); open[at] != nil || w.stamps[name] != stamps[name] || w.stamps[at] != stamps[at] || stamps[name] == "" {
			delete(w.run, name)
		}
	}
	wrong := slices.Concat(w.misread, w.read(all))
	w.stamps = stamps
	for name := range w.wrong {
		w.wrong[name] = nil
	}
	was := w.said
	w.said = nil
	for _, f := range wrong {
		if name := absolute(f.File); f.Line > 0 {
			w.wrong[name] = append(w.wrong[name], f)
		} else {
			w.said = append(w.said, f.File+": "+f.Message)
		}
	}
	if !slices.Equal(was, w.said) {
		said = w.said
	}
	return true, said, err
}

// readConfig reads prune-gen.yaml. While it has errors, what it said before counts.
func (w *workspace) readConfig(env *cli.Environment) error {
	set, file, err := configured(w.typed)
	w.misread = nil
	if broken := (*config.Error)(nil); errors.As(err, &broken) {
		for _, s := range broken.Snippets {
			w.misread = append(w.misread, s.Finding)
		}
		w.config = map[string]string{w.misread[0].File: ""}
	}
	switch {
	case err == nil:
		w.configure(env, set, file)
	case w.settings == nil:
		_, set := newCommand()
		w.configure(env, set, &config.File{})
	}
	w.config = input.Stamps(input.Args{Names: w.configNames()})
	if w.misread != nil {
		return nil
	}
	return err
}

// configNames returns the names that prune-gen.yaml has or can have.
func (w *workspace) configNames() []string {
	names := []string{config.Name}
	for name := range w.config {
		names = append(names, name)
	}
	return names
}

// configure uses other settings from now on.
func (w *workspace) configure(env *cli.Environment, set *settings, file *config.File) {
	w.settings, w.meter = set, set.how.Meter()
	w.stamps, w.run = nil, input.Run{}
	if file.Name != "" {
		w.config = map[string]string{file.Name: ""}
	}
	w.stop()
}

// stop ends the program for built-in kinds, which other work starts again.
func (w *workspace) stop() {
	if w.program != nil {
		w.program.Stop()
	}
	w.program, w.builtIn = nil, nil
}

// passedOver are the directories of a workspace that have files of others.
var passedOver = []string{".git", "node_modules", "vendor"}

// sources returns what to read CRDs from: what is configured, and the workspace, of which open files come first.
func (w *workspace) sources(open edited) []input.Args {
	configured := w.how.Inputs(w.crds)
	found := w.how.Inputs(nil)
	found.Mixed = true
	for _, name := range slices.Sorted(maps.Keys(open)) {
		if open[name].hasCRDs {
			found.Names = append(found.Names, name)
		}
	}
	if w.scans {
		found.Names = append(found.Names, ".")
		found.Exclude = append(passedOver[:len(passedOver):len(passedOver)], found.Exclude...)
	}
	all := []input.Args{configured, found}
	for i := range all {
		all[i].Later, all[i].Run, all[i].Earlier, all[i].Edited, all[i].Configured = true, w.run, true, open.text, w.places
	}
	return all
}

// read finds the kinds of all CRDs. Those that are configured come before those that are found in the workspace, and of these the first one
// counts: repositories have copies. It returns which of the configured files cannot be read.
func (w *workspace) read(all []input.Args) (wrong []structural.Finding) {
	w.kinds, w.listed, w.files, w.answers = nil, nil, map[string]*places{}, map[lsp.URI]validatecmd.Answers{}
	known := map[[2]string]bool{}
	ofFile := map[*input.Source][]manifest.Definition{}
	for i, args := range all {
		if len(args.Names) == 0 {
			continue
		}
		input.Each(args, nil, func(src *input.Source, _, _ int) {
			defined, ok := w.ofFile[src]
			if !ok {
				for _, d := range crdserver.Definitions(src, w.fail(src)) {
					defined = append(defined, w.remembered(src, d))
				}
				if len(defined) == 0 && findings.HasErrors(src.Findings) {
					defined = w.broken(src)
				}
			}
			ofFile[src] = defined
			for _, d := range defined {
				if id := [2]string{d.Group, d.Kind}; i == 0 || !known[id] {
					w.kinds = append(w.kinds, d)
				}
			}
			for _, d := range defined {
				known[[2]string{d.Group, d.Kind}] = true
			}
			if i == 0 {
				wrong = append(wrong, unreadable(src.Findings)...)
			}
		})
	}
	for src := range w.late {
		if ofFile[src] == nil {
			delete(w.late, src)
		}
	}
	w.ofFile = ofFile
	return wrong
}

// unreadable returns the findings that files cannot be read.
func unreadable(found []structural.Finding) []structural.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f structural.Finding) bool { return f.ID != structural.IDUnreadable })
}

// counted returns the CRD with which objects are validated instead of one that is defined in a file, nil for that itself.
func (w *workspace) counted(c *structural.CRD) *structural.CRD {
	for _, d := range w.kinds {
		if d.Group != c.Group || d.Kind != c.Names.Kind {
			continue
		}
		for _, other := range d.CRDs() {
			if absolute(other.File) == absolute(c.File) {
				return nil
			}
			return other
		}
	}
	return nil
}

// broken returns the kinds that a file had before it could no longer be read.
func (w *workspace) broken(src *input.Source) (all []manifest.Definition) {
	for was, defined := range w.ofFile {
		if absolute(was.Name) != absolute(src.Name) {
			continue
		}
		for _, d := range defined {
			d.CRDs = func() []*structural.CRD { w.fail(src)(src, findings.Errors(src.Findings)); return nil }
			all = append(all, w.remembered(src, d))
		}
	}
	return all
}

// fail returns a function that records what is wrong with CRDs that are read on demand.
func (w *workspace) fail(of *input.Source) func(*input.Source, []structural.Finding) {
	return func(_ *input.Source, found []structural.Finding) { w.late[of] = append(w.late[of], found...) }
}

// remembered returns a definition whose CRDs are read and compiled once.
func (w *workspace) remembered(src *input.Source, d manifest.Definition) manifest.Definition {
	type compiled struct {
		all []prunert.Resource
		err error
	}
	read, results := onceUnlessSpent(w, d.CRDs), map[*structural.CRD]func() compiled{}
	compile := d.Compile
	d.CRDs = func() []*structural.CRD {
		if w.used != nil {
			w.used[src] = true
		}
		return read()
	}
	d.Compile = func(c *structural.CRD) ([]prunert.Resource, error) {
		if results[c] == nil {
			results[c] = onceUnlessSpent(w, func() compiled {
				all, err := compile(c)
				return compiled{all, err}
			})
		}
		r := results[c]()
		return r.all, r.err
	}
	return d
}

// onceUnlessSpent returns a function that calls f once, and again if the limits were exceeded, or the work stopped. What f has said about
// CRDs does not count then.
func onceUnlessSpent[T any](w *workspace, f func() T) func() T {
	var result T
	done := false
	return func() T {
		if !done {
			late := maps.Clone(w.late)
			if result = f(); w.meter.Spent() {
				w.late = late
				return result
			}
			done = true
		}
		return result
	}
}

// server returns a server with all kinds.
func (w *workspace) server() *manifest.Server {
	s := manifest.NewServer(w.meter, w.kinds)
	s.BuiltIn(w.builtInKinds)
	return s
}

// builtInKinds returns the built-in kinds, if there is a program that answers for them.
func (w *workspace) builtInKinds() []manifest.Definition {
	if w.program != nil && w.program.Err() != nil {
		w.stop()
	}
	if w.program != nil {
		return w.builtIn
	}
	path, err := builtin.Find(w.builtin, w.how.Kubernetes)
	if path == "" || err != nil {
		return nil
	}
	if w.program, err = builtin.Start(path, w.how.Kubernetes); err != nil {
		w.program = nil
		return nil
	}
	for _, d := range w.program.Definitions(w.meter) {
		w.builtIn = append(w.builtIn, w.remembered(nil, d))
	}
	return w.builtIn
}

// crd returns a file with CRDs as it is read for lint: all of it, whether or not it has errors.
func (w *workspace) crd(name string) (src *input.Source) {
	args := w.how.Inputs([]string{name})
	args.Edited, args.Earlier = w.edited.text, true
	input.Each(args, nil, func(s *input.Source, _, _ int) { src = s })
	return src
}

// forget drops what is kept about a text.
func (w *workspace) forget(uri lsp.URI) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.answers, uri)
}

// end ends what the workspace has started.
func (w *workspace) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stop()
}
