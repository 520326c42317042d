package cl

import (
	"fmt"
	"slices"

	"folio/country"
	"folio/money"
)

// checkHeader reads additional_header_info and asks what this kind of document may
// and must say there.
func (c *checker) checkHeader() {
	h, wrong := ParseHeader(c.d.HeaderInfo)
	c.header = h
	c.Reading(wrong, func() { c.checkMembers(h) })
}

func (c *checker) checkMembers(h Header) {
	c.told(country.HeaderPath("seller"), h.Seller, 60)
	c.checkTransport(*h.Transport)
	if h.DispatchType < 0 || h.DispatchType > 3 || c.kind.isReceipt() && h.DispatchType != 0 {
		c.Add(country.HeaderPath("dispatch_type"), "CL-HEADER-03",
			"it is 1 (by the buyer), 2 (to the buyer) or 3 (to somebody else), and boletas have none")
	}
	if !c.known {
		return
	}
	guide := c.kind.Code == codeDispatch
	switch {
	case guide && (h.TransferType < 1 || h.TransferType > 9):
		c.Add(country.HeaderPath("transfer_type"), "CL-HEADER-02",
			"a guía de despacho says why goods move (IndTraslado): 1 sale, 2 sale to be made, 3 consignment, 4 free "+
				"delivery, 5 internal move, 6 other move that is no sale, 7 return, 8 and 9 export")
	case !guide && h.TransferType != 0:
		c.Add(country.HeaderPath("transfer_type"), "CL-HEADER-02", "only a guía de despacho has a transfer_type")
	}
	if allowed := c.services(); h.ServiceIndicator != 0 && !slices.Contains(allowed, h.ServiceIndicator) {
		c.Add(country.HeaderPath("service_indicator"), "CL-HEADER-04", "IndServicio of %s is from %d to %d",
			c.kind.InvoiceType, allowed[0], allowed[len(allowed)-1])
	}
	c.checkGeoReference(h.GeoReference)
	if c.kind.isReceipt() && (*h.Transport != (Transport{}) || h.Seller != "") {
		c.Add(country.HeaderPath("transport"), "CL-HEADER-05", "boletas have neither transport nor seller")
	}
}

// maxGeo is the length of LatitudEmision and LongitudEmision. That of SistemaReferencia is
// not known; it is held to the same.
const maxGeo = 30

// checkGeoReference: only a boleta says where it was issued, by both coordinates. The format
// names no notation, so the texts are told as they are.
func (c *checker) checkGeoReference(g *GeoReference) {
	if g == nil {
		return
	}
	if !c.kind.isReceipt() {
		c.Add(country.HeaderPath("geo_reference"), "CL-HEADER-06", "only boletas say where they were issued (GeoRefEmision)")
		return
	}
	for _, x := range []struct {
		member, text string
		required     bool
	}{{"latitude", g.Latitude, true}, {"longitude", g.Longitude, true}, {"system", g.System, false}} {
		path := country.HeaderPath("geo_reference." + x.member)
		c.told(path, x.text, maxGeo)
		if x.required && country.Blank(x.text) {
			c.Add(path, "CL-HEADER-06", "latitude and longitude are both needed; leave geo_reference out when they are not known")
		}
	}
}

// services are the values of IndServicio: boletas must have one, see serviceIndicator.
func (c *checker) services() []int {
	switch {
	case c.kind.isReceipt():
		return []int{1, 2, 3, 4}
	case c.kind.isExport():
		return []int{3, 4, 5}
	}
	return []int{1, 2, 3}
}

func (c *checker) checkTransport(t Transport) {
	c.told(country.HeaderPath("transport.plate"), t.Plate, 8)
	c.told(country.HeaderPath("transport.driver_name"), t.DriverName, 30)
	c.told(country.HeaderPath("transport.address"), t.Address, maxAddress)
	c.told(country.HeaderPath("transport.comuna"), t.Comuna, maxPlace)
	c.told(country.HeaderPath("transport.city"), t.City, maxPlace)
	c.rut(country.HeaderPath("transport.carrier_rut"), t.CarrierRUT)
	c.rut(country.HeaderPath("transport.driver_rut"), t.DriverRUT)
	const both = "a driver has both driver_rut and driver_name"
	switch named := !country.Blank(t.DriverName); {
	case named && t.DriverRUT == "":
		c.Add(country.HeaderPath("transport.driver_rut"), "CL-HEADER-05", both)
	case !named && t.DriverRUT != "":
		c.Add(country.HeaderPath("transport.driver_name"), "CL-HEADER-05", both)
	}
}

