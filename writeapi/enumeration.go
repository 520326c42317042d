package writeapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"folio/commands/company"
	"folio/commands/numbering"
	"folio/commands/taxpayer"
	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/resource"
	"folio/strict"
)

// ranged are the rules of a country whose numbers come from files, or the fault that
// says where they come from instead.
func ranged(rules country.Rules) (country.Ranged, error) {
	if r, ok := rules.(country.Ranged); ok {
		return r, nil
	}
	return nil, fault.New(fault.Conflict, "NUMBERING_BY_AUTHORITY", fmt.Sprintf(
		"In %s there is no numbering file: the authority's last number is the truth, and numbers follow it by themselves.",
		rules.Code()))
}

// uploadEnumeration takes a numbering file. The type inside it decides; the form's
// id_document_type must be the same.
func (a api) uploadEnumeration(w http.ResponseWriter, r *http.Request) error {
	s, rules, err := a.company(r.Context())
	if err != nil {
		return err
	}
	files, err := ranged(rules)
	if err != nil {
		return err
	}
	form, err := httpapi.ReadForm(w, r, httpapi.MaxEnumeration+httpapi.FormOverhead)
	if err != nil {
		return err
	}
	typed := form.Text("id_document_type", strict.Required, strict.MaxLen(6))
	file := form.File("file", strict.Required)
	if len(file.Data) > httpapi.MaxEnumeration {
		form.Fail("file", "TOO_LARGE", "A numbering file may have 64 KiB.")
	}
	if err := form.Done(); err != nil {
		return err
	}
	u := upload{company: s, content: file.Data,
		today: httpapi.Started(r.Context()).In(country.ZoneOf(rules, s.Issuer())).Format(time.DateOnly)}
	if err := a.work(r.Context(), foreignFileMemory, func() (err error) {
		u.RangeFile, err = files.ParseRange(file.Data, a.Trust)
		return err
	}); err != nil {
		return err
	}
	u.kind, _ = country.TypeOf(rules, u.OfficialCode)
	u.lastDay = files.LastDay(u.RangeFile)
	u.check(form, rules, typed)
	if err := form.Done(); err != nil {
		return err
	}
	return a.recordRange(w, r, u)
}

// upload is a numbering file on its way.
type upload struct {
	company company.State
	country.RangeFile
	content []byte
	kind    country.DocumentType // none when the rules do not know it
	lastDay string               // on which its numbers may be used, empty for no end
	today   string
}

func (u upload) check(form *strict.Form, rules country.Rules, typed string) {
	s, f, kind := u.company, u.RangeFile, u.kind
	switch id, err := strconv.Atoi(typed); {
	case kind.ID == 0:
		form.Fail("file", "UNKNOWN_DOCUMENT_TYPE", fmt.Sprintf("The file is for document type %d, which cannot be issued "+
			"here: see GET /api/document-types.", f.OfficialCode))
	case err != nil || id != kind.ID:
		form.Fail("id_document_type", "OTHER_DOCUMENT_TYPE",
			fmt.Sprintf("The file is for %s: its id_document_type is %d.", kind.Name, kind.ID))
	}
	if f.TaxIdentifier != s.TaxIdentifier {
		form.Fail("file", "OTHER_COMPANY", fmt.Sprintf("The file belongs to %s, not to this company's %s %s.",
			f.TaxIdentifier, rules.IdentifierName(), s.TaxIdentifier))
	}
	if own := s.Environment(); own != "" && f.Environment != "" && f.Environment != own {
		form.Fail("file", "OTHER_ENVIRONMENT", fmt.Sprintf(
			"The authority gave the file out for %s, and this company's newest certificate is of %s.", f.Environment, own))
	}
	for _, member := range slices.Sorted(maps.Keys(f.Profile)) {
		if want, has := f.Profile[member], s.Profile.Fields[member]; want != has {
			form.Fail("file", "OTHER_PROFILE", fmt.Sprintf(
				"The file is for a company whose fiscal profile has %s, and this company's has %s: correct the profile with "+
					"PUT /api/companies/{id_company}/fiscal-profile, or ask the authority for the right file.", stated(member, want),
				stated(member, has)))
		}
	}
	if f.IssuedOn > u.today {
		form.Fail("file", "RANGE_ISSUED_LATER",
			"The file says that the authority gave it out on "+f.IssuedOn+", which is still to come.")
	}
	if last := u.lastDay; last != "" && u.today > last {
		form.Fail("file", "RANGE_EXPIRED", "The range could be used until "+last+": ask the authority for a new one.")
	}
}

func stated(member, value string) string {
	if value == "" {
		return "no " + member
	}
	return member + " " + value
}

// environment is that whose numbers the range holds: that of the company's newest
// certificate, or, before there is one, what the file says.
func (u upload) environment() string {
	return cmp.Or(u.company.Environment(), u.Environment, "Production")
}

// fact is the upload to record.
func (u upload) fact(id string) events.NumberingRangeUploaded {
	return events.NumberingRangeUploaded{
		Range: id, Company: u.company.Company, Environment: u.environment(), DocumentType: u.kind.ID,
		OfficialCode: u.kind.Code, Series: u.Series, From: u.From, To: u.To, IssuedOn: u.IssuedOn, ExpiresOn: u.lastDay,
		Authority: u.Authorization, Fingerprint: sha256Hex(u.content),
		Secret: "company/" + u.company.Company + "/range/" + id,
	}
}

