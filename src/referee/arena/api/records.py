"""What requests hold and responses look like, as the OpenAPI document has them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from referee.arena.accounts.account import Account
from referee.arena.benchmark.benchmarks import Benchmark

__all__ = [
    "AccountRecord",
    "BenchmarkRecord",
    "BoardRecord",
    "Credentials",
    "Deadline",
    "FinalBoardRecord",
    "Finals",
    "LinkRequest",
    "LogRecord",
    "NewTokenRecord",
    "SubmissionRecord",
    "TokenRequest",
    "account_record",
    "benchmark_record",
]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Credentials(_Strict):
    """A name and a password."""

    name: str = Field(max_length=200)
    password: str = Field(max_length=1000)


class TokenRequest(Credentials):
    """The same, and what the token is for."""

    label: str = Field(default="", max_length=200)


class Finals(_Strict):
    """Up to two submissions."""

    ids: list[str] = Field(max_length=10)


class Deadline(_Strict):
    """A later deadline."""

    closes: str = Field(max_length=60)


class LinkRequest(_Strict):
    """The account whose tries are to be shared."""

    to: str = Field(max_length=200)


class AccountRecord(BaseModel):
    """An account."""

    name: str
    role: str
    state: str
    created_at: str


class NewTokenRecord(BaseModel):
    """A token, shown once."""

    id: str
    label: str
    token: str


class BenchmarkRecord(BaseModel):
    """A benchmark."""

    slug: str
    name: str
    version: int
    versions: int
    state: str
    opens_at: str
    closes_at: str | None
    measure: str
    greater_is_better: bool
    baseline: float
    baseline_words: str
    step: float
    level: float
    classes: list[str]
    id_column: str
    target: str
    columns: list[str]
    n_test: int
    n_public: int
    grouped: bool
    per_day: int
    total: int
    looks: int
    rules: str
    commitment: str
    files: dict[str, str]


class ReleasedRecord(BaseModel):
    """What a look released."""

    measure: str
    value: float
    interval: list[float] = Field(min_length=2, max_length=2)
    level: float
    looks: int
    releases: int


class RemainingRecord(BaseModel):
    """Tries that are left."""

    today: int
    total: int


class ReceiptRecord(BaseModel):
    """Proof of a submission: the link of the chain, signed by the arena."""

    chain: str
    signature: str
    number: int
    entry: str


class SubmissionRecord(BaseModel):
    """A submission and what it was answered."""

    id: str
    received_at: str
    sha256: str
    improved: bool
    released: ReleasedRecord | None
    remaining: RemainingRecord
    receipt: ReceiptRecord


class BoardEntryRecord(BaseModel):
    """A team on the board."""

    team: str
    value: float | None
    interval: list[float] | None
    tier: int | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    looks: int
    releases: int
    last_improved: str | None
    bucket: str | None


class BoardRecord(BaseModel):
    """A board."""

    benchmark: str
    version: int
    state: str
    updated_at: str
    measure: str
    greater_is_better: bool
    baseline: float
    level: float
    interval_holds: str
    looks: int
    teams: int
    entries: list[BoardEntryRecord]


class FinalScoreRecord(BaseModel):
    """A final on the private half."""

    id: str
    predictions: str
    value: float
    interval: list[float]
    public: float | None


class FinalEntryRecord(BaseModel):
    """A team at the end."""

    team: str
    value: float | None
    interval: list[float] | None
    public: float | None
    gap: float | None
    tier: int | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    p_leader: float | None
    looks: int
    releases: int
    finals: list[FinalScoreRecord]


class FinalBoardRecord(BaseModel):
    """A final board, as it was signed."""

    benchmark: str
    name: str
    version: int
    finished_at: str
    measure: str
    greater_is_better: bool
    level: float
    private_cases: int
    n: int | None
    finals: int
    test: str | None
    adjustment: str
    interval_holds: str
    looks: int
    commitment: str
    referee: str
    entries: list[FinalEntryRecord]


class LogRecord(BaseModel):
    """An entry of the log."""

    number: int
    time: str
    kind: str
    content: dict[str, Any]
    hash: str


def account_record(account: Account) -> AccountRecord:
    """Return an account as the API gives it."""
    return AccountRecord(
        name=account.name,
        role=account.role.value,
        state=account.state.value,
        created_at=account.created_at,
    )


def benchmark_record(benchmark: Benchmark, now: str) -> BenchmarkRecord:
    """Return a benchmark as the API gives it."""
    definition = benchmark.definition
    grid = definition.grid
    return BenchmarkRecord(
        slug=benchmark.slug,
        name=benchmark.name,
        version=benchmark.number,
        versions=benchmark.versions,
        state=benchmark.phase(now),
        opens_at=benchmark.opens_at,
        closes_at=benchmark.closes_at,
        measure=definition.measure.name,
        greater_is_better=definition.greater_is_better,
        baseline=definition.start,
        baseline_words=definition.baseline.words,
        step=abs(grid.value(1) - grid.value(0)),
        level=definition.level,
        classes=list(definition.classes),
        id_column=definition.id_column,
        target=definition.target,
        columns=[definition.id_column, *definition.score_columns],
        n_test=definition.n,
        n_public=definition.n_public,
        grouped=definition.grouped,
        per_day=benchmark.per_day,
        total=benchmark.total,
        looks=benchmark.looks,
        rules=benchmark.rules,
        commitment=definition.commitment,
        files=dict(definition.files),
    )
