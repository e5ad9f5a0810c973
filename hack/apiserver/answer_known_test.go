package apiserver

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// knownDifferences are the differences between our answers and those of the server that are known and wanted.
var knownDifferences = []struct {
	name, reason string
	is           func(q *request, ours prunert.Answer, theirs *theirAnswer) bool
}{
	{
		"metadata-in-the-words-of-a-schema",
		"The server decodes metadata into a Go struct and passes on the first complaint of the decoder. We check metadata like everything " +
			"else, that of embedded resources too, and name every field that is wrong. Both refuse the same metadata with the same code.",
		func(_ *request, ours prunert.Answer, theirs *theirAnswer) bool {
			if ours.Refusal == nil || ours.Refusal.Code != http.StatusBadRequest || theirs.Code != http.StatusBadRequest {
				return false
			}
			const handled = " cannot be handled as a "
			head, why, ok := strings.Cut(ours.Refusal.Message, handled)
			return ok && strings.HasPrefix(theirs.status.Message, head+handled) && !strings.Contains(theirs.status.Message, "strict decoding error") &&
				(strings.Contains(why, "metadata") || strings.Contains(why, "must be a string"))
		},
	},
	{
		"fields-of-another-version",
		"An object of another version of the kind is refused. Before the server refuses it, it reports the fields that the schema of that " +
			"version does not specify, and a resource knows the schema of its own version only.",
		func(q *request, ours prunert.Answer, theirs *theirAnswer) bool {
			var meta metav1.TypeMeta
			if json.Unmarshal(q.body, &meta) != nil || ours.Refusal == nil || theirs.Code != ours.Refusal.Code {
				return false
			}
			group, _, _ := strings.Cut(q.apiVersion, "/")
			reports := strings.Contains(theirs.status.Message, "unknown field") || slices.ContainsFunc(theirs.Warnings, func(text string) bool {
				return strings.HasPrefix(text, "unknown field ")
			})
			return reports && strings.HasPrefix(meta.APIVersion, group+"/") && meta.APIVersion != q.apiVersion
		},
	},
	{
		"dry-run-shows-what-storage-clears",
		"Storage clears selfLink, which a dry run does not reach. We answer as without a dry run.",
		func(q *request, ours prunert.Answer, theirs *theirAnswer) bool {
			if !q.dryRun || theirs.object == nil || ours.Object == nil {
				return false
			}
			metadata, _ := theirs.object["metadata"].(map[string]any)
			return metadata["selfLink"] != nil
		},
	},
	{
		"dry-run-has-another-storage-key",
		"The message of a conflict of uids has the key of the object in storage, in a dry run without the prefix of all keys. We answer as " +
			"without a dry run.",
		func(q *request, ours prunert.Answer, theirs *theirAnswer) bool {
			return q.dryRun && ours.Refusal != nil && theirs.status != nil &&
				strings.Replace(ours.Refusal.Message, "Key: /registry/", "Key: /", 1) == theirs.status.Message
		},
	},
	{
		"what-conversion-loses",
		"An object of a version that is not stored is converted to the one that is, and loses what that does not specify. A resource knows " +
			"its own version only.",
		func(q *request, ours prunert.Answer, theirs *theirAnswer) bool {
			return !q.isStorage && ours.Object != nil && theirs.object != nil && slices.Equal(asWarnings(ours.Warnings), theirs.Warnings)
		},
	},
	{
		"resources-in-an-object-of-another-kind",
		"An object of another kind is refused for that. The server also looks for resources where its own kind embeds them, and may find " +
			"something else there; of what it says about them we leave out apiVersion and kind.",
		func(_ *request, ours prunert.Answer, theirs *theirAnswer) bool {
			if ours.Refusal == nil || theirs.Code != http.StatusUnprocessableEntity || ours.Refusal.Code != theirs.Code {
				return false
			}
			return slices.ContainsFunc(ours.Refusal.Causes, func(c prunert.Cause) bool { return c.Field == "kind" }) &&
				len(theirs.status.Details.Causes) > len(ours.Refusal.Causes)
		},
	},
	{
		"a-time-that-nobody-reads",
		"A time that is in the year 10000 in UTC is written and cannot be read again. The server then complains about all of the metadata, " +
			"we about the field.",
		func(_ *request, ours prunert.Answer, theirs *theirAnswer) bool {
			return ours.Refusal != nil && theirs.Code == ours.Refusal.Code && strings.Contains(theirs.status.Message, `as "2006-01-02T15:04:05Z07:00"`)
		},
	},
}

// knownDifference returns the name of the known difference that explains one.
func knownDifference(q *request, ours prunert.Answer, theirs *theirAnswer) string {
	for _, k := range knownDifferences {
		if k.is(q, ours, theirs) {
			return k.name
		}
	}
	return ""
}
