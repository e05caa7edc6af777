//! Collects the glyphs that a page paints, with their positions.

mod matrix;

use std::collections::HashMap;
use std::rc::Rc;

use hayro_syntax::content::{Instruction, UntypedIter};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro_syntax::page::{Page, Resources};

use crate::error::ConvertError;
use crate::limits::Clock;
use crate::pdf::cmap::utf16;
use crate::pdf::content::matrix::Matrix;
use crate::pdf::encoding::Base;
use crate::pdf::font::{Font, Shown};

/// The most drawings within each other.
const FORM_DEPTH_MAX: usize = 12;
/// The most saved states. Further states are not restored.
const STATES_MAX: usize = 512;
/// The most glyphs of a page, to bound memory.
const GLYPHS_MAX: usize = 1 << 20;

/// A glyph and its position.
#[derive(Clone, Debug)]
pub(super) struct Glyph {
    /// The text of the glyph. Empty if another glyph has the text of several.
    pub(super) text: Box<str>,
    /// The start of the baseline, in units of the page.
    pub(super) start: (f64, f64),
    /// The end of the baseline.
    pub(super) end: (f64, f64),
    /// The height of the font.
    pub(super) size: f64,
}

/// Runs the operators of pages. Keeps fonts from page to page.
pub(super) struct Interpreter {
    clock: Clock,
    fonts: HashMap<usize, Rc<Font>>,
    glyphs: Vec<Glyph>,
    states: Vec<State>,
    state: State,
    /// The position of the line.
    line: Matrix,
    /// The position of the next glyph.
    text: Matrix,
    marks: Vec<Mark>,
    /// The text that replaces that of the next glyphs.
    actual: Option<Box<str>>,
}

/// The state that `q` saves and `Q` restores.
#[derive(Clone)]
struct State {
    place: Matrix,
    font: Option<Rc<Font>>,
    size: f64,
    char_space: f64,
    word_space: f64,
    stretch: f64,
    leading: f64,
    rise: f64,
}

impl State {
    fn new(place: Matrix) -> State {
        State {
            place,
            font: None,
            size: 1.0,
            char_space: 0.0,
            word_space: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
        }
    }
}

/// The kinds of marked content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Plain,
    /// A running head or a page number, which is not part of the text.
    Artifact,
    /// Content with a replacement text.
    Actual,
}

impl Interpreter {
    pub(super) fn new(clock: Clock) -> Interpreter {
        Interpreter {
            clock,
            fonts: HashMap::new(),
            glyphs: Vec::new(),
            states: Vec::new(),
            state: State::new(Matrix::IDENTITY),
            line: Matrix::IDENTITY,
            text: Matrix::IDENTITY,
            marks: Vec::new(),
            actual: None,
        }
    }

    /// Returns the glyphs of a page in painting order.
    pub(super) fn page(&mut self, page: &Page<'_>) -> Result<Vec<Glyph>, ConvertError> {
        self.clock.check()?;
        self.states.clear();
        self.state = State::new(Matrix::IDENTITY);
        self.marks.clear();
        self.actual = None;
        if let Some(content) = page.page_stream() {
            self.run(content, &[page.resources()])?;
        }
        Ok(std::mem::take(&mut self.glyphs))
    }

