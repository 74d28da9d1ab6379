"""What ``dpcalc ratio --records`` says: how far a changed record moves the counts of a collection."""

from __future__ import annotations

from argparse import Namespace

from dpcalc.cli.command import Printed, limit, limited


def compared(options: Namespace) -> Printed:
    """The collection, and the one with the record changed."""
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
