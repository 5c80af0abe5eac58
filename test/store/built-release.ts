import { buildRelease } from '../../src/building/build.ts';
import { makeFolder, type SourceCompany, writeSource } from './public-source.ts';

/** Builds a release of these companies; returns its stamp and directory. */
export async function buildReleaseOfCompanies(
  companies: readonly SourceCompany[],
): Promise<{ stamp: string; directory: string }> {
  return buildReleaseFromSource(await writeSource(companies));
}

/** Builds a release from a directory of public files; returns its stamp and directory. */
export async function buildReleaseFromSource(source: string): Promise<{ stamp: string; directory: string }> {
  const { stamp, directory } = await buildRelease({
    sourceDirectory: source,
    home: await makeFolder('home'),
    workerScript: null,
  });
  if (directory === null) throw new Error('the release was not published');
  return { stamp, directory };
}
