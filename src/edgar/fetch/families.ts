/**
 * The families of files that are not of one company: quarterly and half-monthly data sets. Each is named by periods, the
 * newest first; the newest may not be published yet, so a period that is absent is skipped.
 */
import type { RemoteFile, Site } from './site.ts';

export interface FileFamily {
  /** The option's name. */
  readonly name: string;
  /** Where its files are below the sources. */
  readonly folder: string;
  /** The newest period that can exist: 0 is the current one. */
  readonly first: 0 | 1;
  /** How many more of the newest may not be published yet. */
  readonly lag: number;
  /** The file of the period so many before the one that `today` is in; null where there was none yet. */
  fileOf(site: Site, today: Date, back: number): RemoteFile | null;
}

const MIB = 1024 * 1024;

export const FAMILIES: readonly FileFamily[] = [
  {
    name: 'insiders',
    folder: 'insiders',
    first: 1,
    lag: 1,
    fileOf: (site, today, back) => {
      const { year, quarter } = quarterOf(today, back);
      if (year < 2006) return null;
      const name = `${year}q${quarter}_form345.zip`;
      const folder = `${site.files}/files/structureddata/data/insider-transactions-data-sets`;
      return { url: `${folder}/${name}`, file: `insiders/${name}`, kind: 'zip', maxBytes: 256 * MIB };
    },
  },
  {
    name: 'holders',
    folder: 'holders',
    first: 1,
    lag: 1,
    fileOf: (site, today, back) => {
      const window = holdingsWindow(today, back);
      if (window === null) return null;
      const name = `${window}_form13f.zip`;
      const folder = `${site.files}/files/structureddata/data/form-13f-data-sets`;
      return { url: `${folder}/${name}`, file: `holders/${name}`, kind: 'zip', maxBytes: 1024 * MIB };
    },
  },
  {
    name: 'fails',
    folder: 'fails',
    first: 1,
    lag: 2,
    fileOf: (site, today, back) => {
      const { month, half } = halfMonthOf(today, back);
      // Until mid 2009 they came by quarters, under other names.
      if (month < '200907') return null;
      const name = `cnsfails${month}${half}.zip`;
      const url = `${site.files}/files/data/fails-deliver-data/${name}`;
      return { url, file: `fails/${name}`, kind: 'zip', maxBytes: 64 * MIB };
    },
  },
  {
    name: 'funds',
    folder: 'funds',
    first: 1,
    lag: 1,
    fileOf: (site, today, back) => {
      const { year, quarter } = quarterOf(today, back);
      if (year < 2019 || (year === 2019 && quarter < 4)) return null;
      const name = `${year}q${quarter}_nport.zip`;
      const url = `${site.files}/files/dera/data/form-n-port-data-sets/${name}`;
      return { url, file: `funds/${name}`, kind: 'zip', maxBytes: 2048 * MIB };
    },
  },
  {
    name: 'indexes',
    folder: 'index',
    first: 0,
    lag: 1,
    fileOf: (site, today, back) => {
      const { year, quarter } = quarterOf(today, back);
      if (year < 1994) return null;
      const url = `${site.files}/Archives/edgar/full-index/${year}/QTR${quarter}/master.idx`;
      return { url, file: `index/master.${year}q${quarter}.idx`, kind: 'text', maxBytes: 256 * MIB };
    },
  },
];

function quarterOf(today: Date, back: number): { year: number; quarter: number } {
  const index = today.getUTCFullYear() * 4 + Math.floor(today.getUTCMonth() / 3) - back;
  return { year: Math.floor(index / 4), quarter: (index % 4) + 1 };
}

function halfMonthOf(today: Date, back: number): { month: string; half: 'a' | 'b' } {
  const index = (today.getUTCFullYear() * 12 + today.getUTCMonth()) * 2 + (today.getUTCDate() > 15 ? 1 : 0) - back;
  const months = Math.floor(index / 2);
  const month = `${Math.floor(months / 12)}${String((months % 12) + 1).padStart(2, '0')}`;
  return { month, half: index % 2 === 0 ? 'a' : 'b' };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Sets of Form 13F came by calendar quarters until the end of 2023; since then they end with the months in which
 * hardly anybody files, February, May, August and November: `01dec2024-28feb2025`. The first has two months only.
 */
function holdingsWindow(today: Date, back: number): string | null {
  // Windows by the month in which they begin, counted from December 2023, which would have begun the first.
  const first = 2023 * 12 + 11;
  const index = Math.floor((today.getUTCFullYear() * 12 + today.getUTCMonth() - first) / 3) - back;
  if (index < 0) {
    const quarters = 2023 * 4 + 3 + index + 1;
    return quarters < 2013 * 4 + 1 ? null : `${Math.floor(quarters / 4)}q${(quarters % 4) + 1}`;
  }
  const begins = index === 0 ? first + 1 : first + 3 * index;
  const ends = first + 3 * index + 2;
  const [year, month] = [Math.floor(ends / 12), ends % 12];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return `01${MONTHS[begins % 12]}${Math.floor(begins / 12)}-${lastDay}${MONTHS[month]}${year}`;
}
