package apidoc

// Code is an error code that the service can answer with.
type Code struct {
	Code string `json:"code"`
	// Fault says that the code can be that of a whole answer, its "message"; others stand in
	// "errors" only.
	Fault bool     `json:"fault,omitempty"`
	Kinds []string `json:"kinds,omitempty"` // of package fault, which map to statuses
	Says  []string `json:"says,omitempty"`  // the program's own words, with … for what is filled in
}
