/**
 * Words that this project once used with a private meaning, and the usual term for each. If a word also has another use
 * in the source, this use is in `allowed`. The list is short on purpose.
 */
export interface AvoidedWord {
  readonly word: RegExp;
  readonly instead: string;
  readonly why: string;
  /** Uses with the field's own meaning, which remain allowed. */
  readonly allowed?: RegExp;
}

const OLD_WORD_REASON = 'an old or bookish word; help and comments are in present-day English';

export const AVOIDED_WORDS: readonly AvoidedWord[] = [
  { word: /\breckon(s|ed|ing)?\b/i, instead: 'compute, derive', why: 'the field computes and derives figures' },
  { word: /\bheld[- ]?answers?\b/i, instead: 'cached response', why: 'HTTP calls it so (RFC 9111)' },
  { word: /\bhold(s|ing)? (an |the )?answers?\b/i, instead: 'cache', why: 'HTTP calls it so (RFC 9111)' },
  {
    word: /\bon file\b/i,
    instead: 'in the release; reported',
    why: '"on file" may be a file, the regulator or a release',
  },
  { word: /\bledgers?\b/i, instead: 'rate limiter', why: 'no accounts are kept' },
  { word: /\bdesks?\b/i, instead: 'collector', why: 'says nothing about what it does' },
  { word: /\b(shelf|shelves)\b/i, instead: 'index, source', why: 'says nothing about what it does' },
  {
    word: /\b\w+[- ]?book\b|\w+Book\b/,
    instead: 'index',
    why: 'says nothing about what it does',
    allowed: /\b(handbook|facebook|cookbook|notebook|price to book)\b/i,
  },
  { word: /\blanes?\b/i, instead: 'worker, worker pool', why: 'a pool of workers has workers' },
  { word: /\bpatience\b/i, instead: 'grace period', why: 'a period of time has a length' },
  { word: /\bamiss\b/i, instead: 'wrong', why: OLD_WORD_REASON },
  { word: /\bmend(s|ed|ing)?\b/i, instead: 'fix', why: OLD_WORD_REASON },
  { word: /\bwhence\b/i, instead: 'where from', why: OLD_WORD_REASON },
  { word: /\bamid\b/i, instead: 'in, during', why: OLD_WORD_REASON },
  { word: /\bof late\b/i, instead: 'recently', why: OLD_WORD_REASON },
  { word: /\bbesides\b/i, instead: 'also', why: OLD_WORD_REASON },
  { word: /\bwhoever\b|\bwho asks\b/i, instead: 'the caller, the user, the client', why: 'code has no people in it' },
  { word: /\btold apart\b|\btells? apart\b/i, instead: 'distinguished', why: OLD_WORD_REASON },
  { word: /\bare told\b|\bis told\b|\bTold\b/, instead: 'is given, is notified; notice', why: 'it had six meanings' },
  { word: /\bstatement chains?\b/i, instead: 'revision chain', why: 'a statement is a financial statement' },
  { word: /\bharmless(ly)?\b/i, instead: 'sanitized', why: 'text is sanitized before it is shown' },
  {
    word: /\bforeign (text|input|words?|name|value)\b/i,
    instead: 'untrusted, unknown',
    why: 'foreign is a currency or a filer',
  },
  { word: /\bat hand\b/i, instead: 'available', why: OLD_WORD_REASON },
  { word: /\b(asking|answering) half\b/i, instead: 'client, service', why: 'HTTP has clients and services' },
  { word: /\bspoken\b/i, instead: 'reported', why: 'files and filings report' },
];

/** Returns the listed words in `text`, each with its line number and replacement. */
export function findAvoidedWords(
  text: string,
): readonly { readonly line: number; readonly foundText: string; readonly instead: string }[] {
  return text.split('\n').flatMap((content, index) =>
    AVOIDED_WORDS.flatMap(({ word, instead, allowed }) => {
      const foundText = word.exec(content)?.[0];
      if (foundText === undefined || allowed?.test(content) === true) return [];
      return [{ line: index + 1, foundText, instead }];
    }),
  );
}
