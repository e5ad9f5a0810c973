// Package scoreboard compares the project with Kubernetes and prints a table of what agrees and what does not.
//
//	go test ./scoreboard                                                    a sample
//	go test ./scoreboard -v -timeout 0 -size whole                          everything: 100 objects for each version of every CRD
//	go test ./scoreboard -v -timeout 0 -size whole -part 3/12               a twelfth of that
//	go test ./scoreboard -v -timeout 0 -size whole -function rules          CEL rules alone, compiled ones among them
//	go test ./scoreboard -v -timeout 0 -size whole -function rules -more    with those of further modules
//
// Except for the sample, it generates Go code for every CRD, compiles it together with this test, and runs the result, which does the comparing.
package scoreboard

import (
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/hack/conformance/rules"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// size says how much is compared.
type size struct {
	generated   bool // compare generated code, and not the interpreters alone; and broken schemas
	sample      int  // one in this many files of the small modules of the corpus; 1 means everything
	objects     int  // for each version of a CRD
	keywords    int  // of each schema, for each of which there is one object more that violates it
	mutations   int  // of each schema
	random      int  // CRDs beside those of the corpus
	randomRules int  // CRDs with random CEL rules beside those
	least       int  // how many objects each function must be compared on
}

var sizes = map[string]size{
	"sample": {false, 20, 4, 8, 1, 12, 0, 200}, // ../compare has code that is generated for golden kinds, and ../rules random CEL rules
	"large":  {true, 8, 8, 100, 1, 60, 1, 1000},
	"older":  {true, 60, 3, 6, 1, 6, 1, 60}, // for each version beside the newest: most of its time goes into compiling generated code
	"whole":  {true, 1, 100, 100, 10, 200, 10, 20000},
}

var (
	sizeFlag     = flag.String("size", "", "compare a `part` of the corpus: older, sample, large or whole")
	seedFlag     = flag.Uint64("seed", 1, "`number` that objects and mutations are made from")
	objectsFlag  = flag.Int("objects", 0, "`number` of objects for each version of a CRD")
	keywordsFlag = flag.Int("keywords", 0, "`number` of keywords of each schema, for each of which there is one object more that violates it")
	functionFlag = flag.String("function", "", "compare only this function (`name` as in the table)")
	crdFlag      = flag.String("crd", "", "compare only the CRD with this `key`, as failures name it")
	versionFlag  = flag.String("version", "", "compare only the version of this `name`")
	partFlag     = flag.String("part", "", "compare the `part` k/n of the CRDs: those whose keys leave k when they are divided by n")
	moreFlag     = flag.Bool("more", false, "compare the CRDs of further modules as well")
)

func chosen(t *testing.T) (name string, s size) {
	name = *sizeFlag
	if name == "" {
		switch {
		case kube.Version() != 0:
			name = "older"
		case testsize.All():
			name = "large"
		default:
			name = "sample"
		}
	}
	s, ok := sizes[name]
	if !ok {
		t.Fatalf("no size is called %q", name)
	}
	if *objectsFlag > 0 {
		s.objects, s.least = *objectsFlag, 0
	}
	if *keywordsFlag > 0 {
		s.keywords = *keywordsFlag
	}
	return name, s
}

func TestScoreboard(t *testing.T) {
	testsize.NotShort(t)
	name, size := chosen(t)
	c := load(t, &size)
	subjects := subjects(t, c)
	if linked == nil && size.generated {
		generateAndRun(t, subjects)
		return
	}
	prunelimits.Set(prunelimits.Limits{}) // the API server lists everything
	var board []*compare.Tally
	all := *functionFlag == "" && *crdFlag == ""
	if all {
		board = compareVerdicts(c, size)
	}
	if size.generated {
		board = append(board, link(subjects))
	}
	var functions []compare.Function
	for _, f := range compare.Functions() {
		if (*functionFlag == "" || *functionFlag == f.Name) && (size.generated || f.Interprets()) {
			functions = append(functions, f)
		}
	}
	board = append(board, compare.Run(subjects, functions, compare.Options{
		Seed: *seedFlag, Objects: size.objects, Keywords: size.keywords, Reproduce: " -size " + name,
	})...)
	if *functionFlag == "" || *functionFlag == "rules" {
		tallies := compareRules(t, subjects, size)
		if !size.generated {
			tallies = slices.DeleteFunc(tallies, func(row *compare.Tally) bool {
				return row.Name == "rules, generated code" || row.Name == "rules, compiled"
			})
		}
		board = append(board, tallies...)
	}
	for _, row := range board {
		for _, f := range row.Failures {
			t.Error(f)
		}
		if row.Disagreements > 0 {
			t.Errorf("%s: %d disagreements", row.Name, row.Disagreements)
		}
		if least := least(row, size); all && row.Compared < least {
			t.Errorf("%s: %d compared, not %d", row.Name, row.Compared, least)
		}
	}
	fmt.Printf("%d modules, %d files, %d CRDs with %d versions (%d more are copies, %d are refused by both sides, %d files are not YAML), seed %d\n\n",
		c.Modules, c.Files, len(c.CRDs), c.Versions(), c.Duplicates, len(c.Refused), len(c.NotYAML), *seedFlag)
	printBoard(t, board)
	fmt.Println(summary(board))
}

// summary returns the row of the version of Kubernetes.
func summary(board []*compare.Tally) string {
	compared := map[string]int{} // by what it is
	differences, named := 0, 0
	for _, r := range board {
		switch r.Name {
		case "rules, create", "rules, update", "rules, status":
			compared["requests"] += r.Compared
		case "rules, generated code":
		default:
			compared[r.What] = max(compared[r.What], r.Compared)
		}
		differences += r.Disagreements
		named += r.Named()
	}
	return fmt.Sprintf("Kubernetes 1.%d: %d CRDs, %d CEL rules, %d objects, %d requests, %d differences, %d differences that are named",
		kube.Minor(), compared["CRDs"], compared["CEL rules"], compared["objects"], compared["requests"], differences, named)
}

// least returns how many comparisons a row must have, so that nothing is left out.
func least(row *compare.Tally, s size) int {
	switch {
	case row.What == "objects" && strings.HasPrefix(row.Name, "rules"):
		return min(s.least, 30)
	case row.What == "objects":
		return s.least
	case strings.Contains(row.Name, "broken"):
		return 5000
	case row.What == "CEL rules" || row.What == "evaluations":
		return 1
	}
	return s.least / max(10, s.objects) // each CRD has so many objects
}

// printBoard prints the rows and the known differences.
func printBoard(t *testing.T, board []*compare.Tally) {
	tw := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "function\tversions\tcompared\t\tknown\tdisagreements\t")
	seen := map[known.Name]int{}
	for _, r := range board {
		what, all := r.What, 0
		if r.Errors > 0 {
			what = fmt.Sprintf("%s, %d errors", what, r.Errors)
		}
		if r.Unsteady > 0 {
			what = fmt.Sprintf("%s, %d unsteady", what, r.Unsteady)
		}
		for name, n := range r.Known {
			seen[name] += n
			all += n
		}
		fmt.Fprintf(tw, "%s\t%d\t%d\t%s\t%d\t%d\t\n", r.Name, r.Versions, r.Compared, what, all, r.Disagreements)
	}
	if err := tw.Flush(); err != nil {
		t.Error(err)
	}
	differences, err := known.Differences()
	if err != nil {
		t.Error(err)
	}
	for _, d := range differences {
		fmt.Printf("\nknown difference %s, seen %d times:\n  %s\n", d.Name, seen[d.Name], d.Reason)
	}
	for _, c := range kubeversion.Changes() {
		if n := seen[known.Row(c)]; n > 0 {
			fmt.Printf("\nKubernetes 1.%d differs from later versions, seen %d times:\n  %s: %s\n", kube.Minor(), n, known.Row(c), c.Link())
		}
	}
	if !t.Failed() {
		fmt.Println("\nno disagreements")
	}
}

