import { join } from 'node:path';
import { isFailure } from '../../contract/failure.ts';
import { type Block, fields, note, table, title } from '../../output/blocks.ts';
import { formatInstant } from '../../output/format-values.ts';
import { pick } from '../../output/rows.ts';
import { currentStamp, listStamps } from '../../release/store/home.ts';
import { sampleHome } from '../../release/store/locate.ts';
import type { Manifest } from '../../release/store/manifest.ts';
import { readManifest } from '../../release/store/manifest.ts';
import { verifyRelease } from '../../release/store/verify.ts';
import type { UtilityCommand } from '../utility.ts';
import { homeOf } from './data-home.ts';

const DATA_EXIT = 9;

interface ReleaseStatus {
  readonly stamp: string;
  readonly current: boolean;
  readonly sample: boolean;
  readonly directory: string;
  /** Null when the manifest itself cannot be read. */
  readonly manifest: Manifest | null;
  readonly faults: readonly string[];
}

const dataStatus: UtilityCommand = {
  name: 'data status',
  summary: 'Show the releases on this machine and which one answers',
  help: 'With --verify every file is read whole and compared with its hash.',
  args: [],
  options: [{ name: 'verify', help: 'Read every file and compare it with its hash' }],
  examples: [
    { line: 'data status', shows: 'the releases on this machine' },
    { line: 'data status --verify --json', shows: 'the same, every file compared with its hash' },
  ],
  run: async (call) => {
    const home = homeOf(call);
    const verify = call.options.verify === true;
    const releases = statuses(home, false, verify);
    const sample = sampleHome();
    if (sample !== null) releases.push(...statuses(sample, releases.length > 0, verify));
    const broken = releases.filter(({ faults }) => faults.length > 0);
    for (const { stamp, faults } of broken) for (const fault of faults) call.io.log(`Error: ${stamp}: ${fault}`);
    return {
      json: { home, verified: verify, releases },
      rows: pick(COLUMNS, releases.map(rowOf)),
      view: view(home, releases, verify),
      ...(broken.length > 0 ? { exitCode: DATA_EXIT } : {}),
    };
  },
};

export default dataStatus;

const COLUMNS = ['stamp', 'current', 'sample', 'checks', 'companies', 'published_at', 'state', 'directory'] as const;

/** @param outranked whether releases of another home answer before any of this one */
function statuses(home: string, outranked: boolean, verify: boolean): ReleaseStatus[] {
  const isSample = home === sampleHome();
  const stamps = listStamps(home);
  const current = stamps.length === 0 || outranked ? null : currentStamp(home);
  return stamps.map((stamp) => ({
    stamp,
    current: stamp === current,
    sample: isSample,
    directory: join(home, stamp),
    ...examine(join(home, stamp), verify),
  }));
}

function examine(directory: string, verify: boolean): Pick<ReleaseStatus, 'manifest' | 'faults'> {
  try {
    const manifest = readManifest(directory);
    return { manifest, faults: verify ? verifyRelease(directory, manifest) : [] };
  } catch (cause) {
    if (!isFailure(cause)) throw cause;
    return { manifest: null, faults: [`${cause.message} ${cause.hint ?? ''}`.trim()] };
  }
}

function rowOf({ stamp, current, sample, directory, manifest, faults }: ReleaseStatus) {
  return {
    stamp,
    current,
    sample,
    checks: manifest?.checks ?? null,
    companies: manifest?.tables.companies?.rows ?? null,
    published_at: manifest?.publishedAt ?? null,
    state: faults.length === 0 ? 'good' : 'damaged',
    directory,
  };
}

function view(home: string, releases: readonly ReleaseStatus[], verified: boolean): Block[] {
  const answering = releases.find(({ current }) => current);
  return [
    title(answering === undefined ? 'No release answers' : `${answering.stamp} answers`),
    fields([
      ['Releases', home],
      ['About', answering?.manifest?.about ?? null],
    ]),
    table(
      [
        { key: 'stamp', title: 'Release' },
        { key: 'current', title: 'Answers' },
        { key: 'checks', title: 'Checks' },
        { key: 'companies', title: 'Companies', align: 'right' },
        { key: 'published_at', title: 'Published', drop: 1 },
        { key: 'state', title: 'Files' },
      ],
      releases.map((release) => {
        const { stamp, current, sample, checks, companies, published_at, state } = rowOf(release);
        const name = sample ? `${stamp} (sample)` : stamp;
        return [name, current ? 'yes' : '', checks, companies, formatInstant(published_at), stateText(state, verified)];
      }),
    ),
    ...(releases.some(({ sample }) => !sample)
      ? []
      : [note('Only the sample is here. For more: fin data fetch, then fin data build.')]),
  ];
}

const stateText = (state: string, verified: boolean) =>
  state === 'good' ? (verified ? 'verified' : 'not verified') : ({ text: state, tone: 'warn' } as const);
