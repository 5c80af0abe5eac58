/** `fin doctor`: checks this machine's setup, and lists the results in one table. */

import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { PARTIAL_EXIT_CODE } from '../ask/failure-report.ts';
import { findConnectionTarget, readAccountHash } from '../client/connection.ts';
import { describeSource } from '../client/key.ts';
import { allowLimitProbe, readClockOffset, readQuotaUsages } from '../client/limiter/quota-usage.ts';
import type { HostFinding as Finding } from '../client/request/ports.ts';
import { findProfileName, readSettings } from '../client/settings.ts';
import type { UtilityCall, UtilityCommand } from '../commands/command-line/utility.ts';
import { isFailure } from '../contract/failure.ts';
import { formatInstant } from '../contract/text/format-counts.ts';
import { redactApiKeys } from '../contract/text/quote.ts';
import { findDirectories } from '../platform/files/directories.ts';
import { makeRecordTable, type Tone } from '../result/blocks.ts';
import { pickFields } from '../result/rows.ts';

const TONES: Readonly<Record<Finding['state'], Tone>> = { ok: 'up', note: 'plain', wrong: 'down' };

const doctorCommand: UtilityCommand = {
  help:
    'Changes neither settings nor releases. Without --network, sends no request; with --network, requests the release ' +
    'from the service once, which counts against the limits, or tests whether a static host supports range requests. ' +
    'The exit code is 0 if all checks pass and 8 if a check fails; notes do not count as failures.',
  options: [{ name: 'network', help: 'Also check the service or the static host' }],
  examples: {
    doctor: 'checks of directories, settings, key and release',
    'doctor --json': 'the results as JSON, for a bug report',
    'doctor --network > /dev/null || echo broken': 'for a script: the exit code also covers the service',
  },
  run: async (call) => {
    // Findings may quote a service's answer, and a service may repeat the key in its answer.
    const findings = (await examineSetup(call)).map((item) => ({ ...item, detail: redactApiKeys(item.detail) }));
    return {
      exitCode: findings.some(({ state }) => state === 'wrong') ? PARTIAL_EXIT_CODE : 0,
      json: findings,
      rows: pickFields(['check', 'state', 'detail'], findings),
      view: [
        makeRecordTable(
          { check: 'Check', state: 'State', detail: { title: 'Detail', shrinkTo: 20, wrapped: true, cut: 'middle' } },
          findings.map((finding) => ({ ...finding, state: { text: finding.state, tone: TONES[finding.state] } })),
        ),
      ],
    };
  },
};

export default doctorCommand;

async function examineSetup(call: UtilityCall): Promise<Finding[]> {
  const { globals, io, options } = call;
  const directories = findDirectories(io.env);
  const kinds = ['config', 'cache', 'state', 'data'] as const;
  return [
    { check: 'node', state: 'ok', detail: `${process.version} on ${process.platform}` },
    ...kinds.map((kind) => examineDirectory(kind, directories[kind])),
    await makeFinding('settings', () => {
      const settings = readSettings(directories.config);
      const name = findProfileName(globals.profile, io.env, settings);
      return `profile ${name}; profiles stored: ${Object.keys(settings.profiles).length}`;
    }),
    await makeFinding('destination', () => {
      const destination = findConnectionTarget(globals, io).destination;
      if (destination.to === 'local')
        return destination.isSampleAllowed ? 'local: (the data on this machine, or the built-in sample)' : 'local:';
      if (destination.to === 'published') return `${destination.baseUrl}, a static host`;
      return `${destination.baseUrl}, ${destination.key === null ? 'without a key' : `the key from ${describeSource(destination.key)}`}`;
    }),
    await makeFinding('release', async () => {
      if (directories.data === null) return 'no data directory';
      const { stamp, isSample, checks } = (await import('./releases.ts')).findReleaseInUse(directories.data);
      return `${stamp}${isSample ? ', the sample' : ''}, checks ${checks}`;
    }),
    ...(options.network === true ? await examineNetwork(call) : []),
    ...(await examineAccount(call)),
  ];
}

/** Runs a check and returns its result; if the check throws a Failure, the result describes the Failure. */
async function makeFinding(check: string, runCheck: () => string | Promise<string>): Promise<Finding> {
  try {
    return { check, state: 'ok', detail: await runCheck() };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { check, state: 'wrong', detail: `${error.message} ${error.hint ?? ''}`.trim() };
  }
}

