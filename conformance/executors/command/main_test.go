package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// Only what a program says of an object is a verdict, not that it fails.
func TestVerdictsAreWhatProgramsPrint(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	const crd = `"crd":{"spec":{"group":"g.io","names":{"kind":"K"}}},"version":"v1"`
	question := `{"id":"a","fieldValidation":"Strict",` + crd + `,"object":{"bad":1}}`
	// A program that finds bad objects, in the words of another.
	finds := func(valid, invalid string) string {
		return `if grep -q bad "$0"; then echo '` + invalid + `'; exit 1; fi; echo '` + valid + `'`
	}
	kubeconform := func(status string) string { return `{"resources":[{"status":"` + status + `"}]}` }
	flux := func(status, reason string) string {
		return `{"report":{"results":[{"status":"` + status + `","reason":"` + reason + `"}]}}`
	}
	kubectl := func(status, reason string) string {
		return `{"object.json":[{"status":"` + status + `","reason":"` + reason + `"}]}`
	}
	for script, want := range map[string]string{
		`exit 1`:               `"error":"no results: unexpected end`,
		`exit 0`:               `"error":"no results: unexpected end`,
		`exec /does/not/exist`: `"error":"no results: unexpected end`,
		`echo '{}'; exit 1`:    `"error":"0 results`,
		`echo '` + kubeconform("statusError") + `'; exit 1`:                `"error":"the program does not know the kind"`,
		`echo '` + kubeconform("") + `'`:                                   `"error":"nothing was validated`,
		`echo '` + kubeconform("statusSkipped") + `'`:                      `"error":"the status \"statusSkipped\"`,
		`echo '` + kubeconform("statusInvalid") + `'`:                      `"error":"the exit status is not`,
		`echo '` + kubeconform("statusValid") + `'`:                        `"code":201`,
		finds(kubeconform("statusValid"), kubeconform("statusInvalid")):    `"code":422`,
		finds(kubeconform("statusInvalid"), kubeconform("statusInvalid")):  `"error":"the exit status is not`,
		finds(kubeconform("statusValid"), kubeconform("statusError")):      `"code":422`,
		`echo '` + flux("valid", "") + `'`:                                 `"code":201`,
		finds(flux("valid", ""), flux("invalid", "cel-violation")):         `"code":422`,
		finds(kubectl("Success", ""), kubectl("Failure", "Invalid")):       `"code":422`,
		finds(kubectl("Success", ""), kubectl("Failure", "InternalError")): `"code":422`,
		`echo '` + kubectl("Failure", "InternalError") + `'; exit 1`:       `"error":"the program does not know the kind"`,
		`echo '` + flux("invalid", "schema-not-found") + `'; exit 1`:       `"error":"the program does not know the kind"`,
	} {
		var out bytes.Buffer
		if err := run([]string{"cp", "CRD", "SCHEMAS/made", "--", "sh", "-c", "test -f SCHEMAS/made || exit 9; " + script, "FILE"}, strings.NewReader(question), &out); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s: have %s%v, want %s", script, out.String(), err, want)
		}
	}
	for question, why := range map[string]string{
		`{"id":"a","object":{}}`:                                       "a CRD",
		`{"id":"a",` + crd + `,"stored":{},"object":{}}`:               "an update",
		`{"id":"a",` + crd + `,"object":{}}`:                           "a request that is not strict",
		`{"id":"a",` + crd + `,"fieldValidation":"Strict","body":"{"}`: "not an object",
	} {
		var out bytes.Buffer
		if err := run([]string{"false", "--", "false"}, strings.NewReader(question), &out); err != nil || out.String() != `{"id":"a","skipped":"`+why+"\"}\n" {
			t.Errorf("%s: %s%v", question, out.String(), err)
		}
	}
}
