"""The pages, one module a kind of run: its function `page(record, work)` makes a `document.Page`."""
