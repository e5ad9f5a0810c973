// Package page tests the pages that prune-gen explain writes, in a browser, as people open them: from disk, without a network.
package page
