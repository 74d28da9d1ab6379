import io
import json
import os
import re
import shlex
import subprocess
import sys
import time
from contextlib import nullcontext, redirect_stderr
from fractions import Fraction
from functools import partial

import pytest

import dpcalc
import dpcalc as dp
from dpcalc import check
from dpcalc.cli import main, program
from dpcalc.cli.command import Status
from dpcalc.cli.program import waiting
from dpcalc.registered import registered
from dpcalc.report import plain

POOL = ["--n", "1000", "--q", "1/4"]


def run(capsys, *arguments):
    """The exit status, what was printed, and what was complained of."""
    try:
        status = main(list(arguments))
    except SystemExit as stop:
        status = stop.code
    found = capsys.readouterr()
    return status, found.out, found.err


#: What is refused in one line, and what the line says.
REFUSED = """
delta --n 10 --lam 2 --q 0.5 | dpcalc delta: q = '0.5' is not allowed: give a flip probability with 0 < q < 1/2
noise --kind gaussian --sigma 5 --lam 2 --rounds 0 | rounds = '0' is not allowed
plan 50000 --epsilon 1 | 50000 stands alone: write --n 50000
plan --n 9 | give exactly one of lam = e^epsilon and epsilon
plan --n 9 --lam 2 --k 1 --plot x.txt | a file name ending in .png
barrier --q 0.1 --plot '' | a file name ending in .png
delta --n 9 --q 0.1 --epsilon -1/3 | epsilon = '-1/3' is not allowed
delta --n 9 --q 0.1 --epsilon -.5e-3 | epsilon = '-.5e-3' is not allowed
delta --n 9 --lam 2 | q is missing: give it, or a and b
delta --n 9 --lam 2 --a 1/2 | b is missing: give a and b
delta --n 9 --q 0.1 --lam 2 --a 1/2 --b 0.1 | leave it out: a and b say how often
delta --n 9 --lam 2 --a 0.1 --b 1/2 | b = '1/2' is not allowed: give a probability
closeness nowhere.csv --quasi a --sensitive b --epsilon 1 | nowhere.csv
delta --n 9 --q 0.1 --epsilon 1 --dropouts=-- | --dropouts has no value
ratio --n 9 --q 0.1 --s=-- | --s has no value
noise --kind binomial --trials 9 --epsilon 1 --copies '' | copies = '' is not
noise --kind binomial --trials 9 --epsilon 1 --probability '' | probability = ''
noise --kind laplace --scale 2 --epsilon 1 --shape '' | shape = '' is not allowed
tradeoff --n 9 --q 0.1 --false-positive 0.1 --neighbours delete | give only replace without categories
plan --n 9 --lam 2 --k 1 --neighbours delete | give only replace without categories
plan --n 9 --lam 2 --delta 0.1 --k 1 --sigmas 5 | give no --sigmas without one of the notes' bounds
blanket --n 9 --q 0.1 --lam 2 --bits 1e400 | from 1 to 1,000,000,000,000,000
plan --n 9 --lam 2 --delta 0.1 --k 1 --bits 1e309 | from 1 to 1,000,000
delta --n 9 --q 0.1 --lam 2 --neighbours delete | neighbours = 'delete' is not allowed: give only replace
least-q --n 9 --lam 2 --delta 0.1 --ones 2 | ones = '2' is not allowed: give only 1 without categories
ratio --records 11,10 --change 1:0 --q 0.1 | value = '0' is not allowed: give a record of 2
ratio --records 11,10 --change 1:00 --q 0.1 --n 2 | give no --n with --records
ratio --n 9 --q 0.1 --s 1 --change 1:0 | give no --change without --records
ratio --q 0.2 | n is missing: give --n
ratio --q 0.2 --records 11,10 | change is missing: give --change
ratio --q 0.2 --records 11,10 --change 3:00 | place = '3' is not allowed
ratio --q 0.2 --records 11,10 --change 00 | is not allowed
ratio --n 10 --q 1/4 --s 9-3 | s = '9-3' is not allowed: give all, or A-B with 0 <= A <= B <= 10
ratio --n 10 --q 1/4 --s 3-x | s = '3-x' is not allowed
ratio --n 10 --q 1/4 --s 3 --csv a.csv | csv = 'a.csv' is not allowed: give no --csv without a range
ratio --n 10 --q 1/4 --s all --bits 2 | bits = '2' is not allowed: give no --bits with a range
pmf --n 10 --q 1/4 --ones 1 --s 5-2 | s = '5-2' is not allowed
pmf --n 10 --q 1/4 --ones 1 --s 5 | s = '5' is not allowed
log-concavity --n 10 --q 1/4 --along ones --newton | newton = True is not allowed: give no --newton with
log-concavity --n 10 --q 1/4 --compute | compute = True is not allowed: give no --compute without --along
log-concavity --n 10 --q 1/4 --along s | along = 's' is not allowed
record --q 1/4 | dpcalc record: records is missing: give either --records or --hashes
record --q 1/4 --records 1 --hashes 2 | give either --records or --hashes
record --q 1/4 --records 1 --k 2 | --k
record --q 1/4 --hashes 2 --vector 1 | --vector
record --anonymity 1 --q 0.1 --records 1 | no --q with --anonymity
record --anonymity 1 --hashes 1 | no --hashes with --anonymity
record --anonymity 1 | --records
record --records 1,0 | --q
record --records 1,0 --q 0.1 --rtol 0.1 | no --rtol without --anonymity
shuffle --n 3 --lam 2 --randomizer k-ary --categories 3 | local-epsilon is missing: give --local-epsilon or --local-lam
shuffle --n 3 --lam 2 --randomizer k-ary --categories 3 --local-epsilon -1 | local-epsilon = '-1' is not allowed
shuffle --n 3 --lam 2 --randomizer k-ary --categories 3 --local-epsilon 1 --local-lam 2 | local-lam, local-epsilon = ('2', '1')
noise --kind skellam --mu 0 --epsilon 1 | mu = '0' is not allowed
shuffle --n 3 --lam 2 --randomizer k-ary --local-lam 3 | categories is missing: give --categories
shuffle --n 3 --lam 2 --randomizer unary --categories 3 --q 1/4 --size 2 | size = '2' is not allowed: give no --size
shuffle --n 3 --lam 2 --randomizer krr | randomizer = 'krr' is not allowed: give one of k-ary, unary
noise --kind cauchy --lam 2 | kind = 'cauchy' is not allowed: give one of binomial, poisson
noise --kind poisson --trials 5 | trials = '5' is not allowed: give no --trials with poisson noise
noise --kind binomial --trials 9 | delta is missing: give --delta
noise --kind finite --lam 2 --delta 0.1 | masses is missing: give --masses
noise --kind geometric --bound 9 --delta 0.1 | ratio, scale = (None, None) is not allowed: give one of them
noise --kind binomial --trials 9 --lam 2 --delta 0.1 | delta = '0.1' is not allowed
noise --kind rounded-laplace --lam 2 --delta 0.1 | scale is missing: give --scale
noise --kind laplace --lam 2 --delta 0.1 --copies 3 | copies = '3' is not allowed: give no --copies for the least scale
delta --n 10 --q 0.2 --lam 2 --dropouts 10 | give more users than drop out or collude: 10 of 10
delta --n 10 --q 0.2 --lam 2 --dropouts 50% --colluding 9 | n = '10' is not allowed: give more users than drop out
delta --n 10 --q 0.2 --lam 2 --dropouts 50% --colluding 50% | colluding = '50%' is not allowed: give a whole number
delta --n 1000 --q 1/4 --lam 2 --lam 3 | argument --lam: given twice (see dpcalc delta --help)
delta --n 12 --a 1/2 --b 0.1 --lam 2 --categories 5 --ones 2 | only 1 with a and b
estimate --n 9 --q 1/4 --s 4 --simultaneous | simultaneous
estimate --n 9 --q 1/4 --s 4 5 --rounds 3 | s = '2 counts' is not allowed: give 3: one for each of 3 rounds
delta --n 10 --q 0.2 --lam 2 --colluding x% | colluding = 'x' is not allowed: give a whole number of users >= 0
"""


