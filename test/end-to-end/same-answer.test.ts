/**
 * A question has the same answer in every format, in the library and for assistants: the same companies, keys, periods,
 * units and exact values. Where an answer lacks some of them, `why` states the reason. Each question is asked about one
 * company of the sample, and about two companies if its command takes several.
 */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openArchive } from '../../src/edgar/files/archive.ts';
import { connect } from '../../src/library/library.ts';
import { getOrInsert } from '../../src/platform/collections.ts';
import { FIN_PATH } from '../fin-process.ts';
import { READS_ALL } from '../select-some.ts';
import { makeHome } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

type Row = Readonly<Record<string, unknown>>;

interface CommandCase {
  /** Command-line arguments for one company and for several. */
  readonly args: readonly string[];
  readonly argsOfSeveral?: readonly string[];
  /** Columns by which answers are compared: company, figure, period, unit and exact value. */
  readonly fields: readonly string[];
  /** Returns the rows in the service's document, with columns by name. */
  readonly json: (data: never) => readonly Row[];
  /** The same question for the library, and for the tools of assistants. */
  readonly library: readonly [operation: string, parameters: Row];
  readonly tool: readonly [name: string, parameters: Row];
  /** A resource that assistants read instead of calling a tool, and the columns that the resource has. */
  readonly resource?: readonly [uri: string, fields: readonly string[]];
  readonly view: ExpectedView;
  /** Columns that the text for assistants lacks, and the reason. */
  readonly missingInTool?: MissingFields;
}

interface ExpectedView {
  /**
   * `lines`: one line per row, with these columns. `values`: periods or companies are columns. `among`: the view also
   * has figures that are not compared.
   */
  readonly layout: 'lines' | 'values' | 'among';
  readonly fields: readonly string[];
  /** Options that make the view as detailed as the rows of CSV. */
  readonly options?: readonly string[];
  /** The reason why the view lacks the other fields. */
  readonly why: string;
}

interface MissingFields {
  readonly fields: readonly string[];
  readonly why: string;
}

const TICKERS = ['AAPL', 'MSFT'];
const asRows = (data: readonly Row[]): readonly Row[] => data;
const asSingleRow = (data: Row): readonly Row[] => [data];
const MISSING_ACCESSION: MissingFields = {
  fields: ['accession_number'],
  why: 'several rows of a filing refer to it by a number',
};

interface MeasuredSeries {
  readonly periods: readonly Row[];
  readonly members: readonly { readonly member: string; readonly values: readonly unknown[] }[];
}
interface SegmentData {
  readonly ticker: string;
  readonly axes: readonly { readonly axis: string; readonly measures: readonly (Row & MeasuredSeries)[] }[];
}

const listSegmentRows = ({ ticker, axes }: SegmentData): readonly Row[] =>
  axes.flatMap(({ axis, measures }) =>
    measures.flatMap(({ measure, unit, periods, members }) =>
      members.flatMap(({ member, values }) =>
        periods.map(({ end_date }, index) => ({ ticker, axis, measure, unit, member, end_date, value: values[index] })),
      ),
    ),
  );

type ListByField = Readonly<Record<string, readonly unknown[]>>;

const listPriceRows = ({
  ticker,
  days = [],
  price = [],
  adj_price = [],
  market_cap = [],
}: Row & ListByField): readonly Row[] =>
  days.map((day, index) => ({
    ...{ ticker, day, price: price[index], adj_price: adj_price[index], market_cap: market_cap[index] },
  }));

interface InsiderFilings {
  readonly filings: readonly (Row & { readonly transactions: readonly Row[] })[];
}
const listTradeRows = ({ filings }: InsiderFilings): readonly Row[] =>
  filings.flatMap(({ transactions, ...filing }) => transactions.map((lot) => ({ ...filing, ...lot })));

const makeRowReader =
  (field: string) =>
  ({ [field]: rows, ...otherFields }: Row): readonly Row[] =>
    (rows as readonly Row[]).map((row) => ({ ...otherFields, ...row }));

const METRIC_FIELDS = ['ticker', 'metric_key', 'end_date', 'period_kind', 'unit', 'value'];
const TRADE_FIELDS = [
  'ticker',
  'transaction_date',
  'transaction_code',
  'shares',
  'price_per_share',
  'transaction_value',
];

/**
 * Metrics of every statement, and ratios: more rows than one page of an assistant's tool. With FIN_TEST_FILES=all, all
 * metrics are compared.
 */
