# SPDX-License-Identifier: Apache-2.0
"""Memory that each core has its own of (VMEM, SMEM, semaphores), made outside of kernels that run on several cores and kept between them.

In: a jaxpr that is lowered, its Refs discharged. Out: the same, in which what such kernels hand on is all cores' parts, one behind the other; the
importer gives each core its own. What is no kernel reads the first core's.
"""
import dataclasses
import math

from jax._src import core, dtypes
from jax._src.lax import lax, slicing as lax_slicing
from jax._src.pallas import core as pallas_core, mpmd
from jax._src.state import types as state

_OWN = ("vmem", "smem", "semaphore_mem")
_OWN_USE, _READ, _ON = range(3)


def with_parts(closed):
    """A closed jaxpr whose kernels hand on what each core has of its own; itself if there are none."""
    jaxpr = _jaxpr_with_parts(closed.jaxpr, True)
    return closed if jaxpr is closed.jaxpr else closed.replace(jaxpr=jaxpr)


def _jaxpr_with_parts(jaxpr, is_whole=False):
    """is_whole: nobody goes on with its results."""
    eqns = [_inside(eqn) for eqn in jaxpr.eqns]
    if not any(map(_kernel, eqns)):
        return jaxpr if all(a is b for a, b in zip(eqns, jaxpr.eqns)) else jaxpr.replace(eqns=eqns)
    program = _Program(eqns, jaxpr.outvars, is_whole)
    return jaxpr.replace(eqns=program.rewritten(), outvars=program.outvars)


def _inside(eqn):
    """An equation whose jaxprs are treated alike, unless it is a kernel."""
    if eqn.primitive.name in ("mpmd_map", "pallas_call"):
        return eqn
    params = {name: _value_with_parts(value) for name, value in eqn.params.items()}
    return eqn if all(params[name] is value for name, value in eqn.params.items()) else eqn.replace(params=params)


def _value_with_parts(value):
    if isinstance(value, core.ClosedJaxpr):
        jaxpr = _jaxpr_with_parts(value.jaxpr)
        return value if jaxpr is value.jaxpr else value.replace(jaxpr=jaxpr)
    if isinstance(value, core.Jaxpr):
        return _jaxpr_with_parts(value)
    if type(value) is tuple and any(isinstance(one, (core.ClosedJaxpr, core.Jaxpr)) for one in value):
        parts = tuple(map(_value_with_parts, value))
        return value if all(a is b for a, b in zip(parts, value)) else parts
    return value


@dataclasses.dataclass
class _Kernel:
    """An equation that runs on several cores: its kind of mesh, how many they are, and the numbers of operands and results that each has its own of."""
    mesh: tuple
    cores: int
    operands: list
    results: list


def _kernel(eqn):
    return _kernel_of(eqn.params, len(eqn.invars)) if eqn.primitive is mpmd.mpmd_map_p else None


def _kernel_of(params, count):
    """One that asks for an interpreter of JAX is none: there memory is the array that it is outside."""
    if len(params["meshes"]) != 1 or params["external_meshes"] or params["interpret"]:
        return None
    mesh = params["meshes"][0]
    cores = math.prod(mesh.shape.values())
    own = [str(var.aval.memory_space) in _OWN for var in params["jaxprs"][0].invars]
    operands, results = ([i for i, is_own in enumerate(part) if is_own] for part in (own[:count], own[count:count + len(params["out_avals"])]))
    return _Kernel((type(mesh), *mesh.shape.items()), cores, operands, results) if cores > 1 and (operands or results) else None


