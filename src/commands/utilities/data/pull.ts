import { version } from '../../../../package.json';
import { Failure } from '../../../contract/failure.ts';
import type { PullReport } from '../../../contract/release-work.ts';
import { didYouMean } from '../../../contract/text/nearest.ts';
import { alternatives, quote } from '../../../contract/text/quote.ts';
import { requireDirectory } from '../../../platform/directories.ts';
import { fields, note } from '../../../result/blocks.ts';
import { pick } from '../../../result/rows.ts';
import { formatBytes } from '../../../result/wording.ts';
import type { ReleaseFamily } from '../../ports/publishing.ts';
import type { Report } from '../../report.ts';
import { optionText, type UtilityCommand } from '../utility.ts';
import { FetchProgress } from './fetch-progress.ts';
import { checkAddress, progressReporter, storedProfile, transferSettings } from './transfers.ts';

const FAMILIES: readonly ReleaseFamily[] = ['filings', 'insiders', 'segments', 'prices', 'holders', 'history'];

const dataPull: UtilityCommand = {
  help: [
    'Copies the latest release of a directory that fin data publish made, from any static host. Only what changed comes over',
    'the network: equal files, and equal parts of large tables, are taken from the releases on this machine. Every file is',
    'compared with its hash, and the release appears in one step. What is interrupted goes on where it was. A host whose',
    'latest release is older than the newest one here is refused, unless with --allow-older. Where nothing is new, nothing is printed but to a',
    'terminal; with --quiet never, unless it fails. --fresh reads a release that is here already and compares every file.',
  ].join('\n'),
  args: [{ name: 'url', help: 'Directory with latest.json: https://…, or http:// on this machine' }],
  options: [
    {
      name: 'families',
      value: 'list',
      help: `Only figures and these: ${FAMILIES.join(', ')}; or none. The rest reads as not included`,
    },
    { name: 'stamp', value: 'stamp', help: 'This release, or the one whose stamp begins so, also an older one' },
    { name: 'public-key', value: 'key', help: 'Accept only what this key signed (default: the setting public_key)' },
  ],
  examples: [
    { line: 'data pull https://host.example/releases', shows: 'the latest release, or what changed in it' },
    { line: 'data pull https://host.example/releases --families filings,prices', shows: 'a part of it' },
    { line: 'data pull https://host.example/releases --quiet', shows: 'for a crontab: prints nothing unless it fails' },
  ],
  run: async (call) => {
    const { globals, io } = call;
    const [address = ''] = call.args;
    if (globals.offline) throw new Failure('usage', 'fin data pull needs the network, and --offline forbids it.');
    const url = checkAddress(address, 'address');
    const families = readFamilies(optionText(call, 'families'));
    const { pull } = await call.ports.publishing();
    const progress = new FetchProgress(Date.now(), 'Pulling');
    const { settings, inTime } = transferSettings(call);
    const report = await inTime(
      pull(
        {
          dataDirectory: requireDirectory('data', io.env),
          url,
          families,
          stamp: optionText(call, 'stamp'),
          publicKey: optionText(call, 'public-key') ?? storedProfile(call)?.public_key ?? null,
          verify: globals.fresh,
          allowOlder: globals.allowOlder,
        },
        {
          ...settings,
          userAgent: `fin-filings/${version}`,
          onEvent: progressReporter(call, `to ${requireDirectory('data', io.env)}`, progress),
        },
      ),
    );
    io.progress(null);
    const isNews = report.state === 'pulled';
    if (!globals.quiet && !io.errIsTerminal && isNews) {
      io.log(`Pulled ${report.stamp} (${formatBytes(progress.received)} of ${formatBytes(report.bytes)})`);
    }
    // Prints nothing on success, because cron mails all output.
    if (globals.format === 'table' && (globals.quiet || (!isNews && !io.outIsTerminal))) return undefined;
    return pullReport(report, progress);
  },
};

export default dataPull;

/** Null for all families. */
function readFamilies(text: string | null): readonly ReleaseFamily[] | null {
  if (text === null) return null;
  if (text === 'none') return [];
  return text.split(',').map((name) => {
    const family = FAMILIES.find((knownFamily) => knownFamily === name.trim());
    if (family !== undefined) return family;
    throw new Failure('usage', `--families ${quote(name)} is not known.${didYouMean(name, FAMILIES)}`, {
      hint: `Use ${alternatives([...FAMILIES, 'none'])}, with commas between them.`,
    });
  });
}

function pullReport(report: PullReport, { received, requests }: FetchProgress): Report {
  const { stamp, state, directory, current, files, bytes, absent, signedWith } = report;
  const row = { ...report, absent: absent.join(' '), signed_with: signedWith, received, requests };
  const outcome =
    state === 'pulled'
      ? 'pulled; it answers from now on'
      : current === stamp
        ? 'up to date'
        : `up to date; ${current} answers`;
  return {
    json: { ...report, received, requests },
    rows: pick(
      ['stamp', 'state', 'directory', 'files', 'bytes', 'received', 'requests', 'absent', 'signed_with'],
      [row],
    ),
    view: [
      fields([
        ['Release', { text: stamp, tone: 'strong' }],
        ['Outcome', outcome],
        ['Directory', directory],
        ['Files', state === 'pulled' ? `${files}, ${formatBytes(bytes)}` : null],
        ['Received', `${formatBytes(received)} by ${requests} ${requests === 1 ? 'request' : 'requests'}`],
        ['Signature', signedWith === null ? 'not checked' : `by the key ${signedWith}`],
        ['Not included', absent.length === 0 ? null : absent.join(', ')],
      ]),
      ...(current === stamp ? [] : [note(`To answer from it: fin data use ${stamp}`)]),
    ],
  };
}