const METRIC_KEYS = [
  ...['revenue', 'cost_of_revenue', 'gross_profit', 'net_income', 'eps_diluted', 'assets', 'liabilities', 'total_debt'],
  ...['stockholders_equity', 'operating_cash_flow', 'capital_expenditures', 'free_cash_flow', 'gross_margin', 'roe'],
];
const METRIC_OPTIONS = READS_ALL ? [] : ['--keys', METRIC_KEYS.join(',')];
const METRIC_PARAMETERS = { ...(READS_ALL ? {} : { keys: METRIC_KEYS }), period: 'annual' };
/** Metrics in shares, or per share. */
const SHARE_METRIC_KEYS_TEXT = 'eps_diluted,weighted_shares_diluted';

const CASES: Readonly<Record<string, CommandCase>> = {
  search: {
    args: ['search', 'apple'],
    fields: ['ticker', 'cik', 'entity_name', 'exchange'],
    json: asRows,
    library: ['search', { query: 'apple' }],
    tool: ['find', { query: 'apple' }],
    view: { layout: 'lines', fields: ['ticker', 'cik', 'entity_name', 'exchange'], why: '' },
  },
  profile: {
    args: ['profile', 'AAPL'],
    argsOfSeveral: ['profile', ...TICKERS],
    fields: ['ticker', 'cik', 'entity_name', 'filing_count', 'raw_fact_count', 'price', 'price_day'],
    json: (data: Row & { readonly price: Row | null }) => [
      { ...data, price: data.price?.price, price_day: data.price?.day },
    ],
    library: ['profile', { ticker: 'AAPL' }],
    tool: ['company', { ticker: 'AAPL' }],
    view: {
      ...{ layout: 'among', fields: ['cik', 'filing_count', 'raw_fact_count', 'price'] },
      why: 'a card names the company in its title, and the source next to the day',
    },
  },
  metrics: {
    args: ['metrics', 'AAPL', ...METRIC_OPTIONS, '--period', 'annual'],
    argsOfSeveral: ['metrics', ...TICKERS, ...METRIC_OPTIONS, '--period', 'annual'],
    fields: METRIC_FIELDS,
    json: asRows,
    library: ['metrics', { ticker: 'AAPL', ...METRIC_PARAMETERS }],
    tool: ['metrics', { ticker: 'AAPL', ...METRIC_PARAMETERS }],
    view: {
      ...{ layout: 'values', fields: ['value'] },
      why: 'years are adjacent columns under a title with the company and the unit; a value of a day is in the column of its year',
    },
  },
  'metrics --split-adjusted': {
    args: ['metrics', 'AAPL', '--keys', SHARE_METRIC_KEYS_TEXT, '--period', 'annual', '--split-adjusted'],
    fields: [...METRIC_FIELDS, 'split_ratio'],
    json: asRows,
    library: [
      'metrics',
      {
        ticker: 'AAPL',
        keys: SHARE_METRIC_KEYS_TEXT.split(','),
        period: 'annual',
        split_adjusted: true,
        collapse: true,
        limit: 5000,
      },
    ],
    tool: [
      'metrics',
      { ticker: 'AAPL', keys: SHARE_METRIC_KEYS_TEXT.split(','), period: 'annual', split_adjusted: true },
    ],
    view: { ...{ layout: 'values', fields: ['value'] }, why: 'years are adjacent columns' },
  },
  catalog: {
    args: ['catalog'],
    fields: ['key', 'label', 'covered_company_count'],
    json: asRows,
    library: ['catalog', {}],
    tool: ['', {}],
    resource: ['fin://catalog', ['key', 'covered_company_count']],
    view: { layout: 'lines', fields: ['key', 'label', 'covered_company_count'], why: '' },
  },
  lineage: {
    args: ['lineage', 'AAPL', 'revenue'],
    fields: ['ticker', 'metric_key', 'end_date', 'role', 'raw_unit', 'raw_value', 'accession_number'],
    json: asRows,
    library: ['lineage', { ticker: 'AAPL', metric_key: 'revenue' }],
    // The assistants' tools do not include lineage, because its answers are about one value only.
    tool: ['', {}],
    view: {
      ...{ layout: 'lines', fields: ['role', 'raw_value', 'raw_unit', 'accession_number'] },
      why: 'the company and the metric are in the title, the period above its rows',
    },
  },
  revisions: {
    args: ['revisions', 'AAPL', 'revenue'],
    fields: ['ticker', 'metric_key', 'end_date', 'metric_unit', 'value', 'kind', 'accession_number'],
    json: asRows,
    library: ['revisions', { ticker: 'AAPL', metric_key: 'revenue' }],
    tool: ['', {}],
    view: {
      ...{ layout: 'lines', fields: ['value', 'kind', 'accession_number'] },
      why: 'the company and the metric are in the title, the period and the unit above its rows',
    },
  },
  'raw-concepts': {
    args: ['raw-concepts', 'PCAR', '--limit', '50'],
    argsOfSeveral: ['raw-concepts', 'PCAR', 'AZO', '--limit', '50'],
    fields: ['ticker', 'taxonomy', 'concept', 'unit', 'fact_count', 'latest_end_date'],
    json: asRows,
    library: ['raw-concepts', { ticker: 'PCAR', limit: 50 }],
    tool: ['company', { ticker: 'PCAR', show: 'concepts' }],
    view: {
      ...{ layout: 'lines', fields: ['taxonomy', 'concept', 'unit', 'fact_count', 'latest_end_date'] },
      why: 'the company is in the title',
    },
  },
  filings: {
    args: ['filings', 'AAPL', '--forms', '10-K,10-Q', '--all'],
    argsOfSeveral: ['filings', ...TICKERS, '--forms', '10-K,10-Q', '--all'],
    fields: ['ticker', 'form', 'filed_at', 'report_date', 'accession_number'],
    json: asRows,
    library: ['filings', { ticker: 'AAPL', forms: ['10-K', '10-Q'], all: true }],
    tool: ['filings', { ticker: 'AAPL', forms: ['10-K', '10-Q'] }],
    view: {
      ...{ layout: 'lines', fields: ['form', 'filed_at', 'accession_number'] },
      why: 'the company is in the title, the day of the report next to its fiscal period',
    },
  },
  day: {
    args: ['day', '2026-07-30'],
    fields: ['cik', 'entity_name', 'form', 'accession_number'],
    json: ({ reports, lines }: ListByField) => [...(reports as readonly Row[]), ...(lines as readonly Row[])],
    library: ['day', { date: '2026-07-30' }],
    tool: ['filings', { date: '2026-07-30' }],
    view: { layout: 'lines', fields: ['entity_name', 'form', 'accession_number'], why: 'companies are named' },
    missingInTool: MISSING_ACCESSION,
  },
  filing: {
    args: ['filing', '0000320193-25-000079'],
    argsOfSeveral: ['filing', '0000320193-25-000079', '0000320193-26-000013'],
    fields: ['cik', 'form', 'document', 'url'],
    json: ({ documents, ...filing }: Row) =>
      (documents as readonly Row[]).map(({ name, ...documentFields }) => ({
        document: name,
        ...filing,
        ...documentFields,
      })),
    library: ['filing', { accession: '0000320193-25-000079' }],
    tool: ['filings', { accession: '0000320193-25-000079' }],
    view: { layout: 'lines', fields: ['document', 'url'], why: 'the filing is described above its documents' },
  },
  'insider-activity': {
    args: ['insider-activity', '--since', '2026-05-01', '--all'],
    fields: TRADE_FIELDS,
    json: listTradeRows,
    library: ['insider-activity', { since: '2026-05-01', all: true }],
    tool: ['ownership', { since: '2026-05-01', show: 'all_insiders' }],
    view: {
      ...{ layout: 'lines', fields: ['ticker', 'shares', 'price_per_share', 'transaction_value'], options: ['--lots'] },
      why: 'codes are shown as words, and marks follow days',
    },
  },
  insiders: {
    args: ['insiders', 'AAPL', '--all'],
    argsOfSeveral: ['insiders', ...TICKERS, '--all'],
    fields: TRADE_FIELDS,
    json: listTradeRows,
    library: ['insiders', { ticker: 'AAPL', all: true }],
    tool: ['ownership', { ticker: 'AAPL', show: 'insiders' }],
    view: {
      ...{ layout: 'lines', fields: ['shares', 'price_per_share', 'transaction_value'], options: ['--lots'] },
      why: 'the company is in the title, codes are shown as words, and marks follow days',
    },
  },
  holders: {
    args: ['holders', 'AAPL', '--all'],
    argsOfSeveral: ['holders', ...TICKERS, '--all'],
    fields: ['ticker', 'period', 'holder_cik', 'amount', 'amount_type', 'value', 'filed_at'],
    json: makeRowReader('rows'),
    library: ['holders', { ticker: 'AAPL', all: true }],
    tool: ['ownership', { ticker: 'AAPL', show: 'holders' }],
    view: {
      ...{ layout: 'lines', fields: ['holder_cik', 'amount', 'value', 'filed_at'] },
      why: 'the company and the quarter are in the title, and amounts other than shares are marked',
    },
  },
  managers: {
    args: ['managers'],
    fields: ['cik', 'name', 'latest_period', 'latest_positions', 'latest_value'],
    json: asRows,
    library: ['managers', {}],
    tool: ['find', { show: 'managers' }],
    view: { layout: 'lines', fields: ['cik', 'name', 'latest_period', 'latest_positions', 'latest_value'], why: '' },
  },
  manager: {
    args: ['manager', '1067983', '--all'],
    argsOfSeveral: ['manager', '1067983', '1619124', '--all'],
    fields: ['period', 'cusip', 'issuer', 'amount', 'value', 'weight'],
    json: makeRowReader('rows'),
    library: ['manager', { cik: 1067983, all: true }],
    tool: ['ownership', { cik: 1067983 }],
    view: {
      ...{ layout: 'lines', fields: ['cusip', 'issuer', 'amount', 'value', 'weight'] },
      why: 'the manager and the quarter are in the title',
    },
  },
  segments: {
    args: ['segments', 'AAPL'],
    argsOfSeveral: ['segments', ...TICKERS],
    fields: ['ticker', 'axis', 'measure', 'member', 'end_date', 'unit', 'value'],
    json: listSegmentRows,
    library: ['segments', { ticker: 'AAPL' }],
    tool: ['company', { ticker: 'AAPL', show: 'segments' }],
    view: {
      ...{ layout: 'among', fields: ['value'] },
      why: 'years are adjacent columns in a table for each measure and axis, with shares and totals',
    },
  },
  prices: {
    args: ['prices', 'AAPL', '--range', 'max'],
    argsOfSeveral: ['prices', ...TICKERS, '--range', 'max'],
    fields: ['ticker', 'day', 'price', 'adj_price', 'market_cap'],
    json: listPriceRows,
    library: ['prices', { ticker: 'AAPL', range: 'max' }],
    tool: ['prices', { ticker: 'AAPL', range: 'max' }],
    view: { layout: 'lines', fields: ['day', 'price', 'adj_price', 'market_cap'], why: 'the company is in the title' },
  },
  'prices --rows actions': {
    args: ['prices', 'NVDA', '--range', 'max', '--rows', 'actions'],
    fields: ['ticker', 'ex_date', 'kind', 'ratio', 'after', 'until'],
    json: ({ ticker, actions, undated_splits: undated }: ListByField) => [
      ...(actions as readonly Row[]).map((action) => ({ ticker, ...action })),
      ...(undated as readonly Row[]).map((split) => ({ ticker, kind: 'split', ...split })),
    ],
    library: ['prices', { ticker: 'NVDA', range: 'max' }],
    tool: ['prices', { ticker: 'NVDA', range: 'max', rows: 'actions' }],
    view: { ...{ layout: 'lines', fields: ['kind', 'after', 'until'] }, why: 'a ratio is shown as 10:1' },
  },
  screen: {
    args: ['screen', '--columns', 'revenue,roe', '--all'],
    fields: ['ticker', 'entity_name', 'revenue', 'roe'],
    json: asRows,
    library: ['screen', { columns: ['revenue', 'roe'], all: true }],
    tool: ['screen', { columns: ['revenue', 'roe'], limit: 100 }],
    view: { layout: 'lines', fields: ['ticker', 'entity_name', 'revenue', 'roe'], why: '' },
  },
  'screen --summary': {
    args: ['screen', '--columns', 'revenue,roe', '--summary'],
    fields: ['column', 'label', 'p10', 'median', 'p90', 'count', 'missing'],
    json: asRows,
    library: ['summary', { columns: ['revenue', 'roe'] }],
    tool: ['screen', { columns: ['revenue', 'roe'], summary: true }],
    view: { layout: 'lines', fields: ['label', 'p10', 'median', 'p90', 'count'], why: 'the key is not for people' },
  },
  peers: {
    args: ['peers', 'PFE', '--columns', 'revenue,roe'],
    fields: ['ticker', 'entity_name', 'sic', 'industry', 'revenue', 'roe'],
    json: ({ companies }: { readonly companies: readonly Row[] }) => companies,
    library: ['peers', { peers_of: 'PFE', columns: ['revenue', 'roe'] }],
    tool: ['screen', { peers_of: 'PFE', columns: ['revenue', 'roe'], show: 'peers' }],
    view: { layout: 'lines', fields: ['ticker', 'revenue', 'roe'], why: 'the industry is in the title' },
  },
  'peers --rows standing': {
    args: ['peers', 'PFE', '--columns', 'revenue,roe', '--rows', 'standing'],
    fields: ['column', 'value', 'rank', 'percentile', 'p10', 'median', 'p90', 'count', 'missing'],
    json: ({ standing }: { readonly standing: readonly Row[] }) => standing,
    library: ['peers', { peers_of: 'PFE', columns: ['revenue', 'roe'] }],
    tool: ['screen', { peers_of: 'PFE', columns: ['revenue', 'roe'], show: 'peers', rows: 'standing' }],
    view: { layout: 'lines', fields: ['value', 'rank', 'p10', 'median', 'p90'], why: 'the key is not for people' },
  },
  release: {
    args: ['release'],
    fields: ['date', 'checks', 'stamp'],
    json: asSingleRow,
    library: ['release', {}],
    tool: ['', {}],
    resource: ['fin://release', ['date', 'checks', 'stamp']],
    view: {
      layout: 'among',
      fields: ['date', 'checks', 'stamp'],
      why: 'a single record is shown as labels and values',
    },
  },
  'compare --split-adjusted': {
    args: ['compare', 'AAPL', '--keys', 'eps_diluted', '--years', '12', '--split-adjusted'],
    fields: ['ticker', 'metric_key', 'calendar_period', 'unit', 'value', 'split_ratio', 'basis_break'],
    json: asRows,
    library: ['compare', { ticker: ['AAPL'], keys: ['eps_diluted'], years: 12, split_adjusted: true }],
    tool: ['compare', { ticker: ['AAPL'], keys: ['eps_diluted'], years: 12, split_adjusted: true }],
    view: { ...{ layout: 'values', fields: ['value'] }, why: 'companies are adjacent columns' },
  },
  compare: {
    args: ['compare', 'AAPL'],
    argsOfSeveral: ['compare', ...TICKERS],
    fields: ['ticker', 'metric_key', 'calendar_period', 'unit', 'value'],
    json: asRows,
    library: ['compare', { ticker: ['AAPL'] }],
    tool: ['compare', { ticker: ['AAPL'] }],
    view: {
      layout: 'values',
      fields: ['value'],
      why: 'companies are adjacent columns, with the period and the unit in the title',
    },
  },
};

