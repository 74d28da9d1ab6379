"""How is a number held? Rationals in, enclosures with rational ends out; balls only in between."""
