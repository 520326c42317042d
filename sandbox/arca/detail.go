package arca

import (
	"folio/money"
)

// detail is FECAEDetRequest as the service understood it, in the order in which
// FECompConsultar returns it. Has... tell an empty array from an absent one.
type detail struct {
	Concepto       int           `asmx:"Concepto"`
	DocTipo        int           `asmx:"DocTipo"`
	DocNro         int64         `asmx:"DocNro"`
	Desde          int64         `asmx:"CbteDesde"`
	Hasta          int64         `asmx:"CbteHasta"`
	Fch            string        `asmx:"CbteFch"`
	Total          money.Decimal `asmx:"ImpTotal"`
	TotConc        money.Decimal `asmx:"ImpTotConc"`
	Neto           money.Decimal `asmx:"ImpNeto"`
	OpEx           money.Decimal `asmx:"ImpOpEx"`
	Trib           money.Decimal `asmx:"ImpTrib"`
	IVA            money.Decimal `asmx:"ImpIVA"`
	ServDesde      string        `asmx:"FchServDesde"`
	ServHasta      string        `asmx:"FchServHasta"`
	VtoPago        string        `asmx:"FchVtoPago"`
	MonID          string        `asmx:"MonId"`
	MonCotiz       money.Decimal `asmx:"MonCotiz"`
	CanMis         string        `asmx:"CanMisMonExt,some"`
	Condicion      int           `asmx:"CondicionIVAReceptorId"`
	HasAsoc        bool          `asmx:"CbtesAsoc" json:",omitempty"`
	Asoc           []asoc        `asmx:"CbtesAsoc>CbteAsoc" json:",omitempty"`
	HasTributos    bool          `asmx:"Tributos" json:",omitempty"`
	Tributos       []tributo     `asmx:"Tributos>Tributo" json:",omitempty"`
	HasIva         bool          `asmx:"Iva" json:",omitempty"`
	Iva            []alicuota    `asmx:"Iva>AlicIva" json:",omitempty"`
	HasOpcionales  bool          `asmx:"Opcionales" json:",omitempty"`
	Opcionales     []opcional    `asmx:"Opcionales>Opcional" json:",omitempty"`
	HasCompradores bool          `asmx:"Compradores" json:",omitempty"`
	Compradores    []comprador   `asmx:"Compradores>Comprador" json:",omitempty"`
	Periodo        *periodoAsoc  `asmx:"PeriodoAsoc" json:",omitempty"`
	HasActividades bool          `asmx:"Actividades" json:",omitempty"`
	Actividades    []int64       `asmx:"Actividades>Actividad>Id" json:",omitempty"`
}

type (
	asoc struct {
		Tipo   int    `asmx:"Tipo"`
		PtoVta int    `asmx:"PtoVta"`
		Nro    int64  `asmx:"Nro"`
		Cuit   string `asmx:"Cuit,some"`
		Fch    string `asmx:"CbteFch,some"`
	}
	tributo struct {
		ID      int           `asmx:"Id,16"`
		Desc    string        `asmx:"Desc,some"`
		Base    money.Decimal `asmx:"BaseImp"`
		Alic    money.Decimal `asmx:"Alic"`
		Importe money.Decimal `asmx:"Importe"`
	}
	alicuota struct {
		ID      int           `asmx:"Id"`
		Base    money.Decimal `asmx:"BaseImp"`
		Importe money.Decimal `asmx:"Importe"`
	}
	opcional struct {
		ID    string `asmx:"Id"`
		Valor string `asmx:"Valor"`
	}
	comprador struct {
		DocTipo    int           `asmx:"DocTipo"`
		DocNro     int64         `asmx:"DocNro"`
		Porcentaje money.Decimal `asmx:"Porcentaje"`
	}
	periodoAsoc struct {
		Desde string `asmx:"FchDesde"`
		Hasta string `asmx:"FchHasta"`
	}
)

// detail reads one FECAEDetRequest.
func (r *reader) detail(n *node) (d detail) {
	r.fields(n, &d)
	return d
}

// write writes a voucher as FECompConsultar returns it: the fields of the request, absent
// texts empty.
func (d *detail) write(o *out) { o.fields(*d, nil) }
