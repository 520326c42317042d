package arca

import (
	"regexp"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"folio/money"
	"folio/sandbox"
)

// exportExamination is one export under the checks of FEXAuthorize, in the order of the
// manual's table: the first that fails is the answer.
type exportExamination struct {
	export       *export
	series       series
	today, month string
	knobs        Knobs
	before       voucher
	find         func(series, int64) (voucher, bool, error)
}

// step is a condition under which a code refuses.
type step struct {
	refuses bool
	code    int
}

func (x *exportExamination) run() (*Message, error) {
	for _, part := range []func() []step{x.header, x.kindAndPlace, x.money, x.terms, x.texts, x.payment, x.permits,
		x.items, x.optionals} {
		for _, s := range part() {
			if s.refuses {
				m := codedFX(s.code)
				return &m, nil
			}
		}
	}
	return x.associated()
}

func day(text string) bool { _, err := time.Parse(dateForm, text); return err == nil }

func longer(text string, most int) bool { return utf8.RuneCountInString(text) > most }

func (x *exportExamination) header() []step {
	e := x.export
	n, _ := time.Parse(dateForm, x.today)
	from, to := n.AddDate(0, 0, -5).Format(dateForm), n.AddDate(0, 0, 5).Format(dateForm)
	return []step{
		{e.ID < 0 || e.ID > 999_999_999_999_999, 1014},
		{!day(e.Fch) || e.Fch < from || e.Fch > to, 1500},
		{e.TipoExpo == 2 && day(e.Fch) && e.Fch[:6] > x.month, 1500},
		{e.PtoVta < 1 || e.PtoVta > 99998 || !x.knobs.mayUse(x.series.environment, x.series.cuit, e.PtoVta), 1510},
		{e.Nro < 1 || e.Nro > 99_999_999, 1520},
		{!isExport(e.Tipo), 1530},
		{e.Nro != x.before.Detail.Hasta+1 || e.Fch < x.before.Detail.Fch, 1535},
	}
}

func (x *exportExamination) kindAndPlace() []step {
	e := x.export
	goods := e.Tipo == 19 && e.TipoExpo == 1
	return []step{
		{e.TipoExpo != 1 && e.TipoExpo != 2 && e.TipoExpo != 4, 1540},
		{goods && e.Permiso != "S" && e.Permiso != "N" || !goods && e.Permiso != "", 1550},
		{!listed(destinationTypes.rows(), e.Dst), 1560},
		{e.CuitPais != 0 && !sandbox.ValidCUIT(e.CuitPais), 1570},
		{e.CuitPais == 0 && e.IDImp == "", 1580},
	}
}

func (x *exportExamination) money() []step {
	e := x.export
	pesos := e.MonID == "PES"
	official, quoted := x.knobs.Quotations[e.MonID]
	low, high := official.Percent(money.FromInt(2)), official.Mul(money.FromInt(4))
	asked := !e.MonCotiz.IsZero()
	return []step{
		{!listedText(currencyTypes, e.MonID), 1590},
		{e.MonCotiz.Sign() < 0 || e.MonCotiz.WholeDigits() > 4 || e.MonCotiz.Decimals() > 6, 1600},
		{pesos && !e.MonCotiz.Equal(one), 1601},
		{!asked && e.CanMis != "S", 1602},
		{e.HasCanMis && e.CanMis != "S" && e.CanMis != "N", 1603},
		{e.HasCanMis && (pesos || e.Tipo != 19), 1605},
		{e.Total.Sign() < 0 || e.Total.WholeDigits() > 13 || e.Total.Decimals() > 2 || !x.sums(), 1610},
		{!pesos && quoted && asked && (e.MonCotiz.Less(low) || high.Less(e.MonCotiz)), 1667},
		{!pesos && quoted && asked && e.TipoExpo == 2 && e.Tipo == 19 && x.knobs.Profile == ARCAs &&
			!e.MonCotiz.Equal(official), 2053},
	}
}

