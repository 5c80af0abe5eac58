import { itemNames } from '../../src/reading/item-names.ts';

/** HTML of items by number. */
type Texts = Readonly<Record<string, string>>;

/** A report with contents, links, headings of all items and signatures, as its filers write them. */
export function makeReport(texts: Texts, day = '2025-09-27'): Buffer {
  const items = itemNames('10-K', day).filter(({ item }) => item !== '16');
  const rows = items.map(
    ({ item, title }, index) =>
      `<tr><td><a href="#i${item}">Item ${item}.</a></td><td>${title}</td><td>${index + 3}</td></tr>`,
  );
  const sections = items.map(({ item, title }) => {
    const heading = `<div id="i${item}"><b>Item ${item}. ${title}</b></div>`;
    return `${heading}${texts[item] ?? `<p>Text of item ${item}, which is not long, but a text.</p>`}`;
  });
  return Buffer.from(
    `<html><body><p>Annual report</p><table>${rows.join('')}</table>${sections.join('')}<p><b>SIGNATURES</b></p><p>Signed.</p></body></html>`,
  );
}
