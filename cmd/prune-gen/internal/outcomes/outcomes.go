// Package outcomes keeps what came of earlier runs, so that a run with the same to work on need not do the work again.
//
// It is a cache like that of the go command: a folder of small files, each named after a hash of everything that decides
// the outcome in it. Users may name any folder, their home directory for example, so that all files are in a folder of our
// own below it, and what has another name there, or is no regular file, is left alone. An outcome is kept only if the run
// succeeded and left nothing to do, so that the answer is always the same: print this, change nothing. Whatever is wrong
// with the folder or with a file in it, the cache is without the outcome, and the work is done.
package outcomes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Variable is the environment variable with the folder of the cache: an absolute path, or Off.
const Variable = "PRUNE_GEN_CACHE"

// Off is the value of Variable for no cache.
const Off = "off"

// folderName is the name of the folder in that of the user's caches.
const folderName = "prune-gen"

// Below is the name of our own folder in the one that the environment names.
const Below = "prune-gen-outcomes"

// maxEntry bounds the size of an entry. Output that is longer is not worth a place.
const maxEntry = 1 << 20

// Outcome is what a run printed that succeeded and found nothing to do.
type Outcome struct {
	Stdout, Stderr []byte
}

// Cache is a folder of outcomes, our own. The nil Cache has none and keeps none.
type Cache struct{ folder string }

// Open returns the cache that the environment names. It is nil if there is none. The folder need not exist.
func Open() *Cache {
	folder := os.Getenv(Variable)
	if folder == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		folder = filepath.Join(caches, folderName)
	}
	// A relative path, Off among them, would mean another folder in every directory.
	if !filepath.IsAbs(folder) {
		return nil
	}
	return &Cache{filepath.Join(folder, Below)}
}

// isFolder reports whether the folder is there. A link in its place leads to one that is not ours.
func (c *Cache) isFolder() bool {
	info, err := os.Lstat(c.folder)
	return err == nil && info.IsDir()
}

// makeFolder reports whether the folder is there, and makes it if nothing is.
func (c *Cache) makeFolder() bool {
	if os.MkdirAll(filepath.Dir(c.folder), 0o700) != nil {
		return false
	}
	os.Mkdir(c.folder, 0o700) // mostly it is there
	return c.isFolder()
}

// entry is the text of a file in the folder, after the hash of it.
type entry struct {
	Key     string  `json:"key"`
	Outcome Outcome `json:"outcome"`
}

// Get returns the outcome that is kept under a key.
func (c *Cache) Get(k Key) (Outcome, bool) {
	if c == nil || !c.isFolder() {
		return Outcome{}, false
	}
	path := c.path(k)
	// Reading a pipe could block.
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxEntry {
		return Outcome{}, false
	}
	f, err := os.Open(path)
	if err != nil {
		return Outcome{}, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxEntry))
	if err != nil {
		return Outcome{}, false
	}
	o, ok := decode(k, data)
	if now := time.Now(); ok && now.Sub(info.ModTime()) > trimInterval {
		os.Chtimes(path, now, now) // what is in use stays
	}
	return o, ok
}

// Put keeps an outcome under a key, if that is possible.
func (c *Cache) Put(k Key, o Outcome) {
	if c == nil {
		return
	}
	data := encode(k, o)
	if len(data) > maxEntry || !c.makeFolder() {
		return
	}
	// What is no file of ours is not replaced.
	info, err := os.Lstat(c.path(k))
	if err == nil && !info.Mode().IsRegular() || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return
	}
	// Another run sees all of a file or nothing.
	temp, err := os.CreateTemp(c.folder, tempPrefix+k.String()+"-*")
	if err != nil {
		return
	}
	_, err = temp.Write(data)
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temp.Name(), c.path(k))
	}
	if err != nil {
		os.Remove(temp.Name())
		return
	}
	c.trim(time.Now())
}

func (c *Cache) path(k Key) string { return filepath.Join(c.folder, k.String()) }

// encode returns the text of the file for an outcome: the hash of all that follows, and the entry.
func encode(k Key, o Outcome) []byte {
	body, err := json.Marshal(entry{k.String(), o})
	if err != nil {
		panic("outcomes: " + err.Error()) // there is nothing in an entry that JSON does not have
	}
	return append(append([]byte(hashOf(body)), '\n'), body...)
}

// decode undoes encode. A text that was not made by it, or for another key, has no outcome.
func decode(k Key, data []byte) (Outcome, bool) {
	sum, body, _ := bytes.Cut(data, []byte("\n"))
	var e entry
	if string(sum) != hashOf(body) || json.Unmarshal(body, &e) != nil || e.Key != k.String() {
		return Outcome{}, false
	}
	return e.Outcome, true
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
