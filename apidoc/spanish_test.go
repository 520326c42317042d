package apidoc

import (
	"slices"
	"strings"
	"testing"

	"folio/httpapi"
)

// Whoever adds a text in English writes its Spanish beside it in codes.json.
func TestEveryTextIsThereInSpanishToo(t *testing.T) {
	for _, c := range append(Codes(), Code{Code: "reasons.json", Says: Reasons()},
		Code{Code: "stories.json", Says: Stories()}) {
		for _, said := range slices.Concat(c.Says, c.Fills) {
			switch {
			case said.Spanish == "":
				t.Errorf("%s: write the Spanish of %q beside it in apidoc/*.json", c.Code, said.English)
			case strings.Count(said.English, gap) != strings.Count(said.Spanish, gap):
				t.Errorf("%s: as many values in Spanish as in English:\n%s\n%s", c.Code, said.English, said.Spanish)
			case said.Spanish == said.English && strings.Contains(strings.Trim(said.English, gap+" "), " "):
				t.Errorf("%s: this is not Spanish: %s", c.Code, said.Spanish)
			}
		}
	}
	for kind, status := range Statuses {
		if cures[kind].English == "" || cures[kind].Spanish == "" || Titles[status].English == "" ||
			Titles[status].Spanish == "" {
			t.Errorf("the cure or the title of %s lacks a language", kind)
		}
	}
}

func TestWhatIsFilledInStaysInSpanish(t *testing.T) {
	for english, want := range map[string]string{
		"INVOICE_NOT_FOUND|There is no such invoice among this company's.": "No hay tal factura entre las de esta empresa.",
		"CL-REFERENCE-03|DTE 77 is no document that may be named: use an invoice_type, an official code, or 801 for a " +
			"purchase order and its like": "DTE 77 no es un documento que se pueda nombrar: use un invoice_type, un código " +
			"oficial, " +
			"o 801 para una orden de compra y similares",
		"AR-TOTAL-05|21 % of 100.00 is 21.00, not 22.00 (0.01 either way is accepted)": "21 % de 100.00 es 21.00, no 22.00 " +
			"(se acepta 0.01 de diferencia)",
		"TOO_LONG|must have at most 80 characters, it has 81": "debe tener 80 caracteres como máximo; " +
			"tiene 81",
		"AUTHORITY_UNAVAILABLE|The authority cannot be reached or does not answer. It said 501: come back later. The " +
			"invoices keep their place and are sent when it is back.": "La autoridad está fuera de alcance o no responde. " +
			"Dijo: 501: come back later. Las facturas conservan su lugar y se envían cuando vuelva.",
		"CONTINGENCY_AVAILABLE|The authority cannot be reached or does not answer. It said 501: come back later. The " +
			"invoices keep their place and are sent when it is back. Documents of today whose numbers were not sent can be " +
			"issued by contingency: open it with POST /api/companies/{id_company}/contingency/{point_of_sale}/open.": "La " +
			"autoridad está fuera de alcance o no responde. Dijo: 501: come back later. Las facturas conservan su lugar y se " +
			"envían cuando vuelva. Los comprobantes de hoy cuyos números no se enviaron se pueden emitir por contingencia: " +
			"ábrala con POST /api/companies/{id_company}/contingency/{point_of_sale}/open.",
		"|The certificate expires tomorrow, on 2026-11-28: have the next one at hand.": "El certificado vence mañana, el " +
			"2026-11-28: tenga el próximo a mano.",
		"WRONG_TYPE|must be a number, not a string":       "debe ser un número, no un texto",
		"WRONG_TYPE|must be an object, not true or false": "debe ser un objeto, no true o false",
		"AR-DATE-02|it must be a date as YYYY-MM-DD HH:MM:SS, of the year 2000 or a later one": "debe ser una fecha como " +
			"YYYY-MM-DD HH:MM:SS, del año 2000 o posterior",
		"TOO_FEW_ITEMS|must have at least one element":    "debe tener al menos un elemento",
		"NOT_AN_INTEGER|must be from 1 to 100, in digits": "debe estar entre 1 y 100, en dígitos",
		"BODY_NOT_JSON|The body is not valid JSON: it breaks at line 3, column 5.": "El cuerpo no es JSON válido: se " +
			"corta en línea 3, columna 5.",
		"CL-HEADER-01|it must be an array, each element a whole number, without quotation marks": "debe ser una lista, " +
			"cada elemento un número entero, sin comillas",
		"NOTE_EXCEEDS_ORIGINAL|Of document 01A (FAC) 30.00 CLP are left to correct, of 242.00: notes that were accepted " +
			"took 01B (142.00); notes that are not answered yet take 01C (1.00), 01D (2.00), and 3 more notes; notes that " +
			"name several documents without amounts may take up to 01E (67.00). Issue the note over no more than what is " +
			"left.": "Del documento 01A (FAC) quedan 30.00 CLP por corregir, de 242.00: las notas aceptadas tomaron 01B " +
			"(142.00); las notas aún sin respuesta toman 01C (1.00), 01D (2.00) y 3 notas más; las notas que nombran varios " +
			"documentos sin importes pueden tomar hasta 01E (67.00). Emita la nota por no más de lo que queda.",
		"ALREADY_CANCELLED|Document 01A is cancelled as a whole since credit note 01B was accepted: nothing of it is " +
			"left to credit. A debit note that names the credit note would give it back.": "El documento 01A está anulado " +
			"por completo desde que se aceptó la nota de crédito 01B: no queda nada de él por acreditar. Una nota de débito " +
			"que nombre la nota de crédito la revertiría.",
		"NOTE_OTHER_RECIPIENT|The document that it corrects was issued to a consumer who is not identified: a note goes " +
			"to the same recipient.": "El documento que corrige se emitió a un consumidor sin identificar: una nota va al " +
			"mismo receptor.",
		"SECRET_SHOWN_ONCE|The first request with this Idempotency-Key made API key 01M8, and its secret was shown once, " +
			"in that answer. If it is lost, revoke or rotate it, and send a new key for a new one.": "La primera solicitud " +
			"con esta Idempotency-Key creó la clave de API 01M8, y su secreto se mostró una sola vez, en esa respuesta. Si se " +
			"perdió, revóquelo o rótelo, y envíe una clave nueva para uno nuevo.",
		"NOT_A_PICTURE|the file is not a picture that is known here: send a PNG or a JPEG": "el archivo es de un formato " +
			"que aquí no se conoce: envíe un PNG o un JPEG",
		"NO_SUCH|it is said by\nanother way, 3 items, at most 2 are allowed; no": "",
	} {
		code, text, _ := strings.Cut(english, "|")
		if got, ok := Spanish(code, text); got != want || ok != (want != "") {
			t.Errorf("%s: %q, want %q", english, got, want)
		}
	}
}

