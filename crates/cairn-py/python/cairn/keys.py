"""The tables of a scene file as classes, key by key. Written by `generate_keys.py` from `cairn schema`: do not edit.

Every argument is a keyword and named as in a scene file; units stand in brackets. What is not given is not written, and takes
the default that is named. Plain dictionaries do as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from ._table import Table, Vector


class Ramp(Table):
    """Straight from one value to another.

    to: value from `end` on.
    end: end of the change [s].
    from_: value until `start`. Default: 0.
    start: start of the change [s]. Default: 0.
    """

    _keys: ClassVar[tuple[str, ...]] = ('to', 'end', 'from', 'start',)

    def __init__(
        self,
        *,
        to: float,
        end: float,
        from_: float | None = None,
        start: float | None = None,
    ) -> None:
        super().__init__({'to': to, 'end': end, 'from': from_, 'start': start})
    to: float
    end: float
    from_: float | None
    start: float | None


class Sine(Table):
    """Mean + amplitude · sin(2π f t + phase) from start to end, mean otherwise.

    amplitude: amplitude.
    frequency: frequency [Hz].
    mean: mean value. Default: 0.
    phase: phase at t = 0 [°]. Default: 0.
    start: first time [s]. Default: 0.
    end: last time [s]. Default: never.
    """

    _keys: ClassVar[tuple[str, ...]] = ('amplitude', 'frequency', 'mean', 'phase', 'start', 'end',)

    def __init__(
        self,
        *,
        amplitude: float,
        frequency: float,
        mean: float | None = None,
        phase: float | None = None,
        start: float | None = None,
        end: float | None = None,
    ) -> None:
        super().__init__({'amplitude': amplitude, 'frequency': frequency, 'mean': mean, 'phase': phase, 'start': start, 'end': end})
    amplitude: float
    frequency: float
    mean: float | None
    phase: float | None
    start: float | None
    end: float | None


class History(Table):
    """A table of the scene file.

    ramp: straight from one value to another.
    sine: mean + amplitude · sin(2π f t + phase) from start to end, mean otherwise.
    table: CSV file of times [s] and values: linear between its rows, constant outside.
    time_column: column of the times, from 1. Default: 1.
    column: column of the values, from 1. Default: 2.
    scale: factor on the values of the table. Default: 1.
    """

    _keys: ClassVar[tuple[str, ...]] = ('ramp', 'sine', 'table', 'time_column', 'column', 'scale',)

    def __init__(
        self,
        *,
        ramp: Ramp | Mapping[str, Any] | None = None,
        sine: Sine | Mapping[str, Any] | None = None,
        table: str | None = None,
        time_column: int | None = None,
        column: int | None = None,
        scale: float | None = None,
    ) -> None:
        super().__init__({'ramp': ramp, 'sine': sine, 'table': table, 'time_column': time_column, 'column': column, 'scale': scale})
    ramp: Ramp | Mapping[str, Any] | None
    sine: Sine | Mapping[str, Any] | None
    table: str | None
    time_column: int | None
    column: int | None
    scale: float | None


class StageGravity(Table):
    """Gravity from now on.

    acceleration: acceleration of gravity [m/s²], e.g. [0, -9.81].
    history: factor in time [-]. Default: 1.
    tilt: angle in time by which the whole scene is tilted, counter-clockwise: gravity turns the other way
        [°].
    tilt_axis: with tilt: axis of the rotation (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('acceleration', 'history', 'tilt', 'tilt_axis',)

    def __init__(
        self,
        *,
        acceleration: Vector,
        history: float | History | Mapping[str, Any] | None = None,
        tilt: float | History | Mapping[str, Any] | None = None,
        tilt_axis: Vector | None = None,
    ) -> None:
        super().__init__({'acceleration': acceleration, 'history': history, 'tilt': tilt, 'tilt_axis': tilt_axis})
    acceleration: Vector
    history: float | History | Mapping[str, Any] | None
    tilt: float | History | Mapping[str, Any] | None
    tilt_axis: Vector | None


class Friction(Table):
    """A table of the scene file.

    static: coefficient while the contact sticks [-].
    dynamic: coefficient while it slips [-].
    transition: velocity over which friction falls smoothly from static to dynamic [m/s] [default: a jump
        at the first slip].
    weakening_distance: slip over which friction falls from static to dynamic, until the contact opens [m]
        [default: a jump at the first slip].
    """

    _keys: ClassVar[tuple[str, ...]] = ('static', 'dynamic', 'transition', 'weakening_distance',)

    def __init__(
        self,
        *,
        static: float,
        dynamic: float,
        transition: float | None = None,
        weakening_distance: float | None = None,
    ) -> None:
        super().__init__({'static': static, 'dynamic': dynamic, 'transition': transition, 'weakening_distance': weakening_distance})
    static: float
    dynamic: float
    transition: float | None
    weakening_distance: float | None


class JointBrittle(Table):
    """Rigid up to a threshold in tension and shear.

    tensile_strength: tension that a bond stands, per area [Pa].
    tensile_force: the same per contact [N].
    shear_strength: shear that a bond stands without pressure, per area [Pa] [default: as in tension].
    shear_force: the same per contact [N] [default: as in tension].
    """

    _keys: ClassVar[tuple[str, ...]] = ('tensile_strength', 'tensile_force', 'shear_strength', 'shear_force',)
    _told: ClassVar[tuple[str, str] | None] = ('law', 'brittle')

    def __init__(
        self,
        *,
        tensile_strength: float | None = None,
        tensile_force: float | None = None,
        shear_strength: float | None = None,
        shear_force: float | None = None,
    ) -> None:
        super().__init__({'tensile_strength': tensile_strength, 'tensile_force': tensile_force, 'shear_strength': shear_strength, 'shear_force': shear_force})
    tensile_strength: float | None
    tensile_force: float | None
    shear_strength: float | None
    shear_force: float | None


class JointMohrCoulomb(Table):
    """Rigid up to Mohr–Coulomb's envelope with tension cut-off.

    cohesion: c, shear that a bond stands without pressure, per area [Pa].
    cohesion_force: the same per contact [N].
    tensile_strength: cut-off: tension that a bond stands, per area [Pa], at most c/μ [default: c/μ].
    tensile_force: the same per contact [N] [default: c/μ].
    """

    _keys: ClassVar[tuple[str, ...]] = ('cohesion', 'cohesion_force', 'tensile_strength', 'tensile_force',)
    _told: ClassVar[tuple[str, str] | None] = ('law', 'mohr_coulomb')

    def __init__(
        self,
        *,
        cohesion: float | None = None,
        cohesion_force: float | None = None,
        tensile_strength: float | None = None,
        tensile_force: float | None = None,
    ) -> None:
        super().__init__({'cohesion': cohesion, 'cohesion_force': cohesion_force, 'tensile_strength': tensile_strength, 'tensile_force': tensile_force})
    cohesion: float | None
    cohesion_force: float | None
    tensile_strength: float | None
    tensile_force: float | None


class JointElastic(Table):
    """Springs, for ever or up to a threshold.

    normal_stiffness: k_N of the bond, per area [Pa/m].
    tangential_stiffness: k_T of the bond, per area [Pa/m] [default: normal_stiffness].
    tensile_strength: tension that a bond stands, per area [Pa] [default: any].
    tensile_force: the same per contact [N].
    shear_strength: shear that a bond stands, per area [Pa] [default: any].
    shear_force: the same per contact [N].
    """

    _keys: ClassVar[tuple[str, ...]] = ('normal_stiffness', 'tangential_stiffness', 'tensile_strength', 'tensile_force', 'shear_strength', 'shear_force',)
    _told: ClassVar[tuple[str, str] | None] = ('law', 'elastic')

    def __init__(
        self,
        *,
        normal_stiffness: float,
        tangential_stiffness: float | None = None,
        tensile_strength: float | None = None,
        tensile_force: float | None = None,
        shear_strength: float | None = None,
        shear_force: float | None = None,
    ) -> None:
        super().__init__({'normal_stiffness': normal_stiffness, 'tangential_stiffness': tangential_stiffness, 'tensile_strength': tensile_strength, 'tensile_force': tensile_force, 'shear_strength': shear_strength, 'shear_force': shear_force})
    normal_stiffness: float
    tangential_stiffness: float | None
    tensile_strength: float | None
    tensile_force: float | None
    shear_strength: float | None
    shear_force: float | None


class JointElasticCoulomb(Table):
    """Springs in series with Coulomb's friction, as in distinct elements; whole up to Mohr–Coulomb's envelope.

    normal_stiffness: k_N, also in compression, per area [Pa/m].
    tangential_stiffness: k_T, per area [Pa/m] [default: normal_stiffness].
    cohesion: c, shear that a whole joint stands without pressure [Pa]. Default: 0.
    tensile_strength: cut-off: tension that a whole joint stands [Pa], at most c/μ [default: c/μ].
    dilatancy: ψ: faces that slip ride up by tan ψ of their way, from the next step on [°]. Default: 0.
    """

    _keys: ClassVar[tuple[str, ...]] = ('normal_stiffness', 'tangential_stiffness', 'cohesion', 'tensile_strength', 'dilatancy',)
    _told: ClassVar[tuple[str, str] | None] = ('law', 'elastic_coulomb')

    def __init__(
        self,
        *,
        normal_stiffness: float,
        tangential_stiffness: float | None = None,
        cohesion: float | None = None,
        tensile_strength: float | None = None,
        dilatancy: float | None = None,
    ) -> None:
        super().__init__({'normal_stiffness': normal_stiffness, 'tangential_stiffness': tangential_stiffness, 'cohesion': cohesion, 'tensile_strength': tensile_strength, 'dilatancy': dilatancy})
    normal_stiffness: float
    tangential_stiffness: float | None
    cohesion: float | None
    tensile_strength: float | None
    dilatancy: float | None


class JointRaousCangemiCocou(Table):
    """Springs with an intensity of adhesion, with or without viscosity.

    normal_stiffness: k_N of the bond, per area [Pa/m].
    adhesion_energy: w, energy of adhesion per area [J/m²].
    tangential_stiffness: k_T of the bond, per area [Pa/m] [default: normal_stiffness].
    viscosity: b, viscosity of the adhesion [J·s/m²]. Default: 0.
    """

    _keys: ClassVar[tuple[str, ...]] = ('normal_stiffness', 'adhesion_energy', 'tangential_stiffness', 'viscosity',)
    _told: ClassVar[tuple[str, str] | None] = ('law', 'raous_cangemi_cocou')

    def __init__(
        self,
        *,
        normal_stiffness: float,
        adhesion_energy: float,
        tangential_stiffness: float | None = None,
        viscosity: float | None = None,
    ) -> None:
        super().__init__({'normal_stiffness': normal_stiffness, 'adhesion_energy': adhesion_energy, 'tangential_stiffness': tangential_stiffness, 'viscosity': viscosity})
    normal_stiffness: float
    adhesion_energy: float
    tangential_stiffness: float | None
    viscosity: float | None


class JointBilinear(Table):
    """Cohesive zone that softens on a straight line.

    stiffness: K before damage, in all directions, per area [Pa/m].
    tensile_strength: N, tension at which damage begins [Pa].
    shear_strength: S, shear at which damage begins [Pa].
    opening_toughness: G_I, work of complete opening [J/m²].
    sliding_toughness: G_II, work of complete sliding [J/m²].
    mixing_exponent: η of Benzeggagh and Kenane's mixture of the two [-]. Default: 2.
    """

    _keys: ClassVar[tuple[str, ...]] = ('stiffness', 'tensile_strength', 'shear_strength', 'opening_toughness', 'sliding_toughness', 'mixing_exponent',)
    _told: ClassVar[tuple[str, str] | None] = ('law', 'bilinear')

    def __init__(
        self,
        *,
        stiffness: float,
        tensile_strength: float,
        shear_strength: float,
        opening_toughness: float,
        sliding_toughness: float,
        mixing_exponent: float | None = None,
    ) -> None:
        super().__init__({'stiffness': stiffness, 'tensile_strength': tensile_strength, 'shear_strength': shear_strength, 'opening_toughness': opening_toughness, 'sliding_toughness': sliding_toughness, 'mixing_exponent': mixing_exponent})
    stiffness: float
    tensile_strength: float
    shear_strength: float
    opening_toughness: float
    sliding_toughness: float
    mixing_exponent: float | None


class JointExponential(Table):
    """Cohesive zone that softens exponentially.

    stiffness: K before damage, in all directions, per area [Pa/m].
    tensile_strength: N, tension at which damage begins [Pa].
    shear_strength: S, shear at which damage begins [Pa].
    opening_toughness: G_I, work of complete opening [J/m²].
    sliding_toughness: G_II, work of complete sliding [J/m²].
    mixing_exponent: η of Benzeggagh and Kenane's mixture of the two [-]. Default: 2.
    """

    _keys: ClassVar[tuple[str, ...]] = ('stiffness', 'tensile_strength', 'shear_strength', 'opening_toughness', 'sliding_toughness', 'mixing_exponent',)
    _told: ClassVar[tuple[str, str] | None] = ('law', 'exponential')

    def __init__(
        self,
        *,
        stiffness: float,
        tensile_strength: float,
        shear_strength: float,
        opening_toughness: float,
        sliding_toughness: float,
        mixing_exponent: float | None = None,
    ) -> None:
        super().__init__({'stiffness': stiffness, 'tensile_strength': tensile_strength, 'shear_strength': shear_strength, 'opening_toughness': opening_toughness, 'sliding_toughness': sliding_toughness, 'mixing_exponent': mixing_exponent})
    stiffness: float
    tensile_strength: float
    shear_strength: float
    opening_toughness: float
    sliding_toughness: float
    mixing_exponent: float | None


class JointCapillary(Table):
    """Constant pull within a range, of wet grains.

    force: pull of a bridge [N].
    range: gap at which a bridge breaks [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('force', 'range',)
    _told: ClassVar[tuple[str, str] | None] = ('law', 'capillary')

    def __init__(
        self,
        *,
        force: float,
        range: float,
    ) -> None:
        super().__init__({'force': force, 'range': range})
    force: float
    range: float


class Contact(Table):
    """A table of the scene file.

    between: two materials; "any" stands for each. An entry for two named materials beats one with "any",
        later beats earlier.
    law: law of the tangential reaction. Default: "coulomb".
    friction: friction coefficient μ [-]; required with `law = "coulomb"`.
    rolling_resistance: arm of rolling resistance: the moment is at most this times the normal reaction
        [m]. Default: 0.
    twisting_resistance: the same for twisting about the normal (3D) [m]. Default: 0.
    unilateral: discrete form of the unilateral condition. Default: "natural".
    restitution: Newton's e, with `unilateral = "velocity"` [-]. Default: 0.
    tangential_restitution: the same for the tangential velocity, with `unilateral = "velocity"` [-].
        Default: 0.
    dissipation: δ, with `unilateral = "moreau"`: 1 is fully inelastic, 0 conserves energy [-]. Default:
        1.
    compression_stiffness: stiffness in compression, with `unilateral = "compliant"`, per area [Pa/m].
    contact_stiffness: the same per contact [N/m]: for balls, corners and edges, which have no area.
    joint: bonds that hold until they break; those that touch at the start, or as [[bond]] says.
    """

    _keys: ClassVar[tuple[str, ...]] = ('between', 'law', 'friction', 'rolling_resistance', 'twisting_resistance', 'unilateral', 'restitution', 'tangential_restitution', 'dissipation', 'compression_stiffness', 'contact_stiffness', 'joint',)

    def __init__(
        self,
        *,
        between: Sequence[str] | str,
        law: Literal['coulomb', 'frictionless'] | None = None,
        friction: float | Friction | Mapping[str, Any] | None = None,
        rolling_resistance: float | None = None,
        twisting_resistance: float | None = None,
        unilateral: Literal['natural', 'quasi_inelastic', 'gap', 'velocity', 'moreau', 'compliant'] | None = None,
        restitution: float | None = None,
        tangential_restitution: float | None = None,
        dissipation: float | None = None,
        compression_stiffness: float | None = None,
        contact_stiffness: float | None = None,
        joint: JointBrittle | JointMohrCoulomb | JointElastic | JointElasticCoulomb | JointRaousCangemiCocou | JointBilinear | JointExponential | JointCapillary | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'between': between, 'law': law, 'friction': friction, 'rolling_resistance': rolling_resistance, 'twisting_resistance': twisting_resistance, 'unilateral': unilateral, 'restitution': restitution, 'tangential_restitution': tangential_restitution, 'dissipation': dissipation, 'compression_stiffness': compression_stiffness, 'contact_stiffness': contact_stiffness, 'joint': joint})
    between: Sequence[str] | str
    law: Literal['coulomb', 'frictionless'] | None
    friction: float | Friction | Mapping[str, Any] | None
    rolling_resistance: float | None
    twisting_resistance: float | None
    unilateral: Literal['natural', 'quasi_inelastic', 'gap', 'velocity', 'moreau', 'compliant'] | None
    restitution: float | None
    tangential_restitution: float | None
    dissipation: float | None
    compression_stiffness: float | None
    contact_stiffness: float | None
    joint: JointBrittle | JointMohrCoulomb | JointElastic | JointElasticCoulomb | JointRaousCangemiCocou | JointBilinear | JointExponential | JointCapillary | Mapping[str, Any] | None


class StageSolver(Table):
    """Settings of the contact solver from now on.

    tolerance: residual that counts as converged [default: as before].
    outliers: factor by which the worst contact may miss it in a hard step [default: as before].
    max_sweeps: most relaxation sweeps in a step [default: as before].
    on_failure: what to do with a step that did not converge [default: as before].
    """

    _keys: ClassVar[tuple[str, ...]] = ('tolerance', 'outliers', 'max_sweeps', 'on_failure',)

    def __init__(
        self,
        *,
        tolerance: float | None = None,
        outliers: float | None = None,
        max_sweeps: int | None = None,
        on_failure: Literal['accept', 'quarter_step', 'halve_step', 'stop'] | None = None,
    ) -> None:
        super().__init__({'tolerance': tolerance, 'outliers': outliers, 'max_sweeps': max_sweeps, 'on_failure': on_failure})
    tolerance: float | None
    outliers: float | None
    max_sweeps: int | None
    on_failure: Literal['accept', 'quarter_step', 'halve_step', 'stop'] | None


class StageVelocity(Table):
    """A table of the scene file.

    bodies: bodies: a group, "group#3", "group#3-7" or "group#last" (numbers from 0).
    velocity: velocity of each centre of mass [m/s]. Default: 0.
    spin: angular velocity of each [rad/s]. Default: 0.
    """

    _keys: ClassVar[tuple[str, ...]] = ('bodies', 'velocity', 'spin',)

    def __init__(
        self,
        *,
        bodies: str,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
    ) -> None:
        super().__init__({'bodies': bodies, 'velocity': velocity, 'spin': spin})
    bodies: str
    velocity: Vector | None
    spin: float | Vector | None


class Stage(Table):
    """A table of the scene file.

    name: name of the stage: loads and drives refer to it.
    duration: how long it lasts; with until = "equilibrium", at most [s].
    until: when it ends. Default: "time".
    tolerance: with until = "equilibrium": out-of-balance force that ends it, relative to the weight and
        other loads. Default: 0.001.
    step: time step of this stage [s] [default: that of `[time]`].
    quasi_static: quasi-static equilibrium instead of dynamics.
    gravity: gravity from now on.
    contact: laws of contact from now on, in place of those before, also of those that name materials
        where these say "any".
    solver: settings of the contact solver from now on.
    velocity: velocities given to rigid bodies at its start.
    remove: rigid bodies (as in `[[drive]]`) that are taken away. Default: none.
    """

    _keys: ClassVar[tuple[str, ...]] = ('name', 'duration', 'until', 'tolerance', 'step', 'quasi_static', 'gravity', 'contact', 'solver', 'velocity', 'remove',)

    def __init__(
        self,
        *,
        name: str,
        duration: float,
        until: Literal['time', 'equilibrium'] | None = None,
        tolerance: float | None = None,
        step: float | None = None,
        quasi_static: Literal['none', 'velocity_cancelling'] | None = None,
        gravity: StageGravity | Mapping[str, Any] | None = None,
        contact: Sequence[Contact | Mapping[str, Any]] | None = None,
        solver: StageSolver | Mapping[str, Any] | None = None,
        velocity: Sequence[StageVelocity | Mapping[str, Any]] | None = None,
        remove: Sequence[str] | None = None,
    ) -> None:
        super().__init__({'name': name, 'duration': duration, 'until': until, 'tolerance': tolerance, 'step': step, 'quasi_static': quasi_static, 'gravity': gravity, 'contact': contact, 'solver': solver, 'velocity': velocity, 'remove': remove})
    name: str
    duration: float
    until: Literal['time', 'equilibrium'] | None
    tolerance: float | None
    step: float | None
    quasi_static: Literal['none', 'velocity_cancelling'] | None
    gravity: StageGravity | Mapping[str, Any] | None
    contact: Sequence[Contact | Mapping[str, Any]] | None
    solver: StageSolver | Mapping[str, Any] | None
    velocity: Sequence[StageVelocity | Mapping[str, Any]] | None
    remove: Sequence[str] | None


class Time(Table):
    """Time stepping.

    step: time step h [s].
    end: end of the run, with stages at the latest [s]. Default: with `[[stage]]`: the sum of their
        durations; required without.
    theta: θ of the time scheme: ½ conserves energy, 1 is implicit Euler. Default: 0.5.
    xi: ξ of the time scheme, the same for forces [default: theta].
    quasi_static: quasi-static equilibrium instead of dynamics. Default: "none".
    until: when it ends. Default: "time".
    tolerance: with until = "equilibrium": out-of-balance force that ends it, relative to the weight and
        other loads. Default: 0.001.
    """

    _keys: ClassVar[tuple[str, ...]] = ('step', 'end', 'theta', 'xi', 'quasi_static', 'until', 'tolerance',)

    def __init__(
        self,
        *,
        step: float,
        end: float | None = None,
        theta: float | None = None,
        xi: float | None = None,
        quasi_static: Literal['none', 'velocity_cancelling'] | None = None,
        until: Literal['time', 'equilibrium'] | None = None,
        tolerance: float | None = None,
    ) -> None:
        super().__init__({'step': step, 'end': end, 'theta': theta, 'xi': xi, 'quasi_static': quasi_static, 'until': until, 'tolerance': tolerance})
    step: float
    end: float | None
    theta: float | None
    xi: float | None
    quasi_static: Literal['none', 'velocity_cancelling'] | None
    until: Literal['time', 'equilibrium'] | None
    tolerance: float | None


class Damage(Table):
    """Isotropic damage: stiffness is lost where strain passes a limit.

    strength: strength in a pull along one axis [Pa].
    fracture_energy: energy that a crack takes per area [J/m²].
    criterion: what damages. Default: "tension".
    """

    _keys: ClassVar[tuple[str, ...]] = ('strength', 'fracture_energy', 'criterion',)

    def __init__(
        self,
        *,
        strength: float,
        fracture_energy: float,
        criterion: Literal['tension', 'energy'] | None = None,
    ) -> None:
        super().__init__({'strength': strength, 'fracture_energy': fracture_energy, 'criterion': criterion})
    strength: float
    fracture_energy: float
    criterion: Literal['tension', 'energy'] | None


class Kinematic(Table):
    """Hardening that moves the yield surface: β̇ = ⅔ C ε̇_p − γ β ṗ.

    modulus: C [Pa].
    recall: γ; the back stress tends to C/γ, 0 is linear [-]. Default: 0.
    """

    _keys: ClassVar[tuple[str, ...]] = ('modulus', 'recall',)

    def __init__(
        self,
        *,
        modulus: float,
        recall: float | None = None,
    ) -> None:
        super().__init__({'modulus': modulus, 'recall': recall})
    modulus: float
    recall: float | None


class Rate(Table):
    """Flow takes time (Perzyna): the stress stands K ṗⁿ above the yield stress.

    stress: overstress K at a rate of 1/s [Pa].
    exponent: n [-]. Default: 1.
    """

    _keys: ClassVar[tuple[str, ...]] = ('stress', 'exponent',)

    def __init__(
        self,
        *,
        stress: float,
        exponent: float | None = None,
    ) -> None:
        super().__init__({'stress': stress, 'exponent': exponent})
    stress: float
    exponent: float | None


class Plasticity(Table):
    """J2 plasticity: it flows where Von Mises' stress reaches the yield stress.

    hardening: how the yield stress grows with the equivalent plastic strain p. Default: "linear".
    yield_stress: linear, Voce: yield stress σ₀ at the start [Pa].
    modulus: linear: hardening modulus H; 0 is perfect plasticity [Pa]. Default: 0.
    gain: Voce: what the yield stress gains in the end, Q [Pa].
    saturation: Voce: how soon, b [-].
    strength: Swift: K [Pa].
    offset: Swift: ε₀ [-].
    exponent: Swift: n [-].
    table: table: CSV file with rows p, σ_y [-, Pa], from p = 0.
    kinematic: hardening that moves the yield surface: β̇ = ⅔ C ε̇_p − γ β ṗ.
    rate: flow takes time (Perzyna): the stress stands K ṗⁿ above the yield stress.
    r_values: r₀, r₄₅, r₉₀ of a rolled sheet (Hill): plastic strain across over that through the sheet in
        a pull [-].
    rolling_angle: with `r_values`: direction of rolling, from x about z [°]. Default: 0.
    """

    _keys: ClassVar[tuple[str, ...]] = ('hardening', 'yield_stress', 'modulus', 'gain', 'saturation', 'strength', 'offset', 'exponent', 'table', 'kinematic', 'rate', 'r_values', 'rolling_angle',)

    def __init__(
        self,
        *,
        hardening: Literal['linear', 'voce', 'swift', 'table'] | None = None,
        yield_stress: float | None = None,
        modulus: float | None = None,
        gain: float | None = None,
        saturation: float | None = None,
        strength: float | None = None,
        offset: float | None = None,
        exponent: float | None = None,
        table: str | None = None,
        kinematic: Kinematic | Mapping[str, Any] | None = None,
        rate: Rate | Mapping[str, Any] | None = None,
        r_values: Vector | None = None,
        rolling_angle: float | None = None,
    ) -> None:
        super().__init__({'hardening': hardening, 'yield_stress': yield_stress, 'modulus': modulus, 'gain': gain, 'saturation': saturation, 'strength': strength, 'offset': offset, 'exponent': exponent, 'table': table, 'kinematic': kinematic, 'rate': rate, 'r_values': r_values, 'rolling_angle': rolling_angle})
    hardening: Literal['linear', 'voce', 'swift', 'table'] | None
    yield_stress: float | None
    modulus: float | None
    gain: float | None
    saturation: float | None
    strength: float | None
    offset: float | None
    exponent: float | None
    table: str | None
    kinematic: Kinematic | Mapping[str, Any] | None
    rate: Rate | Mapping[str, Any] | None
    r_values: Vector | None
    rolling_angle: float | None


class Maxwell(Table):
    """Maxwell: it flows in shear as a liquid does, with τ = η/G.

    viscosity: shear viscosity η [Pa·s].
    rate: finite deformations: rate of the stress. Default: "green_naghdi".
    """

    _keys: ClassVar[tuple[str, ...]] = ('viscosity', 'rate',)

    def __init__(
        self,
        *,
        viscosity: float,
        rate: Literal['green_naghdi', 'jaumann'] | None = None,
    ) -> None:
        super().__init__({'viscosity': viscosity, 'rate': rate})
    viscosity: float
    rate: Literal['green_naghdi', 'jaumann'] | None


class Prony(Table):
    """Prony's series: it relaxes in shear, by several times.

    shares: g_i: shares of the shear modulus that relax; `young` is that of the first instant [-].
    times: τ_i: times of relaxation [s].
    """

    _keys: ClassVar[tuple[str, ...]] = ('shares', 'times',)

    def __init__(
        self,
        *,
        shares: Vector,
        times: Vector,
    ) -> None:
        super().__init__({'shares': shares, 'times': times})
    shares: Vector
    times: Vector


class DruckerPrager(Table):
    """Drucker–Prager: soils and rocks, a cone.

    cohesion: cohesion c [Pa].
    friction_angle: angle of internal friction φ [°]. Default: 0.
    dilatancy_angle: angle of dilatancy ψ, at most φ [°]. Default: 0.
    tension: largest tension [Pa]; default: that of the apex, c/tan φ; none for φ = 0.
    fit: how the cone is fitted to Mohr–Coulomb's pyramid. Default: "plane_strain".
    """

    _keys: ClassVar[tuple[str, ...]] = ('cohesion', 'friction_angle', 'dilatancy_angle', 'tension', 'fit',)

    def __init__(
        self,
        *,
        cohesion: float,
        friction_angle: float | None = None,
        dilatancy_angle: float | None = None,
        tension: float | None = None,
        fit: Literal['plane_strain', 'compression', 'extension'] | None = None,
    ) -> None:
        super().__init__({'cohesion': cohesion, 'friction_angle': friction_angle, 'dilatancy_angle': dilatancy_angle, 'tension': tension, 'fit': fit})
    cohesion: float
    friction_angle: float | None
    dilatancy_angle: float | None
    tension: float | None
    fit: Literal['plane_strain', 'compression', 'extension'] | None


class MohrCoulomb(Table):
    """Mohr–Coulomb: soils and rocks, a pyramid.

    cohesion: cohesion c [Pa].
    friction_angle: angle of internal friction φ [°]. Default: 0.
    dilatancy_angle: angle of dilatancy ψ, at most φ [°]. Default: 0.
    tension: largest tension [Pa]; default: that of the apex, c/tan φ; none for φ = 0.
    """

    _keys: ClassVar[tuple[str, ...]] = ('cohesion', 'friction_angle', 'dilatancy_angle', 'tension',)

    def __init__(
        self,
        *,
        cohesion: float,
        friction_angle: float | None = None,
        dilatancy_angle: float | None = None,
        tension: float | None = None,
    ) -> None:
        super().__init__({'cohesion': cohesion, 'friction_angle': friction_angle, 'dilatancy_angle': dilatancy_angle, 'tension': tension})
    cohesion: float
    friction_angle: float | None
    dilatancy_angle: float | None
    tension: float | None


class Material(Table):
    """A table of the scene file.

    density: mass per volume [kg/m³].
    young: Young's modulus, for deformable bodies [Pa].
    poisson: Poisson's ratio [-].
    elasticity: law of elasticity. Default: "linear".
    moduli: orthotropic: Young's moduli E1, E2, E3 [Pa].
    ratios: orthotropic: Poisson's ratios ν12, ν23, ν31 [-].
    shear: orthotropic: shear moduli G12, G23, G31 [Pa].
    fibre_angle: orthotropic: first axis from x, about z [°]. Default: 0.
    damping: Rayleigh damping C = α M + β K: [α, β], in 1/s and s.
    viscosity: Kelvin–Voigt: shear viscosity η of σ = C ε + 2η dev ε̇ [Pa·s].
    damage: isotropic damage: stiffness is lost where strain passes a limit.
    plasticity: J2 plasticity: it flows where Von Mises' stress reaches the yield stress.
    maxwell: Maxwell: it flows in shear as a liquid does, with τ = η/G.
    prony: Prony's series: it relaxes in shear, by several times.
    drucker_prager: Drucker–Prager: soils and rocks, a cone.
    mohr_coulomb: Mohr–Coulomb: soils and rocks, a pyramid.
    """

    _keys: ClassVar[tuple[str, ...]] = ('density', 'young', 'poisson', 'elasticity', 'moduli', 'ratios', 'shear', 'fibre_angle', 'damping', 'viscosity', 'damage', 'plasticity', 'maxwell', 'prony', 'drucker_prager', 'mohr_coulomb',)

    def __init__(
        self,
        *,
        density: float,
        young: float | None = None,
        poisson: float | None = None,
        elasticity: Literal['linear', 'saint_venant_kirchhoff', 'neo_hookean', 'orthotropic'] | None = None,
        moduli: Vector | None = None,
        ratios: Vector | None = None,
        shear: Vector | None = None,
        fibre_angle: float | None = None,
        damping: Vector | None = None,
        viscosity: float | None = None,
        damage: Damage | Mapping[str, Any] | None = None,
        plasticity: Plasticity | Mapping[str, Any] | None = None,
        maxwell: Maxwell | Mapping[str, Any] | None = None,
        prony: Prony | Mapping[str, Any] | None = None,
        drucker_prager: DruckerPrager | Mapping[str, Any] | None = None,
        mohr_coulomb: MohrCoulomb | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'density': density, 'young': young, 'poisson': poisson, 'elasticity': elasticity, 'moduli': moduli, 'ratios': ratios, 'shear': shear, 'fibre_angle': fibre_angle, 'damping': damping, 'viscosity': viscosity, 'damage': damage, 'plasticity': plasticity, 'maxwell': maxwell, 'prony': prony, 'drucker_prager': drucker_prager, 'mohr_coulomb': mohr_coulomb})
    density: float
    young: float | None
    poisson: float | None
    elasticity: Literal['linear', 'saint_venant_kirchhoff', 'neo_hookean', 'orthotropic'] | None
    moduli: Vector | None
    ratios: Vector | None
    shear: Vector | None
    fibre_angle: float | None
    damping: Vector | None
    viscosity: float | None
    damage: Damage | Mapping[str, Any] | None
    plasticity: Plasticity | Mapping[str, Any] | None
    maxwell: Maxwell | Mapping[str, Any] | None
    prony: Prony | Mapping[str, Any] | None
    drucker_prager: DruckerPrager | Mapping[str, Any] | None
    mohr_coulomb: MohrCoulomb | Mapping[str, Any] | None


class Ignore(Table):
    """A table of the scene file.

    between: two groups of bodies that never touch each other (one name: within itself); or "any".
    """

    _keys: ClassVar[tuple[str, ...]] = ('between',)

    def __init__(
        self,
        *,
        between: Sequence[str] | str,
    ) -> None:
        super().__init__({'between': between})
    between: Sequence[str] | str


class Within(Table):
    """Bonds are made in this box only: a notch is where it is not.

    low: lowest corner [m].
    high: highest corner [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('low', 'high',)

    def __init__(
        self,
        *,
        low: Vector,
        high: Vector,
    ) -> None:
        super().__init__({'low': low, 'high': high})
    low: Vector
    high: Vector


class Bond(Table):
    """A table of the scene file.

    between: two selections of bodies (one: within itself): "any", a group, "group#3", "group#3-7";
        contacts between them that touch are bonded, if their law has a `joint`.
    from_: time from which on they are bonded [s]. Default: 0.
    within: bonds are made in this box only: a notch is where it is not.
    """

    _keys: ClassVar[tuple[str, ...]] = ('between', 'from', 'within',)

    def __init__(
        self,
        *,
        between: Sequence[str] | str,
        from_: float | None = None,
        within: Within | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'between': between, 'from': from_, 'within': within})
    between: Sequence[str] | str
    from_: float | None
    within: Within | Mapping[str, Any] | None


class Gravity(Table):
    """Gravity.

    acceleration: acceleration of gravity [m/s²], e.g. [0, -9.81].
    stage: it begins with this stage, 0 before; times count from there [default: from the start].
    history: factor in time [-]. Default: 1.
    tilt: angle in time by which the whole scene is tilted, counter-clockwise: gravity turns the other way
        [°].
    tilt_axis: with tilt: axis of the rotation (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('acceleration', 'stage', 'history', 'tilt', 'tilt_axis',)

    def __init__(
        self,
        *,
        acceleration: Vector,
        stage: str | None = None,
        history: float | History | Mapping[str, Any] | None = None,
        tilt: float | History | Mapping[str, Any] | None = None,
        tilt_axis: Vector | None = None,
    ) -> None:
        super().__init__({'acceleration': acceleration, 'stage': stage, 'history': history, 'tilt': tilt, 'tilt_axis': tilt_axis})
    acceleration: Vector
    stage: str | None
    history: float | History | Mapping[str, Any] | None
    tilt: float | History | Mapping[str, Any] | None
    tilt_axis: Vector | None


class GroundAcceleration(Table):
    """Earthquake.

    x: acceleration of the ground in this direction [m/s²]; the scene is described in the ground's frame.
    y: acceleration of the ground in this direction [m/s²]; the scene is described in the ground's frame.
    z: acceleration of the ground in this direction [m/s²]; the scene is described in the ground's frame
        (3D).
    stage: it begins with this stage, 0 before; times count from there [default: from the start].
    """

    _keys: ClassVar[tuple[str, ...]] = ('x', 'y', 'z', 'stage',)

    def __init__(
        self,
        *,
        x: float | History | Mapping[str, Any] | None = None,
        y: float | History | Mapping[str, Any] | None = None,
        z: float | History | Mapping[str, Any] | None = None,
        stage: str | None = None,
    ) -> None:
        super().__init__({'x': x, 'y': y, 'z': z, 'stage': stage})
    x: float | History | Mapping[str, Any] | None
    y: float | History | Mapping[str, Any] | None
    z: float | History | Mapping[str, Any] | None
    stage: str | None


class CellStrain(Table):
    """A table of the scene file.

    component: which strain.
    strain: strain in time, 0 at the start [-].
    stage: it begins with this stage, 0 before; times count from there [default: from the start].
    """

    _keys: ClassVar[tuple[str, ...]] = ('component', 'strain', 'stage',)

    def __init__(
        self,
        *,
        component: Literal['xx', 'yy', 'zz', 'xy', 'xz', 'yz'],
        strain: float | History | Mapping[str, Any],
        stage: str | None = None,
    ) -> None:
        super().__init__({'component': component, 'strain': strain, 'stage': stage})
    component: Literal['xx', 'yy', 'zz', 'xy', 'xz', 'yz']
    strain: float | History | Mapping[str, Any]
    stage: str | None


class Stress(Table):
    """A table of the scene file.

    component: which stress.
    stress: stress in time, positive in tension [Pa].
    stage: it begins with this stage, 0 before; times count from there [default: from the start].
    until: the cell stays as it is when this stage begins [default: kept to the end].
    """

    _keys: ClassVar[tuple[str, ...]] = ('component', 'stress', 'stage', 'until',)

    def __init__(
        self,
        *,
        component: Literal['mean', 'xx', 'yy', 'zz', 'xy', 'xz', 'yz'],
        stress: float | History | Mapping[str, Any],
        stage: str | None = None,
        until: str | None = None,
    ) -> None:
        super().__init__({'component': component, 'stress': stress, 'stage': stage, 'until': until})
    component: Literal['mean', 'xx', 'yy', 'zz', 'xy', 'xz', 'yz']
    stress: float | History | Mapping[str, Any]
    stage: str | None
    until: str | None


class Cell(Table):
    """Periodic cell.

    low: lowest corner of the cell [m].
    high: highest corner of the cell at the start [m].
    periodic: directions in which it is periodic. Default: all.
    strain: how the cell deforms in time.
    stress: stresses that it is kept at, by giving way.
    """

    _keys: ClassVar[tuple[str, ...]] = ('low', 'high', 'periodic', 'strain', 'stress',)

    def __init__(
        self,
        *,
        low: Vector,
        high: Vector,
        periodic: Sequence[Literal['x', 'y', 'z']] | None = None,
        strain: Sequence[CellStrain | Mapping[str, Any]] | None = None,
        stress: Sequence[Stress | Mapping[str, Any]] | None = None,
    ) -> None:
        super().__init__({'low': low, 'high': high, 'periodic': periodic, 'strain': strain, 'stress': stress})
    low: Vector
    high: Vector
    periodic: Sequence[Literal['x', 'y', 'z']] | None
    strain: Sequence[CellStrain | Mapping[str, Any]] | None
    stress: Sequence[Stress | Mapping[str, Any]] | None


class Rotation(Table):
    """Rotation about an axis (3D).

    axis: axis of the rotation.
    angle: angle of the rotation [°].
    """

    _keys: ClassVar[tuple[str, ...]] = ('axis', 'angle',)

    def __init__(
        self,
        *,
        axis: Vector,
        angle: float,
    ) -> None:
        super().__init__({'axis': axis, 'angle': angle})
    axis: Vector
    angle: float


class ShapeDisk(Table):
    """Disk about `position` (2D).

    radius: radius [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'disk')

    def __init__(
        self,
        *,
        radius: float,
    ) -> None:
        super().__init__({'radius': radius})
    radius: float


class ShapeSphere(Table):
    """Ball about `position` (3D).

    radius: radius [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'sphere')

    def __init__(
        self,
        *,
        radius: float,
    ) -> None:
        super().__init__({'radius': radius})
    radius: float


class ShapeRectangle(Table):
    """Rectangle centred at `position` (2D).

    size: lengths of the sides [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('size',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'rectangle')

    def __init__(
        self,
        *,
        size: Vector,
    ) -> None:
        super().__init__({'size': size})
    size: Vector


class ShapeBox(Table):
    """Box centred at `position` (3D).

    size: lengths of the sides [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('size',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'box')

    def __init__(
        self,
        *,
        size: Vector,
    ) -> None:
        super().__init__({'size': size})
    size: Vector


class ShapePolygon(Table):
    """Convex polygon by its vertices (2D).

    vertices: vertices in order, either sense [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('vertices',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'polygon')

    def __init__(
        self,
        *,
        vertices: Sequence[Vector],
    ) -> None:
        super().__init__({'vertices': vertices})
    vertices: Sequence[Vector]


class ShapePolyhedron(Table):
    """Convex hull of points (3D).

    vertices: points whose convex hull it is [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('vertices',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'polyhedron')

    def __init__(
        self,
        *,
        vertices: Sequence[Vector],
    ) -> None:
        super().__init__({'vertices': vertices})
    vertices: Sequence[Vector]


class ShapeRegularPolygon(Table):
    """Regular polygon centred at `position`, a vertex on the x axis (2D).

    sides: number of sides.
    radius: radius of the circumscribed circle [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('sides', 'radius',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'regular_polygon')

    def __init__(
        self,
        *,
        sides: int,
        radius: float,
    ) -> None:
        super().__init__({'sides': sides, 'radius': radius})
    sides: int
    radius: float


class ShapePrism(Table):
    """Regular prism centred at `position`, axis along z (3D).

    sides: number of sides.
    radius: radius of the circumscribed circle [m].
    height: height [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('sides', 'radius', 'height',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'prism')

    def __init__(
        self,
        *,
        sides: int,
        radius: float,
        height: float,
    ) -> None:
        super().__init__({'sides': sides, 'radius': radius, 'height': height})
    sides: int
    radius: float
    height: float


class ShapeSegment(Table):
    """Segment without thickness (2D).

    ends: the two ends [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('ends',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'segment')

    def __init__(
        self,
        *,
        ends: Sequence[Vector],
    ) -> None:
        super().__init__({'ends': ends})
    ends: Sequence[Vector]


class ShapeHalfPlane(Table):
    """All that lies behind a line through `position` (2D).

    normal: outward normal, any length.
    """

    _keys: ClassVar[tuple[str, ...]] = ('normal',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'half_plane')

    def __init__(
        self,
        *,
        normal: Vector,
    ) -> None:
        super().__init__({'normal': normal})
    normal: Vector


class ShapeHalfSpace(Table):
    """All that lies behind a plane through `position` (3D).

    normal: outward normal, any length.
    """

    _keys: ClassVar[tuple[str, ...]] = ('normal',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'half_space')

    def __init__(
        self,
        *,
        normal: Vector,
    ) -> None:
        super().__init__({'normal': normal})
    normal: Vector


class ShapeHollowDisk(Table):
    """The outside of a circle about `position`: bodies are inside (2D).

    radius: inner radius [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'hollow_disk')

    def __init__(
        self,
        *,
        radius: float,
    ) -> None:
        super().__init__({'radius': radius})
    radius: float


class ShapeHollowCylinder(Table):
    """The outside of an endless cylinder about z through `position` (3D).

    radius: inner radius [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'hollow_cylinder')

    def __init__(
        self,
        *,
        radius: float,
    ) -> None:
        super().__init__({'radius': radius})
    radius: float


class ShapeChain(Table):
    """Chain of segments, solid on the left-hand side when going along it (the boundary of a solid, counter-
    clockwise) (2D).

    points: points along the chain [m].
    closed: join the last point to the first?. Default: false.
    """

    _keys: ClassVar[tuple[str, ...]] = ('points', 'closed',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'chain')

    def __init__(
        self,
        *,
        points: Sequence[Vector],
        closed: bool | None = None,
    ) -> None:
        super().__init__({'points': points, 'closed': closed})
    points: Sequence[Vector]
    closed: bool | None


class ShapeProfile(Table):
    """Tool with a rounded profile, solid on the left-hand side when going along it; in 3D extruded or revolved.
    Nodes of meshes meet it with its exact normals.

    points: corners of the profile in order; 3D: in the plane y = 0 [m].
    radii: radii of the fillets at the corners between the first and the last point [m]. Default: sharp
        corners.
    sweep: how it goes on in space (3D). Default: "revolved".
    core: revolved: half sides along x and y of a rectangle from which x of the profile is measured, so
        that the tool is one with rounded corners [m] (3D). Default: [0, 0].
    width: extruded: width along y, the origin in its middle [m] (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('points', 'radii', 'sweep', 'core', 'width',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'profile')

    def __init__(
        self,
        *,
        points: Sequence[Vector],
        radii: Vector | None = None,
        sweep: Literal['revolved', 'extruded'] | None = None,
        core: Vector | None = None,
        width: float | None = None,
    ) -> None:
        super().__init__({'points': points, 'radii': radii, 'sweep': sweep, 'core': core, 'width': width})
    points: Sequence[Vector]
    radii: Vector | None
    sweep: Literal['revolved', 'extruded'] | None
    core: Vector | None
    width: float | None


class ShapeSurface(Table):
    """Triangles from an OBJ or STL file, solid behind their normals (3D).

    file: OBJ or STL file next to the scene.
    scale: factor on its coordinates, e.g. 0.001 for a file in mm. Default: 1.
    """

    _keys: ClassVar[tuple[str, ...]] = ('file', 'scale',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'surface')

    def __init__(
        self,
        *,
        file: str,
        scale: float | None = None,
    ) -> None:
        super().__init__({'file': file, 'scale': scale})
    file: str
    scale: float | None


class PartsDisk(Table):
    """Disk about `position` (2D).

    radius: radius [m].
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius', 'position', 'angle', 'rotation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'disk')

    def __init__(
        self,
        *,
        radius: float,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'radius': radius, 'position': position, 'angle': angle, 'rotation': rotation})
    radius: float
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None


class PartsSphere(Table):
    """Ball about `position` (3D).

    radius: radius [m].
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius', 'position', 'angle', 'rotation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'sphere')

    def __init__(
        self,
        *,
        radius: float,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'radius': radius, 'position': position, 'angle': angle, 'rotation': rotation})
    radius: float
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None


class PartsRectangle(Table):
    """Rectangle centred at `position` (2D).

    size: lengths of the sides [m].
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('size', 'position', 'angle', 'rotation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'rectangle')

    def __init__(
        self,
        *,
        size: Vector,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'size': size, 'position': position, 'angle': angle, 'rotation': rotation})
    size: Vector
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None


class PartsBox(Table):
    """Box centred at `position` (3D).

    size: lengths of the sides [m].
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('size', 'position', 'angle', 'rotation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'box')

    def __init__(
        self,
        *,
        size: Vector,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'size': size, 'position': position, 'angle': angle, 'rotation': rotation})
    size: Vector
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None


class PartsPolygon(Table):
    """Convex polygon by its vertices (2D).

    vertices: vertices in order, either sense [m].
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('vertices', 'position', 'angle', 'rotation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'polygon')

    def __init__(
        self,
        *,
        vertices: Sequence[Vector],
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'vertices': vertices, 'position': position, 'angle': angle, 'rotation': rotation})
    vertices: Sequence[Vector]
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None


class PartsPolyhedron(Table):
    """Convex hull of points (3D).

    vertices: points whose convex hull it is [m].
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('vertices', 'position', 'angle', 'rotation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'polyhedron')

    def __init__(
        self,
        *,
        vertices: Sequence[Vector],
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'vertices': vertices, 'position': position, 'angle': angle, 'rotation': rotation})
    vertices: Sequence[Vector]
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None


class PartsRegularPolygon(Table):
    """Regular polygon centred at `position`, a vertex on the x axis (2D).

    sides: number of sides.
    radius: radius of the circumscribed circle [m].
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('sides', 'radius', 'position', 'angle', 'rotation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'regular_polygon')

    def __init__(
        self,
        *,
        sides: int,
        radius: float,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'sides': sides, 'radius': radius, 'position': position, 'angle': angle, 'rotation': rotation})
    sides: int
    radius: float
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None


class PartsPrism(Table):
    """Regular prism centred at `position`, axis along z (3D).

    sides: number of sides.
    radius: radius of the circumscribed circle [m].
    height: height [m].
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('sides', 'radius', 'height', 'position', 'angle', 'rotation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'prism')

    def __init__(
        self,
        *,
        sides: int,
        radius: float,
        height: float,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'sides': sides, 'radius': radius, 'height': height, 'position': position, 'angle': angle, 'rotation': rotation})
    sides: int
    radius: float
    height: float
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None


class PartsSegment(Table):
    """Segment without thickness (2D).

    ends: the two ends [m].
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('ends', 'position', 'angle', 'rotation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'segment')

    def __init__(
        self,
        *,
        ends: Sequence[Vector],
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'ends': ends, 'position': position, 'angle': angle, 'rotation': rotation})
    ends: Sequence[Vector]
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None


class PartsHalfPlane(Table):
    """All that lies behind a line through `position` (2D).

    normal: outward normal, any length.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('normal', 'position', 'angle', 'rotation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'half_plane')

    def __init__(
        self,
        *,
        normal: Vector,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'normal': normal, 'position': position, 'angle': angle, 'rotation': rotation})
    normal: Vector
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None


class PartsHalfSpace(Table):
    """All that lies behind a plane through `position` (3D).

    normal: outward normal, any length.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('normal', 'position', 'angle', 'rotation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'half_space')

    def __init__(
        self,
        *,
        normal: Vector,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'normal': normal, 'position': position, 'angle': angle, 'rotation': rotation})
    normal: Vector
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None


class PartsHollowDisk(Table):
    """The outside of a circle about `position`: bodies are inside (2D).

    radius: inner radius [m].
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius', 'position', 'angle', 'rotation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'hollow_disk')

    def __init__(
        self,
        *,
        radius: float,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'radius': radius, 'position': position, 'angle': angle, 'rotation': rotation})
    radius: float
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None


class PartsHollowCylinder(Table):
    """The outside of an endless cylinder about z through `position` (3D).

    radius: inner radius [m].
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius', 'position', 'angle', 'rotation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'hollow_cylinder')

    def __init__(
        self,
        *,
        radius: float,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'radius': radius, 'position': position, 'angle': angle, 'rotation': rotation})
    radius: float
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None


class PartsChain(Table):
    """Chain of segments, solid on the left-hand side when going along it (the boundary of a solid, counter-
    clockwise) (2D).

    points: points along the chain [m].
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    closed: join the last point to the first?. Default: false.
    """

    _keys: ClassVar[tuple[str, ...]] = ('points', 'position', 'angle', 'rotation', 'closed',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'chain')

    def __init__(
        self,
        *,
        points: Sequence[Vector],
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        closed: bool | None = None,
    ) -> None:
        super().__init__({'points': points, 'position': position, 'angle': angle, 'rotation': rotation, 'closed': closed})
    points: Sequence[Vector]
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    closed: bool | None


class PartsProfile(Table):
    """Tool with a rounded profile, solid on the left-hand side when going along it; in 3D extruded or revolved.
    Nodes of meshes meet it with its exact normals.

    points: corners of the profile in order; 3D: in the plane y = 0 [m].
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    radii: radii of the fillets at the corners between the first and the last point [m]. Default: sharp
        corners.
    sweep: how it goes on in space (3D). Default: "revolved".
    core: revolved: half sides along x and y of a rectangle from which x of the profile is measured, so
        that the tool is one with rounded corners [m] (3D). Default: [0, 0].
    width: extruded: width along y, the origin in its middle [m] (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('points', 'position', 'angle', 'rotation', 'radii', 'sweep', 'core', 'width',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'profile')

    def __init__(
        self,
        *,
        points: Sequence[Vector],
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        radii: Vector | None = None,
        sweep: Literal['revolved', 'extruded'] | None = None,
        core: Vector | None = None,
        width: float | None = None,
    ) -> None:
        super().__init__({'points': points, 'position': position, 'angle': angle, 'rotation': rotation, 'radii': radii, 'sweep': sweep, 'core': core, 'width': width})
    points: Sequence[Vector]
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    radii: Vector | None
    sweep: Literal['revolved', 'extruded'] | None
    core: Vector | None
    width: float | None


class PartsSurface(Table):
    """Triangles from an OBJ or STL file, solid behind their normals (3D).

    file: OBJ or STL file next to the scene.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    scale: factor on its coordinates, e.g. 0.001 for a file in mm. Default: 1.
    """

    _keys: ClassVar[tuple[str, ...]] = ('file', 'position', 'angle', 'rotation', 'scale',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'surface')

    def __init__(
        self,
        *,
        file: str,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        scale: float | None = None,
    ) -> None:
        super().__init__({'file': file, 'position': position, 'angle': angle, 'rotation': rotation, 'scale': scale})
    file: str
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    scale: float | None


class ShapeUnion(Table):
    """Several primitives in one body.

    parts: the primitives, each with its place in the body.
    """

    _keys: ClassVar[tuple[str, ...]] = ('parts',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'union')

    def __init__(
        self,
        *,
        parts: Sequence[PartsDisk | PartsSphere | PartsRectangle | PartsBox | PartsPolygon | PartsPolyhedron | PartsRegularPolygon | PartsPrism | PartsSegment | PartsHalfPlane | PartsHalfSpace | PartsHollowDisk | PartsHollowCylinder | PartsChain | PartsProfile | PartsSurface | Mapping[str, Any]] | None = None,
    ) -> None:
        super().__init__({'parts': parts})
    parts: Sequence[PartsDisk | PartsSphere | PartsRectangle | PartsBox | PartsPolygon | PartsPolyhedron | PartsRegularPolygon | PartsPrism | PartsSegment | PartsHalfPlane | PartsHalfSpace | PartsHollowDisk | PartsHollowCylinder | PartsChain | PartsProfile | PartsSurface | Mapping[str, Any]] | None


class Copies(Table):
    """Several equal bodies in a row.

    count: how many bodies in all.
    step: from one to the next [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('count', 'step',)

    def __init__(
        self,
        *,
        count: int,
        step: Vector,
    ) -> None:
        super().__init__({'count': count, 'step': step})
    count: int
    step: Vector


class Body(Table):
    """A table of the scene file.

    material: material, one of `[materials]`.
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    shape: what the body occupies.
    mass: mass instead of density × volume [kg; 2D: kg per m of depth].
    inertia: moment of inertia about the centre of mass (3D: about the body's own axes) instead of the
        computed one [kg·m²].
    copies: several equal bodies in a row.
    from_: CSV file with one body (or one vertex) per row; `#` starts a comment.
    columns: columns of the file: x, y, z, r (radius), angle (2D, °), block (vertices with the same number
        make one convex block), - (skip); by default the file's own line of names, else "x,y,r" or "x,y,z,r".
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'shape', 'mass', 'inertia', 'copies', 'from', 'columns',)

    def __init__(
        self,
        *,
        material: str,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        shape: ShapeDisk | ShapeSphere | ShapeRectangle | ShapeBox | ShapePolygon | ShapePolyhedron | ShapeRegularPolygon | ShapePrism | ShapeSegment | ShapeHalfPlane | ShapeHalfSpace | ShapeHollowDisk | ShapeHollowCylinder | ShapeChain | ShapeProfile | ShapeSurface | ShapeUnion | Mapping[str, Any] | None = None,
        mass: float | None = None,
        inertia: float | Vector | None = None,
        copies: Copies | Mapping[str, Any] | None = None,
        from_: str | None = None,
        columns: str | None = None,
    ) -> None:
        super().__init__({'material': material, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'shape': shape, 'mass': mass, 'inertia': inertia, 'copies': copies, 'from': from_, 'columns': columns})
    material: str
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    shape: ShapeDisk | ShapeSphere | ShapeRectangle | ShapeBox | ShapePolygon | ShapePolyhedron | ShapeRegularPolygon | ShapePrism | ShapeSegment | ShapeHalfPlane | ShapeHalfSpace | ShapeHollowDisk | ShapeHollowCylinder | ShapeChain | ShapeProfile | ShapeSurface | ShapeUnion | Mapping[str, Any] | None
    mass: float | None
    inertia: float | Vector | None
    copies: Copies | Mapping[str, Any] | None
    from_: str | None
    columns: str | None


class MeshFile(Table):
    """A Gmsh file (.msh, version 2.2 or 4.1); physical groups give materials and boundaries.

    file: name of the file next to the scene.
    scale: factor on its coordinates, e.g. 0.001 for a file in mm. Default: 1.
    cut: groups inside the mesh along which it is cut: faults and cracks; each becomes two surfaces of
        that name.
    part: with `cut`: only the piece that has this boundary [default: all of it].
    extrude: 3D: the file holds a surface of quadrangles, which becomes a sheet of this thickness, with
        boundaries bottom, top and its groups of lines [m] (3D).
    layers: with `extrude`: cells through the thickness. Default: 1.
    """

    _keys: ClassVar[tuple[str, ...]] = ('file', 'scale', 'cut', 'part', 'extrude', 'layers',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'file')

    def __init__(
        self,
        *,
        file: str,
        scale: float | None = None,
        cut: Sequence[str] | None = None,
        part: str | None = None,
        extrude: float | None = None,
        layers: int | None = None,
    ) -> None:
        super().__init__({'file': file, 'scale': scale, 'cut': cut, 'part': part, 'extrude': extrude, 'layers': layers})
    file: str
    scale: float | None
    cut: Sequence[str] | None
    part: str | None
    extrude: float | None
    layers: int | None


class MeshRectangle(Table):
    """Rectangle about the origin; boundaries left, right, bottom, top (2D).

    size: lengths of the sides [m].
    cells: cells along x and y.
    grading: size of the last cell over that of the first, in each direction.
    element: elements. Default: "Q4".
    """

    _keys: ClassVar[tuple[str, ...]] = ('size', 'cells', 'grading', 'element',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'rectangle')

    def __init__(
        self,
        *,
        size: Vector,
        cells: Vector,
        grading: Vector | None = None,
        element: Literal['Q4', 'Q8', 'T3', 'T3_alternating', 'T3_crossed', 'T6', 'T6_alternating', 'T6_crossed'] | None = None,
    ) -> None:
        super().__init__({'size': size, 'cells': cells, 'grading': grading, 'element': element})
    size: Vector
    cells: Vector
    grading: Vector | None
    element: Literal['Q4', 'Q8', 'T3', 'T3_alternating', 'T3_crossed', 'T6', 'T6_alternating', 'T6_crossed'] | None


class Split(Table):
    """Two materials, one above the other.

    height: y where the one begins and the other ends, in the mesh [m].
    below: material below.
    above: material above.
    """

    _keys: ClassVar[tuple[str, ...]] = ('height', 'below', 'above',)

    def __init__(
        self,
        *,
        height: float,
        below: str,
        above: str,
    ) -> None:
        super().__init__({'height': height, 'below': below, 'above': above})
    height: float
    below: str
    above: str


class MeshQuadrilateral(Table):
    """Four corners anywhere: blocks beside a fault, a body of revolution; boundaries bottom, right, top, left
    (2D).

    corners: its corners, counter-clockwise; the first two are the ends of `bottom` [m].
    cells: cells along the first side and along the second.
    grading: size of the last cell over that of the first, in each direction.
    element: elements. Default: "Q4".
    split: two materials, one above the other.
    """

    _keys: ClassVar[tuple[str, ...]] = ('corners', 'cells', 'grading', 'element', 'split',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'quadrilateral')

    def __init__(
        self,
        *,
        corners: Sequence[Vector],
        cells: Vector,
        grading: Vector | None = None,
        element: Literal['Q4', 'Q8', 'T3', 'T3_alternating', 'T3_crossed', 'T6', 'T6_alternating', 'T6_crossed'] | None = None,
        split: Split | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'corners': corners, 'cells': cells, 'grading': grading, 'element': element, 'split': split})
    corners: Sequence[Vector]
    cells: Vector
    grading: Vector | None
    element: Literal['Q4', 'Q8', 'T3', 'T3_alternating', 'T3_crossed', 'T6', 'T6_alternating', 'T6_crossed'] | None
    split: Split | Mapping[str, Any] | None


class MeshQuarterRing(Table):
    """Quarter of a ring, x, y ≥ 0; boundaries inner, outer, bottom, left (2D).

    radii: inner and outer radius [m].
    cells: cells across and along the arc.
    grading: size of the last cell over that of the first, in each direction.
    element: elements. Default: "Q4".
    """

    _keys: ClassVar[tuple[str, ...]] = ('radii', 'cells', 'grading', 'element',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'quarter_ring')

    def __init__(
        self,
        *,
        radii: Vector,
        cells: Vector,
        grading: Vector | None = None,
        element: Literal['Q4', 'Q8', 'T3', 'T3_alternating', 'T3_crossed', 'T6', 'T6_alternating', 'T6_crossed'] | None = None,
    ) -> None:
        super().__init__({'radii': radii, 'cells': cells, 'grading': grading, 'element': element})
    radii: Vector
    cells: Vector
    grading: Vector | None
    element: Literal['Q4', 'Q8', 'T3', 'T3_alternating', 'T3_crossed', 'T6', 'T6_alternating', 'T6_crossed'] | None


class MeshDisc(Table):
    """Disc about the origin; boundary `arc` (2D).

    radius: radius [m].
    core: cells along a side of the square core. Default: 10.
    layers: layers of cells from the core to the rim. Default: 15.
    order: order of the elements. Default: "linear".
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius', 'core', 'layers', 'order',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'disc')

    def __init__(
        self,
        *,
        radius: float,
        core: int | None = None,
        layers: int | None = None,
        order: Literal['linear', 'quadratic'] | None = None,
    ) -> None:
        super().__init__({'radius': radius, 'core': core, 'layers': layers, 'order': order})
    radius: float
    core: int | None
    layers: int | None
    order: Literal['linear', 'quadratic'] | None


class MeshHalfDisc(Table):
    """Lower half of a disc, fine where it touches first; boundaries arc, top (2D).

    radius: radius [m].
    half: cells along the arc on each side of the lowest point. Default: 20.
    layers: layers of cells from the arc inwards. Default: 20.
    across: size of the last cell over the first, along the arc. Default: 4.
    radial: the same, inwards. Default: 4.
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius', 'half', 'layers', 'across', 'radial',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'half_disc')

    def __init__(
        self,
        *,
        radius: float,
        half: int | None = None,
        layers: int | None = None,
        across: float | None = None,
        radial: float | None = None,
    ) -> None:
        super().__init__({'radius': radius, 'half': half, 'layers': layers, 'across': across, 'radial': radial})
    radius: float
    half: int | None
    layers: int | None
    across: float | None
    radial: float | None


class MeshImpactPlate(Table):
    """Plate with a round lower edge, lowest at the origin; boundaries arc, … (2D).

    width: width [m].
    height: height [m].
    radius: radius of the lower edge [m].
    cells: cells across and along the height.
    ratio: height of the uppermost cell over the lowest. Default: 4.
    """

    _keys: ClassVar[tuple[str, ...]] = ('width', 'height', 'radius', 'cells', 'ratio',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'impact_plate')

    def __init__(
        self,
        *,
        width: float,
        height: float,
        radius: float,
        cells: Vector,
        ratio: float | None = None,
    ) -> None:
        super().__init__({'width': width, 'height': height, 'radius': radius, 'cells': cells, 'ratio': ratio})
    width: float
    height: float
    radius: float
    cells: Vector
    ratio: float | None


class MeshBlock(Table):
    """Box about the origin, also a flat sheet across z; boundaries left, right, front, back, bottom, top (3D).

    size: lengths of the sides [m].
    cells: cells along x, y and z.
    grading: size of the last cell over that of the first, in each direction.
    element: elements. Default: "H8".
    """

    _keys: ClassVar[tuple[str, ...]] = ('size', 'cells', 'grading', 'element',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'block')

    def __init__(
        self,
        *,
        size: Vector,
        cells: Vector,
        grading: Vector | None = None,
        element: Literal['H8', 'H20', 'Tet4', 'Tet10'] | None = None,
    ) -> None:
        super().__init__({'size': size, 'cells': cells, 'grading': grading, 'element': element})
    size: Vector
    cells: Vector
    grading: Vector | None
    element: Literal['H8', 'H20', 'Tet4', 'Tet10'] | None


class MeshCylinder(Table):
    """Cylinder or disc about z, or a quarter of one, the origin in its middle; boundaries side, bottom, top
    (3D).

    radius: radius [m].
    height: height [m].
    core: cells along a side of the square core, or of its quarter. Default: 4.
    layers: layers of cells from the core to the side. Default: 3.
    along: cells along the axis. Default: 8.
    ratio: height of the uppermost cell over the lowest. Default: 1.
    quarter: the quarter with x, y ≥ 0 alone, with boundaries `left` (x = 0) and `front` (y = 0) to hold
        by symmetry. Default: false.
    order: order of the elements. Default: "linear".
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius', 'height', 'core', 'layers', 'along', 'ratio', 'quarter', 'order',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'cylinder')

    def __init__(
        self,
        *,
        radius: float,
        height: float,
        core: int | None = None,
        layers: int | None = None,
        along: int | None = None,
        ratio: float | None = None,
        quarter: bool | None = None,
        order: Literal['linear', 'quadratic'] | None = None,
    ) -> None:
        super().__init__({'radius': radius, 'height': height, 'core': core, 'layers': layers, 'along': along, 'ratio': ratio, 'quarter': quarter, 'order': order})
    radius: float
    height: float
    core: int | None
    layers: int | None
    along: int | None
    ratio: float | None
    quarter: bool | None
    order: Literal['linear', 'quadratic'] | None


class MeshRing(Table):
    """Flat ring about z, or a sector of one, for sheets; boundaries inner, outer, bottom, top, start, end (3D).

    radii: inner and outer radius [m].
    thickness: thickness [m].
    cells: cells across, around, and through the thickness.
    angles: angles from x, about z, where the sector starts and ends [°]. Default: [0, 360].
    """

    _keys: ClassVar[tuple[str, ...]] = ('radii', 'thickness', 'cells', 'angles',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'ring')

    def __init__(
        self,
        *,
        radii: Vector,
        thickness: float,
        cells: Vector,
        angles: Vector | None = None,
    ) -> None:
        super().__init__({'radii': radii, 'thickness': thickness, 'cells': cells, 'angles': angles})
    radii: Vector
    thickness: float
    cells: Vector
    angles: Vector | None


class MeshTube(Table):
    """Tube about z from z = 0 up, or a sector of one, for sheets; boundaries inner, outer, bottom, top, start,
    end (3D).

    radius: radius of the middle of the wall [m].
    height: height [m].
    thickness: thickness [m].
    cells: cells around, along the axis, and through the thickness.
    angles: angles from x, about z, where the sector starts and ends [°]. Default: [0, 360].
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius', 'height', 'thickness', 'cells', 'angles',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'tube')

    def __init__(
        self,
        *,
        radius: float,
        height: float,
        thickness: float,
        cells: Vector,
        angles: Vector | None = None,
    ) -> None:
        super().__init__({'radius': radius, 'height': height, 'thickness': thickness, 'cells': cells, 'angles': angles})
    radius: float
    height: float
    thickness: float
    cells: Vector
    angles: Vector | None


class MeshCap(Table):
    """Cap of a sphere about z, its pole up, for sheets; boundaries inner, outer, rim, of a quarter left, front
    (3D).

    radius: radius of the middle of the wall [m].
    thickness: thickness [m].
    opening: angle between the axis and the rim [°]. Default: 90.
    core: cells along a side of the square core, or of its quarter. Default: 6.
    layers: layers of cells from the core to the rim. Default: 6.
    through: cells through the thickness. Default: 1.
    quarter: the quarter with x, y ≥ 0 alone, with boundaries `left` (x = 0) and `front` (y = 0) to hold
        by symmetry. Default: false.
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius', 'thickness', 'opening', 'core', 'layers', 'through', 'quarter',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'cap')

    def __init__(
        self,
        *,
        radius: float,
        thickness: float,
        opening: float | None = None,
        core: int | None = None,
        layers: int | None = None,
        through: int | None = None,
        quarter: bool | None = None,
    ) -> None:
        super().__init__({'radius': radius, 'thickness': thickness, 'opening': opening, 'core': core, 'layers': layers, 'through': through, 'quarter': quarter})
    radius: float
    thickness: float
    opening: float | None
    core: int | None
    layers: int | None
    through: int | None
    quarter: bool | None


class MeshEighthSphere(Table):
    """Eighth of a sphere, fine where it touches first (3D).

    radius: radius [m].
    core: cells along a side of the core. Default: 6.
    layers: layers of cells from the core to the surface. Default: 8.
    across: size of the last cell over the first, along the surface. Default: 4.
    radial: the same, inwards. Default: 4.
    """

    _keys: ClassVar[tuple[str, ...]] = ('radius', 'core', 'layers', 'across', 'radial',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'eighth_sphere')

    def __init__(
        self,
        *,
        radius: float,
        core: int | None = None,
        layers: int | None = None,
        across: float | None = None,
        radial: float | None = None,
    ) -> None:
        super().__init__({'radius': radius, 'core': core, 'layers': layers, 'across': across, 'radial': radial})
    radius: float
    core: int | None
    layers: int | None
    across: float | None
    radial: float | None


class InitialStress(Table):
    """Stress of the weight above, at the start and in balance with it.

    surface: height of the surface above, measured against gravity [m].
    ratio: K₀: stress across over stress along gravity; 1 is lithostatic [-]. Default: 1.
    """

    _keys: ClassVar[tuple[str, ...]] = ('surface', 'ratio',)

    def __init__(
        self,
        *,
        surface: float,
        ratio: float | None = None,
    ) -> None:
        super().__init__({'surface': surface, 'ratio': ratio})
    surface: float
    ratio: float | None


class Deformable(Table):
    """A table of the scene file.

    material: material, one of `[materials]`.
    mesh: its mesh, from a file or made here.
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    section: 2D: how the body continues out of the plane (2D). Default: "plane_strain".
    thickness: 2D: thickness [m] (2D). Default: 1.
    kinematics: how large displacements may be. Default: "small".
    mass: how masses are placed. Default: "lumped".
    inertia: with mass = "fictitious": largest inertia over internal forces; steps are cut to keep below
        it [-]. Default: 0.01.
    formulation: ways against locking. Default: "standard".
    thickness_points: with formulation = "solid_shell": points of integration through the thickness
        [default: 7 if its material remembers, else 2].
    correction: matrix of Newton's iterations. Default: "tangent".
    force: internal force of a step. Default: "of_ends".
    candidates: points that look for contact. Default: "nodes".
    contact: boundaries that take part in contact [default: the whole skin].
    self_contact: may the body touch itself?. Default: false.
    initial_stress: stress of the weight above, at the start and in balance with it.
    copies: several equal bodies in a row.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'mesh', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'section', 'thickness', 'kinematics', 'mass', 'inertia', 'formulation', 'thickness_points', 'correction', 'force', 'candidates', 'contact', 'self_contact', 'initial_stress', 'copies',)

    def __init__(
        self,
        *,
        material: str,
        mesh: MeshFile | MeshRectangle | MeshQuadrilateral | MeshQuarterRing | MeshDisc | MeshHalfDisc | MeshImpactPlate | MeshBlock | MeshCylinder | MeshRing | MeshTube | MeshCap | MeshEighthSphere | Mapping[str, Any],
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        section: Literal['plane_strain', 'plane_stress', 'axisymmetric'] | None = None,
        thickness: float | None = None,
        kinematics: Literal['small', 'corotational', 'finite'] | None = None,
        mass: Literal['lumped', 'consistent', 'redistributed', 'fictitious'] | None = None,
        inertia: float | None = None,
        formulation: Literal['standard', 'b_bar', 'incompatible', 'solid_shell'] | None = None,
        thickness_points: int | None = None,
        correction: Literal['tangent', 'first_tangent', 'mass'] | None = None,
        force: Literal['of_ends', 'conserving'] | None = None,
        candidates: Literal['nodes', 'mid_points', 'gauss'] | None = None,
        contact: Sequence[str] | None = None,
        self_contact: bool | None = None,
        initial_stress: InitialStress | Mapping[str, Any] | None = None,
        copies: Copies | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'material': material, 'mesh': mesh, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'section': section, 'thickness': thickness, 'kinematics': kinematics, 'mass': mass, 'inertia': inertia, 'formulation': formulation, 'thickness_points': thickness_points, 'correction': correction, 'force': force, 'candidates': candidates, 'contact': contact, 'self_contact': self_contact, 'initial_stress': initial_stress, 'copies': copies})
    material: str
    mesh: MeshFile | MeshRectangle | MeshQuadrilateral | MeshQuarterRing | MeshDisc | MeshHalfDisc | MeshImpactPlate | MeshBlock | MeshCylinder | MeshRing | MeshTube | MeshCap | MeshEighthSphere | Mapping[str, Any]
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    section: Literal['plane_strain', 'plane_stress', 'axisymmetric'] | None
    thickness: float | None
    kinematics: Literal['small', 'corotational', 'finite'] | None
    mass: Literal['lumped', 'consistent', 'redistributed', 'fictitious'] | None
    inertia: float | None
    formulation: Literal['standard', 'b_bar', 'incompatible', 'solid_shell'] | None
    thickness_points: int | None
    correction: Literal['tangent', 'first_tangent', 'mass'] | None
    force: Literal['of_ends', 'conserving'] | None
    candidates: Literal['nodes', 'mid_points', 'gauss'] | None
    contact: Sequence[str] | None
    self_contact: bool | None
    initial_stress: InitialStress | Mapping[str, Any] | None
    copies: Copies | Mapping[str, Any] | None


class WallDeformable(Table):
    """Mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and the same ring
    above): they deform; supports do not.

    cells: cells along the edges of each block.
    element: elements of each block. Default: "Q4" (2D), "H8" (3D).
    section: 2D: how the body continues out of the plane (2D). Default: "plane_strain".
    thickness: 2D: thickness [m] (2D). Default: 1.
    kinematics: how large displacements may be. Default: "small".
    mass: how masses are placed. Default: "lumped".
    inertia: with mass = "fictitious": largest inertia over internal forces; steps are cut to keep below
        it [-]. Default: 0.01.
    formulation: ways against locking. Default: "standard".
    thickness_points: with formulation = "solid_shell": points of integration through the thickness
        [default: 7 if its material remembers, else 2].
    correction: matrix of Newton's iterations. Default: "tangent".
    force: internal force of a step. Default: "of_ends".
    candidates: points that look for contact. Default: "gauss".
    contact: boundaries that take part in contact [default: the whole skin].
    self_contact: may the body touch itself?. Default: false.
    initial_stress: stress of the weight above, at the start and in balance with it.
    """

    _keys: ClassVar[tuple[str, ...]] = ('cells', 'element', 'section', 'thickness', 'kinematics', 'mass', 'inertia', 'formulation', 'thickness_points', 'correction', 'force', 'candidates', 'contact', 'self_contact', 'initial_stress',)

    def __init__(
        self,
        *,
        cells: Vector,
        element: Literal['Q4', 'Q8', 'T3', 'T3_alternating', 'T3_crossed', 'T6', 'T6_alternating', 'T6_crossed', 'H8', 'H20', 'Tet4', 'Tet10'] | None = None,
        section: Literal['plane_strain', 'plane_stress', 'axisymmetric'] | None = None,
        thickness: float | None = None,
        kinematics: Literal['small', 'corotational', 'finite'] | None = None,
        mass: Literal['lumped', 'consistent', 'redistributed', 'fictitious'] | None = None,
        inertia: float | None = None,
        formulation: Literal['standard', 'b_bar', 'incompatible', 'solid_shell'] | None = None,
        thickness_points: int | None = None,
        correction: Literal['tangent', 'first_tangent', 'mass'] | None = None,
        force: Literal['of_ends', 'conserving'] | None = None,
        candidates: Literal['nodes', 'mid_points', 'gauss'] | None = None,
        contact: Sequence[str] | None = None,
        self_contact: bool | None = None,
        initial_stress: InitialStress | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'cells': cells, 'element': element, 'section': section, 'thickness': thickness, 'kinematics': kinematics, 'mass': mass, 'inertia': inertia, 'formulation': formulation, 'thickness_points': thickness_points, 'correction': correction, 'force': force, 'candidates': candidates, 'contact': contact, 'self_contact': self_contact, 'initial_stress': initial_stress})
    cells: Vector
    element: Literal['Q4', 'Q8', 'T3', 'T3_alternating', 'T3_crossed', 'T6', 'T6_alternating', 'T6_crossed', 'H8', 'H20', 'Tet4', 'Tet10'] | None
    section: Literal['plane_strain', 'plane_stress', 'axisymmetric'] | None
    thickness: float | None
    kinematics: Literal['small', 'corotational', 'finite'] | None
    mass: Literal['lumped', 'consistent', 'redistributed', 'fictitious'] | None
    inertia: float | None
    formulation: Literal['standard', 'b_bar', 'incompatible', 'solid_shell'] | None
    thickness_points: int | None
    correction: Literal['tangent', 'first_tangent', 'mass'] | None
    force: Literal['of_ends', 'conserving'] | None
    candidates: Literal['nodes', 'mid_points', 'gauss'] | None
    contact: Sequence[str] | None
    self_contact: bool | None
    initial_stress: InitialStress | Mapping[str, Any] | None


class Openings(Table):
    """A table of the scene file.

    x: left side, from the left end of the wall [m].
    width: width [m].
    height: height, up to a bed joint [m].
    sill: lower edge above the foot of the wall, on a bed joint [m]. Default: 0.
    lintel: bearing on each side of a lintel, one course high, group NAME.lintels [m] [default: none].
    """

    _keys: ClassVar[tuple[str, ...]] = ('x', 'width', 'height', 'sill', 'lintel',)

    def __init__(
        self,
        *,
        x: float,
        width: float,
        height: float,
        sill: float | None = None,
        lintel: float | None = None,
    ) -> None:
        super().__init__({'x': x, 'width': width, 'height': height, 'sill': sill, 'lintel': lintel})
    x: float
    width: float
    height: float
    sill: float | None
    lintel: float | None


class GenerateWall(Table):
    """Blocks in courses; origin: lower left corner, in the middle of the thickness.

    material: material, one of `[materials]`.
    courses: number of courses.
    blocks: blocks in a full course.
    size: of a block [m]: length, height (2D); length, thickness, height (3D).
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    head_joint: gap between neighbours in a course [m]. Default: 0.
    bed_joint: gap between courses [m]. Default: 0.
    bond: how the courses lie. Default: "running".
    half_blocks: fill the ends of shifted courses with half blocks?. Default: true.
    openings: doors and windows: blocks are left out and cut at their sides.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'courses', 'blocks', 'size', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'head_joint', 'bed_joint', 'bond', 'half_blocks', 'openings',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'wall')

    def __init__(
        self,
        *,
        material: str,
        courses: int,
        blocks: int,
        size: Vector,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        head_joint: float | None = None,
        bed_joint: float | None = None,
        bond: Literal['running', 'stack', 'english'] | None = None,
        half_blocks: bool | None = None,
        openings: Sequence[Openings | Mapping[str, Any]] | None = None,
    ) -> None:
        super().__init__({'material': material, 'courses': courses, 'blocks': blocks, 'size': size, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'head_joint': head_joint, 'bed_joint': bed_joint, 'bond': bond, 'half_blocks': half_blocks, 'openings': openings})
    material: str
    courses: int
    blocks: int
    size: Vector
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    head_joint: float | None
    bed_joint: float | None
    bond: Literal['running', 'stack', 'english'] | None
    half_blocks: bool | None
    openings: Sequence[Openings | Mapping[str, Any]] | None