/**
 * Operations without a tool: lineage and revisions explain one value at a time; the catalog and the release are
 * resources.
 */
const COMMANDS_WITHOUT_TOOL = ['catalog', 'lineage', 'revisions', 'release'];

const toText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
const formatTuple = (row: Row, fields: readonly string[]): string =>
  fields.map((name) => toText(row[name])).join(' | ');
const formatTuples = (rows: readonly Row[], fields: readonly string[]): string[] =>
  rows.map((row) => formatTuple(row, fields)).sort();

const HOME = makeHome();
const libraryClient = connect({ baseUrl: 'local:', env: { HOME } });
const mcpClient = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });

beforeAll(async () => {
  const env = { PATH: process.env.PATH ?? '', HOME };
  await mcpClient.connect(new StdioClientTransport({ command: process.execPath, args: [FIN_PATH, 'mcp'], env }));
});

afterAll(async () => {
  await Promise.all([mcpClient.close(), libraryClient.close()]);
});

async function runForOutput(args: readonly string[]): Promise<string> {
  const run = await runFin([...args, '-q'], { env: { HOME } });
  // The sample was built without the lists of filings of some companies, so the industries of these companies are
  // unknown.
  const remainingErr =
    args[0] === 'peers' ? run.err.replace(/^Warning: \d+ companies are left out, .* missing\..*\n/, '') : run.err;
  expect([args.join(' '), run.code, remainingErr]).toEqual([args.join(' '), 0, '']);
  return run.out;
}

