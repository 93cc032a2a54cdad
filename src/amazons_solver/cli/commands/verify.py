"""``verify``: is this certificate a proof?"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from amazons_solver.cli import console
from amazons_solver.cli.files import reading
from amazons_solver.cli.options import MaxStates, Quiet, number_of
from amazons_solver.errors import CertificateError
from amazons_solver.model.deals import Deal
from amazons_solver.model.rules import Rules, described

EXAMPLES = """\b
Examples:
  amazons-solver solve --pysolfc 1 --rules patiencen --certificate 1.json
  amazons-solver verify 1.json
"""


def command(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", readable=False, help="A certificate that solve wrote.", show_default=False)
    ],
    *,
    max_states: MaxStates = None,
    _quiet: Quiet = False,
) -> None:
    """Check a certificate by the rules and three lemmas about them, trusting nothing in it.

    Prints what it proves, or why it proves nothing, and then exits with 1. --max-states bounds the states that the
    checker walks through (10,000,000 if not given).
    """
    from amazons_solver.proofs.certificate import Certificate
    from amazons_solver.proofs.checker import verify
    from amazons_solver.render.text import facts_text

    most = {} if max_states is None else {"max_states": number_of(max_states, "--max-states", 0)}
    try:
        with reading(file):
            certificate = Certificate.read(file)
        with console.working(f"checking {file}", at_once=True):
            verify(certificate, **most)
    except CertificateError as error:
        console.write(f"invalid: {console.one_line(str(error))}")
        raise typer.Exit(console.LOST) from None
    rules = Rules.from_dict(certificate.rules)
    cards = Deal.parse(certificate.deal, rules).cards
    symbols = console.symbols(sys.stdout)
    if certificate.states is None:
        proof = f"a line of {len((certificate.line or '').split())} moves"
    else:
        proof = f"no way out of {len(certificate.states)} states in which passes begin, and no win"
    facts = [("deal", " ".join(card.pretty if symbols else str(card) for card in cards)), ("proof", proof)]
    heading = f"valid: this deal by {described(rules)}"
    console.show(facts_text(heading, certificate.verdict, facts, width=console.width()))
