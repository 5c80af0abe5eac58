/** `fin cache info|clear|path`. */
import { join } from 'node:path';
import { readCacheMaxBytes } from '../../client/cache/cache-size.ts';
import { clearCache, readCacheTotals } from '../../client/cache/sweep.ts';
import { formatBytes, formatCount, formatInstant } from '../../contract/text/wording.ts';
import { requireDirectory } from '../../platform/files/directories.ts';
import { makeSystemFailure } from '../../platform/files/system-error.ts';
import { makeFieldsBlock, makeNoteBlock } from '../../result/blocks.ts';
import { pickFields } from '../../result/rows.ts';
import type { UtilityCall, UtilityCommand } from '../command-line/utility.ts';

const findCacheDirectory = ({ io }: UtilityCall): string => join(requireDirectory('cache', io.env), 'http');

export const cacheInfoCommand: UtilityCommand = {
  local: true,
  help: 'The cache uses up to FIN_CACHE_MAX_MB megabytes (default: 256). The least recently used responses are removed first.',
  examples: { 'cache info': 'the directory, the number of responses and their size' },
  run: async (call) => {
    const maxBytes = readCacheMaxBytes(call.io.env);
    const path = findCacheDirectory(call);
    const { entries, bytes, oldest } = readTotalsOrThrow(path);
    const time = oldest === null ? null : new Date(oldest).toISOString();
    const json = { path, entries, bytes, max_bytes: maxBytes, oldest_use: time };
    return {
      json,
      rows: pickFields(['path', 'entries', 'bytes', 'max_bytes', 'oldest_use'], [json]),
      view: [
        makeFieldsBlock([
          ['Directory', path],
          ['Cached responses', entries],
          ['Size', `${formatBytes(bytes)} of at most ${formatBytes(maxBytes)}`],
          ['Least recently used', formatInstant(json.oldest_use)],
        ]),
      ],
    };
  },
};

function readTotalsOrThrow(path: string) {
  try {
    return readCacheTotals(path);
  } catch (cause) {
    throw makeSystemFailure('usage', `The cached responses in ${path} cannot be listed`, cause);
  }
}

export const cacheClearCommand: UtilityCommand = {
  local: true,
  examples: { 'cache clear': 'removes all cached responses, and prints their number' },
  run: async (call) => {
    const directory = findCacheDirectory(call);
    try {
      const removed = clearCache(directory);
      return {
        json: { removed },
        rows: pickFields(['removed'], [{ removed }]),
        view: [makeNoteBlock(`Removed ${formatCount(removed, 'cached response')}.`)],
      };
    } catch (cause) {
      throw makeSystemFailure('usage', `The cached responses in ${directory} cannot be removed`, cause);
    }
  },
};

export const cachePathCommand: UtilityCommand = {
  local: true,
  examples: { 'cache path': 'the directory, for scripts' },
  run: async (call) => {
    call.io.print(`${findCacheDirectory(call)}\n`);
    return undefined;
  },
};