@pytest.mark.parametrize(("typed", "said"), [line.split(" | ") for line in REFUSED.strip().splitlines()])
def test_bad_input_is_one_line_that_names_argument_value_and_what_is_allowed(typed, said, capsys):
    status, out, err = run(capsys, *shlex.split(typed))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"dpcalc {typed.split()[0]}: ")
    assert said in err


def test_what_does_not_fit_is_refused_with_the_call_that_scales(capsys):
    status, _, err = run(capsys, "ratio", "--n", "1e6", "--q", "0.123", "--s", "5", "--ones", "7")
    assert status == 4
    assert "the limit is 100,000,000,000 bits of work" in err
    assert "dpcalc.ratios(mechanism, ones=7)[5], an enclosure" in err


def test_rounds_of_a_histogram_name_both_ends_and_their_datasets(capsys):
    given = ["delta", "--n", "1e3", "--q", "0.1", "--epsilon", "1", "--categories", "16", "--rounds", "3"]
    status, out, _ = run(capsys, *given)
    assert status == 0
    lower, upper = re.search(r"^at least ([\d.e-]+), at most ([\d.e-]+)$", out, flags=re.MULTILINE).groups()
    month = dpcalc.Rounds([(dpcalc.UnaryEncoding(n=10**3, q="0.1", categories=16), 3)])
    found = dpcalc.delta(month, epsilon=1)
    assert Fraction(lower) <= found.lower < found.upper <= Fraction(upper)
    assert out.splitlines()[-1] == (
        "in 3 rounds attained with, of the other records, 999 in the category that the changed record leaves, "
        "0 in the category that the changed record enters"
    )
    document = json.loads(run(capsys, *given, "--json")[1])
    assert document["datasets"] == [{"rounds": 3, "left": [999], "entered": [0]}]


#: Commands about small cases: the entries of the document that lead to a number, and the number.
SMALL = """
ratio --n 100 --q 3/10 --s 0 | ratio value | 7/3
ratio --records 110,111,101 --change 1:000 --q 0.2 --lam 2 | maximum ratio | 16
record --q 1/4 --records 11,00 --vector 11 | anonymity value | 1/9
record --q 1/4 --records 11,00 --vector 11 | presence_ratio value | 151/16
record --q 1/4 --records 11,00 --vector 11 | presence value | 151/256
record --q 1/4 --records 11 | presence_ratio |
record --q 1/4 --hashes 2 | epsilon digits | 4.394449154672438765580980947690102818589...
vector-delta --n 3 --bits 2 --q 1/5 --lam 3/2 | identical value | 15479/31250
maximal --n 4 --bits 2 --q 0.2 | ratio | 16
least-n --q 0.1 --lam 2 --delta 0.01 | value | 68
delta --n 12 --a 50% --b 10% --lam 3/2 | delta value | 94143178827/2000000000000
most-k --n 1000 --q 1/4 --lam 2 --delta 1e-6 | value | 20
"""


