/** The documents of a zip file, each with its form and day, and the room `reading`, bundled. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { readMembers } from '../read-zip.mjs';

const room = resolve(import.meta.dirname, '../../../src/reading');
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
/** Names of documents that are exhibits or have no items. */
const WITHOUT_ITEMS = /ex99|EX99|DEF14A|_1A_|ar_ex/;

/** Bundles the room into a directory and returns its exports. */
export async function loadReading(directory) {
  const files = readdirSync(room).filter((name) => name.endsWith('.ts'));
  const outfile = join(directory, 'reading.cjs');
  const contents = files.map((name) => `export * from './${name}';`).join('\n');
  const stdin = { contents, resolveDir: room, loader: 'ts' };
  await build({ stdin, bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'error' });
  return createRequire(import.meta.url)(outfile);
}

/**
 * Returns `{ name, bytes, form, day, lengths }` of each document. Of a whole submission, the first document is taken;
 * `lengths` are the known ones by item (`II.1A`), or null.
 */
export async function readDocuments(path) {
  const members = new Map();
  for await (const { name, bytes } of readMembers(path)) members.set(basename(name), bytes);
  const documents = [...members].filter(([name]) => /\.(?:html?|txt)$/.test(name));
  return documents
    .map(([name, bytes]) => describe(name, bytes, members.get(name.replace(/\.\w+$/, '.truth.json'))))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describe(name, file, truth) {
  const source = file.toString('latin1');
  const start = source.indexOf('<DOCUMENT>');
  const end = source.indexOf('</DOCUMENT>', start);
  const bytes = start === -1 ? file : file.subarray(start, end === -1 ? undefined : end);
  const head = source
    .slice(0, 800_000)
    .replace(/<[^>]*>|&nbsp;|&#160;/g, ' ')
    .replace(/\s+/g, ' ');
  const lengths = truth === undefined ? null : readLengths(JSON.parse(truth));
  return {
    name,
    bytes,
    form: WITHOUT_ITEMS.test(name) ? null : readForm(name, source, head),
    day: readDay(source, head),
    lengths,
  };
}

const readLengths = (rows) =>
  rows.map(({ identifier, character_count }) => {
    const [, part, item] = /^(?:part(\d)item)?(\w+)$/.exec(identifier);
    return { item: (part === undefined ? '' : `${'I'.repeat(part)}.`) + item.toUpperCase(), length: character_count };
  });

function readForm(name, source, head) {
  const stated =
    /CONFORMED SUBMISSION TYPE:\s*(\S+)/.exec(source)?.[1] ??
    /<TYPE>(\S+)/.exec(source)?.[1] ??
    /form\s*(10-?[KQ](?:SB|405)?|8-?K|20-?F)\b/i.exec(head)?.[1] ??
    /(10-[KQ]|8-?K|20-F)/i.exec(name)?.[1];
  return stated === undefined ? null : stated.toUpperCase().replace(/^(8|10|20)(?=[KQF])/, '$1-');
}

/** The period's end or the day of the report, as the cover states it. */
function readDay(source, head) {
  const stated = /CONFORMED PERIOD OF REPORT:\s*(\d{4})(\d\d)(\d\d)/.exec(source);
  if (stated) return stated.slice(1).join('-');
  const date = /(?:ended|reported\)?|Date of Report)[^a-z0-9]*([A-Z][a-z]+) (\d{1,2}) ?, ?(\d{4})/i.exec(head);
  const month = MONTHS.indexOf(date?.[1].toLowerCase()) + 1;
  if (month > 0) return `${date[3]}-${String(month).padStart(2, '0')}-${date[2].padStart(2, '0')}`;
  return `${/(?:19[89]\d|20[0-3]\d)/.exec(head)?.[0] ?? '2024'}-07-01`;
}
