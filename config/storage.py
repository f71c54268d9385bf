"""How static files are named and packed for a deployment."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Names with a hash of the content, also where one ES module imports another; packed beforehand."""

    support_js_module_import_aggregation = True