// rut verifies an optional RUT of a carrier or a driver.
func (c *checker) rut(path, text string) {
	if text == "" {
		return
	}
	switch rut, err := ParseRUT(text); {
	case err != nil:
		c.Add(path, "CL-RUT-01", "%s", err)
	case rut == UnnamedRUT: // FMT: of a boleta whose buyer is not named
		c.Add(path, "CL-RUT-01", "%s stands for a buyer who is not named, and for nobody else: give the RUT itself", rut)
	}
}

// checkExport reads additional_export_info; only exports have it.
func (c *checker) checkExport() {
	e, wrong := ParseExport(c.d.ExportInfo)
	c.export = e
	c.Reading(wrong, func() { c.checkSale(e) })
}

func (c *checker) checkSale(e Export) {
	if c.known && !c.kind.isExport() && !country.IsNull(c.d.ExportInfo) {
		c.Add("additional_export_info", "CL-EXPORT-02", "only export documents (FXE, NDX, NCX) have it")
		return
	}
	c.told(country.ExportPath("nationality"), e.Nationality, 3)
	c.told(country.ExportPath("vessel"), e.Vessel, 40)
	c.rut(country.ExportPath("carrier_rut"), e.CarrierRUT)
	c.told(country.ExportPath("carrier_name"), e.CarrierName, 40)
	c.told(country.ExportPath("booking"), e.Booking, 20)
	c.told(country.ExportPath("operator"), e.Operator, 20)
	for _, x := range []struct {
		name   string
		value  int64
		digits int
	}{
		{"payment_form", int64(e.PaymentForm), 2}, {"sale_mode", int64(e.SaleMode), 2},
		{"sale_clause", int64(e.SaleClause), 2},
		{"transport_route", int64(e.TransportRoute), 2}, {"port_of_loading", int64(e.PortOfLoading), 4},
		{"port_of_discharge", int64(e.PortOfDischarge), 4}, {"tare", e.Tare, 7}, {"tare_unit", int64(e.TareUnit), 2},
		{"gross_weight_unit", int64(e.GrossWeightUnit), 2}, {"net_weight_unit", int64(e.NetWeightUnit), 2},
		{"total_items", e.TotalItems, 18}, {"total_packages", e.TotalPackages, 18},
		{"recipient_country", int64(e.RecipientCountry), 3}, {"destination_country", int64(e.DestinationCountry), 3},
	} {
		c.code(country.ExportPath(x.name), x.value, x.digits)
	}
	for _, x := range []struct {
		name             string
		value            money.Decimal
		digits, decimals int
	}{
		{"clause_total", e.ClauseTotal, 13, 2}, {"gross_weight", e.GrossWeight, 8, 2}, {"net_weight", e.NetWeight, 8, 2},
		{"freight", e.Freight, 13, 4}, {"insurance", e.Insurance, 13, 4},
	} {
		if x.value.Sign() < 0 || x.value.WholeDigits() > x.digits || x.value.Decimals() > x.decimals {
			c.Add(country.ExportPath(x.name), "CL-EXPORT-03", "it must be 0 or above, with at most %d digits before and %d "+
				"after the point", x.digits, x.decimals)
		}
	}
	c.checkPackages(e.Packages)
}

// code bounds one of customs' numbers; 0 stands for none.
func (c *checker) code(path string, value int64, digits int) {
	if value < 0 || len(fmt.Sprint(value)) > digits {
		c.Add(path, "CL-EXPORT-03", "it must be a number of at most %d digits", digits)
	}
}

func (c *checker) checkPackages(list []Package) {
	if len(list) > 10 {
		c.Add(country.ExportPath("packages"), "CL-EXPORT-04", "it has %d kinds of package, at most 10 are allowed", len(list))
	}
	for i, p := range list {
		path := fmt.Sprintf("%s[%d].", country.ExportPath("packages"), i)
		c.code(path+"type", int64(p.Type), 3)
		c.code(path+"count", p.Count, 10)
		c.told(path+"marks", p.Marks, 255)
		c.told(path+"container", p.Container, 25)
		c.told(path+"seal", p.Seal, 20)
		c.told(path+"seal_issuer", p.SealIssuer, 70)
	}
}
