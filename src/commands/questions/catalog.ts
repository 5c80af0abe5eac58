import type { MetricCatalogEntry } from '../../contract/resources/metrics.ts';
import { quiet, table } from '../../output/blocks.ts';
import { map, type Rows } from '../../output/rows.ts';
import { command } from '../command.ts';
import { displayName } from './shared/labels.ts';

export default command({
  operation: 'catalog',
  args: [],
  examples: [
    { line: 'catalog', shows: 'every metric, and the formula or the tagged concepts behind it' },
    { line: 'catalog --output ndjson', shows: 'the same, one JSON object a line' },
  ],
  view: ({ data }, { width }) => [
    table(
      [
        { key: 'key', title: 'Key' },
        { key: 'label', title: 'Label', shrinkTo: 16, wrapped: true, drop: 1 },
        { key: 'statement', title: 'Statement', drop: 3 },
        { key: 'unit', title: 'Unit', drop: 4 },
        { key: 'covered_company_count', title: 'Companies', align: 'right', drop: 2 },
        { key: 'formula', title: 'Source', shrinkTo: 24, wrapped: true, cut: 'middle' },
      ],
      data.map((entry) => [
        { text: entry.key, tone: 'strong' },
        entry.label,
        entry.statement == null ? null : displayName(entry.statement),
        entry.unit == null ? null : displayName(entry.unit),
        entry.covered_company_count,
        entry.formula ?? quiet(width === null ? concepts(entry).join(', ') : firstConcept(entry)),
      ]),
    ),
  ],
  rows: ({ data }): Rows => ({
    columns: [
      'key',
      'label',
      'description',
      'value_kind',
      'statement',
      'unit',
      'covered_company_count',
      'formula',
      'mappings',
    ],
    rows: map(data, (entry) => [
      entry.key,
      entry.label,
      entry.description,
      entry.value_kind,
      entry.statement ?? null,
      entry.unit ?? null,
      entry.covered_company_count,
      entry.formula ?? null,
      concepts(entry).join(' '),
    ]),
  }),
});

/** In the order in which they are tried. */
function concepts({ mappings }: MetricCatalogEntry): string[] {
  return [...mappings]
    .sort((a, b) => a.priority - b.priority)
    .map(({ taxonomy, concept, sign_multiplier: sign }) => `${sign < 0 ? '-' : ''}${taxonomy}:${concept}`);
}

/** On a terminal the first concept and how many more there are, without their taxonomies. */
function firstConcept(entry: MetricCatalogEntry): string | null {
  const [first, ...others] = concepts(entry).map((name) => name.replace(/^(-?)[^:]+:/, '$1'));
  if (first === undefined) return null;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
