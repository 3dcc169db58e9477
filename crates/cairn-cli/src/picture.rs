//! `cairn picture`, and the options that it shares with `cairn film`.

use crate::SUCCESS;
use crate::args;
use crate::print::out;
use crate::results::{load, nearest, stored};
use cairn::contact::Contact;
use cairn::measure::{self, Joint};
use cairn::output::Stored;
use cairn::scene::{AnyScene, Scene};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space, Vect};
use cairn::state::State;
use cairn::step::contacts_at_start;
use cairn_draw::{self as draw, Background, Camera, Field, PictureOptions, Selection, Shared, Strokes};
use miette::{IntoDiagnostic, miette};
use std::path::{Path, PathBuf};

/// Runs `cairn picture`.
pub fn picture(args: &args::Picture) -> miette::Result<u8> {
    let path = match &load(&args.folder)?.scene {
        AnyScene::Plane(scene) => stored_state(scene, args),
        AnyScene::Solid(scene) => stored_state(scene, args),
    }?;
    out(&format!("{}\n", path.display()));
    Ok(SUCCESS)
}

fn stored_state<const D: usize>(scene: &Scene<D>, args: &args::Picture) -> miette::Result<PathBuf>
where
    Space<D>: Ambient<D>,
{
    let mut options = options(scene, &args.look)?;
    let mut joints = Joints::wanted(scene, &args.look);
    let mut states = stored::<D>(&args.folder)?;
    if args.as_film {
        let all: Vec<usize> = (0..states.times().len()).collect();
        survey(scene, &mut states, &all, &mut options, joints.as_mut());
    }
    let frame = nearest(&mut states, args.at)?;
    let path = args.output.clone().unwrap_or_else(|| args.folder.join(format!("picture-{:.6}.png", frame.time)));
    if let Some(why) = joints.as_ref().and_then(|joints| joints.empty(scene, &frame)) {
        eprintln!("warning: {why}");
    }
    let picture = of_frame(scene, &frame, &options, joints.as_ref());
    let is_png = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png"));
    match args.palette {
        true if is_png => picture.write_small(&path),
        true => return Err(miette!("--palette is for PNG files, not for {}", path.display())),
        false => picture.write(&path),
    }
    .into_diagnostic()?;
    Ok(path)
}

/// Finds what the pictures of a series share and puts it into `options` and `joints`. Gives the states that can be read.
pub fn survey<const D: usize>(
    scene: &Scene<D>,
    states: &mut Stored<D>,
    chosen: &[usize],
    options: &mut PictureOptions,
    mut joints: Option<&mut Joints<D>>,
) -> Vec<usize>
where
    Space<D>: Ambient<D>,
{
    let (mut whole, mut shared) = (Vec::new(), None::<Shared>);
    for &k in chosen {
        match states.read(k) {
            Ok(frame) => {
                let frame = &*measure::folded(scene, &frame);
                let own = Shared::of(scene, &frame.motions, &frame.fields, &frame.reactions, options);
                shared = Some(shared.map_or(own, |s| s.merged(&own)));
                if let Some(joints) = joints.as_deref_mut() {
                    let lines = joints.strokes(scene, frame).lines;
                    joints.largest = Some(lines.iter().map(|l| l.1).fold(joints.largest.unwrap_or(0.0), f64::max));
                }
                whole.push(k);
            }
            Err(error) => eprintln!("warning: state {k} at t = {} s is left out: {error}", states.times()[k]),
        }
    }
    options.shared = shared;
    whole
}

/// What is drawn of the joints instead of forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drawn {
    Thrust,
    Openings,
    Slips,
}

/// Points and value of each line.
type Lines = Vec<(Vec<[f64; 3]>, f64)>;

/// The joints of a scene, as far as pictures show them.
pub struct Joints<const D: usize> {
    drawn: Drawn,
    start: Vec<Contact<D>>,
    /// Body by body; joints of those that are not shown are left out.
    shown: Vec<bool>,
    /// The largest value of a series of pictures.
    largest: Option<f64>,
}

impl<const D: usize> Joints<D>
where
    Space<D>: Ambient<D>,
{
    /// If the command line asks for them.
    pub fn wanted(scene: &Scene<D>, look: &args::Look) -> Option<Self> {
        let asked = [(look.thrust, Drawn::Thrust), (look.openings, Drawn::Openings), (look.slips, Drawn::Slips)];
        let drawn = asked.iter().find(|(asked, _)| *asked)?.1;
        let shown = selection(look).shown(scene);
        Some(Self { drawn, start: contacts_at_start(scene), shown, largest: None })
    }

    /// Why nothing would be drawn of a state, if so.
    fn empty(&self, scene: &Scene<D>, frame: &State<D>) -> Option<String> {
        if self.drawn != Drawn::Thrust || !self.strokes(scene, frame).lines.is_empty() {
            return None;
        }
        let none = "there is no line of thrust to draw";
        Some(match measure::joints(scene, &self.start, frame).iter().any(|joint| joint.force.norm_squared() > 0.0) {
            false => format!("{none} at t = {} s: no joint carries a force", frame.time),
            true => format!("{none}: no body that is shown is pressed by exactly two joints"),
        })
    }

    /// Lines to be drawn of a state.
    pub fn strokes(&self, scene: &Scene<D>, frame: &State<D>) -> Strokes {
        let mut joints = measure::joints(scene, &self.start, frame);
        joints.retain(|joint| joint.bodies.iter().all(|&body| self.shown[body as usize]));
        let lift = |p: &Vect<D>| Space::<D>::lift(p);
        let closed = |j: &Joint<D>| {
            let round = if D == 3 { j.outline.first() } else { None };
            j.outline.iter().chain(round).map(lift).collect::<Vec<_>>()
        };
        let (name, unit, lines): (_, _, Lines) = match self.drawn {
            Drawn::Thrust => {
                let pieces = measure::thrust_pieces(scene, &joints);
                ("thrust", "N", pieces.iter().map(|(ends, f)| (ends.iter().map(lift).collect(), *f)).collect())
            }
            Drawn::Openings => ("joint opening", "m", joints.iter().map(|j| (closed(j), j.opening.max(0.0))).collect()),
            Drawn::Slips => ("joint slip", "m", joints.iter().map(|j| (closed(j), j.slip)).collect()),
        };
        let opens = self.drawn != Drawn::Thrust;
        Strokes { name: name.into(), unit: unit.into(), lines, largest: self.largest, opens }
    }
}

