package arca

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"
)

// rows of a table of parameters: one a line, "id|description|valid from". They are those
// that the service returned when last recorded, in its order.
type rows struct {
	item string
	list string
}

var voucherTypes = rows{"CbteTipo", `1|Factura A|20100917
2|Nota de Débito A|20100917
3|Nota de Crédito A|20100917
6|Factura B|20100917
7|Nota de Débito B|20100917
8|Nota de Crédito B|20100917
4|Recibos A|20100917
5|Notas de Venta al contado A|20100917
9|Recibos B|20100917
10|Notas de Venta al contado B|20100917
63|Liquidacion A|20100917
64|Liquidacion B|20100917
34|Cbtes. A del Anexo I, Apartado A,inc.f),R.G.Nro. 1415|20100917
35|Cbtes. B del Anexo I,Apartado A,inc. f),R.G. Nro. 1415|20100917
39|Otros comprobantes A que cumplan con R.G.Nro. 1415|20100917
40|Otros comprobantes B que cumplan con R.G.Nro. 1415|20100917
60|Cta de Vta y Liquido prod. A|20100917
61|Cta de Vta y Liquido prod. B|20100917
11|Factura C|20110330
12|Nota de Débito C|20110330
13|Nota de Crédito C|20110330
15|Recibo C|20110330
49|Comprobante de Compra de Bienes Usados a Consumidor Final|20130401
51|Factura A con Leyenda "Operación Sujeta a Retención"|20150522
52|Nota de Débito A con Leyenda "Operación Sujeta a Retención"|20150522
53|Nota de Crédito A con Leyenda "Operación Sujeta a Retención"|20150522
54|Recibo A con Leyenda "Operación Sujeta a Retención"|20150522
201|Factura de Crédito electrónica MiPyMEs (FCE) A|20181226
202|Nota de Débito electrónica MiPyMEs (FCE) A|20181226
203|Nota de Crédito electrónica MiPyMEs (FCE) A|20181226
206|Factura de Crédito electrónica MiPyMEs (FCE) B|20181226
207|Nota de Débito electrónica MiPyMEs (FCE) B|20181226
208|Nota de Crédito electrónica MiPyMEs (FCE) B|20181226
211|Factura de Crédito electrónica MiPyMEs (FCE) C|20181226
212|Nota de Débito electrónica MiPyMEs (FCE) C|20181226
213|Nota de Crédito electrónica MiPyMEs (FCE) C|20181226`}

var conceptTypes = rows{"ConceptoTipo", `1|Producto|20100917
2|Servicios|20100917
3|Productos y Servicios|20100917`}

var documentTypes = rows{"DocTipo", `80|CUIT|20080725
86|CUIL|20080725
87|CDI|20080725
89|LE|20080725
90|LC|20080725
91|CI Extranjera|20080725
92|en trámite|20080725
93|Acta Nacimiento|20080725
95|CI Bs. As. RNP|20080725
96|DNI|20080725
94|Pasaporte|20080725
0|CI Policía Federal|20080725
1|CI Buenos Aires|20080725
2|CI Catamarca|20080725
3|CI Córdoba|20080725
4|CI Corrientes|20080728
5|CI Entre Ríos|20080728
6|CI Jujuy|20080728
7|CI Mendoza|20080728
8|CI La Rioja|20080728
9|CI Salta|20080728
10|CI San Juan|20080728
11|CI San Luis|20080728
12|CI Santa Fe|20080728
13|CI Santiago del Estero|20080728
14|CI Tucumán|20080728
16|CI Chaco|20080728
17|CI Chubut|20080728
18|CI Formosa|20080728
19|CI Misiones|20080728
20|CI Neuquén|20080728
21|CI La Pampa|20080728
22|CI Río Negro|20080728
23|CI Santa Cruz|20080728
24|CI Tierra del Fuego|20080728
99|Doc. (Otro)|20080728`}

var vatTypes = rows{"IvaTipo", `3|0%|20090220
4|10.5%|20090220
5|21%|20090220
6|27%|20090220
8|5%|20141020
9|2.5%|20141020`}

