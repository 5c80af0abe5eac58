/**
 * Releases with correct hashes and wrong content, as the owner of a host can make them. A seed decides what is forged,
 * such as a page header, an index or a footer. Each forgery is then read.
 */
import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, gunzipSync, gzipSync } from 'node:zlib';
import { isFailure } from '../../src/contract/failure.ts';
import { describeRowGroups } from '../../src/publish/describe-row-groups.ts';
import {
  FormatError,
  PUBLISHED_FORMAT,
  parseFileList,
  parsePieces,
  parsePointer,
  parseReleasePointers,
} from '../../src/publish/format.ts';
import { listPieces, planCopiesAndRequests } from '../../src/publish/pieces.ts';
import { openPublishedRelease } from '../../src/publish/published-release.ts';
import { type FileRange, ROW_GROUPS_FILE } from '../../src/publish/release-index.ts';
import { openInProcessService } from '../../src/service/answers/in-process.ts';
import {
  ENCODING_NUMBERS,
  PAGE_HEADER_FIELD_IDS,
  PAGE_TYPE_NUMBERS,
  ThriftStruct,
} from '../../src/store/parquet/format/thrift.ts';
import { readPageHeader } from '../../src/store/parquet/read/pages.ts';
import { encodeIndex, encodeIndexEntry, RowGroupIndex } from '../../src/store/parquet/row-group-index.ts';
import { openRelease, type ReleaseReader } from '../../src/store/reader.ts';
import { type Manifest, readManifest, serializeManifest, type TableFile } from '../../src/store/releases/manifest.ts';
import type { Table } from '../../src/store/schema/declare-table.ts';
import { CORE_TABLES, TABLES_BY_FAMILY } from '../../src/store/schema/layout.ts';
import { LISTINGS_BY_COMPANY, LISTINGS_BY_NAME, LISTINGS_BY_TICKER } from '../../src/store/schema/listings.ts';
import { LATEST_FIGURES } from '../../src/store/schema/reported-values.ts';
import { makeCondition } from '../../src/store/table-reader.ts';

