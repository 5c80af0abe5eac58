/**
 * The files that make a directory of releases readable from a static host: the pointer to the latest release, the list
 * of a release's files, and the pieces of files. Pure: parses text and returns checked values.
 */

import { isDay } from '../contract/identifiers.ts';
import { sumNumbers } from '../platform/collections.ts';
import { isObject, type JsonObject, parseJson } from '../platform/json-object.ts';
import { isSafePath } from '../platform/safe-path.ts';
import { isStamp, MANIFEST_FILE, MAX_MANIFEST_BYTES } from '../store/releases/manifest.ts';

/** Version of the published files; increased when readers of the previous version would misread the files. */
export const PUBLISHED_FORMAT = 1;

/** The file with the pointer to the latest release; replaced last. */
export const POINTER_FILE = 'latest.json';
/** The file with the pointers of all published releases, newest first. */
export const RELEASES_FILE = 'releases.json';
/** The list of a release's files, in the directory of the stamp. */
export const FILE_LIST_FILE = 'files.json';
/** The pieces of a release's large files, in the directory of the stamp. */
export const PIECES_FILE = 'pieces.json';

/** One Brotli stream of the pieces that differ in every release and compress well, in the directory of the stamp. */
export const PACKED_FILE = 'packed.br';

/**
 * Maximum file sizes in bytes, which exceed those of a release with 100,000 companies. Parsing a file of the maximum
 * size takes less than half a gigabyte of memory.
 */
export const MAX_BYTES_BY_FILE = {
  [POINTER_FILE]: 64 * 1024,
  [RELEASES_FILE]: 4 * 1024 * 1024,
  [FILE_LIST_FILE]: 4 * 1024 * 1024,
  [MANIFEST_FILE]: MAX_MANIFEST_BYTES,
  [PIECES_FILE]: 16 * 1024 * 1024,
  [PACKED_FILE]: 64 * 1024 * 1024,
} as const;

/** Maximum unpacked size of `packed.br`, in bytes. */
export const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

/**
 * Returns the maximum number of pieces of a file: about one per 256 bytes. The smallest published pieces are five times
 * as large.
 */
export const computeMaxPieces = (bytes: number): number => 64 + Math.floor(bytes / 256);

const MAX_FILES = 4096;
const MAX_FILE_BYTES = 2 ** 40;

/** Size and hash that identify the content of a file. */
export interface FileIdentity {
  readonly bytes: number;
  /** Hex digits of the SHA-256. */
  readonly sha256: string;
}

interface Signature {
  readonly algorithm: 'Ed25519';
  /** Id of the key: the first 16 hex digits of the SHA-256 of the key's 32 bytes. */
  readonly key: string;
  /** The signature of the bytes from `encodeSignedFields`, in base64. */
  readonly value: string;
}

/** Points to a release. Contains no time of publication, so that publishing the same release again changes no byte. */
export interface ReleasePointer {
  readonly format: typeof PUBLISHED_FORMAT;
  readonly stamp: string;
  readonly date: string;
  /** Major and minor version of the release's layout. */
  readonly layout: string;
  /** Identity of `<stamp>/files.json`, which verifies all other files of the release. */
  readonly files: FileIdentity;
  readonly signature?: Signature;
}

/** A published file. Its path has forward slashes and never leaves the directory of the stamp. */
export interface PublishedFile extends FileIdentity {
  readonly path: string;
}

/** Content of `<stamp>/files.json`. */
export interface FileList {
  readonly format: typeof PUBLISHED_FORMAT;
  readonly stamp: string;
  /** The files of the release, ordered by path. */
  readonly files: readonly PublishedFile[];
  /** Additional files that help to pull or read the release; they are not part of a pulled release. */
  readonly companions: readonly PublishedFile[];
  /**
   * The index for reading by HTTP ranges, not yet validated (release-index.ts); absent if the release was published
   * without an index.
   */
  readonly opening?: JsonObject;
}

/** The consecutive pieces that make up a file. */
export interface FilePieces {
  readonly path: string;
  /** Sizes in bytes. */
  readonly lengths: readonly number[];
  /** The first 16 hex digits of the SHA-256 of each piece, concatenated. */
  readonly hashes: string;
}

/** Content of `<stamp>/pieces.json`, which lists only files that are worth dividing. */
interface PieceList {
  readonly format: typeof PUBLISHED_FORMAT;
  readonly files: readonly FilePieces[];
  /** The pieces in `packed.br`; absent if that file does not exist. */
  readonly packed?: Omit<FilePieces, 'path'>;
}

