package outcomes

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func keyOf(text string) Key {
	s := NewSum()
	s.Text("test", text)
	return s.Key()
}

func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestGetReturnsWhatWasPut(t *testing.T) {
	c := &Cache{filepath.Join(t.TempDir(), "a", "b")}
	k := keyOf("a")
	if _, ok := c.Get(k); ok {
		t.Error("there is an outcome that nobody has put there")
	}
	c.Put(k, Outcome{[]byte("out\xff\n"), []byte("err\n")})
	if o, ok := c.Get(k); !ok || string(o.Stdout) != "out\xff\n" || string(o.Stderr) != "err\n" {
		t.Errorf("have %q %v", o, ok)
	}
	if _, ok := c.Get(keyOf("b")); ok {
		t.Error("there is an outcome of another key")
	}
	c.Put(k, Outcome{Stdout: []byte("new")})
	if o, ok := c.Get(k); !ok || string(o.Stdout) != "new" || len(o.Stderr) > 0 {
		t.Errorf("have %q %v", o, ok)
	}
	if want := []string{k.String(), trimmedAt}; !slices.Equal(names(t, c.folder), want) {
		t.Errorf("the folder has %v, want %v", names(t, c.folder), want)
	}
	large := keyOf("large")
	c.Put(large, Outcome{Stdout: make([]byte, maxEntry)})
	if _, ok := c.Get(large); ok {
		t.Error("an outcome is kept that is not worth a place")
	}
}

// A file that Put has not written under this very name is none.
func TestADamagedEntryIsNone(t *testing.T) {
	c := &Cache{t.TempDir()}
	k, other := keyOf("a"), keyOf("b")
	c.Put(k, Outcome{Stdout: []byte("text")})
	c.Put(other, Outcome{Stdout: []byte("text")})
	good, err := os.ReadFile(c.path(k))
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := os.ReadFile(c.path(other))
	if err != nil {
		t.Fatal(err)
	}
	damaged := [][]byte{nil, good[:len(good)-1], append(slices.Clone(good), ' '), foreign}
	for i := range good {
		flipped := slices.Clone(good)
		flipped[i] ^= 1
		damaged = append(damaged, flipped)
	}
	for _, data := range damaged {
		if err := os.WriteFile(c.path(k), data, 0o666); err != nil {
			t.Fatal(err)
		}
		if o, ok := c.Get(k); ok {
			t.Errorf("%q has the outcome %q", data, o)
		}
	}
}

func TestTheNilCacheHasNothing(t *testing.T) {
	var c *Cache
	c.Put(Key{}, Outcome{})
	if _, ok := c.Get(Key{}); ok {
		t.Error("it has something")
	}
}

