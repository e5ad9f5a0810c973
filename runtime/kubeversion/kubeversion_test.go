package kubeversion_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"": "1.37", "1.33": "1.33", "v1.34": "1.34", "1.35.10": "1.35", "v1.37.2": "1.37", "1.34.65535": "1.34",
		"v1.34.2-gke.1234000": "1.34", "v1.34.3+k3s1": "1.34", "v1.34.2-eks-3025e55": "1.34", // of clusters
	} {
		if have, err := kubeversion.Parse(text); err != nil || have.String() != want {
			t.Errorf("Parse(%q) = %s, %v, want %s", text, have, err, want)
		}
	}
	for _, text := range []string{"1", "1.32", "1.38", "2.34", "34", "1.x", "x.1.34", "1.34.1.2", "latest", " 1.34", "1.+34", "1.34.x", "1.34.", "1.34.65536", "1.65570", "1.4294967330", "65537.34", "-1.34", "1.-34"} {
		if have, err := kubeversion.Parse(text); err == nil {
			t.Errorf("Parse(%q) = %s", text, have)
		} else if !strings.Contains(err.Error(), "1.33 to 1.37") {
			t.Errorf("Parse(%q): %v does not say which versions there are", text, err)
		}
	}
}

func TestKnownVersions(t *testing.T) {
	if have := kubeversion.Known(); !slices.Equal(have, []kubeversion.Version{33, 34, 35, 36, 37}) {
		t.Errorf("the versions are %v", have)
	}
}

func TestTheZeroVersionIsTheNewest(t *testing.T) {
	var zero kubeversion.Version
	if zero.String() != kubeversion.Newest.String() || zero.Before() != kubeversion.Newest-1 {
		t.Errorf("zero is %s, after %s", zero, zero.Before())
	}
	for _, c := range kubeversion.Changes() {
		if !zero.Has(c) || !kubeversion.Newest.Has(c) {
			t.Errorf("the newest version does not have: %s", c.What())
		}
		if c.Since() > kubeversion.OldestLinted && (c.Since() - 1).Has(c) {
			t.Errorf("%s has a change of %s: %s", c.Since()-1, c.Since(), c.What())
		}
	}
}

// Each change says what it is about, when it came, and where to read about it, and they are sorted.
func TestChangesAreDescribed(t *testing.T) {
	changes := kubeversion.Changes()
	if !slices.IsSortedFunc(changes, func(a, b kubeversion.Change) int { return int(a.Since() - b.Since()) }) {
		t.Error("the changes are not sorted")
	}
	for _, c := range changes {
		if c.What() == "" || c.Kind() == "" || !strings.HasPrefix(c.Link(), "https://") || c.Since() < kubeversion.OldestLinted || c.Since() > kubeversion.Newest {
			t.Errorf("%d: %s", c, c.What())
		}
	}
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b kubeversion.Version
		kind kubeversion.Kind
		want bool
	}{
		{33, 34, kubeversion.Answer, true}, // the only change is not mirrored
		{36, 37, kubeversion.Answer, true},
		{35, 37, kubeversion.Answer, false},
		{0, 37, kubeversion.Text, true},
		{34, 35, kubeversion.Text, false},
	} {
		if have := kubeversion.Alike(c.a, c.b, c.kind); have != c.want {
			t.Errorf("Alike(%s, %s, %s) = %t", c.a, c.b, c.kind, have)
		}
	}
}

// New CRDs may use functions and formats one version after they came.
func TestTakenBy(t *testing.T) {
	for c, want := range map[kubeversion.Change]kubeversion.Version{
		kubeversion.Semver: 34, kubeversion.KubernetesNames: 35, kubeversion.MoreOptionals: 33, kubeversion.Reason: 28,
	} {
		if have := c.TakenBy(); have != want || !have.Takes(c) || (have - 1).Takes(c) {
			t.Errorf("%s: taken by %s, want %s", c.What(), have, want)
		}
	}
}
