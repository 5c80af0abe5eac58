import type { UtilityCommand } from '../commands/command-line/utility.ts';
import { EXIT_CODES } from '../contract/failure.ts';
import { formatInstant } from '../contract/text/format-counts.ts';
import { requireDirectory } from '../platform/files/directories.ts';
import type { Block } from '../result/blocks.ts';
import { alignRight, makeFieldsBlock, makeNoteBlock, makeRecordTable, makeTitleBlock } from '../result/blocks.ts';
import { pickFields } from '../result/rows.ts';
import type { ReleaseList, ReleaseStatus } from './releases.ts';

const COLUMNS = ['stamp', 'current', 'sample', 'checks', 'companies', 'published_at', 'state', 'directory'] as const;

const dataStatusCommand: UtilityCommand = {
  local: true,
  options: [{ name: 'verify', help: 'Compare every file with its hash, including typed tables, and read every cell' }],
  examples: {
    'data status': 'the releases on this machine',
    'data status --verify --json': 'the releases as JSON, after comparing every file with its hash',
  },
  run: async ({ io, options }) => {
    const directory = requireDirectory('data', io.env);
    const verifies = options.verify === true;
    const { listReleases } = await import('./releases.ts');
    const { home, releases } = await listReleases(directory, verifies);
    const damaged = releases.filter(({ faults }) => faults.length > 0);
    for (const { stamp, faults } of damaged) for (const fault of faults) io.log(`Error: ${stamp}: ${fault}`);
    return {
      json: { home, verified: verifies, releases },
      rows: pickFields(COLUMNS, releases.map(makeRow)),
      view: makeView({ home, releases }, verifies),
      ...(damaged.length > 0 ? { exitCode: EXIT_CODES.data } : {}),
    };
  },
};

export default dataStatusCommand;

const makeRow = ({ stamp, current, sample, directory, manifest, faults }: ReleaseStatus) => ({
  stamp,
  current,
  sample,
  checks: manifest?.checks ?? null,
  companies: manifest?.tables.companies?.rows ?? null,
  published_at: manifest?.publishedAt ?? null,
  // Without a readable manifest the files cannot be checked: they may be intact but in another layout.
  state: manifest === null ? 'unreadable' : faults.length === 0 ? 'good' : 'damaged',
  directory,
});

function makeView({ home, releases }: ReleaseList, isVerified: boolean): Block[] {
  const releaseInUse = releases.find(({ current }) => current);
  return [
    makeTitleBlock(formatTitle(releaseInUse)),
    makeFieldsBlock([
      ['Releases', home],
      ['About', releaseInUse?.manifest?.about ?? null],
      ['Companies', describeCompanies(releaseInUse)],
      ...(releaseInUse?.manifest?.absent === undefined
        ? []
        : ([['Not pulled', releaseInUse.manifest.absent.join(', ')]] as const)),
    ]),
    makeRecordTable(
      {
        stamp: 'Release',
        current: 'In use',
        checks: 'Checks',
        companies: alignRight('Companies'),
        published_at: { title: 'Published', drop: 1 },
        state: 'Files',
      },
      releases.map(makeRow).map((row) => ({
        ...row,
        stamp: row.sample ? `${row.stamp} (sample)` : row.stamp,
        current: row.current ? 'yes' : '',
        published_at: formatInstant(row.published_at),
        state: makeStateCell(row.state, isVerified),
      })),
    ),
    ...(releases.some(({ sample }) => !sample)
      ? []
      : [
          makeNoteBlock(
            'This machine has only the built-in sample. To get all companies: fin data fetch --bulk, then fin data build.',
          ),
        ]),
  ];
}

/**
 * Returns the number of companies, and how many of them are in the screener. The screener omits companies without
 * recent figures, and companies without a listed security.
 */
function describeCompanies(release: ReleaseStatus | undefined): string | null {
  const { companies, screen } = release?.manifest?.tables ?? {};
  if (companies === undefined) return null;
  return screen === undefined ? String(companies.rows) : `${companies.rows}, ${screen.rows} in the screener`;
}

function formatTitle(current: ReleaseStatus | undefined): string {
  if (current === undefined) return 'No release is in use';
  return current.manifest === null
    ? `The release in use, ${current.stamp}, cannot be read`
    : `Release in use: ${current.stamp}`;
}

const makeStateCell = (state: string, isVerified: boolean) =>
  state === 'good' ? (isVerified ? 'verified' : 'not verified') : ({ text: state, tone: 'warn' } as const);
