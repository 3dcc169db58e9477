//! `cairn film`: pictures of many states with the same view, colours and sizes, as GIF, PNG files or MP4.

use crate::SUCCESS;
use crate::args;
use crate::picture::{Joints, of_frame, options, survey};
use crate::print::out;
use crate::results::{load, stored};
use cairn::scene::{AnyScene, Scene};
use cairn::space::{Ambient, Space};
use cairn::state::State;
use cairn_draw::{Gif, Picture, Pixels};
use indicatif::ProgressBar;
use miette::{IntoDiagnostic, miette};
use rayon::prelude::*;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Runs `cairn film`.
pub fn film(args: &args::Film) -> miette::Result<u8> {
    let path = args.output.clone().unwrap_or_else(|| args.folder.join("film.gif"));
    match &load(&args.folder)?.scene {
        AnyScene::Plane(scene) => make(scene, args, &path),
        AnyScene::Solid(scene) => make(scene, args, &path),
    }?;
    out(&format!("{}\n", path.display()));
    Ok(SUCCESS)
}

fn make<const D: usize>(scene: &Scene<D>, args: &args::Film, path: &Path) -> miette::Result<()>
where
    Space<D>: Ambient<D>,
{
    let mut options = options(scene, &args.look)?;
    let mut joints = Joints::wanted(scene, &args.look);
    let mut states = stored::<D>(&args.folder)?;
    let (from, to) = (args.from.unwrap_or(f64::NEG_INFINITY), args.to.unwrap_or(f64::INFINITY));
    let times = states.times().to_vec();
    let within = (0..times.len()).filter(|&k| from <= times[k] && times[k] <= to);
    let chosen: Vec<usize> = within.step_by(args.every as usize).collect();
    // First pass: what all frames share, and which of them can be read.
    let whole = survey(scene, &mut states, &chosen, &mut options, joints.as_mut());
    if whole.is_empty() {
        let (first, last) = (times.first().unwrap_or(&0.0), times.last().unwrap_or(&0.0));
        return Err(miette!("no stored state between --from and --to: they go from {first} s to {last} s"));
    }

    let bar = if args.quiet { ProgressBar::hidden() } else { ProgressBar::new(whole.len() as u64) };
    let mut reel = Reel::new(path, args.fps)?;
    if let Reel::Gif { rate, gif, .. } = &mut reel {
        let frames: Vec<State<D>> =
            samples(&whole).map(|k| states.read(k)).collect::<Result<_, _>>().into_diagnostic()?;
        let drawn: Result<Vec<Pixels>, _> =
            frames.par_iter().map(|f| Pixels::of(&of_frame(scene, f, &options, joints.as_ref()))).collect();
        *gif = Some(Gif::new(&drawn.into_diagnostic()?, *rate).into_diagnostic()?);
    }
    // As many frames at a time as there are threads: memory stays bounded, and the order is kept.
    for batch in whole.chunks(rayon::current_num_threads().max(1) * 2) {
        let frames: Vec<State<D>> =
            batch.iter().map(|&k| states.read(k)).collect::<Result<_, _>>().into_diagnostic()?;
        let drawn: Vec<Picture> = frames.par_iter().map(|f| of_frame(scene, f, &options, joints.as_ref())).collect();
        reel.add(&drawn)?;
        bar.inc(batch.len() as u64);
    }
    bar.finish_and_clear();
    reel.finish()
}

/// States whose pictures give the palette of a GIF: the first, the last and some between, whatever the number of threads.
fn samples(whole: &[usize]) -> impl Iterator<Item = usize> {
    const COUNT: usize = 8;
    let count = whole.len().min(COUNT);
    (0..count).map(move |k| whole[k * (whole.len() - 1) / (count - 1).max(1)])
}

/// Where frames go.
enum Reel {
    /// One file; its palette is found before the first frame is added.
    Gif { path: PathBuf, rate: f64, gif: Option<Gif> },
    /// Numbered files in a folder.
    Folder { path: PathBuf, count: usize },
    /// Given to ffmpeg as they come.
    Video { path: PathBuf, ffmpeg: Child },
}

impl Reel {
    fn new(path: &Path, rate: u32) -> miette::Result<Self> {
        let path = path.to_path_buf();
        match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("gif") => Ok(Reel::Gif { path, rate: f64::from(rate), gif: None }),
            Some("mp4") => {
                let input = ["-y", "-loglevel", "error", "-f", "image2pipe", "-c:v", "png", "-framerate"];
                let output = ["-i", "-", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"];
                let mut command = Command::new("ffmpeg");
                command.args(input).arg(rate.to_string()).args(output).arg(&path).stdin(Stdio::piped());
                let ffmpeg = command.spawn().map_err(|e| {
                    let help = "install ffmpeg, or write a .gif or a folder of PNG files, which need nothing";
                    miette!(help = help, "an MP4 film needs the program ffmpeg, which cannot be started: {e}")
                })?;
                Ok(Reel::Video { path, ffmpeg })
            }
            Some(other) => Err(miette!("a film is .gif, .mp4 or a folder (a name without an ending), not .{other}")),
            None => {
                std::fs::create_dir_all(&path).map_err(|e| miette!("cannot create {}: {e}", path.display()))?;
                Ok(Reel::Folder { path, count: 0 })
            }
        }
    }

    fn add(&mut self, pictures: &[Picture]) -> miette::Result<()> {
        match self {
            Reel::Gif { gif, .. } => {
                let frames: Result<Vec<Pixels>, _> = pictures.par_iter().map(Pixels::of).collect();
                let gif = gif.as_mut().ok_or_else(|| miette!("a GIF needs its palette first"))?;
                frames.into_diagnostic()?.iter().for_each(|f| gif.add(f));
            }
            Reel::Folder { path, count } => {
                for picture in pictures {
                    picture.write(&path.join(format!("frame-{count:05}.png"))).into_diagnostic()?;
                    *count += 1;
                }
            }
            Reel::Video { path, ffmpeg } => {
                for picture in pictures {
                    let bytes = picture.png().into_diagnostic()?;
                    let pipe = ffmpeg.stdin.as_mut().ok_or_else(|| miette!("ffmpeg takes no frames"))?;
                    pipe.write_all(&bytes).map_err(|e| miette!("ffmpeg stopped writing {}: {e}", path.display()))?;
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> miette::Result<()> {
        match self {
            Reel::Gif { path, gif, .. } => {
                let bytes = gif.map(Gif::finish).unwrap_or_default();
                std::fs::write(&path, bytes).map_err(|e| miette!("cannot write {}: {e}", path.display()))
            }
            Reel::Folder { .. } => Ok(()),
            Reel::Video { path, mut ffmpeg } => {
                drop(ffmpeg.stdin.take());
                let status = ffmpeg.wait().into_diagnostic()?;
                if status.success() { Ok(()) } else { Err(miette!("ffmpeg failed to write {}", path.display())) }
            }
        }
    }
}
