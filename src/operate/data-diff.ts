import type { UtilityCommand } from '../commands/command-line/utility.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { requireDirectory } from '../platform/files/directories.ts';
import { type Block, makeFigureCell, makeNoteBlock, makeTableBlock, makeTitleBlock } from '../result/blocks.ts';
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
    const difference = await compareReleases(directory, { before, after }, (done, total) =>
      io.progress(`Comparing companies: ${done} of ${total}`),
    );
    io.progress(null);
    return {
      json: { ...difference, rows: difference.rows.map(makeRow) },
      rows: pickFields(
        CHANGE_COLUMNS.map(([name]) => name),
        difference.rows.map(makeRow),
      ),
      view: makeView(difference),
    };
  },
};

export default dataDiffCommand;

const CHANGE_COLUMNS: readonly (readonly [name: string, read: (row: ReleaseChange) => string | number | null])[] = [
  ['change', ({ change }) => change],
  ['ticker', ({ ticker }) => ticker],
  ['cik', ({ cik }) => cik],
  ['entity_name', ({ name }) => name],
  ['metric_key', ({ metricKey }) => metricKey],
  ['unit', ({ unit }) => unit],
  ['start_date', ({ start }) => start],
  ['end_date', ({ end }) => end],
  ['before', ({ before }) => before],
  ['after', ({ after }) => after],
  ['figures', ({ figures }) => figures],
  ['form', ({ form }) => form],
  ['accession_number', ({ accession }) => accession],
  ['filed_at', ({ filed }) => filed],
];

const makeRow = (row: ReleaseChange) => Object.fromEntries(CHANGE_COLUMNS.map(([name, read]) => [name, read(row)]));

const CHANGE_LABELS: Readonly<Record<ReleaseChange['change'], string>> = {
  report_added: 'New report',
  revised: 'Revised',
  re_expressed: 'Adjusted for split',
  withdrawn: 'Withdrawn',
  company_added: 'Company added',
  company_removed: 'Company removed',
};

function makeView({ before, after, companies, rows }: ReleaseDifference): Block[] {
  const counts = Object.entries(CHANGE_LABELS).map(([change, label]) => [
    label,
    rows.filter((row) => row.change === change).length,
  ]);
  return [
    makeTitleBlock(`${before} to ${after}: ${formatCount(companies, 'company', 'companies')} compared`),
    makeTableBlock(
      [
        { key: 'change', title: 'Change' },
        { key: 'count', title: 'Count', align: 'right' },
      ],
      counts as [string, number][],
    ),
    ...(rows.length === 0 ? [makeNoteBlock(describeNoChanges(before, after))] : [makeChangesTable(rows)]),
  ];
}

const describeNoChanges = (before: string, after: string): string =>
  before === after
    ? 'Both stamps name the same release, so there is nothing to compare. To list the stamps: fin data status'
    : 'Both releases have the same reports and reported figures.';

const makeChangesTable = (rows: readonly ReleaseChange[]): Block =>
  makeTableBlock(
    [
      { key: 'filed', title: 'Filed' },
      { key: 'ticker', title: 'Ticker' },
      { key: 'change', title: 'Change' },
      { key: 'metric', title: 'Figure', shrinkTo: 16 },
      { key: 'end', title: 'Period end', drop: 2 },
      { key: 'before', title: 'Before', align: 'right' },
      { key: 'after', title: 'After', align: 'right' },
      { key: 'form', title: 'Form', drop: 1 },
      { key: 'accession', title: 'Accession', drop: 3 },
    ],
    rows.map(({ change, metricKey, figures, ...row }) => {
      const measure = findMeasure(metricKey ?? '', row.unit ?? '');
      return [
        row.filed,
        row.ticker,
        CHANGE_LABELS[change],
        metricKey === null
          ? figures === null
            ? row.name
            : formatCount(figures, 'new figure')
          : findColumnLabel(metricKey),
        row.end,
        makeFigureCell(row.before, measure),
        makeFigureCell(row.after, measure),
        row.form,
        row.accession,
      ];
    }),
  );
