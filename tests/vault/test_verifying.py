"""verify: a bundle and a certificate are told apart, and what is neither is refused."""

import pytest

import referee
from referee.errors import InputError
from referee.vault.bundle.container import pack, unpack
from referee.vault.certificate.certificate_check import CertificateCheck

TRUTH, ANSWERS = [0, 1] * 30, [0, 1] * 27 + [1, 0] * 3


@pytest.fixture
def bundle(tmp_path):
    return referee.evaluate_predictions(TRUTH, ANSWERS).to_bundle(tmp_path / "kept.zip")


def test_a_bundle_needs_no_key(bundle):
    check = referee.verify(bundle)
    assert check.verdict.outcome.value == "pass"


def test_what_belongs_to_certificates_is_refused_for_a_bundle(bundle, tmp_path):
    with pytest.raises(InputError, match="public_key"):
        referee.verify(bundle, public_key=tmp_path / "signing.pub")
    with pytest.raises(InputError, match="labels"):
        referee.verify(bundle, labels=tmp_path / "labels.csv")


def test_one_entry_makes_it_a_certificate(bundle):
    files = dict(unpack(bundle.read_bytes(), "kept.zip").files)
    bundle.write_bytes(pack({**files, "certificate.dsse.json": b"{}"}))
    check = referee.verify(bundle)
    assert isinstance(check, CertificateCheck)
    assert check.verdict.outcome.value == "fail"
