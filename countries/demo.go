package countries

// Demo is a country's company in the demonstration, with its bodies as an integrator would
// send them.
type Demo struct {
	Company map[string]any // POST /api/companies
	Profile map[string]any // PUT fiscal-profile
	Holder  string         // tax identifier of the certificate's holder
	Told    string         // what the demonstration says before its invoice
	Code    string         // what the authorization's code is
	// Numbers makes a numbering file of the sandbox in a folder, to be uploaded under a
	// document type; nil where the authority counts.
	Numbers func(sandboxDir string) (file []byte, documentType int, err error)
	// Body is the request of its invoice, dated on a day (YYYY-MM-DD).
	Body func(day string) ([]byte, error)
}
