package writeapi

import (
	"net/http"

	"folio/commands/company"
	"folio/events"
	"folio/httpapi"
	"folio/resource"
	"folio/strict"
)

func (a api) uploadLogo(w http.ResponseWriter, r *http.Request) error {
	form, err := httpapi.ReadForm(w, r, httpapi.MaxLogo+httpapi.FormOverhead)
	if err != nil {
		return err
	}
	file := form.File("logo", strict.Required)
	if len(file.Data) > httpapi.MaxLogo {
		form.Fail("logo", "TOO_LARGE", "A logo may have 512 KiB.")
	}
	if err := form.Done(); err != nil {
		return err
	}
	memory, err := a.LogoMemory(file.Data)
	if err != nil {
		return err
	}
	var image []byte
	var width, height int
	if err := a.work(r.Context(), memory, func() (err error) {
		image, width, height, err = a.Logo(r.Context(), file.Data)
		return err
	}); err != nil {
		return err
	}
	sha, err := a.Vault.StoreFile(r.Context(), image)
	if err != nil {
		return err
	}
	out, err := a.log.Companies.Execute(r.Context(), httpapi.Caller(r.Context()).Company,
		company.UploadLogo{Logo: events.LogoUploaded{SHA256: sha, Width: width, Height: height}}, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "companies", out.Position)
	return httpapi.JSON(w, http.StatusCreated, resource.Logo{Width: width, Height: height, SHA256: sha})
}
