/** `fin cache info|clear|path`: cached responses, and cached documents of filings. */
import { join } from 'node:path';
import { readCacheMaxBytes } from '../../client/cache/file-cache.ts';
import { clearCache, readCacheTotals } from '../../client/cache/sweep.ts';
import { formatBytes, formatCount, formatInstant } from '../../contract/text/format-counts.ts';
import { requireDirectory } from '../../platform/files/directories.ts';
import { makeSystemFailure } from '../../platform/files/system-error.ts';
import { makeFieldsBlock, makeNoteBlock } from '../../result/blocks.ts';
import { pickFields } from '../../result/rows.ts';
import type { UtilityCall, UtilityCommand } from '../command-line/utility.ts';

const findCacheDirectory = ({ io }: UtilityCall, name = 'http') => join(requireDirectory('cache', io.env), name);

/** Returns the size of one cache. */
function readCacheInfo(call: UtilityCall, name: 'http' | 'documents') {
  const path = findCacheDirectory(call, name);
  const { entries, bytes, oldest } = readTotalsOrThrow(path);
  const limit = readCacheMaxBytes(call.io.env, name === 'http' ? 'FIN_CACHE_MAX_MB' : 'FIN_DOCUMENTS_MAX_MB');
  const oldestUse = oldest === null ? null : new Date(oldest).toISOString();
  return { path, entries, bytes, max_bytes: limit, oldest_use: oldestUse };
}

const describeInfo = (label: string, info: ReturnType<typeof readCacheInfo>) =>
  makeFieldsBlock([
    ['Directory', info.path],
    [label, info.entries],
    ['Size', `${formatBytes(info.bytes)} of at most ${formatBytes(info.max_bytes)}`],
    ['Least recently used', formatInstant(info.oldest_use)],
  ]);

export const cacheInfoCommand: UtilityCommand = {
  local: true,
  help:
    'Cached responses take up to FIN_CACHE_MAX_MB megabytes (default: 256), cached documents of filings up to ' +
    'FIN_DOCUMENTS_MAX_MB (default: 1000). The least recently used files are removed first.',
  examples: { 'cache info': 'the directories, the number of responses and documents, and their size' },
  run: async (call) => {
    const responses = readCacheInfo(call, 'http');
    const documents = readCacheInfo(call, 'documents');
    return {
      json: { ...responses, documents },
      rows: pickFields(['path', 'entries', 'bytes', 'max_bytes', 'oldest_use'], [responses, documents]),
      view: [describeInfo('Cached responses', responses), describeInfo('Cached documents', documents)],
    };
  },
};

function readTotalsOrThrow(path: string) {
  try {
    return readCacheTotals(path);
  } catch (cause) {
    throw makeSystemFailure('usage', `The cached files in ${path} cannot be listed`, cause);
  }
}

export const cacheClearCommand: UtilityCommand = {
  local: true,
  examples: { 'cache clear': 'removes all cached responses and documents, and prints their number' },
  run: async (call) => {
    const directory = findCacheDirectory(call);
    try {
      const json = { removed: clearCache(directory), documents: clearCache(findCacheDirectory(call, 'documents')) };
      const counts = [formatCount(json.removed, 'cached response'), formatCount(json.documents, 'document')];
      const view = [makeNoteBlock(`Removed ${counts.join(', ')}.`)];
      return { json, rows: pickFields(['removed', 'documents'], [json]), view };
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
  },
};
