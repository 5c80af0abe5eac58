/** `/v1/securities/{ticker}/holders`: who holds a company, beside what they held a quarter earlier. */

import { add } from '../../../contract/decimal.ts';
import type { Decimal } from '../../../contract/decimal-text.ts';
import { compareDecimals } from '../../../contract/decimal-text.ts';
import type { SecurityHolder, SecurityHolders } from '../../../contract/resources/holders.ts';
import { quarterBefore, reportedQuarter } from '../../../figures/holders/quarters.ts';
import { SECURITY_HOLDERS, type SecurityHolderRow } from '../../../release/schema/holders.ts';
import type { Handler } from '../../handler.ts';
import { coveredSecurity } from '../covered-security.ts';
import { requireTable } from '../included-tables.ts';

export const holders: Handler<'holders'> = async ({ release, parameters }) => {
  const { security, company } = await coveredSecurity(release, parameters.ticker);
  const { date, publishedAt } = release.manifest;
  requireTable(release, SECURITY_HOLDERS, 'Holders');
  const rows = await release.rowsOf(SECURITY_HOLDERS, company.cik);
  const period = rows.reduce<string | null>(
    (last, row) => (last === null || row.period > last ? row.period : last),
    null,
  );
  const shown = period ?? reportedQuarter(date);
  // Notes have no ticker of their own: they stand with the company's first.
  const own = rows.filter(
    ({ tickerNormalized }) =>
      tickerNormalized === security.tickerNormalized || (tickerNormalized === '' && security.isPrimary),
  );
  const prior = quarterBefore(shown);
  const now = own.filter((row) => row.period === shown).sort((a, b) => compareDecimals(b.value, a.value));
  const before = own.filter((row) => row.period === prior);
  const offset = parameters.offset;
  const data: SecurityHolders = {
    cik: company.cik,
    ticker: security.ticker,
    entity_name: company.entityName,
    period: shown,
    ...totals(now, before, prior),
    rows: now.slice(offset, offset + parameters.limit).map((row) => rowOf(row, before)),
    rows_total: now.length,
    updated_at: publishedAt,
  };
  return { data, meta: { ticker: security.ticker } };
};

/** Of shares only: principal is no count of them. */
function totals(now: readonly SecurityHolderRow[], before: readonly SecurityHolderRow[], prior: string) {
  const [held, heldBefore] = [now.filter(isShares), before.filter(isShares)];
  const [managers, managersBefore] = [managersOf(held), managersOf(heldBefore)];
  // Whether the quarter before is on record: somebody's report for it is.
  const known = before.length > 0 || now.some(({ priorKnown }) => priorKnown);
  const opened = held.filter(({ priorKnown, holderCik }) => priorKnown && !managersBefore.has(holderCik));
  const closed = heldBefore.filter(({ nextKnown, holderCik }) => nextKnown && !managers.has(holderCik));
  return {
    holders: managers.size,
    amount_held: sum(held.map(({ amount }) => amount)),
    value_held: sum(held.map(({ value }) => value)),
    opened: known ? managersOf(opened).size : null,
    closed: known ? managersOf(closed).size : null,
    prior_amount_held: known ? sum(heldBefore.map(({ amount }) => amount)) : null,
    prior_holders: known ? managersBefore.size : null,
    prior_period: known ? prior : null,
  };
}

function rowOf(row: SecurityHolderRow, before: readonly SecurityHolderRow[]): SecurityHolder {
  const prior = before.find(
    (other) =>
      other.holderCik === row.holderCik &&
      other.amountType === row.amountType &&
      other.tickerNormalized === row.tickerNormalized,
  );
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
const sum = (values: readonly Decimal[]): Decimal => values.reduce((total, value) => add(total, value), '0');
