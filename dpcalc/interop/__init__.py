"""How do other libraries account for these mechanisms? As events of dp-accounting, and as a curve of OpenDP.

Another library is imported only when a name that needs it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dpcalc.errors import DpcalcError
from dpcalc.interop.losses import privacy_loss, privacy_profile

if TYPE_CHECKING:
    from dpcalc.interop.accountant import MechanismDpEvent, PrivacyAccountant

__all__ = ["MechanismDpEvent", "PrivacyAccountant", "privacy_loss", "privacy_profile"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'dpcalc.interop' has no attribute {name!r}")
    try:
        return getattr(import_module("dpcalc.interop.accountant"), name)
    except ImportError as error:
        raise DpcalcError("dp-accounting is not installed: pip install 'dpcalc-exact[interop]'") from error
