"""``python -m dpcalc`` is ``dpcalc``."""

import sys

from dpcalc.cli import main

if __name__ == "__main__":
    sys.exit(main())
