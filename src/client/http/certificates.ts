/** Certificate authorities beyond those that node brings: a company's own. */

import { readFileSync } from 'node:fs';
import { Failure } from '../../contract/failure.ts';
import { systemFailure } from '../../platform/system-error.ts';

/**
 * All authorities to trust, or null for node's own choice. Naming any replaces node's list, so its
 * roots and those of NODE_EXTRA_CA_CERTS come along.
 */
export function readAuthorities(env: Readonly<Record<string, string | undefined>>): readonly string[] | null {
  const own = env.FIN_CA_FILE;
  if (own === undefined || own === '') return null;
  const extra = env.NODE_EXTRA_CA_CERTS;
  // Loading node:tls takes as long as all else that a question on loopback needs.
  const { rootCertificates } = process.getBuiltinModule('node:tls');
  return [...rootCertificates, ...(extra === undefined || extra === '' ? [] : readExtra(extra)), readOwn(own)];
}

/** As node does: a file of NODE_EXTRA_CA_CERTS that cannot be read is ignored (node has warned of it). */
function readExtra(file: string): string[] {
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}

function readOwn(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch (cause) {
    throw systemFailure('usage', `The certificates in ${file} (FIN_CA_FILE) cannot be read`, cause);
  }
  throw new Failure('usage', `The file ${file} (FIN_CA_FILE) contains no certificate in PEM form.`);
}
