// Package arca speaks to ARCA (formerly AFIP), Argentina's tax authority: WSAA for
// tickets, WSFEv1 for electronic invoices and codes given ahead (CAEA), WSFEXv1 for
// exports, and WSCDC to confirm what suppliers issued.
//
// It knows the protocol and nothing of Folio: vouchers go out with the element names
// of the service's WSDL, verdicts and errors come back with a type that says whether
// the authority may have processed the request. Sources: WSAA specification 1.2.2,
// WSFEv1 developer's manual v4.8 ("Proyecto FE", RG 4291) and its WSDL.
//
// Dates of vouchers are text yyyymmdd in Argentine time (UTC-3); amounts are exact
// decimals in the currency of the voucher, rates are pesos per unit.
package arca
