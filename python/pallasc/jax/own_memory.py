# SPDX-License-Identifier: Apache-2.0
"""Memory that each core has its own of (VMEM, SMEM, semaphores), made outside of kernels that run on several cores and kept between them.

In: a jaxpr that is lowered, its Refs discharged. Out: the same, in which what such kernels hand on, also through loops, branches and calls, is all
cores' parts, one behind the other; the importer gives each core its own. What is no kernel reads the first core's.
"""
import dataclasses
import math

from jax._src import core, dtypes, source_info_util
from jax._src.lax import lax, slicing as lax_slicing
from jax._src.pallas import core as pallas_core, mpmd
from jax._src.state import types as state

_OWN = ("vmem", "smem", "semaphore_mem")
_CALLS = ("jit", "pjit", "closed_call", "core_call", "checkpoint", "remat2", "custom_jvp_call", "custom_vjp_call")


def is_compiled(eqn):
    """Whether a kernel asks for no interpreter of JAX, for which memory is the array that it is outside."""
    return not eqn.params["interpret"]


def with_parts(closed, is_ours=is_compiled):
    """A closed jaxpr whose kernels hand on what each core has of its own; itself if there are none. is_ours: of which kernels that holds."""
    if not _has_kernels(closed.jaxpr, is_ours):
        return closed
    jaxpr = _Program(closed.jaxpr, is_ours).rewritten()
    return closed if jaxpr is closed.jaxpr else closed.replace(jaxpr=jaxpr)


def has_cores(jaxpr):
    """Whether a jaxpr launches programs on meshes of cores, its Refs discharged or not."""
    return any(eqn.primitive.name in ("mpmd_map", "core_map") or any(map(has_cores, _inner(eqn))) for eqn in jaxpr.eqns)


def _has_kernels(jaxpr, is_ours):
    return any(_kernel(eqn, is_ours) is not None or any(_has_kernels(inner, is_ours) for inner in _inner(eqn)) for eqn in jaxpr.eqns)


def _inner(eqn):
    """The jaxprs of an equation, unless it is a kernel."""
    return [] if eqn.primitive.name in ("mpmd_map", "pallas_call") else list(core.jaxprs_in_params(eqn.params))


@dataclasses.dataclass
class _Kernel:
    """An equation that runs on several cores: its kind of mesh, how many they are, and the numbers of operands and results that each has its own of."""
    mesh: tuple
    cores: int
    operands: list
    results: list


def _kernel(eqn, is_ours):
    return _kernel_of(eqn.params, len(eqn.invars)) if eqn.primitive is mpmd.mpmd_map_p and is_ours(eqn) else None


def _kernel_of(params, count):
    if len(params["meshes"]) != 1 or params["external_meshes"]:
        return None
    mesh = params["meshes"][0]
    cores = math.prod(mesh.shape.values())
    own = [str(var.aval.memory_space) in _OWN for var in params["jaxprs"][0].invars]
    operands, results = ([i for i, is_own in enumerate(part) if is_own] for part in (own[:count], own[count:count + len(params["out_avals"])]))
    return _Kernel((type(mesh), *mesh.shape.items()), cores, operands, results) if cores > 1 and (operands or results) else None


@dataclasses.dataclass
class _Flow:
    """How values pass through a jaxpr of an equation: (operand, parameter), (what the jaxpr returns, result)."""
    jaxpr: core.Jaxpr
    ins: list
    outs: list


def _flows(eqn):
    """The ways through an equation whose jaxprs take what it is given and return what it gives; [] if it has none, or others."""
    name, params = eqn.primitive.name, eqn.params
    if name == "scan":
        kept, carried = params["num_consts"] + params["num_carry"], params["num_carry"]
        return [_Flow(params["jaxpr"].jaxpr, _pairs(0, 0, kept), _pairs(0, 0, carried))]
    if name == "while":
        of_cond, of_body, carried = params["cond_nconsts"], params["body_nconsts"], len(eqn.outvars)
        first = of_cond + of_body
        return [_Flow(params["cond_jaxpr"].jaxpr, _pairs(0, 0, of_cond) + _pairs(first, of_cond, carried), []),
                _Flow(params["body_jaxpr"].jaxpr, _pairs(of_cond, 0, of_body) + _pairs(first, of_body, carried), _pairs(0, 0, carried))]
    if name == "cond":
        return [_Flow(branch.jaxpr, _pairs(1, 0, len(eqn.invars) - 1), _pairs(0, 0, len(eqn.outvars))) for branch in params["branches"]]
    if name in _CALLS:
        return [_Flow(jaxpr, _pairs(0, 0, len(eqn.invars)), _pairs(0, 0, len(eqn.outvars))) for jaxpr in _inner(eqn)]
    return []


