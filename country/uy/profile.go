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
}

// ProfileFields are what the CFE and the printed form need to know about a Uruguayan
// company.
func (Rules) ProfileFields() []country.ProfileField { return slices.Clone(profileFields) }

// Missing names the address and the required fields that the company has not given.
func (Rules) Missing(issuer country.Issuer) []string {
	return country.MissingFields(profileFields, issuer)
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
		return errors.New("it must be the resolution that made the company an electronic issuer, as 4055/2024, or the day of its entry, as YYYY-MM-DD")
	}
	return nil
}

func checkIVAAlDia(v string) error {
	if v != "true" && v != "false" {
		return errors.New("it must be true, or false for a company without DGI's certificate of being up to date with IVA")
	}
	return nil
}
