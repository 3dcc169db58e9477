//! Ctrl-C during a step.
//!
//! Python's own handler only takes note of a signal, and the interpreter looks at the note between its instructions; a step is one of them.
//! So a handler goes before Python's that also asks the step to stop. Python hears signals in its main thread alone: simulations in
//! others are not asked.

use cairn_solvers::watch::Watch;
use std::sync::{Arc, OnceLock};

/// The watch of all steps of the main thread.
static WATCH: OnceLock<Arc<Watch>> = OnceLock::new();

/// The watch of steps that this thread is about to make, if signals are heard in it. What was asked for before is taken back: who calls
/// looks at Python's notes after this.
pub fn watch() -> Option<Arc<Watch>> {
    if !handler::is_heard_here() {
        return None;
    }
    let watch = WATCH.get_or_init(Arc::default);
    handler::install();
    watch.go_on();
    Some(watch.clone())
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod handler {
    use super::WATCH;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// The handler that was there: Python's.
    static BEFORE: AtomicUsize = AtomicUsize::new(libc::SIG_DFL);

    #[cfg(target_os = "linux")]
    pub fn is_heard_here() -> bool {
        // SAFETY: these calls have no conditions.
        unsafe { libc::gettid() == libc::getpid() }
    }

    #[cfg(target_os = "macos")]
    pub fn is_heard_here() -> bool {
        // SAFETY: this call has no conditions.
        unsafe { libc::pthread_main_np() != 0 }
    }

    /// Only loads, stores and a call: what a signal handler may do.
    extern "C" fn hear(signal: libc::c_int) {
        if let Some(watch) = WATCH.get() {
            watch.stop();
        }
        let before = BEFORE.load(Ordering::Relaxed);
        if before != libc::SIG_DFL && before != libc::SIG_IGN {
            // SAFETY: it was installed as a handler with this one argument.
            let before: extern "C" fn(libc::c_int) = unsafe { std::mem::transmute(before) };
            before(signal);
        }
    }

    /// Puts `hear` before the handler of Ctrl-C, unless it is there, or nobody wants to hear it.
    pub fn install() {
        let ours = hear as extern "C" fn(libc::c_int) as usize;
        // SAFETY: sigaction reads and writes structures that live here; the handler does what handlers may.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(libc::SIGINT, std::ptr::null(), &mut action) != 0 {
                return;
            }
            let there = action.sa_sigaction;
            let has_one_argument = action.sa_flags & libc::SA_SIGINFO == 0;
            if [ours, libc::SIG_DFL, libc::SIG_IGN].contains(&there) || !has_one_argument {
                return;
            }
            BEFORE.store(there, Ordering::Relaxed);
            action.sa_sigaction = ours;
            libc::sigaction(libc::SIGINT, &action, std::ptr::null_mut());
        }
    }
}

/// Elsewhere signals are heard between steps.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod handler {
    pub fn is_heard_here() -> bool {
        false
    }

    pub fn install() {}
}
