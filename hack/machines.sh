#!/usr/bin/env bash
# Runs the tests of what depends on the processor as programs for other ones: hack/machines.sh arm64 s390x 386
# With RUN, only the tests that it matches.
#
# They run under qemu-user if this machine cannot run them itself. An architecture without an emulator is skipped, with a line that
# says so. Tests of memory and time are left out: they take long there and say nothing about the processor.
set -euo pipefail
cd "$(dirname "$0")/.."

# emulator prints the command that runs programs for an architecture. It fails if there is none.
emulator() {
	local cpu=$1
	case "$(go env GOHOSTARCH)/$1" in
	amd64/386 | "$1/$1") return 0 ;;
	esac
	case $1 in
	arm64) cpu=aarch64 ;;
	386) cpu=i386 ;;
	amd64) cpu=x86_64 ;;
	esac
	command -v "qemu-$cpu" || command -v "qemu-$cpu-static"
}

for arch in "$@"; do
	if [ "$(go env GOHOSTOS)" != linux ] || ! with=$(emulator "$arch"); then
		echo "machines: $arch skipped: no qemu-user (Debian: apt-get install qemu-user)"
		continue
	fi
	echo "machines: $arch${with:+ with $with}${RUN:+, sample $RUN}"
	GOOS=linux GOARCH=$arch CGO_ENABLED=0 go test -timeout 5h -count=1 ${with:+-exec "$with"} -run "${RUN:-.}" -skip 'TakeTheMemory|TakeLittleMemory' ./runtime/prunejson
done
