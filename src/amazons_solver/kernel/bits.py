"""Two machine instructions that Python has no name for."""

from collections.abc import Callable
from typing import Any, cast

from amazons_solver.kernel.compiling import WITHOUT_COMPILING, intrinsic, ir, types


def _highest_bit(_typing_context: Any, _word: Any) -> Any:
    """The number of the highest set bit of an int64 that is not 0."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), generate


def _lowest_bit(_typing_context: Any, _word: Any) -> Any:
    """The number of the lowest set bit of an int64 that is not 0."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


highest_bit = cast("Callable[[int], int]", intrinsic(_highest_bit))
lowest_bit = cast("Callable[[int], int]", intrinsic(_lowest_bit))

if WITHOUT_COMPILING:  # the kernel's functions are then run by Python itself

    def highest_bit(word: int) -> int:
        """The number of the highest set bit."""
        return int(word).bit_length() - 1

    def lowest_bit(word: int) -> int:
        """The number of the lowest set bit."""
        return (int(word) & -int(word)).bit_length() - 1
