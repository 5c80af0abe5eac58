import { expect, test } from 'vitest';
import { readCompanyFacts } from '../../../src/edgar/facts/company-facts.ts';

const ROW_FIELDS_JSON =
  '"end":"2024-12-31","accn":"0000000001-25-000001","fy":2024,"fp":"FY","form":"10-K","filed":"2025-02-20"';
const makeFactsJson = (...rows: string[]) =>
  `{"cik":"0000000001","entityName":"Some Co","ticker":"SOME","facts":{"us-gaap":{"Assets":{"label":"say \\"val\\": 1","description":null,"units":{"USD":[${rows.join(',')}]}}}}}`;

test('a fact keeps its digits, its dates and the filing that states it', () => {
  const { cik, entityName, facts, skipped } = readCompanyFacts(
    makeFactsJson(
      `{${ROW_FIELDS_JSON},"val":123456789012345678901234567890,"frame":"CY2024Q4I"}`,
      `{"start":"2024-01-01",${ROW_FIELDS_JSON},"val":1e-05}`,
    ),
  );
  expect({ cik, entityName, skipped }).toEqual({ cik: 1, entityName: 'Some Co', skipped: {} });
  expect(facts[0]).toEqual({
    taxonomy: 'us-gaap',
    concept: 'Assets',
    unit: 'USD',
    start: null,
    end: '2024-12-31',
    value: '123456789012345678901234567890',
    accession: '0000000001-25-000001',
    form: '10-K',
    filed: '2025-02-20',
    frame: 'CY2024Q4I',
    focusYear: 2024,
    focusPeriod: 'FY',
  });
  expect(facts[1]).toMatchObject({ start: '2024-01-01', value: '0.00001', frame: null });
});

test('a bad row is skipped with its reason, and the other rows are read', () => {
  const { facts, skipped } = readCompanyFacts(
    makeFactsJson(
      `{${ROW_FIELDS_JSON},"val":1}`,
      `{${ROW_FIELDS_JSON},"val":"NaN"}`,
      `{${ROW_FIELDS_JSON}}`,
      `{${ROW_FIELDS_JSON},"val":1${'0'.repeat(200)}}`,
      `{${ROW_FIELDS_JSON},"val":1e9000}`,
      `{${ROW_FIELDS_JSON.replace('2024-12-31', '2024-13-31')},"val":1}`,
      `{${ROW_FIELDS_JSON.replace('2025-02-20', '20250220')},"val":1}`,
      `{${ROW_FIELDS_JSON.replace('0000000001-25-000001', 'x')},"val":1}`,
      `{${ROW_FIELDS_JSON.replace('10-K', '')},"val":1}`,
      `{"start":"2025-01-01",${ROW_FIELDS_JSON},"val":1}`,
      '7',
    ),
  );
  expect(facts).toHaveLength(1);
  expect(skipped).toEqual({
    'a fact whose period ends before it starts': 1,
    'a fact that is not a JSON object': 1,
    'a fact whose value is not a number': 4,
    'a fact without a form type': 1,
    'a fact without a valid accession number': 1,
    'a fact without a valid end date': 1,
    'a fact without a valid filing date': 1,
  });
});

test('a fact with an impossible date is skipped, whatever the order of its fields', () => {
  const [, ...otherFields] = ROW_FIELDS_JSON.split(',');
  const makeRowsEnding = (day: string) => [
    `{"end":"${day}",${otherFields.join(',')},"val":1}`,
    `{"end":"${day}","val":1,${otherFields.join(',')}}`,
  ];
  const rows = ['2024-02-29', '2024-02-30', '2023-02-29', '2024-04-31', '2024-06-30'].flatMap(makeRowsEnding);
  const { facts, skipped } = readCompanyFacts(makeFactsJson(...rows));
  expect(facts.map(({ end }) => end)).toEqual(['2024-02-29', '2024-02-29', '2024-06-30', '2024-06-30']);
  expect(skipped).toEqual({ 'a fact without a valid end date': 6 });
});

