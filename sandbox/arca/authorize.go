package arca

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"folio/sandbox/desk"
)

// verdict is what became of one detail.
type verdict struct {
	detail   detail
	accepted bool
	obs      []Message
	granted  voucher
	code     string // CAEA that a reported voucher names
}

// authorize answers FECAESolicitar: checks of issuer and header, then the vouchers in
// their order, of which the first refusal stops the rest.
func (s *Server) authorize(ctx context.Context, c *call, read *reader, o *out) error {
	req := read.child(c.node, "FeCAEReq")
	head := read.child(req, "FeCabReq")
	quantity := int(read.int(head, "CantReg", 32))
	key := series{c.environment, c.cuit, int(read.int(head, "PtoVta", 32)), int(read.int(head, "CbteTipo", 32))}
	nodes := read.all(req, "FeDetReq", "FECAEDetRequest")
	verdicts := make([]verdict, len(nodes))
	for i, n := range nodes {
		verdicts[i].detail = read.detail(n)
	}
	if read.err != nil {
		return nil
	}
	errs := checkHeader(key, quantity, len(nodes), c.knobs)
	if len(errs) == 0 {
		err := s.store.Within(ctx, func(q *sql.Tx) (err error) {
			errs, err = s.judge(ctx, q, key, verdicts, c)
			return err
		})
		if err != nil {
			return err
		}
	}
	for i, v := range verdicts {
		if v.accepted {
			s.forget(c, i)
		}
	}
	c.saw(key, verdicts, errs)
	s.answer(o, key, authorizedItem, verdicts, errs)
	return nil
}

// checkHeader refuses the request as a whole (codes 10000 to 10007).
func checkHeader(key series, quantity, details int, k Knobs) []Message {
	if errs := checkIssuer(key, quantity, details, k); len(errs) > 0 {
		return errs
	}
	switch {
	case key.ptoVta < 1 || key.ptoVta > 99998:
		return []Message{coded(10004)}
	case !k.mayUse(key.environment, key.cuit, key.ptoVta):
		return []Message{coded(10005)}
	case key.tipo <= 0:
		return []Message{coded(10006)}
	case !kinds[key.tipo].authorizable():
		return []Message{coded(10007)}
	}
	return nil
}

// checkIssuer refuses the issuer or the number of vouchers (10000 to 10003).
func checkIssuer(key series, quantity, details int, k Knobs) []Message {
	kind := kinds[key.tipo]
	issuer := k.Registry[key.cuit]
	switch {
	case issuer == Inactive || issuer == Unknown || issuer == Deceased:
		return []Message{{10000, "05 EL CUIT INFORMADO COMO EMISOR NO SE ENCUENTRA REGISTRADO DE FORMA ACTIVA EN LAS " +
			"BASES DE LA ADMINISTRACION."}}
	case (issuer == Monotributo || issuer == Exempt) && kind.class != classC:
		return []Message{{10000, "01 LA CUIT INFORMADA NO CORRESPONDE A UN RESPONSABLE INSCRIPTO EN EL IMPUESTO"}}
	case quantity < 1 || quantity > 9998:
		return []Message{coded(10001)}
	case quantity != details:
		return []Message{{10002, fmt.Sprintf("Campo CantReg debe ser igual a lo informado en detalle. Informado: %d, "+
			"Enviado:%d", quantity, details)}}
	case details > k.RegXReq || kind.fce && details > 1:
		return []Message{coded(10003)}
	}
	return nil
}

