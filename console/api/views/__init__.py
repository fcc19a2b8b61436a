"""One view an address: read the request, call a service or a selector, write the answer."""
