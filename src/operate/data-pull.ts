import { version } from '../../package.json';
import { findOptionText, type Report, type UtilityCommand } from '../commands/command-line/utility.ts';
import { Failure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import { formatBytes, formatCount } from '../contract/text/format-counts.ts';
import { quote } from '../contract/text/quote.ts';
import { checkAddress } from '../http/addresses.ts';
import { requireDirectory } from '../platform/files/directories.ts';
import type { PullReport } from '../publish/pull.ts';
import { makeFieldsBlock, makeNoteBlock } from '../result/blocks.ts';
import { pickFields } from '../result/rows.ts';
import type { TableFamilyName } from '../store/schema/layout.ts';
import { createEventReporter, FetchProgress, findCurrentProfile, makeTransferSettings } from './transfers.ts';

const COLUMNS = 'stamp state directory files bytes received requests absent signed_with'.split(' ');
const FAMILY_NAMES: readonly TableFamilyName[] = ['filings', 'insiders', 'segments', 'prices', 'holders', 'history'];

const dataPullCommand: UtilityCommand = {
  help: [
    'Copies the latest release from a static host that has a directory made by fin data publish. Only changed data is',
    'downloaded: equal files, and equal parts of large tables, are copied from releases on this machine. Every file is',
    'compared with its hash, every table is read once, and the release is put in place in one step. An interrupted pull',
    'continues where it stopped. If the latest release on the host is older than the newest release on this machine, it is',
    'refused, unless --allow-older is given. With --quiet, only errors are printed. With --fresh, a release that is already on',
    'this machine is checked again: every file is compared with its hash, and every table is read.',
  ].join('\n'),
  args: [{ name: 'url', help: 'Address of the directory with latest.json: https://…, or http:// on this machine' }],
  options: [
    {
      name: 'families',
      value: 'list',
      help: `Data to pull in addition to the figures: ${FAMILY_NAMES.join(', ')}; or none (default: all)`,
    },
    {
      name: 'stamp',
      value: 'stamp',
      help: 'Pull the release with this stamp, or beginning of a stamp, instead of the latest release',
    },
    {
      name: 'public-key',
      value: 'key',
      help: 'Accept only releases signed with this key (default: the setting public_key)',
    },
  ],
  examples: {
    'data pull https://host.example/releases': 'the latest release; only changed data is downloaded',
    'data pull https://host.example/releases --families filings,prices': 'only figures, filings and prices',
    'data pull https://host.example/releases --quiet': 'for a crontab: prints nothing unless it fails',
  },
  run: async (call) => {
    const { globals, io } = call;
    const [address = ''] = call.args;
    if (globals.offline) throw new Failure('usage', '--offline forbids network access, which fin data pull needs.');
    const url = checkAddress(address, 'address');
    const families = readFamilies(findOptionText(call, 'families'));
    const progress = new FetchProgress(Date.now(), 'Pulling');
    const { settings, withinDeadline } = makeTransferSettings(call);
    const { pull } = await import('./pull-release.ts');
    const directory = requireDirectory('data', io.env);
    const options = {
      dataDirectory: directory,
      url,
      families,
      stamp: findOptionText(call, 'stamp'),
      publicKey: findOptionText(call, 'public-key') ?? findCurrentProfile(call)?.public_key ?? null,
      verify: globals.fresh,
      allowOlder: globals.allowOlder,
    };
    const onEvent = createEventReporter(call, `to ${directory}`, progress);
    const report = await withinDeadline(pull(options, { ...settings, userAgent: `fin-filings/${version}`, onEvent }));
    const wasPulled = report.state === 'pulled';
    if (!globals.quiet && !io.errIsTerminal) {
      const received = `${formatBytes(progress.receivedBytes)} of ${formatBytes(report.bytes)}`;
      io.log(wasPulled ? `Pulled ${report.stamp} (${received})` : `Up to date: ${report.stamp}`);
    }
    // With --quiet, or if nothing was pulled and stdout is not a terminal, no table is printed. Other formats are printed.
    if (globals.format === 'table' && (globals.quiet || (!wasPulled && !io.outIsTerminal))) return undefined;
    return makePullReport(report, progress);
  },
};

export default dataPullCommand;

/** Returns the requested families; null for all families. */
function readFamilies(text: string | null): readonly TableFamilyName[] | null {
  if (text === null) return null;
  if (text === 'none') return [];
  return text.split(',').map((name) => {
    const family = FAMILY_NAMES.find((candidate) => candidate === name.trim());
    if (family !== undefined) return family;
    throw new Failure('usage', `Unknown family ${quote(name)} in --families.${didYouMean(name, FAMILY_NAMES)}`, {
      hint: `Use "none", or one or more of ${FAMILY_NAMES.join(', ')}, separated by commas.`,
    });
  });
}

function makePullReport(report: PullReport, { receivedBytes, requests }: FetchProgress): Report {
  const { stamp, state, directory, current, files, bytes, absent, signedWith } = report;
  const row = { ...report, absent: absent.join(' '), signed_with: signedWith, received: receivedBytes, requests };
  const upToDate = current === stamp ? 'up to date' : `up to date; the release in use is ${current}`;
  const outcome = state === 'pulled' ? 'pulled; the release is now in use' : upToDate;
  return {
    json: { ...report, received: receivedBytes, requests },
    rows: pickFields(COLUMNS, [row]),
    view: [
      makeFieldsBlock([
        ['Release', { text: stamp, tone: 'strong' }],
        ['Outcome', outcome],
        ['Directory', directory],
        ['Files', state === 'pulled' ? `${files}, ${formatBytes(bytes)}` : null],
        ['Received', `${formatBytes(receivedBytes)} by ${formatCount(requests, 'request')}`],
        ['Signature', signedWith === null ? 'not checked' : `by the key ${signedWith}`],
        ['Not included', absent.length === 0 ? null : absent.join(', ')],
      ]),
      ...(current === stamp ? [] : [makeNoteBlock(`To use this release: fin data use ${stamp}`)]),
    ],
  };
}
