import { type ClientFilter, defineCommand } from '../ask/command/command.ts';
import type { GivenOptions } from '../ask/command/option-spec.ts';
import { makeRowsOption } from '../ask/command/options.ts';
import { expandFilters } from '../ask/values/screen-filters.ts';
import { findGivenText, type ParameterValues, withParameter } from '../contract/question.ts';
import { INDUSTRY_COLUMNS } from '../contract/screen-columns.ts';
import type { ScreenRow } from '../contract/screen-row.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { option, say } from '../contract/text/text.ts';
import { makeNote, makeNoteIf, type Notice } from '../result/notice.ts';
import { toObjects } from '../result/rows.ts';
import { type Column, makeRows, makeTable } from '../result/table.ts';
import { makeAgeFilter, YEAR_END_COLUMN, YEAR_ENDED_WITHIN } from './screens/company-filters.ts';
import { computeStandings, makeDistributionColumns, makeFigureColumn, type Standing } from './screens/distribution.ts';
import { makeScreenNotices } from './screens/screen-notices.ts';
import type { ScreenAnswer, TableContext } from './screens/screen-table.ts';
import { chooseTableColumns, listColumns, makeCompaniesTable, readNamedColumns } from './screens/screen-table.ts';

/** Default of `--year-ended-within`: twelve months, plus six months in which the next fiscal year is reported. */
const DEFAULT_YEAR_ENDED_WITHIN = '18m';

export default defineCommand({
  operation: 'screen',
  name: 'peers',
  parameters: ['columns', 'sort', 'dir', 'where', 'industry', 'sic', 'as_of', 'split_adjusted', 'limit', 'offset'],
  args: [{ parameter: 'peers_of' }],
  parameterHelp: {
    sort: 'Sort by ticker or by a figure of the screener (default: revenue)',
    dir: 'Sort direction (default: desc; with --sort, asc)',
    columns: 'Figures to show (default: the figures used to sort and filter, and a few common figures)',
  },
  options: [
    { ...YEAR_ENDED_WITHIN, help: `${YEAR_ENDED_WITHIN.help} (default: ${DEFAULT_YEAR_ENDED_WITHIN})` },
    makeRowsOption('companies', 'standing'),
  ],
  examples: {
    'peers AAPL': "the companies of Apple's industry by revenue, and Apple's rank in each figure",
    'peers MSFT --sic 737 --columns revenue,operating_margin,roe':
      'Microsoft in a wider industry, by three chosen figures',
    'peers AAPL --rows standing --csv': 'rank, percentile and distribution of each figure',
  },
  fetchesAllRows: true,
  help:
    'The industry is the SIC code that the SEC lists for the company. To choose another industry, give the first digits of a ' +
    'code (--sic) or words of a description (--industry). Rank 1 is the highest value; a percentile is the percentage of the ' +
    'other companies with a lower value. The 10th percentile, median and 90th percentile are those of the companies that ' +
    'have the figure; the number of companies without the figure is shown too. Companies with an old fiscal year ' +
    '(--year-ended-within) are left out, and so are blank-cheque companies, funds and trusts, unless the industry is ' +
    'exactly their SIC code. Without --sort, the companies are sorted by revenue, largest first.',
  request: (given) => {
    const { parameters, notices } = expandFilters(given.givenParameters, given);
    const direction = findGivenText(parameters, 'dir') ?? 'desc';
    const byRevenue = withParameter(withParameter(parameters, 'sort', 'revenue'), 'dir', direction);
    const sortedParameters = findGivenText(parameters, 'sort') === undefined ? byRevenue : parameters;
    const shown = readNamedColumns(parameters) ?? chooseTableColumns(parameters);
    const names = [...INDUSTRY_COLUMNS, 'fiscal_year', ...shown, YEAR_END_COLUMN];
    return {
      parameters: withParameter(sortedParameters, 'columns', [...new Set(names)].join(',')),
      extent: { kind: 'pages' },
      narrowing: makeRecentPeersFilter(given.options),
      notices,
    };
  },
  result: async (answer, context) => {
    const ticker = answer.meta.ticker ?? String(context.parameters.peers_of);
    const allRows = answer.unfiltered as readonly ScreenRow[];
    const subject = allRows.find((row) => row.ticker === ticker) ?? null;
    const recent = makeRecentPeersFilter(context.options).apply(allRows, answer.meta);
    const rows = subject === null || recent.includes(subject) ? recent : [...recent, subject];
    return {
      title: formatTitle(ticker, subject, rows),
      ...makePeersContent(answer, computeStandings(listColumns(answer), rows, subject), context),
      notices: [
        ...makeSubjectNotices(ticker, subject, context.parameters),
        ...makeTooFewPeersNotices(subject, rows, context.parameters),
        ...(await makeScreenNotices(answer, context)),
      ],
    };
  },
});

