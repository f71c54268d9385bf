"""What an email address may be."""

import pytest

from players.emails import normalise_email
from players.errors import BadEmail


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("ann@example.org", "ann@example.org"),
        (" Ann.Lee+play@Example.ORG ", "ann.lee+play@example.org"),
        ("ann@bücher.example", "ann@xn--bcher-kva.example"),
        ("o'neill@example.org", "o'neill@example.org"),
    ],
)
def test_an_address_is_kept_in_its_plain_form(text: str, kept: str) -> None:
    assert normalise_email(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "", "ann", "@", "ann@", "@example.org", "ann@example", "ann@@example.org", "ann @example.org",
        "ann@exa mple.org", "ann@example..org", "ann@" + "x" * 64 + ".org", "a" * 250 + "@example.org",
        "ann@example.org\nBcc: bob@example.org", "ann@example.org,bob@example.org", "Ann <ann@example.org>",
        '"ann"@example.org', "ann\0@example.org", "ann\ud800@example.org", "ann@\ud800.org", "x" * 100_000,
    ],
)  # fmt: skip
def test_what_mail_cannot_be_sent_to_is_refused(text: str) -> None:
    with pytest.raises(BadEmail) as refused:
        normalise_email(text)
    assert (refused.value.status_code, refused.value.pointer) == (400, "/email")


@pytest.mark.parametrize("text", ["mi\u212ae@example.org", "\u017fam@example.org", "аnn@example.org"])  # noqa: RUF001
def test_a_letter_that_folds_to_another_is_refused_and_never_taken_for_it(text: str) -> None:
    with pytest.raises(BadEmail):
        normalise_email(text)
