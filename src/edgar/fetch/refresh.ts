/** The order that brings up to date what was fetched before. */
import type { FileFamily } from './families.ts';
import type { FetchRequest } from './fetch-files.ts';
import type { FileRecord } from './file-records.ts';

const COMPANY = /^(?:companyfacts|submissions)\/CIK(\d{10})\.json$/;

export function refreshRequest(
  records: readonly FileRecord[],
  families: readonly FileFamily[],
): Pick<FetchRequest, 'companies' | 'bulk' | 'families'> {
  const files = records.map(({ file }) => file);
  const ciks = files.flatMap((file) => COMPANY.exec(file)?.[1] ?? []);
  return {
    companies: [...new Set(ciks)],
    bulk: files.includes('companyfacts.zip') || files.includes('submissions.zip'),
    families: families.flatMap((family) => {
      const count = files.filter((file) => file.startsWith(`${family.folder}/`)).length;
      return count === 0 ? [] : [{ family, count }];
    }),
  };
}
