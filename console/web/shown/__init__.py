"""How records are put into words for the pages: pure, so that a page decides nothing itself."""
