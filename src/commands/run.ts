/** From the arguments to the command they name, and its exit code. */
import { operationOf } from '../contract/operations.ts';
import { askQuestion } from './ask-question.ts';
import { callUtility } from './call-utility.ts';
import { findCommand } from './command-words.ts';
import type { Connect, Connection } from './connection.ts';
import { GLOBAL_OPTIONS } from './globals.ts';
import type { Io } from './io.ts';
import { COMMAND_NAMES, loadCommand } from './load-command.ts';
import { openConnection } from './open-connection.ts';
import { questionOptions, utilityOptions } from './option-spec.ts';
import { parseOptions } from './parse-options.ts';
import { readGlobals } from './read-globals.ts';

/** Throws the Failure of a command that could not do what was asked. */
export async function run(argv: readonly string[], io: Io, version: string): Promise<number> {
  const { name, rest } = findCommand(argv, COMMAND_NAMES);
  if (name === null && (rest.includes('--version') || rest.includes('-V'))) {
    io.out(`${version}\n`);
    return 0;
  }
  if (name === null || name === 'help' || rest.includes('--help') || rest.includes('-h')) {
    const { help } = await import('./help.ts');
    const topic = name === 'help' ? rest.filter((word) => !word.startsWith('-')).join(' ') : (name ?? '');
    io.out(await help(topic));
    return 0;
  }
  const command = await loadCommand(name);
  const own =
    command.kind === 'question'
      ? questionOptions(command.definition, operationOf(command.definition.operation))
      : utilityOptions(command.utility);
  const line = parseOptions([...own, ...GLOBAL_OPTIONS], rest, name);
  const globals = readGlobals(line.options, io.env);
  const { connect, close } = connectOnce(() => openConnection(globals, io));
  try {
    return command.kind === 'question'
      ? await askQuestion({ definition: command.definition, line, globals, io, connect })
      : await callUtility(command.utility, { line, globals, io, connect });
  } finally {
    await close();
  }
}

/** One connection for the whole command, closed with it: open sockets would keep the process. */
function connectOnce(open: Connect): { readonly connect: Connect; readonly close: () => Promise<void> } {
  let opened: Promise<Connection> | undefined;
  return {
    connect: () => {
      opened ??= open();
      return opened;
    },
    close: async () => {
      const connection = await opened?.catch(() => undefined);
      await connection?.client.close();
    },
  };
}