def _pairs(first, second, count):
    return [(first + i, second + i) for i in range(count)]


def _carried(eqn):
    """(operand, result) of what one turn of a loop hands to the next, and of what a loop without turns gives back."""
    if eqn.primitive.name == "scan":
        return _pairs(eqn.params["num_consts"], 0, eqn.params["num_carry"])
    if eqn.primitive.name == "while":
        return _pairs(eqn.params["cond_nconsts"] + eqn.params["body_nconsts"], 0, len(eqn.outvars))
    return []


def _is_placed(eqn):
    """Whether an equation only says where its operand lies: its result is the same memory."""
    return eqn.primitive is pallas_core.with_memory_space_constraint_p


class _Program:
    """A jaxpr with all that it holds, and which operands, parameters and results are one memory. A group of those has one as its head: a
    variable, if it may stand for all cores' parts; else the place where a value goes in."""

    def __init__(self, jaxpr, is_ours):
        self.is_ours = is_ours
        self.jaxpr, self.heads, self.holders, self.sources, self.visited, self.rewrites = jaxpr, {}, set(), {}, {}, {}
        self.kernels, self.made = [], []  # (equation, kernel); (result of its own, kernel)
        self.handed_on = {id(jaxpr): set()}  # of jaxprs whose ways are known, the numbers of what they return that goes on
        self._note(jaxpr)
        for inner in self.visited.values():
            for eqn in inner.eqns:
                self._join_equation(eqn)
        self.cores = self._groups()

    def _kernel(self, eqn):
        return _kernel(eqn, self.is_ours)

    def _handed_in(self, eqn):
        """The numbers of operands that are a core's own memory, or pass through."""
        if _is_placed(eqn):
            return {0}
        kernel = self._kernel(eqn)
        return set(kernel.operands if kernel else ()) | {n for flow in _flows(eqn) for n, _ in flow.ins}

    # ---- what is one memory

    def _note(self, jaxpr):
        """The kernels, and the variables that kernels and those who hand on make."""
        if id(jaxpr) in self.visited:
            return
        self.visited[id(jaxpr)] = jaxpr
        for eqn in jaxpr.eqns:
            self.sources.update((var, eqn) for var in eqn.outvars)
            kernel, flows = self._kernel(eqn), _flows(eqn)
            if _is_placed(eqn):
                self.holders.update(eqn.outvars)
            if kernel is not None:
                self.kernels.append((eqn, kernel))
                self.made += [(eqn.outvars[o], kernel) for o in kernel.results]
                self.holders.update(eqn.outvars[o] for o in kernel.results)
            for flow in flows:
                self.holders.update(flow.jaxpr.invars[k] for _, k in flow.ins)
                self.holders.update(eqn.outvars[o] for _, o in flow.outs)
                self.handed_on.setdefault(id(flow.jaxpr), set()).update(k for k, _ in flow.outs)
            for inner in _inner(eqn):
                self._note(inner)

    def _node(self, owner, n, atom):
        """What stands for an operand, or for what a jaxpr returns: the variable, if it can hold parts, or the place."""
        return atom if isinstance(atom, core.Var) and atom in self.holders else (id(owner), n)

    def _operand(self, eqn, n):
        return self._node(eqn, n, eqn.invars[n])

    def _returned(self, jaxpr, k):
        return self._node(jaxpr, k, jaxpr.outvars[k])

    def _head(self, node):
        while node in self.heads:
            node = self.heads[node]
        return node

    def _join(self, one, other):
        one, other = self._head(one), self._head(other)
        if one is not other and one != other:
            self.heads[one] = other

    def _join_equation(self, eqn):
        if _is_placed(eqn):
            self._join(self._operand(eqn, 0), eqn.outvars[0])
        kernel = self._kernel(eqn)
        aliases = dict(eqn.params["input_output_aliases"]) if kernel else {}
        for n in kernel.operands if kernel else ():
            if aliases.get(n) in kernel.results:
                self._join(self._operand(eqn, n), eqn.outvars[aliases[n]])
        for flow in _flows(eqn):
            for n, k in flow.ins:
                self._join(self._operand(eqn, n), flow.jaxpr.invars[k])
            for k, o in flow.outs:
                self._join(self._returned(flow.jaxpr, k), eqn.outvars[o])
        for n, o in _carried(eqn):
            self._join(self._operand(eqn, n), eqn.outvars[o])

    # ---- what is handed on

    def _groups(self):
        """The heads of memory that kernels of one mesh hand on to each other, and to no other, with the number of cores."""
        meshes, shared, made, bad = {}, set(), set(), set()
        for var, kernel in self.made:
            meshes.setdefault(self._head(var), {})[kernel.mesh] = kernel.cores
            made.add(self._head(var))
        for eqn, kernel in self.kernels:
            for n in kernel.operands:
                node = self._operand(eqn, n)
                meshes.setdefault(self._head(node), {})[kernel.mesh] = kernel.cores
                if node in self.holders or dict(eqn.params["input_output_aliases"]).get(n) in kernel.results:
                    shared.add(self._head(node))
        bad.update(self._head(node) for node in self._lost())
        return {head: next(iter(meshes[head].values())) for head in (shared & made) - bad if len(meshes[head]) == 1}

    def _lost(self):
        """Nodes of what cannot be all cores' parts: it goes where it is one array, and on from there, or its parts are not known."""
        for jaxpr in self.visited.values():
            for eqn in jaxpr.eqns:
                handed, is_opaque = self._handed_in(eqn), _inner(eqn) and not _flows(eqn)
                yield from (self._operand(eqn, n) for n, atom in enumerate(eqn.invars) if self._is_lost(atom, n in handed, is_opaque))
            handed, is_opaque = self.handed_on.get(id(jaxpr), ()), id(jaxpr) not in self.handed_on
            yield from (self._returned(jaxpr, k) for k, atom in enumerate(jaxpr.outvars) if self._is_lost(atom, k in handed, is_opaque))

    def _is_lost(self, atom, is_handed_on, is_opaque):
        return not self._is_known(atom) if is_handed_on else is_opaque or _is_semaphore(atom)

    def _is_known(self, atom):
        """Whether the parts of all cores are: those of semaphores are if nobody has used them."""
        return not _is_semaphore(atom) or atom in self.holders or self._is_empty(atom)

    def _is_empty(self, atom):
        return isinstance(atom, core.Var) and atom in self.sources and self.sources[atom].primitive is lax.empty_p

    # ---- the program with all parts

    def rewritten(self):
        self.parts = {var: core.Var(_stacked(var.aval, self.cores[head])) for var in self.holders if (head := self._head(var)) in self.cores}
        return self._jaxpr(self.jaxpr) if self.parts else self.jaxpr

    def _jaxpr(self, jaxpr):
        if id(jaxpr) not in self.rewrites:
            out = []
            for eqn in jaxpr.eqns:
                self._equation(eqn, out)
            place = jaxpr.eqns[-1].source_info if jaxpr.eqns else None
            handed = self.handed_on.get(id(jaxpr), ())
            outvars = [self._given(self._returned(jaxpr, k) if k in handed else None, atom, out, place) for k, atom in enumerate(jaxpr.outvars)]
            invars = [self.parts.get(var, var) for var in jaxpr.invars]
            is_same = _are_same((out, jaxpr.eqns), (outvars, jaxpr.outvars), (invars, jaxpr.invars))
            self.rewrites[id(jaxpr)] = jaxpr if is_same else jaxpr.replace(invars=invars, eqns=out, outvars=outvars)
        return self.rewrites[id(jaxpr)]

    def _equation(self, eqn, out):
        handed = self._handed_in(eqn)
        invars = [self._given(self._operand(eqn, n) if n in handed else None, atom, out, eqn.source_info) for n, atom in enumerate(eqn.invars)]
        outvars = [self.parts.get(var, var) for var in eqn.outvars]
        params = {name: self._value(value) for name, value in eqn.params.items()} if _inner(eqn) else dict(eqn.params)
        if self._kernel(eqn) is not None and not _are_same((outvars, eqn.outvars)):
            avals = params["out_avals"]
            params["out_avals"] = tuple(_stacked(aval, made.aval.shape[0]) if made is not var else aval for made, var, aval in zip(outvars, eqn.outvars, avals))
        is_same = _are_same((invars, eqn.invars), (outvars, eqn.outvars), (params.values(), eqn.params.values()))
        out.append(eqn if is_same else eqn.replace(invars=invars, outvars=outvars, params=params))

    def _value(self, value):
        """A parameter, whose jaxprs are treated the same."""
        if isinstance(value, core.ClosedJaxpr):
            jaxpr = self._jaxpr(value.jaxpr)
            return value if jaxpr is value.jaxpr else value.replace(jaxpr=jaxpr)
        if isinstance(value, core.Jaxpr):
            return self._jaxpr(value)
        if type(value) is tuple and any(isinstance(one, (core.ClosedJaxpr, core.Jaxpr)) for one in value):
            parts = tuple(map(self._value, value))
            return value if all(a is b for a, b in zip(parts, value)) else parts
        return value

    def _given(self, node, atom, out, place):
        """What is handed on at a node: all cores' parts, or the array; where nothing is (None), the array."""
        cores = self.cores.get(self._head(node)) if node else None
        if cores is None:
            return self._first(atom, out, place)
        return self.parts[atom] if isinstance(atom, core.Var) and atom in self.parts else self._spread(atom, cores, out, place)

    def _first(self, atom, out, place):
        """The first core's part of what is read as an array."""
        if not isinstance(atom, core.Var) or atom not in self.parts:
            return atom
        whole = self.parts[atom]
        shape, made = whole.aval.shape, (core.Var(_stacked(atom.aval, 1)), core.Var(core.ShapedArray(atom.aval.shape, atom.aval.dtype)))
        params = {"start_indices": (0,) * len(shape), "limit_indices": (1, *shape[1:]), "strides": None}
        out.append(core.new_jaxpr_eqn([whole], [made[0]], lax_slicing.slice_p, params, core.no_effects, place))
        out.append(core.new_jaxpr_eqn([made[0]], [made[1]], lax.squeeze_p, {"dimensions": (0,)}, core.no_effects, place))
        return made[1]

    def _spread(self, atom, cores, out, place):
        """A part for each core, all the same."""
        made = core.Var(_stacked(atom.aval, cores))
        if self._is_empty(atom):
            source = self.sources[atom]
            out.append(source.replace(outvars=[made], params={**source.params, "shape": made.aval.shape}))
        else:
            params = {"shape": made.aval.shape, "broadcast_dimensions": tuple(range(1, len(made.aval.shape))), "sharding": None}
            out.append(core.new_jaxpr_eqn([atom], [made], lax.broadcast_in_dim_p, params, core.no_effects, place))
        return made


