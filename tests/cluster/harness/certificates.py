"""The keys and certificates of a test control plane, made once per data directory; they open
nothing else.
"""

import datetime as dt
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

VALID_FOR = dt.timedelta(days=365)
# Clocks of containers and hosts differ by a little.
BACKDATED_BY = dt.timedelta(minutes=5)
SERVICE_ADDRESS = "10.96.0.1"
SERVER_NAMES = ("localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc")
ADMIN_GROUP = "system:masters"


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """A certificate and its key, as files."""

    certificate: Path
    key: Path


class Authority:
    """A certificate authority that lives in a folder; made when the folder has none."""

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.pair = Pair(certificate=folder / f"{name}.crt", key=folder / f"{name}.key")
        if not self.pair.certificate.exists():
            key = _new_key(self.pair.key)
            _write_certificate(self.pair.certificate, _self_signed(name, key))
        self._key = _load_key(self.pair.key)
        self._certificate = x509.load_pem_x509_certificate(self.pair.certificate.read_bytes())

    def server(self, name: str) -> Pair:
        """Return a pair for a server on loopback, the same one at each call."""
        return self._pair(name, (), ExtendedKeyUsageOID.SERVER_AUTH, _server_names())

    def client(self, name: str, groups: Sequence[str] = ()) -> Pair:
        """Return a pair for the user `name` in `groups`, the same one at each call."""
        return self._pair(name, groups, ExtendedKeyUsageOID.CLIENT_AUTH, None)

    def _pair(
        self,
        name: str,
        groups: Sequence[str],
        usage: x509.ObjectIdentifier,
        names: x509.SubjectAlternativeName | None,
    ) -> Pair:
        stem = "-".join([name, *groups]).replace(":", "_").replace("/", "_")
        pair = Pair(certificate=self.folder / f"{stem}.crt", key=self.folder / f"{stem}.key")
        if not pair.certificate.exists():
            builder = _builder(_name(name, groups), self._certificate.subject, _new_key(pair.key))
            builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
            if names is not None:
                builder = builder.add_extension(names, critical=False)
            _write_certificate(pair.certificate, builder.sign(self._key, hashes.SHA256()))
        return pair


def signing_pair(folder: Path) -> Pair:
    """Return the pair (public key, private key) that signs tokens of service accounts."""
    folder.mkdir(parents=True, exist_ok=True)
    pair = Pair(certificate=folder / "service-accounts.pub", key=folder / "service-accounts.key")
    if not pair.certificate.exists():
        public = _new_key(pair.key).public_key()
        pair.certificate.write_bytes(
            public.public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
            )
        )
    return pair


def _server_names() -> x509.SubjectAlternativeName:
    addresses = [ipaddress.ip_address(address) for address in ("127.0.0.1", SERVICE_ADDRESS)]
    return x509.SubjectAlternativeName(
        [*map(x509.DNSName, SERVER_NAMES), *map(x509.IPAddress, addresses)]
    )


def _name(common: str, groups: Sequence[str]) -> x509.Name:
    organizations = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, group) for group in groups]
    return x509.Name([*organizations, x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BACKDATED_BY)
        .not_valid_after(now + VALID_FOR)
    )


def _self_signed(name: str, key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    subject = _name(f"slipway-tests-{name}", ())
    usage = x509.KeyUsage(
        digital_signature=True,
        key_cert_sign=True,
        crl_sign=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
    return (
        _builder(subject, subject, key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .sign(key, hashes.SHA256())
    )


def _new_key(path: Path) -> ec.EllipticCurvePrivateKey:
    key = ec.generate_private_key(ec.SECP256R1())
    path.touch(mode=0o600)
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return key


def _load_key(path: Path) -> ec.EllipticCurvePrivateKey:
    key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise TypeError(f"{path} holds no elliptic-curve key")
    return key


def _write_certificate(path: Path, certificate: x509.Certificate) -> None:
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
