import copy
import pickle
from fractions import Fraction

import pytest

from dpcalc.choose.epsilon import epsilon as privacy_epsilon
from dpcalc.errors import DomainError, NoSolution, TooLarge, Undecided, escaped, one_line
from dpcalc.mechanisms.noise import Binomial
from dpcalc.mechanisms.noisy_count import NoisyCount
from dpcalc.mechanisms.randomizers import CategoryResponse
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.rounds import Rounds
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit

LARGE = TooLarge("the exact ratio of an outcome", size=9000, limit=5000, unit="terms", instead="dpcalc.delta")


@pytest.mark.parametrize("again", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
@pytest.mark.parametrize(
    "error",
    [
        DomainError("q", Fraction(1, 2), "a flip probability"),
        NoSolution("delta is above 0.1"),
        Undecided("not reached", Enclosure(Fraction(1, 3), Fraction(1, 2))),
        LARGE,
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_passes_from_one_process_to_another_whole(error, again):
    passed = again(error)
    assert type(passed) is type(error)
    assert str(passed) == str(error)
    assert passed.args == error.args
    assert {name: repr(value) for name, value in vars(passed).items()} == {
        name: repr(value) for name, value in vars(error).items()
    }


def test_what_is_too_large_says_what_to_try():
    assert str(LARGE) == "the exact ratio of an outcome needs 9,000 terms, the limit is 5,000 terms; try dpcalc.delta"


def test_a_size_too_long_to_print_is_a_power_of_two():
    error = TooLarge("a list", size=3 << 20_000, limit=5, unit="pairs", instead="less")
    assert str(error) == "a list needs at least 2^20,001 pairs, the limit is 5 pairs; try less"


@pytest.mark.parametrize("n", [10**5000, -(10**5000), Fraction(1, 10**5000)], ids=["large", "negative", "small"])
def test_a_value_too_long_for_python_to_print_is_refused_in_one_line(n):
    with pytest.raises(DomainError) as refusal:
        KRandomization(n=n, q="1/4")
    assert str(refusal.value).startswith(f"n = {type(n).__name__} of more than 4,300 digits is not allowed: give ")


@pytest.mark.parametrize("error", [NoSolution, Undecided, lambda message: DomainError("k", 3, message)])
def test_long_numbers_are_shortened_wherever_they_stand(error):
    long = f"{10**4000:,}"
    assert str(error(f"at most {long} or 1/{7 * 10**80}")).endswith(
        "at most 10,000,000,000,000,0...,000,000,000 (4,001 digits) or 1/7{}...{} (81 digits)".format(
            "0" * 19, "0" * 12
        )
    )
    assert f"{10**30:,}" in str(error(f"{10**30:,}"))


@pytest.mark.parametrize(
    "error",
    [
        NoSolution,
        Undecided,
        lambda said: DomainError("k", 3, said),
        lambda said: DomainError(said, ..., "it"),
        lambda said: TooLarge(said, size=2, limit=1, unit="bits", instead="less"),
    ],
)
def test_no_message_steers_a_terminal_or_breaks_its_line(error):
    assert r"a\x1b[2J\r\nb\x9bc\u202ed é" in str(error("a\x1b[2J\r\nb\x9bc\u202ed é"))


def test_a_value_is_shown_on_one_line():
    class Lines:
        def __repr__(self):
            return "one\n   two\n"

    assert str(DomainError("q", Lines(), "a number")) == "q = one two is not allowed: give a number"
    assert (
        str(DomainError("q", "x" * 100, "a number")) == f"q = '{27 * 'x'}...{28 * 'x'}' is not allowed: give a number"
    )
    assert str(DomainError("q", 10**70, "less")).startswith("q = 10000000000000000000...000000000000 (71 digits) is")


@pytest.mark.parametrize("epsilon", ["1e-60", "1e-300"])
def test_an_epsilon_next_to_0_has_a_private_response(epsilon):
    found = CategoryResponse.private(3, epsilon=epsilon)
    assert found.flip == 1
    assert Limit.of(epsilon=epsilon).ends.lower == 1


def test_noise_that_gives_the_change_away_has_no_epsilon():
    often = Rounds([(NoisyCount(Binomial(5, "1/2")), 2)])
    with pytest.raises(NoSolution) as caught:
        privacy_epsilon(often, delta="0.001")
    assert str(caught.value) == (
        "no epsilon gives delta <= 0.001: as epsilon grows, delta falls to 0.0615234375 or more, "
        "the chance of an outcome that gives the change away"
    )
    with pytest.raises(NoSolution) as caught:
        NoisyCount(Binomial(5, "1/2")).local_epsilon  # noqa: B018
    assert str(caught.value) == (
        "no epsilon gives delta = 0: as epsilon grows, delta tends to 1/32, "
        "the chance that the noise gives the change away"
    )


class Written:
    """Counts how often it is written."""

    times = 0

    def __repr__(self):
        Written.times += 1
        return "one"


@pytest.mark.parametrize("values", [list, tuple, dict.fromkeys, lambda many: {1: list(many)}])
def test_a_long_value_is_cut_before_it_is_written(values):
    Written.times = 0
    said = str(DomainError("table", values(Written() for _ in range(10**4)), "a table"))
    assert said.startswith("table = ")
    assert len(said) < 120
    assert 1 <= Written.times <= 40
    assert len(one_line(values(Written() for _ in range(10**4)))) < 320
    assert Written.times <= 300


def test_a_long_text_is_cut_before_it_is_escaped():
    assert len(one_line("\u202e" * 10**7)) < 2500
    assert len(str(DomainError("a\n" * 10**6, "\n" * 10**7, "less"))) < 1000


def test_every_character_that_is_not_seen_is_escaped():
    """Controls, directions, ends of lines, marks without width, halves of characters, and what is not assigned."""
    everything = "".join(map(chr, range(0x110000)))
    assert escaped(everything).isprintable()
    assert escaped(escaped("é\u200b\ufeff\ud800")) == r"é\u200b\ufeff\ud800"
    for steering in "\x00\x1b\x7f\x85\u061c\u200e\u2028\u202e\u2066\ud800\U000e0041":
        assert steering not in escaped(f"a{steering}b")


def test_what_a_file_says_is_one_line():
    assert one_line("  coins: kept\n\n2. dice:\u2028kept\t") == "coins: kept 2. dice: kept"
    assert one_line(["a\n", {"b": 1}]) == r"['a\n', {'b': 1}]"
    assert (one_line(Fraction(1, 3)), one_line(None), one_line(10**5000)) == (
        "1/3", "None", "int of more than 4,300 digits"
    )  # fmt: skip
