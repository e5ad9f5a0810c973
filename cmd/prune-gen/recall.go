package main

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/outcomes"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/generator/target"
)

// past answers a run of generate or verify from the outcome of an earlier one that had the same to work on and found nothing
// to do, or keeps the outcome of this one. Such a run reads the CRDs and the output directory, and nothing else: the go
// command compiles only what changes. The nil past answers nothing and keeps nothing.
type past struct {
	*generation
	env     *environment
	cache   *outcomes.Cache
	command string
	args    []string // with the flags
	crds    []string
	stdin   []byte

	before question
	stderr bytes.Buffer
}

// question is all that decides the outcome of a run.
type question struct {
	given outcomes.Key // what a run leaves alone, apart from the CRDs
	crds  outcomes.Key
	ours  outcomes.Key // the generated files in the output directory
	times outcomes.Key // when what is in the output directory was last changed; that decides nothing
}

// key returns the key for the outcome.
func (q question) key() outcomes.Key {
	sum := outcomes.NewSum()
	sum.Hash("given", q.given)
	sum.Hash("CRDs", q.crds)
	sum.Hash("ours", q.ours)
	return sum.Key()
}

// recall returns the past of a command that was called with args, which name the CRDs. It is nil if there is no cache, or if
// the outcome depends on what can be read only once.
func (g *generation) recall(env *environment, command string, args, crds []string) *past {
	p := &past{generation: g, env: env, cache: outcomes.Open(), command: command, args: args, crds: crds}
	if p.cache == nil || input.NamesStdin(crds) && !p.readStdin() {
		return nil
	}
	var err error
	if p.before, err = p.ask(); err != nil {
		return nil // a run that fails for the same reason says so
	}
	return p
}

// maxStdin is more than anybody has in one stream. What is longer is refused, and not kept here.
const maxStdin = 64 << 20

// readStdin reads standard input and puts it back for the command. It reports whether that is all of it.
func (p *past) readStdin() bool {
	if terminal.Is(p.env.stdin) {
		return false // the user is told first
	}
	data, err := io.ReadAll(io.LimitReader(p.env.stdin, maxStdin))
	p.stdin = data
	p.env.stdin = io.MultiReader(bytes.NewReader(data), p.env.stdin)
	return err == nil && len(data) < maxStdin
}

// ask returns the question as it is now.
func (p *past) ask() (q question, err error) {
	given, crds, ours, times := outcomes.NewSum(), outcomes.NewSum(), outcomes.NewSum(), outcomes.NewSum()
	program, err := outcomes.Executable()
	if err != nil {
		return q, err
	}
	here, err := os.Getwd()
	if err != nil {
		return q, err
	}
	given.Text("program", program.String())
	given.Text("directory", here, target.FindRoot(here)) // findings and summaries name it
	given.Text("command", p.command)
	given.Text("arguments", p.args...)
	given.Text("header", p.options.Header)
	given.Text("terminals", strconv.FormatBool(p.env.stdoutTerminal), strconv.FormatBool(p.env.stderrTerminal))
	given.Text("environment", decisive(os.Environ())...)
	if err := input.Fingerprint(crds, p.crds, p.stdin); err != nil {
		return q, err
	}
	if err := output.Fingerprint(given, ours, times, p.dir); err != nil {
		return q, err
	}
	return question{given.Key(), crds.Key(), ours.Key(), times.Key()}, nil
}

// decisive returns the environment variables that can decide an outcome, sorted: those of the go command, which decide what
// is part of a Go package, and those that decide how findings are printed.
func decisive(environ []string) []string {
	var all []string
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO_") || slices.Contains(printing, name) {
			all = append(all, variable)
		}
	}
	slices.Sort(all)
	return all
}

// printing are the environment variables that decide how findings are printed.
var printing = []string{"GITHUB_WORKSPACE", "NO_COLOR", "PRUNE_GEN_DEBUG", "TERM", "WT_SESSION"}

// answers prints what an earlier run printed, and reports whether there was one.
func (p *past) answers() bool {
	if p == nil {
		return false
	}
	o, ok := p.cache.Get(p.before.key())
	if ok {
		p.env.stderr.Write(o.Stderr)
		p.env.stdout.Write(o.Stdout)
	}
	return ok
}

// listen returns the environment for the run, with what it prints to standard error kept for the next one.
func (p *past) listen(env *environment) *environment {
	if p == nil {
		return env
	}
	heard := *env
	heard.stderr = io.MultiWriter(&p.stderr, env.stderr)
	return &heard
}

// keep keeps the outcome of a session that succeeded for the next run, which will find nothing to do and print what stdout
// returns. It does not if there is something to do, or if somebody has changed what the run works on in the meantime, even
// if it is the same again by now.
func (p *past) keep(s *session, stdout func() string) {
	if p == nil || s.remarks || s.crds.key() != p.before.crds {
		return
	}
	// What the run has read in the output directory, settled reads again, and nothing there changes before the last question.
	asked, err := p.ask()
	if err != nil || asked.given != p.before.given || !s.settled() {
		return
	}
	text := stdout()
	if after, err := p.ask(); err != nil || after != asked || after.crds != p.before.crds {
		return
	}
	p.cache.Put(asked.key(), outcomes.Outcome{Stdout: []byte(text), Stderr: p.stderr.Bytes()})
}

// key returns the hash of the CRDs as they were read.
func (c *crds) key() outcomes.Key {
	sum := outcomes.NewSum()
	for _, src := range c.sources {
		src.Fingerprint(sum)
	}
	return sum.Key()
}
