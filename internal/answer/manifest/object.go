// Package manifest says what the API server would drop, fill in, change, warn of and refuse in manifests, with the place of each in the
// text. A manifest is a file with objects as Kubernetes tools read and print them.
//
// Read finds the objects of a text, which is parsed once. Server.Answer asks the resource of an object, and maps what it says back
// to the text by the paths of its errors. The commands, the page and tests of fixtures print what they find in an Answer.
package manifest

import "github.com/prune-gen/prune-gen/internal/text/objects"

// Object is an object of a manifest.
type Object = objects.Object
