/**
 * Implements `fin doctor --network` for a static host: tests whether fin, and web pages of other sites, can read the
 * release there.
 */

import type { HostFinding, PublishedSettings } from '../client/published/port.ts';
import { hasHashPrefix } from '../client/published/range-cache.ts';
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
  const addFinding = (check: string, state: HostFinding['state'], detail: string) =>
    findings.push({ check, state, detail });
  try {
    const pointerResponse = await requests.get({ path: POINTER_FILE, maxBytes: MAX_BYTES_BY_FILE[POINTER_FILE] });
    if (pointerResponse.status !== 200) {
      addFinding(
        'pointer',
        'wrong',
        `${baseUrl}/${POINTER_FILE} answered ${pointerResponse.status}: no release can be read there`,
      );
      return findings;
    }
    const pointer = requirePointer(pointerResponse.body.toString('utf8'), host);
    const signatureKey = pointer.signature?.key;
    const signatureText = `${signatureKey === undefined ? 'not signed' : `signed with the key ${signatureKey}`}${host.publicKey === null ? '' : ', as public_key requires'}`;
    addFinding('pointer', 'ok', `release ${pointer.stamp}, layout ${pointer.layout}, ${signatureText}`);
    const { etag } = pointerResponse.headers;
    if (etag === undefined)
      addFinding(
        'ETag',
        'note',
        `not offered: fin downloads ${POINTER_FILE} again, even if it is unchanged, whenever its copy is older than a minute`,
      );
    else {
      const { status } = await requests.get({ path: POINTER_FILE, etag, maxBytes: MAX_BYTES_BY_FILE[POINTER_FILE] });
      addFinding(
        'ETag',
        status === 304 ? 'ok' : 'note',
        status === 304 ? etag : `ignored: the host answered ${status}, although ${POINTER_FILE} had not changed`,
      );
    }
    const path = `${pointer.stamp}/${FILE_LIST_FILE}`;
    const fileListResponse = await requests.get({ path, maxBytes: MAX_BYTES_BY_FILE[FILE_LIST_FILE] });
    const { bytes, sha256 } = pointer.files;
    if (fileListResponse.status !== 200)
      addFinding(
        'files',
        'wrong',
        `${path} answered ${fileListResponse.status}: the list of the release's files cannot be read`,
      );
    else if (fileListResponse.body.length !== bytes || !hasHashPrefix(fileListResponse.body, sha256)) {
      addFinding(
        'files',
        'wrong',
        `${path} has ${fileListResponse.body.length} bytes; its size or hash differs from ${POINTER_FILE}, which states ${bytes} bytes`,
      );
    } else {
      const parsedFileList = parseOrFail(baseUrl, () =>
        parseFileList(fileListResponse.body.toString('utf8'), pointer.stamp),
      );
      parseOrFail(baseUrl, () => readReleaseIndex(parsedFileList));
      addFinding('files', 'ok', `the list of ${parsedFileList.files.length} files matches ${POINTER_FILE}`);
    }
    const rangeResponse = await requests.get({
      path,
      range: PROBE_RANGE,
      origin: PAGE_ORIGIN,
      maxBytes: PROBE_RANGE.length,
    });
    const isSameContent = rangeResponse.body.equals(
      fileListResponse.body.subarray(PROBE_RANGE.offset, PROBE_RANGE.offset + PROBE_RANGE.length),
    );
    if (rangeResponse.status === 206 && isSameContent) addFinding('ranges', 'ok', 'served unchanged and uncompressed');
    else if (rangeResponse.status === 206)
      addFinding('ranges', 'wrong', 'the bytes of a range differ from the same bytes of the whole file');
    else
      addFinding(
        'ranges',
        'wrong',
        `not served (status ${rangeResponse.status}): releases can be pulled from this host, but not read by ranges`,
      );
    findings.push(makeCorsFinding(rangeResponse.headers));
    return findings;
  } catch (error) {
    if (!isFailure(error) || findings.length === 0) throw error;
    addFinding('host', 'wrong', error.message);
    return findings;
  } finally {
    await close();
  }
}

/**
 * Returns the finding whether web pages of other sites may read releases from the host. The headers of a simple GET
 * suffice, because range requests need no preflight request.
 */
function makeCorsFinding({
  'access-control-allow-origin': allowedOrigin,
}: Readonly<Record<string, string>>): HostFinding {
  const check = 'CORS';
  if (allowedOrigin === '*' || allowedOrigin === PAGE_ORIGIN)
    return { check, state: 'ok', detail: 'allowed: web pages of every origin may read the release' };
  const allowedText = allowedOrigin === undefined ? 'none' : allowedOrigin;
  const detail = `not allowed: web pages cannot read the release (Access-Control-Allow-Origin: ${allowedText}); programs and fin can`;
  return { check, state: 'note', detail };
}
