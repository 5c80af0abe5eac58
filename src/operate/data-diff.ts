import type { UtilityCommand } from '../commands/command-line/utility.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { requireDirectory } from '../platform/files/directories.ts';
import type { Block } from '../result/blocks.ts';
import { alignRight, makeFigureCell, makeNoteBlock, makeRecordTable, makeTitleBlock } from '../result/blocks.ts';
import { findColumnLabel, findMeasure } from '../result/labels.ts';
import { pickFields } from '../result/rows.ts';
import type { ReleaseChange, ReleaseDifference } from './compare-releases.ts';

const dataDiffCommand: UtilityCommand = {
  local: true,
  help:
    'Lists what changed from an earlier release to a later one: new reports, added and removed companies, and reported figures whose ' +
    'current value changed, with the filing of the new value. Kinds of changed figures: revised (another value), re_expressed (adjusted for ' +
    'a stock split), withdrawn (shown to be wrong and no longer used). Figures of new periods are not listed: the row of their report has their number. Derived ' +
    'figures are not listed, because they follow from reported figures.',
  args: [
    {
      name: 'before',
      help: 'The earlier release, or the beginning of its stamp (default: the release before the later release)',
      optional: true,
    },
    {
      name: 'after',
      help: 'The later release, or the beginning of its stamp (default: the release in use)',
      optional: true,
    },
  ],
  examples: {
    'data diff': 'what the last build changed',
    'data diff --csv': 'the changes as rows, one for each change',
  },
  run: async ({ args: [before = null, after = null], io }) => {
    const directory = requireDirectory('data', io.env);
    const { compareReleases } = await import('./compare-releases.ts');
    const onProgress = (done: number, total: number) => io.progress(`Comparing companies: ${done} of ${total}`);
    const difference = await compareReleases(directory, { before, after }, onProgress);
    const rows = difference.rows.map(makeRow);
    const columns = Object.keys(FIELD_BY_COLUMN);
    return { json: { ...difference, rows }, rows: pickFields(columns, rows), view: makeView(difference) };
  },
};

export default dataDiffCommand;

/** The printed columns, with their fields. */
const FIELD_BY_COLUMN = {
  ...{ change: 'change', ticker: 'ticker', cik: 'cik', entity_name: 'name', metric_key: 'metricKey', unit: 'unit' },
  ...{ start_date: 'start', end_date: 'end', before: 'before', after: 'after', figures: 'figures' },
  ...{ form: 'form', accession_number: 'accession', filed_at: 'filed' },
} as const satisfies Readonly<Record<string, keyof ReleaseChange>>;

const makeRow = (row: ReleaseChange) =>
  Object.fromEntries(Object.entries(FIELD_BY_COLUMN).map(([column, field]) => [column, row[field]]));

const CHANGE_LABELS: Readonly<Record<ReleaseChange['change'], string>> = {
  report_added: 'New report',
  revised: 'Revised',
  re_expressed: 'Adjusted for split',
  withdrawn: 'Withdrawn',
  company_added: 'Company added',
  company_removed: 'Company removed',
};

function makeView({ before, after, companies, rows }: ReleaseDifference): Block[] {
  const count = (kind: string): number => rows.filter(({ change }) => change === kind).length;
  return [
    makeTitleBlock(`${before} to ${after}: ${formatCount(companies, 'company', 'companies')} compared`),
    makeRecordTable(
      { change: 'Change', count: alignRight('Count') },
      Object.entries(CHANGE_LABELS).map(([kind, change]) => ({ change, count: count(kind) })),
    ),
    ...(rows.length === 0 ? [makeNoteBlock(describeNoChanges(before, after))] : [makeChangesTable(rows)]),
  ];
}

const describeNoChanges = (before: string, after: string): string =>
  before === after
    ? 'Both stamps name the same release, so there is nothing to compare. To list the stamps: fin data status'
    : 'Both releases have the same reports and reported figures.';

const makeChangesTable = (rows: readonly ReleaseChange[]): Block =>
  makeRecordTable(
    {
      filed: 'Filed',
      ticker: 'Ticker',
      change: 'Change',
      metric: { title: 'Figure', shrinkTo: 16 },
      end: { title: 'Period end', drop: 2 },
      before: alignRight('Before'),
      after: alignRight('After'),
      form: { title: 'Form', drop: 1 },
      accession: { title: 'Accession', drop: 3 },
    },
    rows.map((row) => {
      const { metricKey, figures } = row;
      const measure = findMeasure(metricKey ?? '', row.unit ?? '');
      const subject = figures === null ? row.name : formatCount(figures, 'new figure');
      return {
        ...row,
        change: CHANGE_LABELS[row.change],
        metric: metricKey === null ? subject : findColumnLabel(metricKey),
        before: makeFigureCell(row.before, measure),
        after: makeFigureCell(row.after, measure),
      };
    }),
  );