function makeRecentPeersFilter(options: GivenOptions): ClientFilter<readonly ScreenRow[]> {
  const withDefault = new Map([[YEAR_ENDED_WITHIN.name, [DEFAULT_YEAR_ENDED_WITHIN]], ...options]);
  // The filter is not null, because the option always has a value here.
  return makeAgeFilter(withDefault) as ClientFilter<readonly ScreenRow[]>;
}

function makePeersContent(answer: ScreenAnswer, standings: readonly Standing[], context: TableContext) {
  const companies = makeCompaniesTable(answer, context);
  const single = new Set([...answer.items()].map(({ sic }) => sic)).size <= 1;
  const columns = makeDistributionColumns<Standing>(listColumns(answer), [
    makeFigureColumn('value'),
    { key: 'rank', align: 'right' },
    { key: 'percentile', measure: 'fraction' },
  ]);
  const table = makeTable<Standing>({
    name: 'standing',
    columns,
    shownKeys: columns.map(({ key }) => key).filter((key) => key !== 'column'),
    records: () => standings,
    keepsColumns: true,
    coversAllPages: true,
  });
  const hidden = single ? INDUSTRY_COLUMNS : ['sic'];
  const shown = companies.shownKeys?.filter((name) => !hidden.includes(name)) ?? [];
  const { meta, requests } = answer;
  const data = { standing: toObjects(makeRows(table)), companies: answer.data };
  const companiesTable = makeTable({ ...companies, columns: companies.columns.map(addDropOrder), shownKeys: shown });
  const document = () => [JSON.stringify({ data, meta, fin: { requests } })];
  return { tables: [table, companiesTable] as const, rows: 'companies', document };
}

/** Columns that a narrow terminal drops before figures. */
const FIRST_DROPPED_COLUMNS = ['fiscal_year', YEAR_END_COLUMN, 'industry', 'sic'];

function addDropOrder(column: Column<ScreenRow>): Column<ScreenRow> {
  const position = FIRST_DROPPED_COLUMNS.indexOf(column.key);
  return position < 0 ? column : { ...column, drop: position + 1 };
}

function formatTitle(ticker: string, subject: ScreenRow | null, rows: readonly ScreenRow[]): string {
  const company = subject === null ? ticker : `${subject.entity_name} (${ticker})`;
  const codes = new Set(rows.filter((row) => row !== subject).map(({ sic }) => sic));
  const peerRow = rows.find((candidate) => candidate !== subject) ?? subject;
  const industry = codes.size > 1 || peerRow == null ? `${codes.size} industries` : formatIndustry(peerRow);
  return `${company} among ${formatCount(rows.length, 'company', 'companies')}: ${industry}`;
}

const formatIndustry = ({ sic, industry }: ScreenRow): string => `${industry ?? '–'} (SIC ${sic ?? '–'})`;

/**
 * Reports that the company itself is not in the screener, so that the answer has no row of it. With filters, the row
 * may be missing because the company fails them.
 */
function makeSubjectNotices(ticker: string, subject: ScreenRow | null, { where }: ParameterValues): readonly Notice[] {
  const text = `${ticker} is not in the screener, so it has no ranks.`;
  return makeNoteIf(subject === null && where === undefined, 'subject_not_screened', text, { ticker });
}

/** Minimum number of companies for meaningful percentiles. */
const MIN_PEERS = 5;

/** Number of digits in the SIC code of a major group, which contains several industries. */
const MAJOR_GROUP_DIGITS = 2;

function makeTooFewPeersNotices(subject: ScreenRow | null, rows: readonly ScreenRow[], given: ParameterValues) {
  const { sic: codes } = given;
  if (rows.length >= MIN_PEERS || subject === null) return [];
  const common = Array.isArray(codes) ? findWiderCode(codes.map(String)) : subject.sic;
  const code = typeof common === 'string' ? common.slice(0, MAJOR_GROUP_DIGITS) : '';
  const hint = say` For a wider industry: ${option('sic', code)}`;
  const text = say`The comparison has only ${formatCount(rows.length, 'company', 'companies')}.${code === '' ? '' : hint}`;
  return [makeNote('few_companies', text, { count: rows.length })];
}

/**
 * Returns the common prefix of all codes, shorter than each code by at least a digit; empty without a common prefix.
 */
function findWiderCode(codes: readonly string[]): string {
  const [first = ''] = codes;
  let start = Math.min(...codes.map((code) => code.length)) - 1;
  while (start > 0 && !codes.every((code) => code.startsWith(first.slice(0, start)))) start -= 1;
  return first.slice(0, Math.max(0, start));
}
