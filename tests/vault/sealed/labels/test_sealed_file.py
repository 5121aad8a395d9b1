"""The byte format of docs/vault.md, read by a second program written from that page alone."""

import hashlib
import hmac
import json
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from referee.errors import InputError
from referee.vault.sealed import Vault
from referee.vault.sealed.labels.sealed_file import FORMAT, parse_sealed_file, seal_bytes

sys.path.insert(0, str(Path(__file__).parents[1]))

from vaults import data, make


def hkdf(secret, salt, info):
    """Return RFC 5869 with SHA-256, one block."""
    extracted = hmac.digest(salt, secret, "sha256")
    return hmac.digest(extracted, info + b"\x01", "sha256")


def read_as_documented(data, secret):
    magic, version, zero, length = struct.unpack_from(">8sHHI", data)
    assert (magic, version, zero) == (b"REFVAULT", 1, 0)
    header = json.loads(data[16 : 16 + length])
    nonce = data[16 + length : 28 + length]
    (size,) = struct.unpack_from(">Q", data, 28 + length)
    start = 36 + length
    assert len(data) == start + size
    key = hkdf(secret, bytes.fromhex(header["vault"]), b"referee vault 1 labels")
    plain = AESGCM(key).decrypt(nonce, data[start:], data[:start])
    salt, n, long = struct.unpack_from(">32sII", plain)
    classes = json.loads(plain[40 : 40 + long])
    codes = struct.unpack_from(f">{n}I", plain, 40 + long)
    assert len(plain) == 40 + long + 4 * n
    return header, salt, classes, codes


def secret_of(key_file):
    first, _, key = key_file.read_text().splitlines()
    assert first == "referee vault key, format 1"
    return bytes.fromhex(key.removeprefix("key "))


def test_the_labels_are_read_by_a_second_program(tmp_path):
    vault = make(tmp_path)
    content = (vault.directory / "labels.sealed").read_bytes()
    header, salt, classes, codes = read_as_documented(content, secret_of(tmp_path / "key"))
    X, y = data()
    inputs = vault.test_inputs["x0"].to_numpy()
    right = [str(y[np.argmin(np.abs(X[:, 0] - x))]) for x in inputs]
    assert [classes[code] for code in codes] == right
    assert header["ids"] == [str(k + 1) for k in range(20)]
    pairs = json.dumps(
        [[i, c] for i, c in zip(header["ids"], right, strict=True)], separators=(",", ":")
    )
    assert hashlib.sha256(salt + pairs.encode()).hexdigest() == header["commitment"]
    named = [hashlib.sha256(bytes.fromhex(header["class_salt"]) + c.encode()) for c in classes]
    assert [digest.hexdigest() for digest in named] == header["classes"]
    key_check = hkdf(
        secret_of(tmp_path / "key"), bytes.fromhex(header["vault"]), b"referee vault 1 check"
    )
    assert key_check[:16].hex() == header["key_check"]


def test_a_passphrase_is_stretched_by_scrypt_as_documented(tmp_path):
    vault = make(tmp_path, key=None, passphrase="correct horse")
    content = (vault.directory / "labels.sealed").read_bytes()
    length = struct.unpack_from(">I", content, 12)[0]
    how = json.loads(content[16 : 16 + length])["stretching"]
    assert (how["n"], how["r"], how["p"]) == (2**17, 8, 1)
    salt = bytes.fromhex(how["salt"])
    secret = Scrypt(salt=salt, length=32, n=2**17, r=8, p=1).derive(b"correct horse")
    assert len(read_as_documented(content, secret)[3]) == 20
    with pytest.raises(InvalidTag):
        read_as_documented(content, bytes(32))


def test_nothing_in_the_clear_depends_on_who_has_which_label(tmp_path):
    """The same cases with other secret labels: the clear part differs in random numbers only."""
    X, y = data()
    clear = []
    for k, secret in enumerate((y[:20], np.ones(20, dtype=int))):
        place = tmp_path / f"v{k}"
        Vault.seal(X, y, test=(X[:20], secret), out=place, key=tmp_path / f"k{k}", random_state=0)
        content = (place / "labels.sealed").read_bytes()
        length = struct.unpack_from(">I", content, 12)[0]
        header = json.loads(content[16 : 16 + length])
        random = ("vault", "class_salt", "classes", "commitment", "key_check", "created")
        clear.append((len(content), {k: v for k, v in header.items() if k not in random}))
    assert clear[0] == clear[1]


@pytest.mark.parametrize("cut", [0, 7, 8, 15, 16, 40, -1])
def test_a_piece_of_a_file_is_refused(cut):
    content = seal_bytes({"n": 1}, b"secret", bytes(32))
    with pytest.raises(InputError, match="restore"):
        parse_sealed_file(content[:cut], "labels.sealed")
    with pytest.raises(InputError, match="restore"):
        parse_sealed_file(content + b"\0", "labels.sealed")


def test_a_newer_format_is_refused_with_the_remedy():
    content = bytearray(seal_bytes({"n": 1}, b"secret", bytes(32)))
    content[9] = FORMAT + 1
    with pytest.raises(InputError, match=r"format 2, and this referee reads format 1.*newer"):
        parse_sealed_file(bytes(content), "labels.sealed")


def test_every_changed_byte_keeps_the_labels_shut():
    """Whatever the header says after the change, GCM refuses: header, nonce, length and tag."""
    content = seal_bytes({"n": 1}, b"secret", bytes(32))
    for at in range(len(content)):
        changed = bytearray(content)
        changed[at] ^= 1 + at % 255
        with pytest.raises(InputError):
            parse_sealed_file(bytes(changed), "labels.sealed").decrypt(bytes(32))
