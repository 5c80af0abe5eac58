/** Builds a small release in this thread. */
import { buildRelease } from '../../src/building/build.ts';
import { newFolder, type SourceCompany, writeSource } from './public-source.ts';

/** Returns the stamp and the directory of a release of these companies. */
export async function releaseOf(companies: readonly SourceCompany[]): Promise<{ stamp: string; directory: string }> {
  return releaseFrom(await writeSource(companies));
}

/** The same, from a directory of public files. */
export async function releaseFrom(source: string): Promise<{ stamp: string; directory: string }> {
  const { stamp, directory } = await buildRelease({
    sourceDirectory: source,
    home: await newFolder('home'),
    workerScript: null,
  });
  if (directory === null) throw new Error('the release was not published');
  return { stamp, directory };
}
