package server

import (
	"flag"
	"io"
	"sync"

	"k8s.io/klog/v2"
)

// Quiet keeps klog from writing to the terminal: the servers log every refused request. What ends the process is still
// printed. The setting is klog's own, holds for the whole process, and must not change while a server runs.
var Quiet = sync.OnceFunc(func() {
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	flags.Parse([]string{"-logtostderr=false", "-stderrthreshold=FATAL"})
	klog.SetOutput(io.Discard)
})