async function readNdjsonRows(args: readonly string[]): Promise<readonly Row[]> {
  const ndjsonText = (await runForOutput([...args, '-o', 'ndjson'])).trimEnd();
  return ndjsonText === '' ? [] : ndjsonText.split('\n').map((line) => JSON.parse(line));
}

const makeRowsFromCells = ([head = [], ...lines]: readonly (readonly string[])[]): readonly Row[] =>
  lines.map((line) => Object.fromEntries(head.map((name, index) => [name, line[index] ?? ''])));

/** Returns the cells of CSV lines, parsed according to RFC 4180. */
function parseCsv(csv: string): string[][] {
  const cellsByLine: string[][] = [[]];
  for (const [, quoted, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|$)/g)) {
    cellsByLine.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') cellsByLine.push([]);
  }
  return cellsByLine.filter((line) => line.length > 1 || (line[0] ?? '') !== '');
}

async function readXlsxRows(args: readonly string[]): Promise<readonly Row[]> {
  const file = join(makeHome(), 'answer.xlsx');
  await runForOutput([...args, '--xlsx', file]);
  const archive = await openArchive(file, undefined, 'path');
  const readPart = async (name: string): Promise<string> => (await archive.read(name)).toString('utf8');
  const decodeEntities = (xml: string): string =>
    xml.replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => ENTITIES[name as keyof typeof ENTITIES]);
  const sharedTexts = [...(await readPart('xl/sharedStrings.xml')).matchAll(/<si>(.*?)<\/si>/gs)].map(([, item = '']) =>
    decodeEntities(item.replace(/<[^>]+>/g, '')),
  );
  const sheetXmls: string[] = [];
  for (let sheetNumber = 1; sheetNumber < 9; sheetNumber += 1) {
    const sheetXml = await readPart(`xl/worksheets/sheet${sheetNumber}.xml`).catch(() => null);
    if (sheetXml !== null) sheetXmls.push(sheetXml);
  }
  const styles = await readPart('xl/styles.xml');
  archive.close();
  const dayFormat = /numFmtId="(\d+)" formatCode="yyyy-mm-dd"/.exec(styles)?.[1];
  const dayStyles = [...(/<cellXfs.*?<\/cellXfs>/s.exec(styles)?.[0] ?? '').matchAll(/<xf ([^>]*)>/g)].flatMap(
    ([, attributes = ''], index) => (attributes.includes(`numFmtId="${dayFormat}"`) ? [`s="${index}"`] : []),
  );
  /** A day is the number of days since the end of 1899; 25,569 is 1970-01-01. */
  const readNumber = (text: string, attributes: string): string =>
    text !== '' && dayStyles.some((style) => attributes.includes(style))
      ? new Date((Number(text) - 25_569) * 86_400_000).toISOString().slice(0, 10)
      : /e-/.test(text)
        ? Number(text).toFixed(10).replace(/0+$/, '')
        : text;
  const parseCells = (sheet: string) =>
    [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, cells = '']) => {
      const lineCells: string[] = [];
      for (const [, column = '', attributes = '', value = ''] of cells.matchAll(
        /<c r="([A-Z]+)\d+"([^>]*?)(?:\/>|>(.*?)<\/c>)/gs,
      )) {
        const rawValue = /<v>([^<]*)<\/v>/.exec(value)?.[1] ?? '';
        lineCells[parseColumnIndex(column)] = attributes.includes('t="s"')
          ? (sharedTexts[Number(rawValue)] ?? '')
          : attributes.includes('t="b"')
            ? String(rawValue === '1')
            : readNumber(rawValue, attributes);
      }
      return Array.from(lineCells, (cell) => cell ?? '');
    });
  const [head, ...lines] =
    sheetXmls.map(parseCells).find(([firstRow]) => firstRow?.some((name) => /^[a-z_]+$/.test(name))) ?? [];
  // A column of exact text follows a column with a number of more than 15 digits.
  const columnNames = (head ?? []).map((name, index) => ((head ?? [])[index + 1] === `${name} (exact)` ? '' : name));
  return makeRowsFromCells([columnNames.map((name) => name.replace(/ \(exact\)$/, '')), ...lines]);
}

