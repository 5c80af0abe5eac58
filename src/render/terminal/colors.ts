/** Decides whether a stream gets colours, and colours text. The colours are in paint.ts, loaded on demand. */
import type { StyledText } from '../cells.ts';

/** Returns the text with the escape sequences of its tone, and of its link if it has one. */
export type Paint = (text: string, style: Pick<StyledText, 'tone' | 'link'>) => string;

/** Returns the text unchanged, for pipes and plain terminals. */
export const unpainted: Paint = (text) => text;

type Environment = Readonly<Record<string, string | undefined>>;

/** The option decides, then NO_COLOR, then FORCE_COLOR, then whether the stream is a terminal. */
export function usesColors(option: string | undefined, isTerminal: boolean, env: Environment): boolean {
  if (option === 'always' || option === 'never') return option === 'always';
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  const forcedColor = env.FORCE_COLOR;
  if (forcedColor !== undefined) return forcedColor !== '0' && forcedColor !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}
