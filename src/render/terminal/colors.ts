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
export function usesColors(choice: string | undefined, isTerminal: boolean, env: Environment): boolean {
  if (choice === 'always' || choice === 'never') return choice === 'always';
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}
