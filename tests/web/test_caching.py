"""What makes two pages the same."""

from web.caching import tag


def test_a_page_that_says_something_else_has_another_tag() -> None:
    assert tag(b"<p>1 ranked</p>") != tag(b"<p>2 ranked</p>")


def test_a_forms_token_says_nothing_new() -> None:
    form = b'<input type="hidden" name="csrfmiddlewaretoken" value="%s"><p>1</p>'
    assert tag(form % b"abc") == tag(form % b"xyz")


def test_a_token_for_scripts_says_nothing_new() -> None:
    meta = b'<meta name="csrf-token" content="%s"><p>1</p>'
    assert tag(meta % b"abc") == tag(meta % b"xyz")


def test_a_tag_is_weak() -> None:
    assert tag(b"").startswith('W/"')