/** Thrown for an invalid published file; the message is the predicate of a sentence about the published directory. */
export class FormatError extends Error {
  override readonly name: string = 'FormatError';
}

/** Thrown if the host sent a web page instead of the file, as many servers do for unknown paths. */
export class WebPageFault extends FormatError {
  override readonly name = 'WebPageFault';
}

/**
 * Returns the bytes that are signed: the pointer without its signature, as JSON with a fixed order of fields
 * and without spaces.
 */
export const encodeSignedFields = ({ format, stamp, date, layout, files: { bytes, sha256 } }: ReleasePointer): Buffer =>
  Buffer.from(JSON.stringify({ format, stamp, date, layout, files: { bytes, sha256 } }));

export const serializePublishedFile = (
  value: ReleasePointer | FileList | PieceList | { readonly releases: readonly ReleasePointer[] },
) => `${JSON.stringify(value, null, 1)}\n`;

/** Returns the validated pointer. Throws a FormatError if the text is invalid. */
export const parsePointer = (text: string): ReleasePointer => toPointer(parseObject(text, POINTER_FILE), POINTER_FILE);

export function parseReleasePointers(text: string): readonly ReleasePointer[] {
  const { format, releases } = parseObject(text, RELEASES_FILE);
  checkFormat(format, RELEASES_FILE);
  if (!Array.isArray(releases)) throw new FormatError(`has a ${RELEASES_FILE} without a list of releases`);
  return releases.map((release: unknown) => toPointer(isObject(release) ? release : {}, RELEASES_FILE));
}

/** @param stamp the stamp in the pointer, which the list must match */
export function parseFileList(text: string, stamp: string): FileList {
  const list = parseObject(text, FILE_LIST_FILE);
  checkFormat(list.format, FILE_LIST_FILE);
  if (list.stamp !== stamp)
    throw new FormatError(`has a ${FILE_LIST_FILE} that belongs to another release than ${stamp}`);
  const files = parseFileEntries(list.files);
  const companions = parseFileEntries(list.companions);
  checkPaths([...files, ...companions]);
  const opening = isObject(list.opening) ? { opening: list.opening } : {};
  return { format: PUBLISHED_FORMAT, stamp, files, companions, ...opening };
}

/**
 * Returns the validated pieces by file. Rejects pieces of files that the list lacks, and pieces whose lengths do not
 * add up to the size of their file.
 */
export function parsePieces(text: string, { files }: FileList) {
  const { format, files: entries, packed } = parseObject(text, PIECES_FILE);
  checkFormat(format, PIECES_FILE);
  if (!Array.isArray(entries)) throw new FormatError(`has a ${PIECES_FILE} without a list of files`);
  const sizes = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const divided = entries.map((fileEntry: unknown): [string, FilePieces] => {
    const { path, ...pieceLists } = isObject(fileEntry) ? fileEntry : ({} as JsonObject);
    const size = typeof path === 'string' ? (sizes.get(path) ?? 0) : 0;
    if (typeof path !== 'string' || !isFilePieces(pieceLists, size) || sumNumbers(pieceLists.lengths) !== size)
      throw new FormatError(`has a ${PIECES_FILE} that does not match ${FILE_LIST_FILE}`);
    return [path, { path, lengths: pieceLists.lengths, hashes: pieceLists.hashes }];
  });
  if (packed === undefined) return { files: new Map(divided), packed: null };
  const limit = MAX_UNPACKED_BYTES;
  if (!isObject(packed) || !isFilePieces(packed, limit) || sumNumbers(packed.lengths) > limit)
    throw new FormatError(`has a ${PIECES_FILE} with an invalid list of packed pieces`);
  return { files: new Map(divided), packed: { lengths: packed.lengths, hashes: packed.hashes } };
}

/** @param bytes size of the divided file, or its maximum; limits the number of pieces */
function isFilePieces(value: JsonObject, bytes: number): value is JsonObject & Omit<FilePieces, 'path'> {
  const { lengths, hashes } = value;
  return (
    Array.isArray(lengths) &&
    lengths.length <= computeMaxPieces(bytes) &&
    lengths.every((length) => isSize(length) && length > 0 && length <= MAX_PIECE_BYTES) &&
    matches(hashes, /^[0-9a-f]*$/) &&
    hashes.length === PIECE_HASH_DIGITS * lengths.length
  );
}

export const PIECE_HASH_DIGITS = 16;

/** Maximum size in bytes of a piece, which is read into memory. A file that is not divided is one piece. */
export const MAX_PIECE_BYTES = 16 * 1024 * 1024;

