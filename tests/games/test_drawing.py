from games.pyramid import Board, Deal, Rules
from games.pyramid.drawing import draw_board, draw_deal
from tests.games.cast import EASY


def played(rules: str, *moves: str) -> Board:
    board = Board(EASY, Rules.named(rules))
    for move in moves:
        board.play(move)
    return board


def test_a_new_board_is_drawn_as_a_pyramid_with_its_exposed_cards_in_brackets() -> None:
    assert draw_board(played("endless")).splitlines() == [
        "             KC",
        "           AC  QC",
        "         2C  JC  KD",
        "       3C  TC  4C  9C",
        "     5C  8C  6C  7C  KH",
        "   AD  QD  2D  JD  3D  TD",
        "[4D][9D][5D][8D][6D][7D][KS]",
        "",
        "stock  24",
        "waste   0",
        "pass    1 · moves 0 · cleared 0 · points 0",
    ]


def test_a_board_in_play_shows_gaps_and_the_waste_and_the_passes_there_are() -> None:
    lines = draw_board(played("three-pass", "4D9D", "D", "D")).splitlines()
    assert lines[5:7] == ["  [AD] QD  2D  JD  3D  TD", "  ·   · [5D][8D][6D][7D][KS]"]
    assert lines[-2:] == ["waste   2 AH [QH]", "pass    1 of 3 · moves 3 · cleared 2 · points 0"]


def test_the_next_stock_card_is_shown_where_it_is_in_play() -> None:
    assert "stock  23 [QH]" in draw_board(played("open-stock", "D"))
    assert draw_board(played("open-stock", *["D"] * 24)).splitlines()[-3] == "stock   0"


def test_a_long_waste_shows_its_last_eight_cards() -> None:
    assert "waste  10 2H JH 3H TH 4H 9H 5H [8H]" in draw_board(played("endless", *["D"] * 10))


def test_a_deal_is_drawn_with_its_code_its_deck_and_its_stock() -> None:
    deal = Deal.from_number(1)
    lines = draw_deal(deal).splitlines()
    assert lines[:2] == [deal.code, deal.deck]
    assert lines[3] == "             4S"
    assert lines[-1] == "stock  " + " ".join(map(str, deal.stock))


def test_a_deal_without_a_code_begins_with_its_deck() -> None:
    assert draw_deal(EASY).splitlines()[0] == EASY.deck