// sums says whether the total is that of the items (1610).
func (x *exportExamination) sums() bool {
	sum := money.Zero
	for _, i := range x.export.Items {
		if i.Tot.WholeDigits() > 13 {
			return true // 1816 says so
		}
		sum = sum.Add(i.Tot)
	}
	return within(sum, x.export.Total, len(x.export.Items))
}

func (x *exportExamination) terms() []step {
	e := x.export
	return []step{
		{e.Tipo == 19 && e.FormaPago == "" || longer(e.FormaPago, 50), 1620},
		{e.Idioma < 1 || e.Idioma > 3, 1630},
		{e.Tipo == 19 && e.TipoExpo == 1 && e.Incoterms == "" || e.Incoterms != "" &&
			!listedText(incotermTypes.rows(), e.Incoterms), 1640},
		{e.IncotermDs != "" && e.Incoterms == "", 1641},
		{longer(e.IncotermDs, 20), 1642},
	}
}

func (x *exportExamination) texts() []step {
	e := x.export
	return []step{
		{e.Cliente == "", 1650}, {longer(e.Cliente, 200), 1651}, {e.Domicilio == "", 1660}, {longer(e.Domicilio, 300), 1661},
		{longer(e.Obs, 1000) || longer(e.ObsComercial, 4000), 1665},
	}
}

func (x *exportExamination) payment() []step {
	e := x.export
	services := e.TipoExpo == 2 || e.TipoExpo == 4
	return []step{
		{e.FechaPago != "" && !day(e.FechaPago), 1671},
		{e.Tipo == 19 && services && e.FechaPago == "", 1672},
		{e.Tipo != 19 && e.FechaPago != "", 1673},
		{e.Tipo == 19 && services && e.FechaPago < e.Fch, 1674},
	}
}

var permitForm = regexp.MustCompile(`^\d{5}[A-Z]{2}[0-9A-Z]{2}\d{6}[A-Z]$`)

func (x *exportExamination) permits() []step {
	e := x.export
	steps := []step{
		{e.Permiso == "S" && len(e.Permisos) == 0 || e.Permiso == "N" && e.HasPermisos || e.HasPermisos &&
			len(e.Permisos) == 0, 1720},
		{e.TipoExpo != 1 && e.HasPermisos, 1736},
	}
	seen := map[permiso]bool{}
	for _, p := range e.Permisos {
		steps = append(steps, step{(p.ID == "") != (p.Dst == 0), 1730}, step{!permitForm.MatchString(p.ID) || seen[p], 1740},
			step{!listed(destinationTypes.rows(), p.Dst), 1750})
		seen[p] = true
	}
	return steps
}

func (x *exportExamination) items() []step {
	steps := []step{{len(x.export.Items) < 1 || len(x.export.Items) > 9999, 1666}}
	large := func(d money.Decimal) bool { return d.WholeDigits() > 12 || d.Decimals() > 6 }
	for _, i := range x.export.Items {
		special := i.Umed == 0 || i.Umed == 97 || i.Umed == 99
		fits := !large(i.Qty) && !large(i.Precio) && i.Qty.WholeDigits()+i.Precio.WholeDigits() <= 13
		steps = append(steps,
			step{longer(i.Codigo, 50), 1760}, step{i.Ds == "" || longer(i.Ds, 4000), 1770},
			step{special && !(i.Qty.IsZero() && i.Precio.IsZero() && i.Bonif.IsZero()), 1775},
			step{!special && i.Qty.Sign() <= 0, 1780}, step{large(i.Qty), 1813},
			step{!listed(unitTypes.rows(), i.Umed), 1790},
			step{!special && i.Precio.Sign() < 0, 1800}, step{large(i.Precio), 1814},
			step{i.Umed != 97 && i.Umed != 99 && i.Tot.Sign() < 0 || i.Umed == 99 && i.Tot.Sign() >= 0, 1810},
			step{i.Tot.WholeDigits() > 13 || i.Tot.Decimals() > 2, 1816}, step{large(i.Bonif), 1817},
			step{!special && i.Bonif.Sign() < 0, 1811},
			step{!special && fits && i.Qty.Mul(i.Precio).Less(i.Bonif), 1812},
			step{!special && (!fits || !within(i.Qty.Mul(i.Precio).Sub(i.Bonif), i.Tot, 1)), 1815},
		)
	}
	return steps
}

