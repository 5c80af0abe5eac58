/**
 * Which companies' lists an accession number may be in. The workers that make companies' lists leave pairs of key and
 * company, in files by the highest bits of the key; each file becomes a part of the table once every company is there.
 */
import { accessionKey, FILING_PLACES, type FilingPlace } from '../../store/schema/filings.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import { readSliceBytes, type Slice } from '../tasks/slices.ts';

/** Keys have 31 bits: 64 files, in order. */
const SHIFT = 25;
const PAIR = 2;
/** More companies than any file has; a power of two, so that key and company fit into the 53 bits of an exact integer. */
const MAX_COMPANIES = 2 ** 21;

/** Collects pairs of key and company by the file they belong to. */
export class PlacePairs {
  readonly #files = new Map<number, number[]>();

  /** A filing may be added again. */
  add(cik: number, filings: readonly { readonly accession: string }[]): void {
    for (const { accession } of filings) {
      const key = accessionKey(accession);
      const file = key >>> SHIFT;
      const pairs = this.#files.get(file);
      if (pairs === undefined) this.#files.set(file, [key, cik]);
      else pairs.push(key, cik);
    }
  }

  /** The bytes of each file. */
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
  // In memory of its own, where it begins as numbers must.
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
    if (cik === undefined) throw new RangeError(`no company has the place ${one % MAX_COMPANIES}`);
    if (one !== packed[index - 1]) rows.push({ number: Math.floor(one / MAX_COMPANIES), cik });
  }
  sink.addSorted(rows);
  return { parts: [sink.done()] };
}
