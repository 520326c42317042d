package apidoc

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"folio/httpapi"
)

// cures is what helps against each kind of fault, besides what its text says.
var cures = map[string]Text{
	"unparsable": {"The body could not be read at all. Send what the operation's schema describes, in UTF-8, with its " +
		"Content-Length.",
		"El cuerpo no se pudo leer. Envíe lo que describe el esquema de la operación, en UTF-8, con su Content-Length."},
	"invalid": {"Correct the fields that errors names, all at once, and send the request again. With an " +
		"Idempotency-Key: a refused request has not used it.",
		"Corrija los campos que nombra errors, todos a la vez, y envíe la petición de nuevo. Con una Idempotency-Key: " +
			"una petición rechazada no la usó."},
	"unauthorized": {"Send a credential that works: a bearer token of POST /api/login, or an API key in x-api-key.",
		"Envíe una credencial que funcione: un token de POST /api/login, o una clave de API en x-api-key."},
	"forbidden": {"The credential is good, for something else. Use the API key of the company that the path names.",
		"La credencial es válida, pero para otra cosa. Use la clave de API de la empresa que nombra la ruta."},
	"not_found": {"Compare the id with what a list answers. What belongs to somebody else is not found either.",
		"Compare el id con lo que responde una lista. Lo que pertenece a otro tampoco se encuentra."},
	"no_method": {"The header Allow names the methods that the path takes.",
		"El encabezado Allow nombra los métodos que admite la ruta."},
	"conflict": {"Nothing is wrong with the request itself: the present state forbids it. Do what the text says, " +
		"then send it again.",
		"La petición en sí está bien: el estado actual la impide. Haga lo que dice el texto y envíela de nuevo."},
	"too_large": {"Send less. The limits are in the description of the operation.",
		"Envíe menos. Los límites están en la descripción de la operación."},
	"wrong_type": {"Send the content type that the operation takes, uncompressed.",
		"Envíe el tipo de contenido que admite la operación, sin comprimir."},
	"no_range": {"Ask for bytes before the end of the file, or for the whole file, without Range.",
		"Pida bytes anteriores al final del archivo, o el archivo entero, sin Range."},
	"too_many": {"Wait as many seconds as Retry-After says, then send the request again.",
		"Espere los segundos que dice Retry-After y envíe la petición de nuevo."},
	"unavailable": {"Nothing is wrong with the request. Wait as many seconds as Retry-After says and send it again; a " +
		"write with the same Idempotency-Key.",
		"La petición está bien. Espere los segundos que dice Retry-After y envíela de nuevo; una escritura, con " +
			"la misma Idempotency-Key."},
	"internal": {"Try again, and give request_id to support if it stays.",
		"Vuelva a intentarlo, y dé request_id a soporte si persiste."},
}

// codePage is what the page of a code says, in one language.
type codePage struct {
	Code
	Waits   []Text // what it says as the code of pending_reason
	Spanish bool
	Title   string
	Status  []int
	Cures   []string
	Example string
}

// waitCure is what helps an invoice that waits, besides what its text says.
var waitCure = Text{"Do what the text says. The invoice keeps its place and goes on by itself: do not send it again.",
	"Haga lo que dice el texto. La factura conserva su lugar y sigue por sí sola: no la envíe de nuevo."}

// Page is what the page of a code says, of an error and of an invoice that waits; false for neither.
func Page(code string, spanish bool) (p codePage, found bool) {
	for _, c := range Codes() {
		if strings.EqualFold(c.Code, code) {
			p, found = pageOf(c, spanish), true
		}
	}
	for _, w := range Waits() {
		if !strings.EqualFold(w.Code, code) {
			continue
		}
		if !found {
			p = codePage{Code: Code{Code: w.Code}, Spanish: spanish}
			p.Example = waitExample(w, spanish)
		}
		p.Waits, p.Cures, found = w.Says, append(p.Cures, waitCure.In(spanish)), true
	}
	return p, found
}

// waitExample is a pending_reason with the code.
func waitExample(w Code, spanish bool) string {
	says := ""
	if len(w.Says) > 0 {
		says = w.Says[0].In(spanish)
	}
	return encoded(map[string]any{"pending_reason": map[string]any{"code": w.Code, "message": says, "next_try": nil}})
}

