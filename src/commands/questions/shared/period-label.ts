/** What a period is called: FY2024, Q3 2025, or its days where it has no fiscal name. */

export interface Period {
  readonly fiscal_year?: number | null;
  readonly fiscal_period?: string | null;
  readonly start_date?: string | null;
  readonly end_date: string;
}

export function periodLabel(period: Period): string {
  return fiscalLabel(period) ?? period.end_date;
}

export function fiscalLabel({ fiscal_year: year, fiscal_period: part }: Period): string | null {
  if (year == null || part == null) return null;
  return part === 'FY' ? `FY${year}` : `${part} ${year}`;
}

export function periodDays({ start_date: start, end_date: end }: Period): string {
  return start == null ? end : `${start} to ${end}`;
}