/** Returns a generator of numbers from 0 to below 1; the same seed gives the same numbers. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixedBits = Math.imul(state ^ (state >>> 15), 1 | state);
    mixedBits = (mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), 61 | mixedBits)) ^ mixedBits;
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Dice {
  readonly random: () => number;
  constructor(seed: number) {
    this.random = createRandom(seed);
  }
  pickIntegerBelow(limit: number): number {
    return Math.floor(this.random() * limit);
  }
  pick<T>(values: readonly T[]): T {
    return values[this.pickIntegerBelow(values.length)] as T;
  }
}

const BOUNDARY_NUMBERS = [0, 1, 2, 7, 255, 65_536, 1e6, 1e8, 1e9, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
const HOSTILE_NUMBERS = [...BOUNDARY_NUMBERS, -1, -(2 ** 31), 0.5, 2 ** 40, 2 ** 53, 1e18, 1e308];
const INVALID_BYTE_SEQUENCES = [
  [0x18, 0xff, 0xff, 0xff, 0xff, 0x0f],
  [0x15, 0xff, 0xff, 0xff, 0xff, 0x07],
  Array(12).fill(0xff),
  Array(40).fill(0x1c),
  [0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07],
  [0x80, 0x80, 0x80, 0x80, 0x08],
  [0, 0, 0, 0],
  [0xff, 0xff, 0xff, 0x7f],
];

function mutateBytes(bytes: Uint8Array, dice: Dice): Buffer {
  const position = dice.pickIntegerBelow(bytes.length);
  const [bytesBefore, bytesAfter] = [bytes.subarray(0, position), bytes.subarray(position)];
  const changedCount = 1 + dice.pickIntegerBelow(16);
  switch (dice.pickIntegerBelow(6)) {
    case 0: {
      const changedBytes = Buffer.from(bytes);
      for (let count = changedCount; count > 0; count -= 1)
        changedBytes[dice.pickIntegerBelow(changedBytes.length)] = dice.pickIntegerBelow(256);
      return changedBytes;
    }
    case 1:
      return Buffer.concat([bytesBefore, Uint8Array.from(dice.pick(INVALID_BYTE_SEQUENCES)), bytesAfter]);
    case 2: {
      const overwritingBytes = Uint8Array.from(dice.pick(INVALID_BYTE_SEQUENCES));
      return Buffer.concat([bytesBefore, overwritingBytes, bytesAfter.subarray(overwritingBytes.length)]);
    }
    case 3:
      return Buffer.from(bytesBefore);
    case 4:
      return Buffer.concat([bytesBefore, bytesAfter.subarray(changedCount)]);
    default:
      return Buffer.concat([bytesBefore, bytesAfter.subarray(0, changedCount), bytesAfter]);
  }
}

const DEEP_ARRAY = JSON.parse('['.repeat(300) + ']'.repeat(300));

function pickInvalidValue(dice: Dice): unknown {
  return dice.pick([
    ...[
      dice.pick(HOSTILE_NUMBERS),
      dice.pick(HOSTILE_NUMBERS),
      dice.pick(HOSTILE_NUMBERS),
      null,
      true,
      [],
      {},
      '',
      'x',
      '../../x',
    ],
    ...[
      '0'.repeat(64),
      'f'.repeat(32),
      'x'.repeat(100_000),
      DEEP_ARRAY,
      '__proto__',
      Array(10_000).fill(0),
      [[1, 1, 1]],
    ],
  ]);
}

/** Changes a random value inside a JSON value. */
function mutateJson(value: unknown, dice: Dice): unknown {
  const changedValue = structuredClone(value);
  let currentValue: unknown = changedValue;
  for (let depth = 0; depth < 12; depth += 1) {
    if (typeof currentValue !== 'object' || currentValue === null) break;
    const container = currentValue as Record<string, unknown>;
    const keys = Object.keys(container);
    const key = dice.pick(keys);
    if (key === undefined) break;
    const isLeaf = typeof container[key] !== 'object' || container[key] === null;
    if (!isLeaf && dice.random() < 0.8) {
      currentValue = container[key];
      continue;
    }
    const mutation = dice.pickIntegerBelow(5);
    if (mutation === 0) delete container[key];
    else if (mutation === 1 && Array.isArray(container))
      container.splice(Number(key), 0, ...Array(dice.pick([1, 50, 5000])).fill(container[key]));
    else if (mutation === 2) container[key] = container[dice.pick(keys)];
    else container[key] = pickInvalidValue(dice);
    return changedValue;
  }
  return pickInvalidValue(dice);
}

/** Returns changed JSON, or text that is not JSON. */
function mutateText(value: unknown, dice: Dice): string {
  const text = JSON.stringify(mutateJson(value, dice)) ?? '';
  return dice.random() < 0.9 ? text : mutateBytes(Buffer.from(`${text} `), dice).toString();
}

const RELEASE_TABLES: readonly Table[] = [
  ...new Set([
    ...CORE_TABLES,
    ...Object.values(TABLES_BY_FAMILY).flat(),
    ...[LATEST_FIGURES, LISTINGS_BY_COMPANY, LISTINGS_BY_NAME, LISTINGS_BY_TICKER],
  ]),
] as readonly Table[];

const QUESTION_PATHS = [
  '/v1/securities?query=app',
  '/v1/securities/AAPL/profile',
  '/v1/securities/AAPL/metrics?period=all',
  '/v1/securities/MSFT/metrics?keys=revenue,roe&as_of=2024-01-01',
  '/v1/metrics',
  '/v1/securities/AAPL/metrics/revenue/lineage',
  '/v1/securities/AAPL/metrics/revenue/revisions',
  '/v1/securities/AAPL/raw-concepts',
  '/v1/securities/AAPL/filings?limit=100',
  '/v1/filings/day',
  '/v1/insider-activity',
  '/v1/securities/AAPL/insider-activity',
  '/v1/securities/AAPL/holders',
  '/v1/holders?query=b',
  '/v1/securities/AAPL/segments',
  '/v1/securities/AAPL/prices?range=max',
  '/v1/screen?where=revenue:gt:1&limit=100',
  '/v1/screen?columns=revenue,pe,market_cap',
  '/v1/release',
];

