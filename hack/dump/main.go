// Dump writes a list of CronTabs as kubectl get -o json would print it, of any size, to standard output. Every object has fields
// that the CRD in examples/operator does not specify.
//
//	go run ./hack/dump -bytes 10000000000 | prune-gen prune --crd examples/operator/config/crd/bases - >/dev/null
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
)

const item = `        {
            "apiVersion": "stable.example.com/v1",
            "kind": "CronTab",
            "metadata": {
                "creationTimestamp": "2024-05-17T09:14:00Z",
                "generation": 3,
                "labels": {"app.kubernetes.io/name": "backup", "team": "storage"},
                "name": "nightly-%[1]d",
                "namespace": "team-%[2]d",
                "resourceVersion": "%[1]d",
                "uid": "3f2c8f0e-6a1d-4b53-9c59-%012[1]x"
            },
            "spec": {
                "cronSpec": "0 3 * * *",
                "env": [
                    {"name": "TARGET", "value": "s3://backups/nightly/%[1]d", "valueForm": {"secretKeyRef": {"name": "target"}}},
                    {"name": "RETRIES", "value": "3"}
                ],
                "image": "registry.example.com/backup:1.4",
                "nodeSelector": {"disk": "fast"},
                "privileged": true,
                "replicas": 2
            },
            "status": {"conditions": [{"lastTransitionTime": "2024-05-17T09:14:00Z", "status": "True", "type": "Ready"}], "observed": %[1]d}
        }`

func main() {
	size := flag.Int64("bytes", 1_000_000, "about how much to write")
	flag.Parse()
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	written, _ := w.WriteString("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n")
	total := int64(written)
	for i := 0; total < *size; i++ {
		if i > 0 {
			w.WriteString(",\n")
		}
		n, err := fmt.Fprintf(w, item, i, i%1000)
		if err != nil {
			fmt.Fprintln(os.Stderr, "dump:", err)
			os.Exit(1)
		}
		total += int64(n) + 2
	}
	w.WriteString("\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\"resourceVersion\": \"\"}\n}\n")
	if err := w.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "dump:", err)
		os.Exit(1)
	}
}
