package marks

import (
	"fmt"
	"strings"

	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Kinds are resources by what an object says that it is.
type Kinds struct {
	resources map[id]prunert.Resource
	versions  map[string][]string // of a kind, for messages
	only      string              // the kind, if there is only one resource
}

type id struct{ apiVersion, kind string }

// NewKinds returns the kinds of resources, which must be able to answer requests: those that dynamic.Compile returns are. Of two
// with the same version and kind the first counts.
func NewKinds(resources []prunert.Resource) *Kinds {
	k := &Kinds{resources: map[id]prunert.Resource{}, versions: map[string][]string{}}
	for _, r := range resources {
		is := id{r.APIVersion(), r.Kind}
		if _, ok := k.resources[is]; !ok {
			k.resources[is] = r
		}
		k.versions[r.Kind] = append(k.versions[r.Kind], is.apiVersion+" "+is.kind)
	}
	if len(resources) == 1 {
		k.only = resources[0].Kind
	}
	return k
}

// has reports whether there is a resource for an object.
func (k *Kinds) has(apiVersion, kind string) bool {
	_, ok := k.resources[id{apiVersion, kind}]
	return ok
}

// unknown says why there is no resource for an object.
func (k *Kinds) unknown(o Object) string {
	said := yamltext.Shorten(strings.TrimSpace(o.APIVersion + " " + o.Kind))
	if said == "" {
		said = "an object without apiVersion and kind"
	}
	const most = 12
	versions := k.versions[o.Kind]
	if k.only != "" {
		versions = k.versions[k.only]
	}
	switch {
	case len(versions) == 0:
		return said + " is not known"
	case len(versions) > most:
		return fmt.Sprintf("%s is not known: want %s or %d more", said, strings.Join(versions[:most], " or "), len(versions)-most)
	}
	return said + " is not known: want " + strings.Join(versions, " or ")
}
