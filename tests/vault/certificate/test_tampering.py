"""Whatever is changed in a certificate, `verify` says so; and others' tools agree."""

import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest

import referee
from referee.errors import InputError
from referee.vault.bundle.container import pack, unpack
from referee.vault.certificate.signing.envelope import sealed_envelope
from referee.vault.certificate.signing.signing_key import create_signing_key, read_signing_key

sys.path.insert(0, str(Path(__file__).parent))

from certificates import whole


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("certificate")
    whole(place, n=30)
    create_signing_key(place / "other.pem")
    return place


def files(folder):
    return dict(unpack((folder / "certificate.zip").read_bytes(), "c.zip").files)


def holds(data, folder, **options):
    path = folder / "changed.zip"
    path.write_bytes(data)
    try:
        return referee.verify(path, **options).verdict.shown
    except InputError:
        return False


def flipped(content, at, bit=1):
    return content[:at] + bytes([content[at] ^ bit]) + content[at + 1 :]


def test_the_certificate_itself_holds(folder):
    data = (folder / "certificate.zip").read_bytes()
    assert holds(data, folder, public_key=folder / "signing.pub")
    assert pack(files(folder)) == data


every_byte = pytest.mark.parametrize(
    "step", [23, pytest.param(1, marks=pytest.mark.slow, id="exhaustive")]
)


@every_byte
def test_every_byte_of_the_archive(folder, step):
    data = (folder / "certificate.zip").read_bytes()
    assert not [at for at in range(0, len(data), step) if holds(flipped(data, at), folder)]


@every_byte
def test_every_byte_of_every_file_packed_again(folder, step):
    """The archive's own checksums are right here: signature, hashes and forms must find it."""
    content = files(folder)
    for name, own in content.items():
        missed = [
            at
            for at in range(0, len(own), step)
            if holds(pack({**content, name: flipped(own, at)}), folder)
        ]
        assert not missed, name


def test_cut_added_and_missing_files(folder):
    data, content = (folder / "certificate.zip").read_bytes(), files(folder)
    assert not holds(data + b"\0", folder)
    assert not holds(data[:-1], folder)
    assert not holds(pack({**content, "more.txt": b"1"}), folder)
    for name in content:
        assert not holds(pack({n: c for n, c in content.items() if n != name}), folder)


def test_another_key_another_statement_another_type(folder):
    content = files(folder)
    key, other = (read_signing_key(folder / f"{n}.pem") for n in ("signing", "other"))
    envelope = json.loads(content["certificate.dsse.json"])
    statement = json.loads(base64.b64decode(envelope["payload"]))

    def with_envelope(made):
        return pack({**content, "certificate.dsse.json": made})

    assert with_envelope(sealed_envelope(statement, key)) == pack(content)  # Ed25519: no chance
    assert not holds(with_envelope(sealed_envelope(statement, other)), folder)
    statement["predicate"]["outcome"] = "FAIL"
    changed = {**envelope, "payload": base64.b64encode(json.dumps(statement).encode()).decode()}
    assert not holds(with_envelope(json.dumps(changed).encode()), folder)
    typed = {**envelope, "payloadType": "application/json"}
    canonical = json.dumps(typed, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    assert not holds(with_envelope(canonical), folder)


@pytest.mark.parametrize(
    "lie",
    [
        lambda p: p.update(outcome="FAIL"),
        lambda p: p.update(sentence="error <= 0.000001 is shown."),
        lambda p: p.update(level=0.99),
        lambda p: p.update(claim="error <= 0.1"),
        lambda p: p["results"][0].update(counts=[1]),
        lambda p: p["results"][0].update(n=1500),
        lambda p: p["results"][0].update(bound=0.01),
        lambda p: p["results"][0].update(p_pass=0.001),
        lambda p: p["results"][0].update(outcome="FAIL"),
        lambda p: p["results"].clear(),
        lambda p: p["protocol"].update(frozen="2020-01-01T00:00:00Z"),
        lambda p: p["signer"].update(name="Somebody Else"),
        lambda p: p["data"].update(commitment="0" * 64),
        lambda p: p["files"].pop("ledger.json"),
        lambda p: p.update(excluded=3),
        lambda p: p.update(more=1),
    ],
)
def test_even_the_signer_cannot_state_what_does_not_follow(folder, lie):
    content = files(folder)
    key = read_signing_key(folder / "signing.pem")
    payload = base64.b64decode(json.loads(content["certificate.dsse.json"])["payload"])
    statement = json.loads(payload)
    lie(statement["predicate"])
    made = sealed_envelope(statement, key)
    assert not holds(pack({**content, "certificate.dsse.json": made}), folder)


def test_a_public_key_from_elsewhere_decides(folder):
    check = referee.verify(folder / "certificate.zip", public_key=folder / "other.pub")
    assert not check.verdict.shown
    assert "another signer" in check.verdict.sentence


def test_a_bundle_takes_no_public_key(folder, tmp_path):
    path = referee.evaluate_predictions([0, 1] * 10, [0, 1] * 10).to_bundle(tmp_path / "e.zip")
    assert referee.verify(path).verdict.shown
    with pytest.raises(InputError, match="is no certificate"):
        referee.verify(path, public_key=folder / "signing.pub")


ALONE = """
import json, sys
from google.protobuf import json_format
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement
from in_toto_attestation.predicates.test_result.v0 import test_result_pb2
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

folder = sys.argv[1]
key = SSlibKey.from_crypto(load_pem_public_key(open(folder + "/signing.pub", "rb").read()))
for name in ("certificate", "test-result"):
    envelope = Envelope.from_dict(json.load(open(f"{folder}/files/{name}.dsse.json")))
    envelope.verify([key], 1)
    assert envelope.payload_type == "application/vnd.in-toto+json"
    message = json_format.Parse(envelope.payload, statement_pb2.Statement())
    statement = Statement.copy_from_pb(message)
    statement.validate()
    print(message.predicate_type, len(message.subject))
    if name == "test-result":
        result = test_result_pb2.TestResult()
        predicate = json_format.MessageToDict(message.predicate)
        json_format.ParseDict(predicate, result)
        print(result.result, list(result.passed_tests))
assert not [name for name in sys.modules if name.startswith("referee")]
"""


def test_others_tools_verify_it_alone(folder):
    """securesystemslib and in-toto-attestation, in a process that never loads referee."""
    place = folder / "files"
    place.mkdir(exist_ok=True)
    for name, content in files(folder).items():
        (place / name).write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-I", "-c", ALONE, str(folder)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "urn:referee:certificate:1 3",
        "https://in-toto.io/attestation/test-result/v0.1 3",
        "PASSED ['error <= 0.2 (all cases)']",
    ]
    for name in ("certificate", "test-result"):
        path = place / f"{name}.dsse.json"
        record = json.loads(path.read_text())
        record["payloadType"] = "application/json"
        path.write_text(json.dumps(record))
        refused = subprocess.run(
            [sys.executable, "-I", "-c", ALONE, str(folder)], capture_output=True, text=True
        )
        assert "VerificationError" in refused.stderr
