/** The summary of a screen: how each figure is distributed over its companies, or over those of each industry. */
import type { Content } from '../../../ask/command.ts';
import type { GivenOptions, OptionSpec } from '../../../ask/option-spec.ts';
import { Failure } from '../../../contract/failure.ts';
import { type RawParameters, withoutParameters, withParameter } from '../../../contract/question/question.ts';
import type { ScreenRow } from '../../../contract/resources/screen.ts';
import { INDUSTRY_COLUMNS } from '../../../contract/screen-columns.ts';
import { quote } from '../../../contract/text/quote.ts';
import { option, say } from '../../../contract/text/text.ts';
import { groupBy } from '../../../platform/collections.ts';
import { rowsOf, table } from '../../../result/table.ts';
import { count } from '../../../result/wording.ts';
import { type Distribution, distributionColumns, distributionsOf } from './distribution.ts';
import { answeredColumns, namedColumns, type Screen, tableColumns } from './screen-table.ts';

export const SUMMARY_OPTIONS: readonly OptionSpec[] = [
  { name: 'summary', help: 'Show how each figure is distributed instead of the companies' },
  { name: 'by', value: 'name', values: ['industry'], help: 'Show a summary of each industry' },
];

export const isSummary = (options: GivenOptions): boolean => options.has('summary') || options.has('by');

/**
 * Returns the parameters of a summary: every company, with the columns of a table; limit and offset are those of its
 * rows. Throws a usage Failure.
 */
export function summaryRequest(parameters: RawParameters, options: GivenOptions) {
  const [by, ...more] = options.get('by') ?? [];
  if (by !== undefined && (by !== 'industry' || more.length > 0))
    throw new Failure('usage', say`${option('by')} takes industry, not ${quote([by, ...more].join(', '))}.`);
  const shown = namedColumns(parameters) ?? tableColumns(parameters);
  const columns = [...new Set([...shown, ...(by === undefined ? [] : INDUSTRY_COLUMNS)])];
  return { parameters: withParameter(withoutParameters(parameters, 'limit', 'offset'), 'columns', columns.join(',')) };
}

interface Summary extends Distribution {
  readonly sic: string | null;
  readonly industry: string | null;
  /** Number of companies of the industry. */
  readonly companies: number;
}

export function summaryContent(answer: Screen, options: GivenOptions): Pick<Content, 'tables' | 'total' | 'document'> {
  const columns = answeredColumns(answer);
  const byIndustry = options.has('by');
  const groups = byIndustry ? industriesOf([...answer.items()]) : [[...answer.items()]];
  const every = groups.flatMap((rows): Summary[] => {
    const [first] = rows;
    const industry = { sic: textOf(first?.sic), industry: textOf(first?.industry), companies: rows.length };
    return distributionsOf(columns, rows).map((distribution) => ({ ...industry, ...distribution }));
  });
  const offset = Number(options.get('offset')?.at(-1) ?? 0);
  const limit = Number(options.get('limit')?.at(-1) ?? every.length);
  const records = every.slice(offset, offset + limit);
  const shared = distributionColumns<Summary>(columns);
  const summary = table<Summary>({
    name: 'summary',
    columns: byIndustry ? [{ key: 'sic' }, { key: 'industry' }, { key: 'companies' }, ...shared] : shared,
    shown: shared.map(({ key }) => key).filter((key) => key !== 'column'),
    records: () => records,
    ...(byIndustry ? { section: headingOf } : {}),
  });
  const flat = rowsOf(summary);
  const data = [...flat.rows].map((row) => Object.fromEntries(flat.columns.map((name, at) => [name, row[at] ?? null])));
  const { meta, requests } = answer;
  return {
    tables: [summary],
    total: every.length,
    document: () => [JSON.stringify({ data, meta, fin: { requests } })],
  };
}

/** Industries by their number of companies; companies without one come last. */
function industriesOf(rows: readonly ScreenRow[]): readonly (readonly ScreenRow[])[] {
  const groups = [...groupBy(rows, ({ sic }) => textOf(sic))];
  const order = ([sic, own]: readonly [string | null, readonly unknown[]]): number => (sic === null ? 0 : own.length);
  return groups.sort((a, b) => order(b) - order(a) || ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1)).map(([, own]) => own);
}

function headingOf({ sic, industry, companies }: Summary, before: Summary | undefined): string | null {
  if (before?.sic === sic && before.companies === companies) return null;
  const name = sic === null ? 'No industry' : `${industry ?? '–'} (SIC ${sic})`;
  return `${name}: ${count(companies, 'company', 'companies')}`;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