class GenerateArch(Table):
    """Circular arch of voussoirs; origin: centre of the circle.

    material: material, one of `[materials]`.
    voussoirs: number of blocks.
    radius: radius of the centre line [m].
    thickness: thickness, radially [m].
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    depth: depth, along y [m] (3D).
    embrace: angle between the springings [°]. Default: 180.
    supports: add a fixed block under each springing, group NAME.supports?. Default: true.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'voussoirs', 'radius', 'thickness', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'depth', 'embrace', 'supports',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'arch')

    def __init__(
        self,
        *,
        material: str,
        voussoirs: int,
        radius: float,
        thickness: float,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        depth: float | None = None,
        embrace: float | None = None,
        supports: bool | None = None,
    ) -> None:
        super().__init__({'material': material, 'voussoirs': voussoirs, 'radius': radius, 'thickness': thickness, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'depth': depth, 'embrace': embrace, 'supports': supports})
    material: str
    voussoirs: int
    radius: float
    thickness: float
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    depth: float | None
    embrace: float | None
    supports: bool | None


class GenerateSegmentalArch(Table):
    """Arc of a circle by span and rise; origin: middle of the springing line.

    material: material, one of `[materials]`.
    voussoirs: number of blocks.
    span: span of the centre line [m].
    rise: rise of the centre line [m].
    thickness: thickness, radially [m].
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    depth: depth, along y [m] (3D).
    supports: add a fixed block under each springing, group NAME.supports?. Default: true.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'voussoirs', 'span', 'rise', 'thickness', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'depth', 'supports',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'segmental_arch')

    def __init__(
        self,
        *,
        material: str,
        voussoirs: int,
        span: float,
        rise: float,
        thickness: float,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        depth: float | None = None,
        supports: bool | None = None,
    ) -> None:
        super().__init__({'material': material, 'voussoirs': voussoirs, 'span': span, 'rise': rise, 'thickness': thickness, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'depth': depth, 'supports': supports})
    material: str
    voussoirs: int
    span: float
    rise: float
    thickness: float
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    depth: float | None
    supports: bool | None


