import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect } from 'vitest';
import { formatHtmlPage } from '../../../src/render/chart/html-page.ts';
import { formatSvgDocument } from '../../../src/render/chart/svg-document.ts';
import { testNeeding } from '../../needs.ts';
import { Browser, findChromium } from './chromium.ts';
import { readPixel } from './png.ts';
import { ALL_CHARTS } from './sample-charts.ts';

const chromiumPath = findChromium();

/** A script that returns the texts outside their SVG, and the pairs of texts that overlap. */
const FIND_MISPLACED_TEXTS_SCRIPT = `(() => {
  const misplacedTexts = [];
  const boxes = [...document.querySelectorAll('svg text')].map((text) => ({
    text: text.textContent, box: text.getBoundingClientRect(), svg: text.closest('svg').getBoundingClientRect(),
  }));
  for (const { text, box, svg } of boxes)
    if (box.left < svg.left - 1 || box.right > svg.right + 1 || box.top < svg.top - 1 || box.bottom > svg.bottom + 1)
      misplacedTexts.push('outside: ' + text);
  boxes.forEach((one, index) => boxes.slice(index + 1).forEach((other) => {
    const [a, b] = [one.box, other.box];
    const overlapWidth = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const overlapHeight = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (overlapWidth > 1 && overlapHeight > 3) misplacedTexts.push(one.text + ' on ' + other.text);
  }));
  return misplacedTexts;
})()`;

const testInChromium = testNeeding('Chromium', chromiumPath !== null);
const folder = mkdtempSync(join(tmpdir(), 'fin-charts-'));
let startedBrowser: Browser | undefined;
const openBrowser = (): Browser => {
  startedBrowser ??= new Browser(chromiumPath ?? '');
  return startedBrowser;
};
afterAll(async () => {
  await startedBrowser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const writePage = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return pathToFileURL(path).href;
};

for (const [name, blocks] of Object.entries(ALL_CHARTS))
  testInChromium(`${name} is well-formed, and causes no console message and no further request`, async () => {
    for (const [form, text] of [
      ['svg', formatSvgDocument([blocks])],
      ['html', formatHtmlPage([blocks])],
    ] as const) {
      const url = writePage(`${name}.${form}`, text);
      const page = await openBrowser().open(url, 'light');
      expect(page.requested).toEqual([url]);
      expect(page.consoleMessages).toEqual([]);
      expect(await page.evaluate('document.querySelectorAll("parsererror, script, img").length')).toBe(0);
      expect(await page.evaluate('document.title')).not.toBe('owned');
      // Hostile text may be in any position, if the browser treats it as plain text.
      if (name !== 'HOSTILE') expect(await page.evaluate(FIND_MISPLACED_TEXTS_SCRIPT)).toEqual([]);
    }
  });

testInChromium("the page follows the reader's light or dark colour scheme", async () => {
  for (const [form, text] of [
    ['svg', formatSvgDocument([ALL_CHARTS.PRICES ?? []])],
    ['html', formatHtmlPage([ALL_CHARTS.PRICES ?? []])],
  ] as const) {
    const url = writePage(`scheme.${form}`, text);
    for (const [scheme, paper] of [
      ['light', [0xff, 0xff, 0xff]],
      ['dark', [0x0d, 0x11, 0x17]],
    ] as const) {
      const page = await openBrowser().open(url, scheme);
      expect(readPixel(await page.takeScreenshot(), 3, 3)).toEqual(paper);
    }
  }
});

testInChromium('on a phone the page does not scroll sideways', async () => {
  const page = await openBrowser().open(
    writePage('phone.html', formatHtmlPage([ALL_CHARTS.PRICES ?? [], ALL_CHARTS.SEGMENTS ?? []])),
    'light',
    390,
  );
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});
