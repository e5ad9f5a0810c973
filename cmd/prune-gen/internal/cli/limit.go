package cli

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/internal/meter"
)

// Limit is the flag --limit.
type Limit struct {
	times string
	meter *meter.Meter
}

// AddLimit adds the flag of commands that read untrusted input.
func AddLimit(cmd *cobra.Command) *Limit {
	l := &Limit{"1", meter.New(1)}
	cmd.Flags().Var(l, "limit", "raise the limits on what is read, and on the work it takes, to `n` times as much")
	return l
}

func (l *Limit) String() string { return l.times }
func (l *Limit) Type() string   { return "n" }

func (l *Limit) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return errors.New("want a number from 1 to 65535")
	}
	l.times, l.meter = text, meter.New(int(n))
	return nil
}

// Meter returns the meter of the command.
func (l *Limit) Meter() *meter.Meter { return l.meter }
