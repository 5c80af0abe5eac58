/** A named command with its options, from the arguments to its exit code. Help needs none of this. */
import { operationOf } from '../contract/operations.ts';
import { askQuestion } from './ask-question.ts';
import { ALL } from './asking-options.ts';
import { callUtility } from './call-utility.ts';
import type { Connect, Connection } from './connection.ts';
import { asDrawn } from './drawing.ts';
import { findPlace, type Place } from './find-place.ts';
import { GLOBAL_OPTIONS, type Globals } from './globals.ts';
import type { Io } from './io.ts';
import { loadCommand } from './load-command.ts';
import { openConnection } from './open-connection.ts';
import { questionOptions, utilityOptions } from './option-spec.ts';
import { parseOptions } from './parse-options.ts';
import { readGlobals } from './read-globals.ts';

/** Throws the Failure of a command that could not do what was asked. */
export async function execute(name: string, rest: readonly string[], io: Io): Promise<number> {
  const command = await loadCommand(name);
  const own =
    command.kind === 'question'
      ? // Named everywhere, so that where it cannot be taken the reason is said.
        [
          ...questionOptions(command.definition, operationOf(command.definition.operation)),
          ...(command.definition.pages === undefined ? [ALL] : []),
        ]
      : utilityOptions(command.utility);
  const line = parseOptions([...own, ...GLOBAL_OPTIONS], rest, name);
  const globals = readGlobals(line.options, io.env);
  const place = findPlaceOnce(globals, io);
  const { connect, close } = connectOnce(async () => openConnection(place(), globals, io));
  try {
    return command.kind === 'question'
      ? await askQuestion({ ...asDrawn(command.definition, line, globals, io), line, io, place: place(), connect })
      : await callUtility(command.utility, { line, globals, io, connect });
  } finally {
    await close();
  }
}

/** Decided when it is first needed: a command that asks nothing must run where the settings are amiss. */
function findPlaceOnce(globals: Globals, io: Io): () => Place {
  let found: Place | undefined;
  return () => {
    found ??= findPlace(globals, io);
    return found;
  };
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
