// Package prunecmd is the command prune.
package prunecmd

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/crdserver"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/unified"
	"github.com/prune-gen/prune-gen/structural"
)

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "prune [flags] [--crd CRD] FILE...",
		Short: "print manifests without what the API server would drop, or as it would store them",
		Long: `Print manifests without the fields that the API server would drop. Every other byte stays as it is: comments, order, anchors
and style. The comments of a field are removed with it, and a map that loses all its fields becomes {}. It is an error if an alias refers to
a removed value. JSON is pruned while it is read: a list of any size takes the memory of its largest item. Objects without a CRD are
printed as they are. With --normalize, print the objects as they would be stored if they were created, with defaults filled in;
comments are lost, and it is an error if the API server would refuse an object. A manifest is a file with YAML documents, JSON or
lists, a directory, or - for standard input.`,
		Example: `  # what would be lost
  prune-gen prune --crd config/crd/bases --diff config/samples
  # remove it from the files
  prune-gen prune --crd config/crd/bases -w config/samples
  # fail if something would be lost, and name the files
  prune-gen prune --crd config/crd/bases --check config/samples
  # a dump of any size
  kubectl get crontabs -A -o json | prune-gen prune --crd crd.yaml - >dump.json
  # an object with its defaults
  prune-gen prune --crd crd.yaml --normalize crontab.yaml`,
	}
	how := cli.AddFindingFlags(cmd, cli.MuteWarnings, "print neither a summary nor the names of files that were written")
	cli.AddKubernetes(cmd, &how.Kubernetes)
	flags := crdserver.AddFlags(cmd, how)
	p := &pruner{env: env, how: how, out: &tailWriter{w: env.Stdout}}
	cmd.Flags().BoolVar(&p.diff, "diff", false, "print unified diffs instead of the manifests")
	cmd.Flags().BoolVar(&p.normalize, "normalize", false, "print the objects as they would be stored")
	cmd.Flags().BoolVar(&p.check, "check", false, "print the names of files that would change, and fail if there is one")
	cmd.Flags().BoolVarP(&p.write, "write", "w", false, "write the files back, none if there is an error, and print their names")
	cmd.Args = func(_ *cobra.Command, args []string) error {
		switch {
		case p.write && input.NamesStdin(args):
			return cli.Usagef("-w cannot be combined with standard input")
		case p.check && (p.write || p.normalize):
			return cli.Usagef("--check cannot be combined with -w or --normalize: it asks whether fields would be dropped")
		}
		return flags.Check(args)
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		p.report = how.Report(env.Stderr, env.StderrTerminal)
		err := flags.Serve(env, p.report, args, func(s *crdserver.Server) error {
			p.server = s
			return p.prune(args)
		})
		if err = how.FinishQuietly(p.report, err); err == nil && p.check && len(p.changed) > 0 {
			return cli.ErrFindings
		}
		return err
	}
	return cmd
}

// pruner is the work of the command.
type pruner struct {
	env             *cli.Environment
	how             *cli.FindingFlags
	server          *crdserver.Server
	report          *findings.Report
	diff, normalize bool
	check, write    bool

	out      *tailWriter
	wasJSON  bool // what was printed last
	replacer *output.Replacer
	changed  []string // the files that are replaced, or would be
	known    int      // objects of known kinds
	unknown  int
}

func (p *pruner) prune(names []string) error {
	if p.env.StdoutTerminal && !p.diff {
		p.out.w = terminal.NewWriter(p.env.Stdout)
	}
	if p.write {
		p.replacer = output.NewReplacer()
		defer p.replacer.Close()
	}
	var failed error
	err := cli.EachText(p.env, "pruning", p.how.Inputs(names), func(t *input.Text) { failed = cmp.Or(failed, p.file(t)) })
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return err
	}
	crdFailed := p.server.Failed()
	if err := p.server.Finish(); err != nil {
		return err
	}
	if p.known == 0 && p.unknown > 0 && !crdFailed && !*p.how.Quiet {
		fmt.Fprintf(p.env.Stderr, "prune-gen prune: no CRD was given for any object (%s)\n", findings.Count(p.unknown, "object"))
	}
	return p.replace()
}

// replace puts the changed files into place, unless there are errors, and prints their names.
func (p *pruner) replace() error {
	if p.check && !p.diff {
		for _, name := range p.changed {
			fmt.Fprintln(p.env.Stdout, terminal.Escape(name))
		}
	}
	if p.normalize && !p.write && !p.diff && p.report.Errors() > 0 && !*p.how.Quiet {
		fmt.Fprintln(p.env.Stderr, "prune-gen prune: files with errors were not printed")
	}
	if !p.write {
		return nil
	}
	if p.report.Errors() > 0 {
		return fmt.Errorf("nothing was written")
	}
	if err := p.replacer.Replace(); err != nil {
		return err
	}
	if !*p.how.Quiet && !p.diff {
		for _, name := range p.changed {
			fmt.Fprintf(p.env.Stdout, "pruned %s\n", terminal.Escape(name))
		}
	}
	return nil
}

// file prunes a file. Its findings are added to the report; the error ends the command.
func (p *pruner) file(t *input.Text) error {
	if t.Wrong != nil {
		p.report.Find(*t.Wrong)
		return nil
	}
	if p.normalize || p.diff { // both texts are needed
		if err := t.Hold(p.how.Meter()); err != nil {
			p.report.Find(findings.Unreadable(t.Name, err))
			return nil
		}
	}
	if !t.IsHeld() {
		p.report.Count(findings.Tally{Files: 1, File: t.Name})
		return p.stream(t)
	}
	return p.text(t)
}

