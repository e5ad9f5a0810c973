#!/usr/bin/env bash
# Runs a sample of the tests in the builds other than the default one: with the race detector, without what is written for single
# processors (purego), and for other machines. It says what it runs and what is missing. hack/machines.sh without RUN runs all
# tests for other machines.
set -euo pipefail
cd "$(dirname "$0")/.."

# What reads and writes JSON, and what is called from several goroutines.
sample='OnlyRead|Goroutines|StreamsOf|SpecialBytes|EscapesAre|KeysThatLook|Find|Scanners|TheirOwn'

if [ "$(go env CGO_ENABLED)" = 1 ]; then
	echo "builds: -race, sample $sample"
	go test -timeout 5h -race -run "$sample" ./runtime ./runtime/pruneimpl ./runtime/prunejson ./golden/run
else
	echo "builds: -race skipped: no cgo"
fi
echo "builds: -tags purego, sample $sample"
go test -timeout 5h -tags purego -run "$sample" ./runtime/prunejson ./golden/run
RUN=$sample hack/machines.sh 386 arm64 s390x
