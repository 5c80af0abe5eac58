/** The questions by name. A question's module is loaded on first use, so that start-up usually loads only one module. */
import type { QuestionCommand } from '../ask/command/command.ts';
import type { OperationId } from '../contract/operations.ts';

export type QuestionName = OperationId | 'compare' | 'peers' | 'facts' | 'read' | 'grep' | 'changes';

interface QuestionEntry {
  readonly operation: OperationId;
  /** The command's summary in help; by default the operation's summary. */
  readonly summary?: string;
  readonly load: () => Promise<{ readonly default: QuestionCommand }>;
}

/** The main command of each operation, and additional commands on the same operations. */
export const QUESTION_COMMANDS: Readonly<Record<QuestionName, QuestionEntry>> = {
  search: { operation: 'search', load: () => import('./search.ts') },
  profile: { operation: 'profile', load: () => import('./profile.ts') },
  metrics: { operation: 'metrics', load: () => import('./metrics.ts') },
  catalog: { operation: 'catalog', load: () => import('./catalog.ts') },
  lineage: { operation: 'lineage', load: () => import('./lineage.ts') },
  revisions: { operation: 'revisions', load: () => import('./revisions.ts') },
  'raw-concepts': { operation: 'raw-concepts', load: () => import('./raw-concepts.ts') },
  filings: { operation: 'filings', load: () => import('./filings.ts') },
  day: { operation: 'day', load: () => import('./day.ts') },
  filing: { operation: 'filing', load: () => import('./filing.ts') },
  'insider-activity': {
    operation: 'insider-activity',
    load: async () => ({ default: (await import('./insiders.ts')).insiderActivity }),
  },
  insiders: { operation: 'insiders', load: () => import('./insiders.ts') },
  holders: { operation: 'holders', load: () => import('./holders.ts') },
  managers: { operation: 'managers', load: () => import('./managers.ts') },
  manager: { operation: 'manager', load: () => import('./manager.ts') },
  segments: { operation: 'segments', load: () => import('./segments.ts') },
  prices: { operation: 'prices', load: () => import('./prices.ts') },
  screen: { operation: 'screen', load: () => import('./screen.ts') },
  release: { operation: 'release', load: () => import('./release.ts') },
  facts: {
    operation: 'raw-concepts',
    summary: 'Show the facts of an XBRL concept as filed, or find concepts',
    load: () => import('./facts.ts'),
  },
  read: {
    operation: 'filings',
    summary: 'Read a filing: a section with proven ends, an exhibit, pages or the whole text',
    load: () => import('./read.ts'),
  },
  grep: { operation: 'filings', summary: 'Search the text of filings', load: () => import('./grep.ts') },
  changes: {
    operation: 'filings',
    summary: 'Show how an item of a filing changed since the year before',
    load: () => import('./changes.ts'),
  },
  compare: {
    operation: 'metrics',
    summary: 'Compare companies by one metric over years, or by several metrics in one period',
    load: () => import('./compare.ts'),
  },
  peers: {
    operation: 'screen',
    summary: 'Rank a company among the companies of its industry',
    load: () => import('./peers.ts'),
  },
};

export const loadQuestion = async (name: QuestionName) => (await QUESTION_COMMANDS[name].load()).default;