class GeneratePointedArch(Table):
    """Two arcs by span and rise; origin: middle of the springing line.

    material: material, one of `[materials]`.
    voussoirs: number of blocks.
    span: span of the centre line [m].
    rise: rise of the centre line [m].
    thickness: thickness, radially [m].
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    depth: depth, along y [m] (3D).
    supports: add a fixed block under each springing, group NAME.supports?. Default: true.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'voussoirs', 'span', 'rise', 'thickness', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'depth', 'supports',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'pointed_arch')

    def __init__(
        self,
        *,
        material: str,
        voussoirs: int,
        span: float,
        rise: float,
        thickness: float,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        depth: float | None = None,
        supports: bool | None = None,
    ) -> None:
        super().__init__({'material': material, 'voussoirs': voussoirs, 'span': span, 'rise': rise, 'thickness': thickness, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'depth': depth, 'supports': supports})
    material: str
    voussoirs: int
    span: float
    rise: float
    thickness: float
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    depth: float | None
    supports: bool | None


class GenerateVault(Table):
    """Barrel vault along y; origin: centre of the circle at one end (3D).

    material: material, one of `[materials]`.
    courses: number of courses, from springing to springing.
    blocks: blocks in a full course.
    radius: radius of the centre line [m].
    thickness: thickness, radially [m].
    length: length, along y [m].
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    embrace: angle between the springings [°]. Default: 180.
    bond: how the courses lie. Default: "running".
    supports: add a fixed block under each springing, group NAME.supports?. Default: true.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'courses', 'blocks', 'radius', 'thickness', 'length', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'embrace', 'bond', 'supports',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'vault')

    def __init__(
        self,
        *,
        material: str,
        courses: int,
        blocks: int,
        radius: float,
        thickness: float,
        length: float,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        embrace: float | None = None,
        bond: Literal['running', 'stack'] | None = None,
        supports: bool | None = None,
    ) -> None:
        super().__init__({'material': material, 'courses': courses, 'blocks': blocks, 'radius': radius, 'thickness': thickness, 'length': length, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'embrace': embrace, 'bond': bond, 'supports': supports})
    material: str
    courses: int
    blocks: int
    radius: float
    thickness: float
    length: float
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    embrace: float | None
    bond: Literal['running', 'stack'] | None
    supports: bool | None


