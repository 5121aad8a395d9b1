"""schemathesis over the OpenAPI document: whatever it sends, answers are as documented."""

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from ..conftest import Live, Site, served


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("openapi"))
    with served(site.app()) as address:
        made = Live(site, address)
        made.submit(made.team("Ada"), site.file(10))
        yield made
        made.http.close()


def tried(operation, live, examples, *, authorised):
    """Send what schemathesis makes up for an operation, and let it judge the answers."""
    headers = {"Authorization": f"Bearer {live.organiser}"} if authorised else {}

    @settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
        database=None,
    )
    @given(operation.as_strategy())
    def check(case):
        if "slug" in (case.path_parameters or {}) and not case.path.endswith("/finish"):
            case.path_parameters["slug"] = live.site.slug
        # A name of no letters or an empty file fits the schema and is refused all the same.
        case.call_and_validate(headers=headers, excluded_checks=[positive_data_acceptance])

    check()


@pytest.mark.parametrize("authorised", [True, False])
@pytest.mark.parametrize("examples", [3, pytest.param(25, marks=pytest.mark.slow)])
def test_answers_are_as_documented(live, examples, authorised):
    document = schemathesis.openapi.from_url(f"{live.address}/api/v1/openapi.json")
    operations = [result.ok() for result in document.get_all_operations()]
    assert len(operations) >= 24
    for operation in operations:
        tried(operation, live, examples, authorised=authorised)
