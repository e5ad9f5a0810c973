// Package lsp speaks the Language Server Protocol: messages, positions, and texts that a client edits. It knows nothing about Kubernetes.
package lsp

import "encoding/json"

// URI names a file, as in file:///dir/file.yaml.
type URI string

// Position is a place in a text. Character counts UTF-16 code units.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is a part of a text. End is not in it.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Location is a part of a file.
type Location struct {
	URI   URI   `json:"uri"`
	Range Range `json:"range"`
}

// DocumentID names a text that is open.
type DocumentID struct {
	URI     URI  `json:"uri"`
	Version *int `json:"version,omitempty"`
}

// DocumentPosition is a place in a text that is open.
type DocumentPosition struct {
	Document DocumentID `json:"textDocument"`
	Position Position   `json:"position"`
}

// InitializeParams are what a client says about itself.
type InitializeParams struct {
	RootURI      URI `json:"rootUri"`
	Capabilities struct {
		Workspace struct {
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
		TextDocument struct {
			Completion struct {
				CompletionItem struct {
					SnippetSupport        bool `json:"snippetSupport"`
					InsertTextModeSupport struct {
						ValueSet []int `json:"valueSet"`
					} `json:"insertTextModeSupport"`
				} `json:"completionItem"`
			} `json:"completion"`
		} `json:"textDocument"`
	} `json:"capabilities"`
	WorkspaceFolders []struct {
		URI URI `json:"uri"`
	} `json:"workspaceFolders"`
}

// DidOpenParams and DidChangeParams say what the client does with a text.
type (
	DidOpenParams struct {
		Document struct {
			URI     URI    `json:"uri"`
			Version *int   `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
	}
	DidChangeParams struct {
		Document DocumentID `json:"textDocument"`
		Changes  []Change   `json:"contentChanges"`
	}
)

// DocumentParams name a text.
type DocumentParams struct {
	Document DocumentID `json:"textDocument"`
}

// Change replaces a part of a text, or all of it if there is no range.
type Change struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

// Severity says how bad a diagnostic is.
type Severity int

const (
	Error Severity = iota + 1
	Warning
	Information
)

// Diagnostic is a finding in a text.
type Diagnostic struct {
	Range    Range     `json:"range"`
	Severity Severity  `json:"severity"`
	Code     string    `json:"code,omitempty"`
	Manual   *Manual   `json:"codeDescription,omitempty"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
	Related  []Related `json:"relatedInformation,omitempty"`
}

// Manual is a page about the code of a diagnostic.
type Manual struct {
	Href string `json:"href"`
}

// Related is another place that a diagnostic is about.
type Related struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// PublishDiagnosticsParams are all diagnostics of a text.
type PublishDiagnosticsParams struct {
	URI         URI          `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// CompletionList is what can be written at a place.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// CompletionItem is one of the things that can be written.
type CompletionItem struct {
	Label         string         `json:"label"`
	Kind          CompletionKind `json:"kind"`
	Tags          []int          `json:"tags,omitempty"`
	Detail        string         `json:"detail,omitempty"`
	Documentation *Markup        `json:"documentation,omitempty"`
	SortText      string         `json:"sortText"`
	FilterText    string         `json:"filterText,omitempty"`
	Format        int            `json:"insertTextFormat"` // PlainText or Snippet
	InsertMode    int            `json:"insertTextMode,omitempty"`
	Edit          TextEdit       `json:"textEdit"`
}

// CompletionKind chooses an icon.
type CompletionKind int

const (
	FieldItem  CompletionKind = 5
	KindItem   CompletionKind = 7
	EnumItem   CompletionKind = 20
	Deprecated                = 1 // a tag
	AsIs                      = 1 // an insertTextMode: the client leaves the indentation as it is
	PlainText                 = 1
	Snippet                   = 2
)

// Markup is a text in Markdown.
type Markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// Markdown returns a text as Markup.
func Markdown(text string) *Markup { return &Markup{"markdown", text} }

// Hover is what is shown about a part of a text.
type Hover struct {
	Contents *Markup `json:"contents"`
	Range    Range   `json:"range"`
}

// TextEdit replaces a part of a text.
type TextEdit struct {
	Range Range  `json:"range"`
	Text  string `json:"newText"`
}

// CodeActionParams ask for the actions at a place.
type CodeActionParams struct {
	Document DocumentID `json:"textDocument"`
	Range    Range      `json:"range"`
	Context  struct {
		Only []string `json:"only"`
	} `json:"context"`
}

// CodeAction is an edit with a name.
type CodeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []Diagnostic  `json:"diagnostics,omitempty"`
	Preferred   bool          `json:"isPreferred,omitempty"`
	Edit        WorkspaceEdit `json:"edit"`
}

// The kinds of actions.
const (
	QuickFix = "quickfix"
	Prune    = "source.prune" // not source.fixAll, which editors ask for whenever a text is saved
)

// WorkspaceEdit has the edits of each file.
type WorkspaceEdit struct {
	Changes map[URI][]TextEdit `json:"changes"`
}

// object is a JSON object of a message that has few fields.
type object = map[string]any

// null is a result that says nothing.
var null = json.RawMessage("null")
