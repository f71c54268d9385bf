"""The classes by which templates, style sheets and modules know each other."""

import re
from pathlib import Path

import web

WEB = Path(web.__file__).parent
CLASSES = re.compile(r'class="([^"]*)"')
TAG = re.compile(r"{[%{].*?[%}]}")


def test_every_class_in_a_template_is_styled_or_looked_for() -> None:
    known = "\n".join(file.read_text() for file in WEB.glob("static/web/*"))
    unknown = {
        (template.name, name)
        for template in WEB.glob("templates/**/*.html")
        for name in classes_in(template.read_text())
        if not re.search(rf"[.\"' ]{re.escape(name)}\b", known)
    }
    assert not unknown


def classes_in(template: str) -> set[str]:
    """The classes, of those that are put together at least how they begin."""
    return {name for written in CLASSES.findall(template) for name in TAG.sub(" ", written).split()}