func TestTheEnvironmentNamesTheFolder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	t.Setenv("HOME", dir)
	caches, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{
		"": filepath.Join(caches, "prune-gen", Below), dir: filepath.Join(dir, Below), Off: "", "relative": "", "./off": "",
	} {
		t.Setenv(Variable, value)
		got := ""
		if c := Open(); c != nil {
			got = c.folder
		}
		if got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

// A sum tells apart what is written one after the other.
func TestSumsDifferWhereTheirPartsDo(t *testing.T) {
	seen := map[Key]string{}
	add := func(name string, fill func(s *Sum)) {
		s := NewSum()
		fill(s)
		if other, ok := seen[s.Key()]; ok {
			t.Errorf("%s and %s have the same sum", name, other)
		}
		seen[s.Key()] = name
	}
	add("nothing", func(*Sum) {})
	add("a label", func(s *Sum) { s.Text("a") })
	add("two labels", func(s *Sum) { s.Text("a"); s.Text("a") })
	add("an empty text", func(s *Sum) { s.Text("a", "") })
	add("a text", func(s *Sum) { s.Text("a", "bc") })
	add("two texts", func(s *Sum) { s.Text("a", "b", "c") })
	add("two texts, cut elsewhere", func(s *Sum) { s.Text("a", "", "bc") })
	add("another label", func(s *Sum) { s.Text("ab", "c") })
	add("a content", func(s *Sum) { s.Content("a", []byte("bc")) })
	add("no content", func(s *Sum) { s.Content("a", nil) })
}

func TestAFileHasTheSumOfItsContent(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	text := strings.Repeat("0123456789", 10_000)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	a, b := NewSum(), NewSum()
	if err := a.File("x", file); err != nil {
		t.Fatal(err)
	}
	if err := b.Content("x", []byte(text)); err != nil {
		t.Fatal(err)
	}
	if a.Key() != b.Key() {
		t.Error("the file and its content have different sums")
	}
	for _, bad := range []string{dir, filepath.Join(dir, "none"), os.DevNull} {
		if err := NewSum().File("x", bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	small := NewSum()
	small.left = int64(len(text))
	if err := small.File("x", file); err != nil {
		t.Errorf("what just fits: %v", err)
	}
	if err := small.File("x", file); err != ErrTooLarge {
		t.Errorf("a file too much: %v", err)
	}
	small.left = 3
	if err := small.Content("x", []byte("text")); err != ErrTooLarge {
		t.Errorf("a content too much: %v", err)
	}
}

func TestWhatIsNotUsedGoesAway(t *testing.T) {
	c := &Cache{t.TempDir()}
	now := time.Now()
	age := func(name string, days int) {
		t.Helper()
		at := now.AddDate(0, 0, -days)
		if err := os.Chtimes(filepath.Join(c.folder, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	old, young, used := keyOf("old"), keyOf("young"), keyOf("used")
	for _, k := range []Key{old, young, used} {
		c.Put(k, Outcome{})
	}
	left := "new-" + old.String() + "-123"
	foreign := []string{
		"foreign", "cafe", "new-123", "new-thesis.pdf", "new-" + old.String(), "new-" + old.String() + "-", left + ".txt",
		"my-" + old.String(), old.String() + "0", strings.ToUpper(keyOf("upper").String()),
	}
	for _, name := range append(foreign, left) {
		if err := os.WriteFile(filepath.Join(c.folder, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		age(name, 40)
	}
	age(old.String(), 31)
	age(young.String(), 29)
	age(used.String(), 31)
	if _, ok := c.Get(used); !ok {
		t.Fatal("an old outcome is not there before anybody looks for it")
	}
	c.trim(now)
	if len(names(t, c.folder)) != 5+len(foreign) {
		t.Errorf("trimmed twice a day: %v", names(t, c.folder))
	}
	age(trimmedAt, 2)
	c.trim(now)
	want := append(foreign, young.String(), used.String(), trimmedAt)
	slices.Sort(want)
	if got := names(t, c.folder); !slices.Equal(got, want) {
		t.Errorf("left are %v, want %v", got, want)
	}
	age(young.String(), 31)
	c.trim(now.Add(trimInterval - time.Minute))
	if !slices.Contains(names(t, c.folder), young.String()) {
		t.Error("trimmed twice a day")
	}
	// Keeping an outcome is the time to look.
	age(trimmedAt, 2)
	c.Put(used, Outcome{})
	if slices.Contains(names(t, c.folder), young.String()) {
		t.Error("not trimmed when an outcome was kept")
	}
}

// What is in the place of a file of ours stays as it is, and is neither read nor written.
func TestWhatIsInTheWayIsLeftAlone(t *testing.T) {
	const text = "a thesis"
	k := keyOf("a")
	kinds := map[string]func(t *testing.T, path string){
		"a directory": func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o777); err != nil {
				t.Fatal(err)
			}
		},
		"a link": func(t *testing.T, path string) {
			if err := os.Symlink(filepath.Join(filepath.Dir(filepath.Dir(path)), "thesis"), path); err != nil {
				t.Fatal(err)
			}
		},
		"a dangling link": func(t *testing.T, path string) {
			if err := os.Symlink(filepath.Join(filepath.Dir(filepath.Dir(path)), "nothing"), path); err != nil {
				t.Fatal(err)
			}
		},
	}
	maps.Copy(kinds, irregular)
	for kind, make := range kinds {
		for _, name := range []string{k.String(), trimmedAt, "new-" + k.String() + "-1"} {
			t.Run(kind+" as "+name, func(t *testing.T) {
				dir := t.TempDir()
				thesis := filepath.Join(dir, "thesis")
				c := &Cache{filepath.Join(dir, Below)}
				// An entry where the link leads to, so that following it shows.
				c.Put(k, Outcome{Stdout: []byte(text)})
				if err := os.Rename(c.path(k), thesis); err != nil {
					t.Fatal(err)
				}
				os.Remove(filepath.Join(c.folder, trimmedAt))
				long := time.Now().AddDate(-1, 0, 0)
				if err := os.Chtimes(thesis, long, long); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(c.folder, name)
				make(t, path)
				before, err := os.Lstat(path)
				if err != nil {
					t.Fatal(err)
				}
				thesisBefore, err := os.ReadFile(thesis)
				if err != nil {
					t.Fatal(err)
				}
				done := timeLimit(t)
				c.Put(k, Outcome{Stdout: []byte("new")})
				_, ok := c.Get(k)
				c.Put(keyOf("b"), Outcome{})
				c.trim(time.Now().AddDate(1, 0, 0))
				done()
				if want := name != k.String(); ok != want {
					t.Errorf("an outcome is kept: %v, want %v", ok, want)
				}
				if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
					t.Errorf("what was in the way has changed: %v %v", after, err)
				}
				if now, err := os.ReadFile(thesis); err != nil || !bytes.Equal(now, thesisBefore) {
					t.Errorf("the user's file has %q, %v", now, err)
				}
				if info, err := os.Stat(thesis); err != nil || !info.ModTime().Equal(long) {
					t.Errorf("the user's file is used: %v", err)
				}
				if _, err := os.Lstat(filepath.Join(dir, "nothing")); err == nil {
					t.Error("there is a file where the link leads to")
				}
			})
		}
	}
}

// timeLimit fails the test if the function that it returns is not called for long: something blocks.
func timeLimit(t *testing.T) (done func()) {
	timer := time.AfterFunc(20*time.Second, func() { panic(t.Name() + " blocks") })
	return func() { timer.Stop() }
}

// A folder of that name which is not ours, or is none, is of no use.
func TestTheFolderIsNotALink(t *testing.T) {
	k := keyOf("a")
	dir := t.TempDir()
	other := &Cache{filepath.Join(dir, "other")}
	other.Put(k, Outcome{})
	before := names(t, other.folder)
	c := &Cache{filepath.Join(dir, Below)}
	if err := os.Symlink(other.folder, c.folder); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Get(k); ok {
		t.Error("an outcome is found behind a link")
	}
	c.Put(keyOf("b"), Outcome{})
	if after := names(t, other.folder); !slices.Equal(after, before) {
		t.Errorf("behind the link are %v, want %v", after, before)
	}
}

// What the user has in the folder that the environment names is none of our business, whatever it is called.
func TestTheNamedFolderIsTheUsers(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(Variable, dir)
	c, long := Open(), time.Now().AddDate(-1, 0, 0)
	theirs := []string{"new-thesis.pdf", "new-1", trimmedAt, keyOf("old").String(), "new-" + keyOf("old").String() + "-1"}
	for _, name := range theirs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(dir, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	c.Put(keyOf("a"), Outcome{})
	c.trim(time.Now().AddDate(1, 0, 0))
	for _, name := range theirs {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil || string(text) != name {
			t.Errorf("%s has %q, %v", name, text, err)
		}
		if info, err := os.Stat(path); err == nil && !info.ModTime().Equal(long) {
			t.Errorf("%s is as of %v", name, info.ModTime())
		}
	}
	if got := names(t, dir); len(got) != len(theirs)+1 || !slices.Contains(got, Below) {
		t.Errorf("the folder has %v", got)
	}
	if info, err := os.Stat(filepath.Join(dir, Below)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("our folder: %v %v", info.Mode(), err)
	}
}

// Runs at the same time see all of an outcome or none.
func TestRunsShareTheFolder(t *testing.T) {
	c := &Cache{t.TempDir()}
	k := keyOf("a")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 50 {
				text := strings.Repeat(fmt.Sprint(i%10), 1000+j)
				c.Put(k, Outcome{Stdout: []byte(text)})
				o, ok := c.Get(k)
				if got := string(o.Stdout); !ok || len(got) < 1000 || strings.Count(got, got[:1]) != len(got) {
					t.Errorf("have %d bytes, %v", len(got), ok)
				}
			}
		})
	}
	all.Wait()
	if len(names(t, c.folder)) != 2 {
		t.Errorf("the folder has %v", names(t, c.folder))
	}
}

func TestExecutableIsThisProgram(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want := NewSum()
	if err := want.File("executable", path); err != nil {
		t.Fatal(err)
	}
	if got, err := Executable(); err != nil || got != want.Key() {
		t.Errorf("%v %v, want %v", got, err, want.Key())
	}
}