var taxTypes = rows{"TributoTipo", `1|Impuestos nacionales|20100917
2|Impuestos provinciales|20100917
3|Impuestos municipales|20100917
4|Impuestos Internos|20100917
99|Otro|20100917
5|IIBB|20170719
6|Percepción de IVA|20170719
7|Percepción de IIBB|20170719
8|Percepciones por Impuestos Municipales|20170719
9|Otras Percepciones|20170719
13|Percepción de IVA a no Categorizado|20170719`}

var optionalTypes = rows{"OpcionalTipo", `2|RG Empresas Promovidas - Indentificador de proyecto vinculado a Régimen de Promoción Industrial|20100917
91|RG Bienes Usados 3411 - Nombre y Apellido o Denominación del vendedor del bien usado.|20130401
92|RG Bienes Usados 3411 - Nacionalidad del vendedor del bien usado.|20130401
93|RG Bienes Usados 3411 - Domicilio del vendedor del bien usado.|20130401
5|Excepcion computo IVA Credito Fiscal|20141016
61|RG 3668 Impuesto al Valor Agregado - Art.12 IVA Firmante Doc Tipo|20141016
62|RG 3668 Impuesto al Valor Agregado - Art.12 IVA Firmante Doc Nro|20141016
7|RG 3668 Impuesto al Valor Agregado - Art.12 IVA Carácter del Firmante|20141016
10|RG 3.368 Establecimientos de educación pública de gestión privada - Actividad Comprendida|20150605
1011|RG 3.368 Establecimientos de educación pública de gestión privada - Tipo de Documento|20150605
1012|RG 3.368 Establecimientos de educación pública de gestión privada - Número de Documento|20150605
11|RG 2.820 Operaciones económicas vinculadas con bienes inmuebles - Actividad Comprendida|20150605
12|RG 3.687 Locación temporaria de inmuebles con fines turísticos - Actividad Comprendida|20150605
13|RG 2.863 Representantes de Modelos|20160101
14|RG 2.863 Agencias de publicidad|20160101
15|RG 2.863 Personas físicas que desarrollen actividad de modelaje|20160101
17|RG 4004-E Locación de inmuebles destino 'casa-habitación'. Dato 2 (dos) = facturación directa / Dato 1 (uno) = facturación a través de intermediario|20170309
1801|RG 4004-E Locación de inmuebles destino 'casa-habitación'. Clave Única de Identificación Tributaria (CUIT).|20170309
1802|RG 4004-E Locación de inmuebles destino 'casa-habitación'. Apellido y nombres, denominación y/o razón social.|20170309
2101|Factura de Crédito Electrónica MiPyMEs (FCE) - CBU del Emisor|20181226
2102|Factura de Crédito Electrónica MiPyMEs (FCE) - Alias del Emisor|20181226
22|Factura de Crédito Electrónica MiPyMEs (FCE) - Anulación|20181226
23|Factura de Crédito Electrónica MiPyMEs (FCE) - Referencia Comercial|20190308
27|Factura de Credito Electronica MiPyMEs (FCE) - Transferencia|20201126
2901|RG 4291 Seguros de Caución - Póliza|20260901
2902|RG 4291 Seguros de Caución - Endoso|20260901`}

// Countries and activities are samples: no complete answer of the service is public.
var countryTypes = rows{"PaisTipo", `200|ARGENTINA
203|BRASIL
208|CHILE
212|ESTADOS UNIDOS
221|PARAGUAY
225|URUGUAY`}

var activityTypes = rows{"ActividadesTipo",
	`620100|SERVICIOS DE CONSULTORES EN INFORMATICA Y SUMINISTROS DE PROGRAMAS DE INFORMATICA`}

// table answers an operation with rows.
func table(t rows) handler {
	return func(_ *Server, _ context.Context, _ *call, _ *reader, o *out) error {
		o.in("ResultGet", func() {
			for i, line := range strings.Split(t.list, "\n") {
				parts := strings.Split(line, "|")
				o.in(t.item, func() {
					o.text("Id", parts[0])
					if t.item == "ActividadesTipo" {
						o.int("Orden", int64(i+1))
					}
					o.text("Desc", parts[1])
					if len(parts) > 2 {
						o.text("FchDesde", parts[2])
						o.text("FchHasta", "NULL")
					}
				})
			}
		})
		return nil
	}
}

// listedText says whether a table has an id.
func listedText(t rows, id string) bool {
	return id != "" && strings.Contains("\n"+t.list, "\n"+id+"|")
}