    /// Runs operators. Looks up names in the innermost resources first.
    fn run(&mut self, content: &[u8], resources: &[&Resources<'_>]) -> Result<(), ConvertError> {
        let mut operations = UntypedIter::new(content);
        while let Some(operation) = operations.next() {
            self.clock.tick()?;
            if self.glyphs.len() >= GLYPHS_MAX {
                break;
            }
            if &**operation.operator == b"Do" {
                if let Some(Object::Name(name)) = operation.operands().last() {
                    self.draw(name, resources)?;
                }
            } else {
                self.operate(&operation, resources);
            }
        }
        Ok(())
    }

    fn operate(&mut self, operation: &Instruction<'_, '_>, resources: &[&Resources<'_>]) {
        let number = || numbers::<1>(operation).map_or(0.0, |[number]| number);
        match &**operation.operator {
            b"q" if self.states.len() < STATES_MAX => self.states.push(self.state.clone()),
            b"Q" => {
                if let Some(state) = self.states.pop() {
                    self.state = state;
                }
            }
            b"cm" => {
                if let Some(values) = numbers(operation) {
                    self.state.place = Matrix(values).then(self.state.place);
                }
            }
            b"BT" => self.place_line(Matrix::IDENTITY),
            b"Tc" => self.state.char_space = number(),
            b"Tw" => self.state.word_space = number(),
            b"Tz" => self.state.stretch = number() / 100.0,
            b"TL" => self.state.leading = number(),
            b"Ts" => self.state.rise = number(),
            b"Tf" => self.choose_font(operation, resources),
            b"Tm" => {
                if let Some(values) = numbers(operation) {
                    self.place_line(Matrix(values));
                }
            }
            b"Td" | b"TD" => {
                if let Some([x, y]) = numbers(operation) {
                    if &**operation.operator == b"TD" {
                        self.state.leading = -y;
                    }
                    self.move_line(x, y);
                }
            }
            b"T*" => self.move_line(0.0, -self.state.leading),
            b"Tj" | b"'" | b"\"" => {
                if let (b"\"", Some([word, char])) = (&**operation.operator, first_two(operation)) {
                    self.state.word_space = word;
                    self.state.char_space = char;
                }
                if &**operation.operator != b"Tj" {
                    self.move_line(0.0, -self.state.leading);
                }
                if let Some(Object::String(text)) = operation.operands().last() {
                    self.show(text.as_bytes());
                }
            }
            b"TJ" => {
                if let Some(Object::Array(parts)) = operation.operands().last() {
                    self.show_parts(parts);
                }
            }
            b"BMC" | b"BDC" => self.mark(operation, resources),
            b"EMC" => self.unmark(),
            _ => {}
        }
    }

    fn place_line(&mut self, place: Matrix) {
        self.line = place;
        self.text = place;
    }

    fn move_line(&mut self, x: f64, y: f64) {
        self.place_line(Matrix::shift(x, y).then(self.line));
    }

    fn choose_font(&mut self, operation: &Instruction<'_, '_>, resources: &[&Resources<'_>]) {
        let mut operands = operation.operands();
        let (Some(Object::Name(name)), Some(Object::Number(size))) =
            (operands.next(), operands.next())
        else {
            return;
        };
        self.state.size = size.as_f64();
        let dict = resources
            .iter()
            .rev()
            .find_map(|resources| resources.get_font(name));
        self.state.font = dict.map(|dict| {
            // The address of a dictionary identifies the font.
            let key = dict.data().as_ptr() as usize;
            let fonts = self.fonts.entry(key);
            fonts.or_insert_with(|| Rc::new(Font::of(&dict))).clone()
        });
    }

    fn show_parts(&mut self, parts: &Array<'_>) {
        for part in parts.iter::<Object<'_>>() {
            match part {
                Object::String(text) => self.show(text.as_bytes()),
                Object::Number(back) => {
                    let step = -back.as_f64() / 1000.0 * self.state.size;
                    self.advance(step);
                }
                _ => {}
            }
        }
    }

    fn advance(&mut self, step: f64) {
        let is_vertical = self
            .state
            .font
            .as_ref()
            .is_some_and(|font| font.is_vertical);
        let shift = if is_vertical {
            Matrix::shift(0.0, step)
        } else {
            Matrix::shift(step * self.state.stretch, 0.0)
        };
        self.text = shift.then(self.text);
    }

    fn show(&mut self, bytes: &[u8]) {
        let Some(font) = self.state.font.clone() else {
            return;
        };
        let is_shown = !self.marks.contains(&Mark::Artifact);
        font.show(bytes, |shown| {
            let word_space = if shown.is_space {
                self.state.word_space
            } else {
                0.0
            };
            let spaces = self.state.char_space + word_space;
            let before = self.text;
            self.advance(if font.is_vertical {
                -self.state.size + spaces
            } else {
                shown.width * self.state.size + spaces
            });
            if is_shown && self.glyphs.len() < GLYPHS_MAX {
                self.place(&shown, before);
            }
        });
    }

    fn place(&mut self, shown: &Shown<'_>, before: Matrix) {
        let rise = Matrix::shift(0.0, self.state.rise);
        let from = rise.then(before).then(self.state.place);
        let to = rise.then(self.text).then(self.state.place);
        let size = from.height() * self.state.size.abs();
        let text = if self.marks.contains(&Mark::Actual) {
            self.actual.take().unwrap_or_default()
        } else {
            shown.text.into()
        };
        let (start, end) = (from.origin(), to.origin());
        let is_finite = [start.0, start.1, end.0, end.1, size]
            .iter()
            .all(|value| value.is_finite());
        if is_finite {
            self.glyphs.push(Glyph {
                text,
                start,
                end,
                size,
            });
        }
    }

    fn mark(&mut self, operation: &Instruction<'_, '_>, resources: &[&Resources<'_>]) {
        let mut operands = operation.operands();
        let mut mark = Mark::Plain;
        if matches!(operands.next(), Some(Object::Name(name)) if name.as_ref() == b"Artifact") {
            mark = Mark::Artifact;
        }
        let properties = match operands.next() {
            Some(Object::Dict(dict)) => Some(dict.clone()),
            Some(Object::Name(name)) => {
                let mut all = resources.iter().rev();
                all.find_map(|resources| resources.properties.get::<Dict<'_>>(name))
            }
            _ => None,
        };
        if let Some(dict) = properties
            && let Some(Object::String(text)) = dict.get::<Object<'_>>("ActualText")
        {
            mark = Mark::Actual;
            self.actual = Some(text_string(text.as_bytes()).into());
        }
        if self.marks.len() < STATES_MAX {
            self.marks.push(mark);
        }
    }

    fn unmark(&mut self) {
        if self.marks.pop() == Some(Mark::Actual) {
            self.actual = None;
        }
    }

    /// Runs the drawing of an external object.
    fn draw(&mut self, name: &Name<'_>, resources: &[&Resources<'_>]) -> Result<(), ConvertError> {
        let mut all = resources.iter().rev();
        let Some(form) = all.find_map(|resources| resources.get_x_object(name)) else {
            return Ok(());
        };
        let is_form = form
            .dict()
            .get::<Name<'_>>("Subtype")
            .is_some_and(|subtype| subtype.as_ref() == b"Form");
        if !is_form || resources.len() > FORM_DEPTH_MAX {
            return Ok(());
        }
        self.clock.check()?;
        self.draw_form(&form, resources)
    }

    fn draw_form(
        &mut self,
        form: &Stream<'_>,
        resources: &[&Resources<'_>],
    ) -> Result<(), ConvertError> {
        let Ok(content) = form.decoded_data() else {
            return Ok(());
        };
        let own = Resources::new(form.dict().get::<Dict<'_>>("Resources").unwrap_or_default());
        let mut all = resources.to_vec();
        all.push(&own);
        let saved = (self.state.clone(), self.line, self.text);
        let depth = self.states.len();
        if let Some(matrix) = form.dict().get::<Array<'_>>("Matrix") {
            let values: Vec<f64> = matrix.iter::<f64>().collect();
            if let Ok(values) = <[f64; 6]>::try_from(values) {
                self.state.place = Matrix(values).then(self.state.place);
            }
        }
        self.run(&content, &all)?;
        self.states.truncate(depth);
        (self.state, self.line, self.text) = saved;
        Ok(())
    }
}

/// Returns the last `N` operands, if they are numbers.
fn numbers<const N: usize>(operation: &Instruction<'_, '_>) -> Option<[f64; N]> {
    let values: Vec<f64> = operation
        .operands()
        .map(|operand| match operand {
            Object::Number(number) => number.as_f64(),
            _ => f64::NAN,
        })
        .collect();
    let values = <[f64; N]>::try_from(values.get(values.len().checked_sub(N)?..)?).ok()?;
    values
        .iter()
        .all(|value| value.is_finite())
        .then_some(values)
}

fn first_two(operation: &Instruction<'_, '_>) -> Option<[f64; 2]> {
    let mut operands = operation.operands();
    match (operands.next(), operands.next()) {
        (Some(Object::Number(first)), Some(Object::Number(second))) => {
            Some([first.as_f64(), second.as_f64()])
        }
        _ => None,
    }
}

/// Decodes a text string: UTF-16 or UTF-8 if it begins with a byte order mark, otherwise a superset of
/// Latin-1.
fn text_string(bytes: &[u8]) -> String {
    if let Some(units) = bytes.strip_prefix(b"\xfe\xff") {
        return utf16(units);
    }
    if let Some(text) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        return String::from_utf8_lossy(text).into_owned();
    }
    let chars = bytes.iter().filter_map(|&byte| Base::WinAnsi.char(byte));
    chars.collect()
}
