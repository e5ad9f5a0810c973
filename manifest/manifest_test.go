package manifest_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/prune-gen/prune-gen/manifest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

func server(t *testing.T) *manifest.Server {
	t.Helper()
	c, err := load.CRD([]byte(crd), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := manifest.NewServer(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestServersAnswerForEachObject(t *testing.T) {
	s := server(t)
	const unknown = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: ns}}\n---\n{apiVersion: stable.example.com/v1, kind: CronTabs}\n"
	for level, want := range map[prunert.FieldValidation]string{
		"":                            "5 warning 11 error 15 error",
		prunert.FieldValidationWarn:   "5 warning 11 error 15 error",
		prunert.FieldValidationIgnore: "11 error 15 error",
		prunert.FieldValidationStrict: "5 error 11 error 15 error",
	} {
		answers, findings := s.Answers("f", []byte(objects+"---\n"+unknown), level)
		if len(answers) != 4 || answers[0].Known != true || answers[2].Known || answers[2].Namespace != "ns" || len(answers[2].Findings) > 0 || answers[3].Kind != "CronTabs" {
			t.Fatalf("%+v", answers)
		}
		if stored := answers[0].Stored != nil; stored != (level != prunert.FieldValidationStrict) || answers[1].Stored != nil {
			t.Errorf("%q: %+v", level, answers)
		}
		var have []string
		for _, f := range findings {
			if f.File != "f" {
				t.Errorf("%+v", f)
			}
			have = append(have, strings.TrimLeft(string(rune('0'+f.Line/10))+string(rune('0'+f.Line%10)), "0")+" "+string(f.Severity))
		}
		if have := strings.Join(have, " "); have != want {
			t.Errorf("%q: %s, want %s", level, have, want)
		}
	}
	answers, findings := s.Answers("f", []byte("a: ["), "")
	if len(answers) != 0 || len(findings) != 1 || findings[0].Severity != structural.SeverityError {
		t.Errorf("%+v, %+v", answers, findings)
	}
}

func TestServersAreSafeForConcurrentUse(t *testing.T) {
	s := server(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if answers, _ := s.Answers("f", []byte(objects), ""); len(answers) != 2 {
				t.Errorf("%d answers", len(answers))
			}
		})
	}
	wg.Wait()
}

func TestServersRefuseCRDsThatTheAPIServerRefuses(t *testing.T) {
	c, err := load.CRD([]byte(strings.Replace(crd, "cronSpec: {type: string}", "cronSpec: {}", 1)), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := manifest.NewServer(c); err == nil || err.(*dynamic.RefusedError).CRD != "crontabs.stable.example.com" {
		t.Error(err)
	}
}