func listed(t rows, id int) bool { return listedText(t, strconv.Itoa(id)) }

// pointsOfSale answers FEParamGetPtosVenta; with none registered it is 602, as in
// homologation.
func (s *Server) pointsOfSale(_ context.Context, c *call, _ *reader, o *out) error {
	list, contingency := c.knobs.PointsOfSale[c.cuit], c.knobs.ContingencyPoints[c.cuit]
	if len(list)+len(contingency) == 0 {
		o.WriteString(c.refuse(Message{602, "Sin Resultados: - Metodo FEParamGetPtosVenta"}))
		return nil
	}
	o.in("ResultGet", func() {
		for _, p := range list {
			o.in("PtoVenta", func() {
				o.int("Nro", int64(p))
				o.text("EmisionTipo", "CAE - Ri Iva")
				o.text("Bloqueado", "N")
				o.text("FchBaja", "NULL")
			})
		}
		for _, p := range contingency {
			o.in("PtoVenta", func() {
				o.int("Nro", int64(p.Number))
				o.text("EmisionTipo", c.knobs.emission(c.cuit, p))
				o.text("Bloqueado", map[bool]string{true: "S", false: "N"}[p.Blocked])
				o.text("FchBaja", cmp.Or(p.Closed, "NULL"))
			})
		}
	})
	return nil
}

// quotation answers FEParamGetCotizacion.
func (s *Server) quotation(_ context.Context, c *call, read *reader, o *out) error {
	id, date := read.text(c.node, "MonId"), read.text(c.node, "FchCotiz")
	if date == "" {
		date = s.calendar().In(zone).AddDate(0, 0, -1).Format(dateForm)
	}
	_, badDate := time.Parse(dateForm, date)
	rate, ok := c.knobs.Quotations[id]
	switch {
	case id == "":
		o.WriteString(c.refuse(coded(12001)))
	case !listedText(currencyTypes, id):
		o.WriteString(c.refuse(coded(12000)))
	case badDate != nil:
		o.WriteString(c.refuse(coded(12002)))
	case !ok:
		o.WriteString(c.refuse(Message{602, "Moneda " + id + " inexistente o SIN cotización"}))
	default:
		o.in("ResultGet", func() {
			o.text("MonId", id)
			o.decimal("MonCotiz", rate)
			o.text("FchCotiz", date)
		})
	}
	return nil
}

// conditionRows joins classes as the service does; its note on 5 omits B, and so do we.
var conditionRows = []struct{ id, text, classes string }{
	{"1", "IVA Responsable Inscripto", "A/ALEY/C"}, {"6", "Responsable Monotributo", "A/ALEY/C"},
	{"13", "Monotributista Social", "A/ALEY/C"}, {"16", "Monotributo Trabajador Independiente Promovido", "A/ALEY/C"},
	{"4", "IVA Sujeto Exento", "B/C"}, {"7", "Sujeto No Categorizado", "B/C"}, {"8", "Proveedor del Exterior", "B/C"},
	{"9", "Cliente del Exterior", "B/C"}, {"10", "IVA Liberado – Ley N° 19.640", "B/C"}, {"15", "IVA No Alcanzado", "B/C"},
	{"5", "Consumidor Final", "C/49"},
}

// conditions answers FEParamGetCondicionIvaReceptor.
func (s *Server) conditions(_ context.Context, c *call, read *reader, o *out) error {
	wanted := read.text(c.node, "ClaseCmp")
	letter := map[string]string{"": "", "A": "A", "ALEY": "L", "B": "B", "C": "C", "49": "U"}
	want, ok := letter[wanted]
	if !ok {
		o.WriteString(c.refuse(coded(10244)))
		return nil
	}
	o.in("ResultGet", func() {
		for _, r := range conditionRows {
			id, _ := strconv.Atoi(r.id)
			if !strings.Contains(conditionClasses[id], want) {
				continue
			}
			o.in("CondicionIvaReceptor", func() {
				o.text("Id", r.id)
				o.text("Desc", r.text)
				if wanted != "" {
					o.text("Cmp_Clase", wanted)
				} else {
					o.text("Cmp_Clase", r.classes)
				}
			})
		}
	})
	return nil
}
