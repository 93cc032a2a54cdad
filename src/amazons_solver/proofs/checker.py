"""The proof checker: small, independent of every search, and trusting nothing that a certificate says.

A *winnable* deal is proved by a line: it is replayed, and must end in a won state.

An *unwinnable* deal is proved by a list of states, its members. The checker walks the whole pass that begins at each
member: all states that plays and deals lead to, by exact identity, and the state after each redeal, which must be like
a member, or one that a lemma proves lost. No state met may be won, and the initial state must be like a member.

Why that is a proof. Two states are *like* one another when their canonical keys are equal. With
``base_placement = suit`` each foundation belongs to a suit, the rules tell the suits apart, the canonical key is the
exact key, and like states are equal. Otherwise renaming the suits, or with ``build = rank`` exchanging cards of the
same rank, turns one into the other; the rules ask of a suit only whether two cards share it, and with ``build = rank``
not even that, so the same renaming turns the legal moves of one into those of the other. Either way the moves of like
states lead to like states again, and a state like one that is not won is not won. Now cut any game at its redeals. Its
first pass begins in a state like a member. A pass that begins so runs through states like those met when that member's
pass was walked: none is won, and a redeal leads to a state like a member, where the next pass begins, or to one from
which, by a lemma, no game is won. So no game comes to a won state. It makes no difference whether a member is the state
that was reached, its canonical form or another state like it, nor whether it can be reached at all. Counters are part
of the keys, and no renaming touches them.

There are three lemmas (`amazons_solver.model.lemmas`); docs/lemmas.md proves them. The checker finds out for itself
whether one of them applies; the certificate does not say.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from amazons_solver.errors import AmazonsError, CertificateError, UndecidedError
from amazons_solver.model.arguments import checked
from amazons_solver.model.deals import Deal
from amazons_solver.model.lemmas import is_lost
from amazons_solver.model.moves import REDEAL, Move, parse_move
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State

__all__ = ["Proof", "verify"]


class Proof(Protocol):
    """What the checker reads of a certificate: plain values, none of them trusted."""

    @property
    def rules(self) -> Mapping[str, object]: ...
    @property
    def deal(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def line(self) -> str | None: ...
    @property
    def states(self) -> Sequence[str] | None: ...


@checked
def verify(certificate: Proof, *, max_states: int = 10_000_000) -> None:
    """Check a certificate; returning means accepting it.

    Args:
        certificate: the certificate to check.
        max_states: how many states to walk through before giving up.

    Raises:
        CertificateError: it is no proof of what it says; the message names the first bad entry, counted from 1.
        UndecidedError: `max_states` was not enough, and nothing bad had been found.

    >>> from amazons_solver.proofs.certificate import certify
    >>> verify(certify(Deal.pysolfc("24680"), Rules.preset("patiencen")))
    """
    start = _initial_state(certificate)
    if certificate.verdict == "winnable" and certificate.line is not None and certificate.states is None:
        _check_line(start, certificate.line, max_states)
    elif certificate.verdict == "unwinnable" and certificate.states is not None and certificate.line is None:
        _check_closed(start, certificate.states, max_states)
    else:
        raise CertificateError("expected the verdict winnable with a line alone, or unwinnable with states alone")


def _initial_state(certificate: Proof) -> State:
    missing = [name for name in Rules().to_dict() if name not in certificate.rules]
    if missing:
        raise CertificateError(f"expected every field of the rules, got none for {', '.join(missing)}")
    try:
        rules = Rules.from_dict(certificate.rules)
        return State.initial(Deal.parse(certificate.deal, rules), rules)
    except AmazonsError as error:
        raise CertificateError(str(error)) from None


def _check_line(state: State, line: str, max_states: int) -> None:
    for number, word in enumerate(re.finditer(r"\S+", line), start=1):  # one by one: a hostile line may be long
        if number > max_states:
            raise UndecidedError(f"expected a line of at most {max_states} moves, got more")
        try:
            state = state.play(parse_move(word[0]))
        except AmazonsError as error:
            raise CertificateError(f"{error} (move {number})") from None
    if not state.is_won:
        raise CertificateError(f"expected the line to end in a won state, got {state.text()}")


def _check_closed(start: State, states: Sequence[str], max_states: int) -> None:
    members: dict[bytes, State] = {}
    for number, text in enumerate(states, start=1):
        try:
            member = State.parse(text, start.rules)
        except AmazonsError as error:
            raise CertificateError(f"{error} (state {number})") from None
        if members.setdefault(member.key(), member) is not member:
            raise CertificateError(f"expected each state once, got {member.text()} again (state {number})")
    if start.key() not in members:
        raise CertificateError(f"expected {start.canonical().text()}, the initial state, among the states")
    walked = 0
    for number, member in enumerate(members.values(), start=1):
        for state, successors in _walk_pass(member):
            walked += 1
            if walked > max_states:
                raise UndecidedError(f"expected at most {max_states} states to walk through, got more (state {number})")
            if state.is_won:
                raise CertificateError(f"expected no won state, got {state.text()} (in the pass of state {number})")
            for move, successor in successors:
                if move == REDEAL and not is_lost(successor) and successor.key() not in members:
                    after = successor.canonical().text()
                    raise CertificateError(f"expected {after} among the states (after the pass of state {number})")


def _walk_pass(first: State) -> Iterator[tuple[State, list[tuple[Move, State]]]]:
    """Every state of the pass that begins here, each once, with all its successors, of the next pass too."""
    waiting = [first]
    met = {first.exact_key()}
    while waiting:
        state = waiting.pop()
        successors = state.successors()
        yield state, successors
        for move, successor in successors:
            if move != REDEAL:
                key = successor.exact_key()
                if key not in met:
                    met.add(key)
                    waiting.append(successor)
