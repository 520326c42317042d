package cl
const notInvoiceable = "not_invoiceable"
