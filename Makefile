# The usual names for what ./run does.
.PHONY: serve demo test check
serve demo test check:
	./run $@
