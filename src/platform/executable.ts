/**
 * The assets of the single executable: bundles and the sample. A package has files instead.
 * https://nodejs.org/api/single-executable-applications.html
 */

/** The executable's description of its content. */
export interface ExecutableContent {
  /** A hash of the bundles. */
  readonly build: string;
  /** The release that ships with it, and the names of its files. */
  readonly sample: { readonly stamp: string; readonly files: readonly string[] };
}

const CONTENT_FILE = 'content.json';

/** Returns the content of the running executable; null in a package. */
export function readExecutableContent(): ExecutableContent | null {
  const bytes = readAsset(CONTENT_FILE);
  return bytes === null ? null : JSON.parse(bytes.toString('latin1'));
}

/** Returns an asset, which must not be written to; null in a package. Throws if the executable has no such asset. */
export function readAsset(name: string): Buffer | null {
  const { isSea, getRawAsset } = process.getBuiltinModule('node:sea');
  // The types include text, which Node.js does not return here.
  return isSea() ? Buffer.from(getRawAsset(name) as ArrayBuffer) : null;
}
