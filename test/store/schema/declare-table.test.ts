import { expect, test } from 'vitest';
import { flag, integer, only, text } from '../../../src/store/schema/columns.ts';
import type { RowOf } from '../../../src/store/schema/declare-table.ts';
import {
  CIK_COLUMN,
  declareTable,
  defineTable,
  requireKey,
  toColumns,
} from '../../../src/store/schema/declare-table.ts';

interface Sale {
  readonly cik: number;
  readonly soldAt: string | null;
  readonly price: string;
  readonly isOwn: boolean;
}

const SALES = defineTable<Sale>()({
  name: 'sales',
  key: 'cik',
  columns: [CIK_COLUMN, text('sold_at?'), text('price'), flag('is_own')],
});

const SALE: Sale = { cik: 7, soldAt: null, price: '1.50', isOwn: true };

test('a table compiles only with a column for each field of its row, of the same type', () => {
  const defineSales = defineTable<Sale>();
  const soldAtColumn = text('sold_at?');
  const otherColumns = [text('price'), flag('is_own')] as const;
  // @ts-expect-error a field that the row does not have
  defineSales({ name: 's', key: 'cik', columns: [CIK_COLUMN, text('sold_on?'), ...otherColumns] });
  // @ts-expect-error a nullable field in a column that is not nullable
  defineSales({ name: 's', key: 'cik', columns: [CIK_COLUMN, text('sold_at'), ...otherColumns] });
  // @ts-expect-error a field that is never null in a nullable column
  defineSales({ name: 's', key: 'cik', columns: [integer('cik?'), soldAtColumn, ...otherColumns] });
  // @ts-expect-error a text in a column of integers
  defineSales({ name: 's', key: 'cik', columns: [CIK_COLUMN, integer('sold_at?'), ...otherColumns] });
  defineSales({
    name: 's',
    key: 'cik',
    // @ts-expect-error a flag that is never null in a nullable column
    columns: [CIK_COLUMN, text('s?', { field: 'soldAt' }), otherColumns[0], flag('is_own?')],
  });
  // @ts-expect-error a field without a column
  defineSales({ name: 's', key: 'cik', columns: [CIK_COLUMN, ...otherColumns] });
  // @ts-expect-error a key that is not an integer
  defineSales({ name: 's', key: 'price', columns: [CIK_COLUMN, text('sold_at?'), ...otherColumns] });
  expect(SALES.columns.map(({ field }) => field)).toEqual(['cik', 'soldAt', 'price', 'isOwn']);
});

test('the rows of a table have the fields and types that its columns store', () => {
  const sales = declareTable({
    name: 'sales',
    key: 'cik',
    columns: [CIK_COLUMN, integer('year?', { field: 'fiscalYear' }), only<'P' | 'S'>()(text('trade_code'))],
  });
  type StoredSale = RowOf<typeof sales>;
  const sale: StoredSale = { cik: 7, fiscalYear: null, tradeCode: 'P' };
  // @ts-expect-error a text that is not one of the column's
  expect({ ...sale, tradeCode: 'X' } satisfies StoredSale).toMatchObject({ cik: 7 });
  // @ts-expect-error null in a column that is not nullable
  expect({ ...sale, cik: null } satisfies StoredSale).toMatchObject({ fiscalYear: null });
  // @ts-expect-error a field without a column
  expect({ ...sale, other: 1 } satisfies StoredSale).toMatchObject({ cik: 7 });
  // @ts-expect-error a key that is not an integer
  declareTable({ name: 'sales', key: 'tradeCode', columns: [text('trade_code')] });
  expect(toColumns(sales, [sale])).toEqual([[7], [null], ['P']]);
});

test('rows become columns, in the order of the columns', () => {
  expect(toColumns(SALES, [SALE, { ...SALE, soldAt: '10:00' }])).toEqual([
    [7, 7],
    [null, '10:00'],
    ['1.50', '1.50'],
    [true, true],
  ]);
});

test.each([
  ['null', { price: null }, 'The column price of sales has no value in a row of cik 7.'],
  ['no such field', { soldAt: undefined }, 'The column sold_at of sales has no value in a row of cik 7.'],
  ['a number for a text', { price: 1.5 }, 'The column price of sales has 1.5 instead of text in a row of cik 7.'],
  ['a fraction', { cik: 0.5 }, 'The column cik of sales has 0.5 instead of integer in a row of cik 0.5.'],
  ['too large an integer', { cik: 2 ** 31 }, /has 2147483648 instead of integer/],
  ['a text for a flag', { isOwn: 'yes' }, /"yes" instead of boolean/],
])('a cell that its column does not accept is refused: %s', (_, wrongCells, message) => {
  expect(() => toColumns(SALES, [SALE, { ...SALE, ...wrongCells } as unknown as Sale])).toThrow(message);
});

test('a row without its key is an error', () => {
  expect(requireKey(SALES, SALE)).toBe(7);
  expect(() => requireKey(SALES, { ...SALE, cik: undefined } as unknown as Sale)).toThrow('A row of sales has no cik.');
  expect(() => requireKey({ ...SALES, key: null }, SALE)).toThrow('A row of sales has no key.');
  expect(integer('n', { absent: 0 })).toMatchObject({ nullable: false, absent: 0 });
});