// judge goes through the vouchers and keeps what it grants in q. Number and date that do
// not follow the last voucher are an error of the request (10016 in Errors), anything
// else an observation of the voucher.
func (s *Server) judge(ctx context.Context, q desk.Querier, key series, verdicts []verdict,
	c *call) ([]Message, error) {
	before, _, err := last(ctx, q, key)
	if err != nil {
		return nil, err
	}
	number, date := before.Detail.Hasta, before.Detail.Fch
	for i := range verdicts {
		v := &verdicts[i]
		if v.detail.Fch == "" {
			v.detail.Fch = max(s.today(), date)
		}
		x := &examination{detail: &v.detail, kind: kinds[key.tipo], series: key, now: s.calendar(), knobs: c.knobs,
			find: func(k series, n int64) (voucher, bool, error) { return find(ctx, q, k, n) }}
		if reasons := x.numbers(); len(reasons) > 0 {
			v.obs = reasons
			return nil, nil
		}
		if v.detail.Desde != number+1 || x.validDate(v.detail.Fch) && v.detail.Fch < date {
			return []Message{coded(10016)}, nil
		}
		reasons, remarks, err := x.run()
		if err != nil {
			return nil, err
		}
		reasons, remarks = struckBy(c, i, reasons, remarks)
		if len(reasons) > 0 {
			v.obs = reasons
			return nil, nil
		}
		v.granted, err = s.grant(ctx, q, key, voucher{Detail: v.detail, Observations: remarks})
		if err != nil {
			return nil, err
		}
		v.accepted, v.obs = true, remarks
		number, date = v.detail.Hasta, v.detail.Fch
	}
	return nil, nil
}

// grant gives a voucher its CAE and keeps it.
func (s *Server) grant(ctx context.Context, q desk.Querier, key series, v voucher) (voucher, error) {
	n, err := count(ctx, q, key.environment)
	if err != nil {
		return v, err
	}
	now := s.calendar().In(zone)
	issued, err := time.Parse(dateForm, v.Detail.Fch)
	if err != nil {
		return v, err
	}
	v.CAE, v.Expires = cae(now, n), issued.AddDate(0, 0, 10).Format(dateForm)
	v.Processed = now.Format("20060102150405")
	return v, keep(ctx, q, key, v)
}

// cae is a code of the form found in real ones: year less 1940, week of processing, a
// counter of nine digits, a check digit.
func cae(now time.Time, n int64) string {
	first := fmt.Sprintf("%02d%02d%09d", (now.Year()-1940)%100, (now.YearDay()+6)/7, n%1_000_000_000)
	return first + fmt.Sprint(checkDigit(first))
}

// checkDigit is the last digit of a CAE, from its first thirteen. The rule is not
// published: it was found in some fifty real codes.
func checkDigit(first13 string) (sum int) {
	for i, w := range [13]int{5, 6, 7, 8, 3, 4, 5, 6, 7, 8, 1, 2, 3} {
		sum += w * int(first13[i]-'0')
	}
	return sum % 10
}

// Details of answers, of FECAESolicitar and of FECAEARegInformativo.
const (
	authorizedItem = "FECAEDetResponse"
	reportedItem   = "FECAEADetResponse"
)

func (s *Server) answer(o *out, key series, item string, verdicts []verdict, errs []Message) {
	accepted := 0
	for _, v := range verdicts {
		if v.accepted {
			accepted++
		}
	}
	result := "P"
	switch accepted {
	case 0:
		result = "R"
	case len(verdicts):
		result = "A"
	}
	o.in("FeCabResp", func() {
		o.int("Cuit", key.cuit)
		o.int("PtoVta", int64(key.ptoVta))
		o.int("CbteTipo", int64(key.tipo))
		o.text("FchProceso", s.calendar().In(zone).Format("20060102150405"))
		o.int("CantReg", int64(len(verdicts)))
		o.text("Resultado", result)
		o.text("Reproceso", "N")
	})
	list(o, "FeDetResp", item, verdicts, func(v verdict) {
		o.int("Concepto", int64(v.detail.Concepto))
		o.int("DocTipo", int64(v.detail.DocTipo))
		o.int("DocNro", v.detail.DocNro)
		o.int("CbteDesde", v.detail.Desde)
		o.int("CbteHasta", v.detail.Hasta)
		o.some("CbteFch", v.detail.Fch)
		if v.accepted {
			o.text("Resultado", "A")
		} else {
			o.text("Resultado", "R")
		}
		o.messages("Observaciones", "Obs", v.obs)
		if item == reportedItem {
			o.text("CAEA", v.code)
			return
		}
		o.text("CAE", v.granted.CAE)
		o.text("CAEFchVto", v.granted.Expires)
	})
	o.messages("Events", "Evt", s.Knobs().Events)
	o.messages("Errors", "Err", errs)
}
