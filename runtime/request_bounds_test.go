package prunert_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/allocated"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

const cronTabBody = `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"%s},"spec":{"cronSpec":"* * * * *","image":"b"%s}}`

// A warning is a header: the API server leaves out texts that do not fit into one.
func TestWarningsHaveNoControlCharacters(t *testing.T) {
	body := fmt.Sprintf(cronTabBody, "", `,"\u001b[31mx":1,"a\u007f":1,"b\u0085":1,"plain":2`)
	answer := v1.CronTabResource.CreateJSON([]byte(body), prunert.Request{})
	if want := []string{`unknown field "spec.plain"`}; answer.Err() != nil || !slices.Equal(answer.Warnings, want) {
		t.Errorf("%q, %v", answer.Warnings, answer.Err())
	}
}

func TestAnUpdateOfWhatDoesNotExistIsNotFound(t *testing.T) {
	answer := v1.CronTabResource.Update(decoded(t, fmt.Sprintf(cronTabBody, "", "")), nil, prunert.Request{})
	if answer.Refusal == nil || answer.Refusal.Code != http.StatusNotFound {
		t.Error(answer.Err())
	}
}

// Hostile bodies take work in proportion to their size.
func TestHostileRequestsTakeLittleMemory(t *testing.T) {
	var finalizers []string
	for i := range 2 * prunelimits.Entries {
		finalizers = append(finalizers, fmt.Sprintf(`"f%d"`, i))
	}
	for name, body := range map[string]string{
		"finalizers":     fmt.Sprintf(cronTabBody, `,"finalizers":[`+strings.Join(finalizers, ",")+`]`, ""),
		"duplicate keys": fmt.Sprintf(cronTabBody, "", `,"`+strings.Repeat("k", 100_000)+`":{"b":1`+strings.Repeat(`,"b":1`, 10_000)+"}"),
	} {
		var answer prunert.Answer
		bytes := allocated.By(func() { answer = v1.CronTabResource.CreateJSON([]byte(body), prunert.Request{}) })
		if bytes > 100*len(body) {
			t.Errorf("%s: allocates %d bytes for %d", name, bytes, len(body))
		}
		if n := len(answer.Warnings); n == 0 || n > prunelimits.Entries {
			t.Errorf("%s: %d warnings", name, n)
		}
	}
}

// The work for a hostile document grows with its size, not with its depth as well: no element has a path of its own.
func TestDeepDocumentsWithManyElementsTakeLittleMemory(t *testing.T) {
	const deep, wide = 5000, 20_000
	text := strings.Replace(cronTab, `"spec": {`, `"spec": {"deep": `+strings.Repeat("[", deep)+strings.Repeat("1,", wide)+"1"+strings.Repeat("]", deep)+`, `, 1)
	bytes := allocated.By(func() {
		checkAnswer(t, v1.CronTabResource.CreateJSON([]byte(text), prunert.Request{}), 0, "", []string{`unknown field "spec.deep"`})
	})
	if bytes > 200*len(text) {
		t.Errorf("allocates %d bytes for %d", bytes, len(text))
	}
}
