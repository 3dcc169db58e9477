//! No code. Which features a dependency is compiled with follows from the packages that are built together: tests and the Python
//! module ask for more than the program does. Without this crate `cargo test -p cairn`, `cargo run` and `cargo test --workspace` would each
//! compile the linear algebra, and all that is built on it, anew. It asks for what any of them does; `cargo tree -e features` tells.
