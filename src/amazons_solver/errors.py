"""The errors the library raises: one root, and a few narrow children that are also built-in errors.

A message names what was expected, what was found and where. A deal that cannot be won is a result, never an error.
"""

__all__ = [
    "AmazonsError",
    "CertificateError",
    "IllegalMoveError",
    "LedgerError",
    "MissingToolError",
    "NotationError",
    "OptionError",
    "RulesError",
    "UndecidedError",
    "WorkerError",
    "shorten",
]


class AmazonsError(Exception):
    """The root of every error that this library raises on purpose."""


class NotationError(AmazonsError, ValueError):
    """A text (card, deal, move, state, deal number) that does not say what it should."""


class RulesError(AmazonsError, ValueError):
    """A field of the rules that is unknown, out of range, or at odds with the others or with the deal."""


class OptionError(AmazonsError, ValueError):
    """An option of a call (a limit, an order, a format) that does not exist, or has the wrong type."""


class IllegalMoveError(AmazonsError, ValueError):
    """A move that the rules do not allow in the state in which it was tried."""


class CertificateError(AmazonsError, ValueError):
    """A certificate that is not a proof of what it says; the message names the first bad entry."""


class UndecidedError(AmazonsError, RuntimeError):
    """A verdict was needed and a limit was hit first."""


class MissingToolError(AmazonsError, RuntimeError):
    """A program outside Python, or an optional package, that the request needs is not installed."""


class LedgerError(AmazonsError, RuntimeError):
    """A ledger or a file of records that is not what was asked for, is damaged, or cannot be written."""


class WorkerError(AmazonsError, RuntimeError):
    """The workers of a survey are of another version, cannot be reached, or keep dying."""


def shorten(value: object, width: int = 40) -> str:
    """A value for an error message, texts quoted, cut so that a hostile input cannot flood the terminal."""
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number of more than 64 bits"  # Python refuses to write out the longest ones
    text = value if isinstance(value, str) else repr(value)
    cut = text if len(text) <= width else text[:width] + "..."
    return repr(cut) if isinstance(value, str) else cut
