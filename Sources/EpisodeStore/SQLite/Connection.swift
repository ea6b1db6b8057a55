struct Connection {}
