package measure

// jsonRows are the comparisons on JSON bytes. They have results where the functions were generated.
var jsonRows = []Row{
	{
		ID: "json-clean", State: Clean, Ours: generatedPruneJSON, Theirs: kubePruneJSON,
		Against: "decoding as the API server does, pruning.Prune, and encoding; compact documents, and room in dst",
	},
	{
		ID: "json-clean-indented", State: CleanIndented, Ours: generatedPruneJSON, Theirs: kubePruneJSON, NoPlot: true,
		Against: "decoding, pruning and encoding; documents as kubectl prints them",
	},
	{
		ID: "json-dirty", State: Dirty, Ours: generatedPruneJSON, Theirs: kubePruneJSON,
		Against: "decoding, pruning and encoding; compact documents with unknown fields",
	},
	{
		ID: "json-dirty-indented", State: DirtyIndented, Ours: generatedPruneJSON, Theirs: kubePruneJSON, NoPlot: true,
		Against: "decoding, pruning and encoding; indented documents with unknown fields",
	},
	{
		ID: "json-clean-rotating", State: CleanRotating, Ours: generatedPruneJSON, Theirs: kubePruneJSON, NoPlot: true,
		Against: "decoding, pruning and encoding; 64 different documents in turn, none of which the processor's branch prediction can learn",
	},
	{
		ID: "json-dirty-rotating", State: DirtyRotating, Ours: generatedPruneJSON, Theirs: kubePruneJSON, NoPlot: true,
		Against: "decoding, pruning and encoding; 64 different documents in turn, with unknown fields",
	},
	sonicRow("json-clean-sonic", Clean),
	sonicRow("json-clean-indented-sonic", CleanIndented),
	sonicRow("json-dirty-sonic", Dirty),
	sonicRow("json-dirty-indented-sonic", DirtyIndented),
	sonicRow("json-clean-rotating-sonic", CleanRotating),
	sonicRow("json-dirty-rotating-sonic", DirtyRotating),
	validRow("json-clean-valid", Clean),
	validRow("json-clean-indented-valid", CleanIndented),
	validRow("json-dirty-valid", Dirty),
	validRow("json-dirty-indented-valid", DirtyIndented),
	{
		ID: "decode-clean", State: Clean, Ours: generatedDecodeJSON, Theirs: kubeDecodeJSON,
		Against: "decoding as the API server does, then pruning.Prune",
	},
	{
		ID: "decode-dirty", State: Dirty, Ours: generatedDecodeJSON, Theirs: kubeDecodeJSON,
		Against: "decoding, then pruning.Prune; documents with unknown fields",
	},
	{
		ID: "decode-clean-sonic", State: Clean, Ours: generatedDecodeJSON, Theirs: sonicUnmarshal,
		Against: "decoding into a map without pruning it",
	},
	{
		ID: "decode-dirty-sonic", State: Dirty, Ours: generatedDecodeJSON, Theirs: sonicUnmarshal,
		Against: "decoding into a map without pruning it; documents with unknown fields",
	},
}

// sonicRow compares pruning with sonic.Valid.
func sonicRow(id string, state State) Row {
	return Row{
		ID: id, State: state, Ours: generatedPruneJSON, Theirs: sonicValid, NoPlot: state != Clean && state != Dirty,
		Against: "checking the syntax of the document, except for escapes and control characters in strings, and nothing else",
	}
}

// validRow compares pruning with json.Valid.
func validRow(id string, state State) Row {
	return Row{
		ID: id, State: state, Ours: generatedPruneJSON, Theirs: standardValid, NoPlot: state != Clean && state != Dirty,
		Against: "checking the syntax of the document and nothing else",
	}
}