func (x *exportExamination) optionals() []step {
	e := x.export
	steps := []step{{e.HasOpcionales && len(e.Opcionales) == 0, 2001}}
	values := map[string]string{}
	for _, o := range e.Opcionales {
		_, again := values[o.ID]
		steps = append(steps, step{!listedText(exportOptionals.rows(), o.ID), 2003}, step{again, 2004},
			step{o.Valor == "", 2005})
		values[o.ID] = o.Valor
	}
	if len(values) == 0 {
		return steps
	}
	fob, err := money.Parse(values["2402"])
	_, document := values["2401"]
	_, amount := values["2402"]
	return append(steps,
		step{document && len(values["2401"]) != 11, 2006},
		step{amount && (err != nil || fob.Sign() < 0 || fob.WholeDigits() > 13 || fob.Decimals() > 2), 2008},
		step{!amount || document != (e.Tipo == 19), 2010}, step{e.TipoExpo != 1, 2011}, step{e.MonID != "DOL", 2016},
		step{err == nil && e.Total.Less(fob), 2021}, step{e.Tipo != 19 && len(e.Asoc) == 0, 2028}, step{e.HasPermisos, 2056})
}

var exportAssociates = []int{19, 20, 21, 88, 89, 91, 993, 994}

// associated checks Cmps_asoc (1670 to 1755, 1820, 2031, 2047 to 2052).
func (x *exportExamination) associated() (*Message, error) {
	e := x.export
	refuse := func(code int) (*Message, error) { m := codedFX(code); return &m, nil }
	if e.HasAsoc && len(e.Asoc) == 0 {
		return refuse(1820)
	}
	if e.TipoExpo == 2 && e.Tipo != 19 && len(e.Asoc) == 0 {
		return refuse(2047)
	}
	corrected := 0
	for _, a := range e.Asoc {
		own := isExport(a.Tipo)
		switch {
		case !slices.Contains(exportAssociates, a.Tipo):
			return refuse(1680)
		case a.PtoVta < 1 || a.PtoVta > 99998:
			return refuse(1690)
		case a.Nro < 1 || a.Nro > 999_999_999:
			return refuse(1700)
		case own && e.Tipo == 19:
			return refuse(1755)
		case a.Tipo != 88 && a.Tipo != 89 && a.Cuit != "" && a.Cuit != "0" && a.Cuit != strconv.FormatInt(x.series.cuit, 10):
			return refuse(2031)
		case !own:
			continue
		}
		if corrected++; corrected > 1 {
			return refuse(1754)
		}
		found, ok, err := x.find(series{x.series.environment, x.series.cuit, a.PtoVta, a.Tipo}, a.Nro)
		switch {
		case err != nil:
			return nil, err
		case !ok && e.TipoExpo == 2:
			return refuse(2048)
		case !ok:
			return refuse(1749)
		case e.TipoExpo == 2 && found.Detail.Concepto != 2:
			return refuse(2049)
		case e.TipoExpo == 2 && found.Export != nil && found.Export.Dst != e.Dst:
			return refuse(2050)
		case e.TipoExpo == 2 && e.MonID != "PES" && found.Detail.MonID != e.MonID:
			return refuse(2051)
		case e.TipoExpo == 2 && e.Fch < found.Detail.Fch:
			return refuse(2052)
		}
	}
	return nil, nil
}
