"""What a request about players can be refused for."""

from rest_framework import status
from rest_framework.exceptions import APIException


class BadName(APIException):
    """A name the policy refuses; ``detail`` says why in a sentence, ``code`` for programs."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "bad_name"
    default_detail = "This name cannot be used."
    pointer = "/name"


class NameTaken(APIException):
    """Another player has this name, or one that looks like it."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "name_taken"
    default_detail = "Another player has this name or one that looks like it."
    pointer = "/name"
