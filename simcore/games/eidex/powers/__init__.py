"""Cosmic Eidex played with characters: the table, what each seat knows, the moments at which powers act, and their flow."""
