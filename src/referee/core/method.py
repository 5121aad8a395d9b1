"""Method and Catalogue: a statistical method is one object that carries all anyone asks of it.

An interval, a test, an adjustment, a measure, a resampling scheme, a check, a release policy: each
is one `Method` in the file named after it. What ``"auto"`` picks, early refusals, titles and
citations in reports, choices and help of the command line and tables of the documentation are
derived from the `Catalogue` of its kind. Packages add methods by the entry-point group
``referee.methods``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from referee.core.citations import Citation
from referee.core.results import Target
from referee.core.situation import Situation
from referee.errors import InputError, RefereeError, Refusal, named, nearest

__all__ = ["ENTRY_POINTS", "Catalogue", "Method", "suits_everywhere"]

ENTRY_POINTS = "referee.methods"
"""The entry-point group by which other packages offer methods."""


def suits_everywhere(situation: Situation) -> str | None:
    """Refuse nothing."""
    return None


@dataclass(frozen=True)
class Method:
    """What every method carries.

    Attributes
    ----------
    name : str
        How it is chosen: in Python, on the command line, in a results file.
    title : str
        What a paper calls it, as in "intervals are ...".
    citations : tuple of Citation
        Where it was published.
    target : Target or None
        What it speaks about; None where that is what was asked for.
    assumptions : tuple of str
        What must hold for its promise, besides independent cases.
    flag : str
        Why it should not be trusted, where that is so; empty otherwise.
    refusal : callable
        From a situation to the reason and the remedy why it may not be used there, or None.
    aliases : tuple of str
        Other names by which users know it.
    """

    name: str
    _: KW_ONLY
    title: str
    citations: tuple[Citation, ...] = ()
    target: Target | None = None
    assumptions: tuple[str, ...] = ()
    flag: str = ""
    refusal: Callable[[Any], str | None] = suits_everywhere
    aliases: tuple[str, ...] = ()

    @property
    def cited(self) -> str:
        """The title with its references in brackets."""
        works = "; ".join(c.key for c in self.citations)
        return f"{self.title} ({works})" if works else self.title

    def objection(self, situation: Any) -> str | None:
        """Return why ``"auto"`` passes the method over in a situation; None where it suits."""
        return self.refusal(situation)

    def check(self, situation: Any) -> None:
        """Refuse a situation in which the method does not keep its promise."""
        reason = self.refusal(situation)
        if reason is not None:
            raise Refusal(reason)


M = TypeVar("M", bound=Method)


@dataclass(eq=False)
class Catalogue(Mapping[str, M], Generic[M]):
    """The methods of one kind, by name and in a declared order.

    Parameters
    ----------
    kind : type
        What its entries are.
    noun : str
        What an entry is called in messages: "interval", "test".
    argument : str
        The argument by which users choose one.
    entries : methods, in the order in which tables and help list them
    automatic : tuple of str
        The names that ``"auto"`` tries, in this order; empty where there is no such choice.
    families : tuple of callable
        From a name with a parameter in it, as f2 or 10x10, to the method; None for other names.

    Examples
    --------
    >>> tests = Catalogue(Method, "test", "test", (Method("sign", title="the sign test"),))
    >>> tests["sign"].title, list(tests)
    ('the sign test', ['sign'])
    >>> tests.named("sing")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: test 'sing' is unknown; did you mean 'sign'?
    """

    kind: type[M]
    noun: str
    argument: str
    entries: tuple[M, ...] = ()
    automatic: tuple[str, ...] = ()
    families: tuple[Callable[[str], M | None], ...] = ()
    _known: dict[str, M] = field(init=False, repr=False, default_factory=dict)
    _loaded: bool = field(init=False, repr=False, default=False)

    def __post_init__(self) -> None:
        for entry in self.entries:
            self.register(entry)

    def register(self, method: M, *, before: str | None = None) -> M:
        """Add a method; with `before`, ``"auto"`` tries it before that other one.

        A name that is taken is refused, naming the modules of both.
        """
        if not isinstance(method, self.kind):
            got = type(method).__name__
            raise InputError(f"{self.noun} must be a {self.kind.__name__}, got a {got}")
        if method.name == "auto" or method.name in self._known:
            taken = _home(self._known[method.name]) if method.name in self._known else "referee"
            raise InputError(
                f"{self.noun} {method.name!r} of {_home(method)} is already taken by {taken}; "
                "give it another name"
            )
        self._known[method.name] = method
        if before is not None:
            at = self.automatic.index(before)
            self.automatic = (*self.automatic[:at], method.name, *self.automatic[at:])
        return method

    def remove(self, name: str) -> None:
        """Take a method out again, as tests and notebooks do."""
        self._known.pop(name)
        self.automatic = tuple(a for a in self.automatic if a != name)

    def named(self, name: str | M) -> M:
        """Return the method of that name; a method of the right kind is returned as it is."""
        if isinstance(name, self.kind):
            return name
        if not isinstance(name, str):
            raise InputError(
                f"{self.argument} must be the name of a {self.noun} or a {self.kind.__name__}, "
                f"got {name!r}"
            )
        if name in self:
            return self[name]
        if (other := self._also_called(name)) is not None:
            return other
        known = ["auto", *self] if self.automatic else list(self)
        # In Python the noun says it all; on a command line the option at fault is named.
        subject = named(self.argument)
        subject = self.noun if subject == self.argument else subject
        error = InputError(f"{subject} {name!r} is unknown{nearest(name, known)}")
        error.argument, error.value = self.argument, repr(name)
        raise error

    def _also_called(self, name: str) -> M | None:
        for method in self.values():
            if name in method.aliases:
                return method
        return next((m for family in self.families if (m := family(name)) is not None), None)

    def choose(self, situation: Any) -> M:
        """Return the first method, in the declared order, that suits the situation."""
        reasons = []
        for name in self.automatic:
            reason = self[name].objection(situation)
            if reason is None:
                return self[name]
            reasons.append(reason)
        raise Refusal(reasons[-1] if reasons else f"no {self.noun} is known for this situation")

    def table(self) -> list[dict[str, str]]:
        """Return a row for each method: name, title, citation, target, assumptions, flag."""
        return [
            {
                "name": m.name,
                "title": m.title,
                "citation": "; ".join(c.key for c in m.citations),
                "target": "" if m.target is None else m.target.value,
                "assumptions": "; ".join(m.assumptions),
                "flag": m.flag,
            }
            for m in self.values()
        ]

    def __getitem__(self, name: str) -> M:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[str, M]:
        if not self._loaded:
            self._loaded = True
            problems = [problem for m in _offered(self.kind) if (problem := self._taken(m))]
            if problems:
                raise problems[0]
        return self._known

    def _taken(self, method: M) -> RefereeError | None:
        """Register what another package offers; return what speaks against it."""
        try:
            self.register(method)
        except RefereeError as problem:
            return problem
        return None


@cache
def _points() -> tuple[EntryPoint, ...]:
    """Return what installed packages offer; looking through them takes a while."""
    return tuple(entry_points(group=ENTRY_POINTS))


def _offered(kind: type[M]) -> Iterator[M]:
    """Return the methods of one kind that installed packages offer."""
    for point in _points():
        try:
            offer = point.load()
        except Exception as problem:
            raise RefereeError(
                f"the method {point.name!r} of {point.value} cannot be imported: {problem}; "
                "mend or uninstall the package that offers it"
            ) from problem
        if not isinstance(offer, Method):
            raise RefereeError(
                f"the entry point {point.name!r} of {point.value} must name a method (an interval, "
                f"a test, a measure ...), got {type(offer).__name__}; mend the package"
            )
        if isinstance(offer, kind):
            yield offer


def _home(method: Method) -> str:
    """Return the module a method was made in, as far as its functions tell."""
    # A partial function is at home where the whole one is.
    parts = [getattr(part, "func", part) for part in vars(method).values() if callable(part)]
    modules = [str(m) for part in parts if (m := getattr(part, "__module__", None)) is not None]
    own = [m for m in modules if m != __name__] or [type(method).__module__]
    counts = getattr(getattr(method, "of_counts", None), "__module__", None)
    return next((m for m in own if not m.startswith("referee.")), counts or own[-1])
