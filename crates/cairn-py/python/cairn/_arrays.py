"""Arrays that are given: numbers of the right shape, or an error that says what is wrong."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def numbers(what: str, given: npt.ArrayLike) -> Array:
    """An array of finite doubles, contiguous. Text, dates, complex and masked numbers are refused, as are NaN and infinities."""
    if isinstance(given, np.ma.MaskedArray):
        raise ValueError(f"{what}: the array is masked; fill in the numbers that are missing")
    try:
        array = np.asarray(given)
        if array.dtype.kind not in "biufO" and array.size:
            raise TypeError(f"found {array.dtype}")
        array = np.asarray(array, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what}: real numbers in rows of equal length are wanted; {error}") from error
    if not np.isfinite(array).all():
        rows = np.atleast_1d(array)
        row = int(np.argwhere(~np.isfinite(rows))[0][0])
        raise ValueError(f"{what}: row {row} is not finite: {rows[row]}")
    return array


def vector(what: str, given: npt.ArrayLike, length: int) -> Array:
    """So many numbers."""
    array = numbers(what, given)
    if array.shape != (length,):
        raise ValueError(f"{what}: the shape is {array.shape}, ({length},) is wanted")
    return array
