package structural

// KeywordsOf is for tests that set every keyword of a part of a structural schema.
var KeywordsOf = keywordsOf