@pytest.mark.parametrize("row", SMALL.strip().splitlines())
def test_a_document_has_the_number(row, capsys):
    typed, path, number = (cell.strip() for cell in row.split("|"))
    status, out, _ = run(capsys, *typed.split(), "--json")
    found = json.loads(out)
    for name in path.split():
        found = found.get(name, "")
    assert (status, found) == (0, number)


#: Commands, an entry of the document, and whose answer of the library it is.
AS_THE_LIBRARY = """
delta --n 12 --a 1/2 --b 1/10 --lam 3/2 --categories 5 | delta | delta(FEW, lam="3/2")
delta --n 12 --a 1/2 --b 1/10 --lam 3/2 --categories 5 --rounds 2 | delta | delta(Rounds([(FEW, 2)]), lam="3/2")
shuffle --randomizer k-ary --categories 2 --local-lam 3 --n 7 --lam 3/2 | delta | delta(SEVEN, lam="3/2")
shuffle --randomizer k-ary --categories 3 --local-lam 3 --n 3 --lam 2 --rounds 2 | delta | \
delta(Rounds([(KRR, 2)]), lam=2)
shuffle --randomizer subset --size 2 --categories 3 --local-lam 3 --n 3 --lam 1.1 | delta | \
delta(Shuffle(subset_selection(3, 2, lam=3), n=3), lam="1.1")
shuffle --randomizer hadamard --categories 3 --local-lam 3 --n 3 --lam 1.1 | delta | \
delta(Shuffle(hadamard_response(3, lam=3), n=3), lam="1.1")
shuffle --randomizer unary --categories 3 --q 1/4 --n 3 --lam 1.1 | delta | \
delta(Shuffle(linked_unary_encoding(3, q="1/4"), n=3), lam="1.1")
shuffle --randomizer rappor --f 1/2 --p 1/2 --q 3/4 --categories 3 --n 3 --lam 1.1 | delta | \
delta(Shuffle(rappor(3, f="1/2", p="1/2", q="3/4"), n=3), lam="1.1")
tradeoff --n 1 --q 1/4 --false-positive 1/8 | false_negative | \
tradeoff(KRandomization(n=1, q="1/4")).false_negative("1/8")
tradeoff --n 7 --q 1/4 --false-positive 1/8 --ones 1 | false_negative | tradeoff(SEVEN, ones=1).false_negative("1/8")
tradeoff --n 7 --q 1/4 --false-positive 1/8 --rounds 2 --rtol 1e-2 | false_negative | \
tradeoff(Rounds([(SEVEN, 2)]), rtol="1e-2").false_negative("1/8")
tradeoff --n 3 --q 1/4 --false-positive 1/8 --categories 4 --ones 2 --rtol 1e-2 | false_negative | \
tradeoff(UnaryEncoding(n=3, q="1/4", categories=4, ones=2), rtol="1e-2").false_negative("1/8")
tradeoff --n 3 --q 1/4 --false-positive 1/8 --categories 3 --neighbours delete --rounds 2 --rtol .1 | false_negative | \
tradeoff(Rounds([(UnaryEncoding(n=3, q="1/4", categories=3, neighbours="delete"), 2)]), rtol=".1").false_negative("1/8")
noise --kind binomial --epsilon 1 --delta 1e-6 | trials | least_trials(epsilon=1, delta="1e-6")
noise --kind geometric --epsilon 1/2 --delta 1e-6 | bound | least_bound(epsilon="1/2", delta="1e-6")
noise --kind poisson --epsilon 1 --delta 1e-6 --rtol 1e-3 | mean | least_mean(epsilon=1, delta="1e-6", rtol="1e-3")
noise --kind gaussian --epsilon 1 --delta 1e-6 | sigma | least_sigma(epsilon=1, delta="1e-6")
noise --kind laplace --epsilon 1 --delta 1e-6 --shape 0.9 | scale | least_scale(epsilon=1, delta="1e-6", shape="0.9")
noise --kind geometric --bound 25 --epsilon 1/2 | delta | \
delta(NoisyCount(Geometric.from_epsilon("1/2", 25)), epsilon="1/2")
noise --kind geometric --bound 2 --ratio 1/2 --lam 2 | delta | delta(NoisyCount(Geometric("1/2", 2)), lam=2)
noise --kind geometric --bound 4 --ratio 1/2 --rounds 3 --lam 2 | delta | delta(DAYS, lam=2)
noise --kind geometric --bound 4 --ratio 1/2 --rounds 3 --delta 0.3 | epsilon | epsilon(DAYS, delta="0.3")
noise --kind poisson --mean 35 --delta 1e-6 | epsilon | epsilon(NoisyCount(Poisson(35)), delta="1e-6")
noise --kind finite --masses 1/4 0 1/2 0 1/4 --lam 3/2 | delta | \
delta(NoisyCount(FiniteNoise(["1/4", 0, "1/2", 0, "1/4"])), lam="3/2")
noise --kind gaussian --sigma 5 --epsilon 1/2 | delta | delta(NoisyCount(DiscreteGaussian(5)), epsilon="1/2")
noise --kind skellam --mu 10 --epsilon 1 | delta | delta(NoisyCount(Skellam(10, 10)), epsilon=1)
noise --kind laplace --scale 2 --copies 2 --epsilon 1/4 | delta | \
delta(NoisyCount(DiscreteLaplace("1/2") + DiscreteLaplace("1/2")), epsilon="1/4")
noise --kind laplace --scale 1 --shape 0.9 --delta 1e-6 | epsilon | \
epsilon(NoisyCount(NegativeBinomial("0.9", "0.9", epsilon=1)), delta="1e-6")
noise --kind rounded-gaussian --sigma 5 --epsilon 1/2 | delta | delta(NoisyCount(RoundedGaussian(5)), epsilon="1/2")
noise --kind rounded-laplace --scale 2 --lam 2 | delta | delta(NoisyCount(RoundedLaplace(2)), lam=2)
"""
NAMES = {name: getattr(dp, name) for name in dp.__all__}
NAMES["FEW"] = dp.AsymmetricBits(n=12, chances=("1/2", "1/10"), categories=5)
NAMES["SEVEN"] = dp.KRandomization(n=7, q="1/4")
NAMES["KRR"] = dp.Shuffle(dp.k_ary_response(3, lam=3), n=3)
NAMES["DAYS"] = dp.Rounds([(dp.NoisyCount(dp.Geometric("1/2", 4)), 3)])