class GenerateDome(Table):
    """Rings of blocks between two spheres; origin: their centre (3D).

    material: material, one of `[materials]`.
    rings: number of rings.
    blocks: blocks in a ring.
    radius: radius of the middle surface [m].
    thickness: thickness, radially [m].
    oculus: angle of the edge of the oculus from the crown [°].
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    springing: angle of the springing from the crown [°]. Default: 90.
    keystone: fill the oculus with one block, group NAME.keystone?. Default: false.
    supports: add a fixed block under each block of the lowest ring, group NAME.supports?. Default: true.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'rings', 'blocks', 'radius', 'thickness', 'oculus', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'springing', 'keystone', 'supports',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'dome')

    def __init__(
        self,
        *,
        material: str,
        rings: int,
        blocks: int,
        radius: float,
        thickness: float,
        oculus: float,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        springing: float | None = None,
        keystone: bool | None = None,
        supports: bool | None = None,
    ) -> None:
        super().__init__({'material': material, 'rings': rings, 'blocks': blocks, 'radius': radius, 'thickness': thickness, 'oculus': oculus, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'springing': springing, 'keystone': keystone, 'supports': supports})
    material: str
    rings: int
    blocks: int
    radius: float
    thickness: float
    oculus: float
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    springing: float | None
    keystone: bool | None
    supports: bool | None


class GenerateButtress(Table):
    """Courses with one upright and one battered face; origin: foot of the upright face.

    material: material, one of `[materials]`.
    courses: number of courses.
    height: height [m].
    base: width at the foot [m].
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    blocks: blocks in a course. Default: 1.
    top: width at the top [m]. Default: base.
    depth: depth, along y [m] (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'courses', 'height', 'base', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'blocks', 'top', 'depth',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'buttress')

    def __init__(
        self,
        *,
        material: str,
        courses: int,
        height: float,
        base: float,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        blocks: int | None = None,
        top: float | None = None,
        depth: float | None = None,
    ) -> None:
        super().__init__({'material': material, 'courses': courses, 'height': height, 'base': base, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'blocks': blocks, 'top': top, 'depth': depth})
    material: str
    courses: int
    height: float
    base: float
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    blocks: int | None
    top: float | None
    depth: float | None


