import { expect, test } from 'vitest';
import type { PartialDownload } from '../../../src/edgar/fetch/partial-file.ts';
import type { RemoteFile } from '../../../src/edgar/fetch/remote-files.ts';
import { classifyResponse, makeRequestHeaders } from '../../../src/edgar/fetch/response-class.ts';
import { isUrlOnSite, makeMirrorSite, SEC_SITE } from '../../../src/http/sec/site.ts';
import { RATE_LIMIT_PAGE, UNDECLARED_TOOL_PAGE } from './site-server.ts';

const ZIP_FILE: RemoteFile = { url: 'https://www.sec.gov/a.zip', file: 'a.zip', kind: 'zip', maxBytes: 1000 };
const JSON_FILE: RemoteFile = { url: 'https://data.sec.gov/a.json', file: 'a.json', kind: 'json', maxBytes: 1000 };
const PARTIAL_ZIP: PartialDownload = { bytes: 10, etag: '"x"', lastModified: null };
const HTML_HEADERS = { 'content-type': 'text/html; charset=utf-8' };
const ACCESS_DENIED_PAGE = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';

test.each<[string, RemoteFile, number, Record<string, string>, string, PartialDownload | null, object]>([
  ['a zip', ZIP_FILE, 200, { 'content-length': '99' }, 'PK\x03\x04…', null, { kind: 'complete', totalBytes: 99 }],
  [
    'the length of an encoded body is not the length of the file',
    JSON_FILE,
    200,
    { 'content-length': '9', 'content-encoding': 'gzip' },
    '{"a":1}',
    null,
    { kind: 'complete', totalBytes: null },
  ],
  [
    'a page with status 200 where a zip should be',
    ZIP_FILE,
    200,
    HTML_HEADERS,
    '<html>',
    null,
    { kind: 'unexpected', reason: 'sent a web page instead of a zip' },
  ],
  [
    'a page declared as JSON',
    JSON_FILE,
    200,
    { 'content-type': 'application/json' },
    '\n <!DOCTYPE html>',
    null,
    { kind: 'unexpected' },
  ],
  [
    'an empty body is not an empty file',
    JSON_FILE,
    200,
    {},
    '',
    null,
    { kind: 'unexpected', reason: 'sent an empty response' },
  ],
  ['text that is not a zip', ZIP_FILE, 200, {}, '{"a":1}', null, { kind: 'unexpected' }],
  [
    'the rate limit page with status 200',
    JSON_FILE,
    200,
    HTML_HEADERS,
    RATE_LIMIT_PAGE,
    null,
    { kind: 'rate-limited' },
  ],
  [
    'the rate limit page with status 403',
    JSON_FILE,
    403,
    HTML_HEADERS,
    RATE_LIMIT_PAGE,
    null,
    { kind: 'rate-limited' },
  ],
  ['any other 403', JSON_FILE, 403, HTML_HEADERS, '<html>', null, { kind: 'rate-limited' }],
  ['429', JSON_FILE, 429, {}, '', null, { kind: 'rate-limited' }],
  [
    'the page about undeclared tools',
    JSON_FILE,
    403,
    HTML_HEADERS,
    UNDECLARED_TOOL_PAGE,
    null,
    { kind: 'contact-refused' },
  ],
  [
    'the AccessDenied answer of the storage service, which means a missing file',
    ZIP_FILE,
    403,
    {},
    ACCESS_DENIED_PAGE,
    null,
    { kind: 'absent' },
  ],
  ['404', JSON_FILE, 404, HTML_HEADERS, '<html>', null, { kind: 'absent' }],
  ['304', JSON_FILE, 304, {}, '', null, { kind: 'unchanged' }],
  ['503', JSON_FILE, 503, {}, '', null, { kind: 'unavailable', reason: 'answered 503' }],
  ['401', JSON_FILE, 401, {}, '', null, { kind: 'unexpected', reason: 'answered 401' }],
  [
    'the remainder of a zip',
    ZIP_FILE,
    206,
    { 'content-range': 'bytes 10-98/99' },
    'xx',
    PARTIAL_ZIP,
    { kind: 'remainder', totalBytes: 99 },
  ],
  [
    'a range other than the requested one',
    ZIP_FILE,
    206,
    { 'content-range': 'bytes 11-98/99' },
    'x',
    PARTIAL_ZIP,
    { kind: 'restart' },
  ],
  [
    'a range that is not the remainder',
    ZIP_FILE,
    206,
    { 'content-range': 'bytes 10-20/99' },
    'x',
    PARTIAL_ZIP,
    { kind: 'restart' },
  ],
  [
    'a range that was not requested',
    ZIP_FILE,
    206,
    { 'content-range': 'bytes 10-98/99' },
    'x',
    null,
    { kind: 'unexpected' },
  ],
  ['no missing bytes', ZIP_FILE, 416, { 'content-range': 'bytes */10' }, '', PARTIAL_ZIP, { kind: 'already-whole' }],
  [
    'no missing bytes of another file',
    ZIP_FILE,
    416,
    { 'content-range': 'bytes */10', etag: '"y"' },
    '',
    PARTIAL_ZIP,
    { kind: 'restart' },
  ],
  ['a range beyond the end', ZIP_FILE, 416, {}, '', PARTIAL_ZIP, { kind: 'restart' }],
  [
    'the complete file instead of the remainder',
    ZIP_FILE,
    200,
    {},
    'PK\x03\x04',
    PARTIAL_ZIP,
    { kind: 'complete', totalBytes: null },
  ],
  [
    'one redirect too many within the site',
    ZIP_FILE,
    302,
    { location: 'https://data.sec.gov/b.zip' },
    '',
    null,
    { kind: 'unexpected', reason: 'redirects too many times' },
  ],
  [
    'a redirect to another site',
    ZIP_FILE,
    302,
    { location: 'https://sec.gov.example/b.zip' },
    '',
    null,
    { kind: 'unexpected' },
  ],
])('a response is classified: %s', (_, file, status, headers, bodyStart, partialContent, expected) => {
  expect(classifyResponse(SEC_SITE, file, file.url, { status, headers }, bodyStart, partialContent)).toMatchObject(
    expected,
  );
});

