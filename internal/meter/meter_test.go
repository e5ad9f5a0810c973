package meter_test

import (
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/prune-gen/prune-gen/internal/meter"
)

func TestLimitsAreMultiplied(t *testing.T) {
	for times, want := range map[int]string{1: "20000000 units of work; raise it with --limit 2", 3: "60000000 units of work; raise it with --limit 6"} {
		m := meter.New(times)
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

func TestListsHaveRoomForAllButLongTexts(t *testing.T) {
	for bytes, want := range map[int]int{0: meter.Findings, 8000: meter.Findings, 1 << 20: 7} {
		var l meter.List
		n := 0
		for l.Add(bytes) {
			n++
		}
		if n != want {
			t.Errorf("room for %d findings of %d bytes, want %d", n, bytes, want)
		}
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
	if !errors.As(err, &exceeded) || err.Error() != "too large: the run exceeds the limit of 64 MiB; raise it with --limit 2" || r.read > 2*meter.Bytes {
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
		if err := m.SpendDocument(); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.SpendDocument(); err == nil || err.Error() != "too large: the run exceeds the limit of 50000 documents; raise it with --limit 2" {
		t.Error(err)
	}
}

func TestANilMeterHasNoLimits(t *testing.T) {
	var m *meter.Meter
	if !m.Spend(2*meter.Work) || m.SpendText(2*meter.Bytes) != nil || m.SpendDocument() != nil || m.Spent() || m.Left() == 0 {
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
