"""XXH3 of 64 and of 128 bits, seed 0: by the xxhash package if it is there, else by what follows.

Written from https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md; slow, but enough for test vectors.
"""

try:
    from xxhash import xxh3_64_intdigest as package_hash
    from xxhash import xxh3_128_intdigest as package_hash128
except ImportError:
    package_hash = package_hash128 = None

MASK = (1 << 64) - 1
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
MX1, MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)


def word(data, at):
    return int.from_bytes(data[at : at + 8], "little")


def half(data, at):
    return int.from_bytes(data[at : at + 4], "little")


def fold(a, b):
    product = a * b
    return (product & MASK) ^ (product >> 64)


def avalanche(h):
    h ^= h >> 37
    h = h * MX1 & MASK
    return h ^ h >> 32


def avalanche64(h):
    h ^= h >> 33
    h = h * P64_2 & MASK
    h ^= h >> 29
    h = h * P64_3 & MASK
    return h ^ h >> 32


def swapped(value, size):
    return int.from_bytes(value.to_bytes(size, "little"), "big")


def rotated(value, bits):
    return (value << bits | value >> 64 - bits) & MASK


def mix(data, at, secret_at):
    return fold(word(data, at) ^ word(SECRET, secret_at), word(data, at + 8) ^ word(SECRET, secret_at + 8))


def up_to_16(data):
    size = len(data)
    if size == 0:
        return avalanche64(word(SECRET, 56) ^ word(SECRET, 64))
    if size <= 3:
        combined = data[0] << 16 | data[size >> 1] << 24 | data[size - 1] | size << 8
        return avalanche64(combined ^ half(SECRET, 0) ^ half(SECRET, 4))
    if size <= 8:
        first, last = half(data, 0), half(data, size - 4)
        h = (last + (first << 32)) ^ word(SECRET, 8) ^ word(SECRET, 16)
        h ^= rotated(h, 49) ^ rotated(h, 24)
        h = h * MX2 & MASK
        h ^= (h >> 35) + size
        h = h * MX2 & MASK
        return h ^ h >> 28
    low = word(data, 0) ^ word(SECRET, 24) ^ word(SECRET, 32)
    high = word(data, size - 8) ^ word(SECRET, 40) ^ word(SECRET, 48)
    return avalanche((size + swapped(low, 8) + high + fold(low, high)) & MASK)


