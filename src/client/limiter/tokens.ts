/**
 * The requests of one window, as all processes wrote them down. Pure.
 *
 *     T id   a request asks for a token        B id   its token comes back: the service did not count it
 *     L n    the limit is n from here on       X n    n requests of the account were made elsewhere
 *
 * Everybody who reads the log comes to the same count, so a token that was granted stays granted.
 */

export interface Count {
  readonly limit: number;
  readonly used: number;
  readonly granted: ReadonlySet<string>;
}

export function countTokens(text: string, firstLimit: number): Count {
  let limit = firstLimit;
  let used = 0;
  const granted = new Set<string>();
  const lines = text.split('\n');
  lines.pop();
  for (const line of lines) {
    const [letter, word = ''] = line.split(' ');
    if (letter === 'T' && used < limit && !granted.has(word)) {
      granted.add(word);
      used++;
    } else if (letter === 'B' && granted.delete(word)) {
      used--;
    } else if (letter === 'L' || letter === 'X') {
      const number = /^\d{1,9}$/.test(word) ? Number(word) : 0;
      if (letter === 'X') used += number;
      else if (number > 0) limit = number;
    }
  }
  return { limit, used, granted };
}
