package cli

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// IssuesURL is where bugs are reported.
const IssuesURL = "https://github.com/prune-gen/prune-gen/issues"

// ErrFindings is the error of a command whose findings are errors. The findings are already printed.
var ErrFindings = errors.New("the input has errors")

// ErrConfig is the error of a command whose configuration file has errors. They are already printed.
var ErrConfig = errors.New("the configuration has errors")

// UsageError is an error in the command line. Errors that are neither a UsageError nor an InternalError are about the input,
// or about writing the output.
type UsageError struct {
	Message string
	Hint    string // a second line, "" for one that names the manual
}

func (e *UsageError) Error() string { return e.Message }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// AsUsage returns a UsageError for any other error.
func AsUsage(err error) error {
	var usage *UsageError
	if err == nil || errors.As(err, &usage) {
		return err
	}
	return Usagef("%v", err)
}

// ManualHint names the manual of a command.
func ManualHint(command string) string { return "Run '" + command + " --help' for the manual." }

// FlagError returns the UsageError for an error of the flag parser.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return AsUsage(err)
	}
	name, dashes := unknown.GetSpecifiedName(), "--"
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		dashes = "-"
		// pflag reads -output as -o -u -t..., but --output was meant.
		if cmd.Flags().Lookup(short) != nil {
			return &UsageError{"unknown flag -" + short, "Did you mean --" + short + "?"}
		}
	}
	e := &UsageError{Message: "unknown flag " + dashes + name}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if name == "f" || name == "filename" || name == "crd" { // as for kubectl, and for other commands
		e.Hint = "Files are arguments: " + cmd.CommandPath() + " FILE"
	} else if name == "o" && cmd.Flags().Lookup("output") != nil {
		e.Hint = "Did you mean --output?"
	} else if s := Closest(name, names); dashes == "--" && s != "" {
		e.Hint = "Did you mean --" + s + "?"
	} else if cmd.HasSubCommands() {
		e.Hint = cmp.Or(SuggestCommand(cmd, name), "Flags come after the command: "+cmd.Name()+" lint --help")
	}
	return e
}

// SuggestCommand returns a hint with the commands of cmd that name may stand for, "" if there is none.
func SuggestCommand(cmd *cobra.Command, name string) string {
	var all []string
	for _, s := range cmd.SuggestionsFor(name) {
		all = append(all, "'"+cmd.CommandPath()+" "+s+"'")
	}
	if len(all) == 0 {
		return ""
	}
	return "Did you mean " + OneOf(all) + "?"
}

// InternalError is a bug in prune-gen.
type InternalError struct{ Err error }

func (e *InternalError) Error() string { return e.Err.Error() }
func (e *InternalError) Unwrap() error { return e.Err }