def up_to_128(data):
    size = len(data)
    total = size * P64_1
    for i in range((size - 1) // 32 + 1):
        total += mix(data, 16 * i, 32 * i) + mix(data, size - 16 * (i + 1), 32 * i + 16)
    return avalanche(total & MASK)


def up_to_240(data):
    size = len(data)
    total = size * P64_1
    for i in range(8):
        total += mix(data, 16 * i, 16 * i)
    total = avalanche(total & MASK)
    for i in range(8, size // 16):
        total += mix(data, 16 * i, 16 * (i - 8) + 3)
    total += mix(data, size - 16, 136 - 17)
    return avalanche(total & MASK)


def accumulate(lanes, data, at, secret_at):
    for i in range(8):
        value = word(data, at + 8 * i)
        key = value ^ word(SECRET, secret_at + 8 * i)
        lanes[i ^ 1] = (lanes[i ^ 1] + value) & MASK
        lanes[i] = (lanes[i] + (key & 0xFFFFFFFF) * (key >> 32)) & MASK


def accumulated(data):
    """The eight lanes behind the last stripe of more than 240 bytes."""
    size = len(data)
    lanes = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]
    stripes = (size - 1) // 64
    per_block = (len(SECRET) - 64) // 8
    for stripe in range(stripes):
        accumulate(lanes, data, 64 * stripe, 8 * (stripe % per_block))
        # Scrambled after each full block.
        if stripe % per_block == per_block - 1:
            for i in range(8):
                lane = lanes[i]
                lane ^= lane >> 47
                lane ^= word(SECRET, len(SECRET) - 64 + 8 * i)
                lanes[i] = lane * P32_1 & MASK
    accumulate(lanes, data, size - 64, len(SECRET) - 64 - 7)
    return lanes


def merged(lanes, secret_at, total):
    for i in range(4):
        at = secret_at + 16 * i
        total += fold(lanes[2 * i] ^ word(SECRET, at), lanes[2 * i + 1] ^ word(SECRET, at + 8))
    return avalanche(total & MASK)


def longer(data):
    return merged(accumulated(data), 11, len(data) * P64_1)


def own_hash(data):
    size = len(data)
    if size <= 16:
        return up_to_16(data)
    if size <= 128:
        return up_to_128(data)
    return up_to_240(data) if size <= 240 else longer(data)


def xxh3(data):
    """The hash as 8 bytes, big endian (the canonical form of the reference implementation)."""
    return (package_hash(data) if package_hash else own_hash(data)).to_bytes(8, "big")


# 128 bits: pairs of numbers, the low one first.


def up_to_16_of_128(data):
    size = len(data)
    if size == 0:
        return avalanche64(word(SECRET, 64) ^ word(SECRET, 72)), avalanche64(word(SECRET, 80) ^ word(SECRET, 88))
    if size <= 3:
        low = data[0] << 16 | data[size >> 1] << 24 | data[size - 1] | size << 8
        high = swapped(low, 4)
        high = (high << 13 | high >> 19) & 0xFFFFFFFF
        return (
            avalanche64(low ^ half(SECRET, 0) ^ half(SECRET, 4)),
            avalanche64(high ^ half(SECRET, 8) ^ half(SECRET, 12)),
        )
    if size <= 8:
        keyed = half(data, 0) + (half(data, size - 4) << 32) ^ word(SECRET, 16) ^ word(SECRET, 24)
        product = keyed * (P64_1 + (size << 2))
        low, high = product & MASK, product >> 64
        high = high + (low << 1) & MASK
        low ^= high >> 3
        low = (low ^ low >> 35) * MX2 & MASK
        return low ^ low >> 28, avalanche(high)
    first, last = word(data, 0), word(data, size - 8)
    product = (first ^ last ^ word(SECRET, 32) ^ word(SECRET, 40)) * P64_1
    low, high = (product & MASK) + (size - 1 << 54) & MASK, product >> 64
    last ^= word(SECRET, 48) ^ word(SECRET, 56)
    high = high + last + (last & 0xFFFFFFFF) * (P32_2 - 1) & MASK
    low ^= swapped(high, 8)
    product = low * P64_2
    return avalanche(product & MASK), avalanche((product >> 64) + high * P64_2 & MASK)


def mix_pair(pair, data, first, second, secret_at):
    low = pair[0] + mix(data, first, secret_at) & MASK
    high = pair[1] + mix(data, second, secret_at + 16) & MASK
    return (
        low ^ (word(data, second) + word(data, second + 8) & MASK),
        high ^ (word(data, first) + word(data, first + 8) & MASK),
    )


def up_to_240_of_128(data):
    size = len(data)
    pair = size * P64_1 & MASK, 0
    if size <= 128:
        for i in range((size - 1) // 32, -1, -1):
            pair = mix_pair(pair, data, 16 * i, size - 16 * (i + 1), 32 * i)
    else:
        for at in range(0, 128, 32):
            pair = mix_pair(pair, data, at, at + 16, at)
        pair = avalanche(pair[0]), avalanche(pair[1])
        for at in range(128, size - 31, 32):
            pair = mix_pair(pair, data, at, at + 16, at - 128 + 3)
        pair = mix_pair(pair, data, size - 16, size - 32, 136 - 17 - 16)
    low = pair[0] + pair[1] & MASK
    high = pair[0] * P64_1 + pair[1] * P64_4 + size * P64_2 & MASK
    return avalanche(low), -avalanche(high) & MASK


def own_hash128(data):
    size = len(data)
    if size <= 16:
        low, high = up_to_16_of_128(data)
    elif size <= 240:
        low, high = up_to_240_of_128(data)
    else:
        lanes = accumulated(data)
        low = merged(lanes, 11, size * P64_1)
        high = merged(lanes, len(SECRET) - 64 - 11, ~(size * P64_2) & MASK)
    return high << 64 | low


def xxh3_128(data):
    """The hash of 128 bits as 16 bytes, big endian (canonical too: the high half first)."""
    return (package_hash128(data) if package_hash128 else own_hash128(data)).to_bytes(16, "big")
