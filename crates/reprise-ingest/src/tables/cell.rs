//! The meaning of the values of a column: by its logical type, or by its older converted type.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit};
use parquet::data_type::ByteArray;
use parquet::schema::types::ColumnDescriptor;

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// No value, or a value of a type that is not read.
    Null,
    /// A text, which the file declares as UTF-8.
    Text(ByteArray),
    /// Bytes without a declared meaning.
    Bytes(ByteArray),
    /// An integer.
    Integer(i128),
    /// A floating-point number.
    Fraction(f64),
    /// Milliseconds since 1970.
    Time(i64),
}

/// The meaning of the numbers or bytes of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The numbers or bytes themselves.
    Plain,
    Unsigned,
    Text,
    Uuid,
    /// A decimal number with this number of digits after the point.
    Decimal(i32),
    Days,
    Time(TimeUnit),
}

impl Meaning {
    pub(crate) fn of(column: &ColumnDescriptor) -> Meaning {
        match column.logical_type_ref() {
            Some(LogicalType::String | LogicalType::Json | LogicalType::Enum) => Meaning::Text,
            Some(LogicalType::Uuid) => Meaning::Uuid,
            Some(LogicalType::Integer(kind)) if !kind.is_signed => Meaning::Unsigned,
            Some(LogicalType::Decimal(kind)) => Meaning::Decimal(kind.scale),
            Some(LogicalType::Date) => Meaning::Days,
            Some(LogicalType::Timestamp(kind)) => Meaning::Time(kind.unit),
            _ => match column.converted_type() {
                ConvertedType::UTF8 | ConvertedType::JSON | ConvertedType::ENUM => Meaning::Text,
                ConvertedType::UINT_32 | ConvertedType::UINT_64 => Meaning::Unsigned,
                ConvertedType::DECIMAL => Meaning::Decimal(column.type_scale()),
                ConvertedType::DATE => Meaning::Days,
                ConvertedType::TIMESTAMP_MILLIS => Meaning::Time(TimeUnit::MILLIS),
                ConvertedType::TIMESTAMP_MICROS => Meaning::Time(TimeUnit::MICROS),
                _ => Meaning::Plain,
            },
        }
    }

    /// Returns the cell of a number, which is given both as signed and as unsigned.
    pub(crate) fn number(self, signed: i64, unsigned: u64) -> Cell {
        match self {
            Meaning::Unsigned => Cell::Integer(unsigned.into()),
            Meaning::Days => Cell::Time(signed.saturating_mul(86_400_000)),
            Meaning::Time(TimeUnit::MILLIS) => Cell::Time(signed),
            Meaning::Time(TimeUnit::MICROS) => Cell::Time(signed.div_euclid(1000)),
            Meaning::Time(TimeUnit::NANOS) => Cell::Time(signed.div_euclid(1_000_000)),
            Meaning::Decimal(scale) => decimal(signed.into(), scale),
            _ => Cell::Integer(signed.into()),
        }
    }

    pub(crate) fn bytes(self, bytes: ByteArray) -> Cell {
        match self {
            Meaning::Text => Cell::Text(bytes),
            Meaning::Uuid => uuid(bytes.data()).map_or(Cell::Bytes(bytes), Cell::Text),
            Meaning::Decimal(scale) => {
                big_endian(bytes.data()).map_or(Cell::Null, |number| decimal(number, scale))
            }
            _ => Cell::Bytes(bytes),
        }
    }
}

/// Returns the cell of a decimal number. Only integers are read, because some programs write large unsigned
/// numbers like this.
fn decimal(number: i128, scale: i32) -> Cell {
    if scale == 0 {
        Cell::Integer(number)
    } else {
        Cell::Null
    }
}

fn big_endian(bytes: &[u8]) -> Option<i128> {
    let mut number = [if *bytes.first()? < 128 { 0 } else { 255 }; 16];
    let start = number.len().checked_sub(bytes.len())?;
    number[start..].copy_from_slice(bytes);
    Some(i128::from_be_bytes(number))
}

