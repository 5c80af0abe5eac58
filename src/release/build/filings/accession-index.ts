import { accessionKey, FILING_PLACES } from '../../schema/filings.ts';
import type { FamilyContext } from '../family.ts';

/** More than have ever filed; a power of two, so that key and company fit into the 53 bits of an exact integer. */
const MOST_COMPANIES = 2 ** 21;

/**
 * Finds the companies whose lists an accession number may be in. Takes eight bytes a filing: its key and, in the lower
 * digits, the company's place in order of cik.
 */
export class AccessionIndex {
  readonly #packed: number[] = [];
  readonly #ciks: number[] = [];

  add(cik: number, accessions: Iterable<string>): void {
    const place = this.#ciks.push(cik) - 1;
    for (const accession of accessions) this.#packed.push(accessionKey(accession) * MOST_COMPANIES + place);
  }

  write(sink: FamilyContext['sink']): void {
    const sorted = Float64Array.from(this.#packed).sort();
    let rows: { number: number; cik: number }[] = [];
    for (const [index, packed] of sorted.entries()) {
      const number = Math.floor(packed / MOST_COMPANIES);
      const cik = this.#ciks[packed % MOST_COMPANIES];
      if (cik === undefined) throw new RangeError(`no company has the place ${packed % MOST_COMPANIES}`);
      if (packed !== sorted[index - 1]) rows.push({ number, cik });
      const next = sorted[index + 1];
      if (next !== undefined && Math.floor(next / MOST_COMPANIES) === number) continue;
      sink(FILING_PLACES).add(number, rows);
      rows = [];
    }
  }
}
