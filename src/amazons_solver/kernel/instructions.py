"""Two machine instructions that Python has no name for."""

from collections.abc import Callable
from typing import Any, cast

from numpy.typing import NDArray

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


def _fetch(_typing_context: Any, array: Any, _index: Any) -> Any:
    """Have the memory of an array's element fetched (of a row's first one), without waiting for it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        stride = builder.extract_value(view.strides, 0)
        base = builder.bitcast(view.data, ir.IntType(8).as_pointer())
        address = builder.gep(base, [builder.mul(arguments[1], stride)])
        number = ir.IntType(32)
        prefetch = builder.module.declare_intrinsic(
            "llvm.prefetch", (base.type,), ir.FunctionType(ir.VoidType(), [base.type, number, number, number])
        )
        builder.call(prefetch, [address, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


def _fetch_nothing(_array: NDArray[Any], _index: int) -> None:
    pass


fetch = cast("Callable[[NDArray[Any], int], None]", _fetch_nothing if WITHOUT_COMPILING else intrinsic(_fetch))
