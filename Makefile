# One word for each act. Each makes the checkout ready by itself; Python 3.11 is all it needs.

FOR_RUN  = @packaging/prepare.sh run
FOR_TEST = @packaging/prepare.sh test
BIN      = .venv/bin
# How often each fault is injected by `make faults`.
TIMES    = 1000
# Of `make test`: more than two cores have, for some tests wait.
WORKERS  = 5
# What `make screenshots` is narrowed to, as ONLY="--only payment- --shape en-light-1024".
ONLY     =
# Of a release of the Windows installer: what `packaging/windows/build.py --help` tells.
INSTALLER =
# For which system the Debian package is: what `packaging/linux/build_deb.py --help` tells.
PACKAGE =
# Further arguments of `buildah build`.
IMAGE =

# What was compiled is kept: programs that start by the hundred, and asserts, are not compiled anew.
unexport PYTHONDONTWRITEBYTECODE

# Of `make test`: what `make coverage` adds.
COVER    =

.PHONY: run test coverage quick check audit format bench growth faults mutants screenshots release wheel image \
	package package-test installer installer-test clean

run: ## ring up a sale in the demo shop: on the screen, or without one if there is none
	$(FOR_RUN) $(BIN)/pos-app demo

test: ## every test but the long ones and the house rules of `make check`, last those that are alone
	$(FOR_TEST) sh -c '$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal --ignore=tests/architecture \
		-m "not long and not alone" $(COVER); beside=$$?; \
		$(BIN)/python -m pytest -q -m "alone and not long" $(COVER) $(if $(COVER),--cov-append) && exit $$beside'

coverage: COVER = --cov --cov-report=
coverage: test ## how much of the product the same tests reach; they take longer then
	$(FOR_TEST) $(BIN)/coverage report

quick: ## the part of `make check` that takes seconds: formatting, lint, import contracts
	$(FOR_TEST) $(BIN)/ruff format --check
	$(FOR_TEST) $(BIN)/ruff check
	$(FOR_TEST) $(BIN)/lint-imports

check: quick ## formatting, lint, import contracts, types, dependencies, secrets, house rules
	$(FOR_TEST) $(BIN)/mypy
	$(FOR_TEST) $(BIN)/python -m pip check
	$(FOR_TEST) $(BIN)/deptry pos_app
	$(FOR_TEST) $(BIN)/python packaging/secret_audit.py
	$(FOR_TEST) $(BIN)/python -m pytest -q tests/architecture

audit: ## which locked packages have a known weakness; needs the internet, and says so without
	$(FOR_TEST) $(BIN)/python packaging/advisories.py

format: ## what ruff can mend by itself
	$(FOR_TEST) $(BIN)/ruff check --fix
	$(FOR_TEST) $(BIN)/ruff format

bench: ## the figures of this machine
	$(FOR_TEST) $(BIN)/python -m tests.bench

growth: ## figures, tables and drawings of docs/performance.md; hours, 10 GB, a quiet machine
	$(FOR_TEST) $(BIN)/python -m tests.bench --only peers growth day --json build/growth.json
	$(FOR_TEST) $(BIN)/python -m tests.bench.plots build/growth.json

faults: ## every property with new examples, every fault test many times, the long ones; one table of it
	rm -f build/faults.json
	$(FOR_TEST) packaging/client_tools.sh
	$(FOR_TEST) sh -c 'failed=; \
		$(BIN)/python -m pytest -q -n 2 --dist worksteal -m hypothesis --hypothesis-profile=explore \
			-o faulthandler_timeout=7200 || failed="properties"; \
		$(BIN)/python -m pytest -q -n 3 --dist worksteal -m "(faults or long) and not (long and alone)" \
			--times $(TIMES) -o faulthandler_timeout=7200 || failed="$$failed faults"; \
		$(BIN)/python -m pytest -q -m "long and alone" || failed="$$failed alone"; \
		$(BIN)/python -m tests.proofs $$failed'

mutants: ## breaks the product in 400 places and tells what no test notices; hours, goes on where it was cut
	$(FOR_TEST) sh -c '.venv/bin/python -m venv build/mutants/venv && build/mutants/venv/bin/pip install -q \
		--disable-pip-version-check --no-deps --require-hashes -r packaging/requirements-mutants.txt && \
		PYTHONPATH=$(CURDIR) build/mutants/venv/bin/python -m tests.mutants'

screenshots: ## every screen and state in every shape, and what is wrong with them; build/screenshots
	$(FOR_TEST) $(BIN)/python -m tests.gui.crawl $(ONLY)

release: ## wheel, packages of all systems, installer, and the image where buildah is; dist/
	rm -rf dist
	$(MAKE) wheel package
	$(MAKE) package PACKAGE="--for debian-13"
	$(MAKE) package PACKAGE="--for ubuntu-24.04"
	$(MAKE) installer
	if command -v buildah; then $(MAKE) image; else echo "Without buildah there is no image."; fi
	cd dist && sha256sum --check SHA256SUMS

wheel: ## the wheel; dist/
	$(FOR_TEST) $(BIN)/python packaging/artefacts.py wheel

image: ## the platform's container image; dist/; needs buildah; IMAGE="--volume …" is given to it
	$(FOR_TEST) $(BIN)/python packaging/artefacts.py image -- $(IMAGE)

installer: ## the Windows installer, for tests; INSTALLER="--release --python-zip …" for a shop
	$(FOR_TEST) $(BIN)/python packaging/windows/build.py $(INSTALLER)

installer-test: ## installs, uses, upgrades and removes it under wine; as root, some 30 minutes
	$(FOR_TEST) $(BIN)/python packaging/windows/build.py --for-tests
	$(FOR_TEST) env POS_APP_TEST_INSTALLERS=$(CURDIR)/build/windows/test $(BIN)/python -m pytest -q \
		tests/windows_installer -o faulthandler_timeout=3600

package: ## the package for Debian 12; dist/; PACKAGE="--for ubuntu-24.04" for another system
	$(FOR_TEST) $(BIN)/python packaging/linux/build_deb.py $(PACKAGE)

package-test: ## installs it on Debian 13 and Ubuntu 24.04, in folders of its own; as root
	$(FOR_TEST) env POS_APP_TEST_SYSTEMS=$(CURDIR)/build/systems $(BIN)/python -m pytest -q \
		tests/linux_systems -o faulthandler_timeout=1800

clean: ## what the words above made
	rm -rf .venv .system resources/fonts resources/swagger-ui dist build .mypy_cache .ruff_cache \
		.pytest_cache .hypothesis .import_linter_cache .coverage .schemathesis
