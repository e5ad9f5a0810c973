package outcomes

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

const (
	// trimInterval is the time between two looks for what is old, and how exact the time of the last use is.
	trimInterval = 24 * time.Hour
	// maxAge is how long an outcome stays that is not used.
	maxAge = 30 * 24 * time.Hour
)

// Names in the folder, apart from those of entries, which are keys.
const (
	tempPrefix = "new-"    // before the key of an entry that is not finished, and a number
	trimmedAt  = "trimmed" // an empty file that is as old as the last look for what is old
)

// ours matches the names of entries, and of those that were not finished.
var ours = regexp.MustCompile(`^(?:[0-9a-f]{64}|` + tempPrefix + `[0-9a-f]{64}-[0-9]+)$`)

// trim removes what was not used for long, if it is time to look for that again. What is not ours stays.
func (c *Cache) trim(now time.Time) {
	if !c.begin(now) {
		return
	}
	entries, err := os.ReadDir(c.folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && ours.MatchString(e.Name()) && info.Mode().IsRegular() && now.Sub(info.ModTime()) > maxAge {
			os.Remove(filepath.Join(c.folder, e.Name()))
		}
	}
}

// begin reports whether it is time to look for what is old. From then on it is not, so that other runs do not look as well.
// Nothing is written to what stands in the place of the mark: a link leads elsewhere, and a pipe could block.
func (c *Cache) begin(now time.Time) bool {
	mark := filepath.Join(c.folder, trimmedAt)
	info, err := os.Lstat(mark)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f, err := os.OpenFile(mark, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil || f.Close() != nil {
			return false
		}
	case err != nil, !info.Mode().IsRegular(), now.Sub(info.ModTime()) < trimInterval:
		return false
	}
	return os.Chtimes(mark, now, now) == nil
}