const ENTITIES = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' } as const;
const parseColumnIndex = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** Returns the cells of each line of a view, without Markdown and without signs such as `*` at figures. */
function splitViewLines(view: string): string[][] {
  return view
    .split('\n')
    .map((line) =>
      (line.startsWith('| ') ? line.slice(2).replace(/ \|$/, '').split(' | ') : line.split(/\s{2,}/)).map(cleanCell),
    );
}

const cleanCell = (cell: string): string =>
  cell
    .replaceAll('&emsp;', '')
    .replace(/\\(.)/g, '$1')
    .replace(/^\[(.*)\]\(.*\)$/, '$1')
    .replace(/^\*\*(.*)\*\*$/, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .trim()
    .replace(/(?<=\d)[*!?•~^†‡§+‖]+$/, '');

function checkView(viewFormat: string, view: string, rows: readonly Row[], { layout, fields }: ExpectedView): void {
  const lines = splitViewLines(view);
  const shownCells = new Set(lines.flat());
  const listExpectedCells = (row: Row): string[] =>
    fields.map((field) => toText(row[field])).filter((cell) => cell !== '');
  if (layout === 'among') {
    expect([viewFormat, rows.flatMap(listExpectedCells).filter((cell) => !shownCells.has(cell))]).toEqual([
      viewFormat,
      [],
    ]);
    return;
  }
  if (layout === 'values') {
    const shownNumberTexts = lines
      .flatMap(([, ...valueCells]) => valueCells)
      .filter((cell) => /^-?\d+(?:\.\d+)?$/.test(cell));
    expect([viewFormat, shownNumberTexts.sort()]).toEqual([viewFormat, rows.flatMap(listExpectedCells).sort()]);
    return;
  }
  // No two rows match the same line.
  const unmatchedLines = lines.map((line) => new Set(line));
  const missingRows = rows.filter((row) => {
    const index = unmatchedLines.findIndex((line) => listExpectedCells(row).every((cell) => line.has(cell)));
    if (index >= 0) unmatchedLines.splice(index, 1);
    return index < 0;
  });
  expect([viewFormat, missingRows.map(listExpectedCells)]).toEqual([viewFormat, []]);
}

const rowsByToolCall = new Map<string, Promise<readonly Row[]>>();
/** Returns the rows of a tool's answer. Reads the pages of a question once, because each question is asked twice. */
const fetchToolRows = (toolName: string, toolArguments: Row): Promise<readonly Row[]> =>
  getOrInsert(rowsByToolCall, JSON.stringify([toolName, toolArguments]), () => readToolPages(toolName, toolArguments));

async function readToolPages(toolName: string, toolArguments: Row): Promise<readonly Row[]> {
  const toolAnswerRows: Row[] = [];
  for (let nextArguments: Row | null = toolArguments; nextArguments !== null; ) {
    const { content } = await mcpClient.callTool({ name: toolName, arguments: { ...nextArguments } });
    const [textPart] = content;
    if (textPart?.type !== 'text') throw new Error(`${toolName} did not answer with text`);
    toolAnswerRows.push(...parseMcpRows(textPart.text));
    const nextArgumentsJson: string | undefined = new RegExp(`\\. Next: ${toolName} (\\{.*\\})$`).exec(
      textPart.text,
    )?.[1];
    nextArguments = nextArgumentsJson === undefined ? null : JSON.parse(nextArgumentsJson);
  }
  return toolAnswerRows;
}

/**
 * Returns the rows of an answer for assistants. The answer begins with the values that are the same in all rows; then
 * come the header and one line per row.
 */
function parseMcpRows(answer: string): readonly Row[] {
  const lines = answer.slice(answer.indexOf('<data>'), answer.indexOf('\n</data>')).split('\n').slice(1);
  const sharedValues: Record<string, string> = {};
  const rows: Row[] = [];
  let columns: string[] | null = null;
  for (const line of lines) {
    const [, label, value] = /^([a-z0-9_]+): (.*)$/.exec(line) ?? [];
    if (line.startsWith('the same in every row: ')) {
      for (const pair of line.slice('the same in every row: '.length).split('; ')) {
        const [key = '', ...valueParts] = pair.split('=');
        sharedValues[key] = valueParts.join('=');
      }
    } else if (/^(?:filings|footnotes \d+|\w+ \d+): /.test(line)) break;
    else if (label !== undefined && value !== undefined && label !== 'answer') sharedValues[label] = value;
    else if (columns === null && /^[a-z0-9_]+(?:,[a-z0-9_]+)*$/.test(line)) columns = line.split(',');
    else if (columns !== null) {
      const [cells = []] = parseCsv(line);
      const names: readonly string[] = columns;
      rows.push({ ...sharedValues, ...Object.fromEntries(names.map((key, index) => [key, cells[index] ?? ''])) });
    }
  }
  return columns === null && Object.keys(sharedValues).length > 0 ? [sharedValues] : rows;
}

/** Returns the inputs in `argsOfSeveral`, such as tickers. */
function listInputs({ args, argsOfSeveral = [] }: CommandCase): readonly string[] {
  const otherArguments = argsOfSeveral.filter((arg) => !args.includes(arg));
  return argsOfSeveral.slice(argsOfSeveral.indexOf(otherArguments[0] ?? '') - 1).slice(0, otherArguments.length + 1);
}

/** One input; several inputs of a single call; or null to keep the input in the arguments of the case. */
type CaseInput = string | readonly string[] | null;

/** Returns the arguments with `input` in place of the first input of the case; unchanged if `input` is null. */
function replaceInput(caseArguments: Row, testCase: CommandCase, input: CaseInput): Row {
  if (input === null) return caseArguments;
  const [firstInput = ''] = listInputs(testCase);
  const inputArgument = Object.entries(caseArguments).find(([, value]) => String(value) === firstInput);
  if (inputArgument === undefined) throw new Error(`${firstInput} is in no argument`);
  const [key, value] = inputArgument;
  return { ...caseArguments, [key]: typeof value === 'number' ? Number(input) : input };
}

function expectSameRows(surface: string, surfaceRows: readonly Row[], rows: readonly Row[], fields: readonly string[]) {
  expect([surface, formatTuples(surfaceRows, fields)]).toEqual([surface, formatTuples(rows, fields)]);
}

/** Returns a row with its figures as numbers, which have no zeros at the end. */
const trimZeros = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : value,
    ]),
  );

