package events

// CompanyRegistered: a company exists and belongs to the account that made it.
type CompanyRegistered struct {
	Fact                `json:"-"`
	Company             string `json:"company"` // ULID
	Account             string `json:"account"`
	Country             string `json:"country"` // ISO 3166-1 alpha-2
	LegalName           string `json:"legal_name"`
	TaxIdentifier       string `json:"tax_identifier"` // canonical, digits only in Argentina
	TaxIdentifierName   string `json:"tax_identifier_name"`
	StartActivitiesDate string `json:"start_activities_date,omitempty"` // YYYY-MM-DD
	Currency            int    `json:"currency"`                        // id of Folio's catalogue
}

var _ = define[CompanyRegistered]("company", "CompanyRegistered")

// CompanyMoved: the company belongs to another account from now on.
type CompanyMoved struct {
	Fact    `json:"-"`
	Account string `json:"account"` // ULID
}

var _ = define[CompanyMoved]("company", "CompanyMoved")

// AccessGranted: another account may do in this company what its role may. It replaces what the
// account was given before.
type AccessGranted struct {
	Fact    `json:"-"`
	Account string `json:"account"` // ULID
	Email   string `json:"email"`   // as it was then
	Role    string `json:"role"`    // issuer or auditor
}

var _ = define[AccessGranted]("company", "AccessGranted")

// AccessWithdrawn: the account has no business with this company any more.
type AccessWithdrawn struct {
	Fact    `json:"-"`
	Account string `json:"account"` // ULID
}

var _ = define[AccessWithdrawn]("company", "AccessWithdrawn")

// FiscalProfileSet: what the country's printed form and protocol need besides.
// It replaces the profile before it.
type FiscalProfileSet struct {
	Fact    `json:"-"`
	Profile FiscalProfile `json:"profile"`
}

var _ = define[FiscalProfileSet]("company", "FiscalProfileSet")

// FiscalProfile holds the members that every country shares and, in Fields, those
// that only one country knows, by name.
type FiscalProfile struct {
	Address           Address           `json:"address"`
	TaxCondition      string            `json:"tax_condition,omitempty"`
	GrossIncomeNumber string            `json:"gross_income_number,omitempty"`
	Fields            map[string]string `json:"fields,omitempty"`
}

// BranchSet: the company has an establishment of this number, which is as Branch says. It
// replaces what was said of the number before.
type BranchSet struct {
	Fact   `json:"-"`
	Number int    `json:"number"` // Argentina: the point of sale; elsewhere the authority's number of it
	Branch Branch `json:"branch"`
}

var _ = define[BranchSet]("company", "BranchSet")

// Branch is one establishment of a company.
type Branch struct {
	Address             Address           `json:"address"`
	StartActivitiesDate string            `json:"start_activities_date,omitempty"` // YYYY-MM-DD; empty: the company's
	Fields              map[string]string `json:"fields,omitempty"`                // the country's own, by name
}

// LogoUploaded: from now on documents carry this logo.
type LogoUploaded struct {
	Fact   `json:"-"`
	SHA256 string `json:"sha256"` // file of the vault, re-encoded
	Width  int    `json:"width"`  // pixels
	Height int    `json:"height"`
}

var _ = define[LogoUploaded]("company", "LogoUploaded")

// CertificateUploaded: the company may sign with this certificate. The key and its
// password are sealed in the vault under Secret; only the reference is here.
type CertificateUploaded struct {
	Fact          `json:"-"`
	Certificate   string `json:"certificate"` // ULID
	Environment   string `json:"environment"` // Production or Testing
	SerialNumber  string `json:"serial_number"`
	Subject       string `json:"subject"`
	Issuer        string `json:"issuer"`
	TaxIdentifier string `json:"tax_identifier,omitempty"` // of the certificate's subject
	ValidFrom     string `json:"valid_from"`               // RFC 3339, from the X.509
	ValidTo       string `json:"valid_to"`
	Fingerprint   string `json:"fingerprint"` // SHA-256 of the DER
	Secret        string `json:"secret"`      // reference into the vault
}

var _ = define[CertificateUploaded]("company", "CertificateUploaded")

// CertificateRemoved: the company signs with this certificate no more. Its key leaves the vault after this fact.
type CertificateRemoved struct {
	Fact        `json:"-"`
	Certificate string `json:"certificate"` // ULID
	Environment string `json:"environment"` // Production or Testing
	Secret      string `json:"secret"`      // where the vault kept its key
}

var _ = define[CertificateRemoved]("company", "CertificateRemoved")
