"""Without the other libraries: one line that says what to install."""

import importlib
import sys

import pytest

import dpcalc as dp

BIT = dp.KRandomization(n=2, q="1/4")


@pytest.mark.parametrize(
    ("missing", "call"),
    [
        ("dp_accounting", lambda interop: interop.PrivacyAccountant),
        ("dp_accounting", lambda interop: interop.privacy_loss(BIT)),
        ("opendp", lambda interop: interop.privacy_profile(BIT)),
    ],
)
def test_a_library_that_is_not_there(monkeypatch, missing, call):
    for name in [name for name in sys.modules if name.split(".")[0] == missing]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "dpcalc.interop.accountant", raising=False)
    with pytest.raises(dp.DpcalcError, match=r"is not installed: pip install 'dpcalc-exact\[interop\]'"):
        call(importlib.import_module("dpcalc.interop"))


def test_no_other_name_is_there():
    with pytest.raises(AttributeError, match="no attribute 'accounts'"):
        importlib.import_module("dpcalc.interop").__getattr__("accounts")
