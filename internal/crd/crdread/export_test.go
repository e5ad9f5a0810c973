package crdread

// What tests look at.
var (
	Suggested       = suggested
	DidYouMean      = didYouMean
	ForeignKeywords = foreignKeywords
)
