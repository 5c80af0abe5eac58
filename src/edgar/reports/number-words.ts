/** Numbers that reports write out: "two segments". What is longer is prose, and not read. */

const WORDS: ReadonlyMap<string, string> = new Map(
  [
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen',
    'sixteen seventeen eighteen nineteen twenty',
  ]
    .join(' ')
    .split(' ')
    .map((word, value) => [word, String(value)]),
);

const NONE = /^(?:no|none|nil|-|[\u2010-\u2015\u2212])$/;

/** The digits of a number in English words up to twenty, "no" and dashes being zero; null for other words. */
export function numberInWords(text: string): string | null {
  const word = text.trim().toLowerCase();
  return NONE.test(word) ? '0' : (WORDS.get(word) ?? null);
}
