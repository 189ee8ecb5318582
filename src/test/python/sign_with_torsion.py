"""Signs bytes by a nonce point that has a component of order 2: R = rB + (0, -1).

python3 sign_with_torsion.py SEED < DATA, the seed in hex, with examples/python in PYTHONPATH. Prints the signature in hex. S.B and R + k.A
differ by (0, -1), so that nobody takes it who compares them; who compares multiples of them alone may.
"""
import hashlib
import sys

from check_proof import L, P, add, point, times

BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def encoded(p):
    z = pow(p[2], -1, P)
    x, y = p[0] * z % P, p[1] * z % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def sign(seed, data):
    secret = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(secret[:32], "little") & ((1 << 254) - 8) | 1 << 254
    nonce = int.from_bytes(hashlib.sha512(secret[32:] + data).digest(), "little") % L
    first = encoded(add(times(nonce, BASE), (0, P - 1, 1, 0)))
    key = encoded(times(scalar, BASE))
    hashed = int.from_bytes(hashlib.sha512(first + key + data).digest(), "little") % L
    return first + ((nonce + hashed * scalar) % L).to_bytes(32, "little")


print(sign(bytes.fromhex(sys.argv[1]), sys.stdin.buffer.read()).hex())
