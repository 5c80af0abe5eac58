/** A directory of public files about one invented company, which tests extend with files of other kinds. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildReport, buildRelease } from '../../../src/building/build.ts';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { makeFolder, type SourceCompany, writeSource } from '../../store/public-source.ts';

export const WIDGETS_CIK = 9400021;
/** The date of releases of the company's files: the day of its only filing. */
export const WIDGETS_DATE = '2025-02-20';

const makeFact = (concept: string, start: string | null, value: string): Fact => ({
  ...{ taxonomy: 'us-gaap', concept, unit: 'USD', start, end: '2024-12-31', value },
  ...{ accession: '0009400021-25-000001', form: '10-K', filed: WIDGETS_DATE, frame: null },
  ...{ focusYear: 2024, focusPeriod: 'FY' },
});

export const WIDGETS: SourceCompany = {
  ...{ cik: WIDGETS_CIK, name: 'PAPER WIDGETS INC', ticker: 'PWID' },
  facts: [
    makeFact('Revenues', '2024-01-01', '5000000'),
    makeFact('NetIncomeLoss', '2024-01-01', '700000'),
    makeFact('Assets', null, '9000000'),
  ],
};

/** Writes the company's files and `files`, which are texts by path, and returns the directory. */
export async function writeWidgetsSource(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const source = await writeSource([WIDGETS]);
  writeFiles(source, files);
  return source;
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

export const buildFrom = async (sourceDirectory: string): Promise<BuildReport> =>
  buildRelease({ sourceDirectory, home: join(await makeFolder('releases'), 'releases'), workerScript: null });
