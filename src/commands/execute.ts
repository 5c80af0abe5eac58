/** A named command with its options, from the arguments to its exit code. Help needs none of this. */
import type { ClientEvent } from '../client/types.ts';
import { operationOf } from '../contract/operations.ts';
import { askQuestion } from './asking/ask-question.ts';
import { ALL } from './asking/asking-options.ts';
import { callUtility } from './call-utility.ts';
import type { Connect, Connection } from './connecting/connection.ts';
import { findPlace, type Place } from './connecting/find-place.ts';
import { openConnection } from './connecting/open-connection.ts';
import { eventTeller } from './connecting/tell-events.ts';
import { GLOBAL_OPTIONS, type Globals } from './globals.ts';
import type { Io } from './io.ts';
import { loadCommand } from './load-command.ts';
import { questionOptions, utilityOptions } from './option-spec.ts';
import { parseOptions } from './parse-options.ts';
import { asDrawn } from './questions/drawing.ts';
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
  const costs = globals.stats ? (await import('./asking/costs.ts')).startCosts() : null;
  const tell = eventTeller(globals, io);
  const report = (event: ClientEvent) => {
    costs?.note(event);
    tell(event);
  };
  const { connect, close } = connectOnce(async (say) => openConnection(place(), globals, io, report, say));
  try {
    return command.kind === 'question'
      ? await askQuestion({
          ...asDrawn(command.definition, line, globals, io),
          line,
          io,
          place: place(),
          connect,
          costs,
        })
      : await callUtility(command.utility, { line, globals, io, connect, report });
  } finally {
    await close();
    if (costs !== null) io.say(await costs.line(place));
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
    connect: (say) => {
      opened ??= open(say);
      return opened;
    },
    close: async () => {
      const connection = await opened?.catch(() => undefined);
      await connection?.client.close();
    },
  };
}