class GenerateBlocks(Table):
    """Blocks from an OBJ, STL or CSV file, one to a group.

    material: material, one of `[materials]`.
    file: OBJ, STL (3D) or CSV file (columns block, x, y, z) next to the scene, one block to a group.
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    scale: factor on its coordinates, e.g. 0.001 for a file in mm. Default: 1.
    hull: take the convex hull of a shell that is not convex? Else it is an error. Default: false.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'file', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'scale', 'hull',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'blocks')

    def __init__(
        self,
        *,
        material: str,
        file: str,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        scale: float | None = None,
        hull: bool | None = None,
    ) -> None:
        super().__init__({'material': material, 'file': file, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'scale': scale, 'hull': hull})
    material: str
    file: str
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    scale: float | None
    hull: bool | None


class GenerateColumn(Table):
    """Drums on top of each other; origin: centre of the base.

    material: material, one of `[materials]`.
    drums: number of drums.
    radius: radius (3D: of the circumscribed circle) at the base [m].
    height: height of one drum [m].
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    top_radius: radius at the top [m]. Default: radius.
    sides: sides of a drum (3D). Default: 12.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'drums', 'radius', 'height', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'top_radius', 'sides',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'column')

    def __init__(
        self,
        *,
        material: str,
        drums: int,
        radius: float,
        height: float,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        top_radius: float | None = None,
        sides: int | None = None,
    ) -> None:
        super().__init__({'material': material, 'drums': drums, 'radius': radius, 'height': height, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'top_radius': top_radius, 'sides': sides})
    material: str
    drums: int
    radius: float
    height: float
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    top_radius: float | None
    sides: int | None