/** Result of reading a forgery: `refused` means an error that reports bad data, `defect` means any other error. */
export interface Outcome {
  readonly kind: string;
  readonly subject: string;
  readonly result: 'read' | 'refused' | 'defect';
  readonly error: unknown;
}

export interface Forger {
  /** Makes a forgery and reads it. */
  try(seed: number): Promise<Outcome>;
}

interface RowGroupContent {
  readonly firstKey: number;
  readonly lastKey: number;
  readonly rows: number;
  readonly chunks: readonly Buffer[];
}

/**
 * @param sample the directory of an undamaged release
 * @param workDirectory an empty directory
 */
export async function openForger(sample: string, workDirectory: string): Promise<Forger> {
  const manifest = readManifest(sample);
  const directory = join(workDirectory, manifest.stamp);
  mkdirSync(directory, { recursive: true });
  const tables = RELEASE_TABLES.filter(({ name }) => (manifest.tables[name]?.rows ?? 0) > 0);
  const bytesByFile = new Map<string, Buffer>();
  for (const { file, index } of Object.values(manifest.tables)) {
    for (const name of [file, index.file]) {
      bytesByFile.set(name, readFileSync(join(sample, name)));
      copyFileSync(join(sample, name), join(directory, name));
    }
  }
  const writeReleaseFile = (name: string, bytes: Uint8Array | string) => writeFileSync(join(directory, name), bytes);
  const writeManifest = (changedManifest: unknown) => {
    // A forger can compute correct checksums, too.
    const text =
      changedManifest === manifest || isNonNullObject(changedManifest)
        ? serializeManifest(changedManifest as Manifest)
        : JSON.stringify(changedManifest);
    writeReleaseFile('manifest.json', text);
  };
  writeManifest(manifest);

  const getTableFile = (table: Table) => manifest.tables[table.name] as TableFile;
  const getSampleBytes = (name: string) => bytesByFile.get(name) as Buffer;
  const openIndex = (table: Table) => {
    const { index, columns, bytes } = getTableFile(table);
    return new RowGroupIndex(getSampleBytes(index.file), Object.keys(columns).length, bytes);
  };

  /**
   * Returns the last row group of a table: only the last one can change its length without moving another row group.
   */
  const readLastGroup = (table: Table): RowGroupContent & { readonly offset: number } => {
    const index = openIndex(table);
    const { chunks, ...group } = index.locationOf(index.length - 1);
    const tableBytes = getSampleBytes(getTableFile(table).file);
    const chunkBytes = chunks.map(({ offset, length }) => tableBytes.subarray(offset, offset + length));
    return { ...group, chunks: chunkBytes, offset: chunks[0]?.offset ?? 0 };
  };

  /** Writes a table with this row group in place of its last one. The checksums are correct. */
  const writeTableWithLastGroup = (
    table: Table,
    { offset, ...group }: RowGroupContent & { readonly offset: number },
  ) => {
    const { file, index, columns } = getTableFile(table);
    const parquetBytes = Buffer.concat([getSampleBytes(file).subarray(0, offset), ...group.chunks]);
    const entryByteCount = (5 + 2 * Object.keys(columns).length) * 4;
    const chunks = group.chunks.map((bytes) => ({ length: bytes.length, crc32: crc32(bytes) }));
    const changedEntry = encodeIndexEntry({ ...group, chunks }, offset);
    const indexBytes = getSampleBytes(index.file);
    const changedIndex = Buffer.concat([
      indexBytes.subarray(0, indexBytes.length - entryByteCount),
      new Uint8Array(changedEntry.buffer),
    ]);
    writeForgedTable(table, parquetBytes, changedIndex);
  };

  const writeForgedTable = (table: Table, parquet: Buffer, index: Buffer, overrides: Partial<TableFile> = {}) => {
    const tableFile = getTableFile(table);
    writeReleaseFile(tableFile.file, parquet);
    writeReleaseFile(tableFile.index.file, index);
    const changedTableFile = {
      ...tableFile,
      bytes: parquet.length,
      index: { ...tableFile.index, bytes: index.length, crc32: crc32(index) },
      ...overrides,
    };
    writeManifest({ ...manifest, tables: { ...manifest.tables, [table.name]: changedTableFile } });
  };

  const restoreTable = (table: Table) => {
    const { file, index } = getTableFile(table);
    for (const name of [file, index.file]) writeReleaseFile(name, getSampleBytes(name));
  };

  const { opening, pages } = await describeRowGroups(sample, manifest);
  const identity = { stamp: manifest.stamp, date: manifest.date, layout: manifest.layout };
  const sha256 = hash('sha256', '');
  const pointer = { format: PUBLISHED_FORMAT, ...identity, files: { bytes: 1000, sha256 } } as const;
  const listedFiles = [...bytesByFile].map(([path, { length: bytes }]) => ({ path, bytes, sha256 }));
  const fileList = {
    format: PUBLISHED_FORMAT,
    stamp: manifest.stamp,
    files: listedFiles,
    companions: [],
    opening,
  };
  const pieces = {
    format: PUBLISHED_FORMAT,
    files: listedFiles.map(({ path, bytes }) => {
      const lengths = [...Array<number>(Math.floor(bytes / 1000)).fill(1000), bytes % 1000].filter(
        (length) => length > 0,
      );
      return { path, lengths, hashes: 'ab'.repeat(8 * lengths.length) };
    }),
    packed: { lengths: [1000, 2000], hashes: 'ab'.repeat(16) },
  };

  /** Opens the published release with a forged release index, forged pages, or both. */
  const openForgedRelease = (listText: string, forgedPages: Buffer) =>
    openPublishedRelease(pointer, parseFileList(listText, manifest.stamp), {
      address: 'https://host.example/releases',
      read: async (ranges: readonly FileRange[]) =>
        ranges.map(({ path, offset, length }) => {
          const fileBytes = path === ROW_GROUPS_FILE ? forgedPages : (bytesByFile.get(path) ?? Buffer.alloc(0));
          return fileBytes.subarray(offset, offset + length);
        }),
    });

  const tryForgedTable = async (kind: string, dice: Dice, forge: (table: Table) => void): Promise<Outcome> => {
    const table = dice.pick(tables);
    try {
      forge(table);
      return await classifyOutcome(kind, table.name, async () => {
        const release = openRelease(directory);
        await readRandomly(release, [table], dice, pickKeys(table, dice)).finally(() => release.close());
      });
    } finally {
      restoreTable(table);
    }
  };

  const pickKeys = (table: Table, dice: Dice): number[] => {
    const { firstKey, lastKey } = readLastGroup(table);
    return [firstKey, lastKey, 320193, dice.pick(BOUNDARY_NUMBERS)];
  };

  const TRIALS_BY_KIND: Readonly<Record<string, (dice: Dice) => Promise<Outcome>>> = {
    header: (dice) =>
      tryForgedTable('header', dice, (table) => {
        const group = readLastGroup(table);
        const position = dice.pickIntegerBelow(group.chunks.length);
        const forgedChunks = group.chunks.map((chunk, index) =>
          index === position ? forgeHeader(chunk, dice) : chunk,
        );
        writeTableWithLastGroup(table, { ...group, rows: forgeRowCount(group.rows, dice), chunks: forgedChunks });
      }),
    content: (dice) =>
      tryForgedTable('content', dice, (table) => {
        const group = readLastGroup(table);
        const position = dice.pickIntegerBelow(group.chunks.length);
        const forgedChunks = group.chunks.map((chunk, index) =>
          index === position ? forgeContent(chunk, dice) : chunk,
        );
        writeTableWithLastGroup(table, { ...group, rows: forgeRowCount(group.rows, dice), chunks: forgedChunks });
      }),
    chunk: (dice) =>
      tryForgedTable('chunk', dice, (table) => {
        const group = readLastGroup(table);
        const position = dice.pickIntegerBelow(group.chunks.length);
        const forgedChunks = group.chunks.map((chunk, index) =>
          index === position ? mutateBytes(chunk, dice) : chunk,
        );
        writeTableWithLastGroup(table, { ...group, rows: forgeRowCount(group.rows, dice), chunks: forgedChunks });
      }),
    index: (dice) =>
      tryForgedTable('index', dice, (table) => {
        const { file, index } = getTableFile(table);
        const indexBytes = Buffer.from(getSampleBytes(index.file));
        for (let count = 1 + dice.pickIntegerBelow(3); count > 0; count -= 1) {
          indexBytes.writeUInt32LE(
            dice.pick([...BOUNDARY_NUMBERS, dice.pickIntegerBelow(2 ** 32), dice.pickIntegerBelow(10_000)]),
            dice.pickIntegerBelow(indexBytes.length / 4) * 4,
          );
        }
        const forgedIndex = dice.random() < 0.8 ? indexBytes : mutateBytes(indexBytes, dice);
        writeForgedTable(table, getSampleBytes(file), forgedIndex);
      }),
    'empty index': (dice) =>
      tryForgedTable('empty index', dice, (table) => {
        const { file, columns } = getTableFile(table);
        const { rows, chunks, offset, firstKey, lastKey } = readLastGroup(table);
        const indexEntry = encodeIndexEntry(
          { firstKey, lastKey, rows, chunks: chunks.map((bytes) => ({ length: bytes.length, crc32: crc32(bytes) })) },
          offset,
        );
        const repeatedEntries = Array<Uint32Array>(dice.pick([0, 1, 2, 10_000])).fill(indexEntry);
        const rowCount = dice.pick([rows, repeatedEntries.length * rows, dice.pick(BOUNDARY_NUMBERS)]);
        writeForgedTable(table, getSampleBytes(file), encodeIndex(1, Object.keys(columns).length, repeatedEntries), {
          rows: rowCount,
        });
      }),
    manifest: async (dice) => {
      const table = dice.pick(tables);
      writeManifest(mutateJson(dice.random() < 0.3 ? manifest : { ...manifest, sources: [], checkResults: [] }, dice));
      return classifyOutcome('manifest', table.name, async () => {
        readManifest(directory);
        const release = openRelease(directory);
        await readRandomly(release, tables, dice, pickKeys(table, dice)).finally(() => release.close());
      });
    },
    opening: (dice) =>
      classifyOutcome('opening', '', async () => {
        const table = dice.pick(tables);
        await readRandomly(openForgedRelease(mutateText(fileList, dice), pages), tables, dice, pickKeys(table, dice));
      }),
    pages: (dice) =>
      classifyOutcome('pages', '', async () => {
        const table = dice.pick(tables);
        const changedOpening = structuredClone(opening) as unknown as {
          companyPages: [number, number, number, string][];
        };
        const page = dice.pick(changedOpening.companyPages);
        const pageBytes = pages.subarray(page[1], page[1] + page[2]);
        const forgedPage = dice.pick([
          () => gzipSync(mutateText(JSON.parse(gunzipSync(pageBytes).toString()), dice)),
          () => mutateBytes(pageBytes, dice),
          () =>
            gzipSync(dice.pick(['[', '{"a":', '[],', ' ']).repeat(dice.pick([100, 100_000, 3_000_000])), { level: 1 }),
        ])();
        page.splice(1, 2, pages.length, forgedPage.length);
        const listText = JSON.stringify({ ...fileList, opening: changedOpening });
        await readRandomly(openForgedRelease(listText, Buffer.concat([pages, forgedPage])), tables, dice, [
          page[0],
          ...pickKeys(table, dice),
        ]);
      }),
    lists: (dice) =>
      classifyOutcome('lists', '', async () => {
        dice.pick([
          () => void parsePointer(mutateText(pointer, dice)),
          () => void parseReleasePointers(mutateText({ format: PUBLISHED_FORMAT, releases: [pointer, pointer] }, dice)),
          () => void parseFileList(mutateText(fileList, dice), manifest.stamp),
          () => {
            const publishedFiles = parseFileList(JSON.stringify(fileList), manifest.stamp);
            const { files: dividedFiles } = parsePieces(mutateText(pieces, dice), publishedFiles);
            for (const file of publishedFiles.files) {
              planCopiesAndRequests(
                listPieces(file, dividedFiles.get(file.path)),
                () => false,
                () => undefined,
              );
            }
          },
        ])();
      }),
    footer: (dice) => {
      const table = dice.pick(tables);
      const { file } = getTableFile(table);
      const tableBytes = getSampleBytes(file);
      const footerEnd = tableBytes.length - 8;
      const footer = mutateBytes(tableBytes.subarray(footerEnd - tableBytes.readUInt32LE(footerEnd), footerEnd), dice);
      const footerLength = dice.random() < 0.9 ? footer.length : dice.pick(BOUNDARY_NUMBERS);
      const footerTrailer = Buffer.concat([new Uint8Array(Uint32Array.of(footerLength).buffer), Buffer.from('PAR1')]);
      const footerPath = join(workDirectory, 'footer.parquet');
      return classifyOutcome('footer', table.name, async () => {
        // The file is long enough to be divided into pieces.
        writeFileSync(
          footerPath,
          Buffer.concat([tableBytes.subarray(0, footerEnd), Buffer.alloc(128 * 1024), footer, footerTrailer]),
        );
        const { measureFile } = await import('../../src/publish/pieces.ts');
        const { bytes, pieces: division } = await measureFile(footerPath, new AbortController().signal);
        const piecesByteCount = division?.lengths.reduce((total, pieceLength) => total + pieceLength, 0) ?? bytes;
        if (piecesByteCount !== bytes) throw new Error('the pieces do not cover the file');
      });
    },
  };

  const trials = Object.values(TRIALS_BY_KIND);
  return { try: (seed) => (trials[seed % trials.length] as (dice: Dice) => Promise<Outcome>)(new Dice(seed)) };
}

