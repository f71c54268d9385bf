"""What answers look like: a shape is the type of what its function makes and its schema in OpenAPI.

Moments are aware datetimes, written in ISO 8601 with a Z.
"""
