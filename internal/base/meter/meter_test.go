package meter_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

func TestLimitsAreMultiplied(t *testing.T) {
	for times, want := range map[int]string{
		1:                  "20000000 units of work; raise it with --limit 2",
		3:                  "60000000 units of work; raise it with --limit 6",
		40_000:             "800000000000 units of work; raise it with --limit 65535",
		meter.MaxTimes - 1: "1310680000000 units of work; raise it with --limit 65535",
		meter.MaxTimes:     "1310700000000 units of work, and --limit 65535, the highest, is not enough; split the input",
	} {
		m := meter.New(times).RaisedBy("--limit")
		if !m.Spend(times*meter.Work) || m.Err() != nil || m.Left() != 0 {
			t.Errorf("%d: %v within the limit", times, m.Err())
		}
		if m.Spend(1) || !m.Spent() || m.Err() == nil || m.Err().Error() != "too large: the run exceeds the limit of "+want {
			t.Errorf("%d: %v, want %s", times, m.Err(), want)
		}
	}
}

func TestMemoryIsWork(t *testing.T) {
	m := meter.New(1)
	m.SpendMemory(100 * meter.UnitBytes)
	if spent := meter.Work - m.Left(); spent != 101 {
		t.Errorf("%d units", spent)
	}
}

func TestMemoryThatIsFreeAgainIsRefunded(t *testing.T) {
	m := meter.New(1)
	m.Spend(100)
	m.Refund(60)
	if spent := meter.Work - m.Left(); spent != 40 {
		t.Errorf("%d units", spent)
	}
	m.Spend(meter.Work)
	if m.Refund(meter.Work); !m.Spent() {
		t.Error("a refund makes room after the limit is exceeded")
	}
}

func TestReadAllStopsAtTheLimit(t *testing.T) {
	m := meter.New(1)
	if data, err := m.ReadAll(strings.NewReader("text")); err != nil || string(data) != "text" {
		t.Errorf("%q, %v", data, err)
	}
	r := &endless{}
	_, err := m.ReadAll(r)
	var exceeded *meter.Error
	if !errors.As(err, &exceeded) || err.Error() != "too large: the run exceeds the limit of 64 MiB" || r.read > 2*meter.Bytes {
		t.Errorf("%v after %d bytes", err, r.read)
	}
	if _, err := m.ReadAll(strings.NewReader("")); err == nil {
		t.Error("reads more")
	}
	if m.Spend(1) {
		t.Error("works on after it has read too much")
	}
}

// endless has no end.
type endless struct{ read int }

func (r *endless) Read(p []byte) (int, error) {
	r.read += len(p)
	return len(p), nil
}

func TestReadAllReturnsTheErrorOfTheReader(t *testing.T) {
	r, w := io.Pipe()
	w.CloseWithError(io.ErrNoProgress)
	if _, err := meter.New(1).ReadAll(r); err != io.ErrNoProgress {
		t.Error(err)
	}
}

func TestDocumentsAreCounted(t *testing.T) {
	m := meter.New(1)
	for range meter.Documents {
		if !m.SpendDocument() {
			t.Fatal(m.Err())
		}
	}
	if err := m.Err(); m.SpendDocument() || err != nil {
		t.Error(err, "within the limit")
	}
	if err := m.Err(); err == nil || err.Error() != "too large: the run exceeds the limit of 50000 documents" {
		t.Error(err)
	}
}

// What is spent while a run comes to its end does not change the advice.
func TestErrorsAreTheSame(t *testing.T) {
	m := meter.New(1)
	m.Spend(meter.Work + 1)
	first := m.Err()
	if m.Spend(100 * meter.Work); m.Err() != first {
		t.Errorf("%v, then %v", first, m.Err())
	}
}

