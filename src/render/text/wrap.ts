/** Returns text wrapped between words; a word longer than a line is not divided. */
export function wrapWords(text: string, width: number, measure = (text: string) => text.length): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && measure(last) + 1 + measure(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