/** Whether the service has the row; rows of what a level of segments leaves over are made from it. */
const isOfAnswer = ({ role }: Row): boolean => role !== 'remainder';

async function checkFormats(testCase: CommandCase, args: readonly string[], rows: readonly Row[]): Promise<void> {
  const { fields } = testCase;
  expectSameRows('csv', makeRowsFromCells(parseCsv(await runForOutput([...args, '--csv']))), rows, fields);
  const tsvLines = (await runForOutput([...args, '-o', 'tsv'])).trimEnd().split('\n');
  expectSameRows('tsv', makeRowsFromCells(tsvLines.map((line) => line.split('\t'))), rows, fields);
  expectSameRows('xlsx', await readXlsxRows(args), rows.map(trimZeros), fields);
  // JSON always has the complete answer.
  const argsWithoutRows = args.filter((arg, index) => arg !== '--rows' && args[index - 1] !== '--rows');
  const envelopes = [JSON.parse(await runForOutput([...argsWithoutRows, '--json']))].flat();
  const jsonRows = envelopes.flatMap(({ data }) => testCase.json(data as never));
  expectSameRows('json', jsonRows, rows.filter(isOfAnswer), fields);
  for (const format of ['table', 'md']) {
    const view = await runForOutput([...args, ...(testCase.view.options ?? []), '-o', format, '--exact']);
    checkView(format, view, rows, testCase.view);
  }
}

