/**
 * What the single executable contains beside its program: bundles and the sample, as assets. A package has files in their
 * place. https://nodejs.org/api/single-executable-applications.html
 */

/** What the executable says of its own content. */
export interface ExecutableContent {
  /** A hash of the bundles. */
  readonly build: string;
  /** The release that ships with it, and the names of its files. */
  readonly sample: { readonly stamp: string; readonly files: readonly string[] };
}

const CONTENT = 'content.json';

/** The content of the executable that runs; null where a package runs. */
export function executableContent(): ExecutableContent | null {
  const bytes = readAsset(CONTENT);
  return bytes === null ? null : JSON.parse(bytes.toString('latin1'));
}

/** An asset, not to be written to; null where a package runs. Throws where the executable has no such asset. */
export function readAsset(name: string): Buffer | null {
  const { isSea, getRawAsset } = process.getBuiltinModule('node:sea');
  // The types allow text, which node never returns here.
  return isSea() ? Buffer.from(getRawAsset(name) as ArrayBuffer) : null;
}
