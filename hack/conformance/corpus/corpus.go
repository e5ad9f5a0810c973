package corpus

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/structural"
)

// CRD is one CustomResourceDefinition with the places it was found at.
type CRD struct {
	*structural.CRD
	// Key names the content: equal CRDs have equal keys, on every machine.
	Key string
	// Raw is the CRD as JSON, for whoever wants to read it in another way.
	Raw json.RawMessage
	// Origin is where it was found first: module@version/file.
	Origin string
	// Findings is what loading had to say about it.
	Findings []structural.Finding
}

// Skipped is a file that mentions CRDs, and why it, or some documents of it, are not read.
type Skipped struct {
	Origin string
	Reason string
}

// Refused is a CRD that the project does not load, and why: a patch that is not a whole CRD, or one with made-up values.
type Refused struct {
	Origin string
	Reason string
	Raw    json.RawMessage
}

// Corpus is every CRD of a set of folders, once.
type Corpus struct {
	// Sample is that of Load.
	Sample int

	CRDs    []*CRD
	Modules int
	// Files counts the YAML and JSON files that were looked at, WithCRDs those with a CRD in them.
	Files    int
	WithCRDs int
	// Duplicates counts the CRDs that had been found before.
	Duplicates int
	// NotYAML lists the files that mention CRDs and are not YAML, such as templates, with the parser's reason.
	NotYAML []Skipped
	// Refused lists the CRDs that do not load.
	Refused []Refused
	// Disagreements lists the files in which the project finds other CRDs than Kubernetes' libraries do.
	Disagreements []Skipped

	byKey map[string]*CRD
}

// Load fetches the modules of the list and reads the CRDs in them. With a sample greater than one it reads about one in sample files of the
// small modules, always the same.
func Load(ctx context.Context, sample int) (*Corpus, error) {
	queries := Queries()
	if sample > 1 {
		queries = Small()
	}
	c := &Corpus{Sample: sample}
	return c, c.AddModules(ctx, queries)
}

// AddModules adds the CRDs of modules, each as path@version.
func (c *Corpus) AddModules(ctx context.Context, queries []string) error {
	modules, err := FetchModules(ctx, queries)
	if err != nil {
		return err
	}
	c.Modules += len(modules)
	for _, m := range modules {
		if err := c.AddFS(m.Query, os.DirFS(m.Dir)); err != nil {
			return err
		}
	}
	return nil
}

// AddFS adds the CRDs of every YAML and JSON file in fsys. name stands for fsys in origins.
func (c *Corpus) AddFS(name string, fsys fs.FS) error {
	return fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		switch path.Ext(file) {
		case ".yaml", ".yml", ".json":
		default:
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		c.AddFile(path.Join(name, file), data)
		return nil
	})
}

// mark is in every file that has a CRD in it.
var mark = []byte("CustomResourceDefinition")

// AddFile adds the CRDs of one file.
func (c *Corpus) AddFile(origin string, data []byte) {
	c.Files++
	if !bytes.Contains(data, mark) || !c.inSample(origin) {
		return
	}
	loaded := crdread.Load(origin, bytes.NewReader(data))
	raws, err := documents(data)
	if err != nil {
		c.NotYAML = append(c.NotYAML, Skipped{origin, err.Error()})
		if !hasError(loaded.Findings) {
			c.disagree(origin, "Kubernetes' libraries cannot read the file, the project can: "+err.Error())
			return
		}
	}
	if len(raws) > 0 {
		c.WithCRDs++
	}
	rest := loaded.CRDs
	for _, crd := range rest {
		crd.Kubernetes = kube.Version()
	}
	for _, raw := range raws {
		name := nameOf(raw)
		if len(rest) > 0 && rest[0].Name == name {
			c.add(&CRD{CRD: rest[0], Key: key(raw), Raw: raw, Origin: origin, Findings: findingsOf(loaded, name)})
			rest = rest[1:]
			continue
		}
		// A CRD without a name goes by another.
		reason := cmp.Or(messages(findingsOf(loaded, name)), messages(loaded.Findings))
		if reason == "" {
			c.disagree(origin, fmt.Sprintf("the project does not load %q and does not say why", name))
		}
		c.Refused = append(c.Refused, Refused{origin, reason, raw})
	}
	if len(rest) > 0 {
		c.disagree(origin, fmt.Sprintf("Kubernetes' libraries do not find the CRD %q", rest[0].Name))
	}
}

// inSample picks files by their names, so that a file comes and goes without the others noticing.
func (c *Corpus) inSample(origin string) bool {
	h := fnv.New32a()
	h.Write([]byte(origin))
	return c.Sample <= 1 || h.Sum32()%uint32(c.Sample) == 0
}

func (c *Corpus) add(crd *CRD) {
	if c.byKey == nil {
		c.byKey = map[string]*CRD{}
	}
	if _, ok := c.byKey[crd.Key]; ok {
		c.Duplicates++
		return
	}
	c.byKey[crd.Key] = crd
	c.CRDs = append(c.CRDs, crd)
}

func (c *Corpus) disagree(origin, reason string) {
	c.Disagreements = append(c.Disagreements, Skipped{origin, reason})
}

// Find returns the CRD with the given key, or nil.
func (c *Corpus) Find(key string) *CRD { return c.byKey[key] }

// Versions counts the versions of all CRDs.
func (c *Corpus) Versions() int {
	n := 0
	for _, crd := range c.CRDs {
		n += len(crd.Versions)
	}
	return n
}

// key hashes what makes a CRD behave as it does. Labels and annotations, which say how a file came to be, are not part
// of it.
func key(raw json.RawMessage) string {
	var doc struct {
		APIVersion string `json:"apiVersion"`
		Metadata   struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Spec any `json:"spec"`
	}
	// A CRD that does not even have this shape has its bytes for a name.
	if utiljson.Unmarshal(raw, &doc) == nil {
		if canonical, err := json.Marshal(doc); err == nil {
			raw = canonical
		}
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:6])
}

func hasError(findings []structural.Finding) bool {
	for _, f := range findings {
		if f.Severity == structural.SeverityError {
			return true
		}
	}
	return false
}

// nameOf returns metadata.name.
func nameOf(raw json.RawMessage) string {
	var doc struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if utiljson.Unmarshal(raw, &doc) != nil {
		return ""
	}
	return doc.Metadata.Name
}

func findingsOf(f *crdread.File, name string) []structural.Finding {
	var all []structural.Finding
	for _, finding := range f.Findings {
		if finding.CRD == name {
			all = append(all, finding)
		}
	}
	return all
}

func messages(findings []structural.Finding) string {
	var all []string
	for _, f := range findings {
		all = append(all, f.Message)
	}
	return strings.Join(all, "; ")
}
