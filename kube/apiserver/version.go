package apiserver

import (
	"runtime/debug"
	"strings"

	apimachineryversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/component-base/compatibility"
)

// buildVersion says on /version which release of Kubernetes the server is made of. The libraries know their minor version only,
// and call themselves v0.0.0, which kubectl takes for the age of the server.
type buildVersion struct {
	compatibility.EffectiveVersion
	git, commit, treeState, date string
}

func newBuildVersion(effective compatibility.EffectiveVersion) buildVersion {
	binary := effective.BinaryVersion()
	v := buildVersion{EffectiveVersion: effective, git: "v" + binary.WithPatch(0).String()}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, m := range build.Deps {
		// v0.37.2 of the library is of Kubernetes 1.37.2.
		if release, ok := strings.CutPrefix(m.Version, "v0."); ok && m.Path == "k8s.io/apiserver" {
			v.git = "v1." + release
		}
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			v.commit = s.Value
		case "vcs.time":
			v.date = s.Value
		case "vcs.modified":
			v.treeState = map[string]string{"true": "dirty", "false": "clean"}[s.Value]
		}
	}
	return v
}

// Info is the answer to /version.
func (v buildVersion) Info() *apimachineryversion.Info {
	info := v.EffectiveVersion.Info()
	info.GitVersion, info.GitCommit, info.GitTreeState = v.git, v.commit, v.treeState
	if v.date != "" {
		info.BuildDate = v.date
	}
	return info
}