class _Program:
    """The kernels of one jaxpr, and which of their operands and results are one memory: a group has a variable, or an operand, as its head."""

    def __init__(self, eqns, outvars, is_whole):
        self.eqns, self.outvars, self.is_whole, self.heads = eqns, list(outvars), is_whole, {}
        self.kernels = {i: kernel for i, eqn in enumerate(eqns) if (kernel := _kernel(eqn)) is not None}
        self.makers = {eqns[i].outvars[o]: i for i, kernel in self.kernels.items() for o in kernel.results}
        self.sources = {var: eqn for eqn in eqns for var in eqn.outvars}
        for i, kernel in self.kernels.items():
            aliases = dict(eqns[i].params["input_output_aliases"])
            for n in kernel.operands:
                self._join(self._node(i, n), eqns[i].outvars[aliases[n]] if aliases.get(n) in kernel.results else (i, n))

    def _node(self, i, n):
        """What stands for an operand: the result of a kernel that it is, or itself."""
        var = self.eqns[i].invars[n]
        return var if isinstance(var, core.Var) and var in self.makers else (i, n)

    def _head(self, node):
        while node in self.heads:
            node = self.heads[node]
        return node

    def _join(self, one, other):
        one, other = self._head(one), self._head(other)
        if one is not other and one != other:
            self.heads[one] = other

    def _uses(self):
        """(variable, how) of each use of what kernels make: as a core's own memory, as an array, or by what may go on with its memory."""
        for i, eqn in enumerate(self.eqns):
            own = self.kernels[i].operands if i in self.kernels else ()
            other = _ON if next(core.jaxprs_in_params(eqn.params), None) is not None else _READ
            yield from ((var, _OWN_USE if n in own else other) for n, var in enumerate(eqn.invars))
        yield from ((var, _READ if self.is_whole else _ON) for var in self.outvars)

    def _groups(self):
        """The heads of memory that kernels of one mesh hand on to each other, and to no other."""
        meshes, shared, bad = {}, set(), set()
        for var, maker in self.makers.items():
            meshes.setdefault(self._head(var), set()).add(self.kernels[maker].mesh)
        for var, how in self._uses():
            if isinstance(var, core.Var) and var in self.makers:
                is_bad = how == _ON or how == _READ and _is_semaphore(var)
                (bad if is_bad else shared if how == _OWN_USE else set()).add(self._head(var))
        for i, kernel in self.kernels.items():
            for n in kernel.operands:
                head = self._head(self._node(i, n))
                meshes.setdefault(head, set()).add(kernel.mesh)
                if self._node(i, n) == (i, n) and not self._is_spread(self.eqns[i].invars[n]):
                    bad.add(head)
                if dict(self.eqns[i].params["input_output_aliases"]).get(n) in kernel.results:
                    shared.add(head)
        return {head for head in shared - bad if len(meshes[head]) == 1}

    def _is_spread(self, atom):
        """Whether all cores can have one: semaphores can if nobody has used them."""
        return not _is_semaphore(atom) or self._is_empty(atom)

    def _is_empty(self, atom):
        return isinstance(atom, core.Var) and atom in self.sources and self.sources[atom].primitive is lax.empty_p

    def rewritten(self):
        groups, self.parts, self.out = self._groups(), {}, []
        for i, eqn in enumerate(self.eqns):
            kernel = self.kernels.get(i)
            eqn = self._read(eqn, kernel.operands if kernel else ())
            self.out.append(eqn if kernel is None else self._with_parts(i, eqn, kernel, groups))
        self.outvars = [self._first(var, self.eqns[-1].source_info) for var in self.outvars]
        return self.out

    def _read(self, eqn, own):
        """The equation on the first core's part of what it reads as an array."""
        invars = [var if n in own else self._first(var, eqn.source_info) for n, var in enumerate(eqn.invars)]
        return eqn if all(a is b for a, b in zip(invars, eqn.invars)) else eqn.replace(invars=invars)

    def _first(self, atom, place):
        if not isinstance(atom, core.Var) or atom not in self.parts:
            return atom
        whole = self.parts[atom]
        shape, made = whole.aval.shape, (core.Var(_stacked(atom.aval, 1)), core.Var(core.ShapedArray(atom.aval.shape, atom.aval.dtype)))
        params = {"start_indices": (0,) * len(shape), "limit_indices": (1, *shape[1:]), "strides": None}
        self.out.append(core.new_jaxpr_eqn([whole], [made[0]], lax_slicing.slice_p, params, core.no_effects, place))
        self.out.append(core.new_jaxpr_eqn([made[0]], [made[1]], lax.squeeze_p, {"dimensions": (0,)}, core.no_effects, place))
        return made[1]

    def _with_parts(self, i, eqn, kernel, groups):
        operands = [n for n in kernel.operands if self._head(self._node(i, n)) in groups]
        results = [o for o in kernel.results if self._head(eqn.outvars[o]) in groups]
        invars, outvars, avals = list(eqn.invars), list(eqn.outvars), list(eqn.params["out_avals"])
        for n in operands:
            invars[n] = self.parts[invars[n]] if invars[n] in self.makers else self._spread(invars[n], kernel.cores, eqn.source_info)
        for o in results:
            avals[o] = _stacked(avals[o], kernel.cores)
            self.parts[outvars[o]] = core.Var(_stacked(outvars[o].aval, kernel.cores))
            outvars[o] = self.parts[outvars[o]]
        return eqn.replace(invars=invars, outvars=outvars, params={**eqn.params, "out_avals": tuple(avals)}) if operands or results else eqn

    def _spread(self, atom, cores, place):
        """A part for each core, all alike."""
        made = core.Var(_stacked(atom.aval, cores))
        if self._is_empty(atom):
            source = self.sources[atom]
            self.out.append(source.replace(outvars=[made], params={**source.params, "shape": made.aval.shape}))
        else:
            params = {"shape": made.aval.shape, "broadcast_dimensions": tuple(range(1, len(made.aval.shape))), "sharding": None}
            self.out.append(core.new_jaxpr_eqn([atom], [made], lax.broadcast_in_dim_p, params, core.no_effects, place))
        return made


def refuse_shared(eqn_params, avals_in, place):
    """Memory that each of several cores has its own of, and writes, is no one array."""
    kernel = _kernel_of(eqn_params, len(avals_in))
    if kernel is None:
        return
    jaxpr = eqn_params["jaxprs"][0]
    written = {effect.input for effect in jaxpr.effects if isinstance(effect, state.WriteEffect)}
    for n in kernel.operands:
        is_kept = dict(eqn_params["input_output_aliases"]).get(n) in kernel.results
        if is_kept and (n in written or jaxpr.invars[n] in written) and avals_in[n].shape == jaxpr.invars[n].aval.shape:
            raise NotImplementedError(
                f"mpmd_map '{eqn_params.get('name') or 'kernel'}'{place}: {str(jaxpr.invars[n].aval.memory_space).upper()} made outside of a kernel, "
                f"of which each of {kernel.cores} cores has its own, is not yet supported where other than such kernels of one jaxpr use it")


def _is_semaphore(atom):
    return dtypes.issubdtype(atom.aval.dtype, pallas_core.semaphore_dtype)


def _stacked(aval, cores):
    return core.ShapedArray((cores, *aval.shape), aval.dtype)
