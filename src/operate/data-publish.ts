import { realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { UtilityCall, UtilityCommand } from '../commands/command-line/utility.ts';
import { findOptionText, STAMP_ARGUMENT } from '../commands/command-line/utility.ts';
import { Failure } from '../contract/failure.ts';
import { formatBytes } from '../contract/text/format-counts.ts';
import { quote } from '../contract/text/quote.ts';
import { makeDirectory, requireDirectory } from '../platform/files/directories.ts';
import { isMissingPathError, isSystemError, makeSystemFailure } from '../platform/files/system-error.ts';
import { acquireLock } from '../platform/processes/lock.ts';
import { listQueue } from '../platform/processes/queue.ts';
import { openDiskFiles } from '../platform/processes/shared-files.ts';
import type { PublishReport, PublishRequest } from '../publish/publish.ts';
import { makeFieldsBlock, makeNoteBlock } from '../result/blocks.ts';
import { pickFields } from '../result/rows.ts';
import { findRelease, hasCurrentStampFile } from '../store/releases/home.ts';
import { isStamp } from '../store/releases/manifest.ts';

const dataPublishCommand: UtilityCommand = {
  local: true,
  help: [
    'Writes the files of a release to <directory>/<stamp>, with a list of their hashes, and then replaces latest.json, the',
    'pointer to the latest release. The directory can be served directly, or be copied to an object store or a web server:',
    'copy the pointer last, so that it never names an incomplete release. Publishing a release again copies no',
    'files, unless the published copy is damaged. Readers need only GET requests; with range requests they can read single',
    'companies. With --quiet, only warnings and errors are printed.',
  ].join('\n'),
  args: [{ name: 'directory', help: 'Directory for published releases; created if missing' }],
  options: [
    { name: 'release', value: 'stamp', help: STAMP_ARGUMENT.help },
    { name: 'sign-key', value: 'file', help: 'Sign latest.json with this private key file (see fin data keygen)' },
    { name: 'publish-failed', help: 'Publish the release even if a check of its build failed' },
    {
      name: 'prune',
      value: 'count',
      help: 'Keep this number of published releases (this one and the newest others); remove all others',
    },
  ],
  examples: {
    'data publish public --prune 3': 'publishes the release in use, and keeps the two newest others',
    'data publish public && rsync -a --exclude /latest.json public/ host:/srv/fin/ && rsync -a public/latest.json host:/srv/fin/':
      'publishes to a web server: the files first, the pointer last',
    'data publish public && aws s3 sync public s3://bucket --exclude latest.json && aws s3 cp public/latest.json s3://bucket/':
      'publishes to an object store; "rclone copy" also has --exclude',
  },
  run: async (call) => {
    const { globals, io } = call;
    const [root = ''] = call.args;
    const report = await publish({
      dataDirectory: requireDirectory('data', io.env),
      root,
      stamp: findOptionText(call, 'release'),
      signKey: findOptionText(call, 'sign-key'),
      publishFailed: call.options['publish-failed'] === true,
      keep: readPruneCount(findOptionText(call, 'prune')),
      signal: io.signal,
      onProgress: (done, total) => io.progress(`Publishing: ${done} of ${total} files`),
      onWait: () => {
        if (!globals.quiet) io.log(`Another fin process is publishing to ${root}; waiting until it has finished.`);
      },
    });
    logWarnings(report, call);
    // With --quiet, a successful run prints no table, because cron mails any output. Other formats are printed.
    if (globals.quiet && globals.format === 'table') return undefined;
    return { json: report, rows: pickFields(COLUMNS, [makeRow(report)]), view: makeView(report) };
  },
};

export default dataPublishCommand;

const COLUMNS = ['stamp', 'state', 'root', 'files', 'bytes', 'signed_with', 'pruned'] as const;

const makeRow = ({ signedWith, pruned, ...own }: PublishReport) => {
  return { ...own, signed_with: signedWith, pruned: pruned.join(' ') };
};

function readPruneCount(text: string | null): number | null {
  if (text === null) return null;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new Failure('usage', `--prune ${quote(text)} is not a whole number from 1 to 9999.`);
}

function logWarnings({ stamp, before: previous, signedWith }: PublishReport, { io }: UtilityCall): void {
  if (previous === null) return;
  if (previous.stamp > stamp && previous.stamp.slice(0, 10) !== stamp.slice(0, 10)) {
    io.log(
      `Warning: the latest release until now, ${previous.stamp}, is newer than ${stamp}. Readers who have pulled ${previous.stamp} keep using it.`,
    );
  }
  if (previous.signedWith !== null && previous.signedWith !== signedWith) {
    const signature =
      signedWith === null ? 'the new latest.json is not signed' : `the new latest.json is signed with ${signedWith}`;
    io.log(
      `Warning: the previous latest.json was signed with the key ${previous.signedWith}, but ${signature}. Users who require the previous key will refuse the new latest.json. To sign it with the previous key, publish again with --sign-key <file>.`,
    );
  }
}

const OUTCOME_TEXTS: Readonly<Record<PublishReport['state'], string>> = {
  published: 'published',
  unchanged: 'was published before; its files were not changed',
  replaced_damaged: 'replaced a damaged copy',
};

const makeView = ({ stamp, state, root, files, bytes, linked, signedWith, pruned }: PublishReport) => [
  makeFieldsBlock([
    ['Release', { text: stamp, tone: 'strong' }],
    ['Outcome', OUTCOME_TEXTS[state]],
    ['Directory', root],
    ['Files', `${files}, ${formatBytes(bytes)}${linked > 0 ? `; hard links, which need no space: ${linked}` : ''}`],
    ['Signed with', signedWith ?? 'no key'],
    ['Removed', pruned.length === 0 ? null : pruned.join(', ')],
  ]),
  makeNoteBlock('When you copy the release to a host, copy latest.json last. See: fin data publish --help'),
];

/**
 * Name of the hidden lock directory. It is in the published directory, because publishers on different machines may
 * have no other directory in common.
 */
const LOCK_NAME = '.publishing';
const QUEUE_NAME = 'publish';

interface PublishOptions extends Omit<PublishRequest, 'directory' | 'signKey'> {
  readonly dataDirectory: string;
  /** A release stamp, or an unambiguous prefix; null for the current release. */
  readonly stamp: string | null;
  /** Path of the private key file; null to publish unsigned. */
  readonly signKey: string | null;
  /** Called once if another process is publishing to the same directory. */
  readonly onWait: () => void;
}

/** Publishes a release to a directory; waits while another process is publishing to it. */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  const { dataDirectory, stamp, signKey, root, onWait, ...publishOptions } = options;
  const { publishRelease, readPrivateKey } = await import('../publish/publish.ts');
  const { directory } = findRelease(dataDirectory, stamp);
  const target = resolveLinks(resolve(root));
  if (target === dirname(resolveLinks(directory)) || hasCurrentStampFile(target) || isInRelease(target)) {
    throw new Failure('usage', `${root} is used for fin's own releases.`, { hint: 'Publish to a separate directory.' });
  }
  const privateKey = signKey === null ? null : readPrivateKey(signKey);
  try {
    makeDirectory(target);
    const unlock = await acquireLock(join(target, LOCK_NAME), QUEUE_NAME, { signal: publishOptions.signal, onWait });
    try {
      return await publishRelease({ ...publishOptions, directory, root, signKey: privateKey });
    } finally {
      removeLockIfUnused(join(target, LOCK_NAME));
      unlock();
    }
  } catch (error) {
    throw isSystemError(error) ? makeSystemFailure('data', `A release cannot be published to ${root}`, error) : error;
  }
}

/** Whether a path is the directory of a release, or is inside one. That release would include files published there. */
const isInRelease = (path: string): boolean => path.split(sep).some(isStamp);

/**
 * Removes the lock if no other process waits for it. The caller must hold the lock. A process that joins the queue
 * during the removal has to join again.
 */
function removeLockIfUnused(lock: string): void {
  if (listQueue(openDiskFiles(lock), QUEUE_NAME, Date.now()).length <= 1)
    rmSync(lock, { recursive: true, force: true });
}

/** Resolves links in a path, including paths that do not exist yet. */
function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissingPathError(error) || parent === path) throw error;
    return join(resolveLinks(parent), basename(path));
  }
}
