"""The modules of this folder import each other, as they do when make.py runs by itself."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
