package cl

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"folio/country"
)

// The members of the fiscal profile that only Chile knows.
const (
	FieldGiro             = "giro"              // GiroEmis: the line of business
	FieldActeco           = "acteco"            // codes of economic activity, up to four, with commas between
	FieldComuna           = "comuna"            // CmnaOrigen
	FieldCity             = "city"              // CiudadOrigen
	FieldResolutionNumber = "resolution_number" // NroResol; 0 in certification
	FieldResolutionDate   = "resolution_date"   // FchResol, YYYY-MM-DD
	FieldSIIOffice        = "sii_office"        // printed under the red box: SANTIAGO CENTRO
	FieldBranch           = "branch"            // Sucursal
	FieldBranchCode       = "branch_code"       // CdgSIISucur, given out by SII
	FieldEmail            = "email"             // CorreoEmisor
	FieldSenderRUT        = "sender_rut"        // RutEnvia, where the certificate has none
	FieldSoftwareRUT      = "software_rut"      // RUTProvSW of boletas: the RUT of who made the software
	FieldReceiptStamp     = "receipt_stamp"     // "false": the stamp is not printed on boletas
	FieldTimeZone         = "time_zone"         // of the fiscal day; by region when left out
)

var profileFields = []country.ProfileField{
	{Name: FieldGiro, Required: true, Check: upTo(80)},
	{Name: FieldActeco, Required: true, Check: checkActeco},
	{Name: FieldComuna, Required: true, Check: upTo(20)},
	{Name: FieldCity, Check: upTo(20)},
	{Name: FieldResolutionNumber, Required: true, Check: number(6)},
	{Name: FieldResolutionDate, Required: true, Check: checkDay},
	{Name: FieldSIIOffice, Required: true, Check: upTo(40)},
	{Name: FieldBranch, Check: upTo(20)},
	{Name: FieldBranchCode, Check: number(9)},
	{Name: FieldEmail, Check: upTo(80)},
	{Name: FieldSenderRUT, Check: func(v string) error { _, err := ParseRUT(v); return err }},
	{Name: FieldSoftwareRUT, Check: func(v string) error { _, err := ParseRUT(v); return err }},
	{Name: FieldReceiptStamp, Check: oneOf("true", "false")},
	{Name: FieldTimeZone, Check: oneOf(santiago, coyhaique, puntaArenas)},
}

// ProfileFields are what the DTE and the printed form need to know about a Chilean
// company.
func (Rules) ProfileFields() []country.ProfileField { return slices.Clone(profileFields) }

// Branches: the number is CdgSIISucur, of at most nine digits, which SII gave the branch.
// The printed form tells the head office beside it.
func (Rules) Branches() country.Branches {
	return country.Branches{Max: 999_999_999, CodeField: FieldBranchCode,
		Fields: country.FieldsNamed(profileFields, FieldComuna, FieldCity, FieldBranch),
		Place:  []string{FieldComuna, FieldCity}}
}

// Missing names the address and the required fields that the company has not given.
func (Rules) Missing(issuer country.Issuer) []string {
	return country.MissingFields(profileFields, issuer)
}

// upTo is country.UpTo for what SII is told.
func upTo(limit int) func(string) error {
	return func(v string) error {
		if r, bad := foreignTo(Written(v)); bad {
			return fmt.Errorf("%q cannot be written in ISO-8859-1, as SII's documents are", r)
		}
		return country.UpTo(limit)(v)
	}
}

func oneOf(values ...string) func(string) error {
	return func(v string) error {
		if !slices.Contains(values, v) {
			return fmt.Errorf("it must be one of %s", strings.Join(values, ", "))
		}
		return nil
	}
}

func number(digits int) func(string) error {
	return func(v string) error {
		if !country.AllDigits(v) || len(v) > digits {
			return fmt.Errorf("it must be a number of at most %d digits", digits)
		}
		return nil
	}
}

func checkDay(v string) error {
	if _, err := time.Parse(time.DateOnly, v); err != nil {
		return errors.New("it must be a date as YYYY-MM-DD")
	}
	return nil
}

func checkActeco(v string) error {
	if list := Actecos(v); len(list) < 1 || len(list) > 4 || slices.Contains(list, 0) {
		return errors.New("it must be one to four codes of six digits with commas between, such as 620100,620200")
	}
	return nil
}

// Actecos are the codes of economic activity of the profile's field; 0 stands for what
// is none.
func Actecos(field string) []int {
	var list []int
	for code := range strings.FieldsFuncSeq(field, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(code)
		if err != nil || !country.AllDigits(code) || n > 999_999 {
			n = 0
		}
		list = append(list, n)
	}
	return list
}
