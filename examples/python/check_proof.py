"""Checks a proof of Stormproof: docs/EVIDENCE.md in Python, by its text alone. Needs nothing but Python 3.9.

python3 check_proof.py order.proof --producer-key billing-1:BASE64 --verifier-key auditor-1:BASE64
ends with 0 verified or proven, 1 violated, 2 inconclusive, 64 wrong usage, 65 refused.
"""
import argparse, base64, datetime, hashlib, re, struct, sys

MOST_BYTES, MOST_LINES = 134217728, 1000000
SIGNED = r"verifier (?P<verifier>\S+)\nsignature (?P<signature>\S+)\n"
WHERE, NUMBER = r"time .+\nprogram .+\ncluster .+\ntopic .+\ntopic-id .+\n", r"(?:0|[1-9]\d{0,18})"
NUMBERS = r"\n(?:sequence|offset|checkpoint-offset|more-streams|more-findings|events|proven) (\d+)(?=\n)"
VERDICT = r"verdict (?P<verdict>verified|violated|inconclusive)\n"
RECEIPT = (
    r"stormproof-receipt 1\nsentence (?P<sentence>.+)\nsequence (?P<sequence>#)\n(?:key (?P<key>\S+)\nvalue (?P<value>\S+)|"
    r"event-signature (?P<event>(?:[0-9a-f]{2})+))\n(?P<path>(?:path [0-9a-f]{64}\n)*)checkpoint (?P<checkpoint>\S+)\n(?:"
    + WHERE + r"offset #\ncheckpoint-offset #\n" + VERDICT + r"finding .+\n" + SIGNED + r")?lines .+\n").replace("#", NUMBER)
STATEMENT = (
    r"stormproof-statement 1\nsentence (?P<sentence>.+)\n" + WHERE + r"demanded (?:accidents|tampering)\n(?:since .+\n)?(?:until .+\n)?"
    r"(?:key .+\n)*(?:partition .+\n)+(?:stream .+\n)*(?:more-streams #\n)?(?:open .+\n)*(?:finding .+\n)*(?:more-findings #\n)?"
    r"(?:not-judged .+\n)*events #\nproven #\n" + VERDICT + r"summary .+\n" + SIGNED + r"lines .+\n").replace("#", NUMBER)
# The first 65 bytes of a checkpoint that protects against tampering: docs/FORMAT.md, section 4.
STRONG = (rb"SPCP\x01[\x04-\x07]\x02(?:\x03\x20|[\x80-\xff][^\0])(?!\0{8}).{8}#.{3}(?:\0{16}|(?!\0{8})#.{7}#.{7})#.{3}#.{7}#.{7}(?:\xff{8}|#.{7})"
          .replace(b"#", rb"[\0-\x7f]"))

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

# Ed25519, RFC 8032: verification alone, in extended coordinates (X, Y, Z, T).
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)

def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P

def times(n, p):
    q = (0, 1, 1, 0)
    while n:
        q, p, n = add(q, p) if n & 1 else q, add(p, p), n >> 1
    return q

def point(data):
    y, sign = int.from_bytes(data, "little") & (1 << 255) - 1, data[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT % P
    if y >= P or x * x % P != square or (x == 0 and sign):
        raise ValueError("no point of the curve")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P

def signed(key, data, signature):
    """True if the signature over data is that of a public key, 32 bytes."""
    scalar, base = int.from_bytes(signature[32:], "little"), point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    if len(signature) != 64 or scalar >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + data).digest(), "little") % L
    left, right = times(scalar, base), add(point(signature[:32]), times(h, point(key)))
    return all((left[i] * right[2] - right[i] * left[2]) % P == 0 for i in (0, 1))

def unbase64(text, what):
    data = base64.b64decode(text)
    if base64.b64encode(data).decode() != text:
        raise ValueError(what + ": no base64 in its one form")
    return data

def sized(text, what):
    data = b"" if text in ("-", "=") else unbase64(text, what)
    return struct.pack(">i", -1 if text == "-" else len(data)) + data

def root_of(node, index, last, path):
    for beside in path:
        if last == 0:
            raise ValueError("path: too long")
        while index % 2 == 0 and index == last:
            index, last = index // 2, last // 2
        node = sha256(b"\1", beside, node) if index % 2 else sha256(b"\1", node, beside)
        index, last = index // 2, last // 2
    return node if last == 0 else None

