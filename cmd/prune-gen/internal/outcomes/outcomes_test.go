package outcomes

import (
	"fmt"
	"os"
	"path/filepath"
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
	for value, want := range map[string]string{"": filepath.Join(caches, "prune-gen"), dir: dir, Off: "", "relative": "", "./off": ""} {
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
	for _, name := range []string{"new-123", "foreign", "cafe"} {
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
	if len(names(t, c.folder)) != 7 {
		t.Errorf("trimmed twice a day: %v", names(t, c.folder))
	}
	age(trimmedAt, 2)
	c.trim(now)
	want := []string{young.String(), used.String(), "foreign", "cafe", trimmedAt}
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
