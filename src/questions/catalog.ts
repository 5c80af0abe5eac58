import { type ClientFilter, defineCommand } from '../ask/command/command.ts';
import { makeRowsOption } from '../ask/command/options.ts';
import { Failure } from '../contract/failure.ts';
import { isScreenOnly, METRIC_KEYS } from '../contract/figures.ts';
import { didYouMean } from '../contract/nearest.ts';
import type { MetricCatalogEntry } from '../contract/resources/metrics.ts';
import { FILTER_COLUMNS } from '../contract/screen-columns.ts';
import { quote } from '../contract/text/quote.ts';
import { call, say } from '../contract/text/text.ts';
import { groupBy } from '../platform/collections.ts';
import type { Block, TableRow } from '../result/blocks.ts';
import { makeFieldsBlock, makeNoteBlock, makeQuietCell, makeTableBlock, makeTitleBlock } from '../result/blocks.ts';
import { findStatementTitle, makeDisplayName } from '../result/labels.ts';
import { makeFieldColumns, makeTable, type Table } from '../result/table.ts';
import { comparePlaces, findStatementPlace } from './statements/layouts.ts';

export default defineCommand({
  operation: 'catalog',
  args: [
    {
      parameter: 'metric_key',
      own: 'Metric to show in full (key or XBRL concept), or group of metrics to list; several are possible',
      optional: true,
      many: true,
    },
  ],
  examples: {
    catalog: 'the keys of all metrics, by statement',
    'catalog income': 'one group, with labels and the number of companies that have each metric',
    'catalog revenue': 'one metric in full: its XBRL concepts or its formula',
    'catalog us-gaap:Revenues': 'the metric that is read from an XBRL concept',
    'catalog --output ndjson': 'all metrics as rows, one JSON object per line',
  },
  help: 'The service sends the list of all metrics; fin selects the metrics to show.',
  options: [makeRowsOption('metrics', 'concepts')],
  request: ({ givenParameters: parameters, args }) => ({ parameters, narrowing: makeNamesFilter(args) }),
  result: ({ data }, { args }) => ({
    tables: [makeMetricsTable(data), makeConceptsTable(data)],
    layout: ({ width }) => {
      if (data.length <= MAX_METRICS_IN_FULL) return data.flatMap(makeFullEntryBlocks);
      // The list of all metrics fills three screens, so without a name a terminal shows only the keys.
      const list =
        width === null || args.length > 0
          ? [makeMetricListBlock(data, width)]
          : [makeKeysByGroupBlock(data), makeNoteBlock(formatGroupsNote(data))];
      return [...list, makeNoteBlock('To see one metric in full: fin catalog <metric-key>')];
    },
  }),
});

type Catalog = readonly MetricCatalogEntry[];

/** Returns the filter that keeps the metrics with these names; null without names. */
function makeNamesFilter(names: readonly string[]): ClientFilter<Catalog> | null {
  if (names.length === 0) return null;
  const apply = (data: Catalog) => {
    const matches = data.filter((entry) => names.some((name) => matchesName(entry, name)));
    if (matches.length === 0) throw makeUnknownMetricFailure(names);
    return matches;
  };
  return { apply, notices: () => [] };
}

const makeMetricsTable = (data: Catalog): Table =>
  makeTable({
    name: 'metrics',
    columns: [
      ...makeFieldColumns('key', 'label', 'description', 'value_kind', 'statement', 'unit', 'covered_company_count'),
      ...makeFieldColumns('formula'),
      { key: 'mappings', value: (entry) => listConceptNames(entry).join(' ') },
    ],
    records: () => data,
  });

/** Returns one row per XBRL concept from which a metric is read, in order of priority. */
const makeConceptsTable = (data: Catalog): Table =>
  makeTable({
    name: 'concepts',
    columns: makeFieldColumns('key', 'label', 'priority', 'taxonomy', 'concept', 'unit', 'sign_multiplier'),
    shownKeys: [],
    records: () =>
      data.flatMap((metric) => sortMappings(metric).map((item) => ({ key: metric.key, label: metric.label, ...item }))),
  });

const sortMappings = ({ mappings }: MetricCatalogEntry) => [...mappings].sort((a, b) => a.priority - b.priority);

const listConceptNames = (entry: MetricCatalogEntry): string[] =>
  sortMappings(entry).map((item) => `${item.sign_multiplier < 0 ? '-' : ''}${item.taxonomy}:${item.concept}`);

/** Maximum number of metrics shown with all their details. */
const MAX_METRICS_IN_FULL = 3;

/**
 * Returns the name (as users type it) and the title of an entry's group. A group is a statement, the ratios, or the
 * figures that only the screener has.
 */
function findGroup({ key, statement = null }: MetricCatalogEntry) {
  if (statement !== null) return { name: statement.replaceAll('_', '-'), title: findStatementTitle(statement) };
  if (isScreenOnly(key)) return { name: 'screener', title: 'Screener only' };
  return { name: 'ratios', title: findStatementPlace({ key, statement }).section ?? findStatementTitle(null) };
}

