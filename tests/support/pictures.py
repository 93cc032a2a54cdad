"""Reads pictures back: an XML parser, where the cards lie, and how colours look to different eyes."""

import itertools
import re
import xml.etree.ElementTree as ET
from collections import defaultdict

from amazons_solver import Card, Suit
from amazons_solver.model.cards import parse_card
from amazons_solver.render.cards import CARD_HEIGHT, CARD_WIDTH

SVG = "{http://www.w3.org/2000/svg}"
_TRANSLATE = re.compile(r"translate\((-?[0-9.]+) (-?[0-9.]+)\)")
_SUITS = {f"amz-{suit.name.lower()}": suit for suit in Suit}

# What each colour of linear RGB becomes for people who lack one kind of cone: Machado, Oliveira and Fernandes,
# "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.0.
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def parse(picture: str) -> ET.Element:
    """The picture as an XML parser has it, which refuses what is not well formed."""
    return ET.fromstring(picture)  # noqa: S314 (our own)


def ids(root: ET.Element) -> list[str]:
    """Every id in the picture."""
    return [element.attrib["id"] for element in root.iter() if "id" in element.attrib]


def size(root: ET.Element) -> tuple[float, float]:
    """Width and height in the picture's units."""
    x, y, width, height = map(float, root.attrib["viewBox"].split())
    assert (x, y) == (0, 0)
    return width, height


def cards(root: ET.Element) -> dict[tuple[float, float], Card]:
    """The cards that are drawn face up, by their upper left corners."""
    found = {}
    for corner, group in _placed(root, 0, 0):
        suit = next((child for child in group if child.get("class") in _SUITS), None)
        if suit is None:
            continue
        (rank,) = (text.text for text in suit.iter(f"{SVG}text"))
        card = parse_card(f"{rank}{_SUITS[suit.attrib['class']].value}")
        assert corner not in found
        found[corner] = card
        width, height = size(root)
        assert 0 <= corner[0] <= width - CARD_WIDTH
        assert 0 <= corner[1] <= height - CARD_HEIGHT
    return found


def piles(placed: dict[tuple[float, float], Card]) -> list[list[Card]]:
    """Cards by columns, left to right, each from the top of the picture downwards."""
    columns = defaultdict(list)
    for (x, _), card in sorted(placed.items(), key=lambda item: item[0]):
        columns[x].append(card)
    return [columns[x] for x in sorted(columns)]


def marked(root: ET.Element, kind: str) -> list[str]:
    """What marks of this kind are made of, by class."""
    names = [element.get("class", "").split() for element in root.iter()]
    return sorted(name[0] for name in names if f"amz-{kind}" in name[1:])


def texts(root: ET.Element) -> list[str]:
    """Every text of the picture but the ranks."""
    return [text.text or "" for text in root.iter(f"{SVG}text") if text.get("class") != "amz-rank"]


def _placed(element: ET.Element, x: float, y: float) -> list[tuple[tuple[float, float], ET.Element]]:
    """Every group that is placed somewhere, with the place."""
    found = []
    for child in element:
        match = _TRANSLATE.fullmatch(child.get("transform", "")) if child.tag == f"{SVG}g" else None
        if match is not None:
            corner = (x + float(match[1]), y + float(match[2]))
            found.append((corner, child))
            found += _placed(child, *corner)
    return found


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21 (Web Content Accessibility Guidelines 2.2)."""
    lights = sorted(_luminance(_linear(colour)) + 0.05 for colour in (one, other))
    return lights[1] / lights[0]


def difference(one: str, other: str, eyes: str) -> float:
    """How far two colours are apart in CIELAB as these eyes see them; 2.3 is just noticeable."""
    one_lab, other_lab = (_lab(_seen(_linear(colour), eyes)) for colour in (one, other))
    return float(sum((a - b) ** 2 for a, b in zip(one_lab, other_lab, strict=True)) ** 0.5)


def pairs(colours: list[str]) -> list[tuple[str, str]]:
    """Every two of them."""
    return list(itertools.combinations(colours, 2))


def _linear(colour: str) -> list[float]:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def _luminance(linear: list[float]) -> float:
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _seen(linear: list[float], eyes: str) -> list[float]:
    return [min(1, max(0, sum(w * c for w, c in zip(row, linear, strict=True)))) for row in EYES[eyes]]


def _lab(linear: list[float]) -> tuple[float, float, float]:
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1.0, 1.089)
    x, y, z = (sum(w * c for w, c in zip(row, linear, strict=True)) / n for row, n in zip(rows, white, strict=True))
    fx, fy, fz = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)
