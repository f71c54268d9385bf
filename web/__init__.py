"""The pages people use. They show through the read functions of the rooms below and act through the API."""
