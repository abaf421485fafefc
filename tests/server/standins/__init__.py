"""Other programs, as far as a server can see them, written from what is published of them."""
