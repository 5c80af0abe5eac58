/** In tests as in the program's bundles (`.ci/bundle.mjs`), cli-table3 measures text with fin's faster function. */
import { createRequire } from 'node:module';
import { measureWidth } from '../src/render/text/text-width.ts';

const requireAsTable = createRequire(createRequire(import.meta.url).resolve('cli-table3'));
requireAsTable('string-width');
const loaded = requireAsTable.cache[requireAsTable.resolve('string-width')];
if (loaded !== undefined) loaded.exports = measureWidth;
