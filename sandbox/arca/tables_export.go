package arca

import (
	"context"
	"strings"
)

// tableOfExports is a table of WSFEXv1: its rows have a name and their columns a prefix.
type tableOfExports struct {
	row, id, text string
	dated         string // prefix of the two dates; empty for none
	list          string // one a line: "id|description"
}

// rows is the table for listed.
func (t tableOfExports) rows() rows { return rows{list: t.list} }

var exportTypes = tableOfExports{"ClsFEXResponse_Cbte_Tipo", "Cbte_Id", "Cbte_Ds", "Cbte", `19|Facturas de Exportación
20|Nota de Débito por Operaciones con el Exterior
21|Nota de Crédito por Operaciones con el Exterior`}

var exportKinds = tableOfExports{"ClsFEXResponse_Tex", "Tex_Id", "Tex_Ds", "Tex", `1|Exportación definitiva de Bienes
2|Servicios
4|Otros`}

var incotermTypes = tableOfExports{"ClsFEXResponse_Inc", "Inc_Id", "Inc_Ds", "Inc", `EXW|EXW
FCA|FCA
FAS|FAS
FOB|FOB
CFR|CFR
CIF|CIF
CPT|CPT
CIP|CIP
DDP|DDP
DAP|DAP
DPU|DPU`}

var languageTypes = tableOfExports{"ClsFEXResponse_Idi", "Idi_Id", "Idi_Ds", "Idi", `1|Español
2|Inglés
3|Portugués`}

var exportOptionals = tableOfExports{"ClsFEXResponse_Opc", "Opc_Id", "Opc_Ds", "Opc",
	`2401|Documento de exportación simplificada
2402|Monto FOB`}

// unitTypes are numbers only where no answer of the service is public.
var unitTypes = tableOfExports{"ClsFEXResponse_UMed", "Umed_Id", "Umed_Ds", "Umed",
	numbered("0 1 2 3 4 5 6 7 8 9 10 11 14 15 16 17 18 20 25 27 29 30 31 32 33 34 35 41 47 48 49 50 51 52 53 54 61 62 "+
		"63 64 65 66 67 68 96 97 98 99", "unidad ")}

// destinationTypes are the numbers of the general table of countries.
var destinationTypes = tableOfExports{"ClsFEXResponse_DST_pais", "DST_Codigo", "DST_Ds", "", numbered(`
101 102 103 104 105 107 108 109 110 111 112 113 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142
144 149 150 151 152 153 155 156 157 158 159 160 161 201 202 203 204 205 206 207 208 209 210 211 212 213 214 215 216 217 218 219 220 221 222 223 224 225 226
232 233 234 235 236 237 238 239 240 241 301 302 303 304 305 306 307 308 309 310 311 312 313 314 315 316 317 318 319 320 321 322 323 324 325 326 327 328 329
330 331 332 333 334 335 336 337 341 344 345 346 348 349 350 351 352 353 354 355 356 358 401 404 405 406 407 409 410 411 412 413 414 415 416 417 418 419 420
421 422 423 424 425 426 427 428 429 430 431 438 439 440 441 442 443 444 445 446 447 448 449 450 451 453 454 501 503 504 505 506 512 513 514 515 516 517 518
519 520 521 652 653 654 656 662 663 665 666 667 670 671 672 673 676 677 678 680 682 683 686 687 690 695 696 699`,
	"pais ")}

// numbered makes a list of numbers, each with a word before it for a text.
func numbered(numbers, word string) string {
	var lines []string
	for _, n := range strings.Fields(numbers) {
		lines = append(lines, n+"|"+word+n)
	}
	return strings.Join(lines, "\n")
}

// tableFX answers an operation with the rows of a table.
func tableFX(t tableOfExports) handler {
	return func(_ *Server, _ context.Context, _ *call, _ *reader, o *out) error {
		o.in("FEXResultGet", func() {
			for _, line := range strings.Split(t.list, "\n") {
				id, text, _ := strings.Cut(line, "|")
				o.in(t.row, func() {
					o.text(t.id, id)
					o.text(t.text, text)
					if t.dated != "" {
						o.text(t.dated+"_vig_desde", "20100101")
						o.text(t.dated+"_vig_hasta", "NULL")
					}
				})
			}
		})
		o.WriteString(onlyError(""))
		return nil
	}
}
