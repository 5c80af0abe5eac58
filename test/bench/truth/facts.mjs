/** Reads the facts of companies from a zip file of company facts, with every digit as filed. */
import { readTexts } from '../read-zip.mjs';
import { Exact } from './sums.mjs';

const DAY_MS = 86_400_000;
/** Maximum number of days by which filings state the dates of one period differently. */
const MAX_DATE_GAP_DAYS = 9;
const MIN_AND_MAX_DAYS_BY_KIND = { quarter: [75, 125], half: [160, 205], nine_month: [250, 295], annual: [340, 385] };

/** Yields `{ cik, name, facts }` of each company in the zip file, with the facts of the given us-gaap concepts in dollars or shares. */
export async function* readCompanies(zipPath, concepts) {
  for await (const { text } of readTexts(zipPath)) {
    // JSON.parse would read amounts as floating-point numbers.
    const json = JSON.parse(text.replaceAll(/"val":\s*(-?[\d.eE+-]+)/g, '"val":"$1"'));
    yield { cik: Number(json.cik), name: json.entityName, facts: [...listFacts(json, concepts)] };
  }
}

function* listFacts(json, concepts) {
  for (const concept of concepts) {
    for (const [unit, facts] of Object.entries(json.facts['us-gaap']?.[concept]?.units ?? {})) {
      if (!['USD', 'USD/shares', 'shares'].includes(unit)) continue;
      for (const { start = null, end, val, accn, form, filed } of facts) {
        if (end <= filed)
          yield { concept, unit, start, end, kind: kindOf(start, end), value: new Exact(val), accn, form, filed };
      }
    }
  }
}

function daysBetween(from, to) {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

export function kindOf(start, end) {
  if (start === null) return 'instant';
  const days = daysBetween(start, end) + 1;
  const kinds = Object.entries(MIN_AND_MAX_DAYS_BY_KIND);
  return kinds.find(([, [min, max]]) => days >= min && days <= max)?.[0] ?? 'other';
}

export function isSamePeriod(one, other) {
  const isNear = (a, b) => Math.abs(daysBetween(a, b)) <= MAX_DATE_GAP_DAYS;
  return (
    one.kind === other.kind && isNear(one.end, other.end) && (one.start === null || isNear(one.start, other.start))
  );
}

const isAnnualForm = ({ form }) => /^(10-K|20-F|40-F)/.test(form);
const isQuarterlyForm = ({ form }) => /^10-Q/.test(form);

/**
 * Groups facts by period and filing, and keeps all fiscal years and what is stated of the last quarters.
 *
 * @returns `[{ kind, start, end, filings }]`; each filing is `{ accn, form, filed, amounts }` in filing order, with amounts by concept
 */
export function listPeriods(facts, quarterCount) {
  const periods = groupByPeriod(facts);
  const years = listFiscalYears(periods);
  const quarterEnds = listQuarterEnds(facts, years).slice(0, quarterCount);
  const endsNear = (ends, end) => ends.some((other) => Math.abs(daysBetween(other, end)) <= MAX_DATE_GAP_DAYS);
  const isWanted = (period) => {
    if (period.kind === 'annual') return years.includes(period);
    if (period.kind === 'instant') return endsNear([...years.map(({ end }) => end), ...quarterEnds], period.end);
    return period.kind !== 'other' && endsNear(quarterEnds, period.end);
  };
  return periods.filter(isWanted);
}

/** The dates of a period are those that most facts have. */
function groupByPeriod(facts) {
  const byDates = groupBy(facts, ({ start, end }) => `${start} ${end}`);
  const periods = [];
  const byKind = new Map();
  for (const group of [...byDates.values()].sort((a, b) => b.length - a.length)) {
    const { kind, start, end } = group[0];
    const ofKind = byKind.get(kind) ?? [];
    byKind.set(kind, ofKind);
    let period = ofKind.find((other) => isSamePeriod(other, group[0]));
    if (period === undefined) {
      period = { kind, start, end, facts: [] };
      ofKind.push(period);
      periods.push(period);
    }
    period.facts.push(...group);
  }
  return periods.map(({ facts: ofPeriod, ...period }) => ({ ...period, filings: groupByFiling(ofPeriod, period) }));
}

/** A filing that has facts of exactly these dates may also have opening balances of the next day, which are not of this period. */
function groupByFiling(facts, { start, end }) {
  const filings = [...groupBy(facts, ({ accn }) => accn).values()].map((group) => {
    const exact = group.filter((fact) => fact.start === start && fact.end === end);
    const amounts = new Map((exact.length > 0 ? exact : group).map(({ concept, value }) => [concept, value]));
    const { accn, form, filed } = group[0];
    return { accn, form, filed, amounts };
  });
  return filings.sort((a, b) => compareText(a.filed, b.filed) || compareText(a.accn, b.accn));
}

export function groupBy(items, getKey) {
  const groups = new Map();
  for (const item of items) {
    const key = getKey(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

const compareText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Fiscal years are the newest years of annual reports, and the years that end where a fiscal year begins. */
function listFiscalYears(periods) {
  const annual = periods.filter(({ kind }) => kind === 'annual').sort((a, b) => compareText(b.end, a.end));
  const newest = new Map();
  for (const year of annual) {
    for (const { accn } of year.filings.filter(isAnnualForm)) if (!newest.has(accn)) newest.set(accn, year);
  }
  const years = new Set(newest.values());
  for (const year of annual) {
    const follows = [...years].some(({ start }) => Math.abs(daysBetween(year.end, start) - 1) <= MAX_DATE_GAP_DAYS);
    if (follows) years.add(year);
  }
  return [...years];
}

/** Ends of the quarters of quarterly reports and of fiscal years, newest first. */
function listQuarterEnds(facts, years) {
  const newest = new Map();
  for (const fact of facts) {
    if (fact.kind !== 'quarter' || !isQuarterlyForm(fact)) continue;
    const { accn, end } = fact;
    if (!newest.has(accn) || end > newest.get(accn)) newest.set(accn, end);
  }
  const ends = [];
  for (const end of [...newest.values(), ...years.map((year) => year.end)].sort().reverse()) {
    if (!ends.some((other) => Math.abs(daysBetween(other, end)) <= MAX_DATE_GAP_DAYS)) ends.push(end);
  }
  return ends;
}
