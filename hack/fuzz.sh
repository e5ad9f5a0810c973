#!/usr/bin/env bash
# Runs every fuzz target of every module for the given time: hack/fuzz.sh 30s
set -euo pipefail
cd "$(dirname "$0")/.."
for_each=${1:-30s}
for module in . hack/conformance; do
	(
		cd "$module"
		grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u | grep -v '^\./hack/' | while read -r package; do
			for target in $(grep -ho '^func Fuzz[A-Za-z0-9_]*' "$package"/*_test.go | awk '{print $2}' | sort -u); do
				echo "$module/$package $target"
				go test -timeout 5h "$package" -run '^$' -fuzz "^$target\$" -fuzztime "$for_each" -fuzzminimizetime 10x
			done
		done
	)
done
