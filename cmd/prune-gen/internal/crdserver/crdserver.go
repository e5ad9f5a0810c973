// Package crdserver has the flag --crd, and a server for the CRDs that it names.
package crdserver

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/internal/answer/builtin"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// Flags are the flags of commands on manifests.
type Flags struct {
	// Mixed takes the CRDs from the manifests if --crd is not given, and both from standard input if both name it.
	Mixed bool

	how     *cli.FindingFlags
	crds    *[]string
	builtin *string
}

// AddFlags adds the flags of commands on manifests.
func AddFlags(cmd *cobra.Command, how *cli.FindingFlags) *Flags {
	return &Flags{
		how:     how,
		crds:    cmd.Flags().StringSlice("crd", nil, "`files` and directories with the CRDs of the objects; can be repeated"),
		builtin: cmd.Flags().String("builtin", "", "the `program` that answers for built-in kinds; none for none (default: prune-gen-builtin, beside prune-gen or on the PATH)"),
	}
}

// Check returns what is wrong with a command line that names manifests. Others are files with manifests that flags
// name.
func (f *Flags) Check(names []string, others ...[]string) error {
	switch {
	case len(*f.crds) == 0 && !f.Mixed && !f.hasBuiltIn():
		return cli.Usagef("%s", noCRD)
	case len(names) == 0:
		return cli.Usagef("no manifest given: name a file, a directory, or - for standard input")
	}
	stdin := 0
	for _, names := range append(others, *f.crds, names) {
		if input.NamesStdin(names) {
			stdin++
		}
	}
	if f.Mixed && input.NamesStdin(names) && input.NamesStdin(*f.crds) {
		stdin--
	}
	if stdin > 1 {
		return cli.Usagef("standard input can be read only once")
	}
	return nil
}

// hasBuiltIn reports whether there is a program that answers for built-in kinds, or one is named.
func (f *Flags) hasBuiltIn() bool {
	path, err := builtin.Find(*f.builtin, f.how.Kubernetes)
	return path != "" || err != nil
}

const noCRD = "no CRD given: name files or directories with --crd"

// Server answers for objects of the CRDs that --crd names, or that are among the manifests. If possible, it reads CRDs
// on demand, for the first object of their kind.
type Server struct {
	*manifest.Server
	report  *findings.Report
	late    []findings.Snippet // about CRDs that were read on demand
	none    error              // says that there is no CRD
	program *builtin.Program   // that answers for built-in kinds, nil if it was not started
	err     error              // why it was not
}

// server returns a server with the CRDs for manifests. Findings about CRDs that are read at once are added to the
// report; the error is then cli.ErrFindings.
func (f *Flags) server(env *cli.Environment, report *findings.Report, manifests []string) (*Server, error) {
	s := &Server{report: report}
	var definitions []manifest.Definition
	args := f.how.Inputs(*f.crds)
	args.Later = true
	if len(*f.crds) == 0 && f.Mixed {
		args.Names, args.Mixed = manifests, true
	}
	if input.NamesStdin(args.Names) && input.NamesStdin(manifests) { // a CRD can come after its objects
		env.SayIfTyped("CRDs and manifests", manifests)
		var read bytes.Buffer
		env.Stdin = io.TeeReader(env.Stdin, &read)
		defer func() { env.Stdin = &read }()
	}
	var err error
	read := func(src *input.Source) {
		report.Add(src.Errors())
		definitions = append(definitions, Definitions(src, s.fail)...)
	}
	if len(args.Names) > 0 {
		err = cli.EachSource(env, "reading CRDs", args, read)
	}
	if args.Mixed && err != nil {
		s.none, err = errors.New(noCRD+", or manifests with CRDs among them, or get "+builtin.NameFor(f.how.Kubernetes)+" for built-in kinds, see "+builtin.Manual), nil
	}
	switch {
	case err != nil:
		return nil, err
	case report.Errors() > 0:
		return nil, cli.ErrFindings
	}
	s.Server = manifest.NewServer(f.how.Meter(), definitions)
	path, err := builtin.Find(*f.builtin, f.how.Kubernetes)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	if path != "" {
		s.BuiltIn(func() []manifest.Definition { return s.start(path, f.how) })
	}
	return s, nil
}

