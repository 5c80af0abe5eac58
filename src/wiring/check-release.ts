/**
 * Implements `fin data check`: runs the consistency checks of `figures/checks` on a release, and verifies its typed
 * tables.
 */
import type { ReleaseCheck } from '../commands/ports/check.ts';
import { SCREEN_COLUMNS, UNCONFIRMED_COLUMN } from '../contract/screen-columns.ts';
import { checkCompanyIdentities, hasOnlyMarkedFailures, mergeResults } from '../figures/checks/identities.ts';
import { evaluateRelations } from '../figures/evidence/relations.ts';
import { deriveFigures } from '../figures/figure-values.ts';
import { findAnalyticsFaults } from '../publish/analytics/analytics-manifest.ts';
import { openRelease, type ReleaseReader } from '../store/reader.ts';
import { findRelease } from '../store/releases/home.ts';
import { FILINGS } from '../store/schema/filings.ts';
import { SCREEN } from '../store/schema/screen.ts';

export { checkAgainstFile } from './check-against.ts';
export { compareReleases } from './compare-releases.ts';

export async function checkRelease(
  dataDirectory: string,
  stampName: string | null,
  onProgress: (done: number, total: number) => void,
): Promise<ReleaseCheck> {
  const { stamp, directory } = findRelease(dataDirectory, stampName);
  const release = openRelease(directory);
  try {
    const companies = await release.companies();
    const screenRowByCik = await readScreenRowsByCik(release);
    const hasFilingsTable = release.includes(FILINGS);
    const resultsOfCompanies = [];
    for (const [index, { cik, entityName }] of companies.entries()) {
      onProgress(index, companies.length);
      const values = await release.reportedValues(cik);
      const figures = deriveFigures(values, null);
      const filedAccessions = hasFilingsTable
        ? new Set((await release.rowsOf(FILINGS, cik)).map(({ accession }) => accession))
        : null;
      const identityResults = checkCompanyIdentities({
        cik,
        relations: evaluateRelations(values, figures),
        figures,
        screen: screenRowByCik.get(cik) ?? null,
        filings: filedAccessions,
      });
      resultsOfCompanies.push(
        identityResults.map((identityResult) => ({
          ...identityResult,
          worst: identityResult.worst.map((worstCase) => ({
            ...worstCase,
            subject: `${entityName} (CIK ${cik}): ${worstCase.subject}`,
          })),
        })),
      );
    }
    const identities = mergeResults(resultsOfCompanies).map((result) => ({
      ...result,
      passed: hasOnlyMarkedFailures(result),
    }));
    return { stamp, directory, companies: companies.length, identities, faults: findAnalyticsFaults(directory, stamp) };
  } finally {
    await release.close();
  }
}

async function readScreenRowsByCik(release: ReleaseReader) {
  const markColumns = release.includes(SCREEN, UNCONFIRMED_COLUMN) ? [UNCONFIRMED_COLUMN] : [];
  const { length, columns } = await release.screen(['cik', ...SCREEN_COLUMNS, ...markColumns]);
  const rows = Array.from({ length }, (_, row) =>
    Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, cells[row] ?? null])),
  );
  return new Map(rows.map((row) => [Number(row.cik), row]));
}
