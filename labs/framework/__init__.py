# SPDX-License-Identifier: MIT
"""The labs' command: descriptors, builds, graders, results. labs/README.md describes them."""
