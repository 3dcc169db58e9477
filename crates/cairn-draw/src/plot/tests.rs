use super::*;

fn curve(name: &str, style: Style) -> Series {
    let points = (0..200).map(|k| (k as f64 * 0.01, (k as f64 * 0.1).sin() * 3e4)).collect();
    Series { name: name.into(), style, points }
}

fn texts(items: &[Item]) -> Vec<&Text> {
    let all = items.iter().flat_map(|i| match i {
        Item::Text(t) => vec![t],
        Item::Clipped { items, .. } => texts(items),
        _ => vec![],
    });
    all.collect()
}

/// Left, top, right and bottom of a text.
fn extent(t: &Text) -> [f64; 4] {
    let w = text::width(&t.text, t.size, t.weight);
    let start = match t.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -0.5 * w,
        Anchor::End => -w,
    };
    let (rise, drop) = (0.76 * t.size, 0.0);
    let [x, y] = t.at;
    if t.upwards {
        [x - rise, y - start - w, x + drop, y - start]
    } else {
        [x + start, y - rise, x + start + w, y + drop]
    }
}

fn assert_texts_are_apart(picture: &Picture) {
    let boxes: Vec<_> = texts(&picture.items).into_iter().map(|t| (extent(t), &t.text)).collect();
    for (k, (a, ta)) in boxes.iter().enumerate() {
        let inside = a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= picture.width as f64 && a[3] <= picture.height as f64;
        assert!(inside, "{ta} is cut off: {a:?}");
        for (b, tb) in &boxes[..k] {
            let apart = a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3];
            assert!(apart, "{ta} and {tb} overlap: {a:?} {b:?}");
        }
    }
}

fn history(rows: usize) -> (Vec<(String, String)>, Vec<Vec<f64>>) {
    let names = "time [s];kinetic energy [J];potential energy [J];work of loads [J];work of drives [J];\
                 dissipated by friction [J];dissipated by shocks [J];dissipated by scheme [J];\
                 energy balance error [-];contacts [-];sweeps [-];residual [-];worst penetration [m];\
                 base force x [N];base force y [N]";
    let split = |c: &str| {
        let (name, unit) = c.split_once(" [").unwrap();
        (name.trim().to_string(), unit.trim_end_matches(']').to_string())
    };
    let row = |k: usize| {
        let t = k as f64 * 1e-3;
        let decay = (-3.0 * t).exp();
        let mut row = vec![t, 4e4 * decay * (20.0 * t).sin().powi(2), 1e6 - 3e4 * (1.0 - decay), 0.0, 500.0 * t];
        row.extend([1.2e4 * (1.0 - decay), 1.5e4 * (1.0 - decay), 100.0 * t]);
        row.extend([1e-14 * (1.0 + k as f64), 1800.0 * (1.0 - decay), 20.0 + (k % 40) as f64]);
        row.extend([10f64.powf(-8.0 - (k % 3) as f64), 2e-6 * t, 300.0 * (40.0 * t).sin(), 9810.0 * (1.0 - decay)]);
        row
    };
    (names.split(';').map(split).collect(), (0..rows).map(row).collect())
}

#[test]
fn texts_never_overlap_nor_leave_the_plot() {
    let (columns, rows) = history(1000);
    assert_texts_are_apart(&history_plot("A run", &columns, &rows));
    let long = "a rather long name of a series that has to share its row with others";
    for (unit, scale, log) in [("m", 1e-9, false), ("N", 1e9, false), ("-", 1e-3, true), ("rad", 1e-12, true)] {
        let mut series: Vec<Series> = (0..5).map(|_| curve(long, Style::LinePoints)).collect();
        series.iter_mut().flat_map(|s| &mut s.points).for_each(|p| p.1 *= scale);
        let y = Axis { log, ..Axis::linear("quantity", unit) };
        let x = Axis { range: Some((1e5, 1.00001e5)), ..Axis::linear("x", "m") };
        for width in [300, 1000, 3000] {
            let panels = vec![Panel { y: y.clone(), series: series.clone() }];
            let data = PlotData { title: long.repeat(4), x: x.clone(), panels };
            assert_texts_are_apart(&plot(&data, &PlotOptions { width, panel_height: width / 3 }));
        }
    }
}

#[test]
fn a_marker_lands_where_its_value_is() {
    let series = vec![Series { name: String::new(), style: Style::Points, points: vec![(1.0, 3.0)] }];
    let unit = |label| Axis { range: Some((0.0, 4.0)), ..Axis::linear(label, "m") };
    let data = PlotData { title: String::new(), x: unit("x"), panels: vec![Panel { y: unit("y"), series }] };
    let picture = plot(&data, &PlotOptions::default());
    let Some(Item::Clipped { frame, items }) = picture.items.last() else { panic!("no curves") };
    let Item::Circle { centre, .. } = items[0] else { panic!("no marker") };
    let margin = 0.6 * 17.0;
    let (x, y) = (frame.x + margin, frame.y + margin);
    let (w, h) = (frame.width - 2.0 * margin, frame.height - 2.0 * margin);
    assert!((centre[0] - (x + 0.25 * w)).abs() < 1e-9 && (centre[1] - (y + 0.25 * h)).abs() < 1e-9);
    let pixels = crate::raster::pixels(&picture).unwrap();
    let p = pixels.pixel(centre[0] as u32, centre[1] as u32).unwrap();
    assert_eq!([p.red(), p.green(), p.blue()], of_line(0).rgb);
}

#[test]
fn the_history_shows_every_column_once() {
    let (columns, rows) = history(50);
    let svg = history_plot("A run", &columns, &rows).svg().unwrap();
    for shown in ["energy [kJ]", "potential (change)", "contacts", "sweeps", "residual", "worst penetration", "time ["]
    {
        assert_eq!(svg.matches(&format!(">{shown}")).count(), 1, "{shown}");
    }
    assert!(svg.contains(">base force x<") && svg.contains(">base force [N]<"));
    assert!(!svg.contains("work of loads"), "a part that is always zero is left out");
}

#[test]
fn nothing_or_nonsense_is_still_a_plot() {
    let none: [(&str, &str); 0] = [];
    history_plot("", &none, &[]).png().unwrap();
    history_plot("t", &[("time", "s"), ("kinetic energy", "J")], &[vec![], vec![f64::NAN, f64::INFINITY]])
        .png()
        .unwrap();
    let data = PlotData { panels: vec![Panel::default()], ..PlotData::default() };
    plot(&data, &PlotOptions { width: 0, panel_height: 0 }).png().unwrap();
}

#[test]
fn the_same_plot_has_the_same_bytes() {
    let (columns, rows) = history(300);
    let draw = || history_plot("A run", &columns, &rows);
    assert_eq!(draw().png().unwrap(), draw().png().unwrap());
    assert_eq!(draw().svg().unwrap(), draw().svg().unwrap());
}