/**
 * Groups entries by the title of their group: statements first, then ratios, then figures that only the screener has.
 */
function groupEntriesByTitle(data: Catalog): ReadonlyMap<string, Catalog> {
  const rank = (entry: MetricCatalogEntry): number => ['ratios', 'screener'].indexOf(findGroup(entry).name);
  const findPlace = ({ key, statement = null }: MetricCatalogEntry) => findStatementPlace({ key, statement });
  const compare = (a: MetricCatalogEntry, b: MetricCatalogEntry): number =>
    rank(a) - rank(b) || (rank(a) < 0 ? 0 : comparePlaces(findPlace(a), findPlace(b)));
  return groupBy(data.toSorted(compare), (entry) => findGroup(entry).title);
}

const makeKeysByGroupBlock = (data: Catalog): Block =>
  makeTableBlock(
    [
      { key: 'title', title: 'Group' },
      { key: 'keys', title: 'Metrics', wrapped: true, shrinkTo: 20 },
    ],
    [...groupEntriesByTitle(data)].map(([title, entries]) => [
      { text: title, tone: 'strong' },
      entries.map(({ key }) => key).join(', '),
    ]),
  );

function formatGroupsNote(data: Catalog): string {
  const [first, ...others] = new Set(data.map((entry) => findGroup(entry).name));
  return `${data.length} metrics. To see their labels, and how many companies have each metric: fin catalog ${first}${others.length === 0 ? '' : ` (or ${others.join(', ')})`}`;
}

/** Whether a name matches an entry: its group, key, label or a concept, with or without taxonomy. */
function matchesName(entry: MetricCatalogEntry, name: string): boolean {
  const lower = name.toLowerCase();
  if (findGroup(entry).name === lower.replaceAll('_', '-')) return true;
  const concepts = entry.mappings.flatMap(({ taxonomy, concept }) => [concept, `${taxonomy}:${concept}`]);
  return [entry.key, entry.label, ...concepts].some((text) => text.toLowerCase() === lower);
}

function makeUnknownMetricFailure(names: readonly string[]): Failure {
  const [name = ''] = names;
  const similar = didYouMean(name, [...new Set([...METRIC_KEYS, ...FILTER_COLUMNS])]);
  const subject = names.length === 1 ? `metric ${quote(name)}` : 'metric with any of these names';
  const hint = say`List of metrics: ${call('catalog')}`;
  return new Failure('not_found', `The catalog has no ${subject}.${similar}`, { hint });
}

/**
 * Returns the metrics by statement. Metrics without a formula show their concepts: all of them if `width` is null (not
 * a terminal), otherwise the first one and the number of others.
 */
const makeMetricListBlock = (data: Catalog, width: number | null): Block =>
  makeTableBlock(
    [
      { key: 'label', title: 'Metric', shrinkTo: 30, cut: 'middle' },
      { key: 'key', title: 'Key' },
      { key: 'unit', title: 'Unit', drop: 1 },
      { key: 'covered_company_count', title: 'Companies', align: 'right' },
      { key: 'formula', title: 'Source', shrinkTo: 24, cut: 'middle', drop: 2 },
    ],
    [...groupEntriesByTitle(data)].flatMap(([title, entries]): TableRow[] => [
      { section: title },
      ...entries.map((entry) => [
        entry.label,
        { text: entry.key, tone: 'strong' } as const,
        entry.unit == null ? null : makeDisplayName(entry.unit),
        entry.covered_company_count,
        entry.mappings.length === 0
          ? (entry.formula ?? null)
          : makeQuietCell(width === null ? listConceptNames(entry).join(', ') : summarizeConcepts(entry)),
      ]),
    ]),
  );

function makeFullEntryBlocks(entry: MetricCatalogEntry): Block[] {
  const { key, label, description, value_kind: kind, statement, unit, covered_company_count: companies } = entry;
  return [
    makeTitleBlock(`${label} (${key})`),
    makeFieldsBlock([
      ['Meaning', description],
      ['Kind', kind],
      ['Statement', findStatementTitle(statement ?? null)],
      ...(unit == null ? [] : [['Unit', makeDisplayName(unit)] as const]),
      ['Companies', companies],
      ...(entry.formula == null ? [] : [['Formula', entry.formula] as const]),
    ]),
    makeTableBlock(
      [
        { key: 'priority', title: 'Order', align: 'right' },
        { key: 'concept', title: 'Concept', shrinkTo: 24, wrapped: 'anywhere' },
        { key: 'unit', title: 'Unit', drop: 1 },
      ],
      listConceptNames(entry).map((concept, index) => [index + 1, concept, sortMappings(entry)[index]?.unit ?? null]),
    ),
  ];
}

/** Returns the first concept without its taxonomy, and the number of further concepts, for a terminal. */
function summarizeConcepts(entry: MetricCatalogEntry): string | null {
  const [first, ...others] = listConceptNames(entry).map((name) => name.replace(/^(-?)[^:]+:/, '$1'));
  if (first === undefined) return null;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
