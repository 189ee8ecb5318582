"""Ed25519 signatures after RFC 8032, section 5.1: plain, slow, for test vectors only."""

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)


def digest(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def add(a, b):
    """Points are (X, Y, Z, T) with x = X/Z, y = Y/Z, x*y = T/Z."""
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * D % P
    h = 2 * a[2] * b[2] % P
    return (f - e) * (h - g) % P, (h + g) * (f + e) % P, (h - g) * (h + g) % P, (f - e) * (f + e) % P


def times(scalar, point):
    product = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            product = add(product, point)
        point = add(point, point)
        scalar >>= 1
    return product


def recover_x(y, sign):
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_1 % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        raise ValueError("no point of the curve")
    return P - x if x & 1 != sign else x


BASE_Y = 4 * pow(5, -1, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def compress(point):
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decompress(data):
    number = int.from_bytes(data, "little")
    y, sign = number & (1 << 255) - 1, number >> 255
    x = recover_x(y, sign)
    return x, y, 1, x * y % P


def secret_scalar(seed):
    h = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(h[:32], "little") & (1 << 254) - 8 | 1 << 254
    return scalar, h[32:]


def public_key(seed):
    return compress(times(secret_scalar(seed)[0], BASE))


def sign(seed, message):
    scalar, prefix = secret_scalar(seed)
    key = public_key(seed)
    nonce = digest(prefix, message) % ORDER
    commitment = compress(times(nonce, BASE))
    challenge = digest(commitment, key, message) % ORDER
    return commitment + ((nonce + challenge * scalar) % ORDER).to_bytes(32, "little")


def verify(key, message, signature):
    try:
        point, commitment = decompress(key), decompress(signature[:32])
    except ValueError:
        return False
    response = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or response >= ORDER:
        return False
    challenge = digest(signature[:32], key, message) % ORDER
    return compress(times(response, BASE)) == compress(add(commitment, times(challenge, point)))