async function fetchLibraryRows(testCase: CommandCase, input: CaseInput): Promise<readonly Row[]> {
  const [operation, parameters] = testCase.library;
  const libraryArguments = replaceInput(parameters, testCase, input);
  const answer =
    operation === 'compare' || operation === 'peers' || operation === 'summary'
      ? await libraryClient[operation](libraryArguments as never)
      : await Reflect.apply(libraryClient.ask, libraryClient, [operation, libraryArguments]);
  return testCase.json((answer as { readonly data: unknown }).data as never);
}

async function readResourceRows(uri: string): Promise<readonly Row[]> {
  const [content] = (await mcpClient.readResource({ uri })).contents;
  if (content === undefined || !('text' in content)) throw new Error(`${uri} has no text`);
  return parseMcpRows(content.text);
}

/** @param inputs the library and the tool are called once for each of these */
async function checkAnswers(
  testCase: CommandCase,
  args: readonly string[],
  inputs: readonly CaseInput[],
): Promise<void> {
  const { fields, missingInTool, resource } = testCase;
  const [tool, toolArguments] = testCase.tool;
  const rows = await readNdjsonRows(args);
  expect(rows).not.toEqual([]);
  expect(fields.filter((field) => !rows.some((row) => field in row))).toEqual([]);
  await checkFormats(testCase, args, rows);
  const libraryRows: Row[] = [];
  const toolRows: Row[] = [];
  for (const input of inputs) {
    libraryRows.push(...(await fetchLibraryRows(testCase, input)));
    if (tool !== '') toolRows.push(...(await fetchToolRows(tool, replaceInput(toolArguments, testCase, input))));
  }
  expectSameRows('library', libraryRows, rows.filter(isOfAnswer), fields);
  const toolFields = fields.filter((field) => missingInTool?.fields.includes(field) !== true);
  if (tool !== '') expectSameRows('tool', toolRows, rows, toolFields);
  if (resource !== undefined) expectSameRows('resource', await readResourceRows(resource[0]), rows, resource[1]);
}

test.each(Object.entries(CASES))(
  'the answer to %s is the same in every format, in the library and for assistants',
  async (caseName, testCase) => {
    expect(testCase.tool[0] === '').toBe(COMMANDS_WITHOUT_TOOL.includes(caseName));
    await checkAnswers(testCase, testCase.args, [null]);
    if (testCase.argsOfSeveral === undefined) return;
    await checkAnswers(testCase, testCase.argsOfSeveral, caseName === 'compare' ? [TICKERS] : listInputs(testCase));
  },
  600_000,
);
