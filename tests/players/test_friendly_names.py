"""Names for guests who bring none."""

from random import Random

from players.friendly_names import ADJECTIVES, ANIMALS, make_name
from players.lookalikes import skeleton
from players.names import normalise


def test_a_friendly_name_depends_on_the_random_numbers_only() -> None:
    assert make_name(Random(1)) == make_name(Random(1))
    assert make_name(Random(1)) != make_name(Random(2))


def test_every_pair_of_words_makes_a_sound_name() -> None:
    names = [f"{adjective} {animal} 9999" for adjective in ADJECTIVES for animal in ANIMALS]
    assert [name for name in names if normalise(name) != name] == []


def test_every_pair_of_words_has_its_own_key() -> None:
    keys = {skeleton(f"{adjective} {animal}") for adjective in ADJECTIVES for animal in ANIMALS}
    assert len(keys) == len(ADJECTIVES) * len(ANIMALS) > 8_000


def test_a_friendly_name_is_two_words_and_a_number() -> None:
    adjective, animal, number = make_name(Random(417)).split()
    assert adjective in ADJECTIVES
    assert animal in ANIMALS
    assert 10 <= int(number) <= 9999
