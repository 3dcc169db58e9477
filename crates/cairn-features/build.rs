//! Nothing to do: it is here so that `syn` is asked for among the dependencies of the build.

fn main() {}