class RadiusUniform(Table):
    """Between two radii.

    min: smallest radius [m].
    max: largest radius [m].
    by: what is shared out. Default: "number".
    """

    _keys: ClassVar[tuple[str, ...]] = ('min', 'max', 'by',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'uniform')

    def __init__(
        self,
        *,
        min: float,
        max: float,
        by: Literal['number', 'mass'] | None = None,
    ) -> None:
        super().__init__({'min': min, 'max': max, 'by': by})
    min: float
    max: float
    by: Literal['number', 'mass'] | None


class RadiusNormal(Table):
    """Normal, cut at three deviations.

    mean: mean radius [m].
    deviation: standard deviation [m], less than a third of the mean.
    """

    _keys: ClassVar[tuple[str, ...]] = ('mean', 'deviation',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'normal')

    def __init__(
        self,
        *,
        mean: float,
        deviation: float,
    ) -> None:
        super().__init__({'mean': mean, 'deviation': deviation})
    mean: float
    deviation: float


class RadiusClasses(Table):
    """Given radii with given shares.

    radii: radii of the classes [m].
    shares: shares of the classes, any scale.
    by: what is shared out. Default: "number".
    """

    _keys: ClassVar[tuple[str, ...]] = ('radii', 'shares', 'by',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'classes')

    def __init__(
        self,
        *,
        radii: Vector,
        shares: Vector,
        by: Literal['number', 'mass'] | None = None,
    ) -> None:
        super().__init__({'radii': radii, 'shares': shares, 'by': by})
    radii: Vector
    shares: Vector
    by: Literal['number', 'mass'] | None


