import pytest

from games.cards import Card
from games.pyramid import RULES, Board, Deal, IllegalMove, Move, Rules
from tests.games.cast import EASY, EASY_PYRAMID, EASY_STOCK, facts


def played(rules: str | Rules, *moves: str, deal: Deal = EASY) -> Board:
    board = Board(deal, Rules.named(rules) if isinstance(rules, str) else rules)
    for move in moves:
        board.play(move)
    return board


def refusal(board: Board, move: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as refused:
        board.play(move)
    assert refused.value.index is None
    return refused.value


def texts(cards: tuple[Card | None, ...]) -> str:
    return " ".join(str(card) if card else "--" for card in cards)


def test_a_new_board_shows_the_deal() -> None:
    board = played("endless")
    assert board.pyramid == EASY.pyramid
    assert board.stock == EASY.stock
    assert board.waste == ()
    assert texts(board.exposed) == "4D 9D 5D 8D 6D 7D KS"
    assert (board.cleared, board.moves, board.points, board.pass_number) == (0, 0, 0, 1)


def test_a_draw_lays_the_next_stock_card_on_the_waste() -> None:
    board = played("endless", "D", "D")
    assert texts(board.waste) == "AH QH"
    assert texts(board.stock[:2]) == "2H JH"


def test_a_card_is_exposed_when_both_cards_below_it_are_gone() -> None:
    board = played("endless", "4D9D")
    assert texts(board.exposed) == "AD 5D 8D 6D 7D KS"
    assert texts(board.covers(Card.parse("QD"))) == "5D"
    assert board.covers(Card.parse("AD")) == ()


def test_play_takes_moves_as_text_and_as_values_and_returns_them_parsed() -> None:
    board = played("endless")
    assert board.play("D") is Move.parse("D")
    assert board.play(Move.parse("KS")) is Move.parse("KS")


def test_removing_the_top_of_the_waste_uncovers_the_card_below() -> None:
    board = played("endless", "D", "D", "4D9D", "ADQH")
    assert texts(board.waste) == "AH"


def test_a_redeal_keeps_the_order_of_drawing() -> None:
    board = played("three-pass", *["D"] * 2, "4D9D", "ADQH", *["D"] * 22, "R")
    assert texts(board.stock) == texts((EASY.stock[0], *EASY.stock[2:]))
    assert (board.waste, board.pass_number) == ((), 2)


def test_the_first_redeal_of_pyramide_puts_all_24_cards_back_the_first_waste_card_first() -> None:
    board = played("pyramide")
    assert (texts(board.waste), len(board.stock)) == ("AH", 23)
    for move in ["D"] * 23 + ["R"]:
        board.play(move)
    assert (board.stock, board.waste) == (EASY.stock, ())
    board.play("D")
    assert texts(board.waste) == "AH"


@pytest.mark.parametrize(
    ("rules", "redeals"), [("one-pass", 0), ("strict", 0), ("three-pass", 2), ("cover-pairs", 2)]
)
def test_the_first_trip_counts_as_a_pass(rules: str, redeals: int) -> None:
    board = played(rules, *(["D"] * 24 + ["R"]) * redeals, *["D"] * 24)
    refused = refusal(board, "R")
    assert refused.code == "no_passes_left"
    assert refused.reason == f"this was pass {redeals + 1} of {redeals + 1}."


def test_endless_redeals_never_end() -> None:
    assert played("endless", *(["D"] * 24 + ["R"]) * 10).pass_number == 11


def test_a_redeal_is_refused_for_cards_in_the_stock_then_for_want_of_cards_then_of_passes() -> None:
    assert refusal(played("one-pass", *["D"] * 23), "R").code == "stock_not_empty"
    assert refusal(played("strict", *EASY_STOCK), "R").code == "nothing_to_redeal"
    assert refusal(played("one-pass", *["D"] * 24), "R").code == "no_passes_left"


def test_a_stock_card_is_in_play_only_where_the_rules_turn_it_up() -> None:
    pair = "QHAH"
    assert refusal(played("three-pass", "D"), pair).code == "in_stock"
    board = played("open-stock", "D", pair)
    assert (texts(board.waste), texts(board.stock[:1])) == ("", "2H")


def test_the_second_stock_card_is_never_in_play() -> None:
    for named in ("AHQH", "QHAH"):
        refused = refusal(played("open-stock"), named)
        assert (refused.code, refused.reason) == ("in_stock", "QH is in the stock and not in play.")


def test_an_open_stock_king_goes_alone_and_pairs_with_the_pyramid_go_too() -> None:
    deck = EASY.deck.replace("KS", "xx").replace("AH", "KS").replace("xx", "AH")
    board = played("open-stock", deal=Deal.from_deck(deck))
    assert texts(board.exposed)[-2:] == "AH"
    board.play("KS")
    board.play("AHQH")
    assert texts(board.stock[:1]) == "2H"


def test_the_waste_is_in_play_by_its_top_only_and_two_waste_cards_never_pair() -> None:
    board = played("endless", "D", "D")
    assert refusal(board, "AHQH").code == "buried"
    assert refusal(board, "QHAH").reason == "AH lies in the waste under QH."


def test_the_earlier_named_card_decides_between_gone_buried_and_in_stock() -> None:
    board = played("endless", "KS", "D", "D")
    for named, code in {"KSAH": "gone", "AHKS": "buried", "2HKS": "in_stock", "KS2H": "gone"}.items():
        assert refusal(board, named).code == code


def test_a_card_that_is_not_there_weighs_more_than_a_covered_one_and_that_more_than_the_sum() -> None:
    board = played("endless", "KS")
    assert refusal(board, "KCKS").code == "gone"
    assert refusal(board, "KC4D").code == "covered"
    assert refusal(board, "4D5D").code == "not_thirteen"


COVER_DEAL = Deal.from_deck(
    "KC"
    " AC QC"
    " 2C JC KD"
    " 3C TC 4C 9C"
    " 5C 8C KH 7C 6C"
    " AD QD 2D JD 7D TD"
    " 4D 9D 5D 8D 6D 3D KS"
    " AH QH 2H JH 3H TH 4H 9H 5H 8H 6H 7H"
    " AS QS 2S JS 3S TS 4S 9S 5S 8S 6S 7S"
)
"""Without KS, TD is covered by 3D alone; without these two, 6C is covered by 7D alone, and 7D by 6D."""


def test_a_card_goes_with_its_only_cover_in_either_order_of_naming() -> None:
    board = played("cover-pairs", "KS", deal=COVER_DEAL)
    assert Move.parse("TD3D") in board.legal_moves
    assert facts(played("cover-pairs", "KS", "TD3D", deal=COVER_DEAL)) == facts(
        played("cover-pairs", "KS", "3DTD", deal=COVER_DEAL)
    )


@pytest.mark.parametrize(
    ("moves", "named", "why"),
    [
        ([], "TD3D", "TD is still covered by 3D and KS."),
        (["KS", "TD3D"], "6C7D", "7D is still covered by 6D."),
        (["KS", *["D"] * 5], "TD3H", "TD is still covered by 3D."),
        (["KS"], "3D7D", "7D is still covered by 6D and 3D."),
    ],
    ids=["two covers left", "a cover that is covered", "another partner", "a cover of the wrong value"],
)
def test_a_card_stays_covered_where_it_is_no_cover_pair(moves: list[str], named: str, why: str) -> None:
    refused = refusal(played("cover-pairs", *moves, deal=COVER_DEAL), named)
    assert (refused.code, refused.reason) == ("covered", why)


@pytest.mark.parametrize("rules", [slug for slug in RULES if slug != "cover-pairs"])
def test_other_rule_sets_know_no_cover_pairs(rules: str) -> None:
    board = played(rules, "KS", deal=COVER_DEAL)
    assert refusal(board, "TD3D").code == "covered"


@pytest.mark.parametrize(
    ("rules", "points"), [("pyramide", 280), ("cover-pairs", 12 * 10 + 4 * 5), ("endless", 0), ("strict", 0)]
)
def test_clearing_the_pyramid_earns_the_points_of_its_rules(rules: str, points: int) -> None:
    board = played(rules, *EASY_PYRAMID)
    assert (board.cleared, board.points, board.moves) == (28, points, 16)


def test_a_card_from_the_waste_earns_nothing_in_pyramide_and_its_share_in_cover_pairs() -> None:
    to_the_queen = ["4D9D", "D", "D", "ADQH"]
    assert played("cover-pairs", *to_the_queen).points == 20
    assert played("pyramide", "4D9D", "D", "ADQH").points == 30


@pytest.mark.parametrize("move", ["D", "R", "U", "AHQH", "KC"])
def test_nothing_follows_a_won_run(move: str) -> None:
    board = played("endless", *EASY_PYRAMID)
    assert board.is_won
    assert not board.is_stuck
    assert board.legal_moves == []
    assert refusal(board, move).code == "game_over"


def test_a_malformed_move_is_malformed_even_after_a_won_run() -> None:
    assert refusal(played("endless", *EASY_PYRAMID), "kd").code == "malformed"


def test_strict_goes_on_without_a_pyramid_until_all_52_cards_are_gone() -> None:
    board = played("strict", *EASY_PYRAMID)
    assert (board.cleared, board.is_won, board.is_stuck) == (28, False, False)
    for move in EASY_STOCK:
        board.play(move)
    assert (board.is_won, board.stock, board.waste) == (True, (), ())


def test_a_strict_run_without_a_pyramid_is_stuck_when_its_last_cards_do_not_go() -> None:
    board = played("strict", *EASY_PYRAMID, *["D"] * 24)
    assert (board.is_won, board.is_stuck) == (False, True)
    board.play("U")
    assert not board.is_stuck


def test_a_run_without_a_limit_of_passes_is_not_stuck_while_a_card_is_left_to_draw_or_redeal() -> None:
    assert not played("endless", *["D"] * 24).is_stuck


def test_undo_takes_back_the_cards_the_points_and_the_move() -> None:
    board = played("cover-pairs", "D")
    before = facts(board)
    for move in ["KS", "U", "4D9D", "U"]:
        board.play(move)
    assert facts(board) == before


def test_undo_takes_back_a_redeal_with_its_pass() -> None:
    board = played("three-pass", *["D"] * 24, "R", "U")
    assert (board.pass_number, len(board.waste), board.moves) == (1, 24, 24)


def test_undo_takes_back_a_removal_from_an_open_stock() -> None:
    board = played("open-stock", "D", "AHQH", "U")
    assert (texts(board.waste), texts(board.stock[:1])) == ("AH", "QH")


def test_an_undo_cannot_be_undone() -> None:
    board = played("endless", "D", "KS", "U", "U")
    assert (board.waste, board.cleared) == ((), 0)
    assert refusal(board, "U").code == "nothing_to_undo"


def test_the_moves_of_pyramide_never_go_down() -> None:
    board = played("pyramide", "D", "D", "U", "KS", "U", "U")
    assert (board.moves, len(board.waste), board.points) == (3, 1, 0)


def test_pyramide_remembers_the_last_100_actions() -> None:
    board = played("pyramide", *(["D"] * 23 + ["R"]), *(["D"] * 24 + ["R"]) * 4)
    for _ in range(100):
        board.play("U")
    refused = refusal(board, "U")
    assert refused.code == "nothing_to_undo"
    assert "100 actions" in str(refused)
    board.play("D")
    board.play("U")
    assert refusal(board, "U").code == "nothing_to_undo"


def test_other_rule_sets_remember_everything() -> None:
    board = played("endless", *(["D"] * 24 + ["R"]) * 5)
    for _ in range(125):
        board.play("U")
    assert refusal(board, "U").code == "nothing_to_undo"


def test_pop_goes_behind_the_limit_of_undo_and_gives_every_move_back() -> None:
    board = Board(EASY, RULES["pyramide"])
    before = facts(board)
    moves = [Move.parse(text) for text in (["D"] * 23 + ["R"] + (["D"] * 24 + ["R"]) * 4)]
    for move in moves:
        board.push(move)
    for _ in moves:
        board.pop()
    assert facts(board) == before


def test_a_move_pushed_and_popped_does_not_shorten_the_reach_of_undo() -> None:
    board = played("pyramide", *(["D"] * 23 + ["R"]), *(["D"] * 24 + ["R"]) * 3, "D")
    assert board.moves == 100
    board.push(Move.parse("D"))
    board.pop()
    for _ in range(100):
        board.play("U")
    assert refusal(board, "U").code == "nothing_to_undo"


def test_a_copy_can_be_undone_no_further_than_its_original() -> None:
    board = played("pyramide", *(["D"] * 23 + ["R"]), *(["D"] * 24 + ["R"]) * 4)
    for _ in range(50):
        board.play("U")
    twin = board.copy()
    for _ in range(50):
        twin.play("U")
    assert refusal(twin, "U").code == "nothing_to_undo"


def test_there_is_nothing_to_pop_on_a_new_board() -> None:
    with pytest.raises(IndexError):
        Board(EASY, RULES["endless"]).pop()


def test_a_board_says_where_it_stands_but_not_its_deal() -> None:
    assert repr(played("endless", "KS", "D")) == "<Board under endless: 1 cleared in 2 moves>"


@pytest.mark.parametrize(
    ("moves", "move", "said"),
    [
        ([], "kd", "kd: not a move; moves are D, R, U, one card such as KD, or two cards such as TC3S."),
        (EASY_PYRAMID, "D", "D: the run is already won."),
        ([], "U", "U: there is nothing to undo."),
        (["D"] * 24, "D", "D: the stock is empty."),
        ([], "R", "R: the stock still holds 24 cards."),
        (["D"] * 23, "R", "R: the stock still holds a card."),
        (["KS"], "KS", "KS: KS is already gone."),
        (["D"] * 3, "4DAH", "4DAH: AH lies in the waste under 2H."),
        ([], "4D9S", "4D9S: 9S is in the stock and not in play."),
        ([], "QD", "QD: QD is still covered by 9D and 5D."),
        (["4D9D"], "QD", "QD: QD is still covered by 5D."),
        ([], "4D", "4D: 4D counts 4, not 13."),
        ([], "4DKS", "4DKS: 4D and KS make 17, not 13."),
    ],
)
def test_a_refusal_tells_what_is_in_the_way(moves: list[str], move: str, said: str) -> None:
    assert str(refusal(played("endless", *moves), move)) == said


def test_a_redeal_of_nothing_says_so() -> None:
    board = played("strict", *EASY_STOCK)
    assert str(refusal(board, "R")) == "R: stock and waste are both empty."
