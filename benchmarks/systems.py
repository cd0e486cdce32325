# SPDX-License-Identifier: Apache-2.0
"""Decks of many kinds of networks, for engine_survey.py: what a power grid may look like, and what only graphs do."""
import dataclasses
import random

PAD_OHM = "0.01"


@dataclasses.dataclass
class System:
    """`cards` yields the cards of a deck, or `deck` holds its bytes; `options` go to `gridiron ir`."""
    name: str
    cards: object = None
    options: tuple = ()
    generate: tuple = ()  # arguments of `gridiron generate` instead of cards
    path: str = ""        # or a deck that exists


class Deck:
    """Collects resistors, loads and pads."""

    def __init__(self, seed=1):
        self.draw = random.Random(seed)
        self.lines = ["* made by benchmarks/systems.py", "v1 s 0 1"]
        self.count = 0

    def resistor(self, a, b, ohms):
        self.count += 1
        self.lines.append(f"r{self.count} {a} {b} {ohms:.6g}")

    def pad(self, node, ohms=PAD_OHM):
        self.count += 1
        self.lines.append(f"r{self.count} s {node} {ohms}")

    def loads(self, nodes, share=0.2, amperes=1.0):
        chosen = [node for node in nodes if self.draw.random() < share] or [nodes[-1]]
        for k, node in enumerate(chosen):
            self.lines.append(f"i{k}_{node} {node} 0 {amperes * self.draw.uniform(0.5, 1.5) / len(chosen):.6g}")

    def text(self):
        return "\n".join([*self.lines, ".end", ""])


def decades(draw, count):
    """Log-uniform over so many decades."""
    return lambda *_: 10 ** draw.uniform(-count / 2, count / 2)


