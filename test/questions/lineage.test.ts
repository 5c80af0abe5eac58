import { expect, test } from 'vitest';
import lineage from '../../src/questions/lineage.ts';
import { measureWidth } from '../../src/render/text/text-width.ts';
import { renderText, runWithData } from './result-of.ts';

const CONCEPT = 'RevenueFromContractWithCustomerExcludingAssessedTax';
const LONG_CONCEPT = `${CONCEPT}OfContinuingOperationsBeforeIntercompanyEliminations`;

const makeRow = (concept: string) => ({
  ...{ ticker: 'AAPL', exchange: 'Nasdaq', cik: 320193, entity_name: 'Apple Inc.', taxonomy: 'us-gaap', concept },
  ...{ metric_key: 'revenue', metric_label: 'Revenue', metric_value: '416161000000', metric_unit: 'USD' },
  ...{ period_kind: 'annual', fiscal_year: 2025, fiscal_period: 'FY', role: 'value', raw_unit: 'USD' },
  ...{ start_date: '2024-09-29', end_date: '2025-09-27', raw_value: '416161000000', form: '10-K' },
  ...{ accession_number: '0000320193-25-000079', filed_at: '2025-10-31' },
});

test('at 80 columns, names of concepts are shown whole, and other columns are dropped', async () => {
  const text = renderText(await runWithData(lineage, [makeRow(CONCEPT)]), 80);
  for (const line of text.split('\n')) expect(measureWidth(line)).toBeLessThanOrEqual(80);
  expect(text).toContain(CONCEPT);
  expect(text).not.toContain('0000320193-25-000079');
});

test('a concept whose name is wider than the terminal is continued on the next line', async () => {
  const text = renderText(await runWithData(lineage, [makeRow(LONG_CONCEPT)]), 80);
  for (const line of text.split('\n')) expect(measureWidth(line)).toBeLessThanOrEqual(80);
  expect(text).not.toContain('…');
  expect(text.replace(/\s+/g, '')).toContain(LONG_CONCEPT.slice(0, 50));
});

test('a location that is not valid Unicode is shown and linked', async () => {
  const location = { match_quality: 'unique', document: 'a\ud800.htm', line_id: 'f\ud800' };
  const text = renderText(await runWithData(lineage, [{ ...makeRow(CONCEPT), location }]), null);
  expect(text).toContain(CONCEPT);
});
