"""Keeps Python's cyclic collector from walking again and again over what never goes away."""

import gc

# Objects made before the youngest generation is looked through; Python's own 700 lets a page of a
# list be interrupted dozens of times. Older generations follow as seldom.
YOUNG, MIDDLE, OLD = 25_000, 20, 50


def settle() -> None:
    """Put what was loaded at the start aside for good; call it once everything is imported."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
