import pytest

from games.cards import FULL_DECK, Card


def test_the_full_deck_runs_from_ace_to_king_through_clubs_diamonds_hearts_and_spades() -> None:
    expected = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    assert [str(card) for card in FULL_DECK] == expected


def test_every_card_reads_itself_back_from_text_and_from_repr() -> None:
    for card in FULL_DECK:
        assert Card.parse(str(card)) == card
        assert eval(repr(card)) == card


def test_values_run_from_1_for_an_ace_to_13_for_a_king() -> None:
    values = {card.rank: card.value for card in FULL_DECK}
    assert values == {rank: value for value, rank in enumerate("A23456789TJQK", start=1)}


def test_rank_and_suit_are_the_two_characters_of_the_text() -> None:
    ten_of_clubs = Card.parse("TC")
    assert (ten_of_clubs.rank, ten_of_clubs.suit) == ("T", "C")


def test_cards_sort_in_the_order_of_the_full_deck() -> None:
    assert max(FULL_DECK) == Card.parse("KS")
    assert sorted([Card.parse("AS"), Card.parse("KC"), Card.parse("2C")]) == [Card(1), Card(12), Card(39)]


@pytest.mark.parametrize(
    "text", ["", "T", "10C", "tc", "CT", "TC ", " TC", "TX", "\uff34C", "T\u2663", None, 5, ["TC"]]
)
def test_anything_else_is_not_a_card(text: object) -> None:
    with pytest.raises(ValueError, match="not a card"):
        Card.parse(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [-1, 52])
def test_there_are_no_cards_beyond_the_deck(number: int) -> None:
    with pytest.raises(ValueError, match="0 to 51"):
        Card(number)