@pytest.mark.parametrize(("typed", "entry", "asked"), [x.split(" | ") for x in AS_THE_LIBRARY.strip().splitlines()])
def test_a_document_has_the_answer_of_the_library(typed, entry, asked, capsys):
    status, out, err = run(capsys, *typed.split(), "--json")
    answer = eval(asked, NAMES)
    assert (status, err) == (0, "")
    assert json.loads(out)[entry] == getattr(answer, "enclosure", answer).to_dict()


def test_delta_as_json_names_the_dataset(capsys):
    _, out, _ = run(capsys, "delta", "--n", "7", "--q", "1/5", "--lam", "3/2", "--json")
    assert json.loads(out) == {
        "version": dpcalc.__version__,
        "inputs": {"command": "delta", "n": "7", "q": "1/5", "k": "1", "lam": "3/2"},
        "delta": {"value": "2176/15625"}, "ones": 1, "value": 0,
        "meaning": "lower: reached by one dataset; upper: holds for every dataset",
        "warnings": ["delta = 0.139264 with n = 7 is kept by publishing one person, drawn at random, with probability "
                     "0.97"],
    }  # fmt: skip


EVERY_COMMAND = [line.split() for line in """
plan --n 20 --lam 2 --delta 0.1 --k 2 1 --budget 1e2 --plot PICTURE
plan --n 20 --lam 2 --delta 0.1 --k 1 --max-local-epsilon 9
plan --n 20 --lam 2 --k 1 --bounds closed real
delta --n 7 --q 0.2 --epsilon 1/3 --ones 3 --rtol 1e-3
epsilon --n 7 --q 0.2 --delta 0 --certificate PROOF
ratio --n 7 --q 0.2 --s 3 --lam 2
ratio --n 7 --q 0.2 --s 2-5 --ones 3 --lam 2 --sigmas 2
ratio --n 2 --q 0.2 --bits 2 --s 1,0,1
ratio --records 10,11 --change 2:00 --q 0.2 --epsilon 1
pmf --n 7 --q 0.2 --k 2 --ones 3 --s 2-5
log-concavity --n 7 --q 0.2 --ones 3 --newton --strict
count-interval --n 7 --q 0.2 --ones 3 --sigmas 2
maximal --n 2 --bits 1 --q 0.2 --lam 2
vector-delta --n 2 --bits 2 --q 0.2 --lam 2
shuffle --randomizer k-ary --categories 3 --local-epsilon 1 --n 9 --epsilon 0.5
shuffle --randomizer matrix --rows 3/4,1/4 0.1,0.9 --n 9 --delta 0.1
record --q 0.2 --records 10,11 --vector 00
record --q 0.2 --hashes 2 --k 3
least-q --n 20 --lam 2 --delta 0.01 --bits 2 --dataset identical --rtol 0.1
plan --n 20 --lam 2 --delta 0.1 --bits 2 --k 1
record --records 10,11 --anonymity 1/9 --rtol 1e-3
local-q --n 6 --lam 2 --method lattice
least-q --n 6 --lam 2 --delta 0.1 --rtol 0.01
least-n --q 0.2 --lam 2 --delta 0.1 --colluding 5%
epsilon --n 9 --q 0.2 --delta 0.1 --dropouts 1 --colluding 10%
most-k --n 20 --q 0.2 --lam 2 --delta 0.1
tradeoff --n 3 --q 0.2 --false-positive 1/4 --prior 1/10 --plot PICTURE
noise --kind binomial --trials 20 --probability 1/3 --sensitivity 2 --lam 2
noise --kind finite --masses 1/4 1/2 0.25 --delta 0.3
noise --kind geometric --epsilon 1/2 --delta 1e-6
noise --kind gaussian --sigma 5 --sensitivity 2 --epsilon 1/2
noise --kind skellam --mu 10 --delta 1e-6
noise --kind poisson --mean 30 --epsilon 1 --rounds 2
noise --kind laplace --epsilon 1 --delta 1e-6 --shape 0.9
noise --kind laplace --scale 2 --copies 2 --lam 3/2
most-rounds --n 3 --q 0.4 --lam 1.5 --delta 0.1 --categories 3 --ones 2
delta --n 3 --q 0.2 --epsilon 1 --rounds 2
delta --n 3 --q 0.2 --epsilon 1 --categories 2 --neighbours delete
epsilon --n 3 --q 0.2 --delta 0.1 --categories 4 --rounds 2 --rtol 0.1
least-q --n 3 --lam 2 --delta 0.1 --rounds 2 --rtol 0.01
least-n --q 0.3 --lam 2 --delta 0.1 --categories 3 --rtol 0.5
estimate --n 20 --q 0.2 --s 7 --confidence 0.9 --method hoeffding
coverage --n 20 --q 0.2 --ones 7 --confidence 0.9
required-n --error 0.1 --q 0.2 --k 2
gaussian-sigma --lam 2 --delta 0.1 --rtol 1e-3
blanket --n 20 --q 0.2 --bits 2 --lam 2
closeness TABLE --quasi zip --sensitive os --epsilon 1/4 --order a b --distance earth-mover
closeness TABLE --quasi zip --sensitive os --epsilon 1/8 --n 2
closeness TABLE --quasi zip --sensitive os --epsilon 1/8 --n largest
fleet FLEET --epsilon 1/2 1 --ones 1 0
fleet FLEET --counts 2 1 --confidence 0.9
audit PROMISES
claims K16-5.12 K16-4.45 --refuted
barrier --q 0.2 --n 10 100 --exponents 1/2
""".strip().splitlines()]  # fmt: skip


