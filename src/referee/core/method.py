"""Method and Catalogue: a statistical method is one object that carries all anyone asks of it.

An interval, a test, an adjustment, a measure, a resampling scheme, a check, a release policy: each
is one `Method` in the file named after it. What ``"auto"`` picks, early refusals, titles and
citations in reports, choices and help of the command line and tables of the documentation are
derived from the `Catalogue` of its kind. Packages add methods by the entry-point group
``referee.methods``.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, MISSING, Field, dataclass, field, fields
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from numbers import Real
from typing import Any, ClassVar, Generic, TypeVar, cast

from referee.core.citations import Citation
from referee.core.results import Evidence, Interval, Target
from referee.core.situation import Situation
from referee.errors import InputError, RefereeError, Refusal, named, nearest

__all__ = [
    "ENTRY_POINTS",
    "Catalogue",
    "Method",
    "answered",
    "answered_evidence",
    "answered_interval",
    "load_offers",
    "share_names",
    "suits_everywhere",
]

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
    formula : str
        How it is computed, as Markdown with LaTeX, for its page of the documentation.
    measured : str
        How often it was right, where the calibration study has no row for it: Markdown, with the
        command that checks it.
    precedes : str
        The method before which ``"auto"`` tries it, for one that another package offers; empty
        where it is to be asked for by name.
    """

    listed_in: ClassVar[str] = ""
    """The catalogue of the kind, as module:NAME; empty for a kind that none holds."""

    name: str
    _: KW_ONLY
    title: str
    citations: tuple[Citation, ...] = ()
    target: Target | None = None
    assumptions: tuple[str, ...] = ()
    flag: str = ""
    refusal: Callable[[Any], str | None] = suits_everywhere
    aliases: tuple[str, ...] = ()
    formula: str = ""
    measured: str = ""
    precedes: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip() or not self.name.isprintable():
            raise InputError(
                f"the name of a {type(self).__name__} must be text that can be printed",
                concerning="name",
                value=repr(self.name),
                remedy="for example 'my-method'",
            )

    @property
    def cited(self) -> str:
        """The title with its references in brackets."""
        works = "; ".join(c.key for c in self.citations)
        return f"{self.title} ({works})" if works else self.title

    def objection(self, situation: Any) -> str | None:
        """Return why ``"auto"`` passes the method over in a situation; None where it suits."""
        return self.refused(situation)

    def refused(self, situation: Any) -> str | None:
        """Return why it may not be used in a situation, or None; say so where that is no answer."""
        reason = answered(self, f"the refusal of {self.name!r}", lambda: self.refusal(situation))
        if reason is None or isinstance(reason, str):
            return reason or None
        raise InputError(
            f"the refusal of {self.name!r} must return a reason as text, or None",
            value=repr(reason),
        )

    def misses(self, situation: Any) -> bool:
        """Whether it speaks about something else than was asked for."""
        if not getattr(situation, "target_asked", False):
            return False
        about = self.speaks_about(situation)
        return about is not situation.target and not (about is Target.FIXED and situation.fixed)

    def speaks_about(self, situation: Any) -> Target:
        """Return the target of the method in a situation."""
        return self.target or (Target.FIXED if situation.fixed else situation.target)

    def check(self, situation: Any) -> None:
        """Refuse a situation in which the method does not keep its promise."""
        reason = self.refused(situation)
        if reason is not None:
            raise Refusal(reason)


def answered(method: Method, what: str, compute: Callable[[], Any], *, argument: str = "") -> Any:
    """Return what a function of a method returns; where it fails, name the method.

    Examples
    --------
    >>> answered(Method("mine", title="mine"), "test 'mine'", lambda: 1 / 0)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: test 'mine' failed: ZeroDivisionError: division by zero
    """
    try:
        return compute()
    except RefereeError:
        raise
    except Exception as problem:
        raise InputError(
            f"{what} failed: {type(problem).__name__}: {problem}", concerning=argument
        ) from problem


def answered_interval(
    method: Method,
    compute: Callable[[], Any],
    *,
    level: float,
    on: str = "",
    limits: tuple[float, float] = (-math.inf, math.inf),
    value: float = math.nan,
) -> Interval:
    """Return the interval that a method computes, once it is one.

    Parameters
    ----------
    on : str
        What it was computed from, for the message where it fails.
    limits : pair of floats
        Between which its ends must lie.
    value : float
        The estimate, which must lie in it; nan where that is not known.
    """
    what = f"interval {method.name!r}"
    interval = answered(method, what + on, compute, argument="interval")
    problem, got, remedy = "", "", ""
    if not isinstance(interval, Interval):
        problem, got = "must return an Interval", repr(interval)
        remedy = "write Interval(low=..., high=..., level=sample.level, method=...)"
    elif not all(isinstance(end, Real) for end in (interval.low, interval.high)):
        problem, got = (
            "must have two numbers as its ends",
            f"{interval.low!r} and {interval.high!r}",
        )
    elif interval.level != level:
        problem = f"must be of the level that was asked for, {level:g}"
        got, remedy = f"{interval.level:g}", "write level=sample.level"
    elif not interval.low <= interval.high:
        problem, got = (
            "must have its low end below its high end",
            f"{interval.low} and {interval.high}",
        )
    elif not (limits[0] - _SLACK <= interval.low and interval.high <= limits[1] + _SLACK):
        problem = f"must lie between {limits[0]:g} and {limits[1]:g}"
        got = f"{interval.low:g} to {interval.high:g}"
    elif value < interval.low - _SLACK or value > interval.high + _SLACK:
        problem, got = (
            f"must hold the estimate, {value:g}",
            f"{interval.low:g} to {interval.high:g}",
        )
    if problem:
        raise InputError(f"{what} {problem}", concerning="interval", value=got, remedy=remedy)
    return cast("Interval", interval)


