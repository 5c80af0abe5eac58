/**
 * Reads the metadata of a published release: pointer, list of files, manifest, pieces. The pointer is verified by its
 * signature if the caller passes a key; all other files are verified by their hashes on arrival.
 */
import { hash, type KeyObject } from 'node:crypto';
import { Failure } from '../contract/failure.ts';
import type { FileIdentity, FileList, ReleasePointer } from './format.ts';
import {
  FILE_LIST_FILE,
  FormatError,
  MAX_BYTES_BY_FILE,
  POINTER_FILE,
  parseFileList,
  parsePointer,
  parseReleasePointers,
  RELEASES_FILE,
} from './format.ts';
import { findSignatureFault } from './signing.ts';
import type { Transfer } from './transfer.ts';

export class PulledRelease {
  private constructor(
    readonly transfer: Transfer,
    readonly pointer: ReleasePointer,
  ) {}

  /**
   * Finds a published release. Throws a not_found Failure if the release is not published, a data Failure for a
   * rejected signature, and a network Failure if the host sends other content than published.
   * @param stamp a stamp, or the beginning of exactly one stamp; null for the latest release
   * @param publicKey the key that must have signed the pointer, or null
   */
  static async find(transfer: Transfer, stamp: string | null, publicKey: KeyObject | null): Promise<PulledRelease> {
    const pointer = stamp === null ? await readLatestPointer(transfer) : await findPointer(transfer, stamp);
    const fault = publicKey === null ? null : findSignatureFault(pointer, publicKey);
    if (fault === null) return new PulledRelease(transfer, pointer);
    throw new Failure('data', `Release ${pointer.stamp} of ${transfer.context.url} is not accepted: ${fault}.`, {
      hint: 'Nothing was changed. If the publisher has a new key, ask the publisher for the key: do not trust a copy of it on that host.',
    });
  }

  /** Returns the list of files, verified by its hash in the pointer. */
  async fetchFileList(): Promise<FileList> {
    const { stamp, files } = this.pointer;
    const bytes = await this.fetchBytes(FILE_LIST_FILE, files);
    return parseOrThrow(this.transfer, () => parseFileList(bytes.toString(), stamp));
  }

  /** Returns the bytes of a small file in the directory of the stamp. */
  async fetchBytes(path: keyof typeof MAX_BYTES_BY_FILE, { bytes, sha256 }: FileIdentity): Promise<Buffer> {
    if (bytes > MAX_BYTES_BY_FILE[path])
      throw this.contradictionFailure(`${path} has ${bytes} bytes, more than the allowed ${MAX_BYTES_BY_FILE[path]}`);
    const content = await this.transfer.fetchSmallFile(`${this.pointer.stamp}/${path}`, bytes);
    if (content !== null && content.length === bytes && hash('sha256', content, 'hex') === sha256) return content;
    const fault = content === null ? 'is missing' : 'does not have the expected size and SHA-256';
    throw new Failure('network', `${this.transfer.context.url}: ${this.pointer.stamp}/${path} ${fault}.`, {
      hint: 'The release may be changing right now: try again in a few minutes, or tell its publisher.',
    });
  }

  contradictionFailure(reason: string): Failure {
    const text = `The release ${this.pointer.stamp} of ${this.transfer.context.url} contradicts itself: ${reason}.`;
    return new Failure('network', text, { hint: 'Report this to the publisher of the release.' });
  }
}

async function readLatestPointer(transfer: Transfer): Promise<ReleasePointer> {
  const bytes = await transfer.fetchSmallFile(POINTER_FILE, MAX_BYTES_BY_FILE[POINTER_FILE]);
  if (bytes !== null) return parseOrThrow(transfer, () => parsePointer(bytes.toString()));
  const text = `There is no published release at ${transfer.context.url}: it has no ${POINTER_FILE}.`;
  throw new Failure('not_found', text, { hint: 'Give the address of a directory that "fin data publish" made.' });
}

async function findPointer(transfer: Transfer, stamp: string): Promise<ReleasePointer> {
  const text = await transfer.fetchSmallFile(RELEASES_FILE, MAX_BYTES_BY_FILE[RELEASES_FILE]);
  const pointers = text === null ? [] : parseOrThrow(transfer, () => parseReleasePointers(text.toString()));
  const matches = pointers.filter((release) => release.stamp.startsWith(stamp));
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  const examples = pointers.slice(0, 5).map((release) => release.stamp);
  const countText =
    matches.length === 0 ? 'no release whose stamp begins' : `${matches.length} releases whose stamps begin`;
  throw new Failure('not_found', `${transfer.context.url} has ${countText} with "${stamp}".`, {
    hint:
      examples.length === 0
        ? 'The host has no list of its releases; remove --stamp to pull the latest release.'
        : `Releases of the host: ${examples.join(', ')}${pointers.length > examples.length ? ', …' : ''}`,
  });
}

/** Returns the result of a parser of `format.ts`; converts its errors to Failures. */
export function parseOrThrow<T>({ context: { url } }: Transfer, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new Failure('network', `${url} ${error.message}.`, {
      hint: 'Check that the address is a directory that "fin data publish" made. If so, update fin: a newer version may have published the release.',
    });
  }
}