PROMISES = "mechanism,trials,probability,sensitivity,epsilon,delta\nbinomial,80,1/2,1,1,1e-6\n"


def typed_again(inputs):
    """The command line that the inputs of a document describe."""
    words = [inputs.pop("command")]
    for name, value in inputs.items():
        if name not in ("table", "file", "id") and value is not False:
            words.append(f"--{name.replace('_', '-')}")
        words += value if isinstance(value, list) else [value] if isinstance(value, str) else []
    return words


FIRST = {command[0]: command for command in reversed(EVERY_COMMAND)}
EACH = [
    command if command is FIRST[command[0]] else pytest.param(command, marks=pytest.mark.soak)
    for command in EVERY_COMMAND
]


@pytest.mark.parametrize("command", EACH, ids=lambda command: command[0])
def test_a_document_can_be_asked_for_again_by_its_inputs(command, tmp_path, capsys):
    table = tmp_path / "people.csv"
    table.write_text("zip,os\n1,a\n1,b\n2,a\n2,a\n", encoding="utf-8")
    fleet = tmp_path / "fleet.toml"
    fleet.write_text("[[group]]\nn = 2\nq = 0.1\n[[group]]\nn = 1\nq = 0.2\n", encoding="utf-8")
    promises = tmp_path / "promises.csv"
    promises.write_text(PROMISES, encoding="utf-8")
    names = {"TABLE": str(table), "FLEET": str(fleet), "PICTURE": str(tmp_path / "plan.svg")}
    names["PROMISES"] = str(promises)
    names["PROOF"] = str(tmp_path / "proof.json")
    words = [names.get(word, word) for word in command]
    status, out, _ = run(capsys, *words, "--json")
    document = json.loads(out)
    assert document["version"] == dpcalc.__version__
    again = typed_again(dict(document["inputs"]))
    assert {word for word in words if not word.startswith("--")} - {names["PICTURE"], names["PROOF"]} <= set(again)
    assert run(capsys, *again, "--json") == (status, out, "")


def test_every_command_is_tried_above(capsys):
    _, out, _ = run(capsys, "--help")
    assert set(re.findall(r"^    ([a-z-]+)", out, flags=re.MULTILINE)) == {command[0] for command in EVERY_COMMAND}


@pytest.mark.parametrize(
    "command",
    [
        ["local-q", "--n", "1000", "--lam", "2"],
        ["local-q", "--n", "1000", "--lam", "2", "--method", "lattice"],
        ["least-q", "--n", "20", "--lam", "2", "--delta", "1e-300"],
    ],
)
def test_the_printed_ends_are_the_proven_ones(command, capsys):
    """A q that is cut short may fail: what is printed as holding is the end itself, to be typed again."""
    _, out, _ = run(capsys, *command)
    _, document, _ = run(capsys, *command, "--json")
    ends = {word: Fraction(number) for word, number in re.findall(r"proven: (\w+) at q = (\S+),", out)}
    assert ends["holds"] == Fraction(json.loads(document)["value"])
    assert ends["fails"] < ends["holds"] <= Fraction(1, 2)
    q = {"lower": Fraction(json.loads(document)["q"]["lower"]), "upper": Fraction(json.loads(document)["q"]["upper"])}
    assert q["lower"] <= ends["fails"]
    assert ends["holds"] <= q["upper"]


def test_a_shuffle_is_certified(capsys, tmp_path):
    asked = ["shuffle", "--randomizer", "k-ary", "--categories", "3", "--local-lam", "3", "--n", "3", "--lam", "3/2"]
    file = tmp_path / "few.json"
    _, out, _ = run(capsys, *asked, "--certificate", str(file))
    assert "\nattained where all others hold " in out
    assert out.endswith(f"certificate: {file}\n")
    assert check.main([str(file)]) == 0


def test_where_the_lattice_bound_holds_first_is_not_rounded_up(capsys):
    _, out, _ = run(capsys, "local-q", "--n", "6", "--lam", "2", "--method", "lattice")
    assert "holds first: for every q up to 0.0104166..., " in out  # 1/96


def test_a_threshold_that_is_the_first_one_too_is_said_once(capsys):
    _, out, _ = run(capsys, "local-q", "--n", "1", "--lam", "2", "--method", "lattice", "--sides", "2")
    assert out.splitlines()[:2] == ["q = 1/3", "proven: holds at q = 1/3, where the bounded quantity is 2"]
    assert "first" not in out
    _, out, _ = run(capsys, "local-q", "--n", "100", "--lam", "1.5", "--method", "lattice", "--sides", "2")
    assert "first" not in out


