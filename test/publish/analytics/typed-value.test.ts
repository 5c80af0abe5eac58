import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ColumnFit, fitOf, isExact, toStored, type ValueType } from '../../../src/publish/analytics/typed-value.ts';

function needsOf(type: ValueType, cells: readonly (string | null)[]) {
  const column = new ColumnFit(type);
  for (const cell of cells) column.add(cell);
  return fitOf([column.measured]);
}

test('the scale of a decimal column is the number of decimals of its values without trailing zeros', () => {
  expect(needsOf('decimal', ['1.5000', '-22', null, '0.25'])).toEqual({ scale: 2, fitsAllCells: true });
  expect(needsOf('decimal', [])).toEqual({ scale: 0, fitsAllCells: true });
});

test('a value outside the type does not reduce the scale of the others', () => {
  const long = `0.${'3'.repeat(19)}`;
  expect(needsOf('decimal', ['1.25', long])).toEqual({ scale: 2, fitsAllCells: false });
  expect(toStored(long, 'decimal', 2)).toBeNull();
  expect(needsOf('decimal', ['1.25', '9'.repeat(37)])).toEqual({ scale: 2, fitsAllCells: false });
  expect(needsOf('decimal', ['1.25', '9'.repeat(36)])).toEqual({ scale: 2, fitsAllCells: true });
  expect(needsOf('decimal', ['1.25', 'n/a'])).toEqual({ scale: 2, fitsAllCells: false });
});

test('the scale of a column is that of its parts together', () => {
  const measured = (cells: readonly string[]) => {
    const part = new ColumnFit('decimal');
    for (const cell of cells) part.add(cell);
    return part.measured;
  };
  const [whole, fraction] = [measured(['9'.repeat(36)]), measured(['0.125'])];
  expect(fitOf([whole])).toEqual({ scale: 0, fitsAllCells: true });
  expect(fitOf([whole, fraction])).toEqual({ scale: 3, fitsAllCells: false });
  expect(fitOf([])).toEqual({ scale: 0, fitsAllCells: true });
});

test('impossible dates, and times without an offset, are not converted', () => {
  for (const day of ['2023-02-29', '2023-13-01', '2023-00-10', '0099-01-01', '20230101', '2023-1-1', '']) {
    expect(toStored(day, 'date', 0), day).toBeNull();
  }
  expect(toStored('2024-02-29', 'date', 0)).toBe(19_782);
  expect(toStored('1969-12-31', 'date', 0)).toBe(-1);
  expect(toStored('2023-02-09T10:54:46-05:00', 'timestamp', 0)).toBe(1_675_958_086_000_000n);
  expect(toStored('1970-01-01T00:00:00.000001Z', 'timestamp', 0)).toBe(1n);
  for (const moment of ['2023-02-09T10:54:46', '2023-02-30T10:54:46Z', '2023-02-09T24:00:00Z', '2023-02-09']) {
    expect(toStored(moment, 'timestamp', 0), moment).toBeNull();
  }
});

test('a decimal is stored with all its digits, and any other value is detected', () => {
  const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`));
  fc.assert(
    fc.property(fc.boolean(), digits(20), digits(18), (negative, whole, fraction) => {
      const text = `${negative ? '-' : ''}${whole}.${fraction}`;
      const stored = toStored(text, 'decimal', 18);
      if (stored === null) throw new Error(`${text} was not stored`);
      expect(stored).toBe(BigInt(`${negative ? '-' : ''}${whole}${fraction.padEnd(18, '0')}`));
      expect(isExact(stored, text, 'decimal', 18)).toBe(true);
      expect(isExact(stored, `${text}1`, 'decimal', 18)).toBe(false);
    }),
  );
});