func (a api) recordRange(w http.ResponseWriter, r *http.Request, u upload) error {
	e := u.fact(newID(r))
	series := numbering.Series{Company: e.Company, Environment: e.Environment, OfficialCode: e.OfficialCode}
	command := numbering.UploadRange{Range: e, Most: a.Holdings.MaxRanges, Day: u.today}
	if known, again, err := a.claimRange(r, u.company, series, command); err != nil {
		return err
	} else if again {
		if known.Fingerprint == e.Fingerprint { // sealed anew where it was: a vault that lost it has it again
			if err := a.Vault.Seal(r.Context(), known.Secret, u.content); err != nil {
				return err
			}
		}
		return httpapi.JSON(w, http.StatusOK, rangeRecord(known, u.kind, u.today))
	}
	if err := a.Vault.Seal(r.Context(), e.Secret, u.content); err != nil {
		return err
	}
	out, err := a.log.Numbering.Execute(r.Context(), series.ID(), command, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "enumerations", out.Position)
	status := http.StatusCreated
	if len(out.Events) == 0 { // the same file was uploaded at the same time
		status = http.StatusOK
	}
	if known, ok := out.State.Uploaded(e); ok {
		return httpapi.JSON(w, status, rangeRecord(known, u.kind, u.today))
	}
	return errors.New("the uploaded range is not in its series")
}

// claimRange takes the numbers for this company among those with its tax identifier. What
// the company's own series would refuse claims nothing; a file that was uploaded before is
// the range that it became.
func (a api) claimRange(r *http.Request, s company.State, series numbering.Series,
	upload numbering.UploadRange) (known numbering.Range, again bool, err error) {
	e := upload.Range
	state, _, err := a.log.Numbering.Load(r.Context(), series.ID())
	if err != nil {
		return known, false, err
	}
	if known, again = state.Uploaded(e); again {
		return known, true, nil
	}
	if _, err := numbering.Decider.Decide(upload, state); err != nil {
		return known, false, err
	}
	claim := events.NumberingRangeClaimed{Company: e.Company, Environment: e.Environment, OfficialCode: e.OfficialCode,
		Series: e.Series, From: e.From, To: e.To}
	_, err = a.log.Taxpayers.Execute(r.Context(), taxpayer.ID(s.Country, s.TaxIdentifier),
		taxpayer.Claim{Claim: claim}, step(r, "claim"))
	return known, false, err
}

func rangeRecord(r numbering.Range, kind country.DocumentType, today string) resource.Enumeration {
	record := resource.Enumeration{ID: r.Range, Enumeration: r.Range, DocumentType: kind.ID, Name: kind.Name,
		Environment: r.Environment, Series: pointer(r.Series), From: r.From, To: r.To, ExpiresOn: pointer(r.ExpiresOn)}
	return record.Range(r.Next, today)
}

// configureEnumeration sets the first number to use, once per document type.
func (a api) configureEnumeration(w http.ResponseWriter, r *http.Request) error {
	s, rules, err := a.company(r.Context())
	if err != nil {
		return err
	}
	if _, err := ranged(rules); err != nil {
		return err
	}
	id, err := httpapi.PathID(r, "id_enumeration")
	if err != nil {
		return numbering.ErrNoRange
	}
	id = strings.ToUpper(id)
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	o := body.Object()
	from := readStart(o)
	if err := o.Done(); err != nil {
		return err
	}
	series, err := a.seriesOfRange(r.Context(), s, id)
	if err != nil {
		return err
	}
	out, err := a.log.Numbering.Execute(r.Context(), series.ID(),
		numbering.ConfigureStart{Range: id, From: from}, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "numbering", out.Position)
	known, ok := out.State.Range(id)
	if !ok {
		return numbering.ErrNoRange
	}
	kind, _ := country.TypeOf(rules, series.OfficialCode)
	today := httpapi.Started(r.Context()).In(country.ZoneOf(rules, s.Issuer())).Format(time.DateOnly)
	return httpapi.JSON(w, http.StatusOK, rangeRecord(known, kind, today))
}

func readStart(o strict.Object) int64 {
	return o.Int("enumeration_starts_from", strict.Required, strict.Between(1, 9_999_999_999))
}

// seriesOfRange is the series of an uploaded range of the company. One that no read model
// shows yet is of a series that the company has claimed numbers of.
func (a api) seriesOfRange(ctx context.Context, s company.State, id string) (numbering.Series, error) {
	shown, unknown := a.Index.FindRange(ctx, s.Company, id)
	if unknown == nil && shown != "" {
		return numbering.ParseSeries(shown)
	}
	claimed, _, err := a.log.Taxpayers.Load(ctx, taxpayer.ID(s.Country, s.TaxIdentifier))
	if err != nil {
		return numbering.Series{}, err
	}
	looked := map[numbering.Series]bool{}
	for _, c := range claimed.Claims {
		series := numbering.Series{Company: c.Company, Environment: c.Environment, OfficialCode: c.OfficialCode}
		if c.Company != s.Company || looked[series] {
			continue
		}
		looked[series] = true
		state, _, err := a.log.Numbering.Load(ctx, series.ID())
		if err != nil {
			return series, err
		}
		if _, ok := state.Range(id); ok {
			return series, nil
		}
	}
	return numbering.Series{}, cmp.Or(unknown, error(numbering.ErrNoRange))
}
