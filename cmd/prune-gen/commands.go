package main

import (
	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/diffcmd"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/explaincmd"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/generatecmd"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/lintcmd"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/lspcmd"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/projectcmd"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/prunecmd"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/schemacmd"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/skeletoncmd"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/testcmd"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/validatecmd"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/verifycmd"
)

// commands has a function for each command, in the order in which help prints them. Whatever else lists commands asks them: a command
// with the flag --limit reads untrusted input, and one with --output prints findings, in the formats that the flag takes.
var commands = []func(*cli.Environment) *cobra.Command{
	generatecmd.Command,
	verifycmd.Command,
	lintcmd.Command,
	validatecmd.Command,
	prunecmd.Command,
	explaincmd.Command,
	diffcmd.Command,
	testcmd.Command,
	schemacmd.Command,
	skeletoncmd.Command,
	projectcmd.Command,
	lspcmd.Command,
	versionCommand,
}
