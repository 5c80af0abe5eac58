/** Decides whether a stream gets colours. The colours themselves are in paint.ts, loaded on demand. */
import type { StyledText } from '../text/cells.ts';

/** Adds the escape sequences of a tone, and of a link if the style has a link. */
export type Paint = (text: string, style: Pick<StyledText, 'tone' | 'link'>) => string;

/** A Paint for pipes and plain terminals, which returns the text unchanged. */
export const paintPlain: Paint = (text) => text;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether to use colours: decided by the option, otherwise by NO_COLOR, otherwise by FORCE_COLOR, otherwise by whether
 * the stream is a terminal and TERM is not `dumb`.
 */
export function usesColors(colorOption: string | undefined, isTerminal: boolean, env: Environment): boolean {
  if (colorOption === 'always' || colorOption === 'never') return colorOption === 'always';
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  const forcedColor = env.FORCE_COLOR;
  if (forcedColor !== undefined) return forcedColor !== '0' && forcedColor !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}