def test_local_q_says_which_datasets_it_is_about(capsys):
    _, out, _ = run(capsys, "local-q", "--n", "50", "--lam", "2")
    assert "with all records 1" in out
    _, out, _ = run(capsys, "local-q", "--n", "50", "--lam", "2", "--dataset", "every")
    assert out.startswith("q = 0.226709 ")
    assert "every dataset, in its own window\n" in out
    assert "fails: 1 one, s = 3: R = 2.0822913..." in out
    _, out, _ = run(capsys, "local-q", "--n", "50", "--lam", "2", "--dataset", "every", "--sides", "2", "--json")
    assert 0 < float(Fraction(json.loads(out)["delta_at_lambda"]["upper"])) < 1e-3
    found = json.loads(out)["witness"]
    assert (found["ones"], found["outcome"], found["reciprocal"]) == (50, 47, True)


def test_a_plan_as_json_has_a_row_for_each_k_and_every_bound(capsys):
    command = ["plan", "--n", "100", "--lam", "2", "--delta", "1e-3", "--k", "2", "1", "--budget", "150", "--json"]
    command += ["--bounds", "all"]
    status, out, _ = run(capsys, *command)
    document = json.loads(out)
    assert status == 0
    assert [row["k"] for row in document["rows"]] == [2, 1]
    assert all(len(row["bounds"]) == 7 for row in document["rows"])
    assert document["best_k"] == 1


def test_closeness_reads_a_table_and_its_verdict_is_the_exit_status(tmp_path, capsys):
    table = tmp_path / "people.csv"
    table.write_text("zip,os\n1,a\n1,b\n2,a\n2,a\n", encoding="utf-8")
    common = ["closeness", str(table), "--quasi", "zip", "--sensitive", "os"]
    assert run(capsys, *common, "--epsilon", "1/4")[0] == 0
    assert run(capsys, *common, "--epsilon", "1/5")[0] == 1
    _, out, _ = run(capsys, *common, "--epsilon", "1/4", "--json")
    assert json.loads(out)["holds"] is True
    status, _, err = run(capsys, *common, "--epsilon", "1/4", "--order", "a", "b")
    assert (status, err) == (
        2, "dpcalc closeness: order = ['a', 'b'] is not allowed: give no --order for the variational distance\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["maximal", "--n", "50", "--bits", "6", "--q", "0.2"], 4),
        (["most-k", "--n", "1", "--q", "0.1", "--lam", "2", "--delta", "1e-6"], 3),
    ],
    ids=lambda value: "" if isinstance(value, int) else value[0],
)
def test_the_exit_status_tells_why_there_is_no_answer(arguments, status, capsys):
    found, out, err = run(capsys, *arguments)
    assert (found, out, err.count("\n")) == (status, "", 1)


