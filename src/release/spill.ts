/**
 * Rows put on disk in the order they are met and taken back company by company: the way through files that
 * are in another order than the tables and larger than memory.
 */
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const BUCKETS = 64;
const BUFFER = 256 * 1024;

export class Spill<Row> {
  readonly #directory: string;
  readonly #bucketOf: (cik: number) => number;
  readonly #buckets: { text: string; spilled: boolean }[];

  /** @param ciks every number that rows can come under; the buckets are cut so that each holds as many of them */
  constructor(directory: string, ciks: readonly number[]) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
    const sorted = [...new Set(ciks)].sort((a, b) => a - b);
    const size = Math.max(1, Math.ceil(sorted.length / BUCKETS));
    const places = new Map(sorted.map((cik, index) => [cik, Math.floor(index / size)]));
    this.#bucketOf = (cik) => places.get(cik) ?? -1;
    this.#buckets = Array.from({ length: Math.ceil(sorted.length / size) }, () => ({ text: '', spilled: false }));
  }

  /** Rows under a number that was not announced are ignored. */
  add(cik: number, row: Row): void {
    const index = this.#bucketOf(cik);
    const bucket = this.#buckets[index];
    if (bucket === undefined) return;
    bucket.text += `${cik}\t${JSON.stringify(row)}\n`;
    if (bucket.text.length < BUFFER) return;
    appendFileSync(this.#path(index), bucket.text);
    bucket.text = '';
    bucket.spilled = true;
  }

  /** Every number's rows in the order in which they were added, numbers ascending. Can be gone through once. */
  *groups(): Generator<readonly [cik: number, rows: readonly Row[]]> {
    for (const [index, bucket] of this.#buckets.entries()) {
      const spilled = bucket.spilled ? readFileSync(this.#path(index), 'utf8') : '';
      const groups = new Map<number, Row[]>();
      for (const line of (spilled + bucket.text).split('\n')) {
        const tab = line.indexOf('\t');
        if (tab < 0) continue;
        const cik = Number(line.slice(0, tab));
        const rows = groups.get(cik) ?? [];
        if (rows.length === 0) groups.set(cik, rows);
        rows.push(JSON.parse(line.slice(tab + 1)) as Row);
      }
      bucket.text = '';
      if (bucket.spilled) rmSync(this.#path(index));
      yield* [...groups].sort(([a], [b]) => a - b);
    }
  }

  #path(bucket: number): string {
    return join(this.#directory, `bucket-${bucket}`);
  }
}
