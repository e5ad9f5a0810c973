package measure

// jsonRows are the comparisons on JSON bytes. They have results where the functions were generated.
var jsonRows = []Row{
	{
		ID: "json-clean", State: Clean, Ours: generatedPruneJSON, Theirs: kubePruneJSON, Goal: TimesAsFast(80), Allocs: NoAllocs,
		Against: "decoding as the API server does, pruning.Prune, and encoding; compact documents, and room in dst",
	},
	{
		ID: "json-clean-indented", State: CleanIndented, Ours: generatedPruneJSON, Theirs: kubePruneJSON, Goal: TimesAsFast(60), Allocs: NoAllocs, NoPlot: true,
		Against: "decoding, pruning and encoding; documents as kubectl prints them",
	},
	{
		ID: "json-dirty", State: Dirty, Ours: generatedPruneJSON, Theirs: kubePruneJSON, Goal: TimesAsFast(50), Allocs: NoAllocs,
		Against: "decoding, pruning and encoding; compact documents with unknown fields",
	},
	{
		ID: "json-dirty-indented", State: DirtyIndented, Ours: generatedPruneJSON, Theirs: kubePruneJSON, Goal: TimesAsFast(40), Allocs: NoAllocs, NoPlot: true,
		Against: "decoding, pruning and encoding; indented documents with unknown fields",
	},
	{
		ID: "json-clean-rotating", State: CleanRotating, Ours: generatedPruneJSON, Theirs: kubePruneJSON, Goal: TimesAsFast(50), Allocs: NoAllocs, NoPlot: true,
		Against: "decoding, pruning and encoding; 64 different documents in turn, none of which the processor's branch prediction can learn",
	},
	{
		ID: "json-dirty-rotating", State: DirtyRotating, Ours: generatedPruneJSON, Theirs: kubePruneJSON, Goal: NoGoal(TimesAsFast(0)), Allocs: NoAllocs, NoPlot: true,
		Against: "decoding, pruning and encoding; 64 different documents in turn, with unknown fields",
	},
	validRow("json-clean-sonic", Clean, sonicValid, TimesAsFast(1.2)),
	validRow("json-clean-indented-sonic", CleanIndented, sonicValid, TimesAsFast(1.2)),
	validRow("json-dirty-sonic", Dirty, sonicValid, TimesAsFast(1.2)),
	validRow("json-dirty-indented-sonic", DirtyIndented, sonicValid, TimesAsFast(1.2)),
	validRow("json-clean-rotating-sonic", CleanRotating, sonicValid, TimesAsFast(1.2)),
	validRow("json-dirty-rotating-sonic", DirtyRotating, sonicValid, NoGoal(TimesAsFast(0))),
	validRow("json-clean-valid", Clean, standardValid, NoGoal(TimesAsFast(0))),
	validRow("json-clean-indented-valid", CleanIndented, standardValid, NoGoal(TimesAsFast(0))),
	validRow("json-dirty-valid", Dirty, standardValid, NoGoal(TimesAsFast(0))),
	validRow("json-dirty-indented-valid", DirtyIndented, standardValid, NoGoal(TimesAsFast(0))),
	{
		ID: "decode-clean", State: Clean, Ours: generatedDecodeJSON, Theirs: kubeDecodeJSON, Goal: TimesAsFast(5),
		Against: "decoding as the API server does, then pruning.Prune",
	},
	{
		ID: "decode-dirty", State: Dirty, Ours: generatedDecodeJSON, Theirs: kubeDecodeJSON, Goal: TimesAsFast(7),
		Against: "decoding, then pruning.Prune; documents with unknown fields",
	},
	{
		ID: "decode-clean-sonic", State: Clean, Ours: generatedDecodeJSON, Theirs: sonicUnmarshal, Goal: TimesAsFast(1.3),
		Against: "decoding into a map without pruning it",
	},
	{
		ID: "decode-dirty-sonic", State: Dirty, Ours: generatedDecodeJSON, Theirs: sonicUnmarshal, Goal: TimesAsFast(2.2),
		Against: "decoding into a map without pruning it; documents with unknown fields",
	},
}

// validRow compares pruning with a function that only says whether a document is valid.
func validRow(id string, state State, theirs *Contestant, goal Goal) Row {
	return Row{
		ID: id, State: state, Ours: generatedPruneJSON, Theirs: theirs, Goal: goal, NoPlot: state != Clean && state != Dirty,
		Against: "checking the syntax of the document and nothing else",
	}
}
