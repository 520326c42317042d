package events

// CertificateExpiryNoticed: the company was told that the certificate expires in so
// many days of its own time zone (60, 45, 30, 15, 5, 2 or 1).
type CertificateExpiryNoticed struct {
	Fact        `json:"-"`
	Company     string `json:"company"`
	Certificate string `json:"certificate"`
	Days        int    `json:"days"`
}

var _ = define[CertificateExpiryNoticed]("certificate", "CertificateExpiryNoticed")

// NumberingNoticed: the company was told that numbers run low (Notice 1 low, 2 at one,
// 3 at none) or that a range expires (Days before its last day: 7, 1, 0, -1).
type NumberingNoticed struct {
	Fact         `json:"-"`
	Kind         string `json:"kind"` // quantity or expiry
	Notice       int    `json:"notice,omitempty"`
	Days         int    `json:"days,omitempty"`
	Range        string `json:"range,omitempty"` // of an expiry; of quantity: the newest range
	Remaining    int64  `json:"remaining"`
	OfficialCode int    `json:"official_code"`
}

var _ = define[NumberingNoticed]("numbering", "NumberingNoticed")

// NumberingRangeUploaded: numbers From to To may be used until the end of ExpiresOn.
// The file itself, which may hold a private key, is sealed in the vault.
type NumberingRangeUploaded struct {
	Fact         `json:"-"`
	Range        string `json:"range"` // ULID, the id_enumeration
	Company      string `json:"company"`
	Environment  string `json:"environment"`
	DocumentType int    `json:"document_type"` // id of Folio's catalogue
	OfficialCode int    `json:"official_code"`
	Series       string `json:"series,omitempty"` // Uruguay: letter of the CAE
	From         int64  `json:"from"`
	To           int64  `json:"to"`
	IssuedOn     string `json:"issued_on,omitempty"`     // YYYY-MM-DD, of the authorisation
	ExpiresOn    string `json:"expires_on,omitempty"`    // YYYY-MM-DD, its last day; empty: never
	Authority    string `json:"authorization,omitempty"` // Uruguay: number of the CAE
	Fingerprint  string `json:"fingerprint"`             // SHA-256 of the file
	Secret       string `json:"secret"`                  // reference into the vault
}

var _ = define[NumberingRangeUploaded]("numbering", "NumberingRangeUploaded")

// NumberingRangeClaimed: these numbers of the taxpayer are this company's; recorded
// before NumberingRangeUploaded, since several companies may have one tax identifier.
type NumberingRangeClaimed struct {
	Fact         `json:"-"`
	Company      string `json:"company"`
	Environment  string `json:"environment"`
	OfficialCode int    `json:"official_code"`
	Series       string `json:"series,omitempty"` // Uruguay: letter of the CAE
	From         int64  `json:"from"`
	To           int64  `json:"to"`
}

var _ = define[NumberingRangeClaimed]("taxpayer", "NumberingRangeClaimed")

// ContingencyPointClaimed: this contingency point of sale of the taxpayer is this company's;
// recorded before ContingencyConfigured, and before a document is issued there, since several
// companies may have one tax identifier and the authority counts its numbers once for all of them.
type ContingencyPointClaimed struct {
	Fact        `json:"-"`
	Company     string `json:"company"`
	Environment string `json:"environment"`
	PointOfSale int    `json:"contingency_point_of_sale"`
}

var _ = define[ContingencyPointClaimed]("taxpayer", "ContingencyPointClaimed")

// NumberingStartConfigured: the first number to use, since the company invoiced with
// another system before. Once per document type.
type NumberingStartConfigured struct {
	Fact  `json:"-"`
	Range string `json:"range"`
	From  int64  `json:"from"`
}

var _ = define[NumberingStartConfigured]("numbering", "NumberingStartConfigured")

// NumberVoided: the number will never be a document: the authority refused it for
// good. Uruguay's daily report tells the authority so.
type NumberVoided struct {
	Fact    `json:"-"`
	Number  int64              `json:"number"`
	Series  string             `json:"series,omitempty"`
	Invoice string             `json:"invoice"`
	Reasons []AuthorityMessage `json:"reasons,omitempty"`
}

var _ = define[NumberVoided]("numbering", "NumberVoided")

