/**
 * Implements `fin doctor --network` for a static host: tests whether fin, and web pages of other sites, can read the
 * release there.
 */

import { hasHashPrefix } from '../client/published/range-reader.ts';
import type { HostFinding, PublishedSettings } from '../client/request/ports.ts';
import { isFailure } from '../contract/failure.ts';
import { FILE_LIST_FILE, MAX_BYTES_BY_FILE, POINTER_FILE, parseFileList } from '../publish/format.ts';
import { readReleaseIndex } from '../publish/release-index.ts';
import { openHost, parseOrFail, requirePointer } from './published-host.ts';

/**
 * The range that is requested as a test. It starts after byte 0, because a host that ignores ranges sends the beginning
 * of the file.
 */
const PROBE_RANGE = { offset: 7, length: 64 };
/** Origin of an example web page on another site. */
const PAGE_ORIGIN = 'https://page.example';

export async function examineHost(settings: PublishedSettings): Promise<readonly HostFinding[]> {
  const { baseUrl } = settings;
  const host = openHost(settings);
  const { requests, close } = host;
  const findings: HostFinding[] = [];
  const add = (check: string, state: HostFinding['state'], detail: string) => findings.push({ check, state, detail });
  try {
    const response = await requests.get({ path: POINTER_FILE, maxBytes: MAX_BYTES_BY_FILE[POINTER_FILE] });
    if (response.status !== 200) {
      add('pointer', 'wrong', `${baseUrl}/${POINTER_FILE} answered ${response.status}: no release can be read there`);
      return findings;
    }
    const pointer = requirePointer(response.body.toString('utf8'), host);
    const key = pointer.signature?.key;
    const signature = `${key === undefined ? 'not signed' : `signed with the key ${key}`}${host.publicKey === null ? '' : ', as public_key requires'}`;
    add('pointer', 'ok', `release ${pointer.stamp}, layout ${pointer.layout}, ${signature}`);
    const { etag } = response.headers;
    if (etag === undefined) {
      const detail = `not offered: fin downloads ${POINTER_FILE} again, even if it is unchanged, whenever its copy is older than a minute`;
      add('ETag', 'note', detail);
    } else {
      const { status } = await requests.get({ path: POINTER_FILE, etag, maxBytes: MAX_BYTES_BY_FILE[POINTER_FILE] });
      const ignoredText = `ignored: the host answered ${status}, although ${POINTER_FILE} had not changed`;
      if (status === 304) add('ETag', 'ok', etag);
      else add('ETag', 'note', ignoredText);
    }
    const path = `${pointer.stamp}/${FILE_LIST_FILE}`;
    const list = await requests.get({ path, maxBytes: MAX_BYTES_BY_FILE[FILE_LIST_FILE] });
    const { bytes, sha256 } = pointer.files;
    if (list.status !== 200)
      add('files', 'wrong', `${path} answered ${list.status}: the list of the release's files cannot be read`);
    else if (list.body.length !== bytes || !hasHashPrefix(list.body, sha256)) {
      const detail = `${path} has ${list.body.length} bytes; its size or hash differs from ${POINTER_FILE}, which states ${bytes} bytes`;
      add('files', 'wrong', detail);
    } else {
      const parsed = parseOrFail(baseUrl, () => parseFileList(list.body.toString('utf8'), pointer.stamp));
      parseOrFail(baseUrl, () => readReleaseIndex(parsed));
      add('files', 'ok', `the list of ${parsed.files.length} files matches ${POINTER_FILE}`);
    }
    const range = await requests.get({ path, range: PROBE_RANGE, origin: PAGE_ORIGIN, maxBytes: PROBE_RANGE.length });
    const isSame = range.body.equals(list.body.subarray(PROBE_RANGE.offset, PROBE_RANGE.offset + PROBE_RANGE.length));
    const unsupportedText = `range requests are not supported (status ${range.status} instead of 206): releases can be pulled from this host, but single companies cannot be read from it`;
    if (range.status !== 206) add('ranges', 'wrong', unsupportedText);
    else if (isSame) add('ranges', 'ok', 'served unchanged and uncompressed');
    else add('ranges', 'wrong', 'the bytes of a range differ from the same bytes of the whole file');
    findings.push(makeCorsFinding(range.headers));
    return findings;
  } catch (error) {
    if (!isFailure(error) || findings.length === 0) throw error;
    add('host', 'wrong', error.message);
    return findings;
  } finally {
    await close();
  }
}

/**
 * Returns the finding about whether web pages of other sites may read releases from the host. The headers of a simple GET
 * suffice, because range requests need no preflight request.
 */
function makeCorsFinding({ 'access-control-allow-origin': origin }: Readonly<Record<string, string>>): HostFinding {
  const check = 'CORS';
  if (origin === '*' || origin === PAGE_ORIGIN)
    return { check, state: 'ok', detail: 'allowed: web pages of every origin may read the release' };
  const allowedOrigin = origin === undefined ? 'none' : origin;
  const detail = `not allowed: web pages cannot read the release (Access-Control-Allow-Origin: ${allowedOrigin}); programs and fin can`;
  return { check, state: 'note', detail };
}