const isNonNullObject = (value: unknown): value is Manifest => typeof value === 'object' && value !== null;

const forgeRowCount = (rows: number, dice: Dice) =>
  dice.random() < 0.8 ? rows : dice.pick([rows + 1, rows - 1, ...BOUNDARY_NUMBERS]);

async function classifyOutcome(kind: string, subject: string, read: () => Promise<void>): Promise<Outcome> {
  try {
    await read();
    return { kind, subject, result: 'read', error: null };
  } catch (error) {
    const isRefusal = isFailure(error) || error instanceof FormatError || error instanceof SyntaxError;
    return { kind, subject, result: isRefusal ? 'refused' : 'defect', error };
  }
}

/**
 * Reads tables as questions do, and answers some questions. If any read is refused, throws the first refusal, but only
 * after the last read.
 */
async function readRandomly(
  release: ReleaseReader,
  tables: readonly Table[],
  dice: Dice,
  keys: readonly number[],
): Promise<void> {
  const refusals: unknown[] = [];
  const tryRead = async (read: () => Promise<unknown>) => {
    try {
      await read();
    } catch (error) {
      if (!isFailure(error)) throw error;
      refusals.push(error);
    }
  };
  for (const table of tables.length > 3 ? [dice.pick(tables), dice.pick(tables), dice.pick(tables)] : tables) {
    const [key = 0, ...otherKeys] = keys;
    const columns = table.columns.map(({ name }) => name);
    const mayReadWholeTable = (release.manifest.tables[table.name]?.rows ?? 0) <= 5000 || table.key === null;
    const keyedReads = [
      async () => readFieldsOfRows(table, await release.rowsOf(table, key)),
      async () => readFieldsOfRows(table, await release.rowsOf(table, dice.pick(keys))),
      () => release.pageOf(table, key, { offset: 1, limit: 3 }, makeCondition(dice.pick(columns), ['AAPL', 1, true])),
      async () => readFieldsOfRows(table, await release.rowsOfEach(table, [key, ...otherKeys])),
      async () => readFieldsOfRows(table, await release.rowsBetween(table, key, key + 100)),
    ];
    const wholeTableReads = [
      async () => readFieldsOfRows(table, await release.allOf(table)),
      () => release.columnsOf(table, columns, [0, 1]),
      () => release.columnsOf(table, columns),
    ];
    if (table.key !== null) for (const read of [dice.pick(keyedReads), dice.pick(keyedReads)]) await tryRead(read);
    if (mayReadWholeTable) await tryRead(dice.pick(wholeTableReads));
  }
  if (dice.random() < 0.2) {
    const service = openInProcessService(async () => release);
    for (const path of [dice.pick(QUESTION_PATHS), dice.pick(QUESTION_PATHS)])
      await tryRead(() => service.askPath(path, null));
  }
  if (refusals.length > 0) throw refusals[0];
}

