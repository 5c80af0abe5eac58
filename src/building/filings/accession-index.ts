/**
 * Makes the table that maps accession numbers to companies. While companies are derived, workers write pairs of
 * accession key and CIK to files, divided by the highest bits of the key. Afterwards, one task per file makes a part of
 * the table.
 */

import { getOrInsert } from '../../platform/collections.ts';
import { ACCESSION_INDEX, type AccessionIndexRow, computeAccessionKey } from '../../store/schema/filings.ts';
import { PartSink } from '../../store/table-part.ts';
import { readSliceBytes, type Slice } from '../tasks/slices.ts';
import type { PartsResult, Task } from '../tasks/task.ts';

/** Shift that leaves the first six bits of a 31-bit key. These bits are the number of one of 64 files. */
const FILE_SHIFT_BITS = 25;
const PAIR_LENGTH = 2;
/**
 * Maximum number of companies per file: a company's index in the file has 21 bits. Together with a 31-bit key, it fits
 * into an exact integer (53 bits).
 */
const MAX_COMPANIES_PER_FILE = 2 ** 21;

/** Returns the encoded pairs of a company's filings, by number of the file; duplicates are allowed. */
export function encodeAccessionPairs(cik: number, filings: readonly { readonly accession: string }[]) {
  const byFile = new Map<number, number[]>();
  for (const { accession } of filings) {
    const key = computeAccessionKey(accession);
    getOrInsert(byFile, key >>> FILE_SHIFT_BITS, () => []).push(key, cik);
  }
  return [...byFile].map(([file, pairs]) => [file, new Uint8Array(new Uint32Array(pairs).buffer)] as const);
}

export interface AccessionIndexTask extends Task<PartsResult> {
  readonly kind: 'accession index';
  /** Pairs of accession key and CIK, in order of CIK. */
  readonly pairs: readonly Slice[];
}

export async function makeAccessionIndex(task: AccessionIndexTask): Promise<PartsResult> {
  // Copied, because a Uint32Array must start at a multiple of four bytes.
  const pairs = new Uint32Array(new Uint8Array(readSliceBytes(task.pairs)).buffer);
  const ciks: number[] = [];
  const packedPairs = new Float64Array(pairs.length / PAIR_LENGTH);
  for (let index = 0; index < packedPairs.length; index++) {
    const key = pairs[index * PAIR_LENGTH] as number;
    const cik = pairs[index * PAIR_LENGTH + 1] as number;
    if (cik !== ciks.at(-1)) ciks.push(cik);
    packedPairs[index] = key * MAX_COMPANIES_PER_FILE + ciks.length - 1;
  }
  packedPairs.sort();
  const sink = new PartSink(ACCESSION_INDEX);
  const rows: AccessionIndexRow[] = [];
  for (let index = 0; index < packedPairs.length; index++) {
    const packed = packedPairs[index] as number;
    const cik = ciks[packed % MAX_COMPANIES_PER_FILE];
    if (cik === undefined)
      throw new RangeError(`a file of accession keys has no company at position ${packed % MAX_COMPANIES_PER_FILE}`);
    if (packed !== packedPairs[index - 1]) rows.push({ number: Math.floor(packed / MAX_COMPANIES_PER_FILE), cik });
  }
  sink.addSorted(rows);
  return { parts: [sink.finish()] };
}