class GenerateGrains(Table):
    """Grains in a region, placed without touching each other.

    material: material, one of `[materials]`.
    low: lower corner of the region [m].
    high: upper corner of the region [m].
    count: number of grains.
    radius: radius (of the circumscribed ball for other shapes) [m], or a distribution.
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    shape: shape of the grains. Default: "ball".
    min_vertices: angular grains: fewest vertices. Default: 6.
    max_vertices: angular grains: most vertices. Default: 10.
    seed: of the random numbers: the same seed gives the same grains. Default: 1.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'low', 'high', 'count', 'radius', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'shape', 'min_vertices', 'max_vertices', 'seed',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'grains')

    def __init__(
        self,
        *,
        material: str,
        low: Vector,
        high: Vector,
        count: int,
        radius: float | RadiusUniform | RadiusNormal | RadiusClasses | Mapping[str, Any],
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        shape: Literal['ball', 'angular'] | None = None,
        min_vertices: int | None = None,
        max_vertices: int | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__({'material': material, 'low': low, 'high': high, 'count': count, 'radius': radius, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'shape': shape, 'min_vertices': min_vertices, 'max_vertices': max_vertices, 'seed': seed})
    material: str
    low: Vector
    high: Vector
    count: int
    radius: float | RadiusUniform | RadiusNormal | RadiusClasses | Mapping[str, Any]
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    shape: Literal['ball', 'angular'] | None
    min_vertices: int | None
    max_vertices: int | None
    seed: int | None


class GenerateLattice(Table):
    """Equal disks or spheres in a regular pattern; origin: centre of the first.

    material: material, one of `[materials]`.
    pattern: arrangement.
    radius: radius of each [m].
    counts: how many in each direction.
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    spacing: between the centres of neighbours [m]. Default: 2 radius.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'pattern', 'radius', 'counts', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'spacing',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'lattice')

    def __init__(
        self,
        *,
        material: str,
        pattern: Literal['square', 'triangular', 'cubic', 'fcc'],
        radius: float,
        counts: Vector,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        spacing: float | None = None,
    ) -> None:
        super().__init__({'material': material, 'pattern': pattern, 'radius': radius, 'counts': counts, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'spacing': spacing})
    material: str
    pattern: Literal['square', 'triangular', 'cubic', 'fcc']
    radius: float
    counts: Vector
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    spacing: float | None


class GenerateBox(Table):
    """Fixed walls round a region, groups NAME.left, .right, .bottom, .top, .front, .back.

    material: material, one of `[materials]`.
    low: lower corner of the region [m].
    high: upper corner of the region [m].
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    sides: which walls: left, right (x), front, back (y, 3D), bottom, top. Default: all but top.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'low', 'high', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'sides',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'box')

    def __init__(
        self,
        *,
        material: str,
        low: Vector,
        high: Vector,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        sides: Sequence[str] | None = None,
    ) -> None:
        super().__init__({'material': material, 'low': low, 'high': high, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'sides': sides})
    material: str
    low: Vector
    high: Vector
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    sides: Sequence[str] | None


class GenerateDrum(Table):
    """Fixed hollow drum, bodies go inside, groups NAME (and NAME.front, NAME.back); origin: centre, axis along y
    in 3D.

    material: material, one of `[materials]`.
    radius: inner radius [m].
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    length: distance between the end plates [m]; default: no plates (3D).
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'radius', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'length',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'drum')

    def __init__(
        self,
        *,
        material: str,
        radius: float,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        length: float | None = None,
    ) -> None:
        super().__init__({'material': material, 'radius': radius, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'length': length})
    material: str
    radius: float
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    length: float | None


