import { findConnectionTarget, readAccountHash } from '../../client/connection.ts';
import { allowLimitProbe, readClockOffset, readQuotaUsages } from '../../client/limiter/quota-usage.ts';
import { Failure, failUsage, isFailure } from '../../contract/failure.ts';
import { formatInstant } from '../../contract/text/format-counts.ts';
import { requireDirectory } from '../../platform/files/directories.ts';
import { alignRight, makeNoteBlock, makeRecordTable } from '../../result/blocks.ts';
import { pickFields } from '../../result/rows.ts';
import type { UtilityCall, UtilityCommand } from '../command-line/utility.ts';

const quotaCommand: UtilityCommand = {
  help:
    'Reads the counts that all processes of fin on this machine share. Requests from other machines are included after the\n' +
    'next request. Sends a request only with --refresh, before the first response of the service, and if the quota of the\n' +
    'month is used up; never with --offline.',
  options: [{ name: 'refresh', help: 'Send one request first, for current counts' }],
  examples: {
    quota: 'remaining requests of this minute and month',
    'quota --refresh --json': 'the counts after a request to the service',
  },
  run: async (call) => {
    const { state, account } = await requireStateAndAccountHash(call);
    const usages = readQuotaUsages(state, account, Date.now());
    const isSpent = usages.some(({ limit, remaining }) => limit === 'month' && remaining === 0);
    const isNew = () => readClockOffset(state, account) === null;
    if (isSpent) allowLimitProbe(state, account);
    if (call.options.refresh === true || ((isSpent || isNew()) && !call.globals.offline)) {
      const { client } = await call.connect();
      await client.askPath('/v1/release').catch((error) => {
        // If this request fails, the local counts are shown. With `--refresh` or a refused key, the command fails
        // instead.
        if (!isFailure(error) || error.kind === 'key' || call.options.refresh === true) throw error;
      });
    }
    const rows = readQuotaUsages(state, account, Date.now()).map(({ resets, ...line }) => ({
      ...line,
      resets: resets === null ? null : new Date(Math.ceil(resets / 1000) * 1000).toISOString().replace('.000', ''),
    }));
    return {
      json: rows,
      rows: pickFields(['limit', 'quota', 'used', 'remaining', 'resets'], rows),
      view: [
        makeRecordTable(
          { limit: 'Limit', remaining: alignRight('Left'), quota: alignRight('Of'), resets: 'Resets' },
          rows.map((row) => {
            const resets = formatInstant(row.resets) ?? 'as requests finish';
            return { ...row, limit: LIMIT_NAMES[row.limit], resets };
          }),
        ),
        makeNoteBlock(
          isNew()
            ? 'The service has not answered yet: these are the standard limits, without requests from elsewhere.'
            : 'All keys of the account share these limits.',
        ),
      ],
    };
  },
};

const LIMIT_NAMES = { minute: 'Requests a minute', month: 'Requests a month', concurrent: 'Simultaneous requests' };

async function requireStateAndAccountHash({ globals, io }: UtilityCall): Promise<{ state: string; account: string }> {
  const { directories, destination } = findConnectionTarget(globals, io);
  if (destination.to !== 'service') {
    const subject = destination.to === 'local' ? 'Answers from this machine' : 'Published releases';
    const hint = 'Only services have limits. To choose a service: --base-url, FIN_BASE_URL or a profile.';
    failUsage(`${subject} have no limits.`, hint);
  }
  if (destination.key === null) {
    throw new Failure('key', `No key is set for ${destination.origin}, so the account with its limits is unknown.`, {
      hint: destination.withheld ?? 'Store a key with fin auth login, or set FIN_API_KEY.',
    });
  }
  return { state: requireDirectory('state', io.env), account: await readAccountHash({ directories, destination }) };
}

export default quotaCommand;
