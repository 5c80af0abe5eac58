import { expect, test } from 'vitest';
import type { QuestionCommand } from '../../src/ask/command/command.ts';
import lineage from '../../src/questions/lineage.ts';
import segments from '../../src/questions/segments.ts';
import { formatNotices, renderCsvLines, renderText, runWithAnswers, runWithData } from './result-of.ts';

const renderView = async (command: QuestionCommand, data: unknown) => renderText(await runWithData(command, data));
const renderCsv = async (command: QuestionCommand, data: unknown) =>
  renderCsvLines(await runWithData(command, data, { form: 'rows' }));

/** Apple's operating income: segment figures exclude research and corporate costs. */
const OPERATING_INCOME_SEGMENTS = {
  ...{ cik: 320193, ticker: 'AAPL', entity_name: 'Apple Inc.', period: 'quarterly', documents: 4 },
  axes: [
    {
      axis: 'segment',
      measures: [
        {
          ...{ measure: 'operating_income', concept: 'us-gaap:OperatingIncomeLoss', unit: 'USD' },
          periods: [
            {
              ...{ fiscal_year: 2024, fiscal_period: 'Q4', end_date: '2024-09-28', derived: true, form: '10-K' },
              accession_number: '0000320193-24-000123',
            },
          ],
          members: [
            ['Americas', '17016000000'],
            ['Europe', '9918000000'],
            ['Greater China', '6198000000'],
            ['Rest of Asia Pacific', '3067000000'],
            ['Japan', '2956000000'],
          ].map(([label, value]) => ({ member: `aapl:${label}`, label, values: [value] })),
          totals: ['29591000000'],
        },
      ],
    },
  ],
};

test('the difference between members and total has its own line, and derived quarters are marked', async () => {
  const text = await renderView(segments, OPERATING_INCOME_SEGMENTS);
  expect(text).toContain('Operating income by segment, USD');
  expect(text).toMatch(/Americas +57\.5 % +17\.02B/);
  expect(text).toMatch(/Other \(total less the members\) +-32\.3 % +-9\.56B/);
  expect(text).toMatch(/Consolidated +29\.59B/);
  expect(text).toContain('Q4 2024*');
  expect(text).toContain('* computed as the year less its first three quarters');
  const rows = await renderCsv(segments, OPERATING_INCOME_SEGMENTS);
  expect(rows).toHaveLength(7);
  expect(rows.at(-1)).toMatch(/,Other \(total less the members\),.*,-9564000000,29591000000,.*,remainder$/);
});

/** Returns an answer about one measure of one year, with members as [name, value, other fields]. */
const makeBreakdown = (total: string, ...members: readonly (readonly [string, string | null, object?])[]) => ({
  ...OPERATING_INCOME_SEGMENTS,
  axes: [
    {
      axis: 'segment',
      measures: [
        {
          ...{ measure: 'revenue', concept: 'us-gaap:Revenues', unit: 'USD' },
          periods: [
            {
              ...{ fiscal_year: 2024, fiscal_period: 'FY', end_date: '2024-12-31', form: '10-K' },
              accession_number: '0000731766-25-000063',
            },
          ],
          members: members.map(([name, value, others]) => ({ member: name, label: name, values: [value], ...others })),
          totals: [total],
        },
      ],
    },
  ],
});
const readTree = async (answer: object) =>
  (await renderView(segments, answer))
    .split('\n')
    .slice(4)
    .map((line) => line.replace(/ +(-?[\d.]+ %|400\.28K|$).*/, ''));

test('parts are below their member, reconciling items are marked, and each level says what it leaves over', async () => {
  const answer = makeBreakdown(
    '400278',
    ['Unitedhealthcare', '298208'],
    ['Optum', '252957'],
    ['Rx', '133231', { parent: 'Optum' }],
    ['Health', '105358', { parent: 'Optum' }],
    ['Corporate', '-150887', { role: 'reconciling' }],
    ['Products', '50226', { role: 'not_added' }],
  );
  expect(await readTree(answer)).toEqual([
    'Unitedhealthcare',
    'Optum',
    '  Rx',
    '  Health',
    '  Other (Optum less its parts)',
    'Corporate ‡',
    'Consolidated',
    'Products §',
    expect.stringMatching(/^‡ reconciling item: .* § also stated, but not added up/),
    '',
  ]);
  // The rows of each level add up to the row above them.
  const [header = '', ...rows] = await renderCsv(segments, answer);
  const columns = header.split(',');
  const read = (row: string, column: string) => row.split(',')[columns.indexOf(column)] ?? '';
  const sumBelow = (parent: string) =>
    rows
      .filter((row) => read(row, 'parent') === parent && read(row, 'role') !== 'not_added')
      .reduce((sum, row) => sum + Number(read(row, 'value')), 0);
  expect([sumBelow(''), sumBelow('Optum')]).toEqual([400278, 252957]);
});

