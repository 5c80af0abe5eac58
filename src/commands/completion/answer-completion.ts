/** `fin __complete`: the lines a shell's completion reads, value and text apart by a tab. */
import { sanitize } from '../../output/sanitize.ts';
import type { Io } from '../io.ts';
import type { Ports } from '../ports.ts';
import { complete } from './complete.ts';

/** A shell shows no more, and a person reads no more. */
const MOST = 1000;

export async function answerCompletion(words: readonly string[], io: Io, ports: Ports): Promise<void> {
  const found = await complete(words, async () => {
    const { tickers } = await ports.tickers();
    return (await tickers(io.env)).map(({ ticker, name }) => ({ value: ticker, text: name }));
  });
  const lines = found.slice(0, MOST).map(({ value, text }) => `${sanitize(value)}\t${sanitize(text)}\n`);
  io.print(lines.join(''));
}