def refuse_shared_in(jaxpr):
    """The same for all kernels of a jaxpr, as with_parts gives it."""
    for eqn in jaxpr.eqns:
        if _kernel(eqn, is_compiled) is not None:
            refuse_shared(eqn.params, [atom.aval for atom in eqn.invars], source_info_util.user_frame(eqn.source_info.traceback))
        for inner in _inner(eqn):
            refuse_shared_in(inner)


def refuse_shared(eqn_params, avals_in, frame):
    """Memory that each of several cores has its own of, and writes, is no one array. frame: of the program, or None."""
    kernel = _kernel_of(eqn_params, len(avals_in))
    if kernel is None:
        return
    jaxpr = eqn_params["jaxprs"][0]
    written = {effect.input for effect in jaxpr.effects if isinstance(effect, state.WriteEffect)}
    for n in kernel.operands:
        is_kept = dict(eqn_params["input_output_aliases"]).get(n) in kernel.results
        if is_kept and (n in written or jaxpr.invars[n] in written) and avals_in[n].shape == jaxpr.invars[n].aval.shape:
            place = f" at {frame.file_name}:{frame.start_line}" if frame else ""
            raise NotImplementedError(
                f"mpmd_map '{eqn_params.get('name') or 'kernel'}'{place}: {str(jaxpr.invars[n].aval.memory_space).upper()} made outside of a kernel, "
                f"of which each of {kernel.cores} cores has its own, is not yet supported where other than such kernels use it")


def _are_same(*pairs):
    return all(len(one) == len(other) and all(a is b for a, b in zip(one, other)) for one, other in pairs)


def _is_semaphore(atom):
    return dtypes.issubdtype(atom.aval.dtype, pallas_core.semaphore_dtype)


def _stacked(aval, cores):
    return core.ShapedArray((cores, *aval.shape), aval.dtype)
