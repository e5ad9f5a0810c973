package structural

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// DeprecationWarning returns the warning that the API server adds to every answer about objects of a version, empty for a
// version that is not deprecated.
func DeprecationWarning(c *CRD, v *Version) string {
	switch {
	case !v.Deprecated:
		return ""
	case v.DeprecationWarning != nil && *v.DeprecationWarning != "":
		return *v.DeprecationWarning
	}
	text := fmt.Sprintf("%s/%s %s is deprecated", c.Group, v.Name, c.Names.Kind)
	better := ""
	for _, other := range c.Versions {
		if other.Served && !other.Deprecated && compareVersions(v.Name, other.Name) < 0 &&
			(better == "" || compareVersions(better, other.Name) < 0) {
			better = other.Name
		}
	}
	if better != "" {
		text += fmt.Sprintf("; use %s/%s %s", c.Group, better, c.Names.Kind)
	}
	return text
}

// compareVersions orders versions as Kubernetes does: those of another form, v1alpha1, v1beta1, v1, v2.
func compareVersions(a, b string) int {
	va, okA := parseKubeVersion(a)
	vb, okB := parseKubeVersion(b)
	switch {
	case !okA && !okB:
		return strings.Compare(b, a)
	case !okA:
		return -1
	case !okB:
		return 1
	}
	return cmp.Or(cmp.Compare(va.stage, vb.stage), cmp.Compare(va.major, vb.major), cmp.Compare(va.minor, vb.minor))
}

// kubeVersion is a version such as v1beta2.
type kubeVersion struct {
	stage        int // 0 alpha, 1 beta, 2 neither
	major, minor int
}

var kubeVersionForm = regexp.MustCompile(`^v(\d+)(?:(alpha|beta)(\d+))?$`)

func parseKubeVersion(s string) (v kubeVersion, ok bool) {
	parts := kubeVersionForm.FindStringSubmatch(s)
	if parts == nil {
		return v, false
	}
	var err error
	if v.major, err = strconv.Atoi(parts[1]); err != nil {
		return v, false
	}
	switch parts[2] {
	case "":
		v.stage = 2
		return v, true
	case "beta":
		v.stage = 1
	}
	v.minor, err = strconv.Atoi(parts[3])
	return v, err == nil
}