def proven(count, events):
    return "%s of %s event%s %s proven to have arrived once, in order, with key and value unaltered" % (
        f"{count:,}", f"{events:,}", "" if events == 1 else "s", "is" if count == 1 else "are")

def sentence_of_receipt(receipt, lines, key_id, topic, partition, count, created):
    """What the receipt says to people, which it has to say in these words; lines are those of the verdict."""
    at, said = "a time after the year 9999", "whether a log holds it, "
    if created < 253402300800000:
        at = (datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=created // 1000)).isoformat() + "Z"
    text = 'At %s by its own clock, the producer with key "%s" signed event number %s of its stream in topic "%s", partition %d, with the %s below, ' \
        "against tampering." % (at, key_id, receipt["sequence"], topic, partition, "signature" if receipt["event"] else "key and value")
    if receipt["verdict"]:
        said, which = "", {"verified": "of its interval, " + proven(count, count), "violated": "its interval is violated: the finding below names what is wrong",
                           "inconclusive": "its interval is inconclusive: the finding below says why"}[receipt["verdict"]]
        text += ' The verifier "%s" states that it read this event at %s at offset %s of topic "%s", and that %s.' % (
            receipt["verifier"], lines["time"][0], lines["offset"][0], lines["topic"][0], which)
    return text + " Not covered: " + said + "other events, and other headers."

def sentence_of_statement(proof, lines):
    events, count, numbers = int(lines["events"][0]), int(lines["proven"][0]), [one.split(" ")[0] for one in lines["partition"]]
    where = "partition " + numbers[0] if len(numbers) == 1 else "%d partitions from %s to %s" % (len(numbers), numbers[0], numbers[-1])
    since, until = (lines.get(name, [""])[0] for name in ("since", "until"))
    when = "from " + since + (" to " + until if until else " on") if since else "until " + until if until else "in the offsets below"
    strong = lines["demanded"] == ["tampering"] or "stream" in lines and "more-streams" not in lines and all(
        re.fullmatch("(?:[^ ]+ ){3}proven=0 .*|(?:[^ ]+ ){9}strength=tampering .*", one) for one in lines["stream"])
    how = ", as signed by their producers against tampering" if strong else (
        ", under seals that protect against accidents only: anyone who may write to the topic can forge them")
    which = {"violated": "violated: the findings below name what is wrong.", "inconclusive": "inconclusive: of the rest, that could not be decided.",
             "verified": "verified" + ("." if count == events else ", but for the other events: no checkpoint seals them yet.")}[proof["verdict"]]
    return 'The verifier "%s" states that in topic "%s", %s, %s, as read at %s, %s%s. The range is %s Not covered: other headers, %s.' % (
        proof["verifier"], lines["topic"][0], where, when, lines["time"][0], proven(count, events), how if count else "", which,
        "events whose producer never sealed them, and what the not-judged lines below name" if "not-judged" in lines
        else "and events whose producer never sealed them")

def check_receipt(receipt, lines, upstream):
    c = unbase64(receipt["checkpoint"], "checkpoint")
    key_id = c[-65 - c[-65]:-65].decode()
    if key_id not in upstream or not signed(upstream[key_id], c[:-64], c[-64:]):
        raise ValueError("checkpoint: not signed by a key that was given")
    flags, algorithm, size, partition, number, first, count, created, ranges, topic, name = struct.unpack(">5xBxBB8xiqqiq16xHBB", c[:69])
    at, end = 69 + topic + name, 69 + topic + name + 16 * ranges
    uncertain, root = [struct.unpack(">qq", c[i:i + 16]) for i in range(at, end, 16)], c[end:end + 32]
    beyond = first + count + sum(end - begin for begin, end in uncertain)
    steps = [first - 1, *sum(uncertain, ()), beyond + 1]
    body = end + (64 if number else 32) + (count * size if flags & 2 else 0)
    if (not re.match(STRONG, c, re.S) or body != len(c) - 65 - c[-65] or beyond >> 63 or ranges > 1000
            or len(c) > 67108856 or any(a >= b for a, b in zip(steps, steps[1:])) or not re.fullmatch(rb"(?!\.\.?$)[\w.-]{1,249}", c[69:69 + topic])
            or re.search("[\0-\x1f\x7f-\x9f]", c[69 + topic:at].decode())):
        raise ValueError("checkpoint: not protected against tampering, or not in its form")
    if not receipt["event"] and algorithm != 3:
        raise ValueError("value: its signature is the application's own")
    event = bytes.fromhex(receipt["event"] or "") or sha256(*(sized(receipt[part], part) for part in ("key", "value")))
    sequence, path = int(receipt["sequence"]), [bytes.fromhex(line[5:]) for line in receipt["path"].splitlines()]
    index = sequence - first - sum(end - begin for begin, end in uncertain if end <= sequence)
    if not 0 <= index < count or len(event) != size or any(begin <= sequence < end for begin, end in uncertain):
        raise ValueError("sequence: the checkpoint does not state it")
    if root_of(sha256(b"\0", struct.pack(">q", sequence), event), index, count - 1, path) != root:
        raise ValueError("path: it does not lead to the root that the checkpoint states")
    return sentence_of_receipt(receipt, lines, key_id, c[69:69 + topic].decode(), partition, count, created)

def check(data, upstream, verifiers):
    """Returns the verdict that a proof states ('proven' of a receipt without one), and its sentence; raises ValueError."""
    if len(data) > MOST_BYTES or data.count(b"\n") > MOST_LINES:
        raise ValueError("a proof has at most %d bytes and %d lines" % (MOST_BYTES, MOST_LINES))
    raw = data.split(b"\n")
    for number, line in enumerate(raw[:-2], 1):
        if raw[-2][4 * number + 2:4 * number + 6] != hashlib.sha256(line).hexdigest()[:4].encode():
            raise ValueError("line %d: it is not as it was written" % number)
    if raw[-1] or len(raw[-2]) != 6 + 4 * (len(raw) - 2):
        raise ValueError("line %d: it does not tell of the lines before" % (len(raw) - 1))
    text = data.decode()
    receipt = re.fullmatch(RECEIPT, text, re.ASCII)
    proof = receipt or re.fullmatch(STATEMENT, text, re.ASCII)
    if not proof or re.search("[\0-\x09\x0b-\x1f\x7f]", text) or any(int(n) >> 63 for n in re.findall(NUMBERS, text)):
        raise ValueError("the lines are not those of a proof")
    lines = {}
    for name, value in (line.split(" ", 1) for line in text.split("\n")[2:-1]):
        lines.setdefault(name, []).append(value)
    sentence = check_receipt(receipt, lines, upstream) if receipt else sentence_of_statement(proof, lines)
    if proof["sentence"] != sentence:
        raise ValueError("line 2: it does not follow from the other lines, which say: " + sentence)
    if not proof["verdict"]:
        return "proven", sentence
    signature, above = unbase64(proof["signature"], "signature"), data[:data.rindex(b"\nsignature ") + 1]
    if proof["verifier"] not in verifiers or not signed(verifiers[proof["verifier"]], above, signature):
        raise ValueError("signature: not that of a verifier whose key was given")
    return proof["verdict"], sentence

def key(text):
    """Id and bytes of ID:BASE64 of the X.509 form, which ends with the 32 bytes."""
    name, form = text.split(":", 1)
    return name, base64.b64decode(form, validate=True)[-32:]

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.error = lambda reason: parser.exit(64, "%s: %s\n" % (parser.prog, reason))
    parser.add_argument("file", type=argparse.FileType("rb"))
    for option in ("--producer-key", "--verifier-key"):
        parser.add_argument(option, type=key, action="append", default=[])
    given = parser.parse_args()
    try:
        verdict, told = check(given.file.read(MOST_BYTES + 1), dict(given.producer_key), dict(given.verifier_key))
    except Exception as e:  # Unhandled, any would end the program with 1, which says that the verdict is "violated".
        sys.exit(print("REFUSED: %s" % e, file=sys.stderr) or 65)
    print("%s: %s" % (verdict.upper(), told))
    sys.exit({"proven": 0, "verified": 0, "violated": 1, "inconclusive": 2}[verdict])
