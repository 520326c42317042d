package arca

import (
	"context"
	"database/sql"
	"fmt"
)

// invoices is WSFEv1.
var invoices = &service{
	name: "wsfe", namespace: namespace, release: "7.0.0.60", dummy: "FEDummy", authorize: "FECAESolicitar",
	coded: coded, refuse: onlyErrors, unauthorized: func(m Message) Message { return m }, marks: marksOfInvoices,
	series: seriesOfInvoices,
	operations: map[string]handler{
		"FECAESolicitar":                 (*Server).authorize,
		"FECAEASolicitar":                (*Server).askCAEA,
		"FECAEAConsultar":                (*Server).consultCAEA,
		"FECAEARegInformativo":           (*Server).reportCAEA,
		"FECAEASinMovimientoInformar":    (*Server).noMovement,
		"FECAEASinMovimientoConsultar":   (*Server).movements,
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
	},
}

// onlyErrors is a result that refuses the request: integers that the schema wants are 0.
func onlyErrors(operation string, ms ...Message) string {
	var o out
	switch operation {
	case "FECompUltimoAutorizado":
		o.WriteString("<PtoVta>0</PtoVta><CbteTipo>0</CbteTipo><CbteNro>0</CbteNro>")
	case "FECompTotXRequest":
		o.WriteString("<RegXReq>0</RegXReq>")
	case "FECAEASinMovimientoInformar":
		o.WriteString("<PtoVta>0</PtoVta>")
	}
	o.messages("Errors", "Err", ms)
	return o.String()
}

// lastAuthorized answers FECompUltimoAutorizado.
func (s *Server) lastAuthorized(ctx context.Context, c *call, read *reader, o *out) error {
	ptoVta, tipo := int(read.int(c.node, "PtoVta", 32)), int(read.int(c.node, "CbteTipo", 32))
	switch {
	case read.err != nil:
		return nil
	case ptoVta < 1 || ptoVta > 99998:
		o.WriteString(c.refuse(coded(11000)))
	case !kinds[tipo].authorizable():
		o.WriteString(c.refuse(coded(11001)))
	case !c.knobs.mayUse(c.environment, c.cuit, ptoVta) && !c.knobs.mayReport(c.environment, c.cuit, ptoVta):
		o.WriteString(c.refuse(coded(11002)))
	default:
		v, _, err := last(ctx, s.store, series{c.environment, c.cuit, ptoVta, tipo})
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
	ptoVta, tipo, number := int(read.int(req, "PtoVta", 32)), int(read.int(req, "CbteTipo", 32)),
		read.int(req, "CbteNro", 64)
	switch {
	case read.err != nil:
		return nil
	case ptoVta < 1 || ptoVta > 99998:
		o.WriteString(c.refuse(coded(10200)))
		return nil
	case !kinds[tipo].authorizable():
		o.WriteString(c.refuse(coded(10201)))
		return nil
	case number < 1 || number > 99_999_999:
		o.WriteString(c.refuse(coded(10202)))
		return nil
	}
	v, ok, err := find(ctx, s.store, series{c.environment, c.cuit, ptoVta, tipo}, number)
	if err != nil {
		return err
	}
	if !ok {
		o.WriteString(c.refuse(coded(602)))
		return nil
	}
	o.in("ResultGet", func() {
		v.Detail.write(o)
		o.text("Resultado", "A")
		o.text("CodAutorizacion", v.CAE)
		o.text("EmisionTipo", v.mode())
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

// Series is one sequence of numbers.
type Series struct {
	Environment string `json:"environment"`
	CUIT        int64  `json:"cuit"`
	PointOfSale int    `json:"point_of_sale"`
	Type        int    `json:"type"`
}

// TakeNumbers authorizes n vouchers of a series as another system would that uses the
// same point of sale: they exist, and are nobody's.
func (s *Server) TakeNumbers(ctx context.Context, of Series, n int) error {
	key := series{of.Environment, of.CUIT, of.PointOfSale, of.Type}
	return s.store.Within(ctx, func(q *sql.Tx) error {
		before, _, err := last(ctx, q, key)
		for i := range n {
			if err != nil {
				break
			}
			number := before.Detail.Hasta + int64(i) + 1
			d := detail{Concepto: 1, DocTipo: 99, Desde: number, Hasta: number, Fch: max(s.today(), before.Detail.Fch),
				MonID: "PES", Condicion: 5}
			err = s.grantAny(ctx, q, key, d)
		}
		if err != nil {
			return fmt.Errorf("take numbers in the sandbox: %w", err)
		}
		return nil
	})
}
