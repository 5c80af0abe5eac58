import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { expect, test } from 'vitest';
import { parseRowGroupBounds } from '../../../src/store/parquet/read/row-group-bounds.ts';
import { readManifest } from '../../../src/store/releases/manifest.ts';
import { SAMPLE_RELEASE } from '../../publish/releases.ts';

/** Returns a file's footer, and the bounds of its row groups according to an independent reader. */
function readFooter(name: string) {
  const bytes = readFileSync(join(SAMPLE_RELEASE, `${name}.parquet`));
  const end = bytes.length - 8;
  const { row_groups: groups } = parquetMetadata(new Uint8Array(bytes).buffer);
  const bounds = groups.flatMap(({ columns }) => {
    const chunkRanges = columns.map(({ meta_data: meta }) => {
      const start = Number(meta?.dictionary_page_offset ?? meta?.data_page_offset);
      return [start, start + Number(meta?.total_compressed_size)] as const;
    });
    return [Math.min(...chunkRanges.map(([start]) => start)), Math.max(...chunkRanges.map(([, to]) => to))];
  });
  return { footer: bytes.subarray(end - bytes.readUInt32LE(end), end), bounds };
}

test.each(Object.keys(readManifest(SAMPLE_RELEASE).tables))(
  'row groups are at the positions that another library finds: %s',
  (name) => {
    const { footer, bounds } = readFooter(name);
    expect(parseRowGroupBounds(footer)).toEqual(bounds);
  },
);

test('a footer that is truncated, declares too many items, or is nested too deeply is refused', () => {
  const { footer } = readFooter('companies');
  for (let end = 0; end < footer.length; end += 7) expect(() => parseRowGroupBounds(footer.subarray(0, end))).toThrow();
  // Lists that declare two billion booleans, structures or lists.
  for (const itemType of [1, 12, 9])
    expect(() => parseRowGroupBounds(Uint8Array.of(0x49, 0xf0 | itemType, 0xff, 0xff, 0xff, 0xff, 0x07))).toThrow();
  expect(() => parseRowGroupBounds(new Uint8Array(1_000_000).fill(0x1c))).toThrow(/nested/);
});