test('parts count themselves in a period without their parent, and members above themselves do not hang the client', async () => {
  const rowsWithoutParent = await renderCsv(
    segments,
    makeBreakdown('30', ['Whole', null], ['A', '10', { parent: 'Whole' }], ['B', '20', { parent: 'Whole' }]),
  );
  expect(rowsWithoutParent.slice(1).map((row) => row.split(',').slice(-2))).toEqual([
    ['', 'member'],
    ['', 'member'],
    ['', 'member'],
  ]);
  const loop = makeBreakdown(
    '30',
    ['A', '10', { parent: 'B' }],
    ['B', null, { parent: 'A' }],
    ['C', '20', { parent: 'C' }],
  );
  expect((await renderCsv(segments, loop)).slice(1)).toHaveLength(3);
  expect(await renderView(segments, loop)).toMatch(/^A .*\n(.*\n)*C /m);
});

test('charts include the remainder that no segment accounts for, and a notice names a report after the newest period', async () => {
  const report = { form: '10-K', report_date: '2025-09-27', filed_at: '2025-10-31' };
  const result = await runWithAnswers(
    segments,
    ({ operation }) => (operation.id === 'segments' ? { data: OPERATING_INCOME_SEGMENTS } : { data: [report] }),
    { form: 'chart' },
  );
  const [chart] = result.charts?.draw() ?? [];
  expect(chart?.kind === 'bars' && chart.series.at(-1)).toEqual({
    label: 'Total less members',
    values: ['-9564000000'],
    colour: 5,
  });
  expect(formatNotices(result).join(' ')).toMatch(/period to 2024-09-28\. .*a 10-K for 2025-09-27, filed 2025-10-31/);
});

test('if a measure is tagged with two concepts, the tables name the concept', async () => {
  const [axis] = OPERATING_INCOME_SEGMENTS.axes;
  const [measure] = axis?.measures ?? [];
  const olderMeasure = { ...measure, concept: 'us-gaap:SegmentReportingInformationOperatingIncomeLoss' };
  const text = await renderView(segments, {
    ...OPERATING_INCOME_SEGMENTS,
    axes: [{ axis: 'segment', measures: [measure, olderMeasure] }],
  });
  expect(text).toContain('Operating income by segment, USD (us-gaap:OperatingIncomeLoss)');
  expect(text).toContain('USD (us-gaap:SegmentReportingInformationOperatingIncomeLoss)');
});

const makeLineageRow = (location: object | null) => ({
  ...{ metric_value_id: 'x', cik: 320193, entity_name: 'Apple Inc.', ticker: 'AAPL', metric_key: 'revenue' },
  ...{ metric_label: 'Revenue', metric_value: '94036000000', metric_unit: 'USD', end_date: '2025-06-28' },
  ...{ start_date: '2025-03-30', fiscal_year: 2025, fiscal_period: 'Q3', period_kind: 'quarter', taxonomy: 'us-gaap' },
  ...{ raw_fact_id: 'y', role: 'value', concept: 'Revenues', raw_value: '94036000000', raw_unit: 'USD', form: '10-Q' },
  ...{ accession_number: '0000320193-25-000073', filed_at: '2025-08-01', location },
});
const makeLocation = (match_quality: string, line_id: string | null) => ({
  ...{ match_quality, line_id, concept: 'us-gaap:Revenues', context: 'c-1', document: 'aapl-20250628.htm' },
});

test("lineage names the document's line with the fact, if the document was read", async () => {
  const renderLineage = (location: object | null) => renderView(lineage, [makeLineageRow(location)]);
  expect(await renderLineage(makeLocation('unique', 'f-60'))).toMatch(/0000320193-25-000073 +f-60$/m);
  expect(await renderLineage(makeLocation('ambiguous', 'f-60'))).toContain('f-60, and other lines');
  expect(await renderLineage(makeLocation('hidden_only', null))).toContain('tagged in the document, but not visible');
  expect(await renderLineage(makeLocation('none', null))).toContain('not in the document');
  expect(await renderLineage(null)).not.toContain('Line');
  expect((await renderCsv(lineage, [makeLineageRow(makeLocation('unique', 'f-60'))]))[1]).toContain(
    'unique,c-1,aapl-20250628.htm,f-60',
  );
});
