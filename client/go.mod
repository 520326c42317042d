module example.com/folio/client

go 1.26.0