test('a file without facts yields no facts, its malformed parts are counted, and invalid JSON is refused', () => {
  for (const text of ['{}', '{"cik":"0000002110","entityName":"","facts":{}}', '{"facts":null}']) {
    expect(readCompanyFacts(text)).toMatchObject({ entityName: null, facts: [], skipped: {} });
  }
  expect(readCompanyFacts('[]').skipped).toEqual({ 'a facts file that is not a JSON object': 1 });
  expect(readCompanyFacts('{"facts":{"ifrs-full":{"_stripped":true},"dei":7}}').skipped).toEqual({
    'a concept without units of measure': 1,
    'a taxonomy that is not a JSON object': 1,
  });
  expect(() => readCompanyFacts('{"facts":')).toThrow(SyntaxError);
});

test('facts of unwanted concepts are left out, but not their filings and bad rows; filings in listedAccessions are left out', () => {
  const makeFactJson = (val: string, start = '') =>
    `{${start}"end":"2024-12-31","val":${val},"accn":"0000000001-25-000001","fy":2024,"fp":"FY","form":"10-K","filed":"2025-02-20"}`;
  const rows = [
    makeFactJson('12'),
    makeFactJson('-0.50', '"start": "2024-01-01", '),
    makeFactJson('1', '"start":"2025-01-01",'),
    makeFactJson('9'.repeat(101)),
    makeFactJson('9'.repeat(100)),
    makeFactJson('"NaN"'),
    `{${ROW_FIELDS_JSON.replace('0001', '0002')},"val":1}`,
    '7',
  ];
  const fullResult = readCompanyFacts(makeFactsJson(...rows));
  const resultWithoutFacts = readCompanyFacts(makeFactsJson(...rows), { isConceptWanted: () => false });
  expect(fullResult.facts.map(({ value }) => value)).toEqual(['12', '-0.50', '9'.repeat(100), '1']);
  expect(fullResult.filings.map(({ accession, form }) => `${accession} ${form}`)).toEqual([
    '0000000001-25-000001 10-K',
    '0000000002-25-000001 10-K',
  ]);
  expect(resultWithoutFacts).toEqual({ ...fullResult, facts: [] });
  const listedAccessions = new Set(['0000000001-25-000001']);
  expect(readCompanyFacts(makeFactsJson(...rows), { listedAccessions })).toEqual({
    ...fullResult,
    filings: fullResult.filings.slice(1),
  });
});

test('keys and texts may be written as \\u escapes', () => {
  const escapeAll = (text: string) =>
    [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const plainFact = { start: '2024-01-01', end: '2024-12-31', accn: '0000000001-25-000001', fp: 'FY', form: '10-K' };
  const textFields = Object.entries({ ...plainFact, filed: '2025-02-20' });
  const row = textFields.map(([key, text]) => `"${escapeAll(key)}":"${escapeAll(text)}"`).join(',');
  const numberText = '123456789012345678901234567890.50';
  const readFacts = (rows: string) => readCompanyFacts(makeFactsJson(rows));
  const { facts, skipped } = readFacts(`{${row},"${escapeAll('fy')}":2024,"${escapeAll('val')}":${numberText}}`);
  expect(skipped).toEqual({});
  expect(facts).toEqual(readFacts(`{"start":"2024-01-01",${ROW_FIELDS_JSON},"val":${numberText}}`).facts);
  expect(facts[0]?.value).toBe(numberText);
  const document = makeFactsJson(`{${ROW_FIELDS_JSON},"val":1}`)
    .replace('"facts"', `"${escapeAll('facts')}"`)
    .replace('"units"', `"${escapeAll('units')}"`);
  expect(readCompanyFacts(document).facts).toHaveLength(1);
});

test('a company name beyond the maximum length is ignored', () => {
  const longName = 'x'.repeat(501);
  expect(readCompanyFacts(makeFactsJson(`{${ROW_FIELDS_JSON},"val":1}`).replace('Some Co', longName))).toMatchObject({
    entityName: null,
  });
});
