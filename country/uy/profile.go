package uy

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"folio/country"
)

// The members of the fiscal profile that only Uruguay knows. The fiscal address is the
// profile's own.
const (
	FieldBranchCode = "branch_code" // CdgDGISucur: the number that DGI gave the branch
	FieldCity       = "city"        // Ciudad
	FieldDepartment = "department"  // Departamento, by its Spanish name
	FieldTradeName  = "trade_name"  // NomComercial
	FieldGiro       = "giro"        // GiroEmis: the line of business
	FieldEmail      = "email"       // CorreoEmisor
	FieldResolution = "resolution"  // printed: "4055/2024" of "Res. NN/año", or the date of entry into the regime
	FieldIVAAlDia   = "iva_al_dia"  // "false": the company lacks DGI's certificate (IVAalDia 1, CFE25 A-C17)

	// FieldAllTickets "true": DGI gets each e-Ticket by itself, whatever its amount. Resolución
	// DGI 1315/2023, since 2023-09-01, wants it of restaurants, grills, rotisseries, tea rooms,
	// bars, catering and the organisation of congresses; whether others came later is unverified.
	FieldAllTickets = "send_all_tickets"
	// FieldVerification is where the company lets e-Tickets and their notes be verified
	// (CFE25, printed copy); without it DGI's address is printed, which is unverified for them.
	FieldVerification = "verification_url"
	// FieldRegime says that DGI gives the company special CAEs (CAEEspecial): see regimes.
	FieldRegime = "special_regime"
	// FieldExemptionNorm is the norm that exempts a company of the regime exempt, as it is printed.
	FieldExemptionNorm = "exemption_norm"
)

// profileFields: the resolution is required because the printed form must show it.
var profileFields = []country.ProfileField{
	{Name: FieldBranchCode, Required: true, Check: checkBranchCode},
	{Name: FieldCity, Required: true, Check: country.UpTo(maxPlace)},
	{Name: FieldDepartment, Required: true, Check: checkDepartment},
	{Name: FieldResolution, Required: true, Check: checkResolution},
	{Name: FieldTradeName, Check: country.UpTo(30)},
	{Name: FieldGiro, Check: country.UpTo(100)},
	{Name: FieldEmail, Check: country.UpTo(80)},
	{Name: FieldIVAAlDia, Check: checkIVAAlDia},
	{Name: FieldAllTickets, Check: checkAllTickets},
	{Name: FieldVerification, Check: checkVerification},
	{Name: FieldRegime, Check: checkRegime},
	{Name: FieldExemptionNorm, Check: country.UpTo(60)},
}

// ProfileFields are what the CFE and the printed form need to know about a Uruguayan
// company.
func (Rules) ProfileFields() []country.ProfileField { return slices.Clone(profileFields) }

// Branches: the number is CdgDGISucur, of at most four digits, which DGI gave the branch
// (CFE25 A-C47); address, city and department are those of it (A-C48 to A-C50).
func (Rules) Branches() country.Branches {
	return country.Branches{Max: 9999, CodeField: FieldBranchCode,
		Fields: country.FieldsNamed(profileFields, FieldCity, FieldDepartment)}
}

// Missing names the address and the required fields that the company has not given, and
// the norm of an exempt one, which must be printed.
func (Rules) Missing(issuer country.Issuer) []string {
	missing := country.MissingFields(profileFields, issuer)
	if issuer.Fields[FieldRegime] == regimeExempt && country.Blank(issuer.Fields[FieldExemptionNorm]) {
		missing = append(missing, FieldExemptionNorm)
	}
	return missing
}

func checkBranchCode(v string) error {
	if !country.AllDigits(v) || len(v) > 4 || strings.Trim(v, "0") == "" {
		return errors.New("it must be the branch's number at DGI, 1 to 4 digits")
	}
	return nil
}

func checkDepartment(v string) error {
	if _, ok := Department(v); !ok {
		return fmt.Errorf("it must be one of %s", country.Codes(departments))
	}
	return nil
}

var resolutionForm = regexp.MustCompile(`^[0-9]{1,5}/[0-9]{4}$`)

func checkResolution(v string) error {
	if _, err := time.Parse(time.DateOnly, v); err != nil && !resolutionForm.MatchString(v) {
		return errors.New("it must be the resolution that made the company an electronic issuer, as 4055/2024, or the day " +
			"of its entry, as YYYY-MM-DD")
	}
	return nil
}

func checkIVAAlDia(v string) error {
	if v != "true" && v != "false" {
		return errors.New("it must be true, or false for a company without DGI's certificate of being up to date with IVA")
	}
	return nil
}

func checkAllTickets(v string) error {
	if v != "true" && v != "false" {
		return errors.New("it must be true for a company that must send DGI every e-Ticket (Res. DGI 1315/2023), or false")
	}
	return nil
}

var verificationForm = regexp.MustCompile(`^(https?://)?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+(/[!-~]*)?$`)

func checkVerification(v string) error {
	if len(v) > 80 || !verificationForm.MatchString(v) {
		return errors.New("it must be the address of a page, as www.example.com/verificar, of at most 80 characters")
	}
	return nil
}

func checkRegime(v string) error {
	if _, ok := findRegime(v); !ok {
		return fmt.Errorf("it must be one of %s, or left out", regimeNames())
	}
	return nil
}
