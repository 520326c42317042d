package arca

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// call is one operation of WSFEv1 under way.
type call struct {
	environment string
	operation   string
	node        *node
	cuit        int64
	knobs       Knobs
	struck      []Fault
}

// operations of WSFEv1 that the sandbox has; those of CAEA are not among them.
var operations = map[string]func(*Server, context.Context, *call, *reader, *out) error{
	"FECAESolicitar":                 (*Server).authorize,
	"FECompUltimoAutorizado":         (*Server).lastAuthorized,
	"FECompConsultar":                (*Server).consult,
	"FECompTotXRequest":              (*Server).limit,
	"FEParamGetPtosVenta":            (*Server).pointsOfSale,
	"FEParamGetCotizacion":           (*Server).quotation,
	"FEParamGetCondicionIvaReceptor": (*Server).conditions,
	"FEParamGetTiposCbte":            table(voucherTypes),
	"FEParamGetTiposConcepto":        table(conceptTypes),
	"FEParamGetTiposDoc":             table(documentTypes),
	"FEParamGetTiposIva":             table(vatTypes),
	"FEParamGetTiposMonedas":         table(currencyTypes),
	"FEParamGetTiposOpcional":        table(optionalTypes),
	"FEParamGetTiposTributos":        table(taxTypes),
	"FEParamGetTiposPaises":          table(countryTypes),
	"FEParamGetActividades":          table(activityTypes),
}

