/** The lists of filings and insider trades of a batch of companies, made where these are derived. */

import type { StatedFiling } from '../../../edgar/facts/company-facts.ts';
import type { PublicFiles } from '../../../edgar/files/public-files.ts';
import { SkippedRows } from '../../../edgar/files/skipped-rows.ts';
import type { FilingRecord } from '../../../edgar/filings/submissions.ts';
import { PERIOD_METRICS } from '../../../figures/filings/fiscal-focus.ts';
import { entryOf, pushTo } from '../../../figures/groups.ts';
import type { JudgedFiling } from '../../../figures/insiders/judge.ts';
import { closesNear } from '../../../figures/insiders/value-status.ts';
import type { ReportedValue } from '../../../figures/revisions/revision-chain.ts';
import type { FilingCount } from '../../schema/companies.ts';
import { FILING_DOCUMENTS, FILINGS, type FilingRow } from '../../schema/filings.ts';
import { INSIDER_FILINGS, INSIDER_FOOTNOTES, INSIDER_OWNERS, INSIDER_TRADES } from '../../schema/insiders.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import { filingsOf } from '../market/securities-index.ts';
import { documentRows, filingRows } from './company-filings.ts';
import { companyInsiders, insiderRows } from './company-insiders.ts';
import { linesByQuarter } from './filing-days.ts';
import { PlacePairs } from './filing-places.ts';
import { identifyForms } from './identify-forms.ts';
import { type CountedInsiders, countInsiders } from './insider-day-index.ts';
import type { OtherFilings } from './read-filings.ts';

/** What a company's lists are made of beside its own list of filings. */
export interface FilingSources extends OtherFilings {
  readonly cik: number;
  /** Filings of its tagged reports. */
  readonly reported: readonly StatedFiling[];
  /** The prices of its shares, where there are ownership filings. */
  readonly closes: readonly { readonly day: string; readonly price: string }[];
}

/** What reading a company's own files came to. */
export interface ReadFilings {
  /** Its own list. */
  readonly list: readonly FilingRecord[];
  /** Filings that its figures were read from and the list lacks. */
  readonly unlisted: readonly StatedFiling[];
  /** All of them, in the table's order. */
  readonly values: readonly ReportedValue[];
}

