/** Makes reports from figures in millions of dollars, as companies print them. */

import type { Dimension, Fact } from '../../../src/edgar/facts/fact-row.ts';
import type { FiledReport, TaggedFact } from '../../../src/edgar/reports/xbrl-report.ts';
import { buildFiscalCalendar } from '../../../src/figures/facts/fiscal-calendar.ts';

const AXIS_BY_SHORT_NAME: Readonly<Record<string, string>> = {
  segment: 'us-gaap:StatementBusinessSegmentsAxis',
  geography: 'srt:StatementGeographicalAxis',
  product: 'srt:ProductOrServiceAxis',
};

export const OPERATING_SEGMENTS_DIMENSION: Dimension = {
  axis: 'srt:ConsolidationItemsAxis',
  member: 'us-gaap:OperatingSegmentsMember',
};

/** Returns dimensions from `axis=member` pairs such as `product=us-gaap:ServiceMember`. */
export const parseDimensions = (...pairs: readonly string[]): readonly Dimension[] =>
  pairs.map((pair) => {
    const [axis = '', member = ''] = pair.split('=');
    return { axis: AXIS_BY_SHORT_NAME[axis] ?? axis, member };
  });

export function makeFact(
  concept: string,
  period: readonly [start: string | null, end: string],
  amountInMillions: string,
  dimensions: readonly Dimension[] = [],
): TaggedFact {
  const [start, end] = period;
  const value = amountInMillions === '0' ? '0' : `${amountInMillions}000000`;
  return { concept, unit: 'USD', start, end, value, decimals: -6, dimensions, location: null };
}

/** Returns the facts of a total and its members for one period. */
export function makeBreakdownFacts(
  concept: string,
  axis: string,
  period: readonly [start: string | null, end: string],
  members: Readonly<Record<string, string>>,
  total?: string,
): TaggedFact[] {
  const memberFacts = Object.entries(members).map(([member, value]) =>
    makeFact(concept, period, value, parseDimensions(`${axis}=${member}`)),
  );
  return total === undefined ? memberFacts : [makeFact(concept, period, total), ...memberFacts];
}

export function makeReport(
  filing: readonly [accession: string, form: string, filed: string],
  facts: readonly TaggedFact[],
  labels: Readonly<Record<string, string>> = {},
): FiledReport {
  const [accession, form, filed] = filing;
  return {
    kind: 'inline',
    cik: 1,
    registrant: null,
    accession,
    form,
    filed,
    document: 'report.htm',
    periodEnd: null,
    coverPeriodEnd: null,
    focusYear: null,
    focusPeriod: null,
    facts,
    cover: [],
    labels: new Map(Object.entries(labels)),
    skipped: {},
  };
}

/** Returns the fiscal calendar of a company; `yearEnds` maps each fiscal year to its last day. */
export function makeFiscalCalendar(yearEnds: Readonly<Record<string, string>>) {
  const ends = Object.values(yearEnds);
  const facts = Object.entries(yearEnds).map(
    ([yearName, end], index): Fact => ({
      taxonomy: 'us-gaap',
      concept: 'Revenues',
      unit: 'USD',
      start: index === 0 ? `${Number(end.slice(0, 4)) - 1}${end.slice(4)}` : (ends[index - 1] ?? null),
      end,
      value: '1',
      accession: `0000000001-00-00000${index}`,
      form: '10-K',
      filed: `${Number(end.slice(0, 4)) + 1}-01-15`,
      frame: null,
      focusYear: Number(yearName),
      focusPeriod: 'FY',
    }),
  );
  return buildFiscalCalendar(facts, []);
}
