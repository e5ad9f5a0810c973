package lspcmd_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/editor/lsp"
)

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {kind: CronTab, plural: crontabs, singular: crontab, listKind: CronTabList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [cronSpec]
            properties:
              cronSpec: {type: string, description: "When it runs."}
              policy: {type: string, enum: [Allow, Forbid]}
              replicas: {type: integer, maximum: 10, default: 1}
              memory: {type: string, pattern: "^[0-9]+(Ki|Mi|Gi)$"}
              suspend: {type: boolean}
`

const head = "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: nightly}\n"

func none(d []lsp.Diagnostic) bool { return len(d) == 0 }
func some(d []lsp.Diagnostic) bool { return len(d) > 0 }

// said returns diagnostics in lines.
func said(all []lsp.Diagnostic) string {
	var lines []string
	for _, d := range all {
		first, _, _ := strings.Cut(d.Message, "\n")
		lines = append(lines, fmt.Sprintf("%d:%d-%d:%d %s %s", d.Range.Start.Line, d.Range.Start.Character, d.Range.End.Line, d.Range.End.Character, d.Code, first))
	}
	return strings.Join(lines, "\n")
}

func TestManifestsAreJudgedWhileTheyChange(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": crd})
	c.open("a.yaml", head+"spec:\n  cronSpec: x\n  \"😀\": 1\n  replicas: 50 # 😀\n")
	if have, want := said(c.diagnostics("a.yaml", 1, some)), `5:2-5:6 object/unknown-field unknown field "spec.😀"
6:2-6:10 object/invalid spec.replicas: Invalid value: 50: spec.replicas in body should be less than or equal to 10`; have != want {
		t.Errorf("%s\nwant\n%s", have, want)
	}
	related := c.diagnostics("a.yaml", 1, some)[1].Related
	if len(related) != 1 || related[0].Location.URI != c.uri("crds/crontab.yaml") || related[0].Location.Range.Start != (lsp.Position{Line: 21, Character: 14}) {
		t.Errorf("related: %+v", related)
	}
	c.change("a.yaml", 2, &lsp.Range{Start: lsp.Position{Line: 5}, End: lsp.Position{Line: 6}}, "")
	c.change("a.yaml", 3, &lsp.Range{Start: lsp.Position{Line: 5, Character: 13}, End: lsp.Position{Line: 5, Character: 14}}, "")
	c.diagnostics("a.yaml", 3, none)
}

func TestCRDsThatChangeChangeWhatIsSaid(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": crd})
	c.open("a.yaml", head+"spec:\n  cronSpec: x\n  replicas: 20\n")
	c.diagnostics("a.yaml", 1, some)
	c.write("crds/crontab.yaml", strings.Replace(crd, "maximum: 10", "maximum: 100", 1)) // the server looks for it
	c.diagnostics("a.yaml", 1, none)
	c.open("crds/crontab.yaml", crd) // what is open counts
	c.diagnostics("a.yaml", 1, some)
	c.diagnostics("crds/crontab.yaml", 1, none)
	c.change("crds/crontab.yaml", 2, nil, strings.Replace(crd, "maximum: 10", "maximum: x", 1))
	c.diagnostics("crds/crontab.yaml", 2, func(d []lsp.Diagnostic) bool { return len(d) == 1 && d[0].Range.Start.Line == 21 })
	broken := c.diagnostics("a.yaml", 1, func(d []lsp.Diagnostic) bool { return len(d) > 0 && d[0].Severity == lsp.Warning })
	if !strings.Contains(broken[0].Message, "crontab.yaml:22") {
		t.Errorf("%+v", broken)
	}
	c.notify("textDocument/didClose", lsp.DocumentParams{Document: lsp.DocumentID{URI: c.uri("crds/crontab.yaml")}})
	c.diagnostics("a.yaml", 1, none)
}

func TestOtherFilesAreLeftAlone(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": crd})
	for name, text := range map[string]string{
		"compose.yaml":    "services:\n  a: {image: b}\n",
		"chart/t.yaml":    head + "spec:\n  {{ .Values.spec }}\n",
		"values.yaml":     "a: [\n",
		"other.yaml":      "apiVersion: example.org/v1\nkind: Unknown\nspec: {a: 1}\n",
		"deployment.yaml": "apiVersion: apps/v1\nkind: Deployment\nspec: {a: 1}\n",
		"empty.yaml":      "",
	} {
		c.open(name, text)
		if found := c.diagnostics(name, 1, any1); len(found) > 0 {
			t.Errorf("%s: %s", name, said(found))
		}
	}
}

// act applies the action with a title to a text, and returns the text.
func (c *client) act(name, text, title string, at lsp.Range) string {
	c.t.Helper()
	var all []lsp.CodeAction
	c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}, "range": at, "context": map[string]any{"diagnostics": []any{}}}, &all)
	var titles []string
	for _, a := range all {
		if titles = append(titles, a.Title); a.Title == title {
			of := lsp.NewText([]byte(text))
			for _, e := range a.Edit.Changes[c.uri(name)] {
				of = of.Change([]lsp.Change{{Range: &e.Range, Text: e.Text}})
			}
			return string(of.Bytes)
		}
	}
	c.t.Fatalf("%s: there is no action %q, but %q", name, title, titles)
	return ""
}

func TestActionsRemoveTheirFindings(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": crd})
	for i, test := range []struct{ spec, title, want string }{
		{"  cronSpec: x\n  replica: 5 # five\n", "Change to replicas", "  cronSpec: x\n  replicas: 5 # five\n"},
		{"  cronSpec: x\n  'replica': 5\n", "Change to 'replicas'", "  cronSpec: x\n  'replicas': 5\n"},
		{"  cronSpec: x\n  policy: Alow\n", "Change to Allow", "  cronSpec: x\n  policy: Allow\n"},
		{"  cronSpec: 5 # é\n", `Change to "5"`, "  cronSpec: \"5\" # é\n"},
		{"  cronSpec: yes\n", `Change to "yes"`, "  cronSpec: \"yes\"\n"},
		{"  cronSpec: x\n  replicas: \"5\"\n", "Change to 5", "  cronSpec: x\n  replicas: 5\n"},
		{"  cronSpec: x\n  suspend: 'true'\n", "Change to true", "  cronSpec: x\n  suspend: true\n"},
		{"  cronSpec: x\n  memory: 128MB\n", `Change to "128Mi"`, "  cronSpec: x\n  memory: \"128Mi\"\n"},
		{"  cronSpec: x\n  # why\n  colour: {a: 1,\n    b: 2}\n", "Remove spec.colour", "  cronSpec: x\n"},
		{"  replicas: 1 # one\n\n# the end\n", "Add cronSpec", "  replicas: 1 # one\n  cronSpec: \n\n# the end\n"},
		{"  cronSpec: x\n  replicas: 50\n", "Ignore object/invalid here", "  cronSpec: x\n  replicas: 50 # prune-gen:ignore object/invalid\n"},
		{"  cronSpec: x\n  colour: \"a\n    b\"\n", "Ignore object/unknown-field here", "  cronSpec: x\n  # prune-gen:ignore object/unknown-field\n  colour: \"a\n    b\"\n"},
		{"  cronSpec: x\n  colour: red\n  replica: 5\n", "Remove what the API server would drop", "  cronSpec: x\n"},
	} {
		name, text := fmt.Sprintf("%d.yaml", i), head+"spec:\n"+test.spec
		c.open(name, text)
		found := c.diagnostics(name, 1, some)
		at := found[len(found)-1].Range
		have := c.act(name, text, test.title, lsp.Range{Start: at.Start, End: at.Start})
		if want := head + "spec:\n" + test.want; have != want {
			t.Errorf("%s of\n%s\nmakes\n%s\nwant\n%s", test.title, text, have, want)
		}
		c.change(name, 2, nil, have)
		if left := c.diagnostics(name, 2, any1); test.title != "Add cronSpec" && len(left) > 0 {
			t.Errorf("%s of\n%s\nleaves %s", test.title, text, said(left))
		}
	}
}

func TestFieldsAreCompletedAndExplained(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": crd})
	c.open("a.yaml", head+"spec:\n  cronSpec: x\n  re\n")
	var list lsp.CompletionList
	at := map[string]any{"textDocument": map[string]any{"uri": c.uri("a.yaml")}, "position": lsp.Position{Line: 5, Character: 4}}
	c.call("textDocument/completion", at, &list)
	if len(list.Items) != 1 || list.Items[0].Label != "replicas" || list.Items[0].Edit.Range.Start != (lsp.Position{Line: 5, Character: 2}) {
		t.Errorf("%+v", list)
	}
	at["position"] = lsp.Position{Line: 4, Character: 5}
	var hover lsp.Hover
	c.call("textDocument/hover", at, &hover)
	if hover.Contents == nil || !strings.Contains(hover.Contents.Value, "When it runs.") || hover.Range.End != (lsp.Position{Line: 4, Character: 10}) {
		t.Errorf("%+v", hover)
	}
	var place lsp.Location
	c.call("textDocument/definition", at, &place)
	if place.URI != c.uri("crds/crontab.yaml") || place.Range.Start != (lsp.Position{Line: 19, Character: 14}) {
		t.Errorf("%+v", place)
	}
}

func TestSuitesRunWhenTheyAreSaved(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": crd})
	const suite = "name: a\ncrdName: crontabs.stable.example.com\ntests:\n  onCreate:\n  - name: refuses\n    initial: |\n      apiVersion: stable.example.com/v1\n      kind: CronTab\n      metadata: {name: a}\n      spec: {cronSpec: x}\n    expectedError: %s\n"
	c.open("suite.yaml", fmt.Sprintf(suite, "something"))
	c.diagnostics("suite.yaml", 1, func(d []lsp.Diagnostic) bool {
		return len(d) == 1 && d[0].Code == "test/failed" && d[0].Range.Start.Line == 10
	})
}

func TestConfigurationCounts(t *testing.T) {
	c := start(t, map[string]string{"elsewhere/crontab.yaml": crd, "prune-gen.yaml": "crds: [elsewhere]\nexclude: [elsewhere]\n"})
	c.open("a.yaml", head+"spec: {cronSpec: x, b: 1, replicas: 50}\n")
	c.diagnostics("a.yaml", 1, none) // the directory is excluded
	c.write("prune-gen.yaml", "crds: [elsewhere]\ndisable: [{id: object/invalid, reason: none}]\n")
	c.diagnostics("a.yaml", 1, func(d []lsp.Diagnostic) bool { return len(d) == 1 && d[0].Code == "object/unknown-field" })
	c.write("prune-gen.yaml", "crds: [elsewhere]\ndisabled: []\n")
	c.diagnostics("prune-gen.yaml", 0, func(d []lsp.Diagnostic) bool { return len(d) == 1 && d[0].Range.Start.Line == 1 })
	c.write("prune-gen.yaml", "crds: [elsewhere, nowhere]\n")
	c.diagnostics("prune-gen.yaml", 0, func(d []lsp.Diagnostic) bool { return len(d) == 1 && d[0].Range.Start == lsp.Position{Character: 18} })
	c.write("prune-gen.yaml", "crds: [elsewhere]\n")
	c.diagnostics("prune-gen.yaml", 0, none)
	c.diagnostics("a.yaml", 1, func(d []lsp.Diagnostic) bool { return len(d) == 2 })
}

// Repositories have copies of their CRDs. The one that is configured or open counts, or else the first one.
func TestCopiesOfCRDs(t *testing.T) {
	other := strings.Replace(crd, "maximum: 10", "maximum: 100", 1)
	c := start(t, map[string]string{"a/crontab.yaml": crd, "b/crontab.yaml": other, "c/crontab.yaml": crd})
	c.open("m.yaml", head+"spec: {cronSpec: x, replicas: 50}\n")
	c.diagnostics("m.yaml", 1, some)
	c.open("b/crontab.yaml", other)
	c.diagnostics("m.yaml", 1, none)
	c.open("a/crontab.yaml", crd) // the first one again
	c.diagnostics("m.yaml", 1, some)
	c.diagnostics("b/crontab.yaml", 1, func(d []lsp.Diagnostic) bool { return len(d) == 1 && strings.Contains(d[0].Message, "a/crontab.yaml") })
	c.open("c/crontab.yaml", crd)
	c.diagnostics("c/crontab.yaml", 1, none)
}

// A note on a CRD names the file that counts, which is the first one with a CRD of its group and its kind, if that says something else.
func TestCopiesAreOfOneKind(t *testing.T) {
	files, first, want := map[string]string{}, map[string]string{}, map[string]string{}
	for i, maximum := range []string{"10", "9", "10"} {
		for _, group := range []string{"stable", "other"} {
			for _, kind := range []string{"CronTab", "Nightly"} {
				name := fmt.Sprintf("%d-%s-%s.yaml", i, group, kind)
				files[name] = strings.NewReplacer("CronTab", kind, "crontab", strings.ToLower(kind), "stable.", group+".", "maximum: 10", "maximum: "+maximum).Replace(crd)
				id := group + kind
				if first[id] == "" {
					first[id] = name
				} else if files[first[id]] != files[name] {
					want[name] = fmt.Sprintf("%s, which defines %ss.%s.example.com differently", first[id], strings.ToLower(kind), group)
				}
			}
		}
	}
	c := start(t, files)
	for name, text := range files {
		c.open(name, text)
	}
	for name := range files {
		c.diagnostics(name, 1, func(d []lsp.Diagnostic) bool {
			return want[name] == "" && len(d) == 0 || len(d) == 1 && want[name] != "" && strings.HasPrefix(d[0].Message, "manifests are validated with ") && strings.HasSuffix(d[0].Message, want[name])
		})
	}
}

// Positions of both encodings are those of the text, whatever is in it.
func TestPositionsAreThoseOfTheText(t *testing.T) {
	const text = "a😀b\r\né\rx\n\n😀"
	of := lsp.NewText([]byte(text))
	for offset := range text {
		if text[offset]&0xc0 == 0x80 || text[offset] == '\n' && offset > 0 && text[offset-1] == '\r' {
			continue
		}
		if back := of.Offset(of.Position(offset)); back != offset {
			t.Errorf("%d is at %+v, which is %d", offset, of.Position(offset), back)
		}
	}
	for _, test := range []struct {
		at   lsp.Position
		want int
	}{{lsp.Position{Line: 0, Character: 3}, 5}, {lsp.Position{Line: 0, Character: 2}, 1}, {lsp.Position{Line: 0, Character: 99}, 6}, {lsp.Position{Line: 1, Character: 1}, 10},
		{lsp.Position{Line: 2, Character: 1}, 12}, {lsp.Position{Line: 9, Character: 1}, len(text)}, {lsp.Position{Line: -1, Character: 1}, 0}, {lsp.Position{Line: 4, Character: 2}, len(text)}} {
		if have := of.Offset(test.at); have != test.want {
			t.Errorf("%+v is at %d, want %d", test.at, have, test.want)
		}
	}
}

// What is inserted depends on what a client can do: only some indent the lines of a snippet as they are.
func TestCompletionsAreForTheClient(t *testing.T) {
	const snippets, asIs = `"snippetSupport":true`, `"insertTextModeSupport":{"valueSet":[1,2]}`
	for capabilities, want := range map[string]string{
		"": "1 spec:", snippets: "1 spec:\n  cronSpec: \"\"", snippets + "," + asIs: "2 spec:\n  cronSpec: ${1:\"\"}", asIs: "1 spec:",
	} {
		t.Run(capabilities, func(t *testing.T) {
			c := startWith(t, `{"completion":{"completionItem":{`+capabilities+`}}}`, map[string]string{"crds/crontab.yaml": strings.Replace(crd, "        type: object\n", "        type: object\n        required: [spec]\n", 1)})
			c.open("a.yaml", head+"sp")
			var list lsp.CompletionList
			c.call("textDocument/completion", lsp.DocumentPosition{Document: lsp.DocumentID{URI: c.uri("a.yaml")}, Position: lsp.Position{Line: 3, Character: 2}}, &list)
			if have := fmt.Sprint(list.Items[0].Format, " ", list.Items[0].Edit.Text); have != want {
				t.Errorf("%q, want %q", have, want)
			}
		})
	}
}

// Editors send changes, not whole texts: the protocol calls that 2.
func TestTextsAreSentInChanges(t *testing.T) {
	c := start(t, nil)
	if sync := fmt.Sprint(c.server.Capabilities["textDocumentSync"]); sync != "map[change:2 openClose:true save:map[]]" {
		t.Error(sync)
	}
}
