/** From the arguments to what they ask for: the version, help, or a command. */
import { findCommand } from './command-line/command-words.ts';
import type { Io } from './io.ts';
import { COMMAND_NAMES } from './load-command.ts';
import type { Ports } from './ports.ts';

/** The exit code. Throws the Failure of a command that could not do what was asked. */
export async function run(argv: readonly string[], io: Io, version: string, ports: Ports): Promise<number> {
  const { name, rest } = findCommand(argv, COMMAND_NAMES);
  if (name === null && (rest.includes('--version') || rest.includes('-V'))) {
    io.print(`${version}\n`);
    return 0;
  }
  const wantsHelp = rest.includes('--help') || rest.includes('-h');
  if (name === null && !wantsHelp) {
    // A mistyped option is no request for help: a script would take it for done.
    const [{ GLOBAL_OPTIONS }, { parseOptions }] = await Promise.all([
      import('./command-line/global-options.ts'),
      import('./command-line/parse.ts'),
    ]);
    parseOptions(GLOBAL_OPTIONS, rest, '');
  }
  if (name === null || name === 'help' || wantsHelp) {
    const { help } = await import('./help/help.ts');
    const topic = name === 'help' ? rest.filter((word) => !word.startsWith('-')).join(' ') : (name ?? '');
    await io.page(await help(topic, io.width, io.colors));
    return 0;
  }
  const { execute } = await import('./execute.ts');
  return execute(name, rest, io, ports);
}
