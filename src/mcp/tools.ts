/** The tools for assistants; each tool answers one or more questions about one subject. */

import type { Connection } from '../client/connection.ts';
import type { NamedArguments } from '../questions/ask-by-name.ts';
import type { QuestionName } from '../questions/question-table.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Purpose of the tool and content of its answers. Each argument has a separate description. */
  readonly description: string;
  /**
   * Questions that the tool answers, by value of its argument `show`. `chooseQuestionName` in call-tool.ts chooses one
   * if `show` is not given.
   */
  readonly questionByShow: Readonly<Record<string, QuestionName>>;
  /**
   * Valid values by argument name. Present only if they differ from the values that the HTTP API accepts, as for
   * `period`.
   */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Names of command options that are also arguments of the tool. */
  readonly options?: readonly string[];
  readonly examples: readonly ReturnType<typeof makeExample>[];
}

const makeExample = (shows: string, given: NamedArguments) => ({ arguments: given, shows });

export const TOOLS: readonly Tool[] = [
  {
    name: 'find',
    title: 'Find companies and managers',
    description:
      "Finds a company's ticker by name or the start of the ticker; or an institutional manager's CIK by name. " +
      'Call this first: the other tools take tickers and CIKs. Without a query it lists the largest managers.',
    questionByShow: { companies: 'search', managers: 'managers' },
    examples: [
      makeExample('companies', { query: 'apple' }),
      makeExample('managers', { query: 'berkshire', show: 'managers' }),
    ],
  },
  {
    name: 'company',
    title: 'Show a company',
    description:
      'Shows data about a company: its profile with the latest price, its figures by business segment, geography ' +
      'and product, the tagged concepts it has used, or every fact of one concept as filed.',
    questionByShow: { profile: 'profile', segments: 'segments', concepts: 'raw-concepts', facts: 'facts' },
    examples: [
      makeExample('profile of a company', { ticker: 'AAPL' }),
      makeExample('revenue by segment and product', { ticker: 'AAPL', show: 'segments' }),
      makeExample('concepts with a word in the name', { ticker: 'AAPL', search: 'lease', show: 'concepts' }),
    ],
  },
  {
    name: 'metrics',
    title: 'Read figures of a company',
    description:
      'Reads reported and derived figures, exact to the digit, each with its filing. With only ' +
      'a ticker, shows the latest value of every metric; with as_of, values reported by that date.',
    questionByShow: { metrics: 'metrics' },
    options: ['statement', 'years', 'quarters', 'ttm', 'growth', 'common-size', 'compute'],
    values: { period: ['latest', 'annual', 'quarterly', 'ttm', 'all'] },
    examples: [
      makeExample('two figures by year', { ticker: 'AAPL', keys: ['revenue', 'net_income'], period: 'annual' }),
      makeExample('five years of the income statement', { ticker: 'MSFT', statement: 'income', years: 5 }),
      makeExample('values as reported by a date', {
        ticker: 'AAPL',
        keys: ['revenue'],
        period: 'annual',
        as_of: '2020-01-01',
      }),
    ],
  },
  {
    name: 'compare',
    title: 'Compare companies',
    description:
      'Compares companies by one metric over several years, or by several metrics. Fiscal periods are shown in the ' +
      'calendar period that they mostly cover. Amounts are not converted.',
    questionByShow: { values: 'compare' },
    options: ['keys', 'period', 'years', 'compute'],
    examples: [
      makeExample('common figures of the latest year', { ticker: ['AAPL', 'MSFT'] }),
      makeExample('one metric by year', { ticker: ['AAPL', 'MSFT', 'GOOGL'], keys: ['revenue'], years: 5 }),
    ],
  },
  {
    name: 'explain',
    title: 'Explain a figure',
    description:
      'Traces a figure to its source: the tagged facts it is read or derived from, its formula, and every filing that ' +
      'reported it, with what changed. Call this before stating a figure that matters. Without metric_key, lists every ' +
      'figure that a later filing changed.',
    questionByShow: { lineage: 'lineage', revisions: 'revisions' },
    options: ['since'],
    examples: [
      makeExample('the revenue of a fiscal year', {
        ticker: 'AAPL',
        metric_key: 'revenue',
        fiscal_year: 2024,
        fiscal_period: 'FY',
      }),
      makeExample('changes by filings since a date', { ticker: 'AAPL', since: '2023-01-01' }),
    ],
  },
  {
    name: 'screen',
    title: 'Screen companies',
    description:
      'Filters and sorts companies by their figures. Companies that lack a filtered figure are left out and counted ' +
      '(set_aside). Write fractions as 0.2 or 20%, amounts as 1.5B. Check a result with "explain". With ' +
      "peers_of, lists one company's industry peers; with rows (standing) too, its rank in each figure.",
    questionByShow: { companies: 'screen', peers: 'peers' },
    options: ['summary', 'by', 'rows', 'compute'],
    examples: [
      makeExample('large, growing and profitable companies', {
        where: ['revenue:gt:10B', 'revenue_yoy:gt:20%', 'net_margin:gte:20%'],
        sort: 'net_margin',
        dir: 'desc',
      }),
    ],
  },
  {
    name: 'filings',
    title: 'List filings',
    description:
      "Lists a company's filings, newest first; a day's filings of all companies; or one filing with its documents " +
      'and their addresses, without their text.',
    questionByShow: { company: 'filings', filing: 'filing', day: 'day' },
    options: ['rows'],
    examples: [
      makeExample('annual reports', { ticker: 'AAPL', forms: ['10-K', '10-K/A'] }),
      makeExample('the documents of a filing', { accession: '0000320193-25-000079' }),
      makeExample('a day', { date: '2026-07-31' }),
    ],
  },
  {
    name: 'ownership',
    title: 'Show insiders, holders and managers',
    description:
      "Shows insiders' open-market purchases and sales at one or all companies, the managers that hold a company " +
      "(Form 13F), or one manager's positions.",
    questionByShow: { insiders: 'insiders', holders: 'holders', manager: 'manager', all_insiders: 'insider-activity' },
    options: ['rows', 'sort', 'min-value', 'exclude-plans'],
    examples: [
      makeExample("insiders' sales", { ticker: 'AAPL', kind: 'sale' }),
      makeExample("a manager's positions", { cik: 1067983 }),
      makeExample('purchases at all companies', { kind: 'purchase', since: '2026-05-01' }),
    ],
  },
  {
    name: 'prices',
    title: 'Show prices',
    description:
      'Shows daily prices, split-adjusted prices and market cap. Whenever you show a price, also show the ' +
      'attribution that this tool returns.',
    questionByShow: { prices: 'prices' },
    options: ['rows'],
    examples: [
      makeExample('a year', { ticker: 'AAPL', range: '1y' }),
      makeExample('between two dates', { ticker: 'AAPL', from: '2025-01-01', to: '2025-12-31' }),
    ],
  },
];

