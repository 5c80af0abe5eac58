/** Reads what identifies a published release: pointer, list of files, manifest, pieces. Each is checked on arrival. */
import { hash, type KeyObject } from 'node:crypto';
import { Failure } from '../contract/failure.ts';
import {
  FILE_LIST,
  type FileIdentity,
  type FileList,
  FormatError,
  MAX_BYTES,
  POINTER,
  type Pointer,
  parseFileList,
  parsePointer,
  parseReleases,
  RELEASES,
} from './format.ts';
import { signatureFault } from './signing.ts';
import type { Transfer } from './transfer.ts';

export class PulledRelease {
  private constructor(
    readonly transfer: Transfer,
    readonly pointer: Pointer,
  ) {}

  /**
   * @param stamp a stamp, or the beginning of exactly one; null for the latest
   * @param publicKey the key that must have signed the pointer, or null
   * @returns the release. Throws a not_found Failure if it is not published there, a data Failure for a rejected
   * signature, a network Failure for other content than published.
   */
  static async find(transfer: Transfer, stamp: string | null, publicKey: KeyObject | null): Promise<PulledRelease> {
    const pointer = stamp === null ? await readLatest(transfer) : await findPointer(transfer, stamp);
    const fault = publicKey === null ? null : signatureFault(pointer, publicKey);
    if (fault === null) return new PulledRelease(transfer, pointer);
    throw new Failure('data', `Release ${pointer.stamp} of ${transfer.context.url} is not accepted: ${fault}.`, {
      hint: 'Nothing was changed. If the publisher has a new key, get it in a way that does not depend on that host.',
    });
  }

  /** Returns the list of files, verified by the hash in the pointer. */
  async list(): Promise<FileList> {
    const { stamp, files } = this.pointer;
    const bytes = await this.bytes(FILE_LIST, files);
    return parsed(this.transfer, () => parseFileList(bytes.toString(), stamp));
  }

  /** Returns a whole small file from the directory of the stamp. */
  async bytes(path: keyof typeof MAX_BYTES, { bytes, sha256 }: FileIdentity): Promise<Buffer> {
    if (bytes > MAX_BYTES[path]) throw this.contradiction(`${path} has ${bytes} bytes, which is too many`);
    const found = await this.transfer.text(`${this.pointer.stamp}/${path}`, bytes);
    if (found !== null && found.length === bytes && hash('sha256', found, 'hex') === sha256) return found;
    const fault = found === null ? 'is missing' : 'is not the published file';
    throw new Failure('network', `${this.transfer.context.url}: ${this.pointer.stamp}/${path} ${fault}.`, {
      hint: 'The release may be changing right now: try again in a few minutes, or tell its publisher.',
    });
  }

  /** Returns the result of a parser of `format.ts`; throws its faults as Failures. */
  parsed<T>(parse: () => T): T {
    return parsed(this.transfer, parse);
  }

  contradiction(why: string): Failure {
    return new Failure(
      'network',
      `The release ${this.pointer.stamp} of ${this.transfer.context.url} contradicts itself: ${why}.`,
      {
        hint: 'Tell the publisher of the release.',
      },
    );
  }
}

async function readLatest(transfer: Transfer): Promise<Pointer> {
  const text = await transfer.text(POINTER, MAX_BYTES[POINTER]);
  if (text !== null) return parsed(transfer, () => parsePointer(text.toString()));
  throw new Failure('not_found', `There is no published release at ${transfer.context.url}: it has no ${POINTER}.`, {
    hint: 'Give the address of a directory that "fin data publish" made.',
  });
}

async function findPointer(transfer: Transfer, stamp: string): Promise<Pointer> {
  const text = await transfer.text(RELEASES, MAX_BYTES[RELEASES]);
  const releases = text === null ? [] : parsed(transfer, () => parseReleases(text.toString()));
  const foundReleases = releases.filter((release) => release.stamp.startsWith(stamp));
  const [onlyPointer] = foundReleases;
  if (onlyPointer !== undefined && foundReleases.length === 1) return onlyPointer;
  const stamps = releases.slice(0, 5).map((release) => release.stamp);
  const what = foundReleases.length === 0 ? 'no release' : `${foundReleases.length} releases`;
  throw new Failure('not_found', `${transfer.context.url} has ${what} ${stamp}.`, {
    hint:
      stamps.length === 0
        ? 'The host lists no releases by stamp; remove --stamp to pull the latest.'
        : `Its releases: ${stamps.join(', ')}.`,
  });
}

function parsed<T>({ context: { url } }: Transfer, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new Failure('network', `${url} ${error.message}.`, {
      hint: 'Check that the address is a directory that "fin data publish" made. A newer version of fin may have made it.',
    });
  }
}
