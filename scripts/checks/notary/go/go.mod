module stormproof.dev/notary-check

go 1.26.0

require (
	filippo.io/torchwood v0.8.0
	golang.org/x/mod v0.43.0
)

require (
	golang.org/x/crypto v0.44.0 // indirect
	golang.org/x/sync v0.18.0 // indirect
)