/** Tools that read documents; offered only where documents can be read. */
export const READING_TOOLS: readonly Tool[] = [
  {
    name: 'read_filing',
    title: 'Read a filing',
    description:
      'Quotes a section of a filing, or lists its items and how their bounds were found. If the bounds of a section are ' +
      'uncertain, the error says what to read instead.',
    questionByShow: { text: 'read' },
    options: ['item', 'items', 'form', 'exhibit', 'document', 'pages'],
    examples: [
      makeExample('risk factors of the latest annual report', { ticker: 'AAPL', item: '1A' }),
      makeExample('the items of a filing', { ticker: '0000320193-25-000079', items: true }),
    ],
  },
  {
    name: 'search_filings',
    title: 'Search the text of filings',
    description: "Finds a word or regular expression in a company's filings, with the words around and the item.",
    questionByShow: { matches: 'grep' },
    options: ['fixed', 'count', 'exhibit'],
    examples: [makeExample('the reports of two years', { pattern: 'tariff', ticker: 'AAPL', since: '2y' })],
  },
  {
    name: 'filing_changes',
    title: 'Compare a section with the year before',
    description:
      'Shows the paragraphs of an item that were added, removed or changed. Refused if either section is not proven.',
    questionByShow: { changes: 'changes' },
    options: ['item', 'form', 'from', 'to'],
    examples: [makeExample('changed risk factors', { ticker: 'AAPL', item: '1A' })],
  },
];

const ALL_TOOLS = [...TOOLS, ...READING_TOOLS];

/** @param readsDocuments whether the tools that read documents are offered */
export const findTool = (name: string, readsDocuments: boolean): Tool | undefined =>
  (readsDocuments ? ALL_TOOLS : TOOLS).find((tool) => tool.name === name);

/**
 * Returns the tool that answers a question, and the value of `show` that selects the question; null without such a
 * tool.
 */
export function findToolOfQuestion(name: QuestionName): { readonly tool: Tool; readonly show: string } | null {
  for (const tool of ALL_TOOLS) {
    const entry = Object.entries(tool.questionByShow).find(([, question]) => question === name);
    if (entry !== undefined) return { tool, show: entry[0] };
  }
  return null;
}

export interface ToolCall {
  readonly tool: Tool;
  readonly given: NamedArguments;
  readonly connection: Connection;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}