fn uuid(bytes: &[u8]) -> Option<ByteArray> {
    let number = u128::from_be_bytes(bytes.try_into().ok()?);
    let digits = format!("{number:032x}");
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]);
    Some(parts.join("-").into_bytes().into())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::Bytes;
    use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
    use parquet::data_type::{
        ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
        FloatType, Int32Type, Int64Type,
    };
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::types::{PrimitiveTypeBuilder, Type};

    use super::super::{Input, Table};
    use super::Cell;

    fn column(physical: Physical) -> PrimitiveTypeBuilder<'static> {
        Type::primitive_type_builder("id", physical).with_repetition(Repetition::REQUIRED)
    }

    /// Writes a column with these values, and returns its cells. Checks that reading from the second row on
    /// gives the same.
    fn cells<T: DataType>(column: PrimitiveTypeBuilder<'_>, values: &[T::T]) -> Vec<Cell> {
        let column = Arc::new(column.build().unwrap());
        let schema = Type::group_type_builder("schema").with_fields(vec![column]);
        let schema = Arc::new(schema.build().unwrap());
        let properties = Arc::new(WriterProperties::builder().build());
        let mut file = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut file, schema, properties).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<T>().write_batch(values, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
        let file = Bytes::from(file);
        let read = |from: u64| {
            let mut table = Table::open(Input::memory(file.clone()), &["id"], 1 << 20).unwrap();
            assert_eq!(table.skip(from).unwrap(), from);
            table.read(1 << 20).unwrap().unwrap().remove(0)
        };
        let all = read(0);
        assert_eq!(read(1), all[1..]);
        all
    }

    fn bytes(bytes: &[u8]) -> Cell {
        Cell::Bytes(bytes.to_vec().into())
    }

    #[test]
    fn numbers_of_every_meaning() {
        let check = |kind: ConvertedType, values: [i64; 2], expected: [Cell; 2]| {
            let column = column(Physical::INT64).with_converted_type(kind);
            assert_eq!(cells::<Int64Type>(column, &values), expected, "{kind}");
        };
        let (integer, time) = (Cell::Integer, Cell::Time);
        check(ConvertedType::NONE, [-1, 5], [integer(-1), integer(5)]);
        let unsigned = [integer(u64::MAX.into()), integer(5)];
        check(ConvertedType::UINT_64, [-1, 5], unsigned);
        check(
            ConvertedType::TIMESTAMP_MILLIS,
            [-1, 5],
            [time(-1), time(5)],
        );
        let micros = [1_709_210_096_789_123, -1];
        let expected = [time(1_709_210_096_789), time(-1)];
        check(ConvertedType::TIMESTAMP_MICROS, micros, expected);
        let unsigned = LogicalType::integer(32, false);
        let unsigned = column(Physical::INT32).with_logical_type(Some(unsigned));
        assert_eq!(
            cells::<Int32Type>(unsigned, &[-1, 7]),
            [integer(u32::MAX.into()), integer(7)]
        );
        let fractions = [Cell::Fraction(5.0), Cell::Fraction(0.5)];
        let doubles = cells::<DoubleType>(column(Physical::DOUBLE), &[5.0, 0.5]);
        assert_eq!(doubles, fractions);
        let floats = cells::<FloatType>(column(Physical::FLOAT), &[5.0, 0.5]);
        assert_eq!(floats, fractions);
    }

    #[test]
    fn bytes_of_every_meaning() {
        let words: [ByteArray; 2] = ["a".into(), "b".into()];
        let text = column(Physical::BYTE_ARRAY).with_converted_type(ConvertedType::UTF8);
        let expected = words.clone().map(Cell::Text);
        assert_eq!(cells::<ByteArrayType>(text, &words), expected);
        let plain = column(Physical::BYTE_ARRAY);
        assert_eq!(
            cells::<ByteArrayType>(plain, &words),
            words.clone().map(Cell::Bytes)
        );

        let fixed = |column: PrimitiveTypeBuilder<'_>, values: &[&[u8]]| {
            let column = column.with_length(values[0].len() as i32);
            let values: Vec<FixedLenByteArray> = values
                .iter()
                .map(|value| ByteArray::from(value.to_vec()).into())
                .collect();
            cells::<FixedLenByteArrayType>(column, &values)
        };
        let of_length = || column(Physical::FIXED_LEN_BYTE_ARRAY);
        assert_eq!(
            fixed(of_length(), &[b"ab", b"cd"]),
            [bytes(b"ab"), bytes(b"cd")]
        );
        let uuid: Vec<u8> = (0..16).collect();
        let column = of_length().with_logical_type(Some(LogicalType::Uuid));
        let expected = Cell::Text("00010203-0405-0607-0809-0a0b0c0d0e0f".into());
        assert_eq!(fixed(column, &[&uuid, &uuid]), [expected.clone(), expected]);
        let decimal = |scale: i32| {
            let column = of_length().with_logical_type(Some(LogicalType::decimal(scale, 20)));
            column.with_precision(20).with_scale(scale)
        };
        let large: &[u8] = &[0, 255, 255, 255, 255, 255, 255, 255, 255];
        let expected = [Cell::Integer(u64::MAX.into()), Cell::Integer(-1)];
        assert_eq!(fixed(decimal(0), &[large, &[255; 9]]), expected);
        assert_eq!(fixed(decimal(2), &[large, large]), [Cell::Null, Cell::Null]);
    }
}