// count counts objects of known and of unknown kinds.
func (p *pruner) count(known, unknown int) {
	p.known, p.unknown = p.known+known, p.unknown+unknown
	p.report.Count(findings.Tally{Objects: known})
}

// text prunes a text that is in memory.
func (p *pruner) text(t *input.Text) error {
	var (
		pruned []byte
		file   manifest.File
	)
	isJSON := t.IsJSON() && t.Mark == ""
	if p.normalize {
		n := p.server.Normalize(t.Text)
		if p.skips(t, n.Foreign, n.Objects, n.Unknown, n.Findings) {
			return nil
		}
		if file, isJSON = n.File, looksLikeJSON(t.Data); !findings.HasErrors(file.Findings) {
			var err error
			if pruned, err = printed(n.Documents, t.Data); err != nil {
				return &cli.InternalError{Err: err}
			}
		}
	} else {
		r, err := p.server.Prune(t.Text, nil)
		if err != nil {
			return &cli.InternalError{Err: err}
		}
		if p.skips(t, r.Foreign, r.Objects, r.Unknown, r.Findings) {
			return nil
		}
		file, pruned = r.File, r.Data
	}
	p.report.Add(t.Snippets(file.Findings, file.Lines))
	if findings.HasErrors(file.Findings) || p.server.Failed() {
		return nil
	}
	read := t.Data
	if t.Mark != "" {
		read, pruned = append([]byte(t.Mark), read...), append([]byte(t.Mark), pruned...)
	}
	return p.emit(t, read, pruned, isJSON)
}

// skips counts the objects of a text, and reports whether it is a file of a directory that is skipped: one without manifests, or
// without objects of known kinds. A file with an object and a template is an error: it cannot be written in part.
func (p *pruner) skips(t *input.Text, foreign report.Foreign, known, unknown int, found []structural.Finding) bool {
	if !t.Listed || !foreign.Whole() {
		foreign = report.NotForeign
	}
	p.report.Count(findings.Foreign(t.Name, foreign))
	if t.Listed && (foreign != report.NotForeign || known == 0 && !findings.HasErrors(found)) {
		p.unknown += unknown
		return true
	}
	p.count(known, unknown)
	return false
}

// emit prints what a file was pruned to or keeps it to be written.
func (p *pruner) emit(t *input.Text, read, pruned []byte, isJSON bool) error {
	isChanged := !bytes.Equal(pruned, read)
	if p.diff {
		if err := p.printDiff(t.Name, read, pruned); err != nil {
			return err
		}
	}
	switch {
	case p.check && isChanged:
		p.changed = append(p.changed, t.Name)
	case p.check:
	case p.write && isChanged && t.IsUTF16:
		p.report.Find(findings.Unreadable(t.Name, errors.New("the file is UTF-16, and -w writes UTF-8: convert it first")))
	case p.write && isChanged:
		return p.keep(t, func(w io.Writer) error {
			_, err := w.Write(pruned)
			return err
		})
	case p.write, p.diff:
	default:
		return p.print(pruned, isJSON)
	}
	return nil
}

// printDiff prints how a text changes: every byte of it, so that the diff can be applied, unless a person reads it.
func (p *pruner) printDiff(name string, read, pruned []byte) error {
	if p.env.StdoutTerminal || p.how.Color.Value == "always" {
		cr, lf := []byte("\r\n"), []byte("\n")
		paint := terminal.NewPalette(p.how.Color.Value, p.env.StdoutTerminal)
		return output.WriteUnified(p.env.Stdout, paint, name, bytes.ReplaceAll(read, cr, lf), bytes.ReplaceAll(pruned, cr, lf))
	}
	name = terminal.Escape(name)
	_, err := io.WriteString(p.env.Stdout, unified.Diff(name, name, read, pruned))
	return err
}

// print prints the result for a file.
func (p *pruner) print(pruned []byte, isJSON bool) error {
	p.separate(pruned, isJSON)
	if _, err := p.out.Write(pruned); err != nil {
		return err
	}
	if len(pruned) > 0 && !bytes.HasSuffix(pruned, []byte("\n")) && p.env.StdoutTerminal {
		fmt.Fprintln(p.out)
	}
	return nil
}

// separate prints the separator between what was printed before and the text that begins with next. JSON needs nothing between
// its documents.
func (p *pruner) separate(next []byte, isJSON bool) {
	if len(bytes.TrimSpace(next)) == 0 {
		return
	}
	if p.out.last != 0 && !(p.wasJSON && isJSON) {
		if p.out.last != '\n' {
			fmt.Fprintln(p.out)
		}
		if !bytes.HasPrefix(next, []byte("---")) {
			fmt.Fprintln(p.out, "---")
		}
	}
	p.wasJSON = isJSON
}

// tailWriter passes on what is written, and knows its last byte, 0 for none.
type tailWriter struct {
	w    io.Writer
	last byte
}

func (t *tailWriter) Write(text []byte) (int, error) {
	if len(text) > 0 {
		t.last = text[len(text)-1]
	}
	return t.w.Write(text)
}

// keep writes the new content of a file.
func (p *pruner) keep(t *input.Text, write func(io.Writer) error) error {
	w, err := p.replacer.Create(t.Path)
	if err != nil {
		return err
	}
	err = write(w)
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	p.changed = append(p.changed, t.Name)
	return err
}