// The advice is enough for all that is known about the run: the sizes of texts, the number of documents, and work that is counted before
// it is done. Where the rest is not known, it is taken to be like the part that was begun.
func TestErrorsAdviseWhatIsEnough(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.yaml")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 300<<20); err != nil {
		t.Fatal(err)
	}
	documents := func(m *meter.Meter, n int) {
		for range n {
			m.SpendDocument()
		}
	}
	for name, c := range map[string]struct {
		spend func(*meter.Meter)
		want  string
	}{
		"a text in memory":    {func(m *meter.Meter) { m.SpendText(300 << 20) }, "64 MiB; raise it with --limit 5"},
		"just as much":        {func(m *meter.Meter) { m.SpendText(128 << 20) }, "64 MiB; raise it with --limit 2"},
		"one byte more":       {func(m *meter.Meter) { m.SpendText(128<<20 + 1) }, "64 MiB; raise it with --limit 3"},
		"files that follow":   {func(m *meter.Meter) { m.Expect(200 << 20); m.SpendText(65 << 20) }, "64 MiB; raise it with --limit 4"},
		"what was read":       {func(m *meter.Meter) { m.SpendText(60 << 20); m.Expect(10 << 20); m.SpendText(5 << 20) }, "64 MiB; raise it with --limit 2"},
		"a reader in memory":  {func(m *meter.Meter) { m.ReadAll(bytes.NewReader(make([]byte, 129<<20))) }, "64 MiB; raise it with --limit 3"},
		"more than there is":  {func(m *meter.Meter) { m.Expect(5 << 40); m.SpendText(65 << 20) }, "64 MiB, and --limit 65535, the highest, is not enough; split the input"},
		"documents":           {func(m *meter.Meter) { documents(m, 120_000) }, "50000 documents; raise it with --limit 3"},
		"documents of a part": {func(m *meter.Meter) { m.Expect(1000); m.Begin(200); documents(m, 60_000) }, "50000 documents; raise it with --limit 8"},
		"work":                {func(m *meter.Meter) { m.Spend(7 * meter.Work) }, "20000000 units of work; raise it with --limit 7"},
		"work of a half":      {func(m *meter.Meter) { m.Expect(1000); m.Begin(500); m.Spend(meter.Work + 1) }, "20000000 units of work; raise it with --limit 4"},
		"work of a tenth":     {func(m *meter.Meter) { m.Expect(1000); m.Begin(100); m.Spend(meter.Work + 1) }, "20000000 units of work; raise it with --limit 16"},
		"work of a byte":      {func(m *meter.Meter) { m.Expect(1 << 60); m.Begin(1); m.Spend(meter.Work + 1) }, "20000000 units of work; raise it with --limit 65535"},
		"work of everything":  {func(m *meter.Meter) { m.Expect(1000); m.Begin(1000); m.Spend(meter.Work + 1) }, "20000000 units of work; raise it with --limit 2"},
		"a file": {func(m *meter.Meter) {
			f, err := os.Open(large)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			m.ReadAll(f)
		}, "64 MiB; raise it with --limit 5"},
	} {
		m := meter.New(1).RaisedBy("--limit")
		if c.spend(m); m.Err() == nil || m.Err().Error() != "too large: the run exceeds the limit of "+c.want {
			t.Errorf("%s: %v, want %s", name, m.Err(), c.want)
		}
	}
}

func TestANilMeterHasNoLimits(t *testing.T) {
	var m *meter.Meter
	if !m.Spend(2*meter.Work) || m.SpendText(2*meter.Bytes) != nil || !m.SpendDocument() || m.Spent() || m.Left() == 0 {
		t.Error("it has")
	}
	if data, err := m.ReadAll(strings.NewReader("text")); err != nil || string(data) != "text" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestGoroutinesShareAMeter(t *testing.T) {
	m := meter.New(1)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				m.Spend(1)
			}
		})
	}
	all.Wait()
	if spent := meter.Work - m.Left(); spent != 8000 {
		t.Errorf("%d units", spent)
	}
}

// What was spent is restored after each part of a stream, unless it was too much.
func TestASpentMeterIsNotRestored(t *testing.T) {
	for units, want := range map[int]bool{meter.Work: false, meter.Work + 1: true} {
		m := meter.New(1)
		restore := m.Save()
		m.Spend(units)
		if restore(); m.Spent() != want || !want && m.Left() != meter.Work {
			t.Errorf("%d units: spent is %t, %d left", units, m.Spent(), m.Left())
		}
	}
}