def answered_evidence(
    method: Method, compute: Callable[[], Any], *, wanted: str = "Evidence"
) -> Evidence:
    """Return the outcome of a test, once it is evidence with a p-value, under the test's name."""
    what = f"test {method.name!r}"
    evidence = answered(method, what, compute, argument="significance")
    problem, got, remedy = "", "", ""
    if not isinstance(evidence, Evidence):
        problem, got = f"must return {wanted}", repr(evidence)
        remedy = "write Evidence(test=..., statistic=..., p_value=..., null=..., n=...)"
    elif math.isnan(evidence.p_value):
        problem, got = "must return a p-value", "nan"
    elif evidence.test != method.name:
        problem, got = "must return Evidence of its own name", repr(evidence.test)
        remedy = f"write Evidence(test={method.name!r}, ...)"
    if problem:
        raise InputError(f"{what} {problem}", concerning="significance", value=got, remedy=remedy)
    return cast("Evidence", evidence)


_SLACK = 1e-9
"""What rounding may add to the ends of an interval."""

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
    elsewhere : mapping of str to str
        Names by which other libraries know what is called otherwise here; a message tells ours.

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
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    _known: dict[str, M] = field(init=False, repr=False, default_factory=dict)
    _beside: list[Catalogue[Any]] = field(init=False, repr=False, default_factory=list)
    _loaded: bool = field(init=False, repr=False, default=False)

    def __post_init__(self) -> None:
        for entry in self.entries:
            self.register(entry)

    def register(self, method: M, *, before: str | None = None) -> M:
        """Add a method; with `before`, ``"auto"`` tries it before that other one.

        A name that is taken is refused, naming the modules of both.
        """
        if not self._of_this_kind(method):
            got = type(method).__name__
            raise InputError(f"{self.noun} must be a {self.kind.__name__}", value=f"a {got}")
        for name in (method.name, *method.aliases):
            self._refuse_taken(name, method)
        place = self._place(method.precedes if before is None else before, method)
        self._known[method.name] = method
        if place is not None:
            self.automatic = (*self.automatic[:place], method.name, *self.automatic[place:])
        return method

    def _of_this_kind(self, method: Any) -> bool:
        """Whether it belongs here and in no catalogue of a narrower kind."""
        return isinstance(method, self.kind) and method.listed_in == self.kind.listed_in

    def _refuse_taken(self, name: str, method: M) -> None:
        owner = next((c._owner(name) for c in (self, *self._beside) if c._owner(name)), None)
        if owner is None and name != "auto":
            return
        taken = "referee" if owner is None else _home(owner)
        raise InputError(
            f"{self.noun} {name!r} of {_home(method)} is already taken by {taken}",
            remedy="give it another name",
        )

    def _refuse_impostor(self, method: M) -> None:
        """Refuse another method under a name of the catalogue: reports would describe that one."""
        known = self._known.get(method.name)
        if known is not None and known != method:
            self._refuse_taken(method.name, method)

    def _owner(self, name: str) -> M | None:
        """Return the method that bears a name, as its own or as another one."""
        if name in self._known:
            return self._known[name]
        return next((m for m in self._known.values() if name in m.aliases), None)

    def _place(self, before: str, method: M) -> int | None:
        """Return where in the order of ``"auto"`` a method comes; None where it is not tried."""
        if not before:
            return None
        if before not in self.automatic:
            raise InputError(
                f'{before!r} is not among those that "auto" tries, and {self.noun} '
                f"{method.name!r} of {_home(method)} is to precede it",
                concerning="before",
                remedy=nearest(before, self.automatic),
            )
        return self.automatic.index(before)

    def remove(self, name: str) -> None:
        """Take a method out again, as tests and notebooks do."""
        self._known.pop(name)
        self.automatic = tuple(a for a in self.automatic if a != name)

    def named(self, name: str | M) -> M:
        """Return the method of that name; a method of the right kind is returned as it is."""
        if isinstance(name, self.kind):
            self._refuse_impostor(name)
            return name
        if not isinstance(name, str):
            call = getattr(name, "__name__", "compute")
            kind = self.kind.__name__
            rest = "".join(f", {f.name}=..." for f in fields(self.kind) if _must_be_given(f))
            own = call.strip("<>").replace("_", "-")
            example = f"{kind}({own!r}, title=...{rest}, compute={call})"
            raise InputError(
                f"{self.argument} must be the name of {_a(self.noun)} or {_a(self.kind.__name__)}",
                value=f"the function {call}" if callable(name) else repr(name),
                remedy=f"write {example}" if callable(name) else "",
            )
        if name in self:
            return self[name]
        if (other := self._also_called(name)) is not None:
            return other
        known = ["auto", *self] if self.automatic else list(self)
        # In Python the noun says it all; on a command line the option at fault is named.
        subject = named(self.argument)
        subject = self.noun if subject == self.argument else subject
        error = InputError(f"{subject} {name!r} is unknown", remedy=self._hint(name, known))
        error.argument, error.value = self.argument, repr(name)
        raise error

    def _hint(self, name: str, known: list[str]) -> str:
        ours = self.elsewhere.get(name)
        return nearest(name, known) if ours is None else f"here it is {ours!r}"

    def _also_called(self, name: str) -> M | None:
        for method in self.values():
            if name in method.aliases:
                return method
        return next((m for family in self.families if (m := family(name)) is not None), None)

    def choose(self, situation: Any) -> M:
        """Return the first method, in the declared order, that suits the situation.

        Where a target was asked for, one that speaks about something else is taken only if no
        method that suits speaks about that target.
        """
        reasons, astray = [], []
        for name in self.automatic:
            reason = self[name].objection(situation)
            if reason is not None:
                reasons.append(reason)
            elif self[name].misses(situation):
                astray.append(self[name])
            else:
                return self[name]
        if astray:
            return astray[0]
        raise Refusal(
            reasons[-1] if reasons else f"no {self.noun} is known for this situation",
            concerning=self.argument,
        )

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
            # A module on its way to being imported may ask for a catalogue, as `make_measure` does;
            # what it offers comes with the next look.
            ready = [point for point in _points() if not _half_imported(point)]
            for point in ready:
                self._take(_offer(point))
            self._loaded = len(ready) == len(_points())
        return self._known

    def _take(self, offer: Method) -> None:
        """Register what another package offers, once, if it is of this kind."""
        if self._of_this_kind(offer) and self._known.get(offer.name) is not offer:
            self.register(offer)  # type: ignore[arg-type] # which was just asked


