/** Figures that follow from others of the same filing's arithmetic: free cash flow, and totals a company leaves out. */
import { entryOf } from '../groups.ts';
import type { Figure } from './figure.ts';
import { combine, DERIVED_CONFIDENCE } from './figure.ts';
import { metricOf } from './metric-rules.ts';

export interface Identity {
  readonly metricKey: string;
  readonly formula: string;
  /** The figure it gives for the period of `of`, or null where an input is missing. */
  readonly anchor: string;
  /** The other figures it may be reckoned with. */
  readonly others: readonly string[];
  derive(anchor: Figure, at: (metricKey: string) => Figure | null): Figure | null;
}

export const IDENTITIES: readonly Identity[] = [
  {
    metricKey: 'free_cash_flow',
    formula: 'operating_cash_flow - capital_expenditures',
    anchor: 'operating_cash_flow',
    others: ['capital_expenditures'],
    derive: (flow, at) => difference('free_cash_flow', flow, at('capital_expenditures'), '1'),
  },
  {
    metricKey: 'gross_profit',
    formula: 'revenue - cost_of_revenue, where no filing states it',
    anchor: 'revenue',
    others: ['cost_of_revenue'],
    derive: (revenue, at) => {
      const cost = at('cost_of_revenue');
      // Of two filings, one may have moved costs between lines.
      return cost !== null && sameFilings(revenue, cost)
        ? difference('gross_profit', revenue, cost, DERIVED_CONFIDENCE.identity)
        : null;
    },
  },
  {
    metricKey: 'liabilities',
    formula: 'assets - equity with noncontrolling interests - temporary equity, where no filing states it',
    anchor: 'assets',
    others: ['total_equity', 'stockholders_equity', 'temporary_equity'],
    derive: (assets, at) => {
      const equity = at('total_equity') ?? at('stockholders_equity');
      if (equity === null) return null;
      const temporary = at('temporary_equity');
      const identity = { ...assets, metricKey: 'liabilities' };
      return combine(
        identity,
        [assets],
        temporary === null ? [equity] : [equity, temporary],
        DERIVED_CONFIDENCE.identity,
      );
    },
  },
];

/** What a figure may follow from where no filing states it; nothing where only filings can. */
export function inputsOf(metricKey: string): string[] {
  const identity = IDENTITIES.find((candidate) => candidate.metricKey === metricKey);
  return identity === undefined ? [] : [identity.anchor, ...identity.others];
}

/** Metrics that some identity asks for; no other figure need be looked up by its period. */
const CONCERNED: ReadonlySet<string> = new Set(
  IDENTITIES.flatMap(({ metricKey, anchor, others }) => [metricKey, anchor, ...others]),
);

/** Every derived figure that is not on file itself. */
export function deriveIdentities(figures: readonly Figure[]): Figure[] {
  const periods = new Map<string, Map<string, Figure>>();
  const anchors: { figure: Figure; identity: Identity; period: ReadonlyMap<string, Figure> }[] = [];
  for (const figure of figures) {
    if (!CONCERNED.has(figure.metricKey)) continue;
    const key = `${figure.unit} ${figure.start} ${figure.end}`;
    const period = entryOf(periods, key, () => new Map<string, Figure>());
    period.set(figure.metricKey, figure);
    for (const identity of IDENTITIES)
      if (identity.anchor === figure.metricKey) anchors.push({ figure, identity, period });
  }
  return anchors.flatMap(({ figure, identity, period }) => {
    const at = (metricKey: string) => period.get(metricKey) ?? null;
    return at(identity.metricKey) === null ? (identity.derive(figure, at) ?? []) : [];
  });
}

function difference(metricKey: string, whole: Figure, part: Figure | null, atMost: string): Figure | null {
  return part === null || metricOf(metricKey) === null
    ? null
    : combine({ ...whole, metricKey }, [whole], [part], atMost);
}

function sameFilings(a: Figure, b: Figure): boolean {
  const filings = (figure: Figure) => new Set(figure.terms.map(({ source }) => source.reported.accession));
  const [left, right] = [filings(a), filings(b)];
  return left.size === right.size && [...left].every((accession) => right.has(accession));
}
