"""Time stamps: a request that openssl answers, and answers that do not belong to the lock."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import referee
from referee.errors import InputError
from referee.vault.certificate import freeze
from referee.vault.certificate.signing.timestamp import attach_response

sys.path.insert(0, str(Path(__file__).parents[1]))

from certificates import answers, run, seal, write_protocol

AUTHORITY = """
[tsa]
default_tsa = own
[own]
serial = ./serial
signer_cert = ./tsa.crt
signer_key = ./tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
accuracy = secs:1
ess_cert_id_chain = no
[req]
distinguished_name = name
[name]
[stamps]
extendedKeyUsage = critical,timeStamping
"""


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def authority(tmp_path):
    """An authority of our own: openssl with a certificate for time stamps."""
    assert shutil.which("openssl"), "this test needs openssl: apt-get install openssl"
    place = tmp_path / "authority"
    place.mkdir()
    (place / "tsa.cnf").write_text(AUTHORITY)
    (place / "serial").write_text("01\n")
    openssl(
        place, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "tsa.key", "-out",
        "tsa.crt", "-days", "2", "-subj", "/CN=stamps", "-config", "tsa.cnf", "-extensions",
        "stamps",
    )  # fmt: skip

    def answer(request, response):
        openssl(
            place, "ts", "-reply", "-queryfile", str(request), "-out", str(response), "-config",
            "tsa.cnf",
        )  # fmt: skip
        return response

    return answer


def test_request_answer_certificate(tmp_path, authority):
    seal(tmp_path)
    request = tmp_path / "p.tsq"
    lock = freeze(write_protocol(tmp_path), timestamp_request_file=request)
    response = authority(request, tmp_path / "answer.tsr")
    stamp = attach_response(response, lock.content, tmp_path / "protocol.tsr")
    run(tmp_path, answers(tmp_path))
    check = referee.verify(tmp_path / "certificate.zip")
    assert check.verdict.shown, check
    (step,) = (s for s in check.steps if s.name == "time stamp")
    assert step.checked
    assert stamp.time in step.detail
    with pytest.raises(InputError, match="no time stamp of this lock"):
        attach_response(response, lock.content + b" ", tmp_path / "x.tsr")
    with pytest.raises(InputError, match="no answer"):
        attach_response(request, lock.content, tmp_path / "x.tsr")
    assert not (tmp_path / "x.tsr").exists()
