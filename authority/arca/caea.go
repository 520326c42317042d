package arca

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Codes of the operations of CAEA that the client acts on (WSFEv1 manual v4.8, tables of
// FECAEASolicitar, FECAEARegInformativo and FECAEASinMovimientoInformar).
const (
	codeCAEAWindow = 15006 // outside of the days on which it is given
	codeCAEAExists = 15008

	codeCAEANumber = 703  // the number is not the next one
	codeCAEAEarly  = 1414 // not before the day after the code begins

	codeMovementUsed  = 1202
	codeMovementEarly = 1203
	codeMovementKnown = 1209
	codeNoMovement    = 10102 // the code was not told to be without movement
	codeHasVouchers   = 10105 // the point of sale has vouchers that were reported
)

// CAEA is a code that was given in advance (FECAEAGet). Days are yyyymmdd.
type CAEA struct {
	Code         string    `xml:"CAEA"`
	Periodo      int       `xml:"Periodo"` // yyyymm
	Orden        int       `xml:"Orden"`   // 1 is the days 1 to 15, 2 the rest
	From         string    `xml:"FchVigDesde"`
	To           string    `xml:"FchVigHasta"`
	ReportUntil  string    `xml:"FchTopeInf"`
	Processed    string    `xml:"FchProceso"`
	Observations []Message `xml:"Observaciones>Obs"`
}

type caeaAnswer struct {
	Get *CAEA `xml:"ResultGet"`
	failures
}

// given says that there is a code. ResultGet alone does not: an answer of nothing found
// repeats what was asked.
func (a caeaAnswer) given() bool { return a.Get != nil && a.Get.Code != "" }

// code is what the answer gives, for the fortnight that was asked for.
func (a caeaAnswer) code(op string, periodo, orden int) (CAEA, error) {
	if !a.given() {
		return CAEA{}, &Ambiguous{op, errors.New("the answer holds no code")}
	}
	c := *a.Get
	c.Observations = append(plain(c.Observations), plain(a.Errors)...)
	switch {
	case !isCode(c.Code):
		return CAEA{}, &Ambiguous{op, errors.New("the code has not 14 digits")}
	case c.Periodo != periodo || c.Orden != orden:
		return CAEA{}, &Ambiguous{op, fmt.Errorf("asked for %d of %d, answered for %d of %d", orden, periodo, c.Orden,
			c.Periodo)}
	case !isDay(c.From) || !isDay(c.To) || !isDay(c.ReportUntil) || c.To < c.From || c.ReportUntil < c.To ||
		c.From[:6] != fmt.Sprint(periodo) || c.To[:6] != fmt.Sprint(periodo):
		return CAEA{}, &Ambiguous{op, fmt.Errorf("the days of the code are no fortnight: %.8q to %.8q, until %.8q",
			c.From, c.To, c.ReportUntil)}
	}
	return c, nil
}

func fortnight(periodo, orden int) ([]byte, error) {
	return args(field("Periodo", periodo), field("Orden", orden))
}

// AskCAEA asks for the code of a fortnight (FECAEASolicitar): from five days before it to
// its last one, once. Errors are those of Authorize; after *Ambiguous ask ConsultCAEA.
func (s *Session) AskCAEA(ctx context.Context, periodo, orden int) (CAEA, error) {
	const op = "FECAEASolicitar"
	in, err := fortnight(periodo, orden)
	if err != nil {
		return CAEA{}, &NotSent{op, err}
	}
	res, err := call(ctx, s, request{web: wsfe, op: op, args: in}, func(a caeaAnswer) bool { return !a.given() })
	if err != nil {
		return CAEA{}, doubted(op, err)
	}
	return res.code(op, periodo, orden)
}

// ConsultCAEA is the code that was given for a fortnight (FECAEAConsultar); false: there
// is none (its code 602).
func (s *Session) ConsultCAEA(ctx context.Context, periodo, orden int) (CAEA, bool, error) {
	const op = "FECAEAConsultar"
	in, err := fortnight(periodo, orden)
	if err != nil {
		return CAEA{}, false, &NotSent{op, err}
	}
	res, err := call(ctx, s, request{web: wsfe, op: op, args: in}, func(a caeaAnswer) bool { return !a.given() })
	if notFound(err) {
		return CAEA{}, false, nil
	}
	if err != nil {
		return CAEA{}, false, err
	}
	c, err := res.code(op, periodo, orden)
	return c, err == nil, err
}

// Movement is a point of sale that was told to be without vouchers of a CAEA.
type Movement struct {
	CAEA      string `xml:"CAEA"`
	Processed string `xml:"FchProceso"` // yyyymmdd
	PtoVta    int    `xml:"PtoVta"`
}

// NoMovement tells that no voucher of a CAEA was issued at a point of sale
// (FECAEASinMovimientoInformar). What the service refuses is *Refused.
func (s *Session) NoMovement(ctx context.Context, ptoVta int, caea string) (Movement, error) {
	const op = "FECAEASinMovimientoInformar"
	in, err := args(field("PtoVta", ptoVta), field("CAEA", caea))
	if err != nil {
		return Movement{}, &NotSent{op, err}
	}
	type answer struct {
		Movement
		Resultado string `xml:"Resultado"`
		failures
	}
	res, err := call(ctx, s, request{web: wsfe, op: op, args: in}, func(a answer) bool { return a.Resultado != "A" })
	if err != nil {
		return Movement{}, doubted(op, err)
	}
	if res.Resultado != "A" || res.PtoVta != ptoVta || res.CAEA != caea {
		return Movement{}, &Ambiguous{op, errors.New("the answer does not say that it was taken")}
	}
	return res.Movement, nil
}

// Movements are the points of sale that were told to be without vouchers of a CAEA
// (FECAEASinMovimientoConsultar). ptoVta 0 asks for all; that the service takes it so is
// not said anywhere: unverified.
func (s *Session) Movements(ctx context.Context, caea string, ptoVta int) ([]Movement, error) {
	const op = "FECAEASinMovimientoConsultar"
	in, err := args(field("CAEA", caea), field("PtoVta", ptoVta))
	if err != nil {
		return nil, &NotSent{op, err}
	}
	type answer struct {
		Found []Movement `xml:"ResultGet>FECAEASinMov"`
		failures
	}
	res, err := call(ctx, s, request{web: wsfe, op: op, args: in}, always[answer])
	var refused *Refused
	if errors.As(err, &refused) && (refused.Has(codeNoMovement) || refused.Has(codeHasVouchers) ||
		refused.Has(CodeNotFound)) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, m := range res.Found {
		if m.CAEA != caea || ptoVta != 0 && m.PtoVta != ptoVta {
			return nil, &Ambiguous{op, errors.New("the answer is not about the code that was asked for")}
		}
	}
	return res.Found, nil
}

// Point is a point of sale as the service has it registered (PtoVenta).
type Point struct {
	Nro     int    `xml:"Nro"`
	Emision string `xml:"EmisionTipo"` // begins with CAE or CAEA
	Blocked string `xml:"Bloqueado"`   // S or N
	Closed  string `xml:"FchBaja"`     // yyyymmdd, empty while it is open
}

// Points are the taxpayer's points of sale (FEParamGetPtosVenta); false: the service names
// none, as homologation does.
func (s *Session) Points(ctx context.Context) ([]Point, bool, error) {
	type answer struct {
		Points []Point `xml:"ResultGet>PtoVenta"`
		failures
	}
	res, err := call(ctx, s, request{web: wsfe, op: "FEParamGetPtosVenta"}, always[answer])
	if notFound(err) {
		return nil, false, nil
	}
	return res.Points, err == nil && len(res.Points) > 0, err
}

// doubted makes a refusal that may have come after the service's own commit ambiguous.
func doubted(op string, err error) error {
	var refused *Refused
	if errors.As(err, &refused) && uncertain(refused) {
		return &Ambiguous{op, refused}
	}
	return err
}

// isDay says whether s is a day as yyyymmdd.
func isDay(s string) bool {
	_, err := time.Parse("20060102", s)
	return err == nil
}
