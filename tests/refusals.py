"""What is refused, as a table: a line says what is asked for, in public names, and how the answer's one line begins."""

from functools import cache

import pytest

import dpcalc as dp


@cache
def _public():
    return {name: getattr(dp, name) for name in dp.__all__}


def refusals(table, error=dp.DomainError, **names):
    """The test of a table. Beside the public names its lines use those that are given; ``~`` is for "is not allowed:
    give".
    """

    @pytest.mark.parametrize(("asked", "said"), [line.rsplit(" | ", 1) for line in table.strip().splitlines()])
    def test(asked, said):
        with pytest.raises(error) as refusal:
            eval(asked, _public() | names)
        assert str(refusal.value).startswith(said.replace(" ~", " is not allowed: give"))
        assert "\n" not in str(refusal.value)

    return test
