//! Small scenes that show what large ones do.

/// Grains that fall into a box: `count` of them, of one `shape` ("ball" or "angular"), in 2D or 3D.
fn grains(dimension: usize, shape: &str, count: usize, end: f64) -> String {
    let (gravity, low, high) = match dimension {
        2 => ("[0, -9.81]", "[0, 0]", "[0.1, 0.3]"),
        _ => ("[0, 0, -9.81]", "[0, 0, 0]", "[0.06, 0.06, 0.3]"),
    };
    format!(
        r#"
title = "{count} grains of shape {shape}"
dimension = {dimension}
gravity = {{ acceleration = {gravity} }}
time = {{ step = 1e-3, end = {end} }}
materials.grain = {{ density = 2500 }}
output = {{ interval = 7e-3, history_interval = 1e-3, checkpoint_interval = 5e-3 }}
solver = {{ tolerance = 1e-3, max_sweeps = 60 }}
accuracy = {{ accept = true }}

[[contact]]
between = ["grain", "grain"]
friction = {{ static = 0.5, dynamic = 0.4 }}

[[generate]]
kind = "grains"
name = "grains"
material = "grain"
count = {count}
low = {low}
high = {high}
radius = {{ kind = "uniform", min = 4e-3, max = 6e-3 }}
shape = "{shape}"
velocity = {velocity}

[[generate]]
kind = "box"
name = "box"
material = "grain"
low = {low}
high = {high}
"#,
        velocity = if dimension == 2 { "[0, -1]" } else { "[0, 0, -1]" },
    )
}

/// Convex polygons in the plane.
pub fn polygons() -> String {
    grains(2, "angular", 60, 0.28)
}

/// Spheres.
pub fn spheres() -> String {
    grains(3, "ball", 60, 0.35)
}

/// Convex polyhedra.
pub fn polyhedra() -> String {
    grains(3, "angular", 20, 0.28)
}

/// A short run of a few grains.
pub fn few_grains() -> String {
    grains(2, "ball", 12, 0.05)
}

/// Disks on a triangular lattice in a box with a row of blocks on top: enough of them that every parallel path of the
/// program is taken, for a few steps.
pub const MANY_DISKS_AND_BLOCKS: &str = r#"
dimension = 2
gravity = { acceleration = [0, -9.81] }
time = { step = 1e-3, end = 0.006 }
materials.grain = { density = 2500 }
solver = { max_sweeps = 60, tolerance = 1e-8 }
accuracy = { accept = true }

[[contact]]
between = ["grain", "grain"]
friction = 0.3

[[generate]]
kind = "lattice"
name = "disks"
material = "grain"
pattern = "triangular"
radius = 0.005
position = [0.005, 0.005]
counts = [110, 70]

[[bodies]]
name = "blocks"
material = "grain"
shape = { kind = "rectangle", size = [0.02, 0.01] }
position = [0.012, 0.613]
copies = { count = 50, step = [0.0215, 0] }
velocity = [0.3, -1]

[[generate]]
kind = "box"
name = "box"
material = "grain"
low = [0, 0]
high = [1.105, 1]
"#;

/// A light ball under a force without measure.
pub const BLOWS_UP: &str = r#"
dimension = 2
gravity = { acceleration = [0, -9.81] }
time = { step = 1e-3, end = 0.02 }
materials.air = { density = 1 }

[[contact]]
between = ["air", "air"]
friction = 0.3

[[bodies]]
name = "ground"
material = "air"
fixed = true
shape = { kind = "half_plane", normal = [0, 1] }

[[bodies]]
name = "balls"
material = "air"
mass = 1e-59
inertia = 1e-59
shape = { kind = "disk", radius = 0.1 }
position = [0, 0.1]
copies = { count = 2, step = [1, 0] }

[[load]]
bodies = "balls#1"
force = [1e59, -1e59]
history = { table = "force.csv", scale = 1e59 }
"#;

/// A pile of blocks that one sweep cannot solve, on a table that is moved by `displacement`.
pub fn tower(on_failure: &str, max_sweeps: usize) -> String {
    format!(
        r#"
dimension = 2
gravity = {{ acceleration = [0, -9.81] }}
time = {{ step = 1e-3, end = 0.1 }}
materials.stone = {{ density = 2500 }}
solver = {{ max_sweeps = {max_sweeps}, on_failure = "{on_failure}" }}
accuracy = {{ accept = true }}
output = {{ interval = 1e-3 }}

[[contact]]
between = ["stone", "stone"]
friction = 0.6

[[bodies]]
name = "table"
material = "stone"
fixed = true
shape = {{ kind = "rectangle", size = [2, 0.2] }}
position = [0, -0.1]

[[bodies]]
name = "tower"
material = "stone"
shape = {{ kind = "rectangle", size = [0.4, 0.2] }}
position = [0, 0.1]
copies = {{ count = 8, step = [0.01, 0.2] }}

[[drive]]
bodies = "table"
component = "x"
displacement = {{ sine = {{ amplitude = 0.01, frequency = 7 }} }}
"#
    )
}

/// Two elastic blocks, one on the other, on the ground.
pub const ELASTIC_BLOCKS: &str = "dimension = 2\ngravity = { acceleration = [0, -9.81] }\ntime = { step = 1e-3, end = 1 }\n\
    materials.m = { density = 1000, young = 1e6, poisson = 0.3 }\n[[contact]]\nbetween = \"m\"\nfriction = 0.5\n\
    [[bodies]]\nname = \"ground\"\nmaterial = \"m\"\nfixed = true\nshape = { kind = \"half_plane\", normal = [0, 1] }\n\
    [[deformable]]\nname = \"blocks\"\nmaterial = \"m\"\nposition = [0, 0.5]\nmesh = { kind = \"rectangle\", size = [1, 1], cells = [3, 3] }\n\
    candidates = \"mid_points\"\ncopies = { count = 2, step = [0.1, 1] }\n[solver]\ntolerance = 1e-10\n";

/// A disk between two plates that are driven together: no impulse keeps both contacts, and sweeps never end.
pub fn vice() -> String {
    let plate = |name: &str, x: f64| {
        format!(
            "[[bodies]]\nname = '{name}'\nmaterial = 'steel'\nshape = {{ kind = 'rectangle', size = [0.2, 1] }}\n\
             position = [{x}, 0]\nfixed = ['y', 'rotation']\n\
             [[drive]]\nbodies = '{name}'\ncomponent = 'x'\nvelocity = {}\n",
            -x.signum()
        )
    };
    format!(
        "dimension = 2\ntime = {{ step = 1e-3, end = 1 }}\nmaterials.steel = {{ density = 7800 }}\n\
         solver = {{ max_sweeps = 1_000_000_000, method = 'nlgs' }}\n\
         contact = [{{ between = 'any', friction = 0.5 }}]\n{}{}\
         [[bodies]]\nname = 'disk'\nmaterial = 'steel'\nshape = {{ kind = 'disk', radius = 0.5 }}\n",
        plate("left", -0.6),
        plate("right", 0.6)
    )
}