def share_names(*catalogues: Catalogue[Any]) -> None:
    """Let no method that is registered from now on take a name of another of the catalogues.

    Their methods are asked for by one argument, or looked up by name alone.
    """
    for catalogue in catalogues:
        known = (catalogue, *catalogue._beside)
        catalogue._beside += [c for c in catalogues if not any(c is k for k in known)]


def load_offers(*catalogues: Catalogue[Any]) -> None:
    """Register what other packages offer: a name that is taken is refused at import.

    A package that is itself being imported, and asks for the catalogues on its way, cannot give its
    methods yet; they are loaded when a catalogue is first read.
    """
    for point in _points():
        try:
            offer = point.load()
        except Exception:
            continue
        if isinstance(offer, Method):
            for catalogue in catalogues:
                catalogue._take(offer)


@cache
def _points() -> tuple[EntryPoint, ...]:
    """Return what installed packages offer; looking through them takes a while."""
    return tuple(entry_points(group=ENTRY_POINTS))


def _half_imported(point: EntryPoint) -> bool:
    """Whether the module that a package offers a method from is just being imported."""
    spec = getattr(sys.modules.get(getattr(point, "module", "")), "__spec__", None)
    return bool(getattr(spec, "_initializing", False))


def _offer(point: EntryPoint) -> Method:
    """Return the method that an installed package offers."""
    try:
        offer = point.load()
    except Exception as problem:
        raise RefereeError(
            f"the method {point.name!r} of {point.value} cannot be imported: {problem}",
            remedy="mend or uninstall the package that offers it",
        ) from problem
    if not isinstance(offer, Method) or not offer.listed_in:
        raise RefereeError(
            f"the entry point {point.name!r} of {point.value} must name a method of a kind that "
            "referee lists (RiskInterval, ComparisonTest, Measure ...), got "
            f"{type(offer).__name__}",
            remedy="mend the package",
        )
    return offer


def _home(method: Method) -> str:
    """Return the module a method was made in, as far as its functions tell."""
    # A partial function is at home where the whole one is.
    parts = [getattr(part, "func", part) for part in vars(method).values() if callable(part)]
    modules = [str(m) for part in parts if (m := getattr(part, "__module__", None)) is not None]
    own = [m for m in modules if m != __name__] or [type(method).__module__]
    counts = getattr(getattr(method, "of_counts", None), "__module__", None)
    return next((m for m in own if not m.startswith("referee.")), counts or own[-1])


def _must_be_given(of_kind: Field[Any]) -> bool:
    """Whether a kind of method asks for something besides a name, a title and a function."""
    given = of_kind.name in ("name", "title", "compute")
    return not given and of_kind.default is MISSING and of_kind.default_factory is MISSING


def _a(noun: str) -> str:
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"
