import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ColumnMeasurer, combineMeasures, isExact, toStoredValue } from '../../src/export/typed-value.ts';
import type { ValueType } from '../../src/store/schema/columns.ts';

function findScaleAndFit(type: ValueType, cells: readonly (string | null)[]) {
  const columnMeasurer = new ColumnMeasurer(type);
  for (const cell of cells) columnMeasurer.add(cell);
  return combineMeasures([columnMeasurer.measured]);
}

test('the scale of a decimal column is the number of decimals of its values without trailing zeros', () => {
  expect(findScaleAndFit('decimal', ['1.5000', '-22', null, '0.25'])).toEqual({ scale: 2, fitsAllCells: true });
  expect(findScaleAndFit('decimal', [])).toEqual({ scale: 0, fitsAllCells: true });
});

test('a value that the type cannot represent does not change the scale of its column', () => {
  const unstorableValue = `0.${'3'.repeat(19)}`;
  expect(findScaleAndFit('decimal', ['1.25', unstorableValue])).toEqual({ scale: 2, fitsAllCells: false });
  expect(toStoredValue(unstorableValue, 'decimal', 2)).toBeNull();
  expect(findScaleAndFit('decimal', ['1.25', '9'.repeat(37)])).toEqual({ scale: 2, fitsAllCells: false });
  expect(findScaleAndFit('decimal', ['1.25', '9'.repeat(36)])).toEqual({ scale: 2, fitsAllCells: true });
  expect(findScaleAndFit('decimal', ['1.25', 'n/a'])).toEqual({ scale: 2, fitsAllCells: false });
});

test('the scale of a column is the largest scale of its parts', () => {
  const measureCells = (cells: readonly string[]) => {
    const decimalMeasurer = new ColumnMeasurer('decimal');
    for (const cell of cells) decimalMeasurer.add(cell);
    return decimalMeasurer.measured;
  };
  const [longInteger, shortFraction] = [measureCells(['9'.repeat(36)]), measureCells(['0.125'])];
  expect(combineMeasures([longInteger])).toEqual({ scale: 0, fitsAllCells: true });
  expect(combineMeasures([longInteger, shortFraction])).toEqual({ scale: 3, fitsAllCells: false });
  expect(combineMeasures([])).toEqual({ scale: 0, fitsAllCells: true });
});

test('impossible dates, and times without an offset, are not converted', () => {
  for (const day of ['2023-02-29', '2023-13-01', '2023-00-10', '0099-01-01', '20230101', '2023-1-1', '']) {
    expect(toStoredValue(day, 'date', 0), day).toBeNull();
  }
  expect(toStoredValue('2024-02-29', 'date', 0)).toBe(19_782);
  expect(toStoredValue('1969-12-31', 'date', 0)).toBe(-1);
  expect(toStoredValue('2023-02-09T10:54:46-05:00', 'timestamp', 0)).toBe(1_675_958_086_000_000n);
  expect(toStoredValue('1970-01-01T00:00:00.000001Z', 'timestamp', 0)).toBe(1n);
  for (const time of ['2023-02-09T10:54:46', '2023-02-30T10:54:46Z', '2023-02-09T24:00:00Z', '2023-02-09']) {
    expect(toStoredValue(time, 'timestamp', 0), time).toBeNull();
  }
});

test('a decimal is stored with all its digits, and isExact rejects a text with one more digit', () => {
  const makeArbitraryDigits = (maxDigits: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${maxDigits}}$`));
  fc.assert(
    fc.property(
      fc.boolean(),
      makeArbitraryDigits(20),
      makeArbitraryDigits(18),
      (isNegative, integerDigits, fractionDigits) => {
        const text = `${isNegative ? '-' : ''}${integerDigits}.${fractionDigits}`;
        const storedValue = toStoredValue(text, 'decimal', 18);
        if (storedValue === null) throw new Error(`${text} was not stored`);
        expect(storedValue).toBe(BigInt(`${isNegative ? '-' : ''}${integerDigits}${fractionDigits.padEnd(18, '0')}`));
        expect(isExact(storedValue, text, 'decimal', 18)).toBe(true);
        expect(isExact(storedValue, `${text}1`, 'decimal', 18)).toBe(false);
      },
    ),
  );
});