// part is every CRD whose key leaves k when it is divided by of.
type part struct{ k, of uint64 }

// chosenPart returns the part of -part; of the whole, without.
func chosenPart(t *testing.T) part {
	p := part{0, 1}
	if *partFlag == "" {
		return p
	}
	if n, err := fmt.Sscanf(*partFlag, "%d/%d", &p.k, &p.of); err != nil || n != 2 || p.k >= p.of {
		t.Fatalf("-part %s is not k/n with k below n", *partFlag)
	}
	return p
}

func (p part) has(crd *corpus.CRD) bool {
	h := fnv.New64a()
	io.WriteString(h, crd.Key)
	return h.Sum64()%p.of == p.k
}

// load returns the CRDs to compare: those of the corpus, of the golden cases, and random ones. Of a part of them, less is to be compared.
func load(t *testing.T, s *size) *corpus.Corpus {
	c, err := corpus.Load(t.Context(), s.sample)
	if err != nil {
		t.Fatal(err)
	}
	c.Sample = 1 // what follows is small and always there
	if *moreFlag {
		if err := c.AddModules(t.Context(), corpus.More()); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.AddFS("golden", os.DirFS("../../../golden")); err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(s.random) {
		c.AddFile(fmt.Sprintf("random/%d", seed), specimentest.CRD(seed))
	}
	for seed := range uint64(s.randomRules) {
		const most = 60 // rules; some do not compile
		data, err := rules.RandomCRD(*seedFlag<<16+seed, most)
		if err != nil {
			t.Fatal(err)
		}
		c.AddFile(fmt.Sprintf("random-rules/%d", seed), data)
	}
	all, part := len(c.CRDs), chosenPart(t)
	c.CRDs = slices.DeleteFunc(c.CRDs, func(crd *corpus.CRD) bool { return !part.has(crd) })
	if part.of > 1 {
		s.least = s.least * len(c.CRDs) / (2 * all) // CRDs differ in size
	}
	if *crdFlag != "" {
		c.CRDs = slices.DeleteFunc(c.CRDs, func(crd *corpus.CRD) bool { return crd.Key != *crdFlag })
	}
	return c
}

// subjects returns the versions that objects are made for.
func subjects(t *testing.T, c *corpus.Corpus) []*compare.Subject {
	var all []*compare.Subject
	for _, crd := range c.CRDs {
		if *functionFlag == "rules" && !strings.Contains(string(crd.Raw), "x-kubernetes-validations") {
			continue
		}
		subjects, err := compare.Subjects(crd)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range subjects {
			if *versionFlag == "" || *versionFlag == s.Version.Name {
				all = append(all, s)
			}
		}
	}
	if len(all) == 0 {
		t.Fatal("there is no such version of a CRD")
	}
	return all
}

// compareRules compares what CEL rules say about objects that aim at each of them, and lists those that no object made false.
func compareRules(t *testing.T, subjects []*compare.Subject, size size) []*compare.Tally {
	opts := rules.Options{Seed: *seedFlag, Attempts: max(size.objects/16, 2), Most: max(size.objects*3/2, 400)}
	if size.sample > 1 { // a rule that is never false is looked for in vain 400 times otherwise
		opts.Most = max(size.objects, 20)
	}
	tallies := rules.NewTallies()
	never := make([]string, len(subjects))
	compare.Each(slices.Values(subjects), func(v *compare.Subject) {
		s, err := rules.Of(v)
		if err != nil {
			t.Error(err)
		}
		if s == nil {
			return
		}
		s.Run(opts, tallies)
		i := slices.Index(subjects, v)
		for _, target := range s.Targets {
			if target.False == 0 {
				never[i] += fmt.Sprintf("  %s: %s (%d true, %d failed)\n", s.Name, target.Rule.Rule, target.True, target.Failed)
			}
		}
	})
	if text := strings.Join(never, ""); text != "" {
		fmt.Printf("CEL rules that were never false:\n%s\n", text)
	}
	return tallies[:]
}
