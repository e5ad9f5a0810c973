package kube

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	componentversion "k8s.io/component-base/version"
)

// Minor returns the minor version of the Kubernetes that is linked: go.mod has the newest, those in kubernetes/ have the others.
func Minor() int {
	minor, err := strconv.Atoi(strings.TrimPrefix(componentversion.DefaultKubeBinaryVersion, "1."))
	if err != nil {
		panic(fmt.Sprintf("kube: version %q", componentversion.DefaultKubeBinaryVersion))
	}
	return minor
}

// Version returns the version that our side is asked for, to answer as the Kubernetes that is linked: zero for the newest.
func Version() kubeversion.Version {
	if v := kubeversion.Version(Minor()); v != kubeversion.Newest {
		return v
	}
	return 0
}

// BaseEnvSet returns the environments of CEL that Kubernetes makes for a version.
func BaseEnvSet(v *version.Version) *environment.EnvSet {
	switch f := any(environment.MustBaseEnvSet).(type) {
	case func(*version.Version) *environment.EnvSet:
		return f(v)
	case func(*version.Version, bool) *environment.EnvSet: // before 1.35
		return f(v, true)
	}
	panic(fmt.Sprintf("kube: environment.MustBaseEnvSet is a %T", environment.MustBaseEnvSet))
}

// validateObjectMeta returns the errors about the resources that an object embeds.
func validateObjectMeta(obj map[string]any, s *structuralschema.Structural) field.ErrorList {
	switch f := any(objectmeta.Validate).(type) {
	case func(context.Context, *field.Path, any, *structuralschema.Structural, bool) field.ErrorList:
		return f(context.Background(), nil, obj, s, false)
	case func(*field.Path, any, *structuralschema.Structural, bool) field.ErrorList: // before 1.37
		return f(nil, obj, s, false)
	}
	panic(fmt.Sprintf("kube: objectmeta.Validate is a %T", objectmeta.Validate))
}