// serveInvoices answers the operations of WSFEv1 with ASMX's tolerances: the action
// header may be missing but not wrong, a document that is cut off is HTTP 400, a
// number that is none is a fault, every refusal of the business is HTTP 200.
func (s *Server) serveInvoices(w http.ResponseWriter, r *http.Request, environment string, body []byte) {
	s.delay(r)
	v := versionOf(r)
	root, err := parse(body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if action := actionOf(r); action != "" && !known(strings.TrimPrefix(action, namespace)) {
		v.fault(w, "System.Web.Services.Protocols.SoapException: Server did not recognize the value of HTTP Header SOAPAction: "+action+".")
		return
	}
	c := &call{environment: environment, node: operationOf(root), knobs: s.Knobs()}
	if c.node == nil {
		v.fault(w, "Server was unable to read request. ---> the Body holds no operation of this service.")
		return
	}
	c.operation = c.node.name.Local
	read := &reader{}
	auth := read.child(c.node, "Auth")
	c.cuit = read.int(auth, "Cuit", 64)
	c.struck = s.strike(environment, c.operation, c.cuit)
	if before(w, r, c.struck) {
		return
	}
	result, err := s.result(r.Context(), c, read, auth)
	switch {
	case read.err != nil:
		v.fault(w, "Server was unable to read request. ---> System.InvalidOperationException: There is an error in XML document (1, 1). ---> System.FormatException: Input string was not in a correct format. ("+read.err.Error()+")")
		return
	case err != nil:
		s.log.ErrorContext(r.Context(), "sandbox of ARCA", "operation", c.operation, "error", err)
		result = onlyErrors(c.operation, Message{501, "Error interno de base de datos: - Metodo " + c.operation})
	}
	s.log.DebugContext(r.Context(), "sandbox of ARCA", "environment", environment, "operation", c.operation, "cuit", c.cuit)
	answer := v.invoiceAnswer(c.operation, result, s.now())
	after(w, r, c.struck, answer)
	w.Header().Set("Content-Type", v.contentType)
	_, _ = io.WriteString(w, answer)
}

// result is what stands inside of the operation's Result element.
func (s *Server) result(ctx context.Context, c *call, read *reader, auth *node) (string, error) {
	if c.operation == "FEDummy" {
		return "<AppServer>OK</AppServer><DbServer>OK</DbServer><AuthServer>OK</AuthServer>", nil
	}
	if read.err != nil {
		return "", nil
	}
	if no := s.checkAuth(c.environment, auth != nil, read.text(auth, "Token"), read.text(auth, "Sign"), c.cuit); no != nil {
		return onlyErrors(c.operation, *no), nil
	}
	for _, f := range c.struck {
		if f.Effect == Error {
			return onlyErrors(c.operation, f.message()), nil
		}
	}
	var o out
	err := operations[c.operation](s, ctx, c, read, &o)
	return o.String(), err
}

// onlyErrors is a result that refuses the request: integers that the schema wants are 0.
func onlyErrors(operation string, ms ...Message) string {
	var o out
	switch operation {
	case "FECompUltimoAutorizado":
		o.WriteString("<PtoVta>0</PtoVta><CbteTipo>0</CbteTipo><CbteNro>0</CbteNro>")
	case "FECompTotXRequest":
		o.WriteString("<RegXReq>0</RegXReq>")
	}
	o.messages("Errors", "Err", ms)
	return o.String()
}

func (f Fault) message() Message {
	if f.Text == "" {
		return coded(f.Code)
	}
	return Message{f.Code, f.Text}
}

func known(operation string) bool {
	_, ok := operations[operation]
	return ok || operation == "FEDummy"
}

func actionOf(r *http.Request) string {
	if action := strings.Trim(r.Header.Get("Soapaction"), `"`); action != "" {
		return action
	}
	_, action, _ := strings.Cut(r.Header.Get("Content-Type"), "action=")
	return strings.Trim(action, `"`)
}

func operationOf(root *node) *node {
	body := root.child("", "Body")
	if body == nil {
		return nil
	}
	for _, c := range body.children {
		if c.name.Space == namespace && known(c.name.Local) {
			return c
		}
	}
	return nil
}

// lastAuthorized answers FECompUltimoAutorizado.
func (s *Server) lastAuthorized(ctx context.Context, c *call, read *reader, o *out) error {
	ptoVta, tipo := int(read.int(c.node, "PtoVta", 32)), int(read.int(c.node, "CbteTipo", 32))
	switch {
	case read.err != nil:
		return nil
	case ptoVta < 1 || ptoVta > 99998:
		o.WriteString(onlyErrors(c.operation, coded(11000)))
	case !kinds[tipo].authorizable():
		o.WriteString(onlyErrors(c.operation, coded(11001)))
	case !c.knobs.mayUse(c.cuit, ptoVta):
		o.WriteString(onlyErrors(c.operation, coded(11002)))
	default:
		v, _, err := last(ctx, s.store.db, series{c.environment, c.cuit, ptoVta, tipo})
		if err != nil {
			return err
		}
		o.int("PtoVta", int64(ptoVta))
		o.int("CbteTipo", int64(tipo))
		o.int("CbteNro", v.Detail.Hasta)
	}
	return nil
}

// consult answers FECompConsultar.
func (s *Server) consult(ctx context.Context, c *call, read *reader, o *out) error {
	req := read.child(c.node, "FeCompConsReq")
	ptoVta, tipo, number := int(read.int(req, "PtoVta", 32)), int(read.int(req, "CbteTipo", 32)), read.int(req, "CbteNro", 64)
	switch {
	case read.err != nil:
		return nil
	case ptoVta < 1 || ptoVta > 99998:
		o.WriteString(onlyErrors(c.operation, coded(10200)))
		return nil
	case !kinds[tipo].authorizable():
		o.WriteString(onlyErrors(c.operation, coded(10201)))
		return nil
	case number < 1 || number > 99_999_999:
		o.WriteString(onlyErrors(c.operation, coded(10202)))
		return nil
	}
	v, ok, err := find(ctx, s.store.db, series{c.environment, c.cuit, ptoVta, tipo}, number)
	if err != nil {
		return err
	}
	if !ok {
		o.WriteString(onlyErrors(c.operation, coded(602)))
		return nil
	}
	o.in("ResultGet", func() {
		v.Detail.write(o)
		o.text("Resultado", "A")
		o.text("CodAutorizacion", v.CAE)
		o.text("EmisionTipo", "CAE")
		o.text("FchVto", v.Expires)
		o.text("FchProceso", v.Processed)
		o.messages("Observaciones", "Obs", v.Observations)
		o.int("PtoVta", int64(ptoVta))
		o.int("CbteTipo", int64(tipo))
	})
	return nil
}

// limit answers FECompTotXRequest.
func (s *Server) limit(_ context.Context, c *call, _ *reader, o *out) error {
	o.int("RegXReq", int64(c.knobs.RegXReq))
	return nil
}

// TakeNumbers authorizes n vouchers of a series as another system would that uses the
// same point of sale: they exist, and are nobody's.
func (s *Server) TakeNumbers(ctx context.Context, environment string, cuit int64, ptoVta, tipo, n int) error {
	s.authorizing.Lock()
	defer s.authorizing.Unlock()
	key := series{environment, cuit, ptoVta, tipo}
	return s.store.within(ctx, func(q querier) error {
		before, _, err := last(ctx, q, key)
		for i := range n {
			if err != nil {
				break
			}
			number := before.Detail.Hasta + int64(i) + 1
			d := detail{Concepto: 1, DocTipo: 99, Desde: number, Hasta: number, Fch: max(s.today(), before.Detail.Fch), MonID: "PES", Condicion: 5}
			err = s.grant(ctx, q, key, d, nil, new(voucher))
		}
		if err != nil {
			return fmt.Errorf("take numbers in the sandbox: %w", err)
		}
		return nil
	})
}
