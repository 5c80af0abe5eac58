/** `/v1/securities/{ticker}/holders`: the institutional managers that hold a company, with what they held a quarter earlier. */
import { sum } from '../../../contract/decimal.ts';
import { compareDecimals } from '../../../contract/decimal-text.ts';
import type { SecurityHolder, SecurityHolders } from '../../../contract/resources/holders.ts';
import { quarterBefore, reportedQuarter } from '../../../figures/holders/quarters.ts';
import { SECURITY_HOLDERS, type SecurityHolderRow } from '../../../release/schema/holders.ts';
import type { Handler } from '../../handler.ts';
import { coveredSecurity } from '../covered-security.ts';
import { requireTable } from '../included-tables.ts';

export const holders: Handler<'holders'> = async ({ release, parameters }) => {
  const { security, company } = await coveredSecurity(release, parameters.ticker);
  const { limit, offset } = parameters;
  const { date, publishedAt } = release.manifest;
  requireTable(release, SECURITY_HOLDERS, 'Holders');
  const rows = await release.rowsOf(SECURITY_HOLDERS, company.cik);
  const period = rows.reduce<string | null>(
    (last, row) => (last === null || row.period > last ? row.period : last),
    null,
  );
  const quarter = period ?? reportedQuarter(date);
  // Notes have no ticker of their own: they are listed with the company's primary one.
  const own = rows.filter(
    ({ tickerNormalized }) =>
      tickerNormalized === security.tickerNormalized || (tickerNormalized === '' && security.isPrimary),
  );
  const prior = quarterBefore(quarter);
  const now = own.filter((row) => row.period === quarter).sort((a, b) => compareDecimals(b.value, a.value));
  const before = own.filter((row) => row.period === prior);
  const shown = now.slice(offset, offset + limit);
  const managers = managersOf(shown);
  const earlier = firstByPosition(before.filter(({ holderCik }) => managers.has(holderCik)));
  const data: SecurityHolders = {
    cik: company.cik,
    ticker: security.ticker,
    entity_name: company.entityName,
    period: quarter,
    ...totals(now, before, prior),
    rows: shown.map((row) => rowOf(row, earlier.get(positionKey(row)) ?? null)),
    rows_total: now.length,
    updated_at: publishedAt,
  };
  return { data, meta: { ticker: security.ticker } };
};

/** Of shares only: the principal of notes is not a number of shares. */
function totals(now: readonly SecurityHolderRow[], before: readonly SecurityHolderRow[], prior: string) {
  const [shares, sharesBefore] = [now.filter(isShares), before.filter(isShares)];
  const [managers, managersBefore] = [managersOf(shares), managersOf(sharesBefore)];
  // The quarter before is known as soon as one report for it is.
  const known = before.length > 0 || now.some(({ priorKnown }) => priorKnown);
  const opened = shares.filter(({ priorKnown, holderCik }) => priorKnown && !managersBefore.has(holderCik));
  const closed = sharesBefore.filter(({ nextKnown, holderCik }) => nextKnown && !managers.has(holderCik));
  return {
    holders: managers.size,
    amount_held: sum(shares.map(({ amount }) => amount)),
    value_held: sum(shares.map(({ value }) => value)),
    opened: known ? managersOf(opened).size : null,
    closed: known ? managersOf(closed).size : null,
    prior_amount_held: known ? sum(sharesBefore.map(({ amount }) => amount)) : null,
    prior_holders: known ? managersBefore.size : null,
    prior_period: known ? prior : null,
  };
}

/** What a position of two quarters has in common. */
const positionKey = ({ holderCik, amountType, tickerNormalized }: SecurityHolderRow): string =>
  `${holderCik} ${amountType} ${tickerNormalized}`;

function firstByPosition(rows: readonly SecurityHolderRow[]): ReadonlyMap<string, SecurityHolderRow> {
  const first = new Map<string, SecurityHolderRow>();
  for (const row of rows) {
    const key = positionKey(row);
    if (!first.has(key)) first.set(key, row);
  }
  return first;
}

function rowOf(row: SecurityHolderRow, prior: SecurityHolderRow | null): SecurityHolder {
  return {
    holder_cik: row.holderCik,
    holder_name: row.holderName,
    accession_number: row.accession,
    filed_at: row.filed,
    amount: row.amount,
    amount_type: row.amountType,
    value: row.value,
    prior_known: row.priorKnown,
    prior_amount: prior?.amount ?? null,
    prior_value: prior?.value ?? null,
    weight: row.weight,
  };
}

const isShares = ({ amountType }: SecurityHolderRow): boolean => amountType === 'SH';
const managersOf = (rows: readonly SecurityHolderRow[]): ReadonlySet<number> =>
  new Set(rows.map((row) => row.holderCik));