func pageOf(c Code, spanish bool) codePage {
	p := codePage{Code: c, Spanish: spanish}
	kinds := c.Kinds
	if len(kinds) == 0 {
		kinds = []string{"invalid"}
	}
	for _, kind := range kinds {
		status, err := strconv.Atoi(Statuses[kind])
		if err != nil {
			continue
		}
		p.Status, p.Cures = append(p.Status, status), append(p.Cures, cures[kind].In(spanish))
		p.Title = Titles[Statuses[kind]].In(spanish)
	}
	p.Example = example(p)
	return p
}

// Texts are what the code says, in the language of the page.
func (p codePage) Texts() (all []string) {
	for _, t := range p.Says {
		all = append(all, t.In(p.Spanish))
	}
	return all
}

// Sentences are the texts as the page has them: each begins with a capital letter.
func (p codePage) Sentences() []string {
	var all []string
	for _, t := range p.Says {
		all = append(all, holesOf()[p.Code.Code].named(t, p.Spanish))
	}
	return sentences(all)
}

// Fields are those at which the code stands, as far as they are known.
func (p codePage) Fields() []string { return holesOf()[p.Code.Code].Fields }

// WaitSentences are those of an invoice that waits.
func (p codePage) WaitSentences() (all []string) {
	for _, t := range p.Waits {
		all = append(all, t.In(p.Spanish))
	}
	return sentences(all)
}

func sentences(texts []string) (all []string) {
	for _, said := range texts {
		first, size := utf8.DecodeRuneInString(said)
		all = append(all, string(unicode.ToUpper(first))+said[size:])
	}
	return all
}

// example is an answer with the code, as the service writes it.
func example(p codePage) string {
	type part struct {
		Path    string `json:"path"`
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	says, whole, parts := "", p.Code.Code, []part{}
	if all := p.Texts(); len(all) > 0 {
		says = all[0]
	}
	if !p.Fault {
		parts = append(parts, part{"the.field[0].at_fault", p.Code.Code, says})
		refused, _ := Page("VALIDATION_FAILED", p.Spanish)
		whole, says = refused.Code.Code, refused.Texts()[0]
	}
	return encoded(struct {
		Type      string `json:"type"`
		Title     string `json:"title"`
		Status    int    `json:"status"`
		Detail    string `json:"detail"`
		Instance  string `json:"instance"`
		Code      string `json:"code"`
		Message   string `json:"message"`
		Errors    []part `json:"errors"`
		RequestID string `json:"request_id"`
	}{httpapi.TypeOf(whole), p.Title, p.Status[0], says, "/api/invoices", says, whole, parts,
		"01KJQ8M7Z0V5T3C2R1P0N9M8L7"})
}

// encoded is an example as it stands on a page; "" for what cannot be written.
func encoded(example any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(example); err != nil {
		return ""
	}
	return b.String()
}

//go:embed static/errors.html
var errorsHTML string

var pages = sync.OnceValue(func() *template.Template { return template.Must(template.New("").Parse(errorsHTML)) })

func errorPage(w http.ResponseWriter, r *http.Request) error {
	p, ok := Page(chi.URLParam(r, "code"), httpapi.InSpanish(r))
	if !ok {
		return errNoCode
	}
	return render(w, r, "page", p)
}

func errorIndex(w http.ResponseWriter, r *http.Request) error {
	spanish := httpapi.InSpanish(r)
	all, waits := make([]codePage, len(Codes())), make([]codePage, len(Waits()))
	for i, c := range Codes() {
		all[i] = codePage{Code: c, Spanish: spanish}
	}
	for i, c := range Waits() {
		waits[i] = codePage{Code: c, Spanish: spanish}
	}
	return render(w, r, "index", struct {
		Spanish      bool
		Codes, Waits []codePage
	}{spanish, all, waits})
}

func render(w http.ResponseWriter, r *http.Request, name string, data any) error {
	var b bytes.Buffer
	if err := pages().ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	httpapi.Localized(w.Header(), httpapi.InSpanish(r))
	return file("text/html; charset=utf-8", b.String())(w, r)
}