const MAX_CHECKED_ROWS = 500;

function readFieldsOfRows(table: Table, rows: readonly unknown[]): void {
  for (const row of rows.slice(0, MAX_CHECKED_ROWS))
    for (const { field } of table.columns) Reflect.get(row as object, field);
}

/** Returns the chunk with a forged header of its first page. */
function forgeHeader(chunk: Buffer, dice: Dice): Buffer {
  const { pageOffset, size, compressedSize, dictionaryValueCount, data } = readPageHeader(chunk, 0);
  const bytesAfterHeader = chunk.subarray(pageOffset);
  if (dice.random() < 0.4) return Buffer.concat([mutateBytes(chunk.subarray(0, pageOffset), dice), bytesAfterHeader]);
  const forgeNumber = (number: number) =>
    dice.random() < 0.3 ? dice.pick(HOSTILE_NUMBERS.filter(Number.isSafeInteger)) : number;
  const header = new ThriftStruct()
    .int(1, dictionaryValueCount === null ? PAGE_TYPE_NUMBERS.dataV2 : PAGE_TYPE_NUMBERS.dictionary)
    .int(2, forgeNumber(size))
    .int(3, forgeNumber(compressedSize));
  if (dictionaryValueCount !== null)
    header.struct(
      PAGE_HEADER_FIELD_IDS.dictionary,
      new ThriftStruct().int(1, forgeNumber(dictionaryValueCount)).int(2, ENCODING_NUMBERS.plain),
    );
  if (data !== null) {
    const { rows, nulls, encoding, levelsSize } = data;
    const dataPageHeader = new ThriftStruct()
      .int(1, forgeNumber(rows))
      .int(2, forgeNumber(nulls))
      .int(3, forgeNumber(rows));
    header.struct(
      PAGE_HEADER_FIELD_IDS.dataV2,
      dataPageHeader.int(4, forgeNumber(encoding)).int(5, forgeNumber(levelsSize)).int(6, 0),
    );
  }
  return Buffer.concat([header.finish(), bytesAfterHeader]);
}

