// Command notary-check is what other people's implementations say of a notary's notes, proofs and tiles: golang.org/x/mod's sumdb/note and
// sumdb/tlog, and filippo.io/torchwood.
//
//	notary-check make DIR      writes a tree of records that the Java tests make again, byte for byte
//	notary-check verify DIR    verifies vkey, earlier, checkpoint, proof.tlog-proof, consistency and tile/ in DIR
package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const (
	origin  = "notary-1/cluster/orders/topic-id/0"
	earlier = 300
	later   = 700
	index   = 512
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: notary-check make|verify DIR")
	}
	switch os.Args[1] {
	case "make":
		makeTree(os.Args[2])
	case "verify":
		verify(os.Args[2])
	default:
		log.Fatalf("unknown command %s", os.Args[1])
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// record is the leaf of a record without key, whose value is "record N": docs/FORMAT.md.
func record(n int) []byte {
	value := "record " + strconv.Itoa(n)
	leaf := []byte{1}
	leaf = binary.BigEndian.AppendUint64(leaf, 1_700_000_000_000)
	leaf = binary.BigEndian.AppendUint32(leaf, 0xffffffff)
	leaf = binary.BigEndian.AppendUint32(leaf, uint32(len(value)))
	leaf = append(leaf, value...)
	return binary.BigEndian.AppendUint32(leaf, 0)
}

// hashes holds the stored hashes of a tree in memory.
type hashes []tlog.Hash

func (h hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, at := range indexes {
		out[i] = h[at]
	}
	return out, nil
}

func signer() (note.Signer, string) {
	seed := make([]byte, ed25519.SeedSize)
	for i := range seed {
		seed[i] = byte(i + 1)
	}
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	vkey := must(note.NewEd25519VerifierKey(origin, public))
	id := strings.Split(vkey, "+")[1]
	skey := "PRIVATE+KEY+" + origin + "+" + id + "+" + base64.StdEncoding.EncodeToString(append([]byte{1}, seed...))
	return must(note.NewSigner(skey)), vkey
}

func checkpoint(stored hashes, size int64) []byte {
	signs, _ := signer()
	text := torchwood.Checkpoint{Origin: origin, Tree: tlog.Tree{N: size, Hash: must(tlog.TreeHash(size, stored))}}.String()
	return must(note.Sign(&note.Note{Text: text}, signs))
}

func makeTree(dir string) {
	var stored hashes
	for n := range later {
		stored = append(stored, must(tlog.StoredHashes(int64(n), record(n), stored))...)
	}
	_, vkey := signer()
	write(dir, "vkey", []byte(vkey+"\n"))
	write(dir, "earlier", checkpoint(stored, earlier))
	write(dir, "checkpoint", checkpoint(stored, later))
	proof := "c2sp.org/tlog-proof@v1\nextra " + base64.StdEncoding.EncodeToString(record(index)) +
		"\nindex " + strconv.Itoa(index) + "\n" + lines(must(tlog.ProveRecord(later, index, stored))) + "\n"
	write(dir, "proof.tlog-proof", append([]byte(proof), checkpoint(stored, later)...))
	consistency := "old " + strconv.Itoa(earlier) + "\n" + lines(tlog.RecordProof(must(tlog.ProveTree(later, earlier, stored)))) + "\n"
	write(dir, "consistency", append([]byte(consistency), checkpoint(stored, later)...))
	for _, tile := range tlog.NewTiles(torchwood.TileHeight, 0, later) {
		write(dir, torchwood.TilePath(tile), must(tlog.ReadTileData(tile, stored)))
	}
}

func lines(proof tlog.RecordProof) string {
	var text strings.Builder
	for _, hash := range proof {
		text.WriteString(hash.String() + "\n")
	}
	return text.String()
}

func write(dir, name string, data []byte) {
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		log.Fatal(err)
	}
}

func read(dir, name string) []byte {
	return must(os.ReadFile(filepath.Join(dir, name)))
}

// open verifies a note's signature and reads its checkpoint.
func open(data []byte, verifier note.Verifier) torchwood.Checkpoint {
	opened := must(note.Open(data, note.VerifierList(verifier)))
	head := must(torchwood.ParseCheckpoint(opened.Text))
	if head.Origin != verifier.Name() {
		log.Fatalf("origin %s, signed as %s", head.Origin, verifier.Name())
	}
	return head
}

// split parts a proof at its empty line.
func split(data []byte) ([]string, []byte) {
	head, rest, found := bytes.Cut(data, []byte("\n\n"))
	if !found {
		log.Fatal("no empty line in a proof")
	}
	return strings.Split(string(head), "\n"), rest
}

func parse(lines []string) []tlog.Hash {
	var proof []tlog.Hash
	for _, line := range lines {
		proof = append(proof, must(tlog.ParseHash(line)))
	}
	return proof
}

func verify(dir string) {
	verifier := must(note.NewVerifier(strings.TrimSpace(string(read(dir, "vkey")))))
	before := open(read(dir, "earlier"), verifier)
	last := open(read(dir, "checkpoint"), verifier)
	fmt.Printf("notes: %s, %d and %d records, signed\n", last.Origin, before.N, last.N)

	text, rest := split(read(dir, "proof.tlog-proof"))
	if text[0] != "c2sp.org/tlog-proof@v1" {
		log.Fatalf("a proof of %s", text[0])
	}
	leaf := must(base64.StdEncoding.DecodeString(strings.TrimPrefix(text[1], "extra ")))
	at := must(strconv.ParseInt(strings.TrimPrefix(text[2], "index "), 10, 64))
	head := open(rest, verifier)
	if err := tlog.CheckRecord(parse(text[3:]), head.N, head.Hash, at, tlog.RecordHash(leaf)); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("proof: record %d of %d, %d bytes\n", at, head.N, len(leaf))

	text, rest = split(read(dir, "consistency"))
	old := must(strconv.ParseInt(strings.TrimPrefix(text[0], "old "), 10, 64))
	head = open(rest, verifier)
	if old != before.N {
		log.Fatalf("consistency from %d, the earlier note is of %d", old, before.N)
	}
	if err := tlog.CheckTree(tlog.TreeProof(parse(text[1:])), head.N, head.Hash, before.N, before.Hash); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("consistency: %d begins with %d\n", head.N, before.N)

	tiles := must(torchwood.NewTileFS(os.DirFS(dir)))
	reader := torchwood.TileHashReaderWithContext(context.Background(), last.Tree, tiles)
	if root := must(tlog.TreeHash(last.N, reader)); root != last.Hash {
		log.Fatalf("the tiles make %v", root)
	}
	proven := must(tlog.ProveRecord(last.N, min(at, last.N-1), reader))
	leaves := must(reader.ReadHashes([]int64{tlog.StoredHashIndex(0, min(at, last.N-1))}))
	if err := tlog.CheckRecord(proven, last.N, last.Hash, min(at, last.N-1), leaves[0]); err != nil {
		log.Fatal(err)
	}
	if at < last.N && leaves[0] != tlog.RecordHash(leaf) {
		log.Fatal("the tiles hold another record than the proof")
	}
	fmt.Printf("tiles: root of %d records\n", last.N)
}
