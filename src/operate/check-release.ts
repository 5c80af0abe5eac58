/**
 * Runs the consistency checks of `figures/checks` on a release, and verifies its typed tables.
 */
import { SCREEN_COLUMNS, UNCONFIRMED } from '../contract/screen-columns.ts';
import { findAnalyticsFaults } from '../export/analytics-manifest.ts';
import { checkCompanyIdentities, hasOnlyMarkedFailures, mergeResults } from '../figures/checks/identities.ts';
import { deriveFigures } from '../figures/derived/derive-figures.ts';
import { evaluateRelations } from '../figures/relations/relations.ts';
import { openRelease, type ReleaseReader } from '../store/reader.ts';
import { findRelease } from '../store/releases/home.ts';
import { FILINGS } from '../store/schema/filings.ts';
import { SCREEN } from '../store/schema/screen.ts';

export interface ReleaseCheck {
  readonly stamp: string;
  readonly directory: string;
  readonly companies: number;
  readonly identities: readonly CheckedIdentity[];
  /** Faults found in the files of the release's typed tables, one sentence each. */
  readonly faults: readonly string[];
}

/** A relation between figures, such as assets = liabilities + equity, and the cases in which it was checked. */
export interface CheckedIdentity {
  readonly name: string;
  /** `stated`: between amounts that filers state; `own`: between fin's own figures. */
  readonly kind: 'stated' | 'own';
  readonly checked: number;
  readonly broken: number;
  /** Number of broken cases whose figures every answer marks as unconfirmed. */
  readonly marked: number;
  /** Whether all broken cases are marked. */
  readonly passed: boolean;
  /**
   * Cases with the largest differences, those without a mark first. `off` is the difference beyond rounding, as a share
   * of the larger amount; `command` shows the figures.
   */
  readonly worst: readonly {
    readonly subject: string;
    readonly off: string;
    readonly marked: boolean;
    readonly command: string;
  }[];
}

/**
 * Checks a release's figures against each other. Throws a data Failure if the release is missing or damaged.
 * @param stampName a stamp, or an unambiguous prefix; null for the current release
 */
export async function checkRelease(
  data: string,
  stampName: string | null,
  onProgress: (done: number, total: number) => void,
): Promise<ReleaseCheck> {
  const { stamp, directory } = findRelease(data, stampName);
  const release = openRelease(directory);
  try {
    const companies = await release.companies();
    const screenRows = await readScreenRowsByCik(release);
    const hasFilings = release.includes(FILINGS);
    const results = [];
    for (const [index, { cik, entityName }] of companies.entries()) {
      onProgress(index, companies.length);
      const values = await release.reportedValues(cik);
      const figures = deriveFigures(values, null, await release.splits(cik));
      const filings = hasFilings
        ? new Set((await release.rowsOf(FILINGS, cik)).map(({ accession }) => accession))
        : null;
      const relations = evaluateRelations(values, figures);
      const screen = screenRows.get(cik) ?? null;
      const checked = checkCompanyIdentities({ cik, relations, figures, screen, filings });
      results.push(
        checked.map((result) => ({
          ...result,
          worst: result.worst.map((item) => ({ ...item, subject: `${entityName} (CIK ${cik}): ${item.subject}` })),
        })),
      );
    }
    const identities = mergeResults(results).map((result) => ({ ...result, passed: hasOnlyMarkedFailures(result) }));
    return { stamp, directory, companies: companies.length, identities, faults: findAnalyticsFaults(directory, stamp) };
  } finally {
    await release.close();
  }
}

async function readScreenRowsByCik(release: ReleaseReader) {
  const marks = release.includes(SCREEN, UNCONFIRMED) ? [UNCONFIRMED] : [];
  const { length, columns } = await release.screen(['cik', ...SCREEN_COLUMNS, ...marks]);
  const rows = Array.from({ length }, (_, row) =>
    Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, cells[row] ?? null])),
  );
  return new Map(rows.map((row) => [Number(row.cik), row]));
}
