struct Sync {}
