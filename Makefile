PREFIX ?= /usr/local

.PHONY: all install test
all:
	scripts/build-release

install:
	scripts/install "$(PREFIX)"

test:
	scripts/test
