/** Formulas are computed exactly as decimal.js computes them, and nothing that a user types is run. */
import { Decimal as BigDecimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Decimal } from '../../../src/contract/decimal-text.ts';
import { isFailure } from '../../../src/contract/failure.ts';
import { evaluateFormulas, findFormulaMeasure } from '../../../src/questions/formulas/evaluate.ts';
import { type Formulas, readMetricFormulas, readScreenFormulas } from '../../../src/questions/formulas/formulas.ts';
import { parseExpression } from '../../../src/questions/formulas/parse.ts';
import { makeFormulaColumns } from '../../../src/questions/screens/formula-columns.ts';
import { findMeasure } from '../../../src/result/labels.ts';

const Exact = BigDecimal.clone({
  precision: 600,
  rounding: BigDecimal.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
});
const FIGURES = ['revenue', 'assets', 'net_income'] as const;
type Row = Readonly<Record<(typeof FIGURES)[number], Decimal | null>>;

const readFormulas = (...texts: string[]) => {
  const formulas = readScreenFormulas(new Map([['compute', texts]]));
  if (formulas === null) throw new Error('no formulas');
  return formulas;
};

function compute(texts: readonly string[], rows: readonly Row[]) {
  const column = (figure: string) => rows.map((row) => row[figure as keyof Row] ?? null);
  return evaluateFormulas(readFormulas(...texts), { size: rows.length, column });
}

const computeLast = (texts: readonly string[], rows: readonly Row[]) =>
  [...compute(texts, rows).columns.values()].at(-1);

const amount = fc.tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: 0, max: 4 }));
const decimal = amount.map(([units, places]) => new Exact(`${units}`).div(new Exact(10).pow(places)).toFixed());
const figure = fc.option(decimal, { freq: 5 });
const row: fc.Arbitrary<Row> = fc.record({ revenue: figure, assets: figure, net_income: figure });

/** A formula as text, and its value by decimal.js: null if an operand is absent or a divisor is zero. */
interface Sample {
  readonly text: string;
  readonly value: (row: Row) => BigDecimal | null;
}

const combine =
  (a: Sample, b: Sample, compute: (a: BigDecimal, b: BigDecimal) => BigDecimal | null): Sample['value'] =>
  (row) => {
    const [left, right] = [a.value(row), b.value(row)];
    return left === null || right === null ? null : compute(left, right);
  };

const flag = (holds: boolean) => new Exact(holds ? 1 : 0);

const OPERATIONS: Readonly<Record<string, (a: BigDecimal, b: BigDecimal) => BigDecimal | null>> = {
  '+': (a, b) => a.plus(b),
  '-': (a, b) => a.minus(b),
  '*': (a, b) => a.times(b),
  '/': (a, b) => (b.isZero() ? null : a.div(b).toDecimalPlaces(10)),
  '<': (a, b) => flag(a.lt(b)),
  '>=': (a, b) => flag(a.gte(b)),
  '!=': (a, b) => flag(!a.eq(b)),
  min: (a, b) => Exact.min(a, b),
  max: (a, b) => Exact.max(a, b),
};

const formatOperation = (operator: string, a: string, b: string): string =>
  /^m/.test(operator) ? `${operator}(${a}, ${b})` : `(${a} ${operator} ${b})`;

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(...FIGURES).map(
      (name): Sample => ({
        text: name,
        value: (row) => (row[name] === null ? null : new Exact(row[name])),
      }),
    ),
    fc.integer({ min: 0, max: 999 }).map(
      (number): Sample => ({
        text: `${number}%`,
        value: () => new Exact(number).div(100),
      }),
    ),
    fc.tuple(tie('sample'), tie('sample'), fc.constantFrom(...Object.entries(OPERATIONS))).map(
      ([a, b, [operator, operation]]): Sample => ({
        text: formatOperation(operator, a.text, b.text),
        value: combine(a, b, operation),
      }),
    ),
    tie('sample').map((a): Sample => ({ text: `-abs(${a.text})`, value: (row) => a.value(row)?.abs().neg() ?? null })),
  ),
}));

