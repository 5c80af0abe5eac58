/**
 * Assets of the single executable: bundles and the sample, which the npm package has as files.
 * https://nodejs.org/api/single-executable-applications.html
 */

export interface ExecutableContent {
  /** Hash of the bundles. */
  readonly build: string;
  /** The built-in sample: the release's stamp and the names of its files. */
  readonly sample: { readonly stamp: string; readonly files: readonly string[] };
}

const CONTENT_FILE = 'content.json';

/** Returns the description of the running executable's assets; null if running from a package. */
export function readExecutableContent(): ExecutableContent | null {
  const bytes = readAsset(CONTENT_FILE);
  return bytes === null ? null : JSON.parse(bytes.toString('latin1'));
}

/**
 * Returns an asset as a buffer that must not be modified; null if running from a package. Throws if the executable
 * lacks the asset.
 */
export function readAsset(name: string): Buffer | null {
  const { isSea, getRawAsset } = process.getBuiltinModule('node:sea');
  // The declared type includes text, which Node.js never returns here.
  return isSea() ? Buffer.from(getRawAsset(name) as ArrayBuffer) : null;
}