/** Bytes to be put at the end of a file that all batches share. */
export interface SpilledBytes {
  readonly folder: 'days' | 'places';
  readonly file: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface FilingLists {
  readonly parts: readonly TablePart[];
  readonly spilled: readonly SpilledBytes[];
  /** For the tables of insiders' days. */
  readonly insiders: readonly CountedInsiders[];
  readonly counts: FilingCounts;
  /** Whether filings were left out because they are later than the release. */
  readonly hasLater: boolean;
  readonly skipped: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** What the checks of filings count. */
export interface FilingCounts {
  readonly rows: number;
  readonly withTime: number;
  readonly oddHours: number;
  readonly insiderFilings: number;
  readonly trades: number;
  readonly undated: number;
}

interface ListOptions {
  /** The release's date. */
  readonly date: string;
  readonly withoutFootnotes: boolean;
}

/** EDGAR accepts filings from six to ten in New York; what is under way at ten still comes in. */
const OPENS = '06:00';
const CLOSES = '22:10';

/** Takes companies in order of cik. */
export class FilingListMaker {
  readonly #files: PublicFiles;
  readonly #options: ListOptions;
  readonly #sinks = {
    filings: new PartSink(FILINGS),
    documents: new PartSink(FILING_DOCUMENTS),
    insiderFilings: new PartSink(INSIDER_FILINGS),
    owners: new PartSink(INSIDER_OWNERS),
    trades: new PartSink(INSIDER_TRADES),
    footnotes: new PartSink(INSIDER_FOOTNOTES),
  };
  readonly #lines = new Map<number, string[]>();
  readonly #places = new PlacePairs();
  readonly #insiders: CountedInsiders[] = [];
  readonly #counts = { rows: 0, withTime: 0, oddHours: 0, insiderFilings: 0, trades: 0, undated: 0 };
  #hasLater = false;
  readonly #skipped = new SkippedRows();
  readonly #problems: string[] = [];
  readonly #lists = new Map<number, Promise<readonly FilingRecord[]>>();

  constructor(files: PublicFiles, options: ListOptions) {
    this.#files = files;
    this.#options = options;
  }

  /** Returns what a company's profile says of its filings. */
  async add(
    { cik, indexed, pages, owned, reported, closes }: FilingSources,
    { list, unlisted, values }: ReadFilings,
  ): Promise<FilingCount> {
    const { date, withoutFootnotes } = this.#options;
    const listOf = (other: number) => entryOf(this.#lists, other, () => filingsOf(this.#files, other));
    const ownership = await identifyForms(owned, list, listOf, ({ source }, reason) => {
      this.#skipped.add(reason);
      this.#problems.push(`${source}: ${reason}`);
    });
    const periodValues = values.filter(({ metricKey }) => PERIOD_METRICS.includes(metricKey));
    const stated = [...unlisted, ...reported];
    const rows = filingRows({ cik, list, indexed, pages, ownership, stated, values: periodValues, date });
    // The latest of the list is its first.
    const days = [...list.slice(0, 1), ...indexed, ...pages, ...owned.map(({ filing }) => filing), ...reported];
    this.#hasLater ||= days.some(({ filed }) => filed !== null && filed > date);
    const judged = companyInsiders(ownership, {
      closeOn: closesNear(closes),
      filed: new Map(ownership.length === 0 ? [] : rows.map((row) => [row.accession, row.filed])),
      date,
      withoutFootnotes,
    });
    this.#skipped.addAll(judged.skipped);
    const insiders = insiderRows(cik, judged.filings);
    const sinks = this.#sinks;
    sinks.filings.add(cik, rows);
    sinks.documents.add(
      cik,
      documentRows(pages).map((row) => ({ cik, ...row })),
    );
    sinks.insiderFilings.add(cik, insiders.filings);
    sinks.owners.add(cik, insiders.owners);
    sinks.trades.add(cik, insiders.trades);
    sinks.footnotes.add(cik, insiders.footnotes);
    const revenues = periodValues.filter(({ metricKey }) => metricKey === 'revenue');
    for (const [quarter, line] of linesByQuarter(rows, revenues)) pushTo(this.#lines, quarter, line);
    this.#places.add(cik, rows);
    this.#places.add(cik, insiders.filings);
    this.#count(rows, judged.filings);
    if (judged.filings.length > 0) this.#insiders.push(countInsiders(cik, judged.filings));
    return { filingCount: rows.length, latestFilingAt: rows[0]?.filed ?? null };
  }

  done(): FilingLists {
    const lines = [...this.#lines].map(([file, texts]) => ({ folder: 'days', file, bytes: bytesOf(texts) }) as const);
    const places = this.#places.done().map(([file, bytes]) => ({ folder: 'places', file, bytes }) as const);
    return {
      parts: Object.values(this.#sinks).map((sink) => sink.done()),
      spilled: [...lines, ...places],
      insiders: this.#insiders,
      counts: this.#counts,
      hasLater: this.#hasLater,
      skipped: this.#skipped.counts(),
      problems: this.#problems,
    };
  }

  #count(rows: readonly FilingRow[], insiders: readonly JudgedFiling[]): void {
    const counts = this.#counts;
    counts.rows += rows.length;
    for (const { acceptedAt } of rows) {
      if (acceptedAt === null) continue;
      counts.withTime += 1;
      const time = acceptedAt.slice(11, 16);
      if (time < OPENS || time > CLOSES) counts.oddHours += 1;
    }
    counts.insiderFilings += insiders.length;
    for (const { filed, trades } of insiders) {
      counts.trades += trades.length;
      if (filed === null) counts.undated += 1;
    }
  }
}

/** As bytes of their own, which move between threads without a copy. */
function bytesOf(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(texts.join(''));
}
