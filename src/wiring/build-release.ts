/** Implements `fin data build`: builds a release from fetched files, or from a directory of the user's own files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildRelease as build } from '../building/build.ts';
import type { BuildOutcome, BuildProgress, BuildReleaseOptions } from '../commands/ports/build.ts';
import { Failure } from '../contract/failure.ts';
import { findFileFault, listRecords } from '../edgar/fetch/file-records.ts';
import { writeAnalytics } from '../publish/analytics/write-analytics.ts';

export { getReleasesHome } from '../store/releases/home.ts';

/** `companyNotes` is for `.ci/sample.mjs`; the command line has no option for it. */
export async function buildRelease({
  from,
  jobs,
  analytics,
  ...options
}: BuildReleaseOptions & Pick<BuildOptions, 'companyNotes'>): Promise<BuildOutcome> {
  if (from.fetched) await verifyFetchedFiles(from.directory, options);
  const report = await build({
    ...options,
    sourceDirectory: from.directory,
    ...(jobs === null ? {} : { workerCount: jobs }),
  });
  if (!analytics || report.directory === null) return { ...report, analytics: null };
  const onProgress = (progress: Omit<TypedTablesProgress, 'phase'>) =>
    options.onProgress({ phase: 'typing', ...progress });
  return {
    ...report,
    analytics: await writeAnalytics({
      ...(jobs === null ? {} : { jobs }),
      ...{ release: report.directory, signal: options.signal, onProgress },
    }),
  };
}

type TypedTablesProgress = Extract<BuildProgress, { readonly phase: 'typing' }>;

/** Throws a Failure if no files were fetched, or if a file changed after it was fetched. */
async function verifyFetchedFiles(
  directory: string,
  { signal, onProgress }: Pick<BuildReleaseOptions, 'signal' | 'onProgress'>,
): Promise<void> {
  if (!existsSync(directory)) {
    throw new Failure(
      'usage',
      'There are no files to build from: nothing was fetched yet, and no directory is given by --from.',
      {
        hint: 'Fetch some companies with "fin data fetch AAPL MSFT", or all companies with "fin data fetch --bulk".',
      },
    );
  }
  for (const record of await listRecords(directory)) {
    onProgress({ phase: 'verifying', file: record.file });
    const fault = await findFileFault(directory, record, signal);
    // A missing file is accepted, because the user must have removed it deliberately.
    if (fault === null || fault === 'missing') continue;
    throw new Failure('data', `${join(directory, record.file)} was changed after it was fetched: it has ${fault}.`, {
      hint: 'Run "fin data fetch" again: it replaces damaged files.',
    });
  }
}