// What happened to an invoice is told in sentences that have sentences in them.
func TestStoriesAreToldInSpanish(t *testing.T) {
	for english, want := range map[string]string{
		"FCA was created for the environment Testing. What the request and the company said then was frozen.": "FCA " +
			"se creó para el entorno Testing. Quedó fijado lo que decían entonces el pedido y la empresa.",
		"It took the number 8, in a submission of the numbers 7 to 8: the authority's last number was 6.": "Tomó el " +
			"número 8, en un envío de los números 7 a 8: el último número de la autoridad era 6.",
		"It took the number 1: the next free one of the range 01M8.": "Tomó el número 1: el siguiente libre del rango 01M8.",
		"The authority accepted it: CAE 76, good until 2026-12-09; it remarks: 10217: El crédito fiscal.": "La autoridad " +
			"lo aceptó: CAE 76, válido hasta 2026-12-09; observa: 10217: El crédito fiscal.",
		"The authority accepted it: CAE 76. This was learnt by asking: the answer itself was lost.": "La autoridad lo " +
			"aceptó: CAE 76. Esto se supo al consultar: la respuesta misma se perdió.",
		"The authority rejected it under the number 7: 10016: El número no es el siguiente. This was learnt by asking: the " +
			"answer itself was lost.": "La autoridad lo rechazó con el número 7: 10016: El número no es el siguiente. Esto se " +
			"supo al consultar: la respuesta misma se perdió.",
		"An operator let the series go on.": "Un operador dejó que la serie siguiera.",
		"An operator let the series go on: paper. The next number that it gives out is 11 of the range R2.": "Un operador dejó que la serie " +
			"siguiera: paper. El próximo número que da es 11 del rango R2.",
		"An operator let the series go on: paper. The next number that it gives out is 11. The numbers of the submission S are given up, " +
			"unless the authority has them.": "Un operador dejó que la serie siguiera: paper. El próximo número que da es 11. Se " +
			"abandonan los números del envío S, salvo que la autoridad los tenga.",
		"It is in its series again: no code of this fortnight is held.": "Está otra vez en su serie: no se tiene ningún " +
			"código de esta quincena.",
		"It is in its series again: the contingency point's series is held: the authority refused the report of number 7: " +
			"10: No.": "Está otra vez en su serie: la serie del punto de contingencia está retenida: la autoridad rechazó el " +
			"informe del número 7: 10: No.",
		"It will not be sent by e-mail: the document that goes with the message could not be made; the operator's log says " +
			"why.": "No se enviará por correo: no se pudo hacer el comprobante que acompaña el mensaje; el registro del " +
			"operador dice por qué.",
		"It is in its series again: currency XYZ cannot be told to ARCA.": "Está otra vez en su serie: la moneda XYZ no se " +
			"puede informar a ARCA.",
		"The document cannot be written as the authority wants it: /Documento/Detalle/NmbItem: it is empty. It was not " +
			"sent and has no number: put that right and issue it again.": "El documento no se puede escribir como lo quiere " +
			"la autoridad: /Documento/Detalle/NmbItem: está vacío. No se envió y no tiene número: corríjalo y emítalo de nuevo.",
		"The document cannot be written as the authority wants it: a character is not in ISO-8859-1: '☂'. It was not " +
			"sent and has no number: put that right and issue it again.": "El documento no se puede escribir como lo quiere " +
			"la autoridad: un carácter no está en ISO-8859-1: '☂'. No se envió y no tiene número: corríjalo y emítalo de nuevo.",
		"the authority has been away for 30 minutes": "la autoridad lleva 30 minutos sin responder",
		"Its number is final: A 5.":                  "Su número es definitivo: A 5.",
	} {
		if got, ok := Spanish(httpapi.Story, english); !ok || got != want {
			t.Errorf("%s\ngot  %s\nwant %s", english, got, want)
		}
	}
}
