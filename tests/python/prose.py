"""Seeded prose that reads a little like English: every text is long enough for a fuzzy hash and unlike all others."""

import random
from dataclasses import dataclass

NOUNS = """harbour lantern orchard ledger meadow quarry bridge kettle archive village weaver cellar ferry garden
hammer island jacket kitchen ladder market needle office pasture quilt river saddle tunnel umbrella valley window
yard barrel candle dairy engine furnace glacier hedge inkwell journal kiln loom mill nursery oven pantry rafter
scaffold tavern upland vault wharf anvil bakery chimney drawer elm fiddle gate hinge ivy jetty knot lodge mast
notebook oak parlour quay reef shutter thimble urn viaduct wagon café façade efficiency flagstone fjord""".split()
VERBS = """carries repairs follows gathers borrows measures paints replaces returns shelters counts covers crosses
describes divides empties finds guards holds imagines joins keeps lifts marks notices opens polishes questions
remembers sells teaches understands visits weighs affords clears drains fills grows heats""".split()
ADJECTIVES = """quiet narrow early broken patient golden hollow distant careful ordinary crooked gentle heavy idle
joyful late modest northern older pale rough sudden tidy useful velvet western young bitter clever dusty even
faint generous honest brief official difficult flat fluid naïve""".split()
LINKS = """because while although before after whenever unless until where since""".split()
PLACES = """beside behind under over near across beyond inside above along""".split()


@dataclass(frozen=True)
class Article:
    """A title and paragraphs."""

    title: str
    paragraphs: tuple[str, ...]

    @property
    def start(self) -> str:
        """The first two sentences, as a listing shows them."""
        return ". ".join(self.paragraphs[0].split(". ")[:2]).rstrip(".") + "."


class Writer:
    """Writes the same articles for the same seed."""

    def __init__(self, seed: int | str):
        self.dice = random.Random(seed)

    def thing(self) -> str:
        adjective = f"{self.dice.choice(ADJECTIVES)} " if self.dice.random() < 0.6 else ""
        return f"{self.dice.choice(('the', 'the', 'a', 'every', 'this', 'one'))} {adjective}{self.dice.choice(NOUNS)}"

    def clause(self) -> str:
        place = f" {self.dice.choice(PLACES)} {self.thing()}" if self.dice.random() < 0.7 else ""
        return f"{self.thing()} {self.dice.choice(VERBS)} {self.thing()}{place}"

    def sentence(self) -> str:
        clauses = [self.clause()]
        while self.dice.random() < 0.4:
            clauses.append(f"{self.dice.choice(LINKS)} {self.clause()}")
        return ", ".join(clauses).capitalize() + "."

    def paragraph(self) -> str:
        return " ".join(self.sentence() for _ in range(self.dice.randint(3, 7)))

    def title(self) -> str:
        return f"{self.dice.choice(ADJECTIVES)} {self.dice.choice(NOUNS)} {self.dice.choice(PLACES)} {self.thing()}".capitalize()

    def article(self, least: int, most: int) -> Article:
        """An article of about so many characters."""
        size, paragraphs = self.dice.randint(least, most), []
        while sum(map(len, paragraphs)) < size:
            paragraphs.append(self.paragraph())
        return Article(self.title(), tuple(paragraphs))
