import { expect, test } from 'vitest';
import { findZipEndOffset } from '../../../src/edgar/files/archive.ts';

/**
 * Returns an end-of-central-directory record. `statedLength` is the comment length that the record states, which may be
 * wrong.
 */
function makeEndRecord(comment = '', statedLength = comment.length): Buffer {
  const record = Buffer.alloc(22);
  record.write('PK\x05\x06', 'latin1');
  record.writeUInt16LE(statedLength, 20);
  return Buffer.concat([record, Buffer.from(comment, 'latin1')]);
}
const content = Buffer.from('content of the zip');
const padding = Buffer.alloc(100);

test.each([
  ['a record at the end', Buffer.concat([content, makeEndRecord()]), content.length + 22],
  ['a record with a comment', Buffer.concat([content, makeEndRecord('a comment')]), content.length + 31],
  ['a record, and zeros after it', Buffer.concat([content, makeEndRecord(), padding]), content.length + 22],
  ['a comment and zeros', Buffer.concat([content, makeEndRecord('a comment'), padding]), content.length + 31],
  ['a signature in the comment', Buffer.concat([content, makeEndRecord('PK\x05\x06')]), content.length + 26],
  ['a record at the start', makeEndRecord(), 22],
])('the end of a zip is found: %s', (_, tail, end) => {
  expect(findZipEndOffset(tail)).toBe(end);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['no record', content],
  ['a truncated record', Buffer.concat([content, makeEndRecord().subarray(0, 21)])],
  ['a truncated comment', Buffer.concat([content, makeEndRecord('short', 6)])],
  ['other bytes after the record', Buffer.concat([content, makeEndRecord(), content])],
])('no end of a zip is found in %s', (_, tail) => {
  expect(findZipEndOffset(tail)).toBeNull();
});
