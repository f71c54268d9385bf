import unicodedata


def normalise(text: str, *, allow_reserved: bool = False) -> str:
    return unicodedata.normalize("NFKC", text)


def skeleton(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