function parseObject(text: string, file: string): JsonObject {
  if (/^[\s\u{FEFF}]*</u.test(text)) throw new WebPageFault(`sent a web page instead of ${file}`);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new FormatError(`has a ${file} that is not JSON`);
  }
  if (!isObject(value)) throw new FormatError(`has a ${file} that is not a JSON object`);
  return value;
}

function checkFormat(format: unknown, file: string): void {
  if (format === PUBLISHED_FORMAT) return;
  const formatText = typeof format === 'number' ? `of format ${format}` : 'without a format number';
  throw new FormatError(`has a ${file} ${formatText}; this version of fin reads format ${PUBLISHED_FORMAT}`);
}

function toPointer({ format, stamp, date, layout, files, signature }: JsonObject, file: string): ReleasePointer {
  checkFormat(format, file);
  const isDated = typeof stamp === 'string' && isStamp(stamp) && typeof date === 'string' && isDay(date);
  if (!isDated || !stamp.startsWith(`${date}-`))
    throw new FormatError(`has a ${file} whose stamp or date is invalid, or whose stamp does not begin with its date`);
  if (!matches(layout, /^\d{1,4}\.\d{1,4}$/)) throw new FormatError(`has a ${file} without a valid layout version`);
  if (!isIdentity(files)) throw new FormatError(`has a ${file} without a valid size and SHA-256 of ${FILE_LIST_FILE}`);
  if (files.bytes > MAX_BYTES_BY_FILE[FILE_LIST_FILE])
    throw new FormatError(
      `has a ${file} that states ${files.bytes} bytes for ${FILE_LIST_FILE}, more than the allowed ${MAX_BYTES_BY_FILE[FILE_LIST_FILE]}`,
    );
  const pointer = { format: PUBLISHED_FORMAT, stamp, date, layout, files: pickIdentity(files) } as const;
  return signature === undefined ? pointer : { ...pointer, signature: toSignature(signature, file) };
}

function toSignature(value: unknown, file: string): Signature {
  const { algorithm, key, value: signature } = isObject(value) ? value : ({} as JsonObject);
  if (algorithm === 'Ed25519' && matches(key, /^[0-9a-f]{16}$/) && matches(signature, /^[A-Za-z0-9+/]{86}==$/))
    return { algorithm, key, value: signature };
  throw new FormatError(`has a ${file} whose signature is not a valid Ed25519 signature`);
}

function parseFileEntries(value: unknown): PublishedFile[] {
  if (!Array.isArray(value)) throw new FormatError(`has a ${FILE_LIST_FILE} without a list of files`);
  if (value.length > MAX_FILES)
    throw new FormatError(`has a ${FILE_LIST_FILE} of ${value.length} files, more than the allowed ${MAX_FILES}`);
  return value.map((file: unknown) => {
    if (!isObject(file) || typeof file.path !== 'string' || !isSafePath(file.path))
      throw new FormatError(`has a ${FILE_LIST_FILE} with a path that is not allowed`);
    if (!isIdentity(file))
      throw new FormatError(`has a ${FILE_LIST_FILE} without a valid size and SHA-256 of ${file.path}`);
    return { path: file.path, ...pickIdentity(file) };
  });
}

/** Rejects paths that differ only in case, and paths that use another listed file as a directory. */
function checkPaths(files: readonly PublishedFile[]): void {
  const seenPaths = new Set<string>([FILE_LIST_FILE]);
  for (const { path } of files) {
    const lower = path.toLowerCase();
    if (seenPaths.has(lower))
      throw new FormatError(`has a ${FILE_LIST_FILE} that names ${path} twice (ignoring case), or names itself`);
    seenPaths.add(lower);
  }
  for (const path of seenPaths) {
    const folders = path.split('/').slice(0, -1);
    const clash = folders.map((_, depth) => folders.slice(0, depth + 1).join('/')).find((path) => seenPaths.has(path));
    if (clash !== undefined)
      throw new FormatError(`has a ${FILE_LIST_FILE} that uses the file ${clash} as a directory`);
  }
}

/** Whether a value is a text that matches a pattern. */
export const matches = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value);

const isSize = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_FILE_BYTES;

const isIdentity = (value: unknown): value is FileIdentity =>
  isObject(value) && isSize(value.bytes) && matches(value.sha256, /^[0-9a-f]{64}$/);

const pickIdentity = ({ bytes, sha256 }: FileIdentity): FileIdentity => ({ bytes, sha256 });
