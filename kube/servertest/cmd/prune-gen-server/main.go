// Prune-gen-server runs the API server of package servertest, for tests that cannot link it, and for a look.
//
//	prune-gen-server config/crd/bases -- go test ./...   run a command with the server, and end with its exit status
//	prune-gen-server --kubeconfig F config/crd/bases     run until interrupted
//
// The command finds the server by KUBECONFIG. USE_EXISTING_CLUSTER is set, by which envtest of controller-runtime takes that server, installs
// its CRDs there, and starts none.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/pflag"
	"k8s.io/klog/v2"

	"github.com/prune-gen/prune-gen/kube/servertest"
)

func main() {
	code, err := run(os.Args[1:])
	if errors.Is(err, pflag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "prune-gen-server:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func run(args []string) (code int, err error) {
	flags := pflag.NewFlagSet("prune-gen-server [flags] [FILE or DIRECTORY with CRDs]... [-- COMMAND [ARGUMENT]...]", pflag.ContinueOnError)
	kubeconfig := flags.String("kubeconfig", "", "where to write the configuration for clients; by default a temporary file, for the command alone")
	address := flags.String("address", "127.0.0.1:0", "where to listen")
	verbose := flags.BoolP("verbose", "v", false, "print the log of the server")
	if err := flags.Parse(args); err != nil {
		return 2, err
	}
	crds, command := flags.Args(), []string(nil)
	if n := flags.ArgsLenAtDash(); n >= 0 {
		crds, command = crds[:n], crds[n:]
	}
	if len(command) == 0 && *kubeconfig == "" {
		return 2, errors.New("nobody would find the server: name a file with --kubeconfig, or a command after --")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	log := func(format string, args ...any) { fmt.Fprintf(os.Stderr, "prune-gen-server: "+format+"\n", args...) }
	if !*verbose {
		klog.SetSlogLogger(slog.New(slog.DiscardHandler)) // errors, too
	}
	server, err := servertest.Start(servertest.Options{CRDs: crds, Address: *address, Log: log})
	if err != nil {
		return 1, err
	}
	defer server.Stop()
	file, err := writeKubeconfig(server, *kubeconfig)
	if err != nil {
		return 1, err
	}
	if *kubeconfig == "" {
		defer os.RemoveAll(filepath.Dir(file))
	}
	if len(command) == 0 {
		log("KUBECONFIG=%s: serving at %s", file, server.Config.Host)
		<-ctx.Done()
		return 0, nil
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "KUBECONFIG="+file, "USE_EXISTING_CLUSTER=true")
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	}
	return 0, err
}

// writeKubeconfig writes the configuration for clients to a file, or to one in a new directory if path is empty.
func writeKubeconfig(server *servertest.Server, path string) (string, error) {
	data, err := server.Kubeconfig()
	if err != nil {
		return "", err
	}
	if path == "" {
		dir, err := os.MkdirTemp("", "prune-gen-server-")
		if err != nil {
			return "", err
		}
		path = filepath.Join(dir, "kubeconfig")
	}
	return path, os.WriteFile(path, data, 0o600)
}