/** Returns the chunk with pages that can be unpacked but have other content. */
function forgeContent(chunk: Buffer, dice: Dice): Buffer {
  const changedPages: Buffer[] = [];
  for (let offset = 0; offset < chunk.length; ) {
    const { pageOffset, compressedSize, dictionaryValueCount, data } = readPageHeader(chunk, offset);
    const levelsSize = data?.levelsSize ?? 0;
    const compressedPageBytes = chunk.subarray(pageOffset, pageOffset + compressedSize);
    const pageParts = [
      compressedPageBytes.subarray(0, levelsSize),
      compressedSize > levelsSize ? gunzipSync(compressedPageBytes.subarray(levelsSize)) : Buffer.alloc(0),
    ];
    const [levels = Buffer.alloc(0), content = Buffer.alloc(0)] = pageParts.map((bytes) =>
      bytes.length > 0 && dice.random() < 0.6 ? mutateBytes(bytes, dice) : bytes,
    );
    const compressedContent = gzipSync(content);
    const header = new ThriftStruct()
      .int(1, dictionaryValueCount === null ? PAGE_TYPE_NUMBERS.dataV2 : PAGE_TYPE_NUMBERS.dictionary)
      .int(2, levels.length + content.length)
      .int(3, levels.length + compressedContent.length);
    if (dictionaryValueCount !== null)
      header.struct(
        PAGE_HEADER_FIELD_IDS.dictionary,
        new ThriftStruct().int(1, dictionaryValueCount).int(2, ENCODING_NUMBERS.plain),
      );
    if (data !== null) {
      const { rows, nulls, encoding } = data;
      const pageHeader = new ThriftStruct()
        .int(1, rows)
        .int(2, nulls)
        .int(3, rows)
        .int(4, encoding)
        .int(5, levels.length)
        .int(6, 0);
      header.struct(PAGE_HEADER_FIELD_IDS.dataV2, pageHeader);
    }
    changedPages.push(Buffer.from(header.finish()), Buffer.from(levels), compressedContent);
    offset = pageOffset + compressedSize;
  }
  return Buffer.concat(changedPages);
}
