package prunert_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	v1 "github.com/prune-gen/prune-gen/golden/crontab"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

const settingsBody = `{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"a","namespace":"b"%s},"spec":{"cronSpec":"* * * * *","image":"b"%s}}`

// The number of warnings is limited, unless the limit is zero or less.
func TestWarningsAreAsManyAsTheLimitAllows(t *testing.T) {
	defer prunelimits.Set(prunelimits.Current())
	body := fmt.Sprintf(settingsBody, `,"finalizers":["a","b","c"],"labels":{"k":"v","k":"v"}`, `,"u1":1,"u2":2,"u3":3`)
	const all = 7 // a duplicate, three unknown fields, three finalizers
	for _, c := range []struct{ entries, want int }{
		{0, all}, {-1, all}, {math.MinInt, all}, {1, 1}, {2, 2}, {all - 1, all - 1}, {all, all}, {all + 1, all},
	} {
		prunelimits.Set(prunelimits.Limits{Entries: c.entries})
		answer := v1.CronTabResource.CreateJSON([]byte(body), prunert.Request{})
		if n := len(answer.Warnings); n != c.want || answer.Err() != nil {
			t.Errorf("%d entries: %d warnings, want %d: %q, %v", c.entries, n, c.want, answer.Warnings, answer.Err())
		}
	}
}

// Duplicate keys are listed until their paths have as many bytes as the limit says, all of them where it is zero or less.
func TestDuplicatesAreListedUpToTheLimit(t *testing.T) {
	defer prunelimits.Set(prunelimits.Current())
	pairs := ""
	for i := range 8 {
		pairs += fmt.Sprintf(`,"d%d":1,"d%d":1`, i, i)
	}
	body := []byte(fmt.Sprintf(settingsBody, "", pairs))
	for _, c := range []struct{ bytes, want int }{{0, 8}, {-1, 8}, {math.MinInt, 8}, {1, 1}, {6, 1}, {7, 2}, {13, 2}, {14, 3}, {1000, 8}} { // spec.d0 has 7
		prunelimits.Set(prunelimits.Limits{Bytes: c.bytes})
		_, report, err := v1.CronTabResource.PruneJSONReport(nil, body)
		if len(report.Duplicate) != c.want || err != nil {
			t.Errorf("%d bytes: %q, %v, want %d", c.bytes, report.Duplicate, err, c.want)
		}
		n := 0
		for _, w := range v1.CronTabResource.CreateJSON(body, prunert.Request{}).Warnings {
			if strings.HasPrefix(w, "duplicate field ") {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%d bytes: %d warnings, want %d", c.bytes, n, c.want)
		}
	}
}

// No more than MaxDuplicates are listed, whatever the limits are.
func TestDuplicatesAreAsManyAsTheServerLists(t *testing.T) {
	defer prunelimits.Set(prunelimits.Set(prunelimits.Limits{Entries: -1, Bytes: -1}))
	for _, n := range []int{prunert.MaxDuplicates - 1, prunert.MaxDuplicates, prunert.MaxDuplicates + 1} {
		pairs := ""
		for i := range n {
			pairs += fmt.Sprintf(`,"d%d":1,"d%d":1`, i, i)
		}
		body := []byte(fmt.Sprintf(settingsBody, "", pairs))
		_, report, err := v1.CronTabResource.PruneJSONReport(nil, body)
		want := min(n, prunert.MaxDuplicates)
		if len(report.Duplicate) != want || err != nil {
			t.Errorf("%d of %d duplicates are listed, want %d, %v", len(report.Duplicate), n, want, err)
		}
		// As errors, for a server cuts warnings off. All of them are unknown, too.
		message := v1.CronTabResource.CreateJSON(body, prunert.Request{FieldValidation: prunert.FieldValidationStrict}).Err().Error()
		if duplicate, unknown := strings.Count(message, "duplicate field"), strings.Count(message, "unknown field"); duplicate != want || unknown != n {
			t.Errorf("%d duplicates and %d unknown fields, want %d and %d", duplicate, unknown, want, n)
		}
	}
}

// A size of streams of zero and less is the default.
func TestStreamsHaveTheDefaultSizeWhereNoneIsSet(t *testing.T) {
	body := fmt.Sprintf(settingsBody, "", "")
	for _, c := range []struct {
		bytes, limit int
		refused      bool
	}{
		{0, prunert.DefaultMaxStreamObject, false}, {-1, prunert.DefaultMaxStreamObject, false}, {math.MinInt, prunert.DefaultMaxStreamObject, false},
		{1, 1, true}, {len(body) - 1, len(body) - 1, true}, {len(body), len(body), false},
	} {
		r := func() io.Reader { return prunert.StreamReader{Reader: strings.NewReader(body), MaxObject: c.bytes} }
		for name, prune := range map[string]func() error{
			"the resource": func() error { return v1.CronTabResource.PruneStream(&bytes.Buffer{}, r()) },
		} {
			var size *prunert.ObjectSizeError
			if err := prune(); errors.As(err, &size) != c.refused || !c.refused && err != nil {
				t.Errorf("%d: %s: %v, want an error of the size: %t", c.bytes, name, err, c.refused)
			} else if c.refused && *size != (prunert.ObjectSizeError{Offset: 0, Limit: c.limit}) {
				t.Errorf("%d: %s: %v", c.bytes, name, err)
			}
		}
	}
}