test('every formula has the value of decimal.js, or none if an operand is absent or a divisor is zero', () => {
  fc.assert(
    fc.property(sample, fc.array(row, { minLength: 1, maxLength: 3 }), ({ text, value }, rows) => {
      fc.pre(text.length < 900);
      const expected = rows.map((row) => value(row));
      const computed = computeLast([`x = ${text}`], rows) ?? [];
      for (const [index, number] of expected.entries()) {
        const shown = computed[index] ?? null;
        if (number === null || shown === null) expect(shown).toBe(number);
        else expect(new Exact(shown).eq(number), `${text}: ${shown} is ${number.toFixed()}`).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

test('operators bind as in arithmetic', () => {
  const [row] = [{ revenue: '10', assets: '4', net_income: '2' }];
  const values = (text: string) => computeLast([`x=${text}`], [row]);
  expect(values('revenue-assets-net_income*2+1')).toEqual(['3']);
  expect(values('revenue/assets/net_income')).toEqual(['1.25']);
  expect(values('-assets*-2')).toEqual(['8']);
  expect(values('1.5B > revenue+.5')).toEqual(['1']);
  expect(values('1/3')).toEqual(['0.3333333333']);
});

test('a zero is a value, and a zero divisor and an absent figure are none', () => {
  const row = { revenue: '0', assets: null, net_income: '5' };
  expect(computeLast(['x=revenue*net_income'], [row])).toEqual(['0']);
  expect(computeLast(['x=net_income/revenue'], [row])).toEqual([null]);
  expect(computeLast(['x=max(assets, 1)'], [row])).toEqual([null]);
});

test('rank counts values above, equal values share a rank, and absent ones have none', () => {
  const rows = ['5', null, '7', '5.0', '-1'].map((revenue) => ({ revenue, assets: null, net_income: null }));
  const { columns, rankSizes } = compute(['half=revenue/2', 'x=rank(half)'], rows);
  expect(columns.get('x')).toEqual(['2', null, '1', '2', '4']);
  expect(rankSizes.get('x')).toEqual([4]);
});

test.each([
  ['x=revenue/assets', 'multiple'],
  ['x=revenue-5', 'money'],
  ['x=(revenue+assets)/common_shares_outstanding', 'per_share'],
  ['x=eps_diluted*common_shares_outstanding', 'money'],
  ['y=revenue>assets;x=y+y', 'count'],
  ['x=max(roe, roa)', 'fraction'],
  ['x=max(1, 2, revenue)', 'money'],
])('the measure of %s is %s', (text, measure) => {
  expect(findFormulaMeasure(readFormulas(text), 'x', (figure) => findMeasure(figure, 'pure'))).toBe(measure);
});

test('only a filter of the same formula shows it as a percentage', () => {
  const columns = makeFormulaColumns(readFormulas('x=assets', 'x_2=assets/2'), new Map([['where', ['x_2:gt:8%']]]));
  expect(columns.map(({ measure }) => measure)).toEqual(['money', 'fraction']);
});

test('any text is a formula or a usage failure, soon', () => {
  const piece = fc.constantFrom(
    '(',
    ')',
    '-',
    '+',
    '*',
    '/',
    ',',
    ' ',
    '<',
    '=',
    'min',
    'x',
    '1',
    '.',
    '%',
    '__proto__',
    '`',
    '$',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 1200 }),
        fc.array(piece, { maxLength: 1200 }).map((parts) => parts.join('')),
      ),
      (text) => {
        try {
          parseExpression(text);
        } catch (error) {
          expect(isFailure(error) && error.kind).toBe('usage');
        }
      },
    ),
    { numRuns: 3000 },
  );
});

test.each([
  [['x=1', 'y='], /missing at the end/],
  [['x=constructor(1)'], /"constructor" is not a function/],
  [['x=process.exit'], /"\.exit"|"\."/],
  [['x=market_capp'], /Unknown figure "market_capp".*market_cap/],
  [['x=prior(revenue)'], /prior, which only fin metrics and fin compare/],
  [['a=b', 'b=c+1', 'c=a'], /a uses b uses c uses a/],
  [['x=1', 'x=2'], /given twice/],
  [['roe=1'], /roe, which is a column/],
  [['avg=1'], /avg, which is a function/],
  [['X=1'], /cannot be the name/],
  [[`x=${'('.repeat(33)}1${')'.repeat(33)}`], /more than 32/],
  [[`x=${'1+'.repeat(500)}1`], /1001 characters; the maximum is 1000/],
  [Array.from({ length: 65 }, (_, index) => `x${index}=1`), /65 formulas; the maximum is 64/],
])('%j is refused', (texts, message) => {
  expect(() => readFormulas(...texts)).toThrow(message);
});

test('a formula within all limits is accepted', () => {
  expect(() => readFormulas(`x=${'('.repeat(31)}1${')'.repeat(31)}`)).not.toThrow();
  expect(readMetricFormulas(new Map([['compute', ['x=avg(prior(revenue)); y=x/2']]]))?.names).toEqual(['x', 'y']);
});

test('squares of squares end with a failure, not with endless digits', () => {
  const squares = Array.from({ length: 30 }, (_, index) => `x${index + 1}=x${index}*x${index}`);
  const rows = [{ revenue: '1234567', assets: null, net_income: null }];
  expect(() => compute(['x0=revenue', ...squares], rows)).toThrow(/more than 1000 digits/);
});

test('nested averages take no exponential time', () => {
  const formula = `${'avg('.repeat(31)}revenue${')'.repeat(31)}`;
  const formulas = readMetricFormulas(new Map([['compute', [`a=${formula}`]]]));
  let reads = 0;
  const column = () => {
    reads += 1;
    return ['8'];
  };
  const { columns } = evaluateFormulas(formulas as Formulas, { size: 1, column });
  expect(columns.get('a')).toEqual(['8']);
  expect(reads).toBe(32);
});