// Serve calls work with a server for manifests. The report says what is wrong with their CRDs.
func (f *Flags) Serve(env *cli.Environment, report *findings.Report, manifests []string, work func(*Server) error) error {
	report.Count(findings.Tally{Manifests: true})
	s, err := f.server(env, report, manifests)
	if err == nil {
		err = work(s)
	}
	if errors.Is(err, cli.ErrFindings) {
		return nil // the report says so
	}
	return err
}

// With returns a server that has read its CRDs. It has nothing to finish.
func With(s *manifest.Server) *Server { return &Server{Server: s} }

// Definitions returns the kinds of a file. The function fail is called with the errors of CRDs when their objects are asked about.
func Definitions(src *input.Source, fail func(*input.Source, []structural.Finding)) (all []manifest.Definition) {
	compile := func(c *structural.CRD) ([]prunert.Resource, error) {
		return Compile(c, func(found []structural.Finding) { fail(src, found) })
	}
	for _, c := range src.CRDs {
		all = append(all, manifest.Definition{Group: c.Group, Kind: c.Names.Kind,
			CRDs: func() []*structural.CRD { return []*structural.CRD{c} }, Compile: compile})
	}
	for _, c := range src.Refused {
		all = append(all, manifest.Definition{Group: c.Group, Kind: c.Names.Kind, Compile: compile, CRDs: func() []*structural.CRD {
			fail(src, findings.Errors(src.Findings))
			return nil
		}})
	}
	for _, kind := range src.Later {
		all = append(all, manifest.Definition{Group: kind.Group, Kind: kind.Kind.Kind, Compile: compile, CRDs: func() []*structural.CRD {
			src = kind.Read()
			found := wrong(src, kind.Kind.Kind)
			if fail(src, found); len(found) > 0 {
				return nil
			}
			return src.CRDs
		}})
	}
	return all
}

// start starts the program that answers for built-in kinds, and returns these.
func (s *Server) start(path string, how *cli.FindingFlags) []manifest.Definition {
	if s.program, s.err = builtin.Start(path, how.Kubernetes); s.err != nil {
		return nil
	}
	return s.program.Definitions(how.Meter())
}

// HasBuiltIn reports whether there is a program that answers for built-in kinds.
func (s *Server) HasBuiltIn() bool { return s.program != nil }

// LacksBuiltIn reports whether no program was found. One that cannot be started is an error of Finish.
func (s *Server) LacksBuiltIn() bool { return s.program == nil && s.err == nil }

// wrong returns the errors of the CRDs of a kind in a file.
func wrong(src *input.Source, kind string) []structural.Finding {
	found := findings.Errors(src.Findings)
	if len(src.CRDs)+len(found) == 0 {
		found = append(found, findings.Unreadable(src.Name, fmt.Errorf("the CRD of kind %s cannot be read", kind)))
	}
	return found
}

// Compile returns the resources of a CRD. It reports why the API server would refuse the CRD.
func Compile(c *structural.CRD, report func(found []structural.Finding)) ([]prunert.Resource, error) {
	all, err := dynamic.Compile(c)
	if refused := (*dynamic.RefusedError)(nil); errors.As(err, &refused) {
		report(refused.Findings)
		return nil, manifest.ErrReported
	}
	return all, err
}

// fail records errors in a CRD that was read on demand.
func (s *Server) fail(src *input.Source, found []structural.Finding) {
	s.late = append(s.late, src.Snippets(found)...)
}

// Failed reports whether a CRD that was read on demand has errors. Objects of its kind are not processed.
func (s *Server) Failed() bool { return len(s.late) > 0 }

// Finish adds findings about CRDs that were read on demand to the report. It returns any other reason why objects were not processed.
func (s *Server) Finish() error {
	s.report.Add(s.late)
	s.late = nil
	if s.program != nil {
		s.err = s.program.Stop()
	}
	switch {
	case s.err != nil:
		return fmt.Errorf("%w; --builtin names another program, or none to skip objects of built-in kinds", cmp.Or(s.Err(), s.err))
	case s.none != nil && s.program == nil && s.report.Errors() == 0:
		return s.none
	}
	return s.Err()
}
