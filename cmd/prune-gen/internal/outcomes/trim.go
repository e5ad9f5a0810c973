package outcomes

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
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
	tempPrefix = "new-"
	trimmedAt  = "trimmed" // an empty file that is as old as the last look for what is old
)

// trim removes what was not used for long, if it is time to look for that again. What is not ours stays.
func (c *Cache) trim(now time.Time) {
	mark := filepath.Join(c.folder, trimmedAt)
	if info, err := os.Lstat(mark); err == nil && now.Sub(info.ModTime()) < trimInterval {
		return
	}
	// First, so that other runs do not look as well.
	if os.WriteFile(mark, nil, 0o600) != nil || os.Chtimes(mark, now, now) != nil {
		return
	}
	entries, err := os.ReadDir(c.folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && isOurs(e.Name()) && info.Mode().IsRegular() && now.Sub(info.ModTime()) > maxAge {
			os.Remove(filepath.Join(c.folder, e.Name()))
		}
	}
}

// isOurs reports whether name is that of an entry, or of one that was not finished.
func isOurs(name string) bool {
	key, err := hex.DecodeString(name)
	return err == nil && len(key) == len(Key{}) || strings.HasPrefix(name, tempPrefix)
}