// PurchaseReceived: a supplier's document arrived for the company. How far it was
// verified is said word by word; the document itself is a file of the vault.
type PurchaseReceived struct {
	Fact           `json:"-"`
	Purchase       string `json:"purchase"` // ULID
	Company        string `json:"company"`
	Country        string `json:"country"`
	OfficialCode   int    `json:"official_code"`
	BranchOffice   int    `json:"branch_office"`
	Series         string `json:"series,omitempty"`
	Number         int64  `json:"number"`
	Date           string `json:"date"` // YYYY-MM-DD
	Supplier       Party  `json:"supplier"`
	Currency       string `json:"currency"`
	Total          string `json:"total"` // decimal text
	Authorization  string `json:"authorization,omitempty"`
	Verification   string `json:"verification"`    // consistent, signature_valid, authority_confirmed, authority_refused
	Verified       string `json:"verified"`        // in words
	Source         string `json:"source"`          // json, qr or xml
	DocumentSHA256 string `json:"document_sha256"` // file of the vault
	// Taxes are what the supplier's signed XML says of them. Nil: nobody told of them, as a QR code
	// and typed fields have the total alone.
	Taxes *PurchaseTaxes `json:"taxes,omitempty"`
	// Messages and Calls are of the authority, when it was asked.
	Messages []AuthorityMessage `json:"messages,omitempty"`
	Calls    []Call             `json:"calls,omitempty"`
}

// PurchaseTaxes are the sums of a supplier's document, in its currency and without the sign of a
// credit note, as decimal text.
type PurchaseTaxes struct {
	Net    string `json:"net"`    // taxed with IVA, of all rates
	Exempt string `json:"exempt"` // without IVA: exempt, untaxed or exported
	Tax    string `json:"tax"`    // IVA, of all rates
}

func (e PurchaseReceived) exchanges() []Call { return e.Calls }

var _ = define[PurchaseReceived]("purchase", "PurchaseReceived")

// PurchaseCorrected: the document was sent again with other fields while nobody had vouched
// for those that were taken in. These stand from now on; what identifies the document is
// as it was.
type PurchaseCorrected struct {
	Fact           `json:"-"`
	Purchase       string             `json:"purchase"`
	Company        string             `json:"company"`
	Date           string             `json:"date"` // YYYY-MM-DD
	Supplier       Party              `json:"supplier"`
	Currency       string             `json:"currency"`
	Total          string             `json:"total"` // decimal text
	Authorization  string             `json:"authorization,omitempty"`
	Verification   string             `json:"verification"` // as in PurchaseReceived
	Verified       string             `json:"verified"`
	Source         string             `json:"source"`          // json, qr or xml
	DocumentSHA256 string             `json:"document_sha256"` // file of the vault
	Taxes          *PurchaseTaxes     `json:"taxes,omitempty"` // as in PurchaseReceived
	Messages       []AuthorityMessage `json:"messages,omitempty"`
	Calls          []Call             `json:"calls,omitempty"`
}

func (e PurchaseCorrected) exchanges() []Call { return e.Calls }

var _ = define[PurchaseCorrected]("purchase", "PurchaseCorrected")

// Apply makes the correction the record of the document.
func (e PurchaseCorrected) Apply(d *PurchaseReceived) {
	d.Date, d.Supplier, d.Currency, d.Total, d.Authorization = e.Date, e.Supplier, e.Currency, e.Total, e.Authorization
	d.Verification, d.Verified, d.Source, d.DocumentSHA256 = e.Verification, e.Verified, e.Source, e.DocumentSHA256
	d.Taxes, d.Messages, d.Calls = e.Taxes, e.Messages, e.Calls
}

// PurchaseVerified: the authority was asked again about a purchase, or its signed XML came
// later, and this is how far it is verified from now on.
type PurchaseVerified struct {
	Fact         `json:"-"`
	Purchase     string             `json:"purchase"`
	Company      string             `json:"company"`
	Verification string             `json:"verification"` // as in PurchaseReceived
	Verified     string             `json:"verified"`
	Taxes        *PurchaseTaxes     `json:"taxes,omitempty"` // nil: what was known of them stays
	Messages     []AuthorityMessage `json:"messages,omitempty"`
	Calls        []Call             `json:"calls,omitempty"`
}

func (e PurchaseVerified) exchanges() []Call { return e.Calls }

var _ = define[PurchaseVerified]("purchase", "PurchaseVerified")

// Apply makes the verdict the record of the document.
func (e PurchaseVerified) Apply(d *PurchaseReceived) {
	d.Verification, d.Verified, d.Messages, d.Calls = e.Verification, e.Verified, e.Messages, e.Calls
	if e.Taxes != nil {
		d.Taxes = e.Taxes
	}
}
