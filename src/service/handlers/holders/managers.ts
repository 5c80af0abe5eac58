/** `/v1/holders`: managers by name, or the largest by the value of their latest report. */
import { compareDecimals } from '../../../contract/decimal-text.ts';
import { nameWords } from '../../../contract/identifiers.ts';
import type { HolderHit } from '../../../contract/resources/holders.ts';
import { HOLDER_REPORTS, type HolderReportRow } from '../../../release/schema/holders.ts';

import type { ReleaseIdentity, ReleaseReader } from '../../../release/store/reader.ts';
import type { Handler } from '../../handler.ts';
import { requireTable } from '../included-tables.ts';
import { isNamed } from '../listings.ts';

/** Each manager's latest report, the largest first; computed once for a release. */
const latestReports = new WeakMap<ReleaseIdentity, readonly HolderReportRow[]>();

export const managers: Handler<'managers'> = async ({ release, parameters }) => {
  requireTable(release, HOLDER_REPORTS, 'Holders');
  const words = parameters.query === undefined ? [] : nameWords(parameters.query);
  const all = await latestOf(release);
  const matching = words.length === 0 ? all : all.filter(({ name }) => isNamed(name, words));
  return {
    data: matching.slice(0, parameters.limit).map(hitOf),
    meta: { total: matching.length },
  };
};

async function latestOf(release: ReleaseReader): Promise<readonly HolderReportRow[]> {
  const known = latestReports.get(release.manifest);
  if (known !== undefined) return known;
  // Only the result is shared: a read that is under way ends with the request that began it.
  const rows = await release.allOf(HOLDER_REPORTS);
  // A manager's quarters come in order, so the map keeps the last.
  const latest = [...new Map(rows.map((row) => [row.holderCik, row])).values()].sort(
    (a, b) => compareDecimals(b.valueTotal, a.valueTotal) || a.holderCik - b.holderCik,
  );
  latestReports.set(release.manifest, latest);
  return latest;
}

function hitOf({ holderCik, name, period, positions, valueTotal }: HolderReportRow): HolderHit {
  return { cik: holderCik, name, latest_period: period, latest_positions: positions, latest_value: valueTotal };
}
