/**
 * Facts of real filings, copied by hand from the SEC's files: one per line, with the fields
 * taxonomy concept unit start end value accession form filed focus-year focus-period frame; a dash for an empty field.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact } from '../../src/edgar/facts/fact-row.ts';

/** Returns the facts in `facts/<name>.txt`. */
export function readFiledFacts(name: string): Fact[] {
  const text = readFileSync(join(import.meta.dirname, 'facts', `${name}.txt`), 'utf8');
  return parseFacts(text);
}

export function parseFacts(text: string): Fact[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const cells = line.trim().split(/ +/);
      // The name of a form may have two words, such as DEF 14A.
      if (cells.length === 13) cells.splice(7, 2, `${cells[7]} ${cells[8]}`);
      const [taxonomy = '', concept = '', unit = '', start, end = '', value = '', accession = '', form = ''] = cells;
      const [filed = '', year, period, frame] = cells.slice(8);
      const parseCell = (cell: string | undefined) => (cell === undefined || cell === '-' ? null : cell);
      return {
        taxonomy,
        concept,
        unit,
        start: parseCell(start),
        end,
        value,
        accession,
        form,
        filed,
        frame: parseCell(frame),
        focusYear: parseCell(year) === null ? null : Number(year),
        focusPeriod: parseCell(period),
      };
    });
}

/** Returns an invented fact, for tests of rules that no single company's facts show. */
export function makeFact(fields: Partial<Fact>): Fact {
  return {
    taxonomy: 'us-gaap',
    concept: 'Revenues',
    unit: 'USD',
    start: '2024-01-01',
    end: '2024-12-31',
    value: '100',
    accession: '0000000001-25-000001',
    form: '10-K',
    filed: '2025-02-20',
    frame: null,
    focusYear: 2024,
    focusPeriod: 'FY',
    ...fields,
  };
}

/** Fields that are null in most reported values. */
export const NULL_VALUE_FIELDS = {
  frame: null,
  contradictedOn: null,
  unconfirmed: null,
  unconfirmedOn: null,
  filedStart: null,
  filedEnd: null,
  classCounts: null,
  source: null,
} as const;
