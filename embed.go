// Package prunegen carries the source of the runtime, which lies below it. The command has it built in, so that it can
// type-check what it generates where there is no module, no network and no go command.
package prunegen

import "embed"

// Runtime holds the Go files of the folder runtime and of those in it. The patterns match all names that do not end in test.go.
//
//go:embed runtime/*[^t].go runtime/*[^s]t.go runtime/*[^t]est.go
//go:embed runtime/kubeversion/*[^t].go
//go:embed runtime/pruneimpl/*[^t].go runtime/pruneimpl/pruneformat/*[^t].go runtime/pruneimpl/pruneformat/prunenet/*[^t].go
//go:embed runtime/prunejson/*[^t].go runtime/prunejson/*[^s]t.go runtime/prunejson/*[^e]st.go
//go:embed runtime/prunecel/*[^t].go runtime/prunecel/*[^s]t.go runtime/prunecel/*[^e]st.go
var Runtime embed.FS