def test_undecided_has_its_own_status():
    assert program._status(dpcalc.Undecided("no proof")) == 5


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("leastq --n 5", "dpcalc: there is no command leastq; did you mean least-q? (see dpcalc --help)"),
        ("xyz", "dpcalc: there is no command xyz (see dpcalc --help)"),
        ("plan --n 5 --days 3",
         "dpcalc plan: there is no option --days; did you mean --rounds? (see dpcalc plan --help)"),
        ("epsilon --n 5 --q .1 --delta .1 --category=4",
         "dpcalc epsilon: there is no option --category; did you mean --categories? (see dpcalc epsilon --help)"),
        ("least-n --n 100 --q .1 --lam 2 --delta .1",
         "dpcalc least-n: there is no option --n (see dpcalc least-n --help)"),
        ("plan --users 5 --lam 2",
         "dpcalc plan: there is no option --users; did you mean --n? (see dpcalc plan --help)"),
        ("--epsilon 1", "dpcalc: there is no command before --epsilon (see dpcalc --help)"),
        ("version", "dpcalc: there is no command version; did you mean --version? (see dpcalc --help)"),
        ("optimal-q --n 5", "dpcalc: there is no command optimal-q; did you mean least-q? (see dpcalc --help)"),
        ("plan --n 9 --lam 2 --k 1,2,5",
         "dpcalc plan: k = '1,2,5' is not allowed: give spaces between several numbers: --k 1 2 5"),
        ("estimate --n 9 --q .1 --categories 2 --s 3,4",
         "dpcalc estimate: s = '3,4' is not allowed: give spaces between several numbers: --s 3 4"),
        ("delta --n 50.000 --q .1 --lam 2",
         "dpcalc delta: n = '50.000' is not allowed: give a whole number >= 1, such as 1000, 1,000 or 1e3"),
        ("delta --n 5 --q .1 --lam 2 3 4", "dpcalc delta: too many values: 3 4 (see dpcalc delta --help)"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_named_with_what_is_near(typed, said, capsys):
    assert run(capsys, *typed.split()) == (2, "", said + "\n")


def test_help_is_shown_to_whoever_asks_nothing_or_for_it(capsys):
    whole, one = run(capsys, "--help"), run(capsys, "epsilon", "--help")
    assert whole[0] == one[0] == 0
    assert run(capsys) == run(capsys, "help") == whole != one
    assert run(capsys, "help", "epsilon") == one


def test_numbers_are_read_as_they_are_printed(capsys):
    plain = run(capsys, "delta", "--n", "50000", "--q", "0.001", "--lam", "2", "--dropouts", "1000")
    spelled = run(capsys, "delta", "--n", "50,000", "--q", "0.1%", "--epsilon", "ln(2)", "--dropouts", "1,000")
    assert plain == spelled
    assert plain[0] == 0
    wide, range_ = ["ratio", "--n", "1,000", "--q", "1/10", "--s"], ("990-1000", "990-1,000")
    assert len({run(capsys, *wide, s) for s in range_}) == 1
    assert run(capsys, *wide, "990-1,00")[2].endswith("such as 1000, 1,000 or 1e3\n")


def test_the_version_is_printed(capsys):
    assert run(capsys, "--version") == (0, f"dpcalc {dpcalc.__version__}\n", "")


@pytest.mark.parametrize("command", [*program._COMMANDS, *registered("COMMANDS")], ids=lambda command: command.name)
def test_the_example_in_the_help_runs(command, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("zip,illness\n1,a\n1,b\n2,a\n2,a\n", encoding="utf-8")
    (tmp_path / "fleet.toml").write_text("[[group]]\nn = 2\nq = 0.1\n", encoding="utf-8")
    (tmp_path / "promises.csv").write_text(PROMISES, encoding="utf-8")
    assert f"example: dpcalc {command.name} " in " ".join(run(capsys, command.name, "--help")[1].split())
    status, out, err = run(capsys, *shlex.split(command.example))
    assert (status, err) == (0, "")
    assert out


def test_the_barrier_is_a_table_and_a_picture(tmp_path, capsys):
    picture = tmp_path / "barrier.png"
    common = ["barrier", "--q", "1/4", "--n", "100", "1e4"]
    status, out, _ = run(capsys, *common, "--plot", str(picture))
    assert status == 0
    assert out.splitlines()[1].split() == ["n", "n^(1/3)", "n^(1/2)", "n^(2/3)"]
    assert picture.read_bytes().startswith(b"\x89PNG")
    _, out, _ = run(capsys, *common, "--json")
    first, last = json.loads(out)["rows"]
    assert first["errors"]["2/3"]["lower"] > last["errors"]["2/3"]["lower"]
    assert first["errors"]["1/3"]["lower"] < last["errors"]["1/3"]["lower"]


def test_the_module_runs_and_help_needs_no_numbers():
    code = "import sys, dpcalc.cli; assert not {'numpy', 'flint', 'sympy', 'mpmath'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    found = subprocess.run([sys.executable, "-m", "dpcalc", "--help"], check=True, capture_output=True, text=True)
    assert "least-q" in found.stdout


@pytest.mark.parametrize("moment", ["dpcalc.cli.program", "dpcalc.questions", "flint"])
def test_ctrl_c_ends_the_command_with_one_line_from_its_first_import_on(moment):
    """The signal comes as the module is looked for."""
    code = (
        "import os, signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {moment!r}:\n"
        "            sys.meta_path.remove(self)\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "from dpcalc.cli import main\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "sys.exit(main(['delta', '--n', '9', '--q', '0.1', '--lam', '2']))"
    )
    found = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (found.returncode, found.stdout, found.stderr) == (Status.INTERRUPTED, "", "dpcalc: interrupted\n")


def test_a_command_loads_only_what_it_needs():
    code = (
        "import sys; from contextlib import suppress; from dpcalc.cli import main\n"
        f"for command in {[['least-q', '--help'], ['delta', *POOL, '--lam', '2']]}:\n"
        "    with suppress(SystemExit): main(command)\n"
        "assert not {'sympy', 'mpmath', 'matplotlib', 'scipy', 'pandas'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_a_plan_that_fits_nothing_is_no_success(capsys, tmp_path):
    target = tmp_path / "plan.html"
    given = ["plan", "--n", "100", "--lam", "2", "--delta", "1e-3", "--k", "1", "--report", str(target)]
    assert run(capsys, *given)[0] == 0
    assert "Recommended: k = 1, q = 0." in target.read_text(encoding="utf-8")
    status, out, _ = run(capsys, *given, "--max-local-epsilon", "1")
    assert status == 3
    assert "allow more, or ask for other k" in out


def test_the_shell_is_told_what_may_be_typed_next(tmp_path):
    for typed, known in (("dpcalc most-", ["most-k", "most-rounds"]), ("dpcalc plan --max", ["--max-local-epsilon"]),
                         ("dpcalc least-q --neighbours ", ["replace", "delete"])):  # fmt: skip
        told = tmp_path / "told"
        asked = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "COMP_LINE": typed, "COMP_POINT": str(len(typed))}
        done = subprocess.run(
            [sys.executable, "-m", "dpcalc"], env=os.environ | asked | {"_ARGCOMPLETE_STDOUT_FILENAME": str(told)},
            check=False,
        )  # fmt: skip
        assert (done.returncode, [word.strip() for word in told.read_text().split("\n")]) == (0, known)


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_a_long_wait_is_one_line_that_is_wiped():
    with redirect_stderr(Screen()) as screen, waiting("dpcalc plan", silent=0.01, step=0.01) as advance:
        time.sleep(0.05)
        advance(0.25)
        time.sleep(0.1)
    assert re.fullmatch(r"(\rdpcalc plan: 0 s)+(\rdpcalc plan: 25%, 0 s)+\r {21}\r", screen.getvalue())


PLAN = ["plan", "--n", "1000", "--lam", "2", "--delta", "1e-6", "--k", "1", "2"]
ROUNDS = [*POOL, "--rounds", "2"]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (PLAN, "\rdpcalc plan: "),
        (["epsilon", *ROUNDS, "--delta", "1e-6"], "\rdpcalc epsilon: "),
        (["delta", *ROUNDS, "--lam", "2"], "\rdpcalc delta: "),
    ],
    ids=["plan", "epsilon", "delta"],
)
def test_every_command_says_on_a_terminal_that_it_works(command, said, monkeypatch, capsys):
    monkeypatch.setattr(program, "waiting", partial(waiting, silent=0.0, step=0.001))
    with redirect_stderr(Screen()) as screen:
        assert main([*command, "--json"]) == 0
    assert said in screen.getvalue()
    assert screen.getvalue().startswith("\r")
    assert screen.getvalue().endswith(" \r")
    out = capsys.readouterr().out
    assert "k = 1," not in out
    assert "shown" not in json.loads(out)["inputs"]


