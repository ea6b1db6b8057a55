struct TransferLoop {}
