package outcomes

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
)

// Key is a hash of all that decides an outcome.
type Key [sha256.Size]byte

// String returns the key in hexadecimal, 64 digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// maxSummed bounds the bytes of the files in one sum. Hashing more than that could take longer than the work.
const maxSummed = 256 << 20

// ErrTooLarge is the error for more than is worth hashing.
var ErrTooLarge = errors.New("too much to hash")

// Sum computes a Key. Everything in it has a label and a length, so that two sums are equal only if the same was added to
// both, in the same order.
type Sum struct {
	hash hash.Hash
	left int64
}

// NewSum returns a sum of nothing.
func NewSum() *Sum { return &Sum{sha256.New(), maxSummed} }

// Key returns the hash of what was added.
func (s *Sum) Key() Key { return Key(s.hash.Sum(nil)) }

// Text adds texts under a label.
func (s *Sum) Text(label string, texts ...string) {
	s.length(len(texts))
	s.text(label)
	for _, t := range texts {
		s.text(t)
	}
}

func (s *Sum) text(t string) {
	s.length(len(t))
	io.WriteString(s.hash, t)
}

func (s *Sum) length(n int) {
	s.hash.Write(binary.BigEndian.AppendUint64(nil, uint64(n)))
}

// Content adds the content of a file under a label.
func (s *Sum) Content(label string, data []byte) error {
	if s.left -= int64(len(data)); s.left < 0 {
		return ErrTooLarge
	}
	s.Hash(label, sha256.Sum256(data))
	return nil
}

// Hash adds a content under a label, given its SHA-256 hash.
func (s *Sum) Hash(label string, content Key) { s.Text(label, string(content[:])) }

// File adds the content of a regular file under a label. It is an error if the file is anything else, for that can often be
// read only once.
func (s *Sum) File(label, path string) error {
	// Opening a pipe could block.
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, s.left+1))
	if err != nil {
		return err
	}
	if s.left -= n; s.left < 0 {
		return ErrTooLarge
	}
	s.Hash(label, Key(h.Sum(nil)))
	return nil
}