/** Requests the release from the configured service; for a static host, checks the host instead. */
async function examineNetwork({ connect, target }: UtilityCall): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const finding = await makeFinding('service', async () => {
    const { destination, directories } = target();
    if (destination.to === 'service' && destination.key !== null && directories.state !== null) {
      allowLimitProbe(directories.state, await readAccountHash({ destination, directories }));
    }
    const connection = await connect();
    // Sends no request for the release to a static host: if the host is faulty, the request would fail, and
    // `examineHost` could not list the faults.
    const release = connection.published?.() == null ? await requestRelease(connection) : null;
    const published = connection.published?.() ?? null;
    if (published === null) return String(release);
    findings.push(...(await (await import('../wiring/examine-host.ts')).examineHost(published)));
    return `${published.baseUrl} is a static host`;
  });
  return [finding, ...findings];
}

async function requestRelease({ client }: Awaited<ReturnType<UtilityCall['connect']>>): Promise<string> {
  const beginTime = performance.now();
  const { envelope } = await client.askPath('/v1/release');
  const { stamp } = envelope.data as { readonly stamp?: unknown };
  return `serves release ${String(stamp)}, answered in ${Math.round(performance.now() - beginTime)} ms`;
}

/**
 * Directories that other users must not read, because settings may contain an API key. Releases and cached responses
 * are public.
 */
const PRIVATE_DIRECTORY_KINDS = new Set(['config']);
const OTHERS_BITS = 0o077;

/** Checks that a directory is usable and, if private, readable by its owner only. */
function examineDirectory(kind: string, path: string | null): Finding {
  const check = `${kind} directory`;
  if (path === null) return { check, state: 'note', detail: `unknown: set HOME or FIN_${kind.toUpperCase()}_DIR` };
  let stats: Stats | undefined;
  try {
    stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { check, state: 'ok', detail: `${path} (not created yet)` };
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return { check, state: 'wrong', detail: `${path} is not both readable and writable` };
  }
  if (!stats.isDirectory()) return { check, state: 'wrong', detail: `${path} is not a directory` };
  const isOpen = process.platform !== 'win32' && PRIVATE_DIRECTORY_KINDS.has(kind) && (stats.mode & OTHERS_BITS) !== 0;
  if (!isOpen) return { check, state: 'ok', detail: path };
  return { check, state: 'note', detail: `other users have access to ${path}; to prevent that: chmod 700 ${path}` };
}

/**
 * Returns the account's remaining requests, and whether the clock is right; empty if the settings or the release cannot
 * be read.
 */
async function examineAccount({ globals, io }: UtilityCall): Promise<Finding[]> {
  try {
    const target = findConnectionTarget(globals, io);
    const { destination, directories } = target;
    const { data, state } = directories;
    const release = data === null ? null : (await import('./releases.ts')).findReleaseInUse(data);
    const now = Date.now();
    // The release was published in the past, so a clock before its publication is wrong.
    const isTooEarly = release !== null && now < Date.parse(release.publishedAt);
    const early = `${formatUtc(now)} is earlier than the publication of the release`;
    const clock = isTooEarly ? makeClockFinding('wrong', `${early}, ${formatInstant(release.publishedAt)}`) : null;
    // If a command supplies the key, the account's limits are not read, because that command might prompt the user.
    if (destination.to !== 'service' || destination.key === null || destination.key.from === 'command')
      return [clock ?? makeClockFinding('ok', `${formatUtc(now)}`)];
    if (state === null) return clock === null ? [] : [clock];
    const account = await readAccountHash(target);
    const usages = readQuotaUsages(state, account, now);
    const texts = usages.map(({ limit, remaining, quota }) => `${limit} ${remaining} of ${quota}`);
    return [
      { check: 'limits', state: 'ok', detail: `left: ${texts.join(', ')}` },
      clock ?? examineClock(readClockOffset(state, account), now),
    ];
  } catch (error) {
    if (!isFailure(error)) throw error;
    return [];
  }
}

/**
 * Maximum tolerated clock error in milliseconds. With a larger error, requests are counted in the wrong minute, and
 * cached responses get wrong dates.
 */
const MAX_CLOCK_ERROR_MS = 2000;

const makeClockFinding = (state: Finding['state'], detail: string): Finding => ({ check: 'clock', state, detail });

function examineClock(offsetMs: number | null, now: number): Finding {
  const time = formatUtc(now);
  if (offsetMs === null) return makeClockFinding('note', `${time}, not compared with a service yet (use --network)`);
  if (Math.abs(offsetMs) <= MAX_CLOCK_ERROR_MS)
    return makeClockFinding('ok', `${time}, which agrees with the clock of the service`);
  const error = `${Math.round(Math.abs(offsetMs) / 1000)} s ${offsetMs > 0 ? 'behind' : 'ahead of'}`;
  return makeClockFinding('wrong', `${error} the clock of the service: set this machine's time`);
}

const formatUtc = (instant: number): string | null => formatInstant(new Date(instant).toISOString());