/// Draws a stored state, rigid and deformable bodies.
pub fn of_frame<const D: usize>(
    scene: &Scene<D>,
    frame: &State<D>,
    options: &PictureOptions,
    joints: Option<&Joints<D>>,
) -> draw::Picture
where
    Space<D>: Ambient<D>,
{
    let frame = &*measure::folded(scene, frame);
    let strokes = joints.map(|joints| joints.strokes(scene, frame));
    let options = &PictureOptions { strokes, ..options.clone() };
    // Forces are impulses over the length of the step, which stages may change, as they may hold bodies or take them away.
    let mut staged = None;
    if frame.last_step > 0.0 && frame.last_step != scene.time.step || !scene.varying.is_empty() {
        let staged = staged.insert(scene.clone());
        staged.enter(&frame.stages);
        staged.time.step = frame.last_step;
    }
    let scene = staged.as_ref().unwrap_or(scene);
    let meshes = draw::meshes(scene, &frame.fields, &frame.reactions, options);
    draw::picture_with_meshes(scene, &frame.motions, &frame.reactions, &meshes, frame.time, options)
}

fn selection(look: &args::Look) -> Selection {
    Selection { only: look.bodies.clone(), hidden: look.hide.clone() }
}

/// What the command line asks for.
pub fn options<const D: usize>(scene: &Scene<D>, look: &args::Look) -> miette::Result<PictureOptions>
where
    Space<D>: Ambient<D>,
{
    let field = match &look.field {
        None => Field::None,
        Some(name) => Field::named(name, scene).map_err(|e| miette!("--field {name}: {e}"))?,
    };
    let colours = match &look.colours {
        None => Default::default(),
        Some(name) => name.parse().map_err(|e| miette!("--colours {name}: {e}"))?,
    };
    let bodies = selection(look);
    if let Some(name) = bodies.unknown(scene) {
        let groups = scene.groups.join(", ");
        return Err(miette!(help = format!("the groups are {groups}"), "no body is called {name:?}"));
    }
    let range = look.range.as_deref().map(range).transpose()?;
    if look.log && range.is_some_and(|r| r.0 <= 0.0) {
        return Err(miette!("--log needs a --range above zero, as in 0.001:1"));
    }
    Ok(PictureOptions {
        width: look.width,
        height: look.height,
        field,
        range,
        log: look.log,
        colours,
        forces: look.forces || look.split,
        split: look.split,
        contacts: look.contacts,
        bodies,
        camera: look.camera.as_deref().map(camera).transpose()?.unwrap_or_default(),
        background: if look.dark { Background::Dark } else { Background::Light },
        title: !look.no_title,
        magnification: look.magnify,
        crosses: look.crosses,
        shared: None,
        strokes: None,
    })
}

fn range(text: &str) -> miette::Result<(f64, f64)> {
    let ends = text.split_once(':').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    let fits = |(a, b): &(f64, f64)| a < b && (b - a).is_finite();
    ends.filter(fits).ok_or_else(|| miette!("--range takes LOW:HIGH, as in 0:2.5; found {text:?}"))
}

fn camera(text: &str) -> miette::Result<Camera> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|t| t.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([azimuth, elevation]) => Ok(Camera { azimuth: *azimuth, elevation: *elevation, zoom: 1.0 }),
        Ok([azimuth, elevation, zoom]) if *zoom > 0.0 => {
            Ok(Camera { azimuth: *azimuth, elevation: *elevation, zoom: *zoom })
        }
        _ => Err(miette!("--camera takes AZIMUTH,ELEVATION[,ZOOM] in degrees, as in 30,20,1.5; found {text:?}")),
    }
}

/// Draws the state that a run ended with, forces and all.
pub fn draw_last_state<const D: usize>(simulation: &Simulation<D>, dir: &Path) -> miette::Result<PathBuf>
where
    Space<D>: Ambient<D>,
{
    let path = dir.join("picture.png");
    let state = &simulation.state;
    let (field, forces) =
        if simulation.scene.flexibles.is_empty() { (Field::None, true) } else { (Field::VonMises, false) };
    let options = PictureOptions { field, forces, ..PictureOptions::default() };
    let picture = of_frame(&simulation.scene, state, &options, None);
    picture.write(&path).into_diagnostic()?;
    Ok(path)
}
