package server

import (
	"flag"
	"fmt"
	"io"
	"sync"

	"k8s.io/klog/v2"
)

// quiet keeps klog from writing to the terminal: the servers log every refused request. What ends the process is still
// printed. The setting is klog's own, holds for the whole process, and must not change while a server runs.
var quiet = sync.OnceValue(func() error {
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	for _, f := range []struct{ name, value string }{
		{"logtostderr", "false"},
		{"alsologtostderr", "false"},
		{"stderrthreshold", "FATAL"},
	} {
		if err := flags.Set(f.name, f.value); err != nil {
			return fmt.Errorf("set klog's %s: %w", f.name, err)
		}
	}
	klog.SetOutput(io.Discard)
	return nil
})
