/** Finds the lists that an accession number may be in, by a checksum of it. */
import { crc32 } from 'node:zlib';
import { FILING_PLACES } from '../../schema/filings.ts';
import type { FamilyContext } from '../family.ts';

/** The key of an accession number: 31 bits, so that it is an integer of the tables. */
export function accessionKey(accession: string): number {
  return crc32(accession) >>> 1;
}

/** More companies than have ever filed. */
const COMPANIES = 2 ** 21;

/** Holds eight bytes for each filing: the key, and after it the company's place in order of cik. */
export class AccessionIndex {
  readonly #packed: number[] = [];
  readonly #ciks: number[] = [];

  add(cik: number, accessions: Iterable<string>): void {
    const place = this.#ciks.push(cik) - 1;
    for (const accession of accessions) this.#packed.push(accessionKey(accession) * COMPANIES + place);
  }

  write(sink: FamilyContext['sink']): void {
    const sorted = Float64Array.from(this.#packed).sort();
    let rows: { number: number; cik: number }[] = [];
    for (const [index, packed] of sorted.entries()) {
      const number = Math.floor(packed / COMPANIES);
      const cik = this.#ciks[packed % COMPANIES];
      if (cik !== undefined && packed !== sorted[index - 1]) rows.push({ number, cik });
      const next = sorted[index + 1];
      if (next !== undefined && Math.floor(next / COMPANIES) === number) continue;
      sink(FILING_PLACES).add(number, rows);
      rows = [];
    }
  }
}