class GenerateRing(Table):
    """Equal disks in a ring, in the order of the angle; origin: centre (2D).

    material: material, one of `[materials]`.
    radius: radius of the circle through the centres [m].
    count: number of disks.
    bead_radius: radius of each disk [m].
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'radius', 'count', 'bead_radius', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'ring')

    def __init__(
        self,
        *,
        material: str,
        radius: float,
        count: int,
        bead_radius: float,
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'material': material, 'radius': radius, 'count': count, 'bead_radius': bead_radius, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable})
    material: str
    radius: float
    count: int
    bead_radius: float
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None


class GenerateAnnulus(Table):
    """Disks between two circles, placed without touching each other; origin: centre (2D).

    material: material, one of `[materials]`.
    inner: radius of the inner circle [m].
    outer: radius of the outer circle [m].
    count: number of disks.
    radius: radius (of the circumscribed ball for other shapes) [m], or a distribution.
    name: name of the group of bodies. Default: bodies0, bodies1 …, generate0 ….
    velocity: initial velocity of the centre of mass [m/s]. Default: 0.
    spin: initial angular velocity [rad/s]. Default: 0.
    fixed: true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz
        (3D). Default: false.
    position: where its origin is [m]. Default: origin.
    angle: rotation, counter-clockwise [°] (2D). Default: 0.
    rotation: rotation about an axis (3D).
    deformable: mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and
        the same ring above): they deform; supports do not.
    seed: of the random numbers: the same seed gives the same disks. Default: 1.
    """

    _keys: ClassVar[tuple[str, ...]] = ('material', 'inner', 'outer', 'count', 'radius', 'name', 'velocity', 'spin', 'fixed', 'position', 'angle', 'rotation', 'deformable', 'seed',)
    _told: ClassVar[tuple[str, str] | None] = ('kind', 'annulus')

    def __init__(
        self,
        *,
        material: str,
        inner: float,
        outer: float,
        count: int,
        radius: float | RadiusUniform | RadiusNormal | RadiusClasses | Mapping[str, Any],
        name: str | None = None,
        velocity: Vector | None = None,
        spin: float | Vector | None = None,
        fixed: bool | Sequence[str] | None = None,
        position: Vector | None = None,
        angle: float | None = None,
        rotation: Rotation | Mapping[str, Any] | None = None,
        deformable: WallDeformable | Mapping[str, Any] | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__({'material': material, 'inner': inner, 'outer': outer, 'count': count, 'radius': radius, 'name': name, 'velocity': velocity, 'spin': spin, 'fixed': fixed, 'position': position, 'angle': angle, 'rotation': rotation, 'deformable': deformable, 'seed': seed})
    material: str
    inner: float
    outer: float
    count: int
    radius: float | RadiusUniform | RadiusNormal | RadiusClasses | Mapping[str, Any]
    name: str | None
    velocity: Vector | None
    spin: float | Vector | None
    fixed: bool | Sequence[str] | None
    position: Vector | None
    angle: float | None
    rotation: Rotation | Mapping[str, Any] | None
    deformable: WallDeformable | Mapping[str, Any] | None
    seed: int | None


class Fix(Table):
    """A table of the scene file.

    bodies: bodies: a group, "group#3", "group#3-7" or "group#last" (numbers from 0).
    components: true, or a list of components, as in `fixed` of a body. Default: true.
    boundary: deformable bodies: a boundary (or set of nodes) of the mesh by name [default: all nodes].
    stage: they are held from this stage on, and free before [default: from the start].
    until: they are free again from this stage on [default: held to the end].
    """

    _keys: ClassVar[tuple[str, ...]] = ('bodies', 'components', 'boundary', 'stage', 'until',)

    def __init__(
        self,
        *,
        bodies: str,
        components: bool | Sequence[str] | None = None,
        boundary: str | None = None,
        stage: str | None = None,
        until: str | None = None,
    ) -> None:
        super().__init__({'bodies': bodies, 'components': components, 'boundary': boundary, 'stage': stage, 'until': until})
    bodies: str
    components: bool | Sequence[str] | None
    boundary: str | None
    stage: str | None
    until: str | None


class Drive(Table):
    """A table of the scene file.

    bodies: bodies: a group, "group#3", "group#3-7" or "group#last" (numbers from 0).
    component: x, y, rotation (2D); x, y, z, rx, ry, rz (3D); rotations about the body's centre.
    name: name by which a program can set it while the scene runs. Default: none.
    boundary: deformable bodies: a boundary (or set of nodes) of the mesh by name [default: all nodes].
    velocity: prescribed velocity in time [m/s, rad/s].
    displacement: prescribed displacement from the start in time [m, rad].
    stage: it begins with this stage, 0 before; times count from there [default: from the start].
    before: what the component is before the stage that it is driven from. Default: "held".
    until: it is released when this stage begins [default: driven to the end].
    """

    _keys: ClassVar[tuple[str, ...]] = ('bodies', 'component', 'name', 'boundary', 'velocity', 'displacement', 'stage', 'before', 'until',)

    def __init__(
        self,
        *,
        bodies: str,
        component: str,
        name: str | None = None,
        boundary: str | None = None,
        velocity: float | History | Mapping[str, Any] | None = None,
        displacement: float | History | Mapping[str, Any] | None = None,
        stage: str | None = None,
        before: Literal['held', 'free'] | None = None,
        until: str | None = None,
    ) -> None:
        super().__init__({'bodies': bodies, 'component': component, 'name': name, 'boundary': boundary, 'velocity': velocity, 'displacement': displacement, 'stage': stage, 'before': before, 'until': until})
    bodies: str
    component: str
    name: str | None
    boundary: str | None
    velocity: float | History | Mapping[str, Any] | None
    displacement: float | History | Mapping[str, Any] | None
    stage: str | None
    before: Literal['held', 'free'] | None
    until: str | None


class Load(Table):
    """A table of the scene file.

    bodies: bodies: a group, "group#3", "group#3-7" or "group#last" (numbers from 0).
    name: name by which a program can set it while the scene runs. Default: none.
    boundary: deformable bodies: a boundary (or set of nodes) of the mesh by name [default: all nodes].
    traction: force per area on a `boundary` of a deformable body, world axes [Pa].
    force: force at the centre of mass, world axes [N; 2D: N per m of depth].
    torque: moment, world axes [N·m].
    pressure: pressure in time [Pa], pushing against `normal`.
    normal: with pressure: outward normal of the loaded face at the start, any length.
    area: with pressure: loaded area [m²; 2D: m].
    between: with pressure, in place of `area`: bodies between which the face reaches, one pair in 2D, two
        in 3D; the area follows them. Default: none.
    point: with pressure: where the resultant acts at the start [m]; default: centre of mass.
    follower: with pressure: does it turn with the body?. Default: true.
    history: with force, torque, traction: factor in time [-]. Default: 1.
    stage: it begins with this stage, 0 before; times count from there [default: from the start].
    """

    _keys: ClassVar[tuple[str, ...]] = ('bodies', 'name', 'boundary', 'traction', 'force', 'torque', 'pressure', 'normal', 'area', 'between', 'point', 'follower', 'history', 'stage',)

    def __init__(
        self,
        *,
        bodies: str,
        name: str | None = None,
        boundary: str | None = None,
        traction: Vector | None = None,
        force: Vector | None = None,
        torque: float | Vector | None = None,
        pressure: float | History | Mapping[str, Any] | None = None,
        normal: Vector | None = None,
        area: float | None = None,
        between: Sequence[str] | None = None,
        point: Vector | None = None,
        follower: bool | None = None,
        history: float | History | Mapping[str, Any] | None = None,
        stage: str | None = None,
    ) -> None:
        super().__init__({'bodies': bodies, 'name': name, 'boundary': boundary, 'traction': traction, 'force': force, 'torque': torque, 'pressure': pressure, 'normal': normal, 'area': area, 'between': between, 'point': point, 'follower': follower, 'history': history, 'stage': stage})
    bodies: str
    name: str | None
    boundary: str | None
    traction: Vector | None
    force: Vector | None
    torque: float | Vector | None
    pressure: float | History | Mapping[str, Any] | None
    normal: Vector | None
    area: float | None
    between: Sequence[str] | None
    point: Vector | None
    follower: bool | None
    history: float | History | Mapping[str, Any] | None
    stage: str | None


class Membrane(Table):
    """A table of the scene file.

    bodies: bodies: a group, "group#3", "group#3-7" or "group#last" (numbers from 0).
    pressure: pressure in time [Pa], inwards, along the segments between the centres (2D).
    tension: tension of the chain, as of a soap film: it keeps it smooth [N per m of depth]. Default: 0.
    stiffness: spring that holds each body on the ray from the centre of all of them on which it started
        [N/m]. Default: 0.
    """

    _keys: ClassVar[tuple[str, ...]] = ('bodies', 'pressure', 'tension', 'stiffness',)

    def __init__(
        self,
        *,
        bodies: str,
        pressure: float | History | Mapping[str, Any] | None = None,
        tension: float | None = None,
        stiffness: float | None = None,
    ) -> None:
        super().__init__({'bodies': bodies, 'pressure': pressure, 'tension': tension, 'stiffness': stiffness})
    bodies: str
    pressure: float | History | Mapping[str, Any] | None
    tension: float | None
    stiffness: float | None


class Solver(Table):
    """Contact solver.

    tolerance: residual that counts as converged, relative to the problem's own velocity scale. Default:
        0.00001.
    max_sweeps: most relaxation sweeps in a step, or what costs as much. Default: 10000.
    outliers: factor by which the worst contact may miss the tolerance in a hard step of rigid bodies
        (more than 300 sweeps), if the root mean square of all contacts keeps it; 1: never. Default: 10.
    method: how the contacts are solved. Default: "auto".
    order: order in which a sweep visits the contacts. Default: "coloured".
    on_failure: what to do with a step that did not converge. Default: "quarter_step".
    start: what the contact solver starts from, with deformable bodies. Default: "last_step".
    """

    _keys: ClassVar[tuple[str, ...]] = ('tolerance', 'max_sweeps', 'outliers', 'method', 'order', 'on_failure', 'start',)

    def __init__(
        self,
        *,
        tolerance: float | None = None,
        max_sweeps: int | None = None,
        outliers: float | None = None,
        method: Literal['auto', 'nlgs', 'nlgs-bipotential', 'nlgs-enumerated', 'nlgs-symmetric', 'newton', 'proximal', 'admm', 'interior', 'gradient', 'bipotential', 'portfolio'] | None = None,
        order: Literal['coloured', 'listed', 'reversed', 'symmetric'] | None = None,
        on_failure: Literal['accept', 'quarter_step', 'halve_step', 'stop'] | None = None,
        start: Literal['last_step', 'rigid_modes'] | None = None,
    ) -> None:
        super().__init__({'tolerance': tolerance, 'max_sweeps': max_sweeps, 'outliers': outliers, 'method': method, 'order': order, 'on_failure': on_failure, 'start': start})
    tolerance: float | None
    max_sweeps: int | None
    outliers: float | None
    method: Literal['auto', 'nlgs', 'nlgs-bipotential', 'nlgs-enumerated', 'nlgs-symmetric', 'newton', 'proximal', 'admm', 'interior', 'gradient', 'bipotential', 'portfolio'] | None
    order: Literal['coloured', 'listed', 'reversed', 'symmetric'] | None
    on_failure: Literal['accept', 'quarter_step', 'halve_step', 'stop'] | None
    start: Literal['last_step', 'rigid_modes'] | None


class Accuracy(Table):
    """What the run has to keep to.

    penetration: penetration beyond that of the start, at most, in half widths of the smaller body.
        Default: 1e-3 at a tolerance of 1e-5 or less, 1e-2 at 1e-3 or more, by its root between.
    sliding: drift of a contact while it sticks, at most, in half widths of the smaller body. Default:
        twice the default of `penetration`.
    motion: motion of two touching bodies relative to each other in a step, at most, in half widths of the
        smaller one. Default: 1.
    impulse: impulse by which the laws are missed in a step, at most, in parts of the largest. Default:
        0.01.
    self_stress: strength of the impulses, at most, in units of what the loads can explain. Default: 10.
    energy: energy that the time scheme and contacts bring in over the run, at most, in parts of what
        passed through. Default: 0.05.
    repair: make good in positions what single steps leave undone?. Default: true.
    accept: accept a run that breaks a limit, or has steps that did not converge: exit code 0?. Default:
        false.
    """

    _keys: ClassVar[tuple[str, ...]] = ('penetration', 'sliding', 'motion', 'impulse', 'self_stress', 'energy', 'repair', 'accept',)

    def __init__(
        self,
        *,
        penetration: float | None = None,
        sliding: float | None = None,
        motion: float | None = None,
        impulse: float | None = None,
        self_stress: float | None = None,
        energy: float | None = None,
        repair: bool | None = None,
        accept: bool | None = None,
    ) -> None:
        super().__init__({'penetration': penetration, 'sliding': sliding, 'motion': motion, 'impulse': impulse, 'self_stress': self_stress, 'energy': energy, 'repair': repair, 'accept': accept})
    penetration: float | None
    sliding: float | None
    motion: float | None
    impulse: float | None
    self_stress: float | None
    energy: float | None
    repair: bool | None
    accept: bool | None


class Newton(Table):
    """Newton's iterations of deformable bodies.

    tolerance: out-of-balance impulse that counts as converged, relative to the largest impulse at work.
        Default: 0.00000001.
    max_iterations: most iterations in a step. Default: 100.
    """

    _keys: ClassVar[tuple[str, ...]] = ('tolerance', 'max_iterations',)

    def __init__(
        self,
        *,
        tolerance: float | None = None,
        max_iterations: int | None = None,
    ) -> None:
        super().__init__({'tolerance': tolerance, 'max_iterations': max_iterations})
    tolerance: float | None
    max_iterations: int | None


class Output(Table):
    """What is written, and when.

    interval: time between stored states [s]. Default: end / 100.
    history_interval: time between rows of the history [s]. Default: every step, up to 10 000 rows.
    checkpoint_interval: simulated time between checkpoints [s]. Default: end / 20.
    paraview: write the files for ParaView? Without them a stored state costs a third of the time or less,
        and nothing else changes. Default: true.
    resultants: bodies (as in `[[drive]]`) whose resultant of contact forces is a column of the history.
        Default: none.
    """

    _keys: ClassVar[tuple[str, ...]] = ('interval', 'history_interval', 'checkpoint_interval', 'paraview', 'resultants',)

    def __init__(
        self,
        *,
        interval: float | None = None,
        history_interval: float | None = None,
        checkpoint_interval: float | None = None,
        paraview: bool | None = None,
        resultants: Sequence[str] | None = None,
    ) -> None:
        super().__init__({'interval': interval, 'history_interval': history_interval, 'checkpoint_interval': checkpoint_interval, 'paraview': paraview, 'resultants': resultants})
    interval: float | None
    history_interval: float | None
    checkpoint_interval: float | None
    paraview: bool | None
    resultants: Sequence[str] | None


class MeasureWithin(Table):
    """Only what is in this box or ball: bodies by their centres, contacts by their points.

    low: of a box: lowest corner [m].
    high: of a box: highest corner [m].
    centre: of a ball: its centre [m].
    radius: of a ball: its radius [m].
    """

    _keys: ClassVar[tuple[str, ...]] = ('low', 'high', 'centre', 'radius',)

    def __init__(
        self,
        *,
        low: Vector | None = None,
        high: Vector | None = None,
        centre: Vector | None = None,
        radius: float | None = None,
    ) -> None:
        super().__init__({'low': low, 'high': high, 'centre': centre, 'radius': radius})
    low: Vector | None
    high: Vector | None
    centre: Vector | None
    radius: float | None


class Measure(Table):
    """A table of the scene file.

    name: name that its columns of the history begin with.
    of: what is measured.
    bodies: bodies, as in `[[drive]]`: a group, "group#3", "group#3-7" [default: all that can move].
    at: of one deformable body: the node that is nearest to this place at the start is followed, instead
        of the centre of mass [m].
    within: only what is in this box or ball: bodies by their centres, contacts by their points.
    """

    _keys: ClassVar[tuple[str, ...]] = ('name', 'of', 'bodies', 'at', 'within',)

    def __init__(
        self,
        *,
        name: str,
        of: Sequence[Literal['position', 'displacement', 'velocity', 'rotation', 'spin', 'force', 'moment', 'kinetic_energy', 'largest_speed', 'stress', 'kinetic_stress', 'solid_fraction', 'void_ratio', 'coordination', 'fabric', 'anisotropies', 'mobilized_friction']],
        bodies: str | None = None,
        at: Vector | None = None,
        within: MeasureWithin | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({'name': name, 'of': of, 'bodies': bodies, 'at': at, 'within': within})
    name: str
    of: Sequence[Literal['position', 'displacement', 'velocity', 'rotation', 'spin', 'force', 'moment', 'kinetic_energy', 'largest_speed', 'stress', 'kinetic_stress', 'solid_fraction', 'void_ratio', 'coordination', 'fabric', 'anisotropies', 'mobilized_friction']]
    bodies: str | None
    at: Vector | None
    within: MeasureWithin | Mapping[str, Any] | None


class ContactCheck(Table):
    """Check of the start.

    allow_overlap: accept bodies that overlap at the start by more than 0.1 % of their size?. Default:
        false.
    """

    _keys: ClassVar[tuple[str, ...]] = ('allow_overlap',)

    def __init__(
        self,
        *,
        allow_overlap: bool | None = None,
    ) -> None:
        super().__init__({'allow_overlap': allow_overlap})
    allow_overlap: bool | None


GENERATE: dict[str, type[Table]] = {'wall': GenerateWall, 'arch': GenerateArch, 'segmental_arch': GenerateSegmentalArch, 'pointed_arch': GeneratePointedArch, 'vault': GenerateVault, 'dome': GenerateDome, 'buttress': GenerateButtress, 'blocks': GenerateBlocks, 'column': GenerateColumn, 'grains': GenerateGrains, 'lattice': GenerateLattice, 'box': GenerateBox, 'drum': GenerateDrum, 'ring': GenerateRing, 'annulus': GenerateAnnulus}
JOINT: dict[str, type[Table]] = {'brittle': JointBrittle, 'mohr_coulomb': JointMohrCoulomb, 'elastic': JointElastic, 'elastic_coulomb': JointElasticCoulomb, 'raous_cangemi_cocou': JointRaousCangemiCocou, 'bilinear': JointBilinear, 'exponential': JointExponential, 'capillary': JointCapillary}
MESH: dict[str, type[Table]] = {'file': MeshFile, 'rectangle': MeshRectangle, 'quadrilateral': MeshQuadrilateral, 'quarter_ring': MeshQuarterRing, 'disc': MeshDisc, 'half_disc': MeshHalfDisc, 'impact_plate': MeshImpactPlate, 'block': MeshBlock, 'cylinder': MeshCylinder, 'ring': MeshRing, 'tube': MeshTube, 'cap': MeshCap, 'eighth_sphere': MeshEighthSphere}
SHAPE: dict[str, type[Table]] = {'disk': ShapeDisk, 'sphere': ShapeSphere, 'rectangle': ShapeRectangle, 'box': ShapeBox, 'polygon': ShapePolygon, 'polyhedron': ShapePolyhedron, 'regular_polygon': ShapeRegularPolygon, 'prism': ShapePrism, 'segment': ShapeSegment, 'half_plane': ShapeHalfPlane, 'half_space': ShapeHalfSpace, 'hollow_disk': ShapeHollowDisk, 'hollow_cylinder': ShapeHollowCylinder, 'chain': ShapeChain, 'profile': ShapeProfile, 'surface': ShapeSurface, 'union': ShapeUnion}

# The keys at the top of a scene and what they mean.
TOP: dict[str, str] = {
    'title': 'title, for pictures and plots. Default: .',
    'dimension': '2 or 3.',
    'time_unit': 'unit of the times given in this file, where it says [s], and printed; constants of materials and velocities stay in SI. Default: "second".',
    'stage': 'stages of the run, one after the other.',
    'time': 'time stepping.',
    'materials': 'what bodies are made of.',
    'contact': 'laws of contact between two materials.',
    'ignore': 'groups of bodies that do not see each other.',
    'bond': 'which contacts start bonded [default: all that touch at the start].',
    'gravity': 'gravity.',
    'ground_acceleration': 'earthquake.',
    'cell': 'periodic cell.',
    'bodies': 'bodies one by one, in rows, or from a table.',
    'deformable': 'meshed bodies that deform.',
    'generate': 'assemblies of bodies.',
    'fix': 'bodies that do not move, or not in some components.',
    'drive': 'prescribed motions.',
    'load': 'forces, torques, pressures.',
    'membrane': 'closed chains of bodies under pressure from outside (2D).',
    'solver': 'contact solver.',
    'accuracy': 'what the run has to keep to.',
    'newton': "Newton's iterations of deformable bodies.",
    'output': 'what is written, and when.',
    'measure': 'numbers of chosen bodies in the history.',
    'contact_check': 'check of the start.',
}