def test_a_certificate_says_how_much_of_it_is_found(monkeypatch, tmp_path, capsys):
    shares = []
    monkeypatch.setattr(program, "waiting", lambda label: nullcontext(shares.append))
    found = ["--n", "9", "--q", "1/5", "--rounds", "2", "--lam", "2", "--certificate", str(tmp_path / "d.json")]
    assert main(["delta", *found]) == 0
    assert any(0 < share < 1 for share in shares)
    capsys.readouterr()


@pytest.mark.parametrize(
    ("asked", "warned"),
    [
        (
            ["--n", "1000", "--q", "0.1", "--s", "990", "905"],
            "a count of 990 or more (round 1) has a probability of at most",
        ),
        (
            ["--n", "1000", "--q", "0.1", "--s", "0"],
            "a count of 0 or less has a probability of at most 1.75e-46 under every dataset: are n, q and k those of "
            "the reports, and do all clients flip?",
        ),
        (["--n", "1000", "--q", "0.1", "--s", "400"], None),
    ],
)
def test_a_count_that_no_ones_explain_is_warned_of(asked, warned, capsys):
    status, out, _ = run(capsys, "estimate", *asked)
    assert status == 0
    assert f"warning: {warned}" in out if warned else "warning" not in out
    told = json.loads(run(capsys, "estimate", *asked, "--json")[1]).get("warnings", [""])
    assert told[0].startswith(warned or "")
    assert bool(told[0]) == bool(warned)


def test_an_epsilon_beyond_what_may_be_asked_for_is_an_answer_too(capsys):
    status, out, err = run(capsys, "epsilon", "--n", "1", "--q", "0.1", "--delta", "0", "--k", "1000000")
    assert (status, err) == (0, "")
    assert "at most 2197225\n" in out
    assert "warning: epsilon = 2197224.57733621938" in out


def test_a_quick_answer_needs_no_line():
    with redirect_stderr(Screen()) as screen:
        assert main(["delta", *POOL, "--lam", "2"]) == 0
    assert screen.getvalue() == ""


def test_no_progress_is_drawn_off_a_terminal(capsys):
    assert run(capsys, "delta", *POOL, "--lam", "2")[2] == ""


def test_tradeoff(capsys):
    """dp-accounting's test of randomized response with noise parameter 1/2: at a false-positive rate of 1/8, 3/8."""
    status, out, _ = run(capsys, "tradeoff", "--n", "1", "--q", "1/4", "--false-positive", "1/8", "--prior", "1/2")
    assert status == 0
    assert out.splitlines()[:4] == [
        "false negatives >= 5/8",
        "membership advantage = 1/2",
        "mu (Gaussian, at this point) = 0.83171001641163301...",
        "posterior <= 3/4",
    ]
    _, out, _ = run(capsys, "tradeoff", "--n", "1", "--q", "1/4", "--false-positive", "1/8", "--json")
    assert json.loads(out)["false_negative"] == {"value": "5/8"}


def test_the_estimate_of_several_rounds_is_of_their_mean(capsys):
    asked = ["estimate", "--n", "1000", "--q", "1/4", "--s"]
    status, out, _ = run(capsys, *asked, "375", "385", "365", "--rounds", "3")
    assert (status, out.splitlines()[0]) == (0, "ones = 250 (the estimated mean of 3 rounds; with sigma = 15.8113...)")
    assert run(capsys, *asked, "375", "385", "365") == (0, out, "")
    status, out, _ = run(capsys, *asked, "375", "386", "--confidence", "0.95")
    assert "/" not in out.splitlines()[1]


def test_the_estimate_of_a_histogram_has_a_row_for_each_category(capsys):
    asked = ["estimate", "--n", "1000", "--q", "1/4", "--categories", "3", "--s"]
    month = [["375", "500", "250"], ["385", "510", "260"]]
    status, out, _ = run(capsys, *asked, *month[0], *month[1], "--rounds", "2", "--json")
    found = json.loads(out)
    mechanism = dp.KRandomization(n=1000, q="1/4")
    assert (status, found["rounds"], len(found["categories"])) == (0, 2, 3)
    for shown, counts in zip(found["categories"], zip(*month, strict=True), strict=True):
        truth = dp.estimate(mechanism, list(counts))
        assert Fraction(shown["ones"]) == truth.value == sum(2 * int(s) - 500 for s in counts) / Fraction(2)
        assert shown["interval"] == {end: plain(getattr(truth.interval("0.95"), end)) for end in ("lower", "upper")}
    _, out, _ = run(capsys, *asked, *month[0])
    lines = out.splitlines()
    assert lines[0].split() == ["category", "estimate", "from", "to"]
    assert [line.split()[:2] for line in lines[1:4]] == [["1", "250"], ["2", "500"], ["3", "0"]]
    assert lines[4].startswith("records of each category; sigma = 27.3861...; 0.95 confidence of each interval")
    _, together, _ = run(capsys, *asked, *month[0], "--simultaneous")
    wide, narrow = (text.splitlines()[1].split()[2:] for text in (together, out))
    assert int(wide[0]) < int(narrow[0]) < int(narrow[1]) < int(wide[1])
