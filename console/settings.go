package console

import (
	"bytes"
	"cmp"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
)

// settings has the fiscal profile, the certificates and the logo.
func (v *visit) settings() error { return v.showSettings(http.StatusOK) }

// coded is a row of one of the API's catalogues.
type coded struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// catalogue has the codes of the company's country.
func (v *visit) catalogue() (out map[string][]coded, err error) {
	return out, v.get(route("catalogues", v.here.Country), &out)
}

func choices(rows []coded, none string) (all []option) {
	if none != "" {
		all = append(all, option{Name: none})
	}
	for _, r := range rows {
		name := cmp.Or(r.Name, r.Code)
		all = append(all, option{Value: r.Code, Name: name})
	}
	return all
}

// member is one of the fiscal profile's own members of a country.
type member struct {
	Name, Value string
	Missing     bool
}

func (v *visit) showSettings(status int) error {
	codes, err := v.catalogue()
	if err != nil {
		return err
	}
	var certificates list[certificate]
	if err := v.get(route("companies", v.company, "certificates"), &certificates); err != nil {
		return err
	}
	missing := map[string]bool{}
	for _, s := range v.here.Steps {
		if name, ok := strings.CutPrefix(s.Code, "FISCAL_PROFILE_"); ok {
			missing[name] = true
		}
	}
	var own []member
	for _, f := range codes["profile_fields"] {
		own = append(own, member{f.Code, v.here.text(f.Code), missing[f.Code]})
	}
	v.render(status, "settings", "Settings", struct {
		Conditions   []option
		Members      []member
		Missing      map[string]bool
		Certificates []certificate
		Environments []option
		Profile      func(string) string
	}{choices(codes["tax_conditions"], "—"), own, missing, certificates.Data, environments, v.here.text})
	return nil
}

var environments = []option{{Value: "Production", Name: "Production"}, {Value: "Testing", Name: "Testing"}}

func (v *visit) saveProfile() error {
	if err := v.put(route("companies", v.company, "fiscal-profile"), v.body()); err != nil {
		return v.again(err, v.showSettings)
	}
	return v.done(v.within("settings"), "profile")
}

func (v *visit) uploadCertificate() error {
	err := v.upload(route("companies", v.company, "certificates"), "certificate",
		"from_date", "expiration_date", "password", "environment")
	if err != nil {
		return v.again(err, v.showSettings)
	}
	return v.done(v.within("settings"), "certificate")
}

func (v *visit) removeCertificate() error {
	path := route("companies", v.company, "certificates", v.r.PathValue("certificate"))
	if err := v.remove(path); err != nil {
		return v.again(err, v.showSettings)
	}
	return v.done(v.within("settings"), "certificate-removed")
}

func (v *visit) uploadLogo() error {
	if err := v.upload(route("companies", v.company, "logo"), "logo"); err != nil {
		return v.again(err, v.showSettings)
	}
	return v.done(v.within("settings"), "logo")
}

// upload sends a file of the form with fields of it to the API. A file that was not chosen is
// left out, for the API to ask for it.
func (v *visit) upload(path, file string, fields ...string) error {
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for _, name := range fields {
		if text := v.form.Get(name); text != "" {
			if err := m.WriteField(name, text); err != nil {
				return err
			}
		}
	}
	if v.r.MultipartForm != nil && slices.ContainsFunc(v.r.MultipartForm.File[file],
		func(f *multipart.FileHeader) bool { return f.Size > 0 }) {
		if err := copyFile(m, v.r.MultipartForm.File[file][0], file); err != nil {
			return err
		}
	}
	if err := m.Close(); err != nil {
		return err
	}
	_, err := v.send(v.r.Context(), http.MethodPost, path, m.FormDataContentType(), &body)
	return err
}

func copyFile(to *multipart.Writer, f *multipart.FileHeader, name string) error {
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	part, err := to.CreateFormFile(name, f.Filename)
	if err != nil {
		return err
	}
	_, err = io.Copy(part, from)
	return err
}
