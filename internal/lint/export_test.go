package lint

// What tests look at.
var Aggregate = aggregate

const MaxLosses = maxLosses
