/** Tests `fin facts` with a list of concepts, and with the facts of Apple's InventoryNet. */
import { expect, test } from 'vitest';
import facts from '../../src/questions/facts.ts';
import { measureWidth } from '../../src/render/text/text-width.ts';
import { formatNotices, makeRecords, type QuestionSettings, renderText, runWithAnswers } from './result-of.ts';

const makeFact = (end: string, value: string, filed: string, revision_rank = 1) => ({
  ...{ start_date: null, end_date: end, value, kind: revision_rank === 1 ? 'first' : 'same', revision_rank },
  ...{ accession_number: '0000320193-25-000079', form: '10-K', filed_at: filed, focus_year: 2025, focus_period: 'FY' },
  source_url: 'https://www.sec.gov/',
});

const FACTS = [
  makeFact('2025-09-27', '5718000000', '2025-10-31'),
  makeFact('2024-09-28', '7286000000', '2024-11-01'),
  makeFact('2024-09-28', '7286000000', '2025-10-31', 2),
];

const LONG_CONCEPT_NAME =
  'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterestAndMinorityInterest';

const makeConcept = (name: string, overrides: object = {}) => ({
  ...{ ticker: 'AAPL', exchange: 'Nasdaq', cik: 320193, entity_name: 'Apple Inc.', taxonomy: 'us-gaap' },
  ...{ concept: name, unit: 'USD', fact_count: 3, earliest_end_date: '2024-09-28', latest_end_date: '2025-09-27' },
  ...overrides,
});

/** Runs `fin facts`. If `included` is false, requests for the facts of a concept fail. */
const runFacts = (
  args: readonly string[],
  { included = true, ...settings }: QuestionSettings & { readonly included?: boolean } = {},
) =>
  runWithAnswers(
    facts,
    ({ rawParameters }) => {
      const hasConcept = rawParameters.some(([name]) => name === 'concept');
      if (hasConcept && !included) return null;
      return hasConcept
        ? { data: [makeConcept('InventoryNet', { facts: FACTS })] }
        : { data: [makeConcept('InventoryNet'), makeConcept(LONG_CONCEPT_NAME)], meta: { total: 39, limit: 2 } };
    },
    { args, ...settings },
  );

test('a limit counts facts, and a notice states the total', async () => {
  const result = await runFacts(['AAPL', 'InventoryNet'], { options: { limit: '2' } });
  expect(makeRecords(result).map(({ end_date, revision_rank }) => [end_date, revision_rank])).toEqual([
    ['2025-09-27', 1],
    ['2024-09-28', 1],
  ]);
  expect(formatNotices(result)).toContain('Showing 2 of 3 facts. To see all, remove --limit.');
  expect(result.total).toBe(3);
  const { data, fin } = JSON.parse(
    [...(await runFacts(['AAPL', 'InventoryNet'], { options: { limit: '1' }, form: 'document' })).document()].join(''),
  );
  expect([data[0].facts.length, fin.narrowed]).toEqual([1, true]);
  expect(makeRecords(await runFacts(['AAPL', 'InventoryNet']))).toHaveLength(3);
  expect(formatNotices(await runFacts(['AAPL', 'InventoryNet'], { options: { limit: '3' } })).join(' ')).not.toContain(
    'Showing',
  );
});

test('--as-of without a concept is refused, and the error names the option', async () => {
  await expect(runFacts(['AAPL'], { options: { 'as-of': '2020-01-31' } })).rejects.toMatchObject({
    kind: 'usage',
    text: [{ option: 'as_of' }, ' needs a concept: the list of concepts covers all filings, whatever their date.'],
  });
});

test('a list of concepts states their number, and suggests only a command that works', async () => {
  const conceptsResult = await runFacts(['AAPL'], { options: { search: 'inventory', limit: '2' } });
  expect(formatNotices(conceptsResult)).toEqual([
    'Showing 2 of 39 concepts. To see all: --all',
    'To see the facts of one concept: fin facts AAPL InventoryNet',
  ]);
  const resultWithoutFacts = await runFacts(['CAT'], { included: false, sample: true });
  expect(formatNotices(resultWithoutFacts)).toContain(
    'The release does not include the facts of these concepts. To include them: fin data fetch CAT, then fin data build --facts CAT',
  );
  expect(formatNotices(resultWithoutFacts).join(' ')).not.toContain('To see the facts of one concept');
  // No request is sent to find out whether a remote service has facts, so no command is suggested.
  expect(formatNotices(await runFacts(['CAT'], { included: false, inProcess: false })).join(' ')).not.toContain(
    'facts',
  );
});

test('the name of a concept is never cut: other columns are dropped first, then the name wraps', async () => {
  const text = renderText(await runFacts(['AAPL']), 80);
  for (const line of text.split('\n')) expect(measureWidth(line)).toBeLessThanOrEqual(80);
  expect(text).not.toContain('…');
  const lines = text.split('\n');
  const nameLines = lines.slice(lines.findIndex((line) => line.startsWith('IncomeLoss')));
  expect(
    nameLines
      .slice(0, 3)
      .map((line) => line.split(' ')[0])
      .join(''),
  ).toBe(LONG_CONCEPT_NAME);
  expect(renderText(await runFacts(['AAPL']), 30)).toContain('IncomeLossFromContinuing');
});
