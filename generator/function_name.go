package generator

// FunctionName returns the name of the function that f generates for a kind with the identifier ident. It is "" if there is no
// such feature.
func (f Feature) FunctionName(ident string) string {
	for _, row := range features {
		if row.name == f {
			return row.functionName(ident)
		}
	}
	return ""
}
