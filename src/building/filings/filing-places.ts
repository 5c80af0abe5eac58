/**
 * The table that finds the companies of an accession number. Workers write pairs of key and company to files by the
 * highest bits of the key; when all companies are done, each file becomes a part of the table.
 */
import { accessionKey, FILING_PLACES, type FilingPlace } from '../../store/schema/filings.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import { readSliceBytes, type Slice } from '../tasks/slices.ts';

/** Keys have 31 bits: 64 files, in order. */
const SHIFT = 25;
const PAIR = 2;
/**
 * More than the number of companies in any file; a power of two, so that key and company fit into the 53 bits of an
 * exact integer.
 */
const MAX_COMPANIES = 2 ** 21;

/** Collects pairs of key and company, by file. */
export class PlacePairs {
  readonly #files = new Map<number, number[]>();

  /** Adding a filing twice is allowed. */
  add(cik: number, filings: readonly { readonly accession: string }[]): void {
    for (const { accession } of filings) {
      const key = accessionKey(accession);
      const file = key >>> SHIFT;
      const pairs = this.#files.get(file);
      if (pairs === undefined) this.#files.set(file, [key, cik]);
      else pairs.push(key, cik);
    }
  }

  /** Returns the bytes of each file. */
  done(): (readonly [file: number, bytes: Uint8Array<ArrayBuffer>])[] {
    return [...this.#files].map(([file, pairs]) => [file, new Uint8Array(new Uint32Array(pairs).buffer)] as const);
  }
}

export interface FilingPlacesTask {
  readonly kind: 'filing places';
  /** Pairs, companies ascending. */
  readonly pairs: readonly Slice[];
}

export async function filingPlacesOf(task: FilingPlacesTask): Promise<{ readonly parts: readonly TablePart[] }> {
  // Copied, because a Uint32Array must begin at a multiple of four bytes.
  const pairs = new Uint32Array(new Uint8Array(readSliceBytes(task.pairs)).buffer);
  const ciks: number[] = [];
  const packed = new Float64Array(pairs.length / PAIR);
  for (let at = 0; at < packed.length; at++) {
    const [key, cik] = [pairs[at * PAIR] as number, pairs[at * PAIR + 1] as number];
    if (cik !== ciks.at(-1)) ciks.push(cik);
    packed[at] = key * MAX_COMPANIES + ciks.length - 1;
  }
  packed.sort();
  const sink = new PartSink(FILING_PLACES);
  const rows: FilingPlace[] = [];
  for (let index = 0; index < packed.length; index++) {
    const one = packed[index] as number;
    const cik = ciks[one % MAX_COMPANIES];
    if (cik === undefined) throw new RangeError(`no company has the position ${one % MAX_COMPANIES}`);
    if (one !== packed[index - 1]) rows.push({ number: Math.floor(one / MAX_COMPANIES), cik });
  }
  sink.addSorted(rows);
  return { parts: [sink.done()] };
}
