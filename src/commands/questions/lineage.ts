import { filingFolder } from '../../contract/identifiers.ts';
import type { MetricLineage } from '../../contract/resources/metrics.ts';
import { type Cell, figure, note, quiet, type TableRow, table, title } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { command } from '../command.ts';
import { displayName, fiscalLabel, isSameValue, measureOf, periodDays } from './shared/labels.ts';

export default command({
  operation: 'lineage',
  args: [{ parameter: 'ticker' }, { parameter: 'metric_key' }],
  examples: [
    { line: 'lineage AAPL revenue', shows: 'the tagged fact and the filing behind each value' },
    {
      line: 'lineage AAPL free_cash_flow --as-of 2022-01-01',
      shows: 'the facts behind a derived figure, as reported by a day',
    },
  ],
  notShown: ({ data }) => {
    const last = data.at(-1);
    if (last === undefined || last.role === REPORTED || last.role === CONTRADICTED) return null;
    return `The facts of the last value (${fiscalLabel(last) ?? periodDays(last)}) may be incomplete.`;
  },
  view: ({ data }) => {
    const [first] = data;
    if (first === undefined) return [];
    return [
      title(`${first.entity_name} (${first.ticker ?? first.cik}): ${first.metric_label}`),
      table(
        [
          { key: 'role', title: 'Role' },
          { key: 'raw_value', title: 'Fact', align: 'right' },
          { key: 'raw_unit', title: 'Unit', drop: 4 },
          { key: 'concept', title: 'Concept', shrinkTo: 24, cut: 'middle' },
          { key: 'taxonomy', title: 'Taxonomy', drop: 5 },
          { key: 'form', title: 'Form', drop: 2 },
          { key: 'filed_at', title: 'Filed' },
          { key: 'accession_number', title: 'Accession', drop: 1 },
          // Only where a filing's own document was read.
          ...(data.some(({ location }) => location != null) ? [{ key: 'line', title: 'Line', drop: 3 }] : []),
        ],
        data.flatMap((row, index) => [
          ...sectionOf(row, data[index - 1]),
          [...cells(row), ...(data.some(({ location }) => location != null) ? [lineOf(row)] : [])],
        ]),
      ),
      ...(data.some(({ role }) => role === CONTRADICTED)
        ? [
            note(
              'Contradicted: as filed, but other facts of the company show that it is wrong. No figure is read from it.',
            ),
          ]
        : []),
    ];
  },
  rows: ({ data }) =>
    pick(
      COLUMNS,
      data.map(({ location, ...row }) => ({ ...row, ...locationFields(location) })),
    ),
});

/** The role of a fact that is itself the value, so that no other fact follows. */
const REPORTED = 'value';

/** The role of a value as filed that other facts of the company show to be wrong. */
const CONTRADICTED = 'contradicted';

/** A line above the facts of each value: its period and the value. */
function sectionOf(row: MetricLineage, before: MetricLineage | undefined): TableRow[] {
  if (before !== undefined && isSameValue(before, row)) return [];
  const name = fiscalLabel(row);
  const period = `${name === null ? '' : `${name}, `}${periodDays(row)}:`;
  return [
    {
      section: [
        period,
        figure(row.metric_value, measureOf(row.metric_key, row.metric_unit)),
        ...(row.metric_unit === 'pure' ? [] : [row.metric_unit]),
      ],
    },
  ];
}

const cells = (row: MetricLineage): Cell[] => [
  row.role,
  figure(row.raw_value, measureOf('', row.raw_unit)),
  row.raw_unit,
  row.concept,
  quiet(row.taxonomy),
  row.form ?? null,
  row.filed_at ?? null,
  quiet(row.accession_number),
];

/** The line of the document that shows the fact, with its address in the filing's folder at the SEC. */
function lineOf({ cik, accession_number, location }: MetricLineage): Cell {
  if (location == null) return null;
  const { match_quality, document, line_id } = location;
  const text = `${line_id ?? ''}${QUALITIES.get(match_quality) ?? ` (${displayName(match_quality)})`}`;
  if (line_id == null || document == null || accession_number == null) return { text, tone: 'quiet' };
  const folder = filingFolder(cik, accession_number);
  return folder === null
    ? { text, tone: 'quiet' }
    : { text, link: `${folder}${encodeURIComponent(document)}#${encodeURIComponent(line_id)}` };
}

const QUALITIES: ReadonlyMap<string, string> = new Map([
  ['unique', ''],
  ['ambiguous', ', and others'],
  ['hidden_only', 'tagged, not shown'],
  ['none', 'not in the document'],
]);

const locationFields = (location: MetricLineage['location']): object => ({
  location_concept: location?.concept ?? null,
  location_match_quality: location?.match_quality ?? null,
  location_context: location?.context ?? null,
  location_document: location?.document ?? null,
  location_line_id: location?.line_id ?? null,
});

const COLUMNS = [
  'ticker',
  'exchange',
  'cik',
  'entity_name',
  'metric_key',
  'metric_label',
  'metric_value',
  'metric_unit',
  'period_kind',
  'fiscal_year',
  'fiscal_period',
  'start_date',
  'end_date',
  'role',
  'taxonomy',
  'concept',
  'raw_unit',
  'raw_value',
  'accession_number',
  'form',
  'filed_at',
  'frame',
  'location_match_quality',
  'location_context',
  'location_document',
  'location_line_id',
  'metric_value_id',
  'raw_fact_id',
  'location_concept',
  'raw_ingestion_run_id',
  'source_payload_id',
];
