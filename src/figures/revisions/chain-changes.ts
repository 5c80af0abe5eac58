/** Finds what changed in a company's reported values between two releases. */
import { compareText } from '../../contract/compare-text.ts';
import { type Decimal, isEqual } from '../../contract/decimal-text.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { type FigureKey, type ReportedValue, selectValueAsOf, splitIntoChains } from './revision-chain.ts';

/** A figure whose current value changed, or that no longer has a current value. */
interface FigureChange extends FigureKey {
  /**
   * `re_expressed`: the same value in new shares after a split. `withdrawn`: the new release has no current value, for
   * example because a filing shows all reported values to be wrong.
   */
  readonly change: 'revised' | 're_expressed' | 'withdrawn';
  readonly before: Decimal;
  /** The new current value; null for a withdrawn figure. */
  readonly after: Decimal | null;
  /** The reported value that supplies the figure in the new release; for a withdrawn figure, in the earlier release. */
  readonly source: ReportedValue;
}

/** A filing of which the earlier release contains no reported value. */
interface NewReport extends Pick<ReportedValue, 'accession' | 'form' | 'filed'> {
  /** Number of figures that this filing reports first. */
  readonly figures: number;
}

interface ChainChanges {
  /** New filings, in filing order. */
  readonly reports: readonly NewReport[];
  /** Changed figures, in the order of the chains. */
  readonly figures: readonly FigureChange[];
}

/** Compares two lists of a company's reported values, each sorted by `compareByFigureAndRank`. */
export function compareChains(before: readonly ReportedValue[], after: readonly ReportedValue[]): ChainChanges {
  const newChainByKey = new Map(splitIntoChains(after).map((chain) => [makeChainKey(chain), chain]));
  const figureChanges = splitIntoChains(before).flatMap((chain) =>
    findFigureChanges(chain, newChainByKey.get(makeChainKey(chain)) ?? []),
  );
  return { reports: findNewReports(before, after), figures: figureChanges };
}

const makeChainKey = ([firstValue]: readonly ReportedValue[]): string =>
  firstValue === undefined ? '' : `${firstValue.metricKey} ${firstValue.unit} ${firstValue.start} ${firstValue.end}`;

function findFigureChanges(before: readonly ReportedValue[], after: readonly ReportedValue[]): FigureChange[] {
  const previousValue = selectValueAsOf(before, null)?.reported;
  if (previousValue === undefined) return [];
  const newValue = selectValueAsOf(after, null)?.reported;
  const { metricKey, unit, start, end, value } = previousValue;
  const commonFields = { metricKey, unit, start, end, before: value };
  if (newValue === undefined) return [{ ...commonFields, change: 'withdrawn', after: null, source: previousValue }];
  if (isEqual(value, newValue.value)) return [];
  const change = newValue.kind === 're_expressed' ? newValue.kind : 'revised';
  return [{ ...commonFields, change, after: newValue.value, source: newValue }];
}

function findNewReports(before: readonly ReportedValue[], after: readonly ReportedValue[]): NewReport[] {
  const earlierAccessions = new Set(before.map(({ accession }) => accession));
  const reports = new Map<string, { accession: string; form: string; filed: string; figures: number }>();
  for (const { accession, form, filed, rank } of after) {
    if (earlierAccessions.has(accession)) continue;
    const report = getOrInsert(reports, accession, () => ({ accession, form, filed, figures: 0 }));
    if (rank === 1) report.figures += 1;
  }
  return [...reports.values()].sort((a, b) => compareText(a.filed, b.filed));
}
