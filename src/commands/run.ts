/** Runs a parsed command line: prints the version or help, or executes a command. */
import type { Ports } from '../client/request/ports.ts';
import type { CommandLine } from './command-line/command-line.ts';
import type { CommandTable } from './command-line/command-table.ts';
import type { Io } from './command-line/io.ts';

type Program = { readonly version: string; readonly commands: CommandTable; readonly ports: Ports };

/** Returns the exit code. Throws the Failure of an invalid command line or of the command. */
export async function run(line: CommandLine, io: Io, { version, commands, ports }: Program): Promise<number> {
  const { name, command, args, options, failure } = line;
  if (options.has('version')) {
    io.print(`${version}\n`);
    return 0;
  }
  // With `--help`, faults of the command line are ignored. Only an unknown command fails (in `formatHelp`), so that
  // scripts notice it.
  if (failure !== null && !options.has('help')) throw failure;
  if (command === null || options.has('help')) {
    const { formatHelp } = await import('./help/help.ts');
    await io.page(await formatHelp(commands, name === 'help' ? args.join(' ') : name, io.width, io.colors));
    return 0;
  }
  const { executeCommand: execute } = await import('./execute.ts');
  return execute(command, { args, options }, io, ports);
}
