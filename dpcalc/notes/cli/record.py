"""``dpcalc record``: what single reports tell about a record; the noise for a wanted anonymity; RAPPOR's epsilon."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from dpcalc.cli.command import Command, Printed, given, limit, limited, needed, unused
from dpcalc.errors import DomainError
from dpcalc.questions import Argument

_ARGUMENTS = (
    Argument("q", "flip probability, 0 < q < 1/2"),
    Argument("records", "the collection of bit vectors, each reported once", metavar="110,111,..."),
    Argument("anonymity", "instead of --q: the least q at which A_p is at least this"),
    Argument("rtol", "with --anonymity: relative width of q (default 1e-6)"),
    Argument("vector", "also the probability that this vector is reported for some record"),
    Argument("hashes", "instead of --records: the hash functions of a Bloom filter (RAPPOR)"),
    Argument("k", "with --hashes: reports per record (default 1)"),
)


def _run(options: Namespace) -> Printed:
    if options.anonymity is not None:
        return _least_q(options)
    if (options.records is None) == (options.hashes is None):
        raise DomainError("records", ... if options.hashes is None else options.records, "either --records or --hashes")
    unused(options, "without --anonymity", "rtol")
    needed(options, "q")
    return _of_collection(options) if options.hashes is None else _of_filter(options)


def _least_q(options: Namespace) -> Printed:
    unused(options, "with --anonymity", "q", "hashes", "k", "vector")
    needed(options, "records")
    from dpcalc.notes.collections.anonymous import anonymous_q
    from dpcalc.report import bracket, bracket_lines

    found = anonymous_q(options.records.split(","), anonymity=options.anonymity, **given(rtol=options.rtol))
    return Printed("\n".join(bracket_lines("q", found)), bracket("q", found))


def _of_collection(options: Namespace) -> Printed:
    unused(options, "with --records", "k")
    from dpcalc.notes.collections.membership import anonymity, presence, presence_ratio
    from dpcalc.notes.collections.ratios import label
    from dpcalc.numbers.enclosure import Enclosure

    records = options.records.split(",")
    found = anonymity(records, q=options.q)
    record, vector, value = label(found.record), label(found.vector), Enclosure.of(found.value)
    content: dict[str, Any] = {"anonymity": value, "record": record, "vector": vector}
    lines = [f"anonymity A_p = {value}  record {record}, reported as {vector}"]
    if len(records) > 1:
        content["presence_ratio"] = Enclosure.of(presence_ratio(records, q=options.q))
        lines.append(f"largest presence ratio = {content['presence_ratio']}")
    if options.vector is not None:
        content["presence"] = Enclosure.of(presence(options.vector, records, q=options.q))
        lines.append(f"P[{options.vector} is reported] = {content['presence']}")
    return Printed("\n".join(lines), content)


def _of_filter(options: Namespace) -> Printed:
    unused(options, "with --hashes", "vector")
    from dpcalc.notes.collections.membership import rappor_epsilon
    from dpcalc.report import promise, promise_lines

    epsilon = rappor_epsilon(q=options.q, hashes=options.hashes, **given(k=options.k))
    return Printed("\n".join(promise_lines("epsilon", epsilon)), promise("epsilon", epsilon))


def compared(options: Namespace) -> Printed:
    """What ``dpcalc ratio --records`` says: how far a changed record moves the counts of a collection."""
    from dpcalc.notes.collections.ratios import compare
    from dpcalc.notes.collections.records import replaced
    from dpcalc.report import promise, promise_lines

    records = options.records.split(",")
    place, _, value = options.change.partition(":")
    found = compare(records, replaced(records, place, value), q=options.q, k=options.k)
    text, content = found.table(), found.to_dict()
    if limited(options):
        worst = found.delta(**limit(options))
        content |= promise("delta", worst)
        text = "\n".join([text, *promise_lines("delta", worst)])
    return Printed(text, content)


COMMAND = Command(
    "record",
    "what single reports tell about one record: anonymity, presence",
    _ARGUMENTS,
    _run,
    "record --q 1/4 --records 11,00 --vector 11",
)
