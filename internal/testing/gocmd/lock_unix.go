//go:build unix

package gocmd

import "syscall"

// lock waits until no other process has locked the file. The system unlocks it when the process ends. It is opened behind the back of
// package os, so that it is not one of the files that the result of the test depends on.
func lock(name string) (unlock func(), err error) {
	fd, err := syscall.Open(name, syscall.O_CREAT|syscall.O_RDWR|syscall.O_CLOEXEC, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(fd, syscall.LOCK_EX); err != nil {
		_ = syscall.Close(fd)
		return nil, err
	}
	return func() { _ = syscall.Close(fd) }, nil
}