def blocks(size, contrast):
    """Squares, or cubes, that conduct more than others."""
    return lambda *place: 1.0 if sum(x // size for x in place) % 2 else 1.0 / contrast


def layers(contrast):
    return lambda *place: 1.0 if place[-1] % 4 else 1.0 / contrast


def straps(n):
    """Four layers of wires in turn along x and y, with ever wider pitches, as in the decks of ICCAD-2023."""
    deck = Deck()
    name = lambda layer, x, y: f"n1_m{layer}_{2000 * x}_{2000 * y}"
    along_x = (1, 7)
    pitch = {1: 1, 4: 4, 7: 4, 8: 16}
    step = {1: 1, 4: 1, 7: 4, 8: 4}  # between nodes of a wire: the pitch of the wires that cross it
    for layer in pitch:
        for line in range(0, n, pitch[layer]):
            places = [(at, line) if layer in along_x else (line, at) for at in range(0, n, step[layer])]
            for a, b in zip(places, places[1:]):
                deck.resistor(name(layer, *a), name(layer, *b), 4.5 * step[layer] / layer ** 1.5)
    for low, high in ((1, 4), (4, 7), (7, 8)):
        x_pitch, y_pitch = (pitch[high], pitch[low]) if low in along_x else (pitch[low], pitch[high])
        for x in range(0, n, x_pitch):
            for y in range(0, n, y_pitch):
                deck.resistor(name(low, x, y), name(high, x, y), 2)
    for x in range(0, n, 64):
        for y in range(0, n, 64):
            deck.pad(name(8, x, y))
    deck.loads([name(1, x, y) for x in range(n) for y in range(n)])
    return deck.text()


def mesh2(n, ohms=lambda *_: 1.0, along_y=1.0, seed=1):
    deck = Deck(seed)
    rule = ohms(deck.draw) if ohms in (six, eight) else ohms
    name = lambda x, y: f"n1_{10 * x}_{10 * y}"
    for y in range(n):
        for x in range(n):
            if x:
                deck.resistor(name(x - 1, y), name(x, y), rule(x, y))
            if y:
                deck.resistor(name(x, y - 1), name(x, y), along_y * rule(x, y))
    for x in range(n // 8, n, n // 4):
        for y in range(n // 8, n, n // 4):
            deck.pad(name(x, y))
    deck.loads([name(x, y) for y in range(n) for x in range(n)])
    return deck.text()


def mesh3(n, ohms=lambda *_: 1.0, seed=1):
    deck = Deck(seed)
    rule = ohms(deck.draw) if ohms in (six, eight) else ohms
    name = lambda *place: "c" + "_".join(map(str, place))
    for z in range(n):
        for y in range(n):
            for x in range(n):
                for step in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
                    other = (x - step[0], y - step[1], z - step[2])
                    if min(other) >= 0:
                        deck.resistor(name(*other), name(x, y, z), rule(x, y, z))
    for x in range(0, n, 4):
        for y in range(0, n, 4):
            deck.pad(name(x, y, n - 1))
    deck.loads([name(x, y, 0) for y in range(n) for x in range(n)])
    return deck.text()


def six(draw):
    return decades(draw, 6)


def eight(draw):
    return decades(draw, 8)


def star(leaves):
    deck = Deck()
    for k in range(leaves):
        deck.resistor("hub", f"leaf{k}", deck.draw.uniform(0.5, 2))
        if k % 3 == 0:
            deck.resistor(f"leaf{k}", f"leaf{(k + 7) % leaves}", 5)
            deck.resistor(f"leaf{k}", f"leaf{(k + 8) % leaves}", 5)
    deck.pad("hub")
    deck.loads([f"leaf{k}" for k in range(leaves)])
    return deck.text()


def wheels(count, spokes):
    deck = Deck()
    for w in range(count):
        for k in range(spokes):
            deck.resistor(f"hub{w}", f"w{w}_{k}", 1)
            deck.resistor(f"w{w}_{k}", f"w{w}_{(k + 1) % spokes}", 1)
        if w:
            deck.resistor(f"hub{w - 1}", f"hub{w}", 0.1)
    deck.pad("hub0")
    deck.loads([f"w{w}_{k}" for w in range(count) for k in range(spokes)])
    return deck.text()


def grid_with_hubs(n, hubs, wires):
    deck = Deck()
    name = lambda x, y: f"g{x}_{y}"
    for y in range(n):
        for x in range(n):
            if x:
                deck.resistor(name(x - 1, y), name(x, y), 1)
            if y:
                deck.resistor(name(x, y - 1), name(x, y), 1)
    for h in range(hubs):
        for _ in range(wires):
            deck.resistor(f"hub{h}", name(deck.draw.randrange(n), deck.draw.randrange(n)), deck.draw.uniform(0.1, 1))
    deck.pad("hub0")
    deck.loads([name(x, y) for y in range(n) for x in range(n)])
    return deck.text()


def shared_leaves(hubs, leaves, each):
    deck = Deck()
    nodes = [f"leaf{k}" for k in range(leaves)]
    for h in range(hubs):
        for leaf in deck.draw.sample(nodes, each):
            deck.resistor(f"hub{h}", leaf, deck.draw.uniform(0.5, 2))
    for k in range(leaves):
        deck.resistor(nodes[k], nodes[k - 1], 3)
    deck.pad("hub0")
    deck.loads(nodes)
    return deck.text()


def expander(n, degree, ohms=lambda *_: 1.0):
    """Unions of random cycles."""
    deck = Deck()
    rule = ohms(deck.draw) if ohms in (six, eight) else ohms
    for _ in range(degree // 2):
        order = list(range(n))
        deck.draw.shuffle(order)
        for k in range(n):
            deck.resistor(f"q{order[k - 1]}", f"q{order[k]}", rule())
    deck.pad("q0")
    deck.loads([f"q{k}" for k in range(n)])
    return deck.text()


def small_world(n, chords):
    deck = Deck()
    for k in range(n):
        deck.resistor(f"q{k}", f"q{(k + 1) % n}", 1)
        deck.resistor(f"q{k}", f"q{(k + 2) % n}", 1)
    for _ in range(chords):
        deck.resistor(f"q{deck.draw.randrange(n)}", f"q{deck.draw.randrange(n)}", 1)
    deck.pad("q0")
    deck.loads([f"q{k}" for k in range(n)])
    return deck.text()


def ladder(length, width, rung=1.0):
    deck = Deck()
    for k in range(length):
        for w in range(width):
            if k:
                deck.resistor(f"l{w}_{k - 1}", f"l{w}_{k}", 1)
            if w:
                deck.resistor(f"l{w - 1}_{k}", f"l{w}_{k}", rung)
    for k in range(0, length, max(1, length // 20)):
        deck.pad(f"l0_{k}")
    deck.loads([f"l{w}_{k}" for k in range(length) for w in range(width)])
    return deck.text()


def chain(n):
    deck = Deck()
    for k in range(1, n):
        deck.resistor(f"q{k - 1}", f"q{k}", deck.draw.uniform(0.5, 2))
    for k in range(0, n, max(1, n // 50)):
        deck.pad(f"q{k}")
    deck.loads([f"q{k}" for k in range(n)])
    return deck.text()


def attachment(n, each, ohms=lambda *_: 1.0):
    """Each node hangs on so many others, chosen by their degrees; one: a tree."""
    deck = Deck()
    rule = ohms(deck.draw) if ohms in (six, eight) else ohms
    ends = [0]
    for k in range(1, n):
        for other in {deck.draw.choice(ends) for _ in range(each)}:
            deck.resistor(f"q{other}", f"q{k}", rule())
            ends += [other, k]
    deck.pad("q0")
    deck.loads([f"q{k}" for k in range(n)])
    return deck.text()


def weak_parts(parts, n, ohms):
    """Meshes that hang on the first one and on each other by a single resistor, with loads to match."""
    deck = Deck()
    for p in range(parts):
        name = lambda x, y: f"n{p + 1}_{10 * x}_{10 * y}"
        for y in range(n):
            for x in range(n):
                if x:
                    deck.resistor(name(x - 1, y), name(x, y), 1)
                if y:
                    deck.resistor(name(x, y - 1), name(x, y), 1)
        if p:
            deck.resistor(f"n{1 + (p - 1) // 2}_0_0", f"n{p + 1}_0_0", ohms)
        deck.loads([name(x, y) for y in range(n) for x in range(n)], amperes=0.1 if p == 0 else 0.1 / parts / ohms)
    deck.pad("n1_0_0")
    return deck.text()


def one_pad(n, ohms):
    deck = Deck()
    name = lambda x, y: f"n1_{10 * x}_{10 * y}"
    for y in range(n):
        for x in range(n):
            if x:
                deck.resistor(name(x - 1, y), name(x, y), 1)
            if y:
                deck.resistor(name(x, y - 1), name(x, y), 1)
    deck.pad(name(0, 0), f"{ohms:g}")
    deck.loads([name(x, y) for y in range(n) for x in range(n)], amperes=1 / max(ohms, 1))
    return deck.text()
