"""Names for guests who bring none, such as “Brave Heron 417”."""

from random import Random
from typing import Final

ADJECTIVE_LINES: Final = """
    Able Amber Ample Azure Bold Brave Brisk Bright Calm Candid Cheery Civil Clever Coral Cosy Crisp
    Dapper Daring Deft Eager Early Easy Fair Fleet Fond Frank Fresh Gentle Glad Golden Grand Green
    Happy Hardy Hearty Honest Humble Jade Jolly Keen Kind Light Lively Loyal Lucid Lucky Mellow
    Merry Mild Modest Neat Nimble Noble Patient Plucky Polite Prime Proud Quick Quiet Rapid Ready
    Rosy Royal Ruby Rustic Sage Silver Sleek Smart Snowy Solid Spry Steady Stout Sunny Swift Tidy
    Topaz True Trusty Velvet Vivid Warm Wise Witty Young Zesty
    """
ANIMAL_LINES: Final = """
    Badger Beaver Bison Bobcat Buzzard Camel Caracal Cheetah Condor Cormorant Crane Curlew Dolphin
    Dormouse Egret Falcon Ferret Finch Fox Gazelle Gecko Goldfinch Hamster Hare Hedgehog Heron
    Hoopoe Ibex Ibis Iguana Jackdaw Jaguar Jay Kestrel Kingfisher Kite Koala Lark Lemur Leopard
    Linnet Lion Lizard Lynx Magpie Marmot Marten Meerkat Narwhal Newt Ocelot Octopus Orca Oriole
    Osprey Otter Owl Panda Panther Pelican Penguin Petrel Pheasant Plover Polecat Puffin Puma Quail
    Rabbit Raven Robin Salmon Seal Serval Sparrow Squirrel Starling Stoat Stork Sturgeon Swallow
    Swan Tapir Tern Thrush Tiger Tortoise Toucan Turtle Vole Wagtail Walrus Weasel Wolf Wombat Wren
    Yak Zebra
    """
ADJECTIVES: Final = ADJECTIVE_LINES.split()
ANIMALS: Final = ANIMAL_LINES.split()


def make_name(rng: Random) -> str:
    """One of some 80 million names; whether it is free only the database knows."""
    return f"{rng.choice(ADJECTIVES)} {rng.choice(ANIMALS)} {rng.randrange(10, 10_000)}"
