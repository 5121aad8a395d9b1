"""Honest evaluation of models: one sentence a person can defend, with the evidence attached.

>>> import referee
>>> answer = referee.evaluate_predictions([0, 1] * 50, [0, 1] * 45 + [1, 0] * 5)
>>> answer.error.value, answer.verdict.outcome.value
(0.1, 'pass')

The public names stand in ``__init__.pyi``, once; each is imported when it is first used, so that
``import referee`` costs next to nothing.
"""

import lazy_loader

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
