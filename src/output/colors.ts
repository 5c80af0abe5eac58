/** Whether a stream takes colours: what was said on the command line, then the environment, then what the stream is. */

type Environment = Readonly<Record<string, string | undefined>>;

export function usesColors(said: string | undefined, isTerminal: boolean, env: Environment): boolean {
  if (said === 'always' || said === 'never') return said === 'always';
  if ((env.NO_COLOR ?? '') !== '') return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}
