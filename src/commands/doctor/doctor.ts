import { findDestination } from '../../client/destination.ts';
import { describeKeySource } from '../../client/key.ts';
import { readSettings } from '../../client/settings.ts';
import { isFailure } from '../../contract/failure.ts';
import { type Cell, type Tone, table } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { findDirectories } from '../../platform/directories.ts';
import { findTarget } from '../connection/target.ts';
import { PARTIAL } from '../failure-report.ts';
import type { UtilityCall, UtilityCommand } from '../utility.ts';
import { accountFindings } from './doctor-account.ts';
import { directoryFinding } from './doctor-directories.ts';
import type { Finding } from './finding.ts';

const TONES: Readonly<Record<Finding['state'], Tone>> = { ok: 'up', note: 'plain', wrong: 'down' };

const doctor: UtilityCommand = {
  name: 'doctor',
  summary: 'Check directories, settings, key and release, and say what is wrong',
  help:
    'Changes nothing and asks nothing, but with --network: then it asks the service for its release once. The exit code ' +
    'is 0 where nothing is wrong, and 8 where something is; a note is not wrong.',
  args: [],
  options: [{ name: 'network', help: 'Ask the service too' }],
  examples: [
    { line: 'doctor', shows: 'what fin finds on this machine' },
    { line: 'doctor --json', shows: 'the same, for a report' },
    { line: 'doctor --network > /dev/null || echo amiss', shows: 'a check by a script, of the service too' },
  ],
  run: async (call) => {
    const findings = await examine(call);
    return {
      exitCode: findings.some(({ state }) => state === 'wrong') ? PARTIAL : 0,
      json: findings,
      rows: pick(['check', 'state', 'detail'], findings),
      view: [
        table(
          [
            { key: 'check', title: 'Check' },
            { key: 'state', title: 'State' },
            { key: 'detail', title: 'Detail', shrinkTo: 20, wrapped: true, cut: 'middle' },
          ],
          findings.map(({ check, state, detail }): Cell[] => [check, { text: state, tone: TONES[state] }, detail]),
        ),
      ],
    };
  },
};

export default doctor;

async function examine(call: UtilityCall): Promise<Finding[]> {
  const { globals, io, options, connect } = call;
  const directories = findDirectories(io.env);
  const kinds = ['config', 'cache', 'state', 'data'] as const;
  return [
    { check: 'node', state: 'ok', detail: `${process.version} on ${process.platform}` },
    ...kinds.map((kind) => directoryFinding(kind, directories[kind])),
    await finding('settings', () => {
      const { profile = 'default', profiles } = readSettings(directories.config);
      return `profile ${globals.profile ?? profile}, of ${Object.keys(profiles).length} stored`;
    }),
    await finding('destination', () => {
      const found = findDestination(globals, io.env, readSettings(directories.config));
      if (found.to === 'local') return found.sampleAllowed ? 'local:, the sample too' : 'local:';
      return `${found.baseUrl}, ${found.key === null ? 'without a key' : `the key from ${describeKeySource(found.key)}`}`;
    }),
    await finding('release', async () => {
      if (directories.data === null) return 'no data directory';
      const { describeRelease } = await import('./held-release.ts');
      return describeRelease(directories.data);
    }),
    ...(options.network === true ? [await finding('service', async () => askRelease(await connect()))] : []),
    ...(await account(call, directories.data)),
  ];
}

/** Where questions cannot go, or a key cannot be read, another check has said so. */
async function account({ globals, io }: UtilityCall, data: string | null): Promise<readonly Finding[]> {
  try {
    const { publishedAt } = await import('./held-release.ts');
    return await accountFindings(findTarget(globals, io), publishedAt(data));
  } catch (error) {
    if (!isFailure(error)) throw error;
    return [];
  }
}

async function askRelease({ client }: Awaited<ReturnType<UtilityCall['connect']>>): Promise<string> {
  const begun = performance.now();
  const { envelope } = await client.askPath('/v1/release');
  const { stamp } = envelope.data as { readonly stamp?: unknown };
  return `serves release ${String(stamp)}, answered in ${Math.round(performance.now() - begun)} ms`;
}

/** What a check found, or the failure it met, in its own words. */
async function finding(check: string, look: () => string | Promise<string>): Promise<Finding> {
  try {
    return { check, state: 'ok', detail: await look() };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { check, state: 'wrong', detail: `${error.message} ${error.hint ?? ''}`.trim() };
  }
}
