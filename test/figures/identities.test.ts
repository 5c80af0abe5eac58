/** What must hold between the figures that one filing reports for one period, over every company. */
import { expect } from 'vitest';
import { absolute, add, divide, multiply, subtract } from '../../src/contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../src/contract/decimal-text.ts';
import { readCompanyFacts } from '../../src/edgar/facts/company-facts.ts';
import { openPublicFiles } from '../../src/edgar/files/public-files.ts';
import { readSubmissions } from '../../src/edgar/filings/submissions.ts';
import { deriveCompany } from '../../src/figures/company.ts';
import { figuresOf } from '../../src/figures/figure-values.ts';
import type { Figure } from '../../src/figures/metrics/figure.ts';
import { publicFile, testOn } from '../public-files.ts';

type AmountOf = (metricKey: string) => Decimal | null;

interface Identity {
  readonly name: string;
  /** How far the figures are from it, zero or below where they keep it; null where they do not all stand. */
  readonly excess: (amount: AmountOf) => Decimal | null;
  /** How many are known to break it; lowered where a rule makes it fewer, never raised. */
  readonly known: number;
}

/** Statements in millions round each line. */
const TOLERANCE = '0.01';

const noMoreThan =
  (part: string, total: string): Identity['excess'] =>
  (amount) => {
    const [a, b] = [amount(part), amount(total)];
    return a === null || b === null ? null : subtract(a, b);
  };

const IDENTITIES: readonly Identity[] = [
  {
    name: 'gross profit = revenue - cost of revenue',
    excess: (amount) => {
      const [profit, revenue, cost] = [amount('gross_profit'), amount('revenue'), amount('cost_of_revenue')];
      if (profit === null || revenue === null || cost === null) return null;
      return beyond(absolute(subtract(profit, subtract(revenue, cost))), revenue);
    },
    known: 0,
  },
  {
    name: 'assets = liabilities + equity + temporary equity',
    excess: (amount) => {
      const [assets, liabilities, equity] = [amount('assets'), amount('liabilities'), amount('total_equity')];
      if (assets === null || liabilities === null || equity === null) return null;
      const claims = add(add(liabilities, equity), amount('temporary_equity') ?? '0');
      return beyond(absolute(subtract(assets, claims)), assets);
    },
    known: 0,
  },
  { name: 'current assets <= assets', excess: noMoreThan('current_assets', 'assets'), known: 0 },
  { name: 'cash <= assets', excess: noMoreThan('cash_and_equivalents', 'assets'), known: 0 },
  { name: 'current liabilities <= liabilities', excess: noMoreThan('current_liabilities', 'liabilities'), known: 0 },
  { name: 'gross profit <= revenue', excess: noMoreThan('gross_profit', 'revenue'), known: 0 },
  { name: 'operating income <= revenue', excess: noMoreThan('operating_income', 'revenue'), known: 0 },
  {
    name: 'depreciation <= depreciation and amortization',
    excess: noMoreThan('depreciation', 'depreciation_and_amortization'),
    known: 0,
  },
];

function beyond(difference: Decimal, of: Decimal): Decimal {
  return subtract(difference, multiply(absolute(of), TOLERANCE));
}

/** The figures that one filing reports for one period, by metric. */
function statementsOf(figures: readonly Figure[]): Map<string, Map<string, Figure>> {
  const statements = new Map<string, Map<string, Figure>>();
  for (const figure of figures) {
    const [term] = figure.terms;
    if (figure.derived || term === undefined) continue;
    const key = `${term.source.reported.accession} ${figure.unit} ${figure.start} ${figure.end}`;
    const statement = statements.get(key) ?? new Map<string, Figure>();
    statements.set(key, statement.set(figure.metricKey, figure));
  }
  return statements;
}

testOn('companyfacts.zip', 'figures of one filing and period agree with each other', async () => {
  const source = await openPublicFiles(publicFile(''));
  const results = IDENTITIES.map((identity) => ({
    identity,
    checked: 0,
    broken: [] as { name: string; share: Decimal }[],
  }));
  for (const cik of source.factCiks) {
    const { facts } = readCompanyFacts((await source.facts(cik)) ?? Buffer.alloc(0));
    const { main, pages } = await source.submissions(cik);
    const company = deriveCompany(facts, readSubmissions(main, pages).filings, { releaseDate: '2026-08-20' });
    for (const [key, statement] of statementsOf(figuresOf(company.reportedValues, null))) {
      const amount: AmountOf = (metricKey) => statement.get(metricKey)?.value ?? null;
      for (const result of results) {
        const excess = result.identity.excess(amount);
        if (excess === null) continue;
        result.checked++;
        if (compareDecimals(excess, '0') <= 0) continue;
        const of = absolute(amount('assets') ?? amount('revenue') ?? amount('depreciation_and_amortization') ?? '1');
        result.broken.push({ name: `CIK ${cik} ${key}`, share: divide(excess, of) ?? excess });
      }
    }
  }
  source.close();
  console.table(
    Object.fromEntries(
      results.map(({ identity, checked, broken }) => [identity.name, { checked, broken: broken.length }]),
    ),
  );
  for (const { identity, broken } of results) {
    const worst = broken.sort((a, b) => compareDecimals(b.share, a.share)).slice(0, 3);
    for (const { name, share } of worst) console.log(`${identity.name}: ${name}, ${share} off`);
    expect.soft(broken.length, identity.name).toBeLessThanOrEqual(identity.known);
  }
  for (const { identity, checked } of results) expect(checked, identity.name).toBeGreaterThan(0);
});
