// Package generator turns CRDs into Go source. Lower decides everything and returns a Plan, and Plan.Emit prints it.
//
// A Feature is a function that is generated for a kind. The features, for the kind Job, are
//
//	prune        PruneJob             drop the fields that the schema does not specify, in metadata too
//	report       PruneJobReport       prune, and return the dropped paths, sorted
//	check        CheckJob             report values of the wrong type
//	normalize    NormalizeJob         do all that the API server does before it validates
//	default      DefaultJob           fill in defaults
//	fields       FieldsJob            list the fields that pruning keeps
//	json-prune   PruneJobJSON         append the pruned document to dst
//	json-report  PruneJobJSONReport   the same, and report what was dropped, and duplicate keys
//	json-stream  PruneJobStream       prune many documents, or lists of any length
//	json-decode  DecodeJobJSON        decode and prune in one pass
//	validate     ValidateJob          report what the schema does not allow
//	update       ValidateJobUpdate    the same for an update; errors in unchanged values are ignored
//	status       ValidateJobStatus    the same for an update of the status subresource
//	metadata     ValidateJobMetadata  report invalid values in metadata
//	rules        ValidateJobRules     evaluate CEL rules
//
// By default a kind gets prune, report, normalize, fields, validate, update, status, metadata, rules. The name json stands for the four
// functions on JSON, and all for every feature.
package generator
