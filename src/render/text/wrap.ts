/** Wraps text between words; a word longer than a line is not divided. */
export function wrapWords(
  text: string,
  width: number,
  measureWidth: (text: string) => number = measureLength,
): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && measureWidth(last) + 1 + measureWidth(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const measureLength = (text: string): number => text.length;
