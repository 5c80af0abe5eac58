/**
 * Compares the bounds of items with known lengths. These count characters of HTML in copies that write some entities as
 * one character, and lack the links "Table of Contents"; some end at the page's end before the next heading, some at that
 * heading. So a length is right between two of ours: that of the text, and that up to the next heading.
 */

/** Maximum difference, in characters; or a share of the length, which the copies' markup accounts for. */
const TOLERANCE = 100;
const SHARE = 0.01;
/** Known lengths that are mistaken: this one ends at "Note 16 – Legal Proceedings", inside the financial statements. */
const MISTAKEN = new Map([['sp_10-Q_BA_0000012927-23-000048.html', 'I.1']]);

/** Returns the numbers of right, wrong and unproven items, and the wrong ones as text. */
export function compareLengths(reading, { name: file, form, bytes, lengths }, document, items) {
  const source = new TextDecoder().decode(bytes);
  const { headersAndFooters } = document;
  const result = { right: 0, close: 0, wrong: [], unproven: 0 };
  // The last item's known length runs past the signatures.
  const last = lengths.findLast(({ length }) => length > 0);
  for (const { item: name, length } of lengths) {
    const item = items.find((other) => reading.formatItem(other, form) === name);
    if (MISTAKEN.get(file) === name) continue;
    if (length === 0 || name === last.item || item === undefined || item.status === 'page_ranges') continue;
    if (item.start === null) {
      result.unproven++;
      continue;
    }
    const text = document.blocks
      .slice(item.start.block, item.end.block)
      .findLast((block, index) => !headersAndFooters.has(item.start.block + index) && reading.readPart(block) === null);
    const min = shorten(source.slice(item.start.offset, text.end)).length;
    const max = source.slice(item.start.offset, item.end.offset).length;
    const distance = Math.max(min - length, length - max, 0);
    if (distance <= TOLERANCE) result.right++;
    else if (distance <= length * SHARE) result.close++;
    else result.wrong.push(`${name}: ${min} to ${max}, known ${length}`);
  }
  return result;
}

const shorten = (html) =>
  html.replace(/<a [^>]*>Table of Contents<\/a>/gi, '').replace(/&(?:#\d{1,6}|#x[0-9a-f]{1,5}|\w{2,8});/gi, '.');
