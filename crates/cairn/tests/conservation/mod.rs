//! What mechanics promises of every scene: momentum and energy, exact free and prescribed motions, no preferred scale.

mod balance;
mod impact;
mod momentum;
mod motion;
mod quasi_static;
mod scale;
mod totals;