test('an address on another host or port, or without HTTPS, is not on the site', () => {
  expect(isUrlOnSite(SEC_SITE, new URL('https://data.sec.gov/b.json'))).toBe(true);
  for (const address of [
    'http://www.sec.gov/b',
    'https://evil.example/b',
    'file:///etc/passwd',
    'https://www.sec.gov:8443/',
  ])
    expect(isUrlOnSite(SEC_SITE, new URL(address)), address).toBe(false);
  expect(isUrlOnSite(makeMirrorSite('http://127.0.0.1:80/x/'), new URL('https://www.sec.gov/'))).toBe(false);
});

test('a request has the validators of the copy on disk, or the range that a partial file lacks', () => {
  const localCopyRecord = { etag: '"h"', lastModified: 'Mon, 05 Jan 2026 00:00:00 GMT' };
  expect(makeRequestHeaders(JSON_FILE, localCopyRecord, null)).toEqual({
    'accept-encoding': 'gzip, deflate',
    'if-none-match': '"h"',
    'if-modified-since': 'Mon, 05 Jan 2026 00:00:00 GMT',
  });
  const rangeHeaders = { 'accept-encoding': 'identity', range: 'bytes=10-', 'if-range': '"x"' };
  expect(makeRequestHeaders(ZIP_FILE, localCopyRecord, PARTIAL_ZIP)).toEqual(rangeHeaders);
  expect(
    makeRequestHeaders(ZIP_FILE, null, { ...PARTIAL_ZIP, etag: null, lastModified: localCopyRecord.lastModified }),
  ).toMatchObject({
    'if-range': localCopyRecord.lastModified,
  });
  // A download is not resumed with a weak ETag, which does not guarantee the same bytes, or from an empty partial file.
  const plainHeaders = { 'accept-encoding': 'identity' };
  expect(makeRequestHeaders(ZIP_FILE, null, { ...PARTIAL_ZIP, etag: 'W/"x"' })).toEqual(plainHeaders);
  expect(makeRequestHeaders(ZIP_FILE, null, { ...PARTIAL_ZIP, bytes: 0 })).toEqual(plainHeaders);
});
