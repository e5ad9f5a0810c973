package cli

import (
	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/internal/meter"
)

// Limit is the flag --limit.
type Limit struct {
	times *uint16
	meter *meter.Meter
}

// AddLimit adds the flag of commands that read untrusted input.
func AddLimit(cmd *cobra.Command) *Limit {
	return &Limit{times: cmd.Flags().Uint16("limit", 1, "raise the limits on what is read, and on the work it takes, to `n` times as much")}
}

// Meter returns the meter of the command.
func (l *Limit) Meter() *meter.Meter {
	if l.meter == nil {
		l.meter = meter.New(max(1, int(*l.times)))
	}
	return l.meter
}
