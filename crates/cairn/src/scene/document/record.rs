//! What a reading function asks for, written down: the source of the schema and of the reference page.

/// A key.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub key: &'static str,
    /// Its meaning, with the unit in brackets.
    pub doc: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// The value when it is not given, as text.
    pub default: Option<String>,
    /// Must it be given?
    pub required: bool,
    /// Exists in this dimension only.
    pub only: Option<usize>,
}

/// The type of a value.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A number, and the bounds in words.
    Number(Option<String>),
    /// A whole number from … to.
    Integer(i64, i64),
    /// Text.
    Text,
    /// The name of a file next to the scene.
    File,
    /// true or false.
    Flag,
    /// As many numbers as the scene has dimensions.
    Vector,
    /// One number in 2D, three in 3D.
    Angular,
    /// One of these words.
    Choice(Vec<(&'static str, &'static str)>),
    /// A list.
    List(Box<Kind>),
    /// One of several types.
    Either(Vec<Kind>),
    /// A table.
    Table(TableDoc),
    /// A list of tables, `[[…]]`.
    Tables(TableDoc),
    /// Tables by name, `[….NAME]`.
    Named(TableDoc),
}

/// A table: its keys, and those that depend on the value of one of them.
#[derive(Clone, Debug, Default)]
pub struct TableDoc {
    /// Keys.
    pub fields: Vec<Field>,
    /// The key that chooses, and the choices.
    pub variants: Option<(&'static str, Vec<VariantDoc>)>,
}

/// A table's further keys for one value of the choosing key.
#[derive(Clone, Debug)]
pub struct VariantDoc {
    /// The value.
    pub name: &'static str,
    /// Its meaning.
    pub doc: &'static str,
    /// Exists in this dimension only.
    pub only: Option<usize>,
    /// The keys.
    pub table: TableDoc,
}

impl Kind {
    /// In words, for messages and the reference page.
    pub fn words(&self) -> String {
        match self {
            Kind::Number(Some(bounds)) => format!("a number {bounds}"),
            Kind::Number(None) => "a number".into(),
            Kind::Integer(low, high) => match *high {
                i64::MAX => format!("a whole number ≥ {low}"),
                _ => format!("a whole number from {low} to {high}"),
            },
            Kind::Text => "text".into(),
            Kind::File => "the name of a file".into(),
            Kind::Flag => "true or false".into(),
            Kind::Vector => "2 or 3 numbers".into(),
            Kind::Angular => "a number (2D), 3 numbers (3D)".into(),
            Kind::Choice(words) => words.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(" or "),
            Kind::List(of) => match **of {
                Kind::Text => "a list of names".into(),
                Kind::Vector => "a list of points".into(),
                Kind::Choice(_) => format!("a list of {}", of.words()),
                _ => "a list of numbers".into(),
            },
            Kind::Either(kinds) => kinds.iter().map(Kind::words).collect::<Vec<_>>().join(", or "),
            Kind::Table(_) => "a table".into(),
            Kind::Tables(_) => "a list of tables".into(),
            Kind::Named(_) => "tables by name".into(),
        }
    }
}
